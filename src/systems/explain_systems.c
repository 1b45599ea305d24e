// SPDX-License-Identifier: MIT
//
// The systems of a recorded frame: in the order of the plan, each with what put it there.

#include "systems/explain_record.h"

enum { MOST_MISSING = sizeof((ox_frame_system){0}).missing / sizeof(char *) - 1 };

static ox_order_cause cause_of_choice(oxi_order_choice choice) {
    static const ox_order_cause causes[] = {
        [OXI_ORDER_ALONE] = OX_ORDERED_ALONE,      [OXI_ORDER_FIRST] = OX_ORDERED_FIRST,
        [OXI_ORDER_LAST] = OX_ORDERED_LAST,        [OXI_ORDER_AFTER] = OX_ORDERED_AFTER,
        [OXI_ORDER_JOBS] = OX_ORDERED_JOBS,        [OXI_ORDER_FREE] = OX_ORDERED_FREE,
        [OXI_ORDER_LONGEST_AGO] = OX_ORDERED_LATE, [OXI_ORDER_NAME] = OX_ORDERED_NAME,
        [OXI_ORDER_GIVEN] = OX_ORDERED_GIVEN,
    };
    return causes[choice];
}

static void note_cause(ox_frame_system *noted, const oxi_systems *all, uint32_t item) {
    oxi_order_reason reason = all->order.reasons.items[item];
    noted->cause = cause_of_choice(reason.choice);
    if (reason.other != 0) {
        noted->other = all->items.items[reason.other]->def.name;
    }
    if (reason.choice == OXI_ORDER_AFTER) {
        uint32_t said_by = all->constraints.items[reason.constraint].said_by;
        noted->cause_site = all->items.items[said_by]->def.site;
    }
    if (reason.component != 0) {
        noted->component = ox_component_get_info(reason.component)->name;
    }
}

static void note_missing(ox_frame_system *noted, const oxi_systems *all,
                         const char *const names[OX_MAX_ORDER]) {
    int count = 0;
    while (noted->missing[count] != NULL) {
        count++;
    }
    for (int k = 0; k < OX_MAX_ORDER && names[k] != NULL && count < MOST_MISSING; k++) {
        if (oxi_systems_find(all, names[k]) == NULL) {
            noted->missing[count++] = names[k];
        }
    }
}

void oxi_recorder_note_learned(ox_frame_system *noted, const oxi_system *system) {
    if (system->scope.learned_at != NULL) {
        noted->learned_at = system->scope.learned_at;
        noted->learned = ox_component_get_info(system->scope.learned)->name;
    }
}

static ox_frame_system note_system(const oxi_recorder *recorder, const oxi_system *system) {
    const ox_system_def *def = &system->def;
    ox_frame_system noted = {
        .name = def->name,
        .site = def->site,
        .group = recorder->places.items[system->group->index],
        .is_group = def->is_group,
        .is_job = def->update_jobs != NULL,
        .is_point = !def->is_group && def->update == NULL && def->update_jobs == NULL,
    };
    note_cause(&noted, recorder->all, system->index);
    note_missing(&noted, recorder->all, def->before);
    note_missing(&noted, recorder->all, def->after);
    oxi_recorder_note_learned(&noted, system);
    return noted;
}

void oxi_recorder_list_systems(oxi_recorder *recorder) {
    const oxi_systems *all = recorder->all;
    const oxi_hooks *heap = oxi_recorder_heap(recorder);
    OXI_ASSERT(all->plan.items[0].system->group == NULL); // the group of all
    if (!oxi_list_resize_in(heap, &recorder->places, all->items.count) ||
        !oxi_list_reserve_in(heap, &recorder->systems, all->items.count)) {
        oxi_list_clear(&recorder->places);
        recorder->dropped += all->items.count;
        return;
    }
    for (size_t k = 0; k < all->plan.count; k++) {
        const oxi_system *system = all->plan.items[k].system;
        recorder->places.items[system->index] = (int)k - 1;
        if (k > 0) {
            recorder->systems.items[recorder->systems.count++] = note_system(recorder, system);
        }
    }
}
