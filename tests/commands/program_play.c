// SPDX-License-Identifier: MIT
//
// A program through commands: recorded on main, or by main and jobs of all kinds with any batch.

#include "commands/program_run.h"

#include "commands/command.h"
#include "oxbow/entity_jobs.h"

#include <string.h>

OX_COMPONENT(ProgramRow, {
    int32_t index;
    unsigned char bytes[1000]; // 16 rows fill a chunk
});

static void record_entity(ox_commands commands, const program_op *op, ox_entity entity,
                          const unsigned char *value, const ox_value *values, int count) {
    uint32_t id = program_ids[op->component];
    switch (op->kind) {
    case PROGRAM_DESTROY:
        ox_commands_destroy_entity(commands, entity);
        break;
    case PROGRAM_ADD:
        ox_commands_add_at(commands, entity, id, program_gives_value(op) ? value : NULL, OX_HERE);
        break;
    case PROGRAM_ADD_MANY:
        ox_commands_add_many_at(commands, entity, values, count, OX_HERE);
        break;
    case PROGRAM_SET:
        ox_commands_set_at(commands, entity, id, value, OX_HERE);
        break;
    case PROGRAM_REMOVE:
        ox_commands_remove_at(commands, entity, id, OX_HERE);
        break;
    case PROGRAM_SWITCH:
        ox_commands_set_enabled_at(commands, entity, id, op->is_on, OX_HERE);
        break;
    case PROGRAM_BUFFER:
        ox_commands_change_buffer_at(commands, entity, id, op->change, value, op->number, OX_HERE);
        break;
    default:
        ox_commands_set_entity_enabled(commands, entity, op->is_on);
        break;
    }
}

static void record_query(ox_commands commands, const program_op *op, ox_query *query,
                         const unsigned char *value) {
    uint32_t id = program_ids[op->component];
    switch (op->kind) {
    case PROGRAM_QUERY_ADD:
        ox_commands_query_add_at(commands, query, id, OX_HERE);
        break;
    case PROGRAM_QUERY_REMOVE:
        ox_commands_query_remove_at(commands, query, id, OX_HERE);
        break;
    case PROGRAM_QUERY_SET_SHARED:
        ox_commands_query_set_shared_at(commands, query, id, value, OX_HERE);
        break;
    default:
        ox_commands_query_destroy_entities(commands, query);
        break;
    }
}

// Any thread: an op writes its own slot, and reads those of ops that were recorded before.
static void record_op(program_run *run, ox_commands commands, int number) {
    const program_op *op = &run->program.ops[number];
    _Alignas(64) unsigned char memory[PROGRAM_VALUES];
    ox_value values[PROGRAM_COMPONENTS];
    program_scope scope = {&run->program, run->temporary, OX_REPORT_NONE};
    bool has_target = op->kind >= PROGRAM_INSTANTIATE && op->kind < PROGRAM_QUERY_ADD;
    ox_entity entity = has_target ? program_resolve(&scope, op->target) : (ox_entity){0, 0};
    ox_entity made = {0, 0};
    int count = 0;
    if (op->kind == PROGRAM_CREATE_WITH || op->kind == PROGRAM_ADD_MANY) {
        count = program_list_values(&scope, op, values, memory);
    } else if (op->kind == PROGRAM_SET || op->kind == PROGRAM_QUERY_SET_SHARED ||
               (op->kind == PROGRAM_ADD && program_gives_value(op))) {
        program_fill(&scope, op, op->component, 1, memory);
    } else if (op->kind == PROGRAM_BUFFER) {
        program_fill(&scope, op, op->component, op->number, memory);
    }
    if (op->kind == PROGRAM_CREATE) {
        made = ox_commands_create_entity(commands);
    } else if (op->kind == PROGRAM_CREATE_WITH) {
        made = ox_commands_create_entity_at(commands, values, count, OX_HERE);
    } else if (op->kind == PROGRAM_CREATE_IN) {
        made = ox_commands_create_entity_in(commands, run->sets[op->number % PROGRAM_SETS]);
    } else if (op->kind == PROGRAM_INSTANTIATE) {
        made = ox_commands_instantiate(commands, entity);
    } else if (has_target) {
        record_entity(commands, op, entity, memory, values, count);
    } else {
        record_query(commands, op, run->queries[op->query], memory);
    }
    if (op->kind <= PROGRAM_INSTANTIATE) {
        if (run->way == PROGRAM_IN_ORDER && (made.index != run->temporary[number].index ||
                                             made.version != run->temporary[number].version)) {
            program_note(run, "a temporary id is another one than expected");
        }
        run->temporary[number] = made;
    }
}

// On main, in the order of playback. Temporary ids are known before: a command may name one that a
// later command makes.
static void record_in_order(program_run *run, ox_commands commands) {
    uint32_t index = UINT32_C(1) << 31 | commands.oxi_state->stamp << OXI_LANE_BITS | OXI_MAIN_LANE;
    uint32_t created = 0;
    for (int k = 0; k < run->program.count; k++) {
        int number = run->program.order[k];
        if (run->program.ops[number].kind <= PROGRAM_INSTANTIATE) {
            run->temporary[number] = (ox_entity){index, ++created};
        }
    }
    for (int k = 0; k < run->program.count; k++) {
        record_op(run, commands, run->program.order[k]);
    }
}

// By jobs.

static void record_index(program_run *run, ox_commands commands, int phase, int index) {
    const program_phase *part = &run->program.phases[phase];
    for (int k = part->starts[index]; k < part->starts[index + 1]; k++) {
        int32_t key = run->program.ops[k].key;
        record_op(run, key != 0 ? ox_commands_at_key(commands, key) : commands, k);
    }
}

OX_JOB(RecordAll, {
    ox_commands commands;
    OX_NO_SAFETY program_run *run;
    int phase;
}) {
    for (int k = 0; k < job->run->program.phases[job->phase].index_count; k++) {
        record_index(job->run, job->commands, job->phase, k);
    }
}

OX_PARALLEL_JOB(RecordEach, {
    ox_commands commands;
    OX_NO_SAFETY program_run *run;
    int phase;
}) {
    record_index(job->run, job->commands, job->phase, i);
}

OX_RANGE_JOB(RecordRange, {
    ox_commands commands;
    OX_NO_SAFETY program_run *run;
    int phase;
}) {
    for (int k = begin; k < end; k++) {
        record_index(job->run, job->commands, job->phase, k);
    }
}

OX_ENTITY_JOB(RecordRow, (OX_READ(ProgramRow, row)), {
    ox_commands commands;
    OX_NO_SAFETY program_run *run;
    int phase;
}) {
    if (row->index < job->run->program.phases[job->phase].index_count) {
        record_index(job->run, job->commands, job->phase, row->index);
    }
}

OX_CHUNK_JOB(RecordChunk, (OX_READ(ProgramRow, rows)), {
    ox_commands commands;
    OX_NO_SAFETY program_run *run;
    int phase;
}) {
    for (int k = 0; k < count; k++) {
        if (rows[k].index < job->run->program.phases[job->phase].index_count) {
            record_index(job->run, job->commands, job->phase, rows[k].index);
        }
    }
}

static ox_job schedule_phase(program_run *run, ox_commands commands, int phase) {
    int count = run->program.phases[phase].index_count;
    int batch = 1 + (int)oxi_random_below(&run->partition, (uint64_t)count);
    batch = oxi_random_bool(&run->partition) ? 1 : batch;
    switch (oxi_random_below(&run->partition, 5)) {
    case 0:
        return ox_schedule(RecordAll, OX_NO_JOB, {commands, run, phase});
    case 1:
        return ox_schedule_for(RecordEach, count, batch, OX_NO_JOB, {commands, run, phase});
    case 2:
        return ox_schedule_for(RecordRange, count, batch, OX_NO_JOB, {commands, run, phase});
    case 3:
        return ox_schedule_entities(RecordRow, ox_world_get_root(run->rows), OX_AUTO,
                                    {commands, run, phase});
    default:
        return ox_schedule_entities(RecordChunk, ox_world_get_root(run->rows), OX_AUTO,
                                    {commands, run, phase});
    }
}

static void make_rows(program_run *run) {
    run->rows = ox_world_create(NULL);
    for (int k = 0; k < PROGRAM_ALONE; k++) {
        ox_entity_create(run->rows, OX_VALUE(ProgramRow, {.index = k}));
    }
}

static void record_by_jobs(program_run *run, ox_commands commands) {
    if (run->rows == NULL) {
        make_rows(run);
    }
    for (int k = 0; k < run->program.phase_count; k++) {
        if (run->program.phases[k].is_job) {
            ox_complete(schedule_phase(run, commands, k));
        } else {
            record_index(run, commands, k, 0);
        }
    }
}

// What temporary ids became.
static void read_made(program_run *run, ox_commands commands) {
    for (int k = 0; k < run->program.count; k++) {
        ox_entity temporary = run->temporary[k];
        if (temporary.version != 0) {
            uint32_t index = temporary.index & ((1u << OXI_LANE_BITS) - 1);
            run->made[k] =
                oxi_commands_lane(commands.oxi_state, index)->made.items[temporary.version - 1];
        }
    }
}

void program_play(program_run *run) {
    ox_commands commands = ox_commands_create(run->world, &(ox_commands_def){.name = "program"});
    if (run->way == PROGRAM_IN_ORDER) {
        record_in_order(run, commands);
    } else {
        record_by_jobs(run, commands);
    }
    PROGRAM_CHECK(run, run->other_reports == 0);
    PROGRAM_CHECK(run, ox_commands_get_info(commands).count == (uint64_t)run->program.count);
    int last = PROGRAM_QUERIES - 1;
    ox_query_destroy(run->queries[last]);
    run->queries[last] = NULL;
    if (run->hooks != NULL && run->hooks->playback != NULL) {
        PROGRAM_CHECK(run, run->hooks->playback(run, commands));
    } else {
        PROGRAM_CHECK(run, ox_commands_playback(commands));
    }
    PROGRAM_CHECK(run, ox_commands_get_info(commands).played == (uint64_t)run->program.count);
    run->used_jobs += ox_commands_get_info(commands).jobs;
    read_made(run, commands);
    ox_commands_dispose(&commands);
    PROGRAM_CHECK(run, run->other_reports == 0);
}
