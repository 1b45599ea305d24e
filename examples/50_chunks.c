// SPDX-License-Identifier: MIT
//
// How entities lie: how many fit in a chunk and why, what happens to those behind one that is
// destroyed, what the table of ids knows, what adding a component to a few at a time does to
// chunks, and what jobs know of rows and chunks.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(A, { int number; });
OX_COMPONENT(B, { float x, y; });
OX_COMPONENT(C, { double value; });
OX_TAG(Marked);

enum { CHUNK = 16384, COUNT = 100 };

static void print_place(const ox_world *world, const char *name, ox_entity entity) {
    ox_entity_location place = ox_entity_get_location(world, entity);
    printf("%s is %u:%u, ", name, entity.index, entity.version);
    if (place.chunk < 0) {
        printf("nowhere\n");
    } else {
        printf("row %d of chunk %d\n", place.row, place.chunk);
    }
}

// The loop that chunks are made for: columns of two components, from front to back. What has C as
// well is among it; its column is not touched.
static int count_alike(ox_query *query) {
    int alike = 0;
    OX_EACH_CHUNK(query, chunk) {
        const A *a = ox_chunk_get(chunk, A);
        const B *b = ox_chunk_get(chunk, B);
        for (int i = 0; i < chunk.count; i++) {
            alike += a[i].number == (int)b[i].x; // of the same entity
        }
    }
    return alike;
}

// One more entity, and all that are not marked yet are: what costs nothing for a full chunk must
// not leave chunks of one.
static void mark_one_by_one(ox_world *world) {
    ox_query *fresh = ox_query_create(world, OX_READ(C), OX_ABSENT(A), OX_NONE(Marked));
    for (int k = 0; k < 500; k++) {
        ox_entity_create_in(world, ox_archetype_of(world, C));
        ox_query_add(fresh, Marked);
    }
    ox_query *marked = ox_query_create(world, OX_READ(C), OX_WITH(Marked));
    int chunks = 0;
    OX_EACH_CHUNK(marked, chunk) {
        chunks++;
    }
    printf("marked one by one: %d entities in %d chunk%s\n", (int)ox_query_count(marked), chunks,
           chunks == 1 ? "" : "s");
}

// Each row has a number of its own among all rows of a query: so jobs write results to an array,
// each at its place.
OX_ENTITY_JOB(CopyNumbers, (OX_READ(A, a), OX_INDEX(index)), { OX_NO_SAFETY int *numbers; }) {
    job->numbers[index] = a->number;
}

// Only chunks that were written since the last time have work.
OX_CHUNK_JOB(CopyToB, (OX_READ(A, a), OX_WRITE(B, b), OX_CHANGED(A, is_changed)), { int unused; }) {
    for (int i = 0; is_changed && i < count; i++) {
        b[i] = (B){(float)a[i].number, b[i].y + 1};
    }
}

static void run_jobs(ox_world *world, ox_entity entity) {
    int numbers[COUNT] = {0};
    ox_system *root = ox_world_get_root(world);
    ox_complete(ox_schedule_entities(CopyNumbers, root, OX_AUTO, {numbers}));
    printf("number of row 0: %d, of row %d: %d\n", numbers[0], COUNT - 3, numbers[COUNT - 3]);
    for (int k = 0; k < 3; k++) {
        ox_schedule_entities(CopyToB, root, OX_AUTO, {0});
        ox_world_advance_version(world);
    }
    printf("copied: %g time\n", (double)ox_get(world, entity, B)->y);
    ox_edit(world, entity, A)->number = 7;
    ox_schedule_entities(CopyToB, root, OX_AUTO, {0});
    printf("and after a change: %g times\n", (double)ox_get(world, entity, B)->y);
    ox_jobs_stop();
}

int main(void) {
    ox_world *world = ox_world_create(NULL);
    ox_archetype abc = ox_archetype_of(world, A, B, C), cba = ox_archetype_of(world, C, B, A);
    printf("ABC and CBA are the same: %d\n", abc.number == cba.number);

    ox_entity all[COUNT];
    ox_entities_create(world, abc, all, COUNT);
    for (int k = 0; k < COUNT; k++) {
        ox_set(world, all[k], A, {k});
        ox_set(world, all[k], B, {(float)k, 0});
    }
    int row = (int)(sizeof(ox_entity) + sizeof(A) + sizeof(B) + sizeof(C));
    printf("%d bytes in rows of %d: %d, really %d\n", CHUNK, row, CHUNK / row,
           ox_entity_get_location(world, all[0]).capacity); // columns begin at multiples of 64
    ox_query *query = ox_query_create(world, OX_READ(A), OX_READ(B));
    printf("alike: %d\n", count_alike(query));

    // Those behind it move down, in order, and the table of ids knows where they are.
    print_place(world, "38", all[38]);
    ox_entity_destroy(world, all[37]);
    print_place(world, "37", all[37]);
    print_place(world, "38", all[38]);
    print_place(world, "99", all[99]);
    printf("38 has number %d, alike: %d\n", ox_get(world, all[38], A)->number, count_alike(query));

    // Free places of the table form a chain: the last one that was freed is used first. The old
    // handle stays dead, since the version is another.
    ox_entity_destroy(world, all[5]);
    ox_entity first = ox_entity_create_in(world, abc), second = ox_entity_create_in(world, abc);
    print_place(world, "the first", first);
    print_place(world, "the second", second);
    printf("37 exists: %d\n", ox_entity_exists(world, all[37]));

    mark_one_by_one(world);
    run_jobs(world, all[38]);
    ox_world_destroy(world);
}

// Output:
// ABC and CBA are the same: 1
// 16384 bytes in rows of 28: 585, really 584
// alike: 100
// 38 is 38:1, row 38 of chunk 0
// 37 is 37:1, nowhere
// 38 is 38:1, row 37 of chunk 0
// 99 is 99:1, row 98 of chunk 0
// 38 has number 38, alike: 99
// the first is 5:2, row 98 of chunk 0
// the second is 37:2, row 99 of chunk 0
// 37 exists: 0
// marked one by one: 500 entities in 1 chunk
// number of row 0: 0, of row 97: 99
// copied: 1 time
// and after a change: 2 times
