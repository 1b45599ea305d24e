// SPDX-License-Identifier: MIT
//
// A map: one value for each key. A shop counts its goods: you see what it has, what it sells, and
// what is left when all that ran out is taken from the shelf.

#include <oxbow.h>

#include <stdio.h>

typedef struct Good {
    int count;
    float price;
} Good;

OX_MAP(Shelf, int, Good); // by the number on the label

int main(void) {
    Shelf shelf = ox_map_create(Shelf, 4, OX_PERSISTENT);

    // Adding leaves a key that is there alone, setting gives it another value.
    ox_map_add(shelf, 100, {7, 1.5f});
    ox_map_set(shelf, 200, {3, 20});
    ox_map_set(shelf, 300, {1, 8.25f});
    printf("added again: %d\n", ox_map_add(shelf, 100, {99, 99}));
    printf("goods: %d, of 100 there are %d\n", ox_map_count(shelf), ox_map_get(shelf, 100)->count);

    // NULL says that there is no such key. Getting one that must be there is a report if it is not.
    const Good *missing = ox_map_find(shelf, 400);
    printf("400: %s, 200: %s\n", missing == NULL ? "never heard of" : "here",
           ox_map_has(shelf, 200) ? "here" : "never heard of");

    // To change a value, edit it in place.
    Good *sold = ox_map_edit(shelf, 300);
    if (sold != NULL) {
        sold->count--;
    }
    ox_map_edit(shelf, 200)->price *= 0.5f;

    // All of them: the order is not specified, so sort what people will read.
    Shelf_keys labels = ox_map_keys(shelf, OX_TEMP);
    ox_array_sort(labels, NULL, NULL);
    OX_EACH(labels, label) {
        Good good = ox_map_read(shelf, *label);
        printf("%d: %d for %.2f\n", *label, good.count, good.price);
    }
    float worth = 0;
    Shelf_values goods = ox_map_values(shelf, OX_TEMP);
    OX_EACH(goods, good) {
        worth += (float)good->count * good->price;
    }
    printf("all is worth %.2f\n", worth);

    // A loop that changes values, and removes what it stands at.
    OX_EACH_EDIT(shelf, it) {
        it.value->price += 1;
        if (it.value->count == 0) {
            ox_map_walk_remove(it.walk);
        }
    }
    printf("300 is there: %d, 100 costs %.2f\n", ox_map_has(shelf, 300),
           ox_map_read(shelf, 100).price);
    bool was_there = ox_map_remove(shelf, 100);
    printf("removed: %d, and once more: %d\n", was_there, ox_map_remove(shelf, 100));

    // Room for a delivery at once, rather than growing several times. Clearing keeps it.
    ox_map_reserve(shelf, 1000);
    for (int k = 0; k < 1000; k++) {
        ox_map_set(shelf, k, {k % 10, 1});
    }
    printf("goods: %d, room for a thousand: %d\n", ox_map_count(shelf),
           ox_map_capacity(shelf) >= 1000);
    ox_map_clear(shelf);
    printf("empty: %d, room for a thousand: %d\n", ox_map_is_empty(shelf),
           ox_map_capacity(shelf) >= 1000);
    ox_dispose(&shelf);
    printf("created: %d\n", ox_map_is_created(shelf));
}

// Output:
// added again: 0
// goods: 3, of 100 there are 7
// 400: never heard of, 200: here
// 100: 7 for 1.50
// 200: 3 for 10.00
// 300: 0 for 8.25
// all is worth 40.50
// 300 is there: 0, 100 costs 2.50
// removed: 1, and once more: 0
// goods: 1000, room for a thousand: 1
// empty: 1, room for a thousand: 1
// created: 0
