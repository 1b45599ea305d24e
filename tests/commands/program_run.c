// SPDX-License-Identifier: MIT
//
// Runs of programs: worlds, reports, and what is kept of each round.

#include "commands/program_run.h"

#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_KNOWN = 400, NEXT_IDS = 16 };

void program_note(program_run *run, const char *text) {
    if (run->trace->failure[0] == 0) {
        snprintf(run->trace->failure, sizeof run->trace->failure, "round %d: %s", run->trace->count,
                 text);
    }
}

// Reports.

static void note_failed_command(program_run *run, const ox_report *report) {
    uint64_t number = ox_report_find(report, "number")->number;
    const char *code = ox_report_find(report, "cause")->text;
    if (number >= (uint64_t)run->program.count) {
        program_note(run, "a report names a command that is none");
        return;
    }
    // "OX-E01": an id is its letter's base and the number.
    run->causes[number] = (ox_report_id)(code[3] * 1000 + atoi(code + 4));
}

static void receive(const ox_report *report, void *context) {
    program_run *run = context;
    if (run->way == PROGRAM_DIRECTLY) {
        run->first_report = run->first_report == OX_REPORT_NONE ? report->id : run->first_report;
    } else if (report->id == OX_REPORT_COMMAND_FAILED) {
        run->failed_reports++;
        note_failed_command(run, report);
    } else if (report->id == OX_REPORT_PLAYBACK_STOPPED) {
        run->stops++;
    } else {
        char text[1000];
        ox_report_format(report, text, sizeof text);
        fputs(text, stderr);
        run->other_reports++;
    }
}

// Worlds.

static void make_query(program_run *run, int number) {
    ox_query *query;
    switch (number) {
    case 0:
        query = ox_query_create(run->world, OX_READ(KindsPlain), OX_NONE(KindsTag));
        break;
    case 1:
        query = ox_query_create(run->world, OX_READ(KindsTeam));
        ox_query_filter_shared(query, KindsTeam, {1});
        break;
    case 2:
        query = ox_query_create(run->world, OX_WRITE(KindsSwitch), OX_READ(KindsWide));
        break;
    case 3:
        query = ox_query_create(run->world, OX_READ(KindsSlot), OX_INCLUDE(ox_prefab));
        break;
    default:
        query = ox_query_create(run->world, OX_READ(KindsPlain));
        break;
    }
    run->queries[number] = query;
}

static void make_world_of(program_run *run) {
    run->world = ox_world_create(
        &(ox_world_def){.name = "program",
                        .entity_limit = run->program.def.entity_limit,
                        .removal = run->program.def.swaps ? OX_REMOVAL_SWAP : OX_REMOVAL_ORDERED,
                        .on_report = {receive, run}});
    for (int k = 0; k < PROGRAM_QUERIES; k++) {
        make_query(run, k);
    }
    for (int k = 0; k < PROGRAM_SETS; k++) {
        uint32_t ids[PROGRAM_COMPONENTS];
        int count = 0;
        for (int n = 0; n < PROGRAM_COMPONENTS; n++) {
            if (program_sets[k] >> n & 1) {
                ids[count++] = program_ids[n];
            }
        }
        run->sets[k] = ox_archetype_of_at(run->world, ids, count, OX_HERE);
    }
}

// Rounds.

static uint32_t mask_of_entity(const program_run *run, ox_entity entity) {
    uint32_t mask = 0;
    for (int k = 0; k < PROGRAM_COMPONENTS; k++) {
        mask |= ox_has_id(run->world, entity, program_ids[k]) ? 1u << k : 0;
    }
    return mask;
}

// Those that are alive, and some that are not.
static void compact_known(program_run *run) {
    program *self = &run->program;
    int kept = 0;
    for (int k = self->known_count > KEPT_KNOWN ? self->known_count - KEPT_KNOWN : 0;
         k < self->known_count; k++) {
        ox_entity entity = self->known[k].entity;
        if (ox_entity_exists(run->world, entity) || k % 16 == 0) {
            self->known[kept++] = (program_known){entity, mask_of_entity(run, entity)};
        }
    }
    self->known_count = kept;
}

static uint64_t digest(uint64_t seed, uint64_t number) {
    return oxi_hash_mix(seed * 31 + number);
}

// For who looks for a difference: OX_PROGRAM_TRACE names a file for each way.
static void print_round(const program_run *run) {
    char path[1000];
    const char *folder = getenv("OX_PROGRAM_TRACE");
    if (folder == NULL) {
        return;
    }
    snprintf(path, sizeof path, "%s.%d", folder, (int)run->way);
    FILE *file = fopen(path, run->trace->count == 0 ? "w" : "a");
    for (int k = 0; file != NULL && k < run->program.count; k++) {
        int number = run->program.order[k];
        const program_op *op = &run->program.ops[number];
        ox_entity target = op->target.op >= 0 ? run->made[op->target.op] : op->target.entity;
        fprintf(file,
                "%d.%d: at %d.%d key %d kind %d component %d mask %x target %u:%u change %d made "
                "%u:%u %s\n",
                run->trace->count, k, op->phase, op->index, op->key, (int)op->kind, op->component,
                op->mask, target.index, target.version, (int)op->change, run->made[number].index,
                run->made[number].version, ox_report_code(run->causes[k]));
    }
    if (file != NULL) {
        fclose(file);
    }
}

static void keep_round(program_run *run) {
    print_round(run);
    program_round *round = &run->trace->rounds[run->trace->count];
    *round = (program_round){.hash = ox_world_hash(run->world),
                             .layout = ox_world_hash_layout(run->world),
                             .ops = (uint64_t)run->program.count};
    for (int k = 0; k < run->program.count; k++) {
        ox_entity made = run->made[k];
        round->ids = digest(round->ids, (uint64_t)made.index << 32 | made.version);
        round->causes = digest(round->causes, (uint64_t)run->causes[k]);
        round->failed += run->causes[k] != OX_REPORT_NONE;
        if (made.version != 0) {
            program_know(&run->program, made, 0);
        }
    }
    PROGRAM_CHECK(run, ox_world_validate(run->world));
    run->trace->count++;
}

static void run_round(program_run *run) {
    compact_known(run);
    program_make_round(&run->program);
    size_t count = (size_t)run->program.count + 1;
    run->made = calloc(count, sizeof *run->made);
    run->temporary = calloc(count, sizeof *run->temporary);
    run->causes = calloc(count, sizeof *run->causes);
    if (run->way == PROGRAM_DIRECTLY) {
        ox_query_destroy(run->queries[PROGRAM_QUERIES - 1]);
        run->queries[PROGRAM_QUERIES - 1] = NULL;
        program_apply(run);
    } else {
        program_play(run);
    }
    make_query(run, PROGRAM_QUERIES - 1);
    if (run->hooks != NULL && run->hooks->after_round != NULL) {
        run->hooks->after_round(run);
    }
    keep_round(run);
    free(run->made);
    free(run->temporary);
    free(run->causes);
}

static void end_run(program_run *run) {
    run->way = PROGRAM_DIRECTLY;
    for (int k = 0; k < NEXT_IDS; k++) {
        ox_entity next = ox_entity_create(run->world);
        run->trace->next_ids =
            digest(run->trace->next_ids, (uint64_t)next.index << 32 | next.version);
    }
    ox_world_destroy(run->world);
    ox_world_destroy(run->rows);
    program_destroy(&run->program);
}

static void run_program(program_run *run, const program_def *def, program_way way,
                        uint64_t partition, const program_hooks *hooks, program_trace *trace) {
    *run = (program_run){.way = way, .partition = oxi_random_seed(partition), .trace = trace};
    *trace = (program_trace){0};
    program_register();
    program_create(&run->program, def);
    make_world_of(run);
    // A temporary id that belongs to nobody: its buffer is gone, and stamps come round once in
    // 2^24.
    run->program.foreign = (ox_entity){UINT32_C(1) << 31 | UINT32_C(0xffffff) << 7, 1};
    for (int k = 0; k < def->rounds && trace->failure[0] == 0; k++) {
        bool is_hooked = hooks != NULL && (hooks->in_all_rounds || k + 1 == def->rounds);
        run->hooks = is_hooked ? hooks : NULL;
        run_round(run);
    }
    end_run(run);
}

void program_run_all(program_run *run, const program_def *def, program_way way, uint64_t partition,
                     program_trace *trace) {
    run_program(run, def, way, partition, NULL, trace);
}

void program_run_hooked(program_run *run, const program_def *def, program_way way,
                        const program_hooks *hooks, program_trace *trace) {
    run_program(run, def, way, 0, hooks, trace);
}
