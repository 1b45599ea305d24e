// SPDX-License-Identifier: MIT
//
// Judging commands one after the other.

#include "commands/judge.h"

#include "entities/kinds.h"
#include "storage/kind_rows.h"
#include "types/kinds.h"

// Looks at the entity of a command.
static oxi_judgement look_at_entity(oxi_judging *judging, ox_entity entity, oxi_looked *looked) {
    ox_report_id cause;
    if (ox_entity_is_temporary(entity) && !oxi_judge_resolve(judging->commands, &entity, &cause)) {
        return oxi_judge_fail(judging, cause, entity);
    }
    if (!oxi_judge_look(judging, entity, looked)) {
        return oxi_judge_fail(judging, OX_REPORT_STALE_ENTITY, entity);
    }
    return OXI_JUDGE_ON;
}

static oxi_judgement judge_create(oxi_judging *judging, const oxi_command *command) {
    oxi_signature *signature = oxi_signature_get(judging, NULL, command);
    if (signature == NULL) {
        return OXI_JUDGE_STOPS;
    }
    if (signature->to == NULL) {
        return oxi_judge_fail(judging, OX_REPORT_ARCHETYPE_TOO_LARGE, command->entity);
    }
    const oxi_command *taken = command;
    if (signature->has_entities) {
        oxi_judgement judgement = oxi_judge_values(judging, &taken);
        if (judgement != OXI_JUDGE_ON) {
            return judgement;
        }
    }
    oxi_outcome outcome = oxi_entity_reserve(&judging->world->store.entities, 1);
    if (outcome == OXI_AT_LIMIT) {
        return oxi_judge_fail(judging, OX_REPORT_ENTITY_LIMIT, command->entity);
    }
    if (outcome != OXI_DONE) {
        return OXI_JUDGE_STOPS;
    }
    oxi_touched *touched = oxi_judge_make(judging, signature->to);
    touched->flags = signature->flags;
    oxi_judge_name(judging, command->entity, touched->entity);
    if (command->item_count > 0 || oxi_signature_is_kept(&judging->judged, signature)) {
        oxi_judge_begin(judging, touched, signature, taken);
    }
    oxi_judge_creates(judging, signature);
    return OXI_JUDGE_ON;
}

static oxi_judgement judge_add(oxi_judging *judging, const oxi_command *command) {
    oxi_looked looked;
    oxi_judgement judgement = look_at_entity(judging, command->entity, &looked);
    if (judgement != OXI_JUDGE_ON) {
        return judgement;
    }
    if (looked.archetype->is_residue) {
        return oxi_judge_fail(judging, OX_REPORT_RESIDUE, looked.entity);
    }
    oxi_signature *signature = oxi_signature_get(judging, looked.archetype, command);
    if (signature == NULL) {
        return OXI_JUDGE_STOPS;
    }
    if (signature->to == NULL) {
        return oxi_judge_fail(judging, OX_REPORT_ARCHETYPE_TOO_LARGE, looked.entity);
    }
    const oxi_command *taken = command;
    if (signature->has_entities) {
        judgement = oxi_judge_values(judging, &taken);
        if (judgement != OXI_JUDGE_ON) {
            return judgement;
        }
    }
    bool is_first = looked.touched == OXI_NO_TOUCH;
    oxi_touched *touched = oxi_judge_touch(judging, &looked);
    touched->to = signature->to;
    touched->flags |= signature->flags;
    if (!is_first) {
        oxi_judge_add(judging, touched, taken);
        return OXI_JUDGE_ON;
    }
    oxi_judge_begin(judging, touched, signature, taken);
    oxi_judge_adds(judging, signature);
    return OXI_JUDGE_ON;
}

// Looks at the entity of a command about a component that must be there.
static oxi_judgement look_at_present(oxi_judging *judging, const oxi_command *command,
                                     oxi_looked *looked) {
    oxi_judgement judgement = look_at_entity(judging, command->entity, looked);
    if (judgement != OXI_JUDGE_ON) {
        return judgement;
    }
    if (!oxi_judge_has(judging, looked->archetype, command->component)) {
        return oxi_judge_fail(judging, OX_REPORT_NO_COMPONENT, looked->entity);
    }
    return OXI_JUDGE_ON;
}

static uint8_t shared_flag(const ox_component_info *info) {
    return oxi_kind_of(info)->in_lane ? OXI_TOUCH_SHARED : 0;
}

// Sets and switches what must be there.
static oxi_judgement judge_present(oxi_judging *judging, const oxi_command *command) {
    oxi_looked looked;
    const oxi_command *taken = command;
    const ox_component_info *info = ox_component_get_info(command->component);
    oxi_judgement judgement = look_at_present(judging, command, &looked);
    if (judgement == OXI_JUDGE_ON && command->kind == OXI_COMMAND_SET && info->entity_count > 0) {
        judgement = oxi_judge_values(judging, &taken);
    }
    if (judgement != OXI_JUDGE_ON) {
        return judgement;
    }
    oxi_touched *touched = oxi_judge_touch(judging, &looked);
    touched->flags |= shared_flag(info);
    oxi_judge_add(judging, touched, taken);
    return OXI_JUDGE_ON;
}

static oxi_judgement judge_remove(oxi_judging *judging, const oxi_command *command) {
    oxi_looked looked;
    oxi_judgement judgement = look_at_present(judging, command, &looked);
    if (judgement != OXI_JUDGE_ON) {
        return judgement;
    }
    oxi_archetype *before = looked.archetype;
    if (oxi_residue_ends(before, 1)) {
        oxi_judge_touch(judging, &looked);
        oxi_judge_end(judging, looked.touched);
        return OXI_JUDGE_ON;
    }
    oxi_outcome outcome;
    oxi_archetype *after = oxi_archetype_ask_change(&judging->world->store, before,
                                                    command->component, OXI_EDGE_REMOVES, &outcome);
    if (after == NULL) {
        return OXI_JUDGE_STOPS;
    }
    oxi_touched *touched = oxi_judge_touch(judging, &looked);
    touched->to = after;
    touched->flags |= shared_flag(ox_component_get_info(command->component));
    if (command->component == judging->world->ids.linked) {
        touched->flags |= OXI_TOUCH_LINKED;
    }
    oxi_judge_add(judging, touched, command);
    return OXI_JUDGE_ON;
}

// What an entity becomes that gets a buffer, unless it has it.
static oxi_judgement find_with_buffer(oxi_judging *judging, const oxi_command *command,
                                      oxi_looked *looked) {
    oxi_judgement judgement = look_at_entity(judging, command->entity, looked);
    if (judgement != OXI_JUDGE_ON) {
        return judgement;
    }
    if (oxi_judge_has(judging, looked->archetype, command->component)) {
        return OXI_JUDGE_ON;
    }
    if (command->flags != OX_BUFFER_ADD) {
        return oxi_judge_fail(judging, OX_REPORT_NO_COMPONENT, looked->entity);
    }
    if (looked->archetype->is_residue) {
        return oxi_judge_fail(judging, OX_REPORT_RESIDUE, looked->entity);
    }
    oxi_outcome outcome;
    looked->archetype = oxi_archetype_ask_change(&judging->world->store, looked->archetype,
                                                 command->component, OXI_EDGE_ADDS, &outcome);
    if (outcome == OXI_AT_LIMIT) {
        return oxi_judge_fail(judging, OX_REPORT_ARCHETYPE_TOO_LARGE, looked->entity);
    }
    return looked->archetype != NULL ? OXI_JUDGE_ON : OXI_JUDGE_STOPS;
}

static oxi_judgement judge_buffer(oxi_judging *judging, const oxi_command *command) {
    oxi_looked looked;
    const oxi_command *taken = command;
    oxi_judgement judgement = find_with_buffer(judging, command, &looked);
    if (judgement == OXI_JUDGE_ON && ox_component_get_info(command->component)->entity_count > 0) {
        judgement = oxi_judge_values(judging, &taken);
    }
    if (judgement != OXI_JUDGE_ON) {
        return judgement;
    }
    oxi_touched *touched = oxi_judge_touch(judging, &looked);
    touched->to = looked.archetype;
    touched->flags |= OXI_TOUCH_BUFFERS;
    if (command->component == judging->world->ids.linked) {
        touched->flags |= OXI_TOUCH_LINKED;
    }
    oxi_judge_add(judging, touched, taken);
    return OXI_JUDGE_ON;
}

static oxi_judgement judge_command(oxi_judging *judging, const oxi_command *command) {
    switch (command->kind) {
    case OXI_COMMAND_CREATE:
        return judge_create(judging, command);
    case OXI_COMMAND_ADD:
    case OXI_COMMAND_ADD_MANY:
        return judge_add(judging, command);
    case OXI_COMMAND_DESTROY:
        return oxi_judge_destroy(judging, command);
    case OXI_COMMAND_SET:
    case OXI_COMMAND_SWITCH:
        return judge_present(judging, command);
    case OXI_COMMAND_REMOVE:
        return judge_remove(judging, command);
    case OXI_COMMAND_BUFFER:
        return judge_buffer(judging, command);
    case OXI_COMMAND_INSTANTIATE:
        return oxi_judge_instantiate(judging, command);
    default:
        return OXI_JUDGE_ENDS;
    }
}

// Records say again where entities are; those of new ones say it when they have a row.
static void clear_touch_marks(const oxi_judging *judging) {
    const oxi_judged *judged = &judging->judged;
    oxi_record *records = judging->world->store.entities.records;
    for (size_t k = 0; judged->has_touched && k < judged->touched.count; k++) {
        const oxi_touched *touched = &judged->touched.items[k];
        if (touched->to != NULL && (touched->flags & OXI_TOUCH_NEW) == 0) {
            records[touched->entity.index].row = touched->place.row;
        }
    }
}

oxi_judgement oxi_window_judge(oxi_judging *judging, const oxi_commands *commands, uint32_t most) {
    oxi_judged *judged = &judging->judged;
    OXI_ASSERT(judged->touched.count == 0); // the last one is forgotten
    judging->commands = commands;
    judging->left = most;
    judged->cursor = commands->cursor;
    if (!oxi_judge_reserve(judging, 0)) {
        return OXI_JUDGE_STOPS;
    }
    oxi_judgement judgement = OXI_JUDGE_ON;
    while (judged->count < most && judged->cursor.at != NULL) {
        judgement = judge_command(judging, judged->cursor.at);
        if (judgement == OXI_JUDGE_ENDS || judgement == OXI_JUDGE_STOPS) {
            break;
        }
        oxi_cursor_next(commands, &judged->cursor);
        judged->count = (uint32_t)(judged->cursor.index - commands->cursor.index);
        OXI_ASSERT(judged->count <= most);
        judging->left = most - judged->count;
    }
    clear_touch_marks(judging);
    return judgement;
}

// Memory of a window.

enum { LEAST_ARENA_BLOCK = 16 * 1024, ARENA_ALIGN = 64 };

typedef struct oxi_arena_block {
    struct oxi_arena_block *next;
    size_t size; // of the whole block
    size_t used;
} oxi_arena_block;

void *oxi_window_alloc(oxi_judging *judging, size_t size, size_t align) {
    oxi_arena_block *block = judging->arena;
    size_t at = block != NULL ? (block->used + align - 1) / align * align : 0;
    if (block == NULL || at > block->size || size > block->size - at) {
        size_t least = sizeof *block + ARENA_ALIGN + size;
        size_t whole = least > LEAST_ARENA_BLOCK ? least : LEAST_ARENA_BLOCK;
        oxi_arena_block *added = oxi_heap_alloc(whole, ARENA_ALIGN);
        if (added == NULL) {
            return NULL;
        }
        *added = (oxi_arena_block){block, whole, sizeof *added};
        judging->arena = block = added;
        at = (block->used + align - 1) / align * align;
    }
    block->used = at + size;
    OXI_ASSERT(block->used <= block->size);
    return (char *)block + at;
}

// Frees all blocks but one.
static void clear_arena(oxi_judging *judging, bool keeps_one) {
    oxi_arena_block *block = judging->arena;
    while (block != NULL && (block->next != NULL || !keeps_one)) {
        oxi_arena_block *next = block->next;
        oxi_heap_free(block, block->size, ARENA_ALIGN);
        block = next;
    }
    if (block != NULL) {
        block->used = sizeof *block;
    }
    judging->arena = block;
}

// clang-format off
#define EACH_JUDGED_LIST(DO, judged)                                                               \
    DO(&(judged)->touched); DO(&(judged)->several); DO(&(judged)->ops);                            \
    DO(&(judged)->signatures); DO(&(judged)->ids); DO(&(judged)->copies);                          \
    DO(&(judged)->members); DO(&(judged)->patches); DO(&(judged)->failures)
// clang-format on

void oxi_window_forget(oxi_judging *judging) {
    oxi_judged *judged = &judging->judged;
    EACH_JUDGED_LIST(oxi_list_clear, judged);
    judged->count = 0;
    judged->has_touched = judged->has_ended = false;
    judging->last_signature = 0;
    oxi_list_clear(&judging->prototypes);
    oxi_links_clear(&judging->prototype_index);
    clear_arena(judging, true);
}

void oxi_judging_free(oxi_judging *judging) {
    EACH_JUDGED_LIST(oxi_list_free, &judging->judged);
    oxi_list_free(&judging->prototypes);
    oxi_links_free(&judging->prototype_index);
    oxi_list_free(&judging->group);
    oxi_list_free(&judging->group_archetypes);
    clear_arena(judging, false);
}
