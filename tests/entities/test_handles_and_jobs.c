// SPDX-License-Identifier: MIT
//
// What main holds of a world, beside every kind of job that is scheduled after it was taken: for
// each pair whether main goes on, waits, or is refused. Jobs work on other threads meanwhile, so
// that what is accepted by mistake is a race, or a crash.

#include "handles_test.h"

#include <stdio.h>

// Kinds of handles: what main takes before the job is scheduled, and does with it then. A use is
// true when it did something.

#define TAKE(name) static void take_##name(holder *h)
#define USE(name)  static bool use_##name(holder *h)

TAKE(nothing) {
    (void)h;
}
TAKE(view) {
    h->view = ox_query_view(h->query, Count);
}
TAKE(entities) {
    h->view = ox_query_view_entities(h->query);
}
TAKE(chunk) {
    h->chunk = ox_query_chunks(h->query);
    EXPECT(ox_chunk_next(&h->chunk));
}
TAKE(stunned_chunk) {
    h->chunk = ox_query_chunks(h->stunned);
    EXPECT(ox_chunk_next(&h->chunk));
}
TAKE(array) {
    h->array = ox_query_copy_values(h->query, Count, OX_PERSISTENT);
}
TAKE(edit_buffer) {
    h->buffer = ox_edit(h->world, h->who[0], Tune);
}
TAKE(get_buffer) {
    h->buffer = ox_get(h->world, h->who[0], Tune);
}
TAKE(lookup_buffer) {
    h->buffer = ox_lookup_edit(&h->lookup, h->who[0], Tune);
}
TAKE(singleton_buffer) {
    h->buffer = ox_singleton_edit(h->world, Tune);
}
TAKE(chunk_buffer) {
    take_chunk(h);
    h->buffer = ox_buffers_get(ox_chunk_edit(h->chunk, Tune), 0);
}
TAKE(buffer_view) {
    take_edit_buffer(h);
    h->elements = ox_buffer_view_create(h->buffer);
}

USE(get) {
    return ox_get(h->world, h->who[0], Count)->value != 0;
}
USE(read) {
    return ox_read(h->world, h->who[0], Count).value != 0;
}
USE(edit) {
    ox_edit(h->world, h->who[0], Count)->value++;
    return true;
}
USE(set) {
    return ox_set(h->world, h->who[0], Count, {6});
}
USE(lookup_get) {
    return ox_lookup_get(&h->lookup, h->who[0], Count)->value != 0;
}
USE(lookup_edit) {
    ox_lookup_edit(&h->lookup, h->who[0], Count)->value++;
    return true;
}
USE(view_get) {
    return ox_view_read(h->view, 0, Count).value != 0;
}
USE(view_window) {
    return ox_view_get_span(h->view, 0, 1).count == 1;
}
USE(view_set) {
    ox_view_set(h->view, 0, Count, {6});
    return true;
}
USE(view_entity) {
    return ox_view_read_entity(h->view, 0).version != 0;
}
USE(next) {
    return ox_chunk_next(&h->chunk);
}
USE(column) {
    return ox_chunk_get(h->chunk, Count)->value != 0;
}
USE(edit_column) {
    ox_chunk_edit(h->chunk, Count)->value++;
    return true;
}
USE(loop) {
    int steps = 0;
    OX_EACH_CHUNK(h->query, chunk) {
        steps++;
    }
    return steps > 0;
}
USE(from_array) {
    return ox_query_set_values(h->query, Count, h->array);
}
USE(singleton_get) {
    return ox_singleton_get(h->world, Count)->value != 0;
}
USE(singleton_edit) {
    ox_singleton_edit(h->world, Count)->value++;
    return true;
}
USE(singleton_set) {
    return ox_singleton_set(h->world, Count, {7});
}
USE(append) {
    return ox_buffer_push(h->buffer, Tune, {1});
}
USE(append_many) {
    static const Tune tunes[50];
    return ox_buffer_push_many(h->buffer, Tune, tunes, 50);
}
USE(insert) {
    return ox_buffer_insert(h->buffer, 0, Tune, {1});
}
USE(remove) {
    return ox_buffer_remove(h->buffer, 0);
}
USE(remove_swap) {
    return ox_buffer_remove_swap(h->buffer, 0);
}
USE(clear) {
    return ox_buffer_clear(h->buffer);
}
USE(resize) {
    return ox_buffer_resize(h->buffer, 30);
}
USE(reserve) {
    return ox_buffer_reserve(h->buffer, 100);
}
USE(trim) {
    return ox_buffer_trim(h->buffer);
}
USE(element) {
    return ox_buffer_get(h->buffer, 0, Tune)->pitch != 0;
}
USE(edit_element) {
    ox_buffer_edit(h->buffer, 0, Tune)->pitch = 2;
    return true;
}
USE(elements) {
    return ox_buffer_get_data(h->buffer, Tune)->pitch != 0;
}
USE(count) {
    return ox_buffer_count(h->buffer) > 0;
}
USE(capacity) {
    return ox_buffer_capacity(h->buffer) > 0;
}
USE(make_buffer_view) {
    return ox_buffer_view_create(h->buffer).count > 0;
}
USE(buffer_view_get) {
    return ox_buffer_view_get(h->elements, 0, Tune)->pitch != 0;
}
USE(buffer_view_edit) {
    ox_buffer_view_edit(h->elements, 0, Tune)->pitch = 2;
    return true;
}
USE(get_buffer) {
    return ox_buffer_is_created(ox_get(h->world, h->who[0], Tune));
}
USE(edit_buffer) {
    ox_buffer tune = ox_edit(h->world, h->who[0], Tune);
    return ox_buffer_is_created(tune) && ox_buffer_push(tune, Tune, {1});
}
USE(add_buffer) {
    ox_buffer tune = ox_add_buffer(h->world, h->who[0], Tune);
    return ox_buffer_is_created(tune) && ox_buffer_push(tune, Tune, {1});
}
USE(lookup_get_buffer) {
    return ox_buffer_is_created(ox_lookup_get(&h->lookup, h->who[0], Tune));
}
USE(lookup_edit_buffer) {
    return ox_buffer_is_created(ox_lookup_edit(&h->lookup, h->who[0], Tune));
}
USE(chunk_get_buffer) {
    return ox_buffer_is_created(ox_buffers_get(ox_chunk_get(h->chunk, Tune), 0));
}
USE(chunk_edit_buffer) {
    return ox_buffer_is_created(ox_buffers_get(ox_chunk_edit(h->chunk, Tune), 0));
}
USE(singleton_get_buffer) {
    return ox_buffer_is_created(ox_singleton_get(h->world, Tune));
}
USE(is_enabled) {
    ox_is_enabled(h->world, h->who[0], Stun);
    return true;
}
USE(set_enabled) {
    return ox_set_enabled(h->world, h->who[0], Stun, true);
}
USE(lookup_is_enabled) {
    ox_lookup_is_enabled(&h->lookup, h->who[0]);
    return true;
}
USE(lookup_set_enabled) {
    return ox_lookup_set_enabled(&h->lookup, h->who[0], true);
}
USE(chunk_is_enabled) {
    ox_chunk_is_enabled(h->chunk, 0, Stun);
    return true;
}
USE(chunk_set_enabled) {
    return ox_chunk_set_enabled(h->chunk, 0, Stun, true);
}
USE(next_by_switch) { // who is left is found or not, as it is switched now
    ox_chunk_next(&h->chunk);
    return true;
}
USE(count_by_switch) {
    ox_query_count(h->stunned);
    return true;
}
USE(view_by_switch) {
    ox_query_view(h->stunned, Stun);
    return true;
}
USE(explain_by_switch) {
    ox_query_explain(h->stunned, h->who[0], NULL, 0);
    return true;
}
USE(query_set_enabled) {
    return ox_query_set_enabled(h->stunned, Stun, true);
}

USE(validate) {
    return ox_world_validate(h->world);
}
USE(hash) {
    return ox_world_hash(h->world) != 0;
}
USE(create) {
    return ox_entity_create(h->world).version != 0;
}

// The matrix. A row is a handle and a use, a column a kind of job, in the order of `job_kinds`:
//
//     .  main goes on beside the job       E  the handle of a buffer ended with the schedule,
//     OX-E20 w  main waits for the job            V  the view of a buffer ended, OX-E22 U  refused:
//     nobody else completes    S  refused: a singleton waits for no job, OX-E25
//        the job, OX-W02

#define FREE   "..................."
#define READS  "..ww..w.U.U.U.UU..."
#define WRITES ".www.wwUUUUUUUUU..."
#define SEES   "..ww..w.U.U.U......" // views of jobs are of Count
#define CHANGE ".www.wwUUUUUU......"
#define WHOLE  ".wwwwwwUUUUUUUUU..." // all jobs of the world count
#define ENDED  ".EEEEEEEEEEEEEEE..."

typedef struct handle_kind {
    const char *name;
    held_type type;
    void (*take)(holder *h);
    bool (*use)(holder *h);
    const char *row;
    bool is_lone; // a world with one entity
} handle_kind;

static const handle_kind handle_kinds[] = {
    {"ox_get", DATA, take_nothing, use_get, READS, false},
    {"ox_read", DATA, take_nothing, use_read, READS, false},
    {"ox_edit", DATA, take_nothing, use_edit, WRITES, false},
    {"ox_set", DATA, take_nothing, use_set, WRITES, false},
    {"lookup, get", DATA, take_nothing, use_lookup_get, READS, false},
    {"lookup, edit", DATA, take_nothing, use_lookup_edit, WRITES, false},
    {"view, get", DATA, take_view, use_view_get, READS, false},
    {"view, window", DATA, take_view, use_view_window, READS, false},
    {"view, set", DATA, take_view, use_view_set, WRITES, false},
    {"view of entities", DATA, take_entities, use_view_entity, FREE, false},
    {"chunk, next", DATA, take_chunk, use_next, FREE, false},
    {"chunk, column", DATA, take_chunk, use_column, READS, false},
    {"chunk, edit column", DATA, take_chunk, use_edit_column, WRITES, false},
    {"a loop", DATA, take_nothing, use_loop, WRITES, false},
    {"from an array", DATA, take_array, use_from_array, WRITES, false},
    {"singleton, get", DATA, take_nothing, use_singleton_get, "..SS..S.U.U.U.UU...", true},
    {"singleton, edit", DATA, take_nothing, use_singleton_edit, ".SSS.SSUUUUUUUUU...", true},
    {"singleton, set", DATA, take_nothing, use_singleton_set, ".SSS.SSUUUUUUUUU...", true},

    {"ox_world_hash", DATA, take_nothing, use_hash, WHOLE, false},
    {"ox_entity_create", DATA, take_nothing, use_create, WHOLE, false},

    {"buffer, append", BUFFER, take_edit_buffer, use_append, ENDED, false},
    {"buffer, append many", BUFFER, take_edit_buffer, use_append_many, ENDED, false},
    {"buffer, insert", BUFFER, take_edit_buffer, use_insert, ENDED, false},
    {"buffer, remove", BUFFER, take_edit_buffer, use_remove, ENDED, false},
    {"buffer, remove swap", BUFFER, take_edit_buffer, use_remove_swap, ENDED, false},
    {"buffer, clear", BUFFER, take_edit_buffer, use_clear, ENDED, false},
    {"buffer, resize", BUFFER, take_edit_buffer, use_resize, ENDED, false},
    {"buffer, reserve", BUFFER, take_edit_buffer, use_reserve, ENDED, false},
    {"buffer, trim", BUFFER, take_edit_buffer, use_trim, ENDED, false},
    {"buffer, edit an element", BUFFER, take_edit_buffer, use_edit_element, ENDED, false},
    {"buffer, an element", BUFFER, take_get_buffer, use_element, ENDED, false},
    {"buffer, all elements", BUFFER, take_get_buffer, use_elements, ENDED, false},
    {"buffer, count", BUFFER, take_get_buffer, use_count, ENDED, false},
    {"buffer, capacity", BUFFER, take_get_buffer, use_capacity, ENDED, false},
    {"buffer, view of", BUFFER, take_get_buffer, use_make_buffer_view, ENDED, false},
    {"buffer of a lookup", BUFFER, take_lookup_buffer, use_append, ENDED, false},
    {"buffer of a singleton", BUFFER, take_singleton_buffer, use_append, ENDED, true},
    {"buffer of a chunk", BUFFER, take_chunk_buffer, use_append, ENDED, false},
    {"view of a buffer, get", BUFFER, take_buffer_view, use_buffer_view_get, ".EEEEEEEEEEEEEEEV..",
     false},
    {"view of a buffer, edit", BUFFER, take_buffer_view, use_buffer_view_edit,
     ".EEEEEEEEEEEEEEEV..", false},
    {"ox_get", BUFFER, take_nothing, use_get_buffer, SEES, false},
    {"ox_edit", BUFFER, take_nothing, use_edit_buffer, CHANGE, false},
    {"ox_add_buffer", BUFFER, take_nothing, use_add_buffer, CHANGE, false},
    {"lookup, get buffer", BUFFER, take_nothing, use_lookup_get_buffer, SEES, false},
    {"lookup, edit buffer", BUFFER, take_nothing, use_lookup_edit_buffer, CHANGE, false},
    {"chunk, get buffer", BUFFER, take_chunk, use_chunk_get_buffer, SEES, false},
    {"chunk, edit buffer", BUFFER, take_chunk, use_chunk_edit_buffer, CHANGE, false},
    {"singleton, get buffer", BUFFER, take_nothing, use_singleton_get_buffer, SEES, true},

    {"ox_world_validate", BUFFER, take_nothing, use_validate, WHOLE, false},

    {"ox_is_enabled", SWITCH, take_nothing, use_is_enabled, SEES, false},
    {"ox_set_enabled", SWITCH, take_nothing, use_set_enabled, CHANGE, false},
    {"lookup, is enabled", SWITCH, take_nothing, use_lookup_is_enabled, SEES, false},
    {"lookup, set enabled", SWITCH, take_nothing, use_lookup_set_enabled, CHANGE, false},
    {"chunk, is enabled", SWITCH, take_stunned_chunk, use_chunk_is_enabled, SEES, false},
    {"chunk, set enabled", SWITCH, take_stunned_chunk, use_chunk_set_enabled, CHANGE, false},
    {"chunk, next by switch", SWITCH, take_stunned_chunk, use_next_by_switch, SEES, false},
    {"count by switch", SWITCH, take_nothing, use_count_by_switch, SEES, false},
    {"a view by switch", SWITCH, take_nothing, use_view_by_switch, SEES, false},
    {"explain by switch", SWITCH, take_nothing, use_explain_by_switch, SEES, false},
    {"set enabled by query", SWITCH, take_nothing, use_query_set_enabled, CHANGE, false},
};
enum { HANDLE_KINDS = sizeof handle_kinds / sizeof *handle_kinds };

static void begin_cell(holder *h, const handle_kind *handle) {
    static ox_component *const components[] = {ox_component_of(Count), ox_component_of(Tune),
                                               ox_component_of(Stun)};
    memset(h, 0, sizeof *h);
    collect_reports(&h->reports);
    h->world = ox_world_create(NULL);
    h->type = handle->type;
    h->count = handle->is_lone ? 1 : OWNERS;
    for (int k = 0; k < h->count; k++) {
        h->who[k] = ox_entity_create_in(h->world,
                                        ox_archetype_of(h->world, Count, Tune, Stun, Extra, Wide));
        ox_set(h->world, h->who[k], Count, {5});
        ox_buffer tune = ox_edit(h->world, h->who[k], Tune);
        ox_buffer_push(tune, Tune, {440});
    }
    h->other = make_small_world(&h->stranger);
    h->query = ox_query_create(h->world, OX_WRITE(Count), OX_WRITE(Tune));
    h->stunned = ox_query_create(h->world, OX_WRITE(Stun));
    h->lookup =
        ox_lookup_create_at(h->world, ox_component_id_of_at(components[h->type], OX_HERE), OX_HERE);
    atomic_store(&running, 0);
}

static void end_cell(holder *h) {
    ox_complete(h->job);
    if (ox_array_is_created(h->array)) {
        ox_dispose(&h->array);
    }
    ox_world_destroy(h->other);
    ox_world_destroy(h->world);
    EXPECT_EQ(h->reports.count, 0);
}

// What came of it, as a letter.
static char name_outcome(const holder *h, bool is_done) {
    switch (h->reports.count > 0 ? h->reports.last : OX_REPORT_NONE) {
    case OX_REPORT_NONE:
        if (!is_done) {
            return '!';
        }
        return h->job.value != 0 && oxi_job_is_settled(h->job) ? 'w' : '.';
    case OX_REPORT_BUFFER_ENDED:
        return 'E';
    case OX_REPORT_BUFFER_VIEW_ENDED:
        return 'V';
    case OX_REPORT_UNREGISTERED_JOB:
        return 'U';
    case OX_REPORT_SINGLETON_BUSY:
        return 'S';
    default:
        return '?';
    }
}

static int wrong_cells;

static void check_cell(const handle_kind *handle, int kind) {
    holder h;
    begin_cell(&h, handle);
    handle->take(&h);
    EXPECT_EQ(h.reports.count, 0);

    h.job = job_kinds[kind].schedule(&h);
    ox_jobs_kick();
    if (h.job.value != 0) {
        wait_for_value(&running, 1, "a job of the matrix");
    }
    bool is_done = handle->use(&h);

    char outcome = name_outcome(&h, is_done), wanted = handle->row[kind];
#if OX_SAFETY == 0
    // A job is settled as soon as it is done: nobody can tell who waited.
    outcome = outcome == 'w' || outcome == 'S' ? '.' : outcome;
    wanted = wanted == 'w' || wanted == 'S' ? '.' : wanted;
#endif
    if (outcome != wanted || h.reports.count > 1) {
        printf("%s, %s: '%c' instead of '%c', %d reports\n%s\n", handle->name, job_kinds[kind].name,
               outcome, wanted, h.reports.count, h.reports.count > 0 ? h.reports.text : "");
        wrong_cells++;
    }
    h.reports.count = 0;
    end_cell(&h);
}

// Without checks a buffer does not ask whether its handle has ended, and nothing is known of jobs
// that stand in no table of a world.
static bool is_judged(const handle_kind *handle, int kind) {
    return OX_SAFETY > 0 ||
           (job_kinds[kind].is_known && handle->row[kind] != 'E' && handle->row[kind] != 'V');
}

TEST(handles_and_jobs, every_handle_is_judged_against_every_job_that_is_scheduled_after_it) {
    start_workers_of_test(2);
    wrong_cells = 0;
    for (int k = 0; k < HANDLE_KINDS; k++) {
        EXPECT_EQ(strlen(handle_kinds[k].row), JOB_KINDS);
        for (int n = 0; n < JOB_KINDS; n++) {
            if (is_judged(&handle_kinds[k], n)) {
                check_cell(&handle_kinds[k], n);
            }
        }
    }
    ox_jobs_stop();
    ox_frame_end();
    EXPECT_EQ(wrong_cells, 0);
}
