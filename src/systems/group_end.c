// SPDX-License-Identifier: MIT
//
// The ends of groups: barriers that carry out what the job systems of a group recorded.
//
// A group with a step has one of its own, so that commands of a step are carried out before the
// next. It is made with the group, or with its first step, unless a barrier of the user stands
// there or is announced; when one comes later, the own one goes with the next plan. A name that
// somebody else takes is left to them.
//
// Invariant: a group has at most one own end. Its name lives as long as the world's systems do:
// frames that were recorded have it.

#include "systems/systems.h"

#include "base/heap.h"
#include "base/text.h"
#include "systems/system_registry.h"

#include <string.h>

static const char end_prefix[] = "End";

enum { END_LENGTH = sizeof end_prefix - 1 };

// Names.

static const char *find_kept_name(const oxi_systems *all, const char *name) {
    for (size_t k = 0; k < all->names.count; k++) {
        if (strcmp(all->names.items[k], name) == 0) {
            return all->names.items[k];
        }
    }
    return NULL;
}

// A name that nobody has: `first` and `second`, and a stroke as often as it takes. Kept with the
// systems. @return NULL after a report.
static const char *make_free_name(oxi_systems *all, const char *first, const char *second,
                                  ox_site site) {
    const oxi_hooks *heap = all->world->store.heap;
    oxi_text name = {0};
    oxi_text_append(&name, first);
    oxi_text_append(&name, second);
    while (!name.failed && (oxi_systems_find(all, oxi_text_get(&name)) != NULL ||
                            oxi_registry_find(oxi_text_get(&name)) != NULL)) {
        oxi_text_append_char(&name, '_');
    }
    size_t size = name.length + 1;
    const char *kept = name.failed ? NULL : find_kept_name(all, oxi_text_get(&name));
    char *made = NULL;
    if (kept == NULL && !name.failed &&
        oxi_list_reserve_in(heap, &all->names, all->names.count + 1)) {
        made = oxi_heap_alloc_in(heap, size, 1);
    }
    if (made != NULL) {
        memcpy(made, oxi_text_get(&name), size);
        all->names.items[all->names.count++] = made;
        kept = made;
    }
    oxi_text_free(&name);
    if (kept == NULL) {
        oxi_world_report(all->world, OXI_NO_MEMORY, site);
    }
    return kept;
}

void oxi_systems_free_names(oxi_systems *all) {
    const oxi_hooks *heap = all->world->store.heap;
    for (size_t k = 0; k < all->names.count; k++) {
        oxi_heap_free_in(heap, all->names.items[k], strlen(all->names.items[k]) + 1, 1);
    }
    oxi_list_free_in(heap, &all->names);
}

bool oxi_group_rename_end(oxi_system *end, ox_site site) {
    const char *name = make_free_name(end->all, end->def.name, "_", site);
    if (name != NULL) {
        oxi_system_leave_name(end);
        oxi_system_set_name(end, name);
        end->all->is_dirty = true; // names count in the order
    }
    return name != NULL;
}

// Ends.

static bool is_end(const oxi_system *system) {
    return system->def.is_barrier && system->def.place == OX_PHASE_END && system->group != NULL;
}

void oxi_group_note_end(oxi_system *system) {
    if (is_end(system)) {
        oxi_system **last = &system->group->first_end;
        while (*last != NULL) {
            last = &(*last)->next_end;
        }
        *last = system;
    }
}

void oxi_group_forget_end(oxi_system *system) {
    if (is_end(system)) {
        oxi_system **at = &system->group->first_end;
        while (*at != system) {
            at = &(*at)->next_end;
        }
        *at = system->next_end;
    }
}

// The end that a group has of its own, or the first one of the user's; NULL when there is none.
static oxi_system *find_end(const oxi_system *group, bool is_own) {
    oxi_system *end = group->first_end;
    while (end != NULL && (end->is_removed || end->is_own_end != is_own)) {
        end = end->next_end;
    }
    return end;
}

oxi_system *oxi_group_find_end(const oxi_system *group) {
    oxi_system *end = find_end(group, false);
    return end != NULL ? end : find_end(group, true);
}

// True when a barrier for the end of a group is announced, and will be there.
static bool is_end_announced(const oxi_system *group) {
    for (const ox_system_def *def = oxi_registry_next(NULL); def != NULL;
         def = oxi_registry_next(def)) {
        if (def->is_barrier && def->place == OX_PHASE_END && !def->is_manual && def->in != NULL &&
            strcmp(def->in, group->def.name) == 0) {
            return true;
        }
    }
    return false;
}

static bool add_end(oxi_system *group, int depth, ox_site site) {
    oxi_systems *all = group->all;
    ox_system_def def = {.is_barrier = true, .in = group->def.name, .place = OX_PHASE_END};
    def.name = make_free_name(all, end_prefix, group->def.name, site);
    oxi_system *end = def.name != NULL ? oxi_systems_add(all, &def, depth + 1, site) : NULL;
    if (end != NULL) {
        end->is_own_end = true;
    }
    return end != NULL;
}

static bool needs_end(const oxi_system *group) {
    return group->def.is_group && group->def.step > 0 && !group->is_removed &&
           !group->declines_end && !group->all->is_ending && oxi_group_find_end(group) == NULL;
}

bool oxi_group_make_end(oxi_system *group, int depth, ox_site site) {
    return !needs_end(group) || is_end_announced(group) || add_end(group, depth, site);
}

// Commands that an own end still has are carried out first: it goes another time.
static bool is_in_vain(const oxi_system *system) {
    return system->is_own_end && !system->is_removed && system->pending.count == 0 &&
           find_end(system->group, false) != NULL;
}

bool oxi_systems_settle_ends(oxi_systems *all, ox_site site) {
    for (size_t k = all->items.count; k-- > 0;) {
        if (k < all->items.count && is_in_vain(all->items.items[k])) {
            oxi_systems_destroy_removed(all, all->items.items[k], site);
        }
    }
    for (size_t k = 0; k < all->items.count; k++) {
        if (needs_end(all->items.items[k]) && !add_end(all->items.items[k], 0, site)) {
            return false;
        }
    }
    return true;
}

// By name.

// The group that is announced and has an end of this name, or NULL.
static const ox_system_def *find_group_of_end(const char *name) {
    const ox_system_def *def =
        strncmp(name, end_prefix, END_LENGTH) == 0 ? oxi_registry_find(name + END_LENGTH) : NULL;
    return def != NULL && def->is_group && def->step > 0 ? def : NULL;
}

bool oxi_is_end_name(const char *name) {
    return find_group_of_end(name) != NULL;
}

oxi_system *oxi_systems_bring_end(oxi_systems *all, const char *name, int depth, ox_site site) {
    const ox_system_def *group = find_group_of_end(name);
    if (group != NULL && oxi_systems_find(all, group->name) == NULL) {
        oxi_systems_add(all, group, depth + 1, site);
    }
    return oxi_systems_find(all, name);
}
