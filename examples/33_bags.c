// SPDX-License-Identifier: MIT
//
// What a buffer does, call by call: a bag of items that is filled, sorted out, looked at through a
// view, and then used in loops over chunks and in jobs over entities.

#include <oxbow.h>

#include <stdio.h>

OX_BUFFER(Item, 4, { int kind, count; });
OX_COMPONENT(Load, { int items; });

static void print_bag(const char *title, ox_buffer bag) {
    const Item *items = ox_buffer_get_data(bag, Item); // all of them, checked once
    printf("%s:", title);
    for (int k = 0; k < ox_buffer_count(bag); k++) {
        printf(" %dx%d", items[k].count, items[k].kind);
    }
    printf(" (room for %d)\n", ox_buffer_capacity(bag));
}

// In a job the buffer of the row is named as other terms are.
OX_ENTITY_JOB(Weigh, (OX_READ(Item, bag), OX_WRITE(Load, load))) {
    load->items = 0;
    for (int k = 0; k < ox_buffer_count(bag); k++) {
        load->items += ox_buffer_get(bag, k, Item)->count;
    }
}

// A job over chunks has the buffers of all rows. It may add to them, too.
OX_CHUNK_JOB(Reward, (OX_WRITE(Item, bags)), { int kind; }) {
    for (int i = 0; i < count; i++) {
        ox_buffer_push(ox_buffers_get(bags, i), Item, {job->kind, 1});
    }
}

static void sort_out(ox_buffer bag) {
    ox_buffer_reserve(bag, 6); // at least
    for (int k = 1; k <= 6; k++) {
        ox_buffer_push(bag, Item, {k, 10 * k});
    }
    print_bag("filled", bag);
    ox_buffer_insert(bag, 1, Item, {9, 99});
    print_bag("put in front of the second", bag);
    ox_buffer_remove_range(bag, 0, 2);
    print_bag("the first two removed", bag);
    ox_buffer_remove_swap(bag, 0); // the last one takes its place
    print_bag("the first removed, order given up", bag);
    ox_buffer_remove_range_swap(bag, 0, 2);
    print_bag("two more", bag);
    ox_buffer_set_capacity(bag, 4); // exactly; so many fit into the chunk again
    ox_buffer_edit(bag, 0, Item)->count++;
    print_bag("with less room", bag);
    ox_buffer_set(bag, 1, Item, {6, 50});
    print_bag("the second set", bag);
    Item last = ox_buffer_pop(bag, Item);
    printf("taken from the end: %d, before it %d\n", last.count, ox_buffer_peek(bag, Item).count);
    ox_buffer_push(bag, Item, {last.kind, last.count});
}

// A view knows how long its buffer was: one that is out of date is a report, not a wild pointer.
static void double_items(ox_buffer bag) {
    ox_buffer_view view = ox_buffer_view_create(bag);
    for (int k = 0; k < view.count; k++) {
        ox_buffer_view_edit(view, k, Item)->count *= 2;
    }
    ox_buffer_view_set(view, 1, Item, {5, ox_buffer_view_read(view, 1, Item).count});
    printf("doubled: %d, ", ox_buffer_view_get(view, 0, Item)->count);
    Item *items = ox_buffer_edit_data(bag, Item);
    items[0].kind = 7;
    print_bag("and of another kind", bag);
}

int main(void) {
    ox_world *world = ox_world_create(NULL);
    ox_entity hero = ox_entity_create_in(world, ox_archetype_of(world, Item, Load));
    ox_entity mule = ox_entity_create_in(world, ox_archetype_of(world, Item, Load));
    sort_out(ox_edit(world, hero, Item));
    double_items(ox_edit(world, hero, Item));

    // In a loop by row. What was asked for is {0} where an optional buffer is not there.
    ox_query *bags = ox_query_create(world, OX_WRITE(Item), OX_READ(Load));
    OX_EACH_CHUNK(bags, chunk) {
        for (int i = 0; i < chunk.count; i++) {
            ox_buffer bag = ox_buffers_get(ox_chunk_edit(chunk, Item), i);
            ox_buffer_push(bag, Item, {1, 1});
            printf("bag of %u: %d, exists: %d\n", chunk.entities[i].index,
                   ox_buffer_count(ox_buffers_get(ox_chunk_get(chunk, Item), i)),
                   ox_buffer_is_created(bag));
        }
    }
    ox_schedule_entities(Reward, world, OX_AUTO, {3});
    ox_schedule_entities(Weigh, world, OX_AUTO);
    printf("the hero carries %d, the mule %d\n", ox_get(world, hero, Load)->items,
           ox_get(world, mule, Load)->items);

    // Scheduling ended the handles of before.
    ox_buffer bag = ox_edit(world, hero, Item);
    ox_buffer_clear(bag);
    print_bag("emptied", bag);

    // By entity, through a lookup: in jobs, too.
    ox_lookup all = ox_lookup_create(world, Item);
    ox_buffer_push(ox_lookup_edit(&all, hero, Item), Item, {8, 8});
    printf("looked up: %d and %d\n", ox_buffer_count(ox_lookup_get(&all, hero, Item)),
           ox_buffer_count(ox_lookup_get(&all, mule, Item)));

    // By index, as if all bags lay in one array: in jobs, too.
    ox_view by_index = ox_query_view(bags, Item);
    ox_buffer_push(ox_view_edit(by_index, 1, Item), Item, {9, 1});
    printf("by index: %d and %d\n", ox_buffer_count(ox_view_get(by_index, 0, Item)),
           ox_buffer_count(ox_view_get(by_index, 1, Item)));
    ox_world_destroy(world);
}

// Output:
// filled: 10x1 20x2 30x3 40x4 50x5 60x6 (room for 6)
// put in front of the second: 10x1 99x9 20x2 30x3 40x4 50x5 60x6 (room for 12)
// the first two removed: 20x2 30x3 40x4 50x5 60x6 (room for 12)
// the first removed, order given up: 60x6 30x3 40x4 50x5 (room for 12)
// two more: 40x4 50x5 (room for 12)
// with less room: 41x4 50x5 (room for 4)
// the second set: 41x4 50x6 (room for 4)
// taken from the end: 50, before it 41
// doubled: 82, and of another kind: 82x7 100x5 (room for 4)
// bag of 0: 3, exists: 1
// bag of 1: 1, exists: 1
// the hero carries 184, the mule 2
// emptied: (room for 4)
// looked up: 1 and 2
// by index: 1 and 3
