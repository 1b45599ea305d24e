// SPDX-License-Identifier: MIT
//
// A multimap: several values for each key, in the order in which they came. People follow people:
// you see who has how many followers, and what is left when somebody leaves.

#include <oxbow.h>

#include <stdio.h>

enum { ADA, BEN, CLEO, DAN, PEOPLE };

static const char *const names[] = {"Ada", "Ben", "Cleo", "Dan"};

OX_MULTIMAP(Followers, int, int);

static void print_followers(Followers followers, int person) {
    printf("%s has %d:", names[person], ox_multimap_count_values(followers, person));
    OX_EACH_OF(followers, person, it) {
        printf(" %s", names[*it.value]);
    }
    printf("\n");
}

int main(void) {
    Followers followers = ox_multimap_create(Followers, 4, OX_PERSISTENT);
    ox_multimap_reserve(followers, 100); // pairs, so that adding does not grow it
    ox_multimap_add(followers, ADA, CLEO);
    ox_multimap_add(followers, ADA, BEN);
    ox_multimap_add(followers, ADA, DAN);
    ox_multimap_add(followers, BEN, ADA);
    ox_multimap_add(followers, CLEO, DAN);
    ox_multimap_add(followers, CLEO, DAN); // the same pair twice is two
    printf("pairs: %d\n", ox_multimap_count(followers));
    print_followers(followers, ADA);
    print_followers(followers, CLEO);
    printf("anybody follows Dan: %d\n", ox_multimap_has(followers, DAN));

    // Each key once, whatever the number of its values.
    Followers_keys followed = ox_multimap_keys(followers, OX_TEMP);
    ox_array_sort(followed, NULL, NULL);
    printf("followed:");
    OX_EACH(followed, person) {
        printf(" %s", names[*person]);
    }
    printf("\n");

    // Dan leaves: nobody is followed by him any more. All equal pairs go at once.
    int gone = 0;
    for (int person = 0; person < PEOPLE; person++) {
        gone += ox_multimap_remove_pair(followers, person, DAN);
    }
    printf("removed %d pairs with Dan\n", gone);
    print_followers(followers, ADA);

    // Ada leaves: her key goes with all that belongs to it.
    printf("removed %d followers of Ada\n", ox_multimap_remove(followers, ADA));
    printf("pairs: %d\n", ox_multimap_count(followers));
    ox_multimap_clear(followers);
    printf("empty: %d\n", ox_multimap_is_empty(followers));
    ox_dispose(&followers);
    printf("created: %d\n", ox_multimap_is_created(followers));
}

// Output:
// pairs: 6
// Ada has 3: Cleo Ben Dan
// Cleo has 2: Dan Dan
// anybody follows Dan: 0
// followed: Ada Ben Cleo
// removed 3 pairs with Dan
// Ada has 2: Cleo Ben
// removed 2 followers of Ada
// pairs: 1
// empty: 1
// created: 0
