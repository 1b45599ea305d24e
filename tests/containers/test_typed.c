// SPDX-License-Identifier: MIT
//
// Containers with a type of their own: calls without types, loops, what is made from them, and
// untyped handles beside them. typed_unit.cpp does the same in C++.

#include "containers_test.h"

#include <string.h>

OX_STRUCT(TypedHit, {
    int target;
    float force;
});

OX_ARRAY(TypedHitArray, TypedHit);
OX_SLICE(TypedForces, float);
OX_LIST(TypedHits, TypedHit);
OX_LIST(TypedNames, const char *);
OX_QUEUE(TypedOrders, int);
OX_MAP(TypedAges, uint64_t, int);
OX_MULTIMAP(TypedCells, uint32_t, TypedHit);

int typed_run_in_cpp(void);

TEST(typed, handles_have_the_size_of_untyped_ones) {
    EXPECT_EQ(sizeof(TypedHitArray), sizeof(ox_array));
    EXPECT_EQ(sizeof(TypedHitArray_slice), sizeof(ox_slice));
    EXPECT_EQ(sizeof(TypedForces), sizeof(ox_slice));
    EXPECT_EQ(sizeof(TypedHits), sizeof(ox_list));
    EXPECT_EQ(sizeof(TypedHits_writer), sizeof(ox_list_writer));
    EXPECT_EQ(sizeof(TypedOrders), sizeof(ox_queue));
    EXPECT_EQ(sizeof(TypedAges), sizeof(ox_map));
    EXPECT_EQ(sizeof(TypedCells), sizeof(ox_multimap));
}

TEST(typed, array) {
    const TypedHit both[] = {{1, 2}, {3, 4}};
    TypedHitArray hits = ox_array_create_copy(TypedHitArray, both, 2, OX_PERSISTENT);
    ox_array_set(hits, 1, {5, 6});
    ox_array_edit(hits, 0)->force += 1;

    EXPECT_EQ(ox_array_count(hits), 2);
    EXPECT_EQ(ox_array_get(hits, 0)->force, 3.0f);
    EXPECT_EQ(ox_array_read(hits, 1).target, 5);
    EXPECT_EQ(ox_array_get_data(hits)[1].target, 5);
    EXPECT_EQ(ox_array_get_range(hits, 1, 2)->target, 5);
    EXPECT(ox_array_fill(hits, {7, 8}));
    EXPECT_EQ(ox_array_read(hits, 0).target, 7);
    EXPECT(ox_array_is_created(hits));
    ox_dispose(&hits);
    EXPECT(!ox_array_is_created(hits));
}

static int compare_targets(const void *a, const void *b, void *context) {
    (void)context;
    return ((const TypedHit *)a)->target - ((const TypedHit *)b)->target;
}

OX_ARRAY(TypedFloats, float);
OX_ARRAY(TypedDoubles, double);

TEST(typed, sorting_and_sums) {
    TypedHitArray hits = ox_array_create(TypedHitArray, 2, OX_PERSISTENT);
    TypedFloats numbers = ox_array_create(TypedFloats, 3, OX_PERSISTENT);
    TypedDoubles sum = ox_array_create_uninitialized(TypedDoubles, 1, OX_PERSISTENT);
    TypedHits list = ox_list_create(TypedHits, 2, OX_PERSISTENT);
    ox_array_set(hits, 0, {9, 0});
    ox_list_push(list, {9, 0});
    ox_list_push(list, {1, 0});
    for (int k = 0; k < 3; k++) {
        ox_array_set(numbers, k, 3.0f - (float)k);
    }

    EXPECT(ox_array_sort(hits, compare_targets, NULL));
    EXPECT(ox_array_sort(numbers, NULL, NULL));
    EXPECT(ox_list_sort(list, compare_targets, NULL));
    ox_complete(ox_array_sum_after(numbers, sum, OX_NO_JOB));
    ox_complete(ox_list_sort_after(list, compare_targets, NULL, OX_NO_JOB));

    EXPECT_EQ(ox_array_read(hits, 1).target, 9);
    EXPECT_EQ(ox_array_read(numbers, 0), 1.0f);
    EXPECT_EQ(ox_list_read(list, 0).target, 1);
    EXPECT_EQ(ox_array_sum(numbers), 6.0);
    EXPECT_EQ(ox_array_min(numbers), 1.0f);
    EXPECT_EQ(ox_array_max(numbers), 3.0f);
    EXPECT_EQ(ox_array_read(sum, 0), 6.0);
    ox_dispose(&hits);
    ox_dispose(&numbers);
    ox_dispose(&sum);
    ox_dispose(&list);
    ox_jobs_stop();
}

TEST(typed, slices) {
    TypedHitArray hits = ox_array_create(TypedHitArray, 4, OX_PERSISTENT);
    for (int k = 0; k < 4; k++) {
        ox_array_set(hits, k, {k, (float)k / 2});
    }
    TypedHitArray_slice middle = ox_array_slice(hits, 1, 2);
    TypedHitArray_slice last = ox_slice_slice(middle, 1, 1);
    TypedForces forces = ox_slice_field(middle, force, TypedForces);
    ox_slice_set(forces, 0, 7.0f);
    *ox_slice_edit(forces, 1) += 1;

    EXPECT_EQ(ox_slice_count(middle), 2);
    EXPECT_EQ(ox_slice_read(last, 0).target, 2);
    EXPECT_EQ(ox_slice_get(middle, 0)->force, 7.0f);
    EXPECT_EQ(ox_array_read(hits, 2).force, 2.0f);
    float sum = 0;
    OX_EACH(forces, force) {
        sum += *force;
    }
    EXPECT_EQ(sum, 9.0f);
    OX_EACH_EDIT(forces, force) {
        *force = 1;
    }
    EXPECT_EQ(ox_array_read(hits, 1).force + ox_array_read(hits, 2).force, 2.0f);
    EXPECT_EQ(ox_array_read(hits, 3).force, 1.5f);
    ox_dispose(&hits);
}

TEST(typed, list) {
    TypedHits hits = ox_list_create(TypedHits, 2, OX_PERSISTENT);
    const TypedHit more[] = {{4, 0}, {5, 0}};
    ox_list_push(hits, {.target = 3});
    ox_list_insert(hits, 0, {2, 0});
    ox_list_push_many(hits, more, 2);
    ox_list_edit(hits, 0)->force = 1;
    ox_list_set(hits, 1, {8, 2});

    EXPECT_EQ(ox_list_count(hits), 4);
    EXPECT_EQ(ox_list_get(hits, 0)->force, 1.0f);
    EXPECT_EQ(ox_list_read(hits, 1).target, 8);
    EXPECT_EQ(ox_list_peek(hits).target, 5);
    EXPECT_EQ(ox_list_pop(hits).target, 5);
    TypedHit popped = {0, 0};
    EXPECT(ox_list_try_pop(hits, &popped));
    EXPECT_EQ(popped.target, 4);
    EXPECT(ox_list_resize(hits, 3));
    EXPECT_EQ(ox_list_get_data(hits)[2].target, 0);
    TypedHits_array all = ox_list_as_array(hits);
    EXPECT_EQ(ox_array_read(all, 1).target, 8);
    TypedHits_array copy = ox_list_to_array(hits, OX_TEMP);
    EXPECT_EQ(ox_array_count(copy), 3);
    ox_dispose(&copy);
    ox_dispose(&hits);
}

TEST(typed, elements_may_be_pointers) {
    TypedNames names = ox_list_create(TypedNames, 2, OX_PERSISTENT);
    ox_list_push(names, "one");
    ox_list_push(names, "two");
    size_t length = 0;
    OX_EACH(names, name) {
        length += strlen(*name);
    }
    EXPECT_EQ(length, 6);
    EXPECT_STR(ox_list_read(names, 1), "two");
    ox_dispose(&names);
}

TEST(typed, queue) {
    TypedOrders orders = ox_queue_create(TypedOrders, 0, OX_PERSISTENT);
    const int more[] = {7, 8};
    ox_queue_push(orders, 6);
    ox_queue_push_many(orders, more, 2);
    int sum = 0, order = 0;
    OX_EACH(orders, each) {
        sum = sum * 10 + *each;
    }

    EXPECT_EQ(sum, 678);
    EXPECT_EQ(*ox_queue_get(orders, 1), 7);
    EXPECT_EQ(ox_queue_read(orders, 2), 8);
    EXPECT_EQ(ox_queue_peek(orders), 6);
    EXPECT_EQ(ox_queue_pop(orders), 6);
    EXPECT(ox_queue_try_pop(orders, &order));
    EXPECT_EQ(order, 7);
    TypedOrders_array left = ox_queue_to_array(orders, OX_TEMP);
    EXPECT_EQ(ox_array_read(left, 0), 8);
    ox_dispose(&left);
    ox_dispose(&orders);
}

TEST(typed, map) {
    TypedAges ages = ox_map_create(TypedAges, 4, OX_PERSISTENT);
    EXPECT(ox_map_set(ages, 1, 10));
    EXPECT(ox_map_add(ages, 2, 20));
    *ox_map_edit(ages, 2) += 1;

    EXPECT_EQ(*ox_map_get(ages, 1), 10);
    EXPECT_EQ(ox_map_read(ages, 2), 21);
    EXPECT_EQ(ox_map_read_or(ages, 3, -1), -1);
    EXPECT(ox_map_find(ages, 3) == NULL);
    EXPECT(ox_map_has(ages, 1));
    TypedAges_keys keys = ox_map_keys(ages, OX_TEMP);
    TypedAges_values values = ox_map_values(ages, OX_TEMP);
    EXPECT_EQ(ox_array_sum(keys), 3);
    EXPECT_EQ(ox_array_sum(values), 31);
    OX_EACH_EDIT(ages, it) {
        *it.value += 1;
        if (*it.key == 1) {
            EXPECT(ox_map_walk_remove(it.walk));
        }
    }
    uint64_t sum = 0;
    OX_EACH(ages, it) {
        sum += *it.key * 100 + (uint64_t)*it.value;
    }
    EXPECT_EQ(sum, 222);
    EXPECT(ox_map_remove(ages, 2));
    EXPECT(ox_map_is_empty(ages));
    ox_dispose(&keys);
    ox_dispose(&values);
    ox_dispose(&ages);
}

static uint64_t hash_low(const void *key, void *context) {
    (void)context;
    return *(const uint64_t *)key & 0xff;
}

static bool equal_low(const void *a, const void *b, void *context) {
    return hash_low(a, context) == hash_low(b, context);
}

TEST(typed, map_with_functions) {
    TypedAges ages =
        ox_map_create_with(TypedAges, {.capacity = 4, .hash = hash_low, .equal = equal_low});
    ox_map_set(ages, 0x101, 5);
    EXPECT_EQ(ox_map_read(ages, 0x201), 5);
    ox_dispose(&ages);
}

TEST(typed, multimap) {
    TypedCells cells = ox_multimap_create(TypedCells, 4, OX_PERSISTENT);
    ox_multimap_add(cells, 7, {1, 0});
    ox_multimap_add(cells, 7, {2, 0});
    ox_multimap_add(cells, 9, {3, 0});
    int of_7 = 0, all = 0;
    OX_EACH_OF(cells, 7, it) {
        EXPECT_EQ(*it.key, 7);
        of_7 = of_7 * 10 + it.value->target;
    }
    OX_EACH(cells, it) {
        all += it.value->target * (int)*it.key;
    }

    EXPECT_EQ(of_7, 12);
    EXPECT_EQ(all, 7 + 14 + 27);
    EXPECT_EQ(ox_multimap_count_values(cells, 7), 2);
    EXPECT(ox_multimap_has(cells, 9));
    EXPECT_EQ(ox_multimap_remove_pair(cells, 7, {1, 0}), 1);
    OX_EACH_OF(cells, 7, it) {
        EXPECT(ox_multimap_walk_remove(cells, it.walk));
    }
    ox_multimap_walk walk = ox_multimap_walk_begin(cells, 9);
    EXPECT(ox_multimap_walk_next(&walk));
    ox_multimap_walk_edit(&walk, TypedHit)->force = 5;
    EXPECT_EQ(ox_multimap_walk_get(&walk, TypedHit)->force, 5.0f);
    TypedCells_keys keys = ox_multimap_keys(cells, OX_TEMP);
    EXPECT_EQ(ox_array_count(keys), 1);
    EXPECT_EQ(ox_multimap_remove(cells, 9), 1);
    ox_dispose(&keys);
    ox_dispose(&cells);
}

TEST(typed, loops_obey_break_and_continue_and_nest) {
    TypedOrders orders = ox_queue_create(TypedOrders, 0, OX_PERSISTENT);
    TypedHits hits = ox_list_create(TypedHits, 4, OX_PERSISTENT);
    for (int k = 0; k < 4; k++) {
        ox_queue_push(orders, k);
        ox_list_push(hits, {k, 0});
    }
    int seen = 0;
    OX_EACH(hits, a) {
        if (a->target == 1) {
            continue;
        }
        if (a->target == 3) {
            break;
        }
        OX_EACH(orders, b) {
            if (*b == 2) {
                break;
            }
            seen = seen * 10 + a->target + *b;
        }
    }
    EXPECT_EQ(seen, 123); // 0 with 0 and 1, 2 with 0 and 1
    ox_dispose(&orders);
    ox_dispose(&hits);
}

TEST(typed, a_loop_over_nothing_runs_no_time) {
    TypedHits hits = ox_list_create(TypedHits, 4, OX_PERSISTENT);
    TypedAges ages = ox_map_create(TypedAges, 4, OX_PERSISTENT);
    TypedCells cells = ox_multimap_create(TypedCells, 4, OX_PERSISTENT);
    int runs = 0;
    OX_EACH(hits, hit) {
        runs++;
    }
    OX_EACH(ages, it) {
        runs++;
    }
    OX_EACH(cells, it) {
        runs++;
    }
    OX_EACH_OF(cells, 3, it) {
        runs++;
    }
    EXPECT_EQ(runs, 0);
    ox_dispose(&hits);
    ox_dispose(&ages);
    ox_dispose(&cells);
}

static int handles_made;

static TypedHits get_hits(TypedHits hits) {
    handles_made++;
    return hits;
}

TEST(typed, a_handle_is_evaluated_once) {
    TypedHits hits = ox_list_create(TypedHits, 4, OX_PERSISTENT);
    handles_made = 0;
    ox_list_push(get_hits(hits), {1, 2});
    ox_list_edit(get_hits(hits), 0)->force = 4;
    EXPECT_EQ(ox_list_count(get_hits(hits)), 1);
    EXPECT_EQ(ox_list_get(get_hits(hits), 0)->force, 4.0f);
    OX_EACH(get_hits(hits), hit) {
        EXPECT_EQ(hit->target, 1);
    }
    EXPECT_EQ(handles_made, 5);
    ox_dispose(&hits);
}

OX_PARALLEL_JOB(TypedFind, {
    OX_READ_ONLY TypedFloats depths;
    TypedHits_writer found;
    TypedOrders_writer orders;
    TypedAges_writer ages;
    TypedCells_writer cells;
}) {
    float depth = ox_array_read(job->depths, i);
    if (depth > 2) {
        ox_list_write(job->found, {i, depth});
        ox_queue_write(job->orders, i);
        ox_map_write(job->ages, (uint64_t)i, i + 1);
        ox_multimap_write(job->cells, (uint32_t)i % 2, {i, depth});
    }
}

TEST(typed, handles_and_writers_stand_in_jobs) {
    TypedFloats depths = ox_array_create(TypedFloats, 6, OX_PERSISTENT);
    TypedHits hits = ox_list_create(TypedHits, 6, OX_PERSISTENT);
    TypedOrders orders = ox_queue_create(TypedOrders, 0, OX_PERSISTENT);
    TypedAges ages = ox_map_create(TypedAges, 6, OX_PERSISTENT);
    TypedCells cells = ox_multimap_create(TypedCells, 6, OX_PERSISTENT);
    for (int k = 0; k < 6; k++) {
        ox_array_set(depths, k, (float)k);
    }
    ox_complete(ox_schedule_for(TypedFind, 6, 2, OX_NO_JOB,
                                {depths, ox_list_writer_of(hits), ox_queue_writer_of(orders),
                                 ox_map_writer_of(ages), ox_multimap_writer_of(cells)}));

    int found = 0;
    OX_EACH(hits, hit) {
        found = found * 10 + hit->target;
    }
    EXPECT_EQ(found, 345);
    EXPECT_EQ(ox_queue_count(orders), 3);
    EXPECT_EQ(ox_map_read(ages, 4), 5);
    EXPECT_EQ(ox_multimap_count_values(cells, 1), 2);
    ox_dispose(&depths);
    ox_dispose(&hits);
    ox_dispose(&orders);
    ox_dispose(&ages);
    ox_dispose(&cells);
    ox_jobs_stop();
}

OX_JOB(TypedPush, { TypedHits hits; }) {
    ox_list_push(job->hits, {1, 1});
}

OX_JOB(TypedCheat, { OX_READ_ONLY TypedHits hits; }) {
    ox_list_push(job->hits, {1, 1});
}

TEST_CHECKED(typed, jobs_that_use_a_typed_container_are_watched) {
    collected_reports reports;
    TypedHits hits = ox_list_create(TypedHits, 4, OX_PERSISTENT);
    ox_job pushed = ox_schedule(TypedPush, OX_NO_JOB, {hits});
    collect_reports(&reports);
    EXPECT_EQ(ox_list_count(hits), 0);
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    int runs = 0;
    OX_EACH(hits, hit) {
        runs++;
    }
    EXPECT_EQ(runs, 0);
    reports.count = 0;
    ox_complete(pushed);
    ox_complete(ox_schedule(TypedCheat, OX_NO_JOB, {hits}));
    EXPECT_REPORT(&reports, OX_REPORT_READ_ONLY_WRITTEN);
    EXPECT_EQ(ox_list_count(hits), 1);
    ox_dispose(&hits);
    ox_jobs_stop();
}

OX_PARALLEL_JOB(TypedLeave, { TypedFloats depths; }) {
    OX_EACH_EDIT(job->depths, depth) {
        *depth += 1;
    }
}

TEST_CHECKED(typed, a_loop_asks_for_all_elements) {
    collected_reports reports;
    TypedFloats depths = ox_array_create(TypedFloats, 4, OX_PERSISTENT);
    collect_reports(&reports);
    ox_complete(ox_schedule_for(TypedLeave, 4, 2, OX_NO_JOB, {depths}));
    EXPECT(reports.count > 0);
    EXPECT_EQ(reports.last, OX_REPORT_OUTSIDE_BATCH);
    EXPECT_EQ(ox_array_sum(depths), 0.0);
    ox_dispose(&depths);
    ox_jobs_stop();
}

TEST_CHECKED(typed, names_and_types_in_reports) {
    TypedHits hits = ox_list_create(TypedHits, 4, OX_PERSISTENT);
    ox_container_set_name(hits, "hits");
    ox_access_info info;
    EXPECT(ox_access_get_info(hits.untyped.access, &info));
    EXPECT_STR(info.name, "hits");
    EXPECT_STR(info.kind, "list");
    ox_dispose(&hits);
}

TEST(typed, untyped_handles_take_the_calls_that_need_no_type) {
    ox_list list = ox_list_create_untyped(int, 4, OX_PERSISTENT);
    ox_list_push(OX_AS(list, int), 5);
    ox_list_push(OX_AS(list, int), 6);
    int sum = 0;
    OX_EACH(OX_AS(list, int), number) {
        sum += *number;
    }
    ox_array all = ox_list_as_array(list);
    ox_slice part = ox_array_slice(all, 1, 1);
    ox_list_writer writer = ox_list_writer_of(list);

    EXPECT_EQ(sum, 11);
    EXPECT_EQ(ox_slice_read(OX_AS(part, int), 0), 6);
    EXPECT(ox_list_write(OX_AS(writer, int), 7));
    EXPECT_EQ(ox_list_count(list), 3);
    EXPECT(ox_list_clear(list));
    ox_container_set_name(list, "list");
    ox_dispose(&list);
    EXPECT(!ox_list_is_created(list));
}

TEST(typed, untyped_maps) {
    ox_map map = ox_map_create_untyped(uint64_t, int, 4, OX_PERSISTENT);
    ox_multimap multimap = ox_multimap_create_untyped(int, int, 4, OX_PERSISTENT);
    ox_map_set(OX_AS(map, uint64_t, int), 3, 4);
    ox_multimap_add(OX_AS(multimap, int, int), 1, 2);
    int sum = 0;
    OX_EACH(OX_AS(map, uint64_t, int), it) {
        sum += (int)*it.key + *it.value;
    }
    OX_EACH_EDIT(OX_AS(map, uint64_t, int), it) {
        *it.value = 9;
    }
    OX_EACH_OF(OX_AS(multimap, int, int), 1, it) {
        sum += *it.value;
    }
    EXPECT_EQ(sum, 9);
    EXPECT_EQ(ox_map_read(OX_AS(map, uint64_t, int), 3), 9);
    ox_dispose(&map);
    ox_dispose(&multimap);
}

TEST_CHECKED(typed, another_type_of_an_untyped_handle_is_a_report) {
    collected_reports reports;
    TypedHits hits = ox_list_create(TypedHits, 4, OX_PERSISTENT);
    ox_list_push(hits, {1, 2});
    int runs = 0;
    collect_reports(&reports);
    OX_EACH(OX_AS(hits.untyped, float), number) {
        runs++;
    }
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT_EQ(runs, 0);
    ox_dispose(&hits);
}

TEST(typed, the_scanner_knows_typed_handles) {
    const ox_type *type = ox_type_find("TypedHits_writer");
    EXPECT(type != NULL);
    EXPECT_STR(type->role, "container");
    EXPECT_EQ(type->size, sizeof(ox_list_writer));
    EXPECT(ox_type_find("TypedHits") != NULL && ox_type_find("TypedAges_keys") != NULL);
}

TEST(typed, all_of_it_in_cpp) {
    EXPECT_EQ(typed_run_in_cpp(), 0);
}
