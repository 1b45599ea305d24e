// SPDX-License-Identifier: MIT
//
// Runs of commands that are alike. Programs record the same thing over and over: what the first of
// a run was judged by holds for the next one when it is the same command, for an entity of the same
// archetype that no other command has met. What is different in any way is left to the walk.

#include "commands/playback.h"

#define MARKED_RUN (UINT32_C(1) << OXI_MARK_BIT)

// The command behind the one at the cursor, when it lies in the same block; it may be a mark.
static inline const oxi_command *peek_next(const oxi_playback *playback) {
    const oxi_command *at = playback->cursor.at;
    return (const oxi_command *)(const void *)((const char *)at + at->size);
}

static inline void step_to(oxi_playback *playback, const oxi_command *next) {
    playback->cursor.at = next;
    playback->cursor.index++;
}

void oxi_run_creates(oxi_playback *playback, uint16_t number, uint8_t flags) {
    oxi_entity_table *table = &playback->world->store.entities;
    oxi_signature *signature = &playback->signatures.items[number - 1];
    const oxi_command *first = playback->cursor.at;
    oxi_command_lane *lane = oxi_walk_lane(playback, first->entity);
    OXI_ASSERT(lane != NULL);
    OXI_ASSERT(signature->from == NULL);
    const oxi_command_list *list = first->component > 0 ? oxi_command_list_of(first) : NULL;
    for (uint32_t left = playback->left; left > 1 && table->ready > 0; left--) {
        const oxi_command *next = peek_next(playback);
        if (!oxi_command_is_like(first, next) ||
            (list != NULL && oxi_command_list_of(next) != list)) {
            break;
        }
        OXI_ASSERT(playback->touched.count < playback->touched.capacity);
        OXI_ASSERT(playback->ids.count < playback->ids.capacity);
        uint32_t place = (uint32_t)playback->touched.count++;
        uint32_t used = table->used;
        ox_entity entity = oxi_entity_take(table, (oxi_chunk)OXI_NEW_ROW, MARKED_RUN | place);
        playback->touched.items[place] = (oxi_touched){.entity = entity,
                                                       .to = signature->to,
                                                       .only = next,
                                                       .signature = number,
                                                       .flags = flags};
        playback->ids.items[playback->ids.count++] =
            (oxi_id_event){place, table->used != used ? OXI_ID_TAKEN_FRESH : OXI_ID_TAKEN};
        OXI_ASSERT(next->entity.version - 1 < lane->made.count);
        lane->made.items[next->entity.version - 1] = entity;
        signature->count++;
        step_to(playback, next);
    }
}

// The record of an entity of an archetype that the window has not touched, or NULL.
static inline oxi_record *find_untouched(const oxi_entity_table *table, ox_entity entity,
                                         const oxi_archetype *archetype) {
    oxi_record *record = oxi_entity_find(table, entity);
    return record != NULL && !oxi_record_is_marked(record) &&
                   oxi_archetype_of(record->chunk) == archetype
               ? record
               : NULL;
}

void oxi_run_adds(oxi_playback *playback, uint16_t number, uint8_t flags) {
    const oxi_entity_table *table = &playback->world->store.entities;
    oxi_signature *signature = &playback->signatures.items[number - 1];
    const oxi_command *first = playback->cursor.at;
    const oxi_touched *last = &oxi_list_last(&playback->touched);
    const oxi_archetype *archetype = oxi_archetype_of(last->place.chunk);
    bool is_list = first->kind == OXI_COMMAND_ADD_MANY;
    for (uint32_t left = playback->left; left > 1; left--) {
        const oxi_command *next = peek_next(playback);
        if (!oxi_command_is_like(first, next) ||
            (is_list && oxi_command_list_of(next) != oxi_command_list_of(first))) {
            break;
        }
        oxi_record *record = find_untouched(table, next->entity, archetype);
        if (record == NULL) {
            break;
        }
        OXI_ASSERT(playback->touched.count < playback->touched.capacity);
        uint32_t place = (uint32_t)playback->touched.count++;
        playback->touched.items[place] = (oxi_touched){.entity = next->entity,
                                                       .place = {record->chunk, record->row},
                                                       .to = signature->to,
                                                       .only = next,
                                                       .signature = number,
                                                       .flags = flags};
        record->row = MARKED_RUN | place;
        signature->count++;
        step_to(playback, next);
    }
}

void oxi_run_destroys(oxi_playback *playback, const oxi_archetype *archetype) {
    oxi_entity_table *table = &playback->world->store.entities;
    const oxi_command *first = playback->cursor.at;
    for (uint32_t left = playback->left; left > 1; left--) {
        const oxi_command *next = peek_next(playback);
        oxi_record *record = oxi_command_is_like(first, next)
                                 ? find_untouched(table, next->entity, archetype)
                                 : NULL;
        if (record == NULL) {
            break;
        }
        OXI_ASSERT(playback->has_ended);
        OXI_ASSERT(playback->touched.count < playback->touched.capacity);
        uint32_t place = (uint32_t)playback->touched.count++;
        playback->touched.items[place] =
            (oxi_touched){.entity = next->entity, .place = {record->chunk, record->row}};
        playback->ids.items[playback->ids.count++] = (oxi_id_event){place, OXI_ID_FREED};
        oxi_entity_free(table, next->entity.index);
        step_to(playback, next);
    }
}
