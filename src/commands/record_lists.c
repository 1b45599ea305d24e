// SPDX-License-Identifier: MIT
//
// Commands with a list of values. The components of a list are looked at once, and written to the
// lane; commands that are recorded with the same ones point there.

#include "commands/record.h"

#include "storage/archetype.h"
#include "storage/rows.h"
#include "types/kinds.h"

enum { LARGEST_LIST = 32 * 1024 };

// A component that does not stand in the list before `count`; else reports.
static bool require_once(const oxi_recording *recording, const ox_value *values, int count,
                         const ox_component_info *info) {
    for (int k = 0; k < count; k++) {
        if (!OXI_REQUIRE(values[k].component != info->id, &recording->state->world->sink,
                         OX_REPORT_DUPLICATE, recording->site, OXI_NAME("what", info->name),
                         OXI_NAME("function", recording->function))) {
            return false;
        }
    }
    return true;
}

// Looks at a list of values. @return false after a report.
static bool require_list(const oxi_recording *recording, const ox_value *values, int count) {
    const ox_world *world = recording->state->world;
    oxi_row_need need = {0};
    if (!oxi_values_require(world, values, count, recording->site)) {
        return false;
    }
    for (int k = 0; k < count; k++) {
        const ox_component_info *info =
            oxi_recording_require(recording, values[k].component, values[k].value);
        if (info == NULL || !require_once(recording, values, k, info)) {
            return false;
        }
        need.type_count++;
        need.lane_value_count += oxi_kind_of(info)->in_lane;
        need.bytes += info->size + OXI_COMMAND_ALIGN;
    }
    // Values that are not shared could not lie in one chunk either.
    return need.bytes <= LARGEST_LIST ||
           oxi_world_report_large(world, &need, LARGEST_LIST, recording->site);
}

// Where the values of a list lie in its commands. Returns how much a command carries.
static uint32_t place_items(oxi_command_item *items, const ox_value *values, int count) {
    uint32_t at = sizeof(oxi_command) + sizeof(const oxi_command_list *);
    for (int k = 0; k < count; k++) {
        const ox_component_info *info = ox_component_get_info(values[k].component);
        bool has_value = values[k].value != NULL && info->size > 0;
        uint32_t align = info->align < OXI_COMMAND_ALIGN ? info->align : OXI_COMMAND_ALIGN;
        at = has_value ? (at + align - 1) / align * align : at;
        items[k] = (oxi_command_item){(uint16_t)values[k].component, has_value,
                                      (uint16_t)info->size, (uint16_t)at};
        at += has_value ? info->size : 0;
        OXI_ASSERT(at <= UINT16_MAX); // offsets of items have no more
    }
    return at - (uint32_t)sizeof(oxi_command);
}

// Writes a list of values that is new to a lane. NULL after a report.
OXI_NOINLINE static oxi_command_list *learn_list(const oxi_recording *recording,
                                                 const ox_value *values, int count) {
    oxi_command_lane *lane = recording->lane;
    if (!require_list(recording, values, count)) {
        return NULL;
    }
    size_t size = sizeof(oxi_command_list) + (size_t)count * sizeof(oxi_command_item);
    oxi_command *head =
        oxi_lane_add(lane, oxi_command_round(size), recording->key, recording->site);
    if (head == NULL) {
        return NULL;
    }
    OXI_ASSERT(lane->count > 0);
    lane->count--; // it is no command
    oxi_command_list *list = (oxi_command_list *)(void *)head;
    list->head =
        (oxi_command){.kind = OXI_COMMAND_LIST, .size = head->size, .site = recording->site};
    list->archetype = 0;
    list->count = (uint32_t)count;
    list->carried = place_items(list->items, values, count);
    lane->last_list = lane->next_list++ % OXI_KNOWN_LISTS;
    lane->lists[lane->last_list] = list;
    return list;
}

static inline bool is_of_list(const oxi_command_list *list, const ox_value *values, int count) {
    bool is_same = list != NULL && list->count == (uint32_t)count;
    for (int k = 0; is_same && k < count; k++) {
        is_same = values[k].component == list->items[k].component &&
                  (values[k].value != NULL) == list->items[k].has_value;
    }
    return is_same;
}

OXI_NOINLINE static const oxi_command_list *find_list_slowly(const oxi_recording *recording,
                                                             const ox_value *values, int count) {
    oxi_command_lane *lane = recording->lane;
    for (uint32_t k = 0; values != NULL && count > 0 && k < OXI_KNOWN_LISTS; k++) {
        if (is_of_list(lane->lists[k], values, count)) {
            lane->last_list = k;
            return lane->lists[k];
        }
    }
    return learn_list(recording, values, count);
}

static inline const oxi_command_list *find_kept_list(const oxi_recording *recording,
                                                     const ox_value *values, int count) {
    const oxi_command_list *last = recording->lane->lists[recording->lane->last_list];
    return values != NULL && count > 0 && is_of_list(last, values, count)
               ? last
               : find_list_slowly(recording, values, count);
}

// A command with a list, NULL for none. NULL after a report.
static inline oxi_command *add_with_list(const oxi_recording *recording, oxi_command_kind kind,
                                         ox_entity entity, const oxi_command_list *list) {
    if (list == NULL) {
        return NULL;
    }
    OXI_ASSERT(list->head.kind == OXI_COMMAND_LIST);
    oxi_command *command = oxi_recording_add(recording, kind, entity, list->carried);
    if (command != NULL) {
        command->item_count = (uint16_t)list->count;
        memcpy(command + 1, &list, sizeof list);
    }
    return command;
}

oxi_command *oxi_recording_add_list(const oxi_recording *recording, oxi_command_kind kind,
                                    ox_entity entity, const ox_value *values, int count) {
    const oxi_command_list *list = find_kept_list(recording, values, count);
    oxi_command *command = add_with_list(recording, kind, entity, list);
    for (int k = 0; command != NULL && k < count; k++) {
        const oxi_command_item *item = &list->items[k];
        if (item->has_value) {
            OXI_ASSERT(item->offset + item->size <= command->size);
            oxi_copy_value((char *)command + item->offset, values[k].value, item->size);
        }
    }
    return command;
}

// Archetypes.

// A list of the components of an archetype, without values. Rare: a lock is taken. NULL after a
// report.
OXI_NOINLINE static const oxi_command_list *learn_archetype(const oxi_recording *recording,
                                                            ox_archetype archetype) {
    ox_world *world = recording->state->world;
    uint16_t types[OXI_MAX_ARCHETYPE_TYPES];
    ox_value values[OXI_MAX_ARCHETYPE_TYPES];
    int32_t count = -1;
    if (archetype.world == world->serial && archetype.number > 0) {
        count = oxi_archetype_copy_types(&world->store, archetype.number - 1, types);
    }
    if (!OXI_REQUIRE(count >= 0, &world->sink, OX_REPORT_FOREIGN_HANDLE, recording->site,
                     OXI_NAME("kind", "archetype"), OXI_NAME("world", world->name))) {
        return NULL;
    }
    for (int32_t k = 0; k < count; k++) {
        values[k] = (ox_value){types[k], NULL};
    }
    oxi_command_list *list = learn_list(recording, values, count);
    if (list != NULL) {
        list->archetype = archetype.number;
    }
    return list;
}

static const oxi_command_list *find_archetype(const oxi_recording *recording,
                                              ox_archetype archetype) {
    oxi_command_lane *lane = recording->lane;
    for (uint32_t k = 0; k < OXI_KNOWN_LISTS && archetype.number > 0; k++) {
        if (lane->lists[k] != NULL && lane->lists[k]->archetype == archetype.number &&
            archetype.world == recording->state->world->serial) {
            lane->last_list = k;
            return lane->lists[k];
        }
    }
    return learn_archetype(recording, archetype);
}

oxi_command *oxi_recording_add_archetype(const oxi_recording *recording, ox_archetype archetype) {
    ox_entity none = {0, 0};
    return add_with_list(recording, OXI_COMMAND_CREATE, none, find_archetype(recording, archetype));
}
