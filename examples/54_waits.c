// SPDX-License-Identifier: MIT
//
// Which questions wait for jobs and which do not: counting, singletons, loops, another world. And
// a frame in two orders: waiting behind each job, or once behind all of them.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Place, { float x; });
OX_COMPONENT(Speed, { float x; });
OX_ENABLEABLE(Awake, { int since; });
OX_COMPONENT(Score, { int points; });
OX_BUFFER(Message, 4, { int number; });

OX_ENTITY_JOB(Move, (OX_WRITE(Place, place)), { float by; }) {
    place->x += job->by;
}

OX_ENTITY_JOB(Slow, (OX_WRITE(Speed, speed)), { float factor; }) {
    speed->x *= job->factor;
}

OX_ENTITY_JOB(Sleep, (OX_WRITE(Awake, awake), OX_ENABLED(Awake, is_awake)), { int after; }) {
    ox_switch_set_on(is_awake, ++awake->since < job->after);
}

OX_ENTITY_JOB(Tell, (OX_WRITE(Message, messages), OX_WRITE(Score, score)), { int number; }) {
    ox_buffer_push(messages, Message, {job->number});
    score->points++;
}

enum { MOVE, SLOW, SLEEP, TELL, JOBS };
static ox_job jobs[JOBS];

static void schedule(ox_world *world) {
    ox_system *scope = ox_world_get_root(world);
    jobs[MOVE] = ox_schedule_entities(Move, scope, OX_AUTO, {1});
    jobs[SLOW] = ox_schedule_entities(Slow, scope, OX_AUTO, {0.5f});
    jobs[SLEEP] = ox_schedule_entities(Sleep, scope, OX_AUTO, {2});
    jobs[TELL] = ox_schedule_entities(Tell, scope, OX_AUTO, {7});
}

// There are no workers: what is done was waited for.
static void print_done(const char *call, int answer) {
    static const char *const names[] = {"Move", "Slow", "Sleep", "Tell"};
    printf("%-22s %d, done:", call, answer);
    for (int k = 0; k < JOBS; k++) {
        printf("%s%s", ox_job_is_complete(jobs[k]) ? " " : "",
               ox_job_is_complete(jobs[k]) ? names[k] : "");
    }
    printf("\n");
}

static void print_report(const ox_report *report, void *context) {
    (void)context;
    printf("%s %s\n", report->code, report->what);
}

static void ask(ox_world *world, ox_world *other) {
    ox_query *moving = ox_query_create(world, OX_WRITE(Place), OX_READ(Speed));
    ox_query *awake = ox_query_create(world, OX_READ(Place), OX_WITH(Awake));
    schedule(world);
    ox_entity_create(other); // structural, in a world of its own
    print_done("create elsewhere", 0);
    print_done("count", (int)ox_query_count(moving));
    print_done("count, switches aside", (int)ox_query_count_all(awake));
    print_done("count those awake", (int)ox_query_count(awake));
    ox_singleton_get(world, Score); // waits for nobody: it is a report
    ox_buffer messages = ox_singleton_get(world, Message);
    print_done("singleton buffer", ox_buffer_count(messages));
    print_done("singleton", ox_singleton_get(world, Score)->points);
    int rows = 0;
    OX_EACH_CHUNK(moving, chunk) { // all of its terms
        rows += chunk.count;
    }
    print_done("loop", rows);
}

static int count_syncs(ox_world *world, bool at_once) {
    ox_system *scope = ox_world_get_root(world);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Place, Speed));
    ox_world_record_syncs(world, true);
    uint64_t before = ox_world_get_syncs(world, NULL, 0);
    ox_schedule_entities(Move, scope, OX_AUTO, {1});
    if (!at_once) {
        (void)ox_get(world, entity, Place); // Slow is not even scheduled
    }
    ox_schedule_entities(Slow, scope, OX_AUTO, {0.5f});
    ox_entity_destroy(world, entity);
    return (int)(ox_world_get_syncs(world, NULL, 0) - before);
}

int main(void) {
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    ox_world *world = ox_world_create(&(ox_world_def){.on_report = {print_report, NULL}});
    ox_world *other = ox_world_create(&(ox_world_def){.no_systems = true});
    ox_entity_create_in(world, ox_archetype_of(world, Place, Speed, Awake));
    ox_entity_create_in(world, ox_archetype_of(world, Score, Message));
    ask(world, other);
    int behind_each = count_syncs(other, false), at_once = count_syncs(other, true);
    printf("main waits %d times, or %d\n", behind_each, at_once);
    ox_world_destroy(other);
    ox_world_destroy(world);
    ox_jobs_stop();
}

// Output:
// create elsewhere       0, done:
// count                  1, done:
// count, switches aside  1, done:
// count those awake      1, done: Sleep
// OX-E25 a singleton is used while a job uses it
// singleton buffer       1, done: Sleep Tell
// singleton              1, done: Sleep Tell
// loop                   1, done: Move Slow Sleep Tell
// main waits 2 times, or 1
