// SPDX-License-Identifier: MIT
//
// A list is edited: an order of songs, with what comes next, what is dropped and what is undone.
// You see the list after each change.

#include <oxbow.h>

#include <stdio.h>

typedef struct Song {
    char name;
    int seconds;
} Song;

OX_LIST(Songs, Song);

static void print_songs(const char *what, Songs songs) {
    printf("%-20s", what);
    OX_EACH(songs, song) {
        printf(" %c", song->name);
    }
    printf("%s\n", ox_list_is_empty(songs) ? " nothing" : "");
}

int main(void) {
    Songs songs = ox_list_create(Songs, 4, OX_PERSISTENT);
    const Song album[] = {{'A', 100}, {'B', 200}, {'C', 300}, {'D', 400}, {'E', 500}};
    ox_list_push_many(songs, album, 5);
    print_songs("an album", songs);

    // In the middle: those behind it move up by one.
    ox_list_insert(songs, 1, {'x', 30});
    print_songs("next comes x", songs);

    // Removing keeps the order, and moves all that comes behind. Where the order does not matter,
    // let the last one take the place: that moves one.
    ox_list_remove(songs, 0);
    print_songs("A was played", songs);
    ox_list_remove_range(songs, 1, 2);
    print_songs("without B and C", songs);
    ox_list_push_many(songs, album, 3);
    ox_list_remove_swap(songs, 0);
    print_songs("C in place of x", songs);

    // The end of a list is a stack.
    ox_list_push(songs, {'y', 40});
    printf("last is %c, ", ox_list_peek(songs).name);
    printf("taken back: %c\n", ox_list_pop(songs).name);

    // One element, a few, or all: pointers live until the length changes.
    ox_list_set(songs, 0, {'c', 301});
    const Song *two = ox_list_get_range(songs, 1, 3);
    printf("%c has %d seconds, then come %c and %c\n", ox_list_get(songs, 0)->name,
           ox_list_get(songs, 0)->seconds, two[0].name, two[1].name);
    Song *faded = ox_list_edit_range(songs, 0, 2);
    faded[0].seconds -= 10;
    faded[1].seconds -= 10;
    Song *all = ox_list_edit_data(songs);
    for (int k = 0; k < ox_list_count(songs); k++) {
        all[k].seconds += 2; // a pause after each
    }
    int length = 0;
    OX_EACH_EDIT(songs, song) {
        song->seconds *= 2; // at half the speed
        length += song->seconds;
    }
    printf("%d songs, %d seconds\n", ox_list_count(songs), length);

    // Until it is empty, and no report at the end.
    printf("%-20s", "from the end");
    for (Song last; ox_list_try_pop(songs, &last);) {
        printf(" %c", last.name);
    }
    printf("\n");
    print_songs("the end", songs);
    ox_dispose(&songs);
}

// Output:
// an album             A B C D E
// next comes x         A x B C D E
// A was played         x B C D E
// without B and C      x D E
// C in place of x      C D E A B
// last is y, taken back: y
// c has 301 seconds, then come D and E
// 5 songs, 2982 seconds
// from the end         B A E D c
// the end              nothing
