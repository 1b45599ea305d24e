// SPDX-License-Identifier: MIT
//
// A program by ordinary calls, one by one. What a call reports is why the command must fail.

#include "commands/program_run.h"

#include <string.h>

// What a command with a lost id in its values fails for, when nothing else is in its way.
static ox_report_id judge_lost(const ox_world *world, const program_op *op, ox_entity entity,
                               ox_report_id lost) {
    uint32_t both = 1u << PROGRAM_HUGE | 1u << PROGRAM_VAST, given = 1u << op->component;
    bool adds =
        op->kind == PROGRAM_ADD || (op->kind == PROGRAM_BUFFER && op->change == OX_BUFFER_ADD);
    if (op->kind == PROGRAM_CREATE_WITH || op->kind == PROGRAM_ADD_MANY) {
        given = op->mask;
        adds = true;
    }
    if (op->kind != PROGRAM_CREATE_WITH) {
        if (ox_entity_is_temporary(entity)) {
            return OX_REPORT_TEMPORARY_ENTITY;
        }
        if (!ox_entity_exists(world, entity)) {
            return OX_REPORT_STALE_ENTITY;
        }
        given |= ox_has(world, entity, ProgramHuge) ? 1u << PROGRAM_HUGE : 0;
        given |= ox_has(world, entity, ProgramVast) ? 1u << PROGRAM_VAST : 0;
        bool is_there = ox_has_id(world, entity, program_ids[op->component]);
        if (adds && ox_has(world, entity, ox_destroyed) &&
            (op->kind != PROGRAM_BUFFER || !is_there)) {
            return OX_REPORT_RESIDUE;
        }
        if (!adds && !is_there) {
            return OX_REPORT_NO_COMPONENT;
        }
    }
    return adds && (given & both) == both ? OX_REPORT_ARCHETYPE_TOO_LARGE : lost;
}

static void change_buffer(ox_world *world, const program_op *op, ox_entity entity,
                          const unsigned char *elements) {
    uint32_t id = program_ids[op->component];
    uint32_t size = kinds_components[op->component].size;
    ox_buffer buffer = op->change == OX_BUFFER_ADD
                           ? ox_add_buffer_at(world, entity, id, OX_HERE)
                           : ox_get_buffer_at(world, entity, id, true, OX_HERE);
    if (!ox_buffer_is_created(buffer)) {
        return;
    }
    if (op->change != OX_BUFFER_APPEND) {
        ox_buffer_clear(buffer);
    }
    ox_buffer_push_many_at(buffer, (ox_buffer_values){elements, op->number, size}, OX_HERE);
}

static void change_by_query(ox_query *query, const program_op *op, const unsigned char *value) {
    uint32_t id = program_ids[op->component];
    switch (op->kind) {
    case PROGRAM_QUERY_ADD:
        ox_query_add_at(query, id, OX_HERE);
        break;
    case PROGRAM_QUERY_REMOVE:
        ox_query_remove_at(query, id, OX_HERE);
        break;
    case PROGRAM_QUERY_SET_SHARED:
        ox_query_set_shared_at(query, id, value, OX_HERE);
        break;
    default:
        ox_query_destroy_entities(query);
        break;
    }
}

// Calls with a target that stands for something.
static void change_target(ox_world *world, const program_op *op, ox_entity entity,
                          const unsigned char *value, const ox_value *values, int count) {
    uint32_t id = program_ids[op->component];
    switch (op->kind) {
    case PROGRAM_DESTROY:
        if (ox_entity_exists(world, entity) || ox_entity_is_temporary(entity)) {
            ox_entity_destroy(world, entity);
        }
        break;
    case PROGRAM_ADD:
        ox_add_at(world, entity, id, program_gives_value(op) ? value : NULL, OX_HERE);
        break;
    case PROGRAM_ADD_MANY:
        ox_add_many_at(world, entity, values, count, OX_HERE);
        break;
    case PROGRAM_SET:
        ox_set_at(world, entity, id, value, OX_HERE);
        break;
    case PROGRAM_REMOVE:
        ox_remove_many_at(world, entity, &id, 1, OX_HERE);
        break;
    case PROGRAM_SWITCH:
        ox_set_enabled_at(world, entity, id, op->is_on, OX_HERE);
        break;
    case PROGRAM_BUFFER:
        change_buffer(world, op, entity, value);
        break;
    default:
        ox_entity_set_enabled(world, entity, op->is_on);
        break;
    }
}

void program_apply_op(program_run *run, int place) {
    int number = run->program.order[place];
    const program_op *op = &run->program.ops[number];
    _Alignas(64) static unsigned char memory[PROGRAM_VALUES];
    ox_value values[PROGRAM_COMPONENTS];
    program_scope scope = {&run->program, run->made, OX_REPORT_NONE}, aim = scope;
    bool has_target = op->kind >= PROGRAM_INSTANTIATE && op->kind < PROGRAM_QUERY_ADD;
    ox_entity entity = has_target ? program_resolve(&aim, op->target) : (ox_entity){0, 0};
    int count = 0;
    if (op->kind == PROGRAM_CREATE_WITH || op->kind == PROGRAM_ADD_MANY) {
        count = program_list_values(&scope, op, values, memory);
    } else if (op->kind == PROGRAM_SET || (op->kind == PROGRAM_ADD && program_gives_value(op))) {
        program_fill(&scope, op, op->component, 1, memory);
    } else if (op->kind == PROGRAM_BUFFER) {
        program_fill(&scope, op, op->component, op->number, memory);
    } else if (op->kind == PROGRAM_QUERY_SET_SHARED) {
        program_fill(&scope, op, op->component, 1, memory);
    }
    run->first_report = OX_REPORT_NONE;
    if (aim.lost != OX_REPORT_NONE) {
        run->first_report = op->kind == PROGRAM_DESTROY ? OX_REPORT_NONE : OX_REPORT_STALE_ENTITY;
    } else if (scope.lost != OX_REPORT_NONE) {
        run->first_report = judge_lost(run->world, op, entity, scope.lost);
    } else if (op->kind == PROGRAM_CREATE) {
        run->made[number] = ox_entity_create(run->world);
    } else if (op->kind == PROGRAM_CREATE_WITH) {
        run->made[number] = ox_entity_create_at(run->world, values, count, OX_HERE);
    } else if (op->kind == PROGRAM_CREATE_IN) {
        run->made[number] = ox_entity_create_in(run->world, run->sets[op->number % PROGRAM_SETS]);
    } else if (op->kind == PROGRAM_INSTANTIATE) {
        run->made[number] = ox_entity_instantiate(run->world, entity);
    } else if (has_target) {
        change_target(run->world, op, entity, memory, values, count);
    } else if (run->queries[op->query] != NULL) {
        change_by_query(run->queries[op->query], op, memory);
    } else {
        run->first_report = OX_REPORT_FOREIGN_HANDLE;
    }
    run->causes[place] = run->first_report;
}

void program_apply(program_run *run) {
    for (int k = 0; k < run->program.count; k++) {
        if (run->hooks != NULL && run->hooks->before_op != NULL) {
            run->hooks->before_op(run, k);
        }
        program_apply_op(run, k);
        if (run->hooks != NULL && run->hooks->after_op != NULL) {
            run->hooks->after_op(run, k);
        }
    }
}
