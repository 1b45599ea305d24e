// SPDX-License-Identifier: MIT
//
// Values that are out of range, in every def and every call that takes an enum or a count: each is
// one report, has no effect, and what it was given to works afterwards as before.

#include "systems_test.h"

#include "oxbow/array.h"
#include "oxbow/commands.h"
#include "oxbow/entities.h"
#include "oxbow/explain.h"
#include "oxbow/fields.h"
#include "oxbow/list.h"
#include "oxbow/trace.h"
#include "oxbow/world.h"

OX_BUFFER(BadBuffer, 2, { int32_t value; });

// One call with a wrong value. @return true when it was refused.
typedef bool wrong_fn(int64_t value);

typedef struct wrong_value {
    const char *name;
    wrong_fn *call;
    int64_t value;
    ox_report_id id;
} wrong_value;

#define WRONG(call, value, id)                                                                     \
    { #call, call, value, OX_REPORT_##id }

static collected_reports reports;
static ox_world *world;
static ox_entity entity;
static ox_query *query;
static ox_system *mover;

static void begin_bad(void) {
    start_workers_of_test(0);
    world = begin_systems(&reports);
    ox_report_set_handler((ox_report_handler){collect_report, &reports});
    entity = ox_entity_create(world, OX_VALUE(Count, {1}), OX_VALUE(Step, {2}));
    ox_add_buffer(world, entity, BadBuffer);
    query = ox_query_create(world, OX_WRITE(Count));
    mover = add_system(world, BRIEF("Mover"));
}

static void end_bad(void) {
    ox_report_set_handler((ox_report_handler){0});
    finish_systems(world, &reports);
}

// The world does what it always did.
static void expect_works(const char *name) {
    ox_entity made = ox_entity_create_in(world, ox_archetype_of(world, Count));
    bool is_good = ox_query_count(query) == 2 && ox_world_update(world, 0.25f);
    is_good = is_good && strcmp(system_log, "Mover") == 0 && ox_world_validate(world);
    system_log[0] = 0;
    ox_entity_destroy(world, made);
    ox_complete(ox_schedule_entities(WriteCount, ox_world_get_root(world), OX_AUTO, {1}));
    if (!is_good || reports.count != 0) {
        test_fail(__FILE__, __LINE__, "after %s: %s", name, reports.text);
    }
}

static void expect_refused(const wrong_value *wrong, size_t count) {
    begin_bad();
    expect_works("nothing");
    for (size_t k = 0; k < count; k++) {
        uint64_t hash = ox_world_hash(world);
        int systems = ox_world_get_systems(world, NULL, 0);
        bool is_refused = wrong[k].call(wrong[k].value);
        bool is_told = reports.count == 1 && reports.last == wrong[k].id;
        bool is_same = ox_world_hash(world) == hash;
        is_same = is_same && ox_world_get_systems(world, NULL, 0) == systems;
        if (!is_refused || !is_told || !is_same) {
            test_fail(__FILE__, __LINE__, "%s %lld: refused %d, same %d, %d reports, last %s",
                      wrong[k].name, (long long)wrong[k].value, is_refused, is_same, reports.count,
                      reports.text);
        }
        reports.count = 0;
        expect_works(wrong[k].name);
    }
    end_bad();
}

#define EXPECT_REFUSED(list) expect_refused(list, sizeof(list) / sizeof *(list))

#define TERMS_OF(kind, id)                                                                         \
    (const ox_term[]) {                                                                            \
        {(ox_term_kind)(kind), NULL, id}, {                                                        \
            OX_TERM_END, NULL, 0                                                                   \
        }                                                                                          \
    }

// Worlds.

static bool world_removal(int64_t value) {
    return ox_world_create(&(ox_world_def){.removal = (ox_removal)value}) == NULL;
}

static bool world_allocator(int64_t value) {
    return ox_world_create(&(ox_world_def){.allocator = (ox_allocator)value}) == NULL;
}

static bool reserve_entities(int64_t value) {
    return !ox_world_reserve(world, value);
}

static bool create_entities(int64_t value) {
    ox_entity made;
    return !ox_entities_create(world, ox_archetype_of(world, Count), &made, value);
}

static bool copy_entities(int64_t value) {
    ox_entity made;
    return !ox_entities_copy_at(world, &entity, &made, value, OX_HERE) &&
           ox_query_count(query) == 1;
}

static bool instantiate_entity(int64_t value) {
    ox_entity made;
    return !ox_entities_instantiate_at(world, entity, &made, value, OX_HERE);
}

static bool list_of_values(int64_t value) {
    static ox_value values[300];
    return !ox_add_many_at(world, entity, values, (int)value, OX_HERE);
}

static bool list_of_components(int64_t value) {
    static const uint32_t ids[300];
    return !ox_remove_many_at(world, entity, ids, (int)value, OX_HERE);
}

TEST(bad_defs, of_worlds_and_entities_are_refused) {
    static const wrong_value wrong[] = {
        WRONG(world_removal, 2, BAD_ENUM),
        WRONG(world_removal, -1, BAD_ENUM),
        WRONG(world_removal, INT32_MAX, BAD_ENUM),
        WRONG(world_allocator, 777, UNKNOWN_ALLOCATOR),
        WRONG(world_allocator, OX_TEMP, TEMP_FOR_WORLD),
        WRONG(reserve_entities, -1, BAD_COUNT),
        WRONG(reserve_entities, INT64_MAX, BAD_COUNT),
        WRONG(create_entities, -1, BAD_COUNT),
        WRONG(create_entities, INT64_MAX, BAD_COUNT),
        WRONG(copy_entities, -1, BAD_COUNT),
        WRONG(copy_entities, INT64_MAX, BAD_COUNT),
        WRONG(instantiate_entity, -1, BAD_COUNT),
        WRONG(list_of_values, -1, BAD_COUNT),
        WRONG(list_of_values, 257, BAD_COUNT),
        WRONG(list_of_components, -1, BAD_COUNT),
        WRONG(list_of_components, 257, BAD_COUNT),
    };
    EXPECT_REFUSED(wrong);
}

// A limit that cannot be reached is one that does not matter.
TEST(bad_defs, limits_of_worlds_beyond_the_ids_mean_all_of_them) {
    ox_world *made =
        ox_world_create(&(ox_world_def){.entity_limit = UINT32_MAX, .entity_capacity = 4});
    EXPECT_EQ(ox_world_get_def(made).entity_limit, 1u << 30);
    ox_world_destroy(made);
    made = ox_world_create(&(ox_world_def){.entity_limit = 10, .entity_capacity = UINT32_MAX});
    EXPECT_EQ(ox_world_get_def(made).entity_capacity, 10);
    ox_world_destroy(made);
}

// Systems.

static bool add_refused(const ox_system_def *like) {
    ox_system_def def = *like;
    def.name = "Bad";
    def.site = "bad.c:9";
    return ox_system_add(world, &def) == NULL && ox_system_find(world, "Bad") == NULL;
}

static bool place_of_system(int64_t value) {
    return add_refused(&(ox_system_def){.update = log_update, .place = (ox_system_phase)value});
}

static bool place_of_group(int64_t value) {
    return add_refused(&(ox_system_def){.is_group = true, .place = (ox_system_phase)value});
}

static bool place_of_barrier(int64_t value) {
    return add_refused(&(ox_system_def){.is_barrier = true, .place = (ox_system_phase)value});
}

static bool inject_kind(int64_t value) {
    ox_injection one = {.kind = (ox_injection_kind)value, .name = "Simulation"};
    return add_refused(&(ox_system_def){.update = log_update, .state = 64, .inject = {one}});
}

static bool second_inject_kind(int64_t value) {
    ox_injection first = {.kind = OX_INJECTION_SYSTEM, .name = "Simulation"}, second = first;
    second.kind = (ox_injection_kind)value;
    return add_refused(
        &(ox_system_def){.update = log_update, .state = 64, .inject = {first, second}});
}

static bool inject_offset(int64_t value) {
    ox_injection one = {.kind = OX_INJECTION_SYSTEM, .name = "Simulation", .offset = (size_t)value};
    return add_refused(&(ox_system_def){.update = log_update, .state = 64, .inject = {one}});
}

static bool most_steps_of_group(int64_t value) {
    return add_refused(&(ox_system_def){.is_group = true, .step = 1, .most_steps = (int)value});
}

static bool most_steps_of_system(int64_t value) {
    return add_refused(&(ox_system_def){.update = log_update, .most_steps = (int)value});
}

static bool step_of_group(int64_t value) {
    return add_refused(&(ox_system_def){.is_group = true, .step = (float)value});
}

static bool set_most_steps(int64_t value) {
    return !ox_group_set_step(ox_system_find(world, "Simulation"), 0.5f, (int)value);
}

static bool required_kind(int64_t value) {
    ox_term term = {(ox_term_kind)value, ox_component_of(Count), 0};
    return add_refused(&(ox_system_def){.update = log_update, .require = {term}});
}

static bool required_id(int64_t value) {
    ox_term term = {OX_TERM_WITH, NULL, (uint32_t)value};
    return add_refused(&(ox_system_def){.update = log_update, .require = {term}});
}

static void run_no_rows(const void *job, int begin, int end) {
    (void)job, (void)begin, (void)end;
}

static ox_entity_job_type bad_job = {.job = {.type = {.name = "BadJob"}, .ranges = {run_no_rows}}};

static bool job_of_system(int64_t value) {
    bad_job.terms = TERMS_OF(value, ox_component_id_of(Count));
    return add_refused(&(ox_system_def){.update = log_update, .jobs = {&bad_job}});
}

static bool job_without_terms(int64_t value) {
    (void)value;
    bad_job.terms = NULL;
    return add_refused(&(ox_system_def){.update = log_update, .jobs = {&bad_job}});
}

static bool list_systems(int64_t value) {
    return ox_world_get_systems(world, NULL, (int)value) == 0;
}

TEST(bad_defs, of_systems_are_refused) {
    static const wrong_value wrong[] = {
        WRONG(place_of_system, 5, BAD_ENUM),
        WRONG(place_of_system, -1, BAD_ENUM),
        WRONG(place_of_system, 100000, BAD_ENUM),
        WRONG(place_of_group, 5, BAD_ENUM),
        WRONG(place_of_group, INT32_MIN, BAD_ENUM),
        WRONG(place_of_barrier, 5, BAD_ENUM),
        WRONG(place_of_barrier, -2, BAD_ENUM),
        WRONG(inject_kind, 4, BAD_ENUM),
        WRONG(inject_kind, -1, BAD_ENUM),
        WRONG(second_inject_kind, 4, BAD_ENUM),
        WRONG(inject_offset, 4, BAD_SYSTEM),
        WRONG(inject_offset, 64, BAD_SYSTEM),
        WRONG(inject_offset, -8, BAD_SYSTEM),
        WRONG(most_steps_of_group, -1, BAD_SYSTEM),
        WRONG(most_steps_of_system, 4, BAD_SYSTEM),
        WRONG(step_of_group, -1, BAD_SYSTEM),
        WRONG(step_of_group, INT64_MAX, BAD_SYSTEM),
        WRONG(set_most_steps, -1, BAD_COUNT),
        WRONG(required_kind, 16, BAD_ENUM),
        WRONG(required_kind, -1, BAD_ENUM),
        WRONG(required_id, 99999, UNKNOWN_COMPONENT),
        WRONG(job_of_system, 16, BAD_ENUM),
        WRONG(job_of_system, -1, BAD_ENUM),
        WRONG(job_without_terms, 0, BAD_SYSTEM),
        WRONG(list_systems, -1, BAD_COUNT),
    };
    EXPECT_REFUSED(wrong);
}

TEST(bad_defs, the_report_of_a_place_names_the_system_and_the_enum) {
    begin_bad();
    EXPECT(place_of_system(5));
    EXPECT_HAS(reports.text, "OX-B06 a value is none of its enum");
    EXPECT_HAS(reports.text, "'def->place' of system 'Bad' (bad.c:9) is 5, which is no "
                             "ox_system_phase");
    EXPECT_HAS(reports.text, "fix: pass one of ox_system_phase, 0 to 4, at ");
    EXPECT_HAS(reports.text, "test_bad_defs.c:");
    EXPECT_REPORT(&reports, OX_REPORT_BAD_ENUM);
    end_bad();
}

// Terms.

static bool kind_in_query(int64_t value) {
    return ox_query_create_at(world, TERMS_OF(value, ox_component_id_of(Count)), OX_HERE) == NULL;
}

static bool kind_in_system_query(int64_t value) {
    return ox_system_query_at(mover, TERMS_OF(value, ox_component_id_of(Count)), OX_HERE) == NULL;
}

static bool kind_in_declaration(int64_t value) {
    bool is_refused =
        !ox_system_declare_at(mover, TERMS_OF(value, ox_component_id_of(Count)), OX_HERE);
    ox_system_info info = ox_system_get_info(mover);
    return is_refused && info.reads_count == 0 && info.writes_count == 0;
}

static bool kind_in_job(int64_t value) {
    bad_job.terms = TERMS_OF(value, ox_component_id_of(Count));
    return ox_schedule_entities_at(&bad_job, ox_world_get_root(world), OX_NO_JOB, NULL, OX_HERE)
               .value == 0;
}

static bool kind_in_job_by_query(int64_t value) {
    bad_job.terms = TERMS_OF(value, ox_component_id_of(Count));
    return ox_schedule_query_at(&bad_job, query, OX_NO_JOB, NULL, OX_HERE).value == 0;
}

static bool terms_of_query(int64_t value) {
    ox_term terms[64] = {{OX_TERM_END, NULL, 0}};
    for (int64_t k = 0; k < value; k++) {
        char name[16];
        snprintf(name, sizeof name, "BadTerm%d", (int)k);
        uint32_t id =
            ox_component_register(&(ox_component_def){.name = name, .size = 4, .align = 4});
        terms[k] = (ox_term){OX_TERM_WITH, NULL, id};
    }
    return ox_query_create_at(world, terms, OX_HERE) == NULL;
}

static bool terms_of_job(int64_t value) {
    ox_term terms[64] = {{OX_TERM_END, NULL, 0}};
    for (int64_t k = 0; k < value; k++) {
        terms[k].kind = OX_TERM_ENTITY;
    }
    bad_job.terms = terms;
    return ox_schedule_entities_at(&bad_job, ox_world_get_root(world), OX_NO_JOB, NULL, OX_HERE)
               .value == 0;
}

TEST(bad_defs, of_terms_are_refused) {
    static const wrong_value wrong[] = {
        WRONG(kind_in_query, 16, BAD_ENUM),
        WRONG(kind_in_query, -1, BAD_ENUM),
        WRONG(kind_in_query, 1000, BAD_ENUM),
        WRONG(kind_in_system_query, 16, BAD_ENUM),
        WRONG(kind_in_system_query, -1, BAD_ENUM),
        WRONG(kind_in_declaration, 16, BAD_ENUM),
        WRONG(kind_in_declaration, INT32_MIN, BAD_ENUM),
        WRONG(kind_in_job, 16, BAD_ENUM),
        WRONG(kind_in_job, -1, BAD_ENUM),
        WRONG(kind_in_job_by_query, 99, BAD_ENUM),
        WRONG(kind_in_job_by_query, -1, BAD_ENUM),
        WRONG(terms_of_query, 33, BAD_COUNT),
        WRONG(terms_of_job, 33, BAD_COUNT),
    };
    EXPECT_REFUSED(wrong);
}

// Commands.

static bool record_buffer(int change, int64_t count) {
    static const int32_t elements[2] = {5, 6};
    ox_commands commands = ox_commands_create(world, NULL);
    bool is_refused =
        !ox_commands_change_buffer_at(commands, entity, ox_component_id_of(BadBuffer),
                                      (ox_buffer_change)change, elements, count, OX_HERE);
    bool is_played = ox_commands_playback(commands);
    ox_commands_dispose(&commands);
    return is_refused && is_played && ox_buffer_count(ox_get(world, entity, BadBuffer)) == 0;
}

static bool buffer_change(int64_t value) {
    return record_buffer((int)value, 2);
}

static bool count_of_elements(int64_t value) {
    return record_buffer(OX_BUFFER_APPEND, value);
}

TEST(bad_defs, of_commands_are_refused) {
    static const wrong_value wrong[] = {
        WRONG(buffer_change, 3, BAD_ENUM),
        WRONG(buffer_change, -1, BAD_ENUM),
        WRONG(buffer_change, 256, BAD_ENUM), // which would be 0 in a byte
        WRONG(buffer_change, INT32_MAX, BAD_ENUM),
        WRONG(count_of_elements, -1, BAD_COUNT),
        WRONG(count_of_elements, INT64_MAX, BAD_COUNT),
    };
    EXPECT_REFUSED(wrong);
}

// Explaining.

static bool explain_format(int64_t value) {
    char text[16] = "before";
    return ox_world_explain_frame_at(world, (ox_explain_format)value, text, sizeof text, OX_HERE) ==
               0 &&
           text[0] == 0;
}

static void fill_nothing(ox_world *filled, void *context) {
    (void)filled, (void)context;
    test_fail(__FILE__, __LINE__, "a world is filled for a def that cannot be used");
}

static bool find_refused(ox_ambiguity_def def, int64_t capacity) {
    ox_ambiguity pairs[2];
    def.fill = fill_nothing;
    return ox_ambiguities_find_at(pairs, (int)capacity, &def, OX_HERE) == -1;
}

static bool ambiguity_frames(int64_t value) {
    return find_refused((ox_ambiguity_def){.frames = (int)value}, 2);
}

static bool ambiguity_orders(int64_t value) {
    return find_refused((ox_ambiguity_def){.orders = (int)value}, 2);
}

static bool ambiguity_delta(int64_t value) {
    return find_refused((ox_ambiguity_def){.delta = (float)value}, 2);
}

static bool ambiguity_capacity(int64_t value) {
    return find_refused((ox_ambiguity_def){0}, value);
}

TEST(bad_defs, of_frames_and_orders_are_refused) {
    static const wrong_value wrong[] = {
        WRONG(explain_format, 3, BAD_ENUM),          WRONG(explain_format, -1, BAD_ENUM),
        WRONG(ambiguity_frames, -1, BAD_COUNT),      WRONG(ambiguity_frames, INT32_MIN, BAD_COUNT),
        WRONG(ambiguity_orders, -1, BAD_COUNT),      WRONG(ambiguity_delta, -1, BAD_TIME),
        WRONG(ambiguity_delta, INT64_MAX, BAD_TIME), WRONG(ambiguity_capacity, -1, BAD_COUNT),
    };
    EXPECT_REFUSED(wrong);
}

TEST(bad_defs, syncs_are_written_nowhere_when_there_is_nowhere) {
    begin_bad();
    ox_sync sync;
    ox_world_record_syncs(world, true);
    ox_schedule_entities(WriteCount, ox_world_get_root(world), OX_AUTO, {1});
    EXPECT(ox_get(world, entity, Count) != NULL);

    EXPECT_EQ(ox_world_get_syncs(world, NULL, 5), 1);
    EXPECT_EQ(ox_world_get_syncs(world, &sync, -1), 1);
    EXPECT_EQ(ox_world_get_syncs(NULL, &sync, 1), 0);
    ox_world_record_syncs(NULL, true);

    ox_world_record_syncs(world, false);
    end_bad();
}

// Jobs.

static bool active_workers(int64_t value) {
    ox_jobs_set_active_workers((int)value);
    return true;
}

static ox_job_type bad_range = {.type = {.name = "BadRange"}, .ranges = {run_no_rows}};

static bool parallel_count(int64_t value) {
    return ox_schedule_for_at(&bad_range, (int)value, 1, OX_NO_JOB, NULL, OX_HERE).value == 0;
}

static bool parallel_batch(int64_t value) {
    return ox_schedule_for_at(&bad_range, 4, (int)value, OX_NO_JOB, NULL, OX_HERE).value == 0;
}

static bool combine_jobs(int64_t value) {
    ox_job job = OX_NO_JOB;
    return ox_combine_at(&job, (int)value, OX_HERE).value == 0;
}

static bool complete_jobs(int64_t value) {
    ox_job job = OX_NO_JOB;
    ox_complete_at(&job, (int)value, OX_HERE);
    return true;
}

static bool start_jobs(const ox_jobs_def *def) {
    ox_jobs_stop();
    bool is_refused = !ox_jobs_start(def);
    start_workers_of_test(0);
    return is_refused;
}

static bool worker_count(int64_t value) {
    return start_jobs(&(ox_jobs_def){.worker_count = (int)value});
}

static bool reserved_cores(int64_t value) {
    return start_jobs(&(ox_jobs_def){.reserved_cores = (int)value});
}

static bool background_count(int64_t value) {
    return start_jobs(&(ox_jobs_def){.background_count = (int)value});
}

static bool spin_us(int64_t value) {
    return start_jobs(&(ox_jobs_def){.spin_us = (int)value});
}

static bool trace_events(int64_t value) {
    return !ox_trace_begin((int)value) && !ox_trace_is_recording();
}

TEST(bad_defs, of_jobs_are_refused) {
    static const wrong_value wrong[] = {
        WRONG(active_workers, -1, BAD_RANGE),    WRONG(active_workers, INT32_MIN, BAD_RANGE),
        WRONG(parallel_count, -1, BAD_RANGE),    WRONG(parallel_batch, 0, BAD_RANGE),
        WRONG(parallel_batch, -1, BAD_RANGE),    WRONG(combine_jobs, -1, BAD_RANGE),
        WRONG(complete_jobs, -1, BAD_RANGE),     WRONG(worker_count, -2, BAD_JOBS_DEF),
        WRONG(reserved_cores, -1, BAD_JOBS_DEF), WRONG(background_count, -1, BAD_JOBS_DEF),
        WRONG(spin_us, -7, BAD_JOBS_DEF),        WRONG(trace_events, -1, BAD_RANGE),
    };
    EXPECT_REFUSED(wrong);
}

static uint64_t watched_struct[8];

// A job that lists its containers by hand.
static bool listed_marks(int64_t value) {
    const ox_job_field access = {"array", 0, (uint32_t)value};
    ox_job_type type = {.type = {.name = "Listed", .size = sizeof watched_struct, .align = 8},
                        .ranges = {run_no_rows},
                        .accesses = &access,
                        .access_count = 1};
    return ox_schedule_for_at(&type, 4, 1, OX_NO_JOB, watched_struct, OX_HERE).value == 0;
}

static bool access_allocator(int64_t value) {
    ox_access access;
    return !ox_access_create(&access, &(ox_access_def){.allocator = (ox_allocator)value}) &&
           access.token == 0;
}

// The release library does not look at accesses.
TEST_CHECKED(bad_defs, of_accesses_are_refused) {
    static const wrong_value wrong[] = {
        WRONG(listed_marks, 16, BAD_ENUM),
        WRONG(listed_marks, 0xff00, BAD_ENUM),
        WRONG(access_allocator, 999, UNKNOWN_ALLOCATOR),
        WRONG(access_allocator, UINT32_MAX, UNKNOWN_ALLOCATOR),
    };
    EXPECT_REFUSED(wrong);
}

// Types, components and elements.

static bool scalar_of_type(int64_t value) {
    ox_type type = {.name = "BadScalar",
                    .size = 4,
                    .align = 4,
                    .scalar = (ox_scalar)value,
                    .header_version = OX_VERSION};
    return ox_type_register(&type) == NULL && ox_type_find("BadScalar") == NULL;
}

static bool size_of_float(int64_t value) {
    ox_type type = {.name = "BadFloat",
                    .size = (size_t)value,
                    .align = 1,
                    .scalar = OX_SCALAR_FLOAT,
                    .header_version = OX_VERSION};
    return ox_type_register(&type) == NULL && ox_type_find("BadFloat") == NULL;
}

static bool register_refused(ox_component_def def) {
    def.name = "BadComponent";
    def.size = def.size != 0 ? def.size : 4;
    def.align = def.align != 0 ? def.align : 4;
    return ox_component_register(&def) == 0 && ox_component_find("BadComponent") == 0;
}

static bool kind_of_component(int64_t value) {
    return register_refused((ox_component_def){.kind = (ox_component_kind)value});
}

static bool flags_of_component(int64_t value) {
    return register_refused((ox_component_def){.flags = (uint32_t)value});
}

static bool inline_elements(int64_t value) {
    return register_refused(
        (ox_component_def){.kind = OX_COMPONENT_KIND_BUFFER, .inline_capacity = (int32_t)value});
}

static bool inline_of_data(int64_t value) {
    return register_refused((ox_component_def){.inline_capacity = (int32_t)value});
}

static bool align_of_component(int64_t value) {
    return register_refused((ox_component_def){.size = 384, .align = (size_t)value});
}

static bool size_of_component(int64_t value) {
    return register_refused((ox_component_def){.size = (size_t)value, .align = 1});
}

static bool kind_of_field_value(int64_t value) {
    Count count = {7};
    ox_field_value given = {.kind = (ox_field_value_kind)value, .integer = 3};
    return !ox_field_write(ox_component_id_of(Count), &count, "value", &given) && count.value == 7;
}

static bool array_of_element(int64_t value) {
    ox_element_info info = {"bad", (ox_element)value, 4};
    return ox_array_create_at(info, 4, OX_PERSISTENT, OX_HERE).data == NULL;
}

static bool align_of_element(int64_t value) {
    ox_element_info info = {"bad", 12, (uint32_t)value};
    return ox_array_create_at(info, 4, OX_PERSISTENT, OX_HERE).data == NULL;
}

static int compare_ints(const void *a, const void *b, void *context) {
    (void)context;
    return *(const int *)a - *(const int *)b;
}

static bool sort_element(int64_t value) {
    int numbers[3] = {3, 2, 1};
    return !ox_sort_at(numbers, 3, (ox_element)value, compare_ints, NULL, OX_HERE) &&
           numbers[0] == 3;
}

static bool length_of_array(int64_t value) {
    return ox_array_create_untyped(int, value, OX_PERSISTENT).data == NULL;
}

TEST(bad_defs, of_types_and_elements_are_refused) {
    static const wrong_value wrong[] = {
        WRONG(scalar_of_type, 5, BAD_TYPE),
        WRONG(scalar_of_type, -1, BAD_TYPE),
        WRONG(scalar_of_type, OX_SCALAR_BOOL, BAD_TYPE), // of four bytes
        WRONG(size_of_float, 3, BAD_TYPE),
        WRONG(kind_of_component, 4, BAD_COMPONENT),
        WRONG(kind_of_component, -1, BAD_COMPONENT),
        WRONG(flags_of_component, 4, BAD_COMPONENT),
        WRONG(flags_of_component, UINT32_MAX, BAD_COMPONENT),
        WRONG(inline_elements, -2, BAD_COMPONENT),
        WRONG(inline_elements, INT32_MAX, BAD_COMPONENT),
        WRONG(inline_of_data, 3, BAD_COMPONENT),
        WRONG(align_of_component, 3, COMPONENT_ALIGNMENT),
        WRONG(align_of_component, 128, COMPONENT_ALIGNMENT),
        WRONG(size_of_component, 16001, COMPONENT_TOO_LARGE),
        WRONG(size_of_component, -1, COMPONENT_TOO_LARGE),
        WRONG(kind_of_field_value, 7, BAD_FIELD_VALUE),
        WRONG(kind_of_field_value, -1, BAD_FIELD_VALUE),
        WRONG(array_of_element, 0, BAD_ELEMENT),
        WRONG(array_of_element, 5 << 27 | 4, BAD_ELEMENT),
        WRONG(array_of_element, UINT32_MAX, BAD_ELEMENT),
        WRONG(align_of_element, 3, BAD_ELEMENT),
        WRONG(align_of_element, 0, BAD_ELEMENT),
        WRONG(sort_element, 0, BAD_ELEMENT),
        WRONG(sort_element, INT64_C(31) << 27 | 4, BAD_ELEMENT),
        WRONG(length_of_array, -1, BAD_LENGTH),
        WRONG(length_of_array, INT64_MAX, BAD_LENGTH),
    };
    EXPECT_REFUSED(wrong);
}
