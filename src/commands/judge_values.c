// SPDX-License-Identifier: MIT
//
// Temporary ids in the values of commands. A command is played back as it was recorded, maybe more
// than once, so what temporary ids became is written into a copy.

#include "commands/judge.h"

// The value, or elements, of a component in a command.
typedef struct carried_values {
    const ox_component_info *info;
    size_t offset; // from the head
    uint32_t count;
} carried_values;

static uint32_t count_carried(const oxi_command *command) {
    bool is_list = command->kind == OXI_COMMAND_CREATE || command->kind == OXI_COMMAND_ADD_MANY;
    return is_list ? command->item_count : 1;
}

static carried_values get_carried(const oxi_command *command, uint32_t index) {
    OXI_ASSERT(index < count_carried(command));
    if (command->kind == OXI_COMMAND_BUFFER) {
        return (carried_values){ox_component_get_info(command->component),
                                sizeof *command + sizeof(uint64_t),
                                oxi_command_element_count(command)};
    }
    if (command->kind == OXI_COMMAND_CREATE || command->kind == OXI_COMMAND_ADD_MANY) {
        const oxi_command_item *item = &oxi_command_items(command)[index];
        return (carried_values){ox_component_get_info(item->component), item->offset,
                                item->has_value};
    }
    return (carried_values){ox_component_get_info(command->component), sizeof *command,
                            oxi_command_value(command) != NULL};
}

// The next entity field at or behind `at`, a count of fields through all elements; NULL: no more.
static char *entity_field(char *command, const carried_values *values, uint64_t at) {
    uint32_t fields = values->info->entity_count;
    if (fields == 0 || at >= (uint64_t)values->count * fields) {
        return NULL;
    }
    OXI_ASSERT(values->offset + (size_t)values->count * values->info->size <=
               ((const oxi_command *)(const void *)command)->size);
    return command + values->offset + (size_t)(at / fields) * values->info->size +
           values->info->entity_offsets[at % fields];
}

static ox_entity load_entity(const char *field) {
    ox_entity entity;
    memcpy(&entity, field, sizeof entity);
    return entity;
}

static bool has_temporaries(const oxi_command *command) {
    for (uint32_t k = 0; k < count_carried(command); k++) {
        carried_values values = get_carried(command, k);
        const char *field;
        for (uint64_t at = 0;
             (field = entity_field((char *)(uintptr_t)command, &values, at)) != NULL; at++) {
            if (ox_entity_is_temporary(load_entity(field))) {
                return true;
            }
        }
    }
    return false;
}

// Resolves all fields of a copy. @return why not: one stands for nothing.
static ox_report_id resolve_copy(const oxi_judging *judging, oxi_command *copy) {
    ox_report_id cause = OX_REPORT_NONE;
    for (uint32_t k = 0; k < count_carried(copy); k++) {
        carried_values values = get_carried(copy, k);
        char *field;
        for (uint64_t at = 0; (field = entity_field((char *)copy, &values, at)) != NULL; at++) {
            ox_entity entity = load_entity(field);
            if (!ox_entity_is_temporary(entity)) {
                continue;
            }
            if (!oxi_judge_resolve(judging->commands, &entity, &cause)) {
                return cause;
            }
            memcpy(field, &entity, sizeof entity);
        }
    }
    return OX_REPORT_NONE;
}

oxi_judgement oxi_judge_values(oxi_judging *judging, const oxi_command **command) {
    if (!has_temporaries(*command)) {
        return OXI_JUDGE_ON;
    }
    oxi_command *copy = oxi_window_alloc(judging, (*command)->size, OXI_COMMAND_ALIGN);
    if (copy == NULL) {
        return OXI_JUDGE_STOPS;
    }
    memcpy(copy, *command, (*command)->size);
    ox_report_id cause = resolve_copy(judging, copy);
    if (cause != OX_REPORT_NONE) {
        return oxi_judge_fail(judging, cause, (*command)->entity);
    }
    *command = copy;
    return OXI_JUDGE_ON;
}
