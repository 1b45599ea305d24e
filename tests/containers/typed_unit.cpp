// SPDX-License-Identifier: MIT
//
// Typed containers in C++17. test_typed.c calls it.

#include "oxbow/containers.h"

OX_STRUCT(CppHit, {
    int target;
    float force;
});

OX_ARRAY(CppFloats, float);
OX_SLICE(CppForces, float);
OX_LIST(CppHits, CppHit);
OX_QUEUE(CppOrders, int);
OX_MAP(CppAges, uint64_t, int);
OX_MULTIMAP(CppCells, uint32_t, CppHit);

extern "C" int typed_run_in_cpp(void);

OX_PARALLEL_JOB(CppFind, {
    OX_READ_ONLY CppFloats depths;
    CppHits_writer found;
    CppCells_writer cells;
}) {
    float depth = ox_array_read(job->depths, i);
    if (depth > 2) {
        ox_list_write(job->found, {i, depth});
        ox_multimap_write(job->cells, (uint32_t)i % 2, {i, depth});
    }
}

static int run_lists() {
    CppFloats depths = ox_array_create(CppFloats, 6, OX_PERSISTENT);
    CppHits hits = ox_list_create(CppHits, 6, OX_PERSISTENT);
    CppCells cells = ox_multimap_create(CppCells, 6, OX_PERSISTENT);
    OX_EACH_EDIT(depths, depth) {
        *depth = (float)(depth - ox_array_get_data(depths));
    }
    ox_complete(ox_schedule_for(CppFind, 6, 2, OX_NO_JOB,
                                {depths, ox_list_writer_of(hits), ox_multimap_writer_of(cells)}));
    int found = 0, odd = 0;
    OX_EACH(hits, hit) {
        if (hit->target == 4) {
            continue;
        }
        found = found * 10 + hit->target;
    }
    OX_EACH_OF(cells, 1, it) {
        odd = odd * 10 + it.value->target;
    }
    CppHits_array all = ox_list_as_array(hits);
    CppForces forces = ox_slice_field(ox_array_slice(all, 1, 2), force, CppForces);
    CppForces last = ox_slice_slice(forces, 1, 1);
    bool is_right = found == 35 && odd == 35 && ox_slice_read(last, 0) == 5 &&
                    ox_array_sum(depths) == 15 && ox_list_pop(hits).target == 5;
    ox_list_push(hits, {9, 1});
    ox_list_edit(hits, 2)->force += 1;
    is_right = is_right && ox_list_get(hits, 2)->force == 2 && ox_list_count(hits) == 3;
    ox_container_set_name(hits, "hits");
    ox_dispose(&depths);
    ox_dispose(&hits);
    ox_dispose(&cells);
    ox_jobs_stop();
    return is_right ? 0 : 1;
}

static int run_maps() {
    CppAges ages = ox_map_create(CppAges, 4, OX_PERSISTENT);
    CppOrders orders = ox_queue_create(CppOrders, 0, OX_PERSISTENT);
    ox_map_set(ages, 7, 30);
    ox_queue_push(orders, 5);
    OX_EACH_EDIT(ages, it) {
        *it.value += 1;
    }
    int sum = 0, order = 0;
    OX_EACH(ages, it) {
        sum += *it.value + (int)*it.key;
    }
    OX_EACH(orders, each) {
        sum += *each;
    }
    CppAges_keys keys = ox_map_keys(ages, OX_TEMP);
    bool is_right = sum == 43 && ox_array_read(keys, 0) == 7 && ox_map_find(ages, 8) == nullptr &&
                    ox_queue_try_pop(orders, &order) && order == 5;
    ox_dispose(&keys);
    ox_dispose(&ages);
    ox_dispose(&orders);
    return is_right ? 0 : 2;
}

static int run_untyped() {
    ox_list list = ox_list_create_untyped(int, 4, OX_PERSISTENT);
    ox_map map = ox_map_create_untyped(int, float, 4, OX_PERSISTENT);
    ox_list_push(OX_AS(list, int), 5);
    ox_map_set(OX_AS(map, int, float), 1, 2.5f);
    float sum = 0;
    OX_EACH(OX_AS(list, int), number) {
        sum += (float)*number;
    }
    OX_EACH(OX_AS(map, int, float), it) {
        sum += *it.value;
    }
    ox_array all = ox_list_as_array(list);
    bool is_right = sum == 7.5f && ox_list_count(list) == 1 && ox_array_count(all) == 1;
    ox_dispose(&list);
    ox_dispose(&map);
    return is_right ? 0 : 4;
}

int typed_run_in_cpp(void) {
    return run_lists() | run_maps() | run_untyped();
}
