// SPDX-License-Identifier: MIT
//
// Buffers: elements, length and capacity, where they lie, and what ends handles and views.

#include "entities/entities_test.h"

#include "base/counted_memory.h"
#include "base/heap.h"
#include "entities/buffer_access.h"
#include "oxbow/entity_jobs.h"
#include "storage/buffers.h"

OX_BUFFER(Waypoint, 8, { int32_t x, y; });
OX_BUFFER(Word, OX_INLINE_DEFAULT, { int32_t value; });
OX_BUFFER(Far, OX_INLINE_NONE, { int32_t value; });
OX_BUFFER(Chain, 2, { ox_entity link; });

typedef struct pair {
    float a, b;
} pair;

OX_ENTITY_JOB(Heal, (OX_WRITE(Health, health)), { int32_t by; }) {
    health->points += job->by;
}

float run_buffer_unit(void);

static collected_reports reports;

static uint64_t outside_bytes(ox_world *world) {
    return ox_world_get_usage(world).buffer_bytes;
}

static bool is_inline(ox_buffer buffer) {
    return buffer.oxi_head->outside == NULL;
}

// Appends elements whose x is first, first + 1, ...
static void fill(ox_buffer path, int first, int count) {
    for (int k = 0; k < count; k++) {
        EXPECT(ox_buffer_push(path, Waypoint, {first + k, -k}));
    }
}

static void expect_path(ox_buffer path, const int *expected, int count) {
    EXPECT_EQ(ox_buffer_count(path), count);
    for (int k = 0; k < count; k++) {
        EXPECT_EQ(ox_buffer_get(path, k, Waypoint)->x, expected[k]);
    }
}

#define EXPECT_PATH(path, ...)                                                                     \
    expect_path(path, (const int[]){__VA_ARGS__},                                                  \
                (int)(sizeof((const int[]){__VA_ARGS__}) / sizeof(int)))

// An entity whose buffer has elements 0, 1, ...
static ox_entity make_walker(ox_world *world, int count) {
    ox_entity walker = ox_entity_create(world, OX_VALUE(Health, {count}));
    fill(ox_add_buffer(world, walker, Waypoint), 0, count);
    return walker;
}

static void expect_walker(ox_world *world, ox_entity walker, int count) {
    ox_buffer path = ox_get(world, walker, Waypoint);
    EXPECT_EQ(ox_buffer_count(path), count);
    for (int k = 0; k < count; k++) {
        EXPECT_EQ(ox_buffer_get(path, k, Waypoint)->x, k);
        EXPECT_EQ(ox_buffer_get(path, k, Waypoint)->y, -k);
    }
}

// Elements.

TEST(buffers, a_new_one_is_empty_and_has_its_inline_room) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Waypoint, Word, Far));
    ox_buffer path = ox_get(world, entity, Waypoint);
    EXPECT(ox_buffer_is_created(path) && ox_buffer_is_empty(path));
    EXPECT_EQ(ox_buffer_count(path), 0);
    EXPECT_EQ(ox_buffer_capacity(path), 8);
    EXPECT_EQ(ox_buffer_capacity(ox_get(world, entity, Word)), 32);
    EXPECT_EQ(ox_buffer_capacity(ox_get(world, entity, Far)), 0);
    end_world(world, &reports);
}

TEST(buffers, elements_are_appended_read_and_written) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world);
    ox_buffer path = ox_add_buffer(world, entity, Waypoint);
    EXPECT(ox_buffer_push(path, Waypoint, {1, 2}));
    EXPECT(ox_buffer_push(path, Waypoint, {.y = 4}));
    Waypoint third = {5, 6};
    EXPECT(ox_buffer_push(path, Waypoint, third));

    ox_buffer_edit(path, 1, Waypoint)->x = 3;
    ox_buffer_edit_data(path, Waypoint)[2].y += 10;

    const Waypoint *all = ox_buffer_get_data(path, Waypoint);
    EXPECT(all == ox_buffer_get(path, 0, Waypoint));
    EXPECT(all[0].y == 2 && all[1].x == 3 && all[1].y == 4 && all[2].y == 16);
    EXPECT_PATH(path, 1, 3, 5);
    end_world(world, &reports);
}

TEST(buffers, elements_are_read_as_copies_and_set) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world);
    ox_buffer path = ox_add_buffer(world, entity, Waypoint);
    ox_buffer_push(path, Waypoint, {1, 2});
    ox_buffer_push(path, Waypoint, {3, 4});

    Waypoint second = ox_buffer_read(path, 1, Waypoint);
    ox_buffer_set(path, 1, Waypoint, {5, 6});
    ox_buffer_set(path, 0, Waypoint, second);
    ox_buffer_view view = ox_buffer_view_create(path);
    Waypoint other = ox_buffer_view_read(view, 1, Waypoint);
    ox_buffer_view_set(view, 1, Waypoint, {.x = other.x + 2, .y = 8});

    EXPECT(second.x == 3 && second.y == 4 && other.x == 5 && other.y == 6);
    EXPECT_PATH(path, 3, 7);
    EXPECT(ox_buffer_read(path, 0, Waypoint).y == 4 && ox_buffer_read(path, 1, Waypoint).y == 8);
    end_world(world, &reports);
}

TEST(buffers, the_last_element_is_looked_at_and_taken) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world);
    ox_buffer path = ox_add_buffer(world, entity, Waypoint);
    ox_buffer_push(path, Waypoint, {1, 2});
    ox_buffer_push(path, Waypoint, {3, 4});
    ox_buffer_view view = ox_buffer_view_create(path);

    Waypoint seen = ox_buffer_peek(ox_get(world, entity, Waypoint), Waypoint);
    EXPECT_EQ(ox_buffer_view_get(view, 1, Waypoint)->x, 3); // still good
    Waypoint taken = ox_buffer_pop(path, Waypoint);

    EXPECT(seen.x == 3 && seen.y == 4 && taken.x == 3 && taken.y == 4);
    EXPECT_PATH(path, 1);
    EXPECT_EQ(ox_buffer_pop(path, Waypoint).y, 2);
    EXPECT(ox_buffer_is_empty(path));
    end_world(world, &reports);
}

TEST(buffers, taking_from_an_empty_buffer_is_reported_and_gives_zeros) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world);
    ox_buffer path = ox_add_buffer(world, entity, Waypoint);

    EXPECT_EQ(ox_buffer_pop(path, Waypoint).x, 0);
    EXPECT_HAS(reports.text, "buffer 'Waypoint'");
    EXPECT_REPORT(&reports, OX_REPORT_EMPTY);
    EXPECT_EQ(ox_buffer_peek(path, Waypoint).y, 0);
    EXPECT_REPORT(&reports, OX_REPORT_EMPTY);

    ox_buffer_push(path, Waypoint, {1, 2});
    EXPECT_EQ(ox_buffer_pop(path, int32_t), 0);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT_EQ(ox_buffer_peek(path, int32_t), 0);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT_EQ(ox_buffer_pop(ox_get(world, entity, Waypoint), Waypoint).x, 0);
    EXPECT_REPORT(&reports, OX_REPORT_BUFFER_READ_ONLY);
    EXPECT_PATH(path, 1);
    end_world(world, &reports);
}

TEST(buffers, many_values_are_appended_and_may_stand_in_the_buffer) {
    ox_world *world = make_world(&reports);
    ox_buffer path = ox_add_buffer(world, ox_entity_create(world), Waypoint);
    Waypoint list[3] = {{0, 0}, {1, 0}, {2, 0}};
    EXPECT(ox_buffer_push_many(path, Waypoint, list, 3));
    EXPECT(ox_buffer_push_many(path, Waypoint, NULL, 0));
    EXPECT(ox_buffer_push_many(path, Waypoint, ox_buffer_get_data(path, Waypoint), 3));
    EXPECT_PATH(path, 0, 1, 2, 0, 1, 2);
    EXPECT(ox_buffer_push_many(path, Waypoint, ox_buffer_get_data(path, Waypoint), 6));
    EXPECT_PATH(path, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2);
    EXPECT(ox_buffer_push_many(path, Waypoint, ox_buffer_get(path, 2, Waypoint), 10));
    EXPECT_EQ(ox_buffer_get(path, 12, Waypoint)->x, 2);
    EXPECT_EQ(ox_buffer_get(path, 21, Waypoint)->x, 2);
    end_world(world, &reports);
}

TEST(buffers, values_are_inserted_anywhere) {
    ox_world *world = make_world(&reports);
    ox_buffer path = ox_add_buffer(world, ox_entity_create(world), Waypoint);
    EXPECT(ox_buffer_insert(path, 0, Waypoint, {5, 0}));
    EXPECT(ox_buffer_insert(path, 0, Waypoint, {3, 0}));
    EXPECT(ox_buffer_insert(path, 2, Waypoint, {6, 0}));
    EXPECT(ox_buffer_insert(path, 1, Waypoint, {4, 0}));
    EXPECT_PATH(path, 3, 4, 5, 6);
    fill(path, 7, 4);
    EXPECT(ox_buffer_insert(path, 4, Waypoint, {0, 0})); // grows
    EXPECT_PATH(path, 3, 4, 5, 6, 0, 7, 8, 9, 10);
    end_world(world, &reports);
}

// Inserts three of six elements at a place, where there is room or not.
static void insert_own(ox_buffer path, int first, int index, int room) {
    ox_buffer_clear(path);
    ox_buffer_trim(path);
    ox_buffer_reserve(path, room);
    fill(path, 0, 6);
    const Waypoint *from = ox_buffer_get(path, first, Waypoint);
    EXPECT(ox_buffer_insert_at(path, index, (ox_buffer_values){from, 3, sizeof *from}, OX_HERE));
    EXPECT_EQ(ox_buffer_count(path), 9);
    for (int k = 0; k < 9; k++) {
        int behind = k < index + 3 ? first + k - index : k - 3;
        EXPECT_EQ(ox_buffer_get(path, k, Waypoint)->x, k < index ? k : behind);
    }
}

// They stand before the place, behind it, and across it.
TEST(buffers, values_of_the_buffer_are_inserted_as_they_were) {
    ox_world *world = make_world(&reports);
    ox_buffer path = ox_add_buffer(world, ox_entity_create(world), Waypoint);
    for (int first = 0; first + 3 <= 6; first++) {
        for (int index = 0; index <= 6; index++) {
            insert_own(path, first, index, 6);
            insert_own(path, first, index, 12);
        }
    }
    end_world(world, &reports);
}

TEST(buffers, removing_keeps_the_order) {
    ox_world *world = make_world(&reports);
    ox_buffer path = ox_add_buffer(world, ox_entity_create(world), Waypoint);
    fill(path, 0, 8);
    EXPECT(ox_buffer_remove(path, 0));
    EXPECT(ox_buffer_remove(path, 6));
    EXPECT_PATH(path, 1, 2, 3, 4, 5, 6);
    EXPECT(ox_buffer_remove_range(path, 1, 3));
    EXPECT_PATH(path, 1, 5, 6);
    EXPECT(ox_buffer_remove_range(path, 3, 0));
    EXPECT(ox_buffer_remove_range(path, 0, 3));
    EXPECT_EQ(ox_buffer_count(path), 0);
    EXPECT_EQ(ox_buffer_capacity(path), 8);
    end_world(world, &reports);
}

TEST(buffers, removing_with_a_swap_takes_from_the_end) {
    ox_world *world = make_world(&reports);
    ox_buffer path = ox_add_buffer(world, ox_entity_create(world), Waypoint);
    fill(path, 0, 10);
    EXPECT(ox_buffer_remove_swap(path, 1));
    EXPECT_PATH(path, 0, 9, 2, 3, 4, 5, 6, 7, 8);
    EXPECT(ox_buffer_remove_range_swap(path, 0, 3));
    EXPECT_PATH(path, 6, 7, 8, 3, 4, 5);
    EXPECT(ox_buffer_remove_range_swap(path, 1, 4)); // less is behind than goes
    EXPECT_PATH(path, 6, 5);
    EXPECT(ox_buffer_remove_swap(path, 1));
    EXPECT(ox_buffer_remove_range_swap(path, 1, 0));
    EXPECT_PATH(path, 6);
    end_world(world, &reports);
}

TEST(buffers, resizing_zeroes_only_what_is_new) {
    ox_world *world = make_world(&reports);
    ox_buffer path = ox_add_buffer(world, ox_entity_create(world), Waypoint);
    fill(path, 1, 6);
    EXPECT(ox_buffer_resize(path, 3));
    EXPECT(ox_buffer_resize(path, 5));
    EXPECT_PATH(path, 1, 2, 3, 0, 0);
    EXPECT_EQ(ox_buffer_get(path, 4, Waypoint)->y, 0);
    EXPECT(ox_buffer_resize(path, 100));
    EXPECT_EQ(ox_buffer_get(path, 2, Waypoint)->x, 3);
    EXPECT_EQ(ox_buffer_get(path, 99, Waypoint)->x, 0);
    EXPECT(ox_buffer_resize(path, 0));
    EXPECT_EQ(ox_buffer_count(path), 0);
    EXPECT_EQ(ox_buffer_capacity(path), 100);
    end_world(world, &reports);
}

TEST(buffers, any_type_of_the_same_size_reads_and_writes_elements) {
    ox_world *world = make_world(&reports);
    ox_buffer path = ox_add_buffer(world, ox_entity_create(world), Waypoint);
    EXPECT(ox_buffer_push(path, pair, {1.5f, 2.5f}));
    EXPECT_EQ(ox_buffer_get(path, 0, pair)->b, 2.5f);
    EXPECT_EQ(ox_buffer_get(path, 0, Waypoint)->x, 0x3fc00000);
    EXPECT_EQ(*ox_buffer_get_data(path, uint64_t), UINT64_C(0x402000003fc00000));
    end_world(world, &reports);
}

// Where elements lie.

TEST(buffers, growing_doubles_and_moves_all_outside) {
    ox_world *world = make_world(&reports);
    ox_buffer path = ox_add_buffer(world, ox_entity_create(world), Waypoint);
    fill(path, 0, 8);
    EXPECT(is_inline(path) && outside_bytes(world) == 0);
    fill(path, 8, 1);
    EXPECT(!is_inline(path) && outside_bytes(world) > 0);
    EXPECT_EQ(ox_buffer_capacity(path), 16);
    EXPECT_PATH(path, 0, 1, 2, 3, 4, 5, 6, 7, 8);
    fill(path, 9, 8);
    EXPECT_EQ(ox_buffer_capacity(path), 32);
    end_world(world, &reports);
}

TEST(buffers, trimming_gives_back_the_room_and_returns_inline) {
    ox_world *world = make_world(&reports);
    ox_buffer path = ox_add_buffer(world, ox_entity_create(world), Waypoint);
    fill(path, 0, 10);
    EXPECT(ox_buffer_trim(path));
    EXPECT_EQ(ox_buffer_capacity(path), 10);
    fill(path, 10, 90);
    EXPECT(ox_buffer_remove_range(path, 8, 92));
    EXPECT(!is_inline(path));
    EXPECT(ox_buffer_trim(path));
    EXPECT(is_inline(path) && outside_bytes(world) == 0);
    EXPECT_EQ(ox_buffer_capacity(path), 8);
    EXPECT_PATH(path, 0, 1, 2, 3, 4, 5, 6, 7);
    EXPECT(ox_buffer_trim(path));
    end_world(world, &reports);
}

TEST(buffers, room_is_reserved_and_set) {
    ox_world *world = make_world(&reports);
    ox_buffer path = ox_add_buffer(world, ox_entity_create(world), Waypoint);
    EXPECT(ox_buffer_reserve(path, 5));
    EXPECT_EQ(ox_buffer_capacity(path), 8);
    EXPECT(ox_buffer_reserve(path, 100));
    EXPECT(ox_buffer_reserve(path, 20));
    EXPECT_EQ(ox_buffer_capacity(path), 100);
    fill(path, 0, 4);
    const Waypoint *before = ox_buffer_get_data(path, Waypoint);
    fill(path, 4, 96);
    EXPECT(ox_buffer_get_data(path, Waypoint) == before);

    EXPECT(ox_buffer_set_capacity(path, 300));
    EXPECT_EQ(ox_buffer_capacity(path), 300);
    EXPECT(ox_buffer_set_capacity(path, 100));
    EXPECT_EQ(ox_buffer_capacity(path), 100);
    EXPECT(ox_buffer_resize(path, 7));
    EXPECT(ox_buffer_set_capacity(path, 7));
    EXPECT(is_inline(path) && ox_buffer_capacity(path) == 8);
    EXPECT(ox_buffer_clear(path) && ox_buffer_set_capacity(path, 0));
    EXPECT_EQ(ox_buffer_capacity(path), 8);
    end_world(world, &reports);
}

TEST(buffers, without_inline_room_all_lies_outside) {
    ox_world *world = make_world(&reports);
    ox_buffer far = ox_add_buffer(world, ox_entity_create(world), Far);
    for (int k = 0; k < 100; k++) {
        EXPECT(ox_buffer_push(far, Far, {k}));
    }
    EXPECT_EQ(ox_buffer_get(far, 99, Far)->value, 99);
    EXPECT(ox_buffer_clear(far) && ox_buffer_trim(far));
    EXPECT(outside_bytes(world) == 0 && ox_buffer_capacity(far) == 0);
    EXPECT(ox_buffer_insert(far, 0, Far, {7}));
    EXPECT_EQ(ox_buffer_capacity(far), 4);
    EXPECT_EQ(ox_buffer_get_data(far, Far)->value, 7);
    end_world(world, &reports);
}

TEST(buffers, elements_are_aligned_wherever_they_lie) {
    ox_world *world = make_world(&reports);
    uint32_t id = ox_component_register(&(ox_component_def){.name = "AlignedBuffer",
                                                            .size = 64,
                                                            .align = 64,
                                                            .kind = OX_COMPONENT_KIND_BUFFER,
                                                            .inline_capacity = 2});
    char value[64];
    for (int n = 0; n < 3; n++) {
        ox_buffer buffer = ox_add_buffer_at(world, ox_entity_create(world), id, OX_HERE);
        for (int k = 0; k < 10; k++) {
            memset(value, k, sizeof value);
            EXPECT(ox_buffer_push_at(buffer, sizeof value, value, OX_HERE));
            const char *last = ox_buffer_get_at(buffer, 64, k, 1, OX_HERE);
            EXPECT(((uintptr_t)last & 63) == 0 && last[63] == k);
        }
        EXPECT_EQ(ox_buffer_capacity(buffer), 16);
    }
    end_world(world, &reports);
}

TEST(buffers, adding_one_that_is_there_keeps_its_elements) {
    ox_world *world = make_world(&reports);
    ox_entity inside = make_walker(world, 5), outside = make_walker(world, 50);
    EXPECT_EQ(ox_buffer_count(ox_add_buffer(world, inside, Waypoint)), 5);
    EXPECT_EQ(ox_buffer_count(ox_add_buffer(world, outside, Waypoint)), 50);
    EXPECT(ox_add_tag(world, outside, Waypoint)); // as with any component, without a value
    expect_walker(world, inside, 5);
    expect_walker(world, outside, 50);
    end_world(world, &reports);
}

TEST(buffers, elements_stay_through_moves_of_their_entity) {
    ox_world *world = make_world(&reports);
    ox_entity walkers[40];
    for (int k = 0; k < 40; k++) {
        walkers[k] = make_walker(world, k);
    }
    for (int k = 0; k < 40; k++) {
        EXPECT(ox_add(world, walkers[k], Position, {1, 2}));
        EXPECT(ox_add_buffer(world, walkers[k], Far).oxi_head != NULL);
        EXPECT(ox_buffer_push(ox_edit(world, walkers[k], Far), Far, {k}));
    }
    for (int k = 0; k < 40; k++) {
        EXPECT(ox_remove(world, walkers[k], Position));
        EXPECT_EQ(ox_buffer_get(ox_get(world, walkers[k], Far), 0, Far)->value, k);
        EXPECT(ox_remove(world, walkers[k], Far));
    }
    for (int k = 0; k < 40; k++) {
        expect_walker(world, walkers[k], k);
        EXPECT(ox_remove(world, walkers[k], Waypoint));
    }
    EXPECT_EQ(outside_bytes(world), 0);
    end_world(world, &reports);
}

static void remove_neighbours(ox_removal removal) {
    reports = (collected_reports){0};
    ox_world *world = ox_world_create(
        &(ox_world_def){.removal = removal, .on_report = {collect_report, &reports}});
    ox_entity walkers[60];
    for (int k = 0; k < 60; k++) {
        walkers[k] = make_walker(world, k % 20);
    }
    for (int k = 0; k < 60; k += 2) {
        ox_entity_destroy(world, walkers[k]);
    }
    for (int k = 1; k < 60; k += 2) {
        expect_walker(world, walkers[k], k % 20);
    }
    ox_world_defragment(world, UINT64_MAX);
    for (int k = 1; k < 60; k += 2) {
        expect_walker(world, walkers[k], k % 20);
        ox_entity_destroy(world, walkers[k]);
    }
    EXPECT_EQ(outside_bytes(world), 0);
    end_world(world, &reports);
}

TEST(buffers, elements_stay_when_neighbours_go) {
    remove_neighbours(OX_REMOVAL_ORDERED);
    remove_neighbours(OX_REMOVAL_SWAP);
}

TEST(buffers, instances_have_elements_of_their_own) {
    ox_world *world = make_world(&reports);
    for (int count = 5; count <= 50; count += 45) {
        ox_entity source = make_walker(world, count);
        ox_entity copy = ox_entity_instantiate(world, source);
        ox_buffer path = ox_edit(world, copy, Waypoint);
        EXPECT_EQ(ox_buffer_count(path), count);
        EXPECT_EQ(ox_buffer_get(path, count - 1, Waypoint)->x, count - 1);
        ox_buffer_edit(path, 0, Waypoint)->x = 77;
        EXPECT(ox_buffer_push(path, Waypoint, {0, 0}));
        expect_walker(world, source, count);
        ox_entity_destroy(world, source);
        EXPECT_EQ(ox_buffer_get(ox_get(world, copy, Waypoint), 0, Waypoint)->x, 77);
        ox_entity_destroy(world, copy);
    }
    EXPECT_EQ(outside_bytes(world), 0);
    end_world(world, &reports);
}

// A buffer that is empty again lies outside: its copy does not.
TEST(buffers, instances_lie_inline_when_they_can) {
    ox_world *world = make_world(&reports);
    ox_entity source = make_walker(world, 50);
    EXPECT(ox_buffer_resize(ox_edit(world, source, Waypoint), 3));
    ox_entity copy = ox_entity_instantiate(world, source);
    EXPECT(is_inline(ox_get(world, copy, Waypoint)));
    expect_walker(world, copy, 3);
    expect_walker(world, source, 3);
    end_world(world, &reports);
}

TEST(buffers, an_instance_links_to_itself_where_its_source_does) {
    ox_world *world = make_world(&reports);
    ox_entity other = ox_entity_create(world), source = ox_entity_create(world);
    ox_buffer chain = ox_add_buffer(world, source, Chain);
    for (int k = 0; k < 5; k++) {
        EXPECT(ox_buffer_push(chain, Chain, {k % 2 == 0 ? source : other}));
    }
    ox_entity copy = ox_entity_instantiate(world, source);
    chain = ox_get(world, copy, Chain);
    for (int k = 0; k < 5; k++) {
        EXPECT(is_same(ox_buffer_get(chain, k, Chain)->link, k % 2 == 0 ? copy : other));
    }
    end_world(world, &reports);
}

TEST(buffers, all_memory_comes_back) {
    collected_reports none;
    uint64_t blocks = oxi_heap_get_blocks();
    for (int round = 0; round < 2; round++) {
        ox_world *world = make_world(&none);
        for (int k = 0; k < 30; k++) {
            ox_entity walker = make_walker(world, k);
            if (k % 3 == 0) {
                ox_entity_destroy(world, walker);
            }
        }
        end_world(world, &none);
        // What the process keeps of components is made in the first round.
        EXPECT(round == 0 || oxi_heap_get_blocks() == blocks);
        blocks = oxi_heap_get_blocks();
    }
}

TEST(buffers, blocks_come_from_the_allocator_of_the_world) {
    collected_reports none = {0};
    counted_memory memory = {0};
    ox_allocator allocator = counted_create(&memory);
    ox_world *world = ox_world_create(
        &(ox_world_def){.allocator = allocator, .on_report = {collect_report, &none}});
    make_walker(world, 1); // keeps the chunk
    ox_entity walker = make_walker(world, 8);
    int live = memory.live;
    fill(ox_edit(world, walker, Waypoint), 8, 1);
    EXPECT_EQ(memory.live, live + 1);
    fill(ox_edit(world, walker, Waypoint), 9, 30);
    EXPECT_EQ(memory.live, live + 1);
    ox_entity_destroy(world, walker);
    EXPECT_EQ(memory.live, live);
    make_walker(world, 100);
    end_world(world, &none);
    EXPECT(memory.live == 0 && memory.wrong == 0);
    ox_allocator_destroy(allocator);
}

// Versions.

static uint32_t path_version(const ox_world *world, ox_entity entity) {
    oxi_chunk chunk = world->store.entities.records[entity.index].chunk;
    int32_t type = oxi_archetype_find_type(&world->store, oxi_archetype_of(chunk),
                                           ox_component_id_of(Waypoint));
    return oxi_chunk_entry_of(chunk)->meta->versions[type];
}

TEST(buffers, only_a_handle_that_writes_notes_a_change) {
    ox_world *world = make_world(&reports);
    ox_entity walker = make_walker(world, 3);
    uint32_t before = path_version(world, walker);
    ox_world_advance_version(world);
    ox_get(world, walker, Waypoint);
    EXPECT_EQ(path_version(world, walker), before);
    ox_edit(world, walker, Waypoint);
    EXPECT_NE(path_version(world, walker), before);
    end_world(world, &reports);
}

// Count and generation: what a view remembers.
static uint64_t state_of(ox_buffer buffer) {
    return (uint64_t)buffer.oxi_head->generation << 32 | buffer.oxi_head->count;
}

TEST(buffers, no_two_states_have_the_same_count_and_generation) {
    ox_world *world = make_world(&reports);
    ox_entity walker = make_walker(world, 3);
    ox_buffer path = ox_edit(world, walker, Waypoint);
    uint64_t states[6] = {state_of(path)};
    ox_buffer_edit(path, 0, Waypoint)->x = 4;
    ox_buffer_reserve(path, 4);
    ox_buffer_remove_range(path, 1, 0);
    ox_buffer_resize(path, 3);
    ox_buffer_push_many(path, Waypoint, NULL, 0);
    EXPECT_EQ(state_of(path), states[0]);
    ox_buffer_remove(path, 0);
    states[1] = state_of(path);
    ox_buffer_push(path, Waypoint, {1, 1});
    states[2] = state_of(path);
    ox_buffer_remove_swap(path, 0);
    states[3] = state_of(path);
    ox_buffer_insert(path, 0, Waypoint, {1, 1});
    states[4] = state_of(path);
    ox_buffer_reserve(path, 100);
    states[5] = state_of(path);
    for (int k = 0; k < 36; k++) {
        EXPECT(k / 6 == k % 6 || states[k / 6] != states[k % 6]);
    }
    ox_add_tag(world, walker, Frozen);
    EXPECT_EQ(state_of(ox_get(world, walker, Waypoint)), states[5]);
    end_world(world, &reports);
}

// Views.

TEST(buffers, a_view_reads_and_writes_until_the_length_changes) {
    ox_world *world = make_world(&reports);
    ox_entity walker = make_walker(world, 20);
    ox_buffer path = ox_edit(world, walker, Waypoint);
    ox_buffer_view view = ox_buffer_view_create(path);
    EXPECT_EQ(view.count, 20);
    for (int k = 0; k < view.count; k++) {
        ox_buffer_view_edit(view, k, Waypoint)->x += 100;
    }
    EXPECT_EQ(ox_buffer_view_get(view, 19, Waypoint)->x, 119);
    EXPECT_EQ(ox_buffer_get(path, 0, Waypoint)->x, 100);
    EXPECT_EQ(ox_buffer_view_get(view, 0, pair)->b, 0.0f);
    end_world(world, &reports);
}

TEST_CHECKED(buffers, a_view_ends_with_the_length_and_the_capacity) {
    ox_world *world = make_world(&reports);
    ox_entity walker = make_walker(world, 3);
    ox_buffer path = ox_edit(world, walker, Waypoint);
    ox_buffer_view view = ox_buffer_view_create(path);
    ox_buffer_push(path, Waypoint, {9, 9});
    EXPECT_EQ(ox_buffer_view_get(view, 1, Waypoint)->x, 0);
    EXPECT_HAS(reports.text, "'Waypoint' had 3 elements and has 4 now");
    EXPECT_REPORT(&reports, OX_REPORT_BUFFER_VIEW_ENDED);
    view = ox_buffer_view_create(path);
    ox_buffer_reserve(path, 50);
    ox_buffer_view_edit(view, 1, Waypoint)->x = 8;
    EXPECT_REPORT(&reports, OX_REPORT_BUFFER_VIEW_ENDED);
    EXPECT_PATH(path, 0, 1, 2, 9);

    view = ox_buffer_view_create(path);
    EXPECT_EQ(ox_buffer_view_get(view, 4, Waypoint)->x, 0);
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    EXPECT_EQ(*ox_buffer_view_get(view, 0, int32_t), 0);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    ox_add_tag(world, walker, Frozen);
    EXPECT_EQ(ox_buffer_view_get(view, 1, Waypoint)->x, 0);
    EXPECT_REPORT(&reports, OX_REPORT_BUFFER_ENDED);
    end_world(world, &reports);
}

TEST_CHECKED(buffers, a_view_of_a_handle_that_reads_does_not_write) {
    ox_world *world = make_world(&reports);
    ox_buffer_view view = ox_buffer_view_create(ox_get(world, make_walker(world, 3), Waypoint));
    EXPECT_EQ(ox_buffer_view_get(view, 2, Waypoint)->x, 2);
    ox_buffer_view_edit(view, 2, Waypoint)->x = 7;
    EXPECT_HAS(reports.text, "ox_buffer_view_edit of 'Waypoint' in world 'sea'");
    EXPECT_REPORT(&reports, OX_REPORT_BUFFER_READ_ONLY);
    EXPECT_EQ(ox_buffer_view_get(view, 2, Waypoint)->x, 2);
    end_world(world, &reports);
}

// The life of handles.

TEST_CHECKED(buffers, a_handle_ends_with_a_structural_change) {
    ox_world *world = make_world(&reports);
    ox_entity walker = make_walker(world, 3);
    ox_buffer path = ox_edit(world, walker, Waypoint);
    ox_entity_create_in(world, ox_archetype_of(world, Health));

    EXPECT_EQ(ox_buffer_count(path), 0);
    EXPECT_HAS(reports.text, "the handle to 'Waypoint' in world 'sea' is older");
    EXPECT_HAS(reports.text, "test_buffers.c:");
    EXPECT_REPORT(&reports, OX_REPORT_BUFFER_ENDED);
    EXPECT_EQ(ox_buffer_get(path, 1, Waypoint)->x, 0);
    EXPECT_REPORT(&reports, OX_REPORT_BUFFER_ENDED);
    EXPECT(!ox_buffer_push(path, Waypoint, {1, 1}));
    EXPECT_REPORT(&reports, OX_REPORT_BUFFER_ENDED);
    expect_walker(world, walker, 3);
    end_world(world, &reports);
}

TEST_CHECKED(buffers, a_handle_lives_as_long_as_nothing_changes) {
    ox_world *world = make_world(&reports);
    ox_entity first = make_walker(world, 3), second = make_walker(world, 4);
    ox_entity_destroy(world, make_walker(world, 1));
    ox_buffer a = ox_edit(world, first, Waypoint);
    ox_buffer b = ox_edit(world, second, Waypoint);
    ox_set(world, first, Health, {3});
    fill(a, 3, 20);
    fill(b, 4, 20);
    EXPECT(ox_buffer_count(a) == 23 && ox_buffer_count(b) == 24);
    ox_buffer c = ox_add_buffer(world, first, Waypoint); // there already: nothing changes
    EXPECT(ox_buffer_count(a) == 23 && ox_buffer_count(c) == 23);
    end_world(world, &reports);
}

TEST_CHECKED(buffers, a_handle_ends_when_a_job_over_entities_is_scheduled) {
    EXPECT(ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS}));
    ox_world *world = make_world(&reports);
    ox_entity walker = make_walker(world, 3);
    ox_buffer path = ox_edit(world, walker, Waypoint);
    ox_job job = ox_schedule_entities(Heal, ox_world_get_root(world), OX_AUTO, {1});
    EXPECT(!ox_buffer_push(path, Waypoint, {1, 1}));
    EXPECT_REPORT(&reports, OX_REPORT_BUFFER_ENDED);
    path = ox_edit(world, walker, Waypoint);
    EXPECT(ox_buffer_push(path, Waypoint, {3, -3}));
    ox_complete(job);
    expect_walker(world, walker, 4);
    end_world(world, &reports);
    ox_jobs_stop();
}

TEST(buffers, a_handle_of_a_job_does_not_ask_the_world) {
    ox_world *world = make_world(&reports);
    ox_entity walker = make_walker(world, 3);
    ox_buffer path = ox_get(world, walker, Waypoint);
    ox_buffer reader = oxi_buffer_make(path.oxi_kind, path.oxi_head, false);
    ox_buffer writer = oxi_buffer_make(path.oxi_kind, path.oxi_head, true);
    fill(writer, 3, 20);
    EXPECT_EQ(ox_buffer_count(reader), 23);
    EXPECT_EQ(ox_buffer_get(reader, 22, Waypoint)->x, 22);
    EXPECT(!ox_buffer_push(reader, Waypoint, {1, 1}));
    EXPECT_REPORT(&reports, OX_REPORT_BUFFER_READ_ONLY);
    EXPECT(ox_buffer_resize(writer, 5));
    EXPECT(ox_buffer_trim(writer));
    EXPECT_PATH(reader, 0, 1, 2, 3, 4);
    end_world(world, &reports);
}

// What is wrong.

TEST(buffers, getting_one_that_is_not_there_is_a_report) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Health, Frozen)),
              gone = ox_entity_create(world);
    ox_entity_destroy(world, gone);
    EXPECT(!ox_buffer_is_created(ox_get(world, entity, Waypoint)));
    EXPECT_REPORT(&reports, OX_REPORT_NO_COMPONENT);
    EXPECT(!ox_buffer_is_created(ox_edit(world, gone, Waypoint)));
    EXPECT_HAS(reports.text, "ox_edit of entity");
    EXPECT_REPORT(&reports, OX_REPORT_STALE_ENTITY);
    EXPECT(!ox_buffer_is_created(ox_add_buffer(world, gone, Waypoint)));
    EXPECT_HAS(reports.text, "ox_add_buffer of entity");
    EXPECT_REPORT(&reports, OX_REPORT_STALE_ENTITY);
    EXPECT(!ox_buffer_is_created(ox_get_buffer_at(world, entity, 4097, false, OX_HERE)));
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_COMPONENT);
    EXPECT(!ox_buffer_is_created(ox_add_buffer_at(world, entity, 0, OX_HERE)));
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_COMPONENT);
    end_world(world, &reports);
}

TEST(buffers, other_kinds_are_told_which_call_is_theirs) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Health, Frozen));
    EXPECT(!ox_buffer_is_created(
        ox_get_buffer_at(world, entity, ox_component_id_of(Health), false, OX_HERE)));
    EXPECT_HAS(reports.text, "ox_get of 'Health', which is plain data");
    EXPECT_HAS(reports.text, "use ox_get_at at");
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT(!ox_buffer_is_created(
        ox_get_buffer_at(world, entity, ox_component_id_of(Health), true, OX_HERE)));
    EXPECT_HAS(reports.text, "use ox_edit_at at");
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT(!ox_buffer_is_created(ox_add_buffer(world, entity, Position)));
    EXPECT_HAS(reports.text, "use ox_add at");
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT(!ox_buffer_is_created(
        ox_get_buffer_at(world, entity, ox_component_id_of(Frozen), false, OX_HERE)));
    EXPECT_HAS(reports.text, "ask ox_has at");
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT(!ox_has(world, entity, Position));
    end_world(world, &reports);
}

TEST(buffers, a_handle_that_reads_changes_nothing) {
    ox_world *world = make_world(&reports);
    ox_entity walker = make_walker(world, 3);
    ox_buffer path = ox_get(world, walker, Waypoint);
    Waypoint one = {1, 1};
    EXPECT(!ox_buffer_push(path, Waypoint, {1, 1}));
    EXPECT_HAS(reports.text, "ox_buffer_push of 'Waypoint' in world 'sea' through a handle");
    EXPECT_REPORT(&reports, OX_REPORT_BUFFER_READ_ONLY);
    EXPECT(!ox_buffer_push_many(path, Waypoint, &one, 1));
    EXPECT_REPORT(&reports, OX_REPORT_BUFFER_READ_ONLY);
    EXPECT(!ox_buffer_insert(path, 0, Waypoint, {1, 1}));
    EXPECT_REPORT(&reports, OX_REPORT_BUFFER_READ_ONLY);
    EXPECT(!ox_buffer_remove(path, 0));
    EXPECT_REPORT(&reports, OX_REPORT_BUFFER_READ_ONLY);
    EXPECT(!ox_buffer_remove_swap(path, 0));
    EXPECT_REPORT(&reports, OX_REPORT_BUFFER_READ_ONLY);
    EXPECT(!ox_buffer_clear(path));
    EXPECT_REPORT(&reports, OX_REPORT_BUFFER_READ_ONLY);
    EXPECT(!ox_buffer_resize(path, 9));
    EXPECT_REPORT(&reports, OX_REPORT_BUFFER_READ_ONLY);
    EXPECT(!ox_buffer_reserve(path, 9));
    EXPECT_REPORT(&reports, OX_REPORT_BUFFER_READ_ONLY);
    EXPECT(!ox_buffer_set_capacity(path, 9));
    EXPECT_REPORT(&reports, OX_REPORT_BUFFER_READ_ONLY);
    EXPECT(!ox_buffer_trim(path));
    EXPECT_REPORT(&reports, OX_REPORT_BUFFER_READ_ONLY);
    expect_walker(world, walker, 3);
    end_world(world, &reports);
}

TEST_CHECKED(buffers, elements_that_are_not_there_are_a_report) {
    ox_world *world = make_world(&reports);
    ox_buffer path = ox_edit(world, make_walker(world, 3), Waypoint);
    ox_buffer reader = path;
    reader.oxi_write_size = 0;
    EXPECT_EQ(ox_buffer_get(path, 3, Waypoint)->x, 0);
    EXPECT_HAS(reports.text, "index 3 of buffer 'Waypoint' with 3 elements");
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    ox_buffer_edit(path, -1, Waypoint)->x = 5;
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    ox_buffer_edit(reader, 0, Waypoint)->x = 5;
    EXPECT_REPORT(&reports, OX_REPORT_BUFFER_READ_ONLY);
    ox_buffer_edit_data(reader, Waypoint)->x = 5;
    EXPECT_REPORT(&reports, OX_REPORT_BUFFER_READ_ONLY);
    EXPECT_EQ(*ox_buffer_get(path, 0, int32_t), 0);
    EXPECT_HAS(reports.text, "'Waypoint' holds elements of 8 bytes");
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    *ox_buffer_edit(path, 0, int32_t) = 5;
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT_PATH(path, 0, 1, 2);
    end_world(world, &reports);
}

TEST(buffers, ranges_that_are_not_there_change_nothing) {
    ox_world *world = make_world(&reports);
    ox_buffer path = ox_edit(world, make_walker(world, 3), Waypoint);
    static const int64_t ranges[][2] = {{3, 1},  {-1, 1},        {0, 4},         {1, 3},
                                        {0, -1}, {1, INT64_MAX}, {INT64_MAX, 1}, {4, 0}};
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
        EXPECT(!ox_buffer_remove_range(path, ranges[k][0], ranges[k][1]));
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
        EXPECT(!ox_buffer_remove_range_swap(path, ranges[k][0], ranges[k][1]));
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    }
    EXPECT(!ox_buffer_insert(path, 4, Waypoint, {1, 1}));
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    EXPECT(!ox_buffer_insert(path, -1, Waypoint, {1, 1}));
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    EXPECT_PATH(path, 0, 1, 2);
    end_world(world, &reports);
}

TEST(buffers, a_range_that_ends_outside_is_reported_with_its_last_element) {
    ox_world *world = make_world(&reports);
    ox_buffer path = ox_edit(world, make_walker(world, 3), Waypoint);

    EXPECT(!ox_buffer_remove_range(path, 1, 5));

    EXPECT_HAS(reports.text, "index 5 of buffer 'Waypoint' with 3 elements");
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    EXPECT(!ox_buffer_remove_range(path, 1, INT64_MAX));
    EXPECT_HAS(reports.text, "index 9223372036854775807 of buffer");
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    end_world(world, &reports);
}

TEST(buffers, values_and_lengths_that_cannot_be_change_nothing) {
    ox_world *world = make_world(&reports);
    ox_buffer path = ox_edit(world, make_walker(world, 3), Waypoint);
    Waypoint one = {1, 1};
    EXPECT(!ox_buffer_push(path, int32_t, 7));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT(!ox_buffer_insert(path, 0, int32_t, 7));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT(!ox_buffer_push_many(path, Waypoint, &one, -1));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
    EXPECT(!ox_buffer_push_many(path, Waypoint, &one, INT64_MAX));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
    EXPECT(!ox_buffer_push_many(path, Waypoint, &one, INT32_MAX));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
    EXPECT(!ox_buffer_resize(path, -1));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
    EXPECT(!ox_buffer_resize(path, (int64_t)INT32_MAX + 1));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
    EXPECT(!ox_buffer_reserve(path, -1));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
    EXPECT(!ox_buffer_set_capacity(path, -1));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
    EXPECT(!ox_buffer_set_capacity(path, 2));
    EXPECT_HAS(reports.text, "capacity 2 for buffer 'Waypoint' with 3 elements");
    EXPECT_REPORT(&reports, OX_REPORT_CAPACITY_BELOW_COUNT);
    EXPECT_PATH(path, 0, 1, 2);
    end_world(world, &reports);
}

TEST(buffers, values_that_are_missing_are_a_report) {
    collect_reports(&reports);
    ox_world *world = make_world(&reports);
    ox_buffer path = ox_edit(world, make_walker(world, 3), Waypoint);
    EXPECT(!ox_buffer_push_many(path, Waypoint, NULL, 2));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_PATH(path, 0, 1, 2);
    end_world(world, &reports);
}

TEST(buffers, a_handle_of_zeros_is_a_report_and_has_no_elements) {
    collect_reports(&reports);
    ox_buffer none = {0};
    EXPECT(!ox_buffer_is_created(none));
    EXPECT(!ox_buffer_push(none, Waypoint, {1, 1}));
    EXPECT_HAS(reports.text, "'buffer' of ox_buffer_push is NULL");
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_buffer_resize(none, 1));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_buffer_pop(none, Waypoint).x, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_buffer_peek(none, Waypoint).x, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_buffer_capacity(none), 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_buffer_view_create(none).count, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_buffer_count(none), 0); // in release it is not looked at
    EXPECT(ox_get_safety_level() == 0 || reports.count == 1);
}

TEST_CHECKED(buffers, elements_of_a_handle_of_zeros_are_zeros) {
    collect_reports(&reports);
    ox_buffer none = {0};
    EXPECT_EQ(ox_buffer_get(none, 0, Waypoint)->x, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    ox_buffer_edit(none, 0, Waypoint)->x = 1;
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_buffer_view_get((ox_buffer_view){0}, 0, Waypoint)->x, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
}

TEST(buffers, work_in_cpp) {
    EXPECT_EQ(run_buffer_unit(), 60.0f);
}
