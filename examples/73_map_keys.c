// SPDX-License-Identifier: MIT
//
// Maps whose keys are equal when you say so: names in small and large letters are the same name.
// Without functions the bytes of keys count. You see the scores of players, and the games that each
// has played.

#include <oxbow.h>

#include <ctype.h>
#include <stdio.h>

typedef struct Name {
    char text[16];
} Name;

OX_MAP(Scores, Name, int);
OX_MULTIMAP(Games, Name, int);

// Equal keys must have equal hashes, so the hash is that of the small letters. Only what stands
// before the end counts.
static uint64_t hash_name(const void *key, void *context) {
    (void)context;
    uint64_t hash = 14695981039346656037u;
    for (const char *at = ((const Name *)key)->text; *at != 0; at++) {
        hash = (hash ^ (uint64_t)tolower((unsigned char)*at)) * 1099511628211u;
    }
    return hash;
}

static bool is_same_name(const void *a, const void *b, void *context) {
    (void)context;
    const char *one = ((const Name *)a)->text, *other = ((const Name *)b)->text;
    while (*one != 0 && tolower((unsigned char)*one) == tolower((unsigned char)*other)) {
        one++;
        other++;
    }
    return tolower((unsigned char)*one) == tolower((unsigned char)*other);
}

int main(void) {
    ox_map_def by_name = {.capacity = 16, .hash = hash_name, .equal = is_same_name};
    Scores scores = ox_map_create_with(Scores, by_name);
    Games games = ox_multimap_create_with(Games, by_name);

    const Name players[] = {{"Ada"}, {"BEN"}, {"ada"}, {"Ben"}, {"ADA"}};
    for (int k = 0; k < 5; k++) {
        ox_map_set(scores, players[k], ox_map_read_or(scores, players[k], 0) + 10);
        ox_multimap_add(games, players[k], 100 + k);
    }

    // A key that comes last may stand in braces.
    printf("players: %d, Ada has %d, Ben has %d\n", ox_map_count(scores),
           ox_map_read(scores, {"aDa"}), ox_map_read(scores, {"ben"}));
    printf("games of Ada: %d:", ox_multimap_count_values(games, {"Ada"}));
    OX_EACH_OF(games, ((Name){"ada"}), it) {
        printf(" %d", *it.value);
    }
    printf("\n");

    // The key that came first is the one that stays.
    OX_EACH(scores, it) {
        if (*it.value == 30) {
            printf("the best player is written '%s'\n", it.key->text);
        }
    }
    ox_dispose(&scores);
    ox_dispose(&games);
}

// Output:
// players: 2, Ada has 30, Ben has 20
// games of Ada: 3: 100 102 104
// the best player is written 'Ada'
