// SPDX-License-Identifier: MIT
//
// The registry of components of the process.
//
// Descriptors are linked before main, without allocating, into a list that waits; the first look at
// the registry takes all of them in, so that one may stand inside of another whatever the order. A
// descriptor keeps its id, so that later looks are one load. The registry owns copies of
// everything: a descriptor may go away with the shared object it came from.
//
// Invariant: one entry for each name, and one for each id from 1 to the count; entries are never
// changed or removed, so an info is read without the lock. Nothing is reported under the lock: a
// handler may look at components.

#include "types/registry.h"

#include "base/atomics.h"
#include "base/hash.h"
#include "base/heap.h"
#include "base/platform.h"
#include "base/types.h"
#include "types/kinds.h"
#include "types/rules.h"
#include "types/shared_calls.h"

#include <string.h>

enum { COMPONENT_CHAINS = 1024 };

// An entry; its spans, offsets and texts stand behind it.
typedef struct component_entry {
    ox_component_info info;
    ox_component own; // as it was declared, with copied texts
    struct component_entry *next;
    size_t block_size;
} component_entry;

static oxi_atomic_ptr waiting_components; // of ox_component, through `next`
static oxi_atomic_u32 links_started;      // calls of oxi_component_link
static oxi_atomic_u32 links_ended;
static oxi_atomic_ptr component_infos[OX_MAX_COMPONENTS + 1];
static oxi_mutex components_lock = OXI_MUTEX_INIT;
static component_entry
    *component_chains[COMPONENT_CHAINS]; // under components_lock, as what follows
static uint32_t component_count;

OXI_TYPE_AS(ox_entity, NULL, NULL, "entity", 0);

static oxi_atomic_u32 *cached_id(ox_component *component) {
    return (oxi_atomic_u32 *)&component->oxi_id;
}

static bool is_of_this_version(const ox_component *component) {
    return component->type.header_version / 1000 == OX_VERSION / 1000;
}

static void let_component_wait(ox_component *component) {
    void *first = oxi_load_relaxed(&waiting_components);
    do {
        component->next = first;
    } while (!oxi_swap_acq_rel(&waiting_components, &first, component));
}

void oxi_component_link(ox_component *component) {
    oxi_add_acq_rel(&links_started, 1);
    if (component->type.text != NULL) {
        oxi_type_link(&component->type);
    }
    if (is_of_this_version(component)) {
        let_component_wait(component); // else `next` may lie elsewhere, and its first use is told
    }
    oxi_add_acq_rel(&links_ended, 1);
}

// Entries. All under components_lock.

static component_entry **find_component_link(const char *name) {
    component_entry **link = &component_chains[oxi_hash_text(name) % COMPONENT_CHAINS];
    while (*link != NULL && strcmp((*link)->info.name, name) != 0) {
        link = &(*link)->next;
    }
    return link;
}

static size_t size_of_text(const char *text) {
    return text != NULL ? strlen(text) + 1 : 0;
}

static const char *move_text(char **to, const char *text) {
    size_t size = size_of_text(text);
    if (size == 0) {
        return NULL;
    }
    char *copy = memcpy(*to, text, size);
    *to += size;
    return copy;
}

static void copy_own_texts(component_entry *entry, char *texts) {
    ox_type *type = &entry->own.type;
    type->name = move_text(&texts, type->name);
    type->text = move_text(&texts, type->text);
    type->expanded = move_text(&texts, type->expanded);
    type->site = move_text(&texts, type->site);
    type->role = NULL; // as the table of types has it
    type->next = NULL;
}

static void describe_entry(component_entry *entry, const oxi_component_shape *shape,
                           const oxi_shape *lists) {
    const ox_component *own = &entry->own;
    entry->info = (ox_component_info){
        .name = own->type.name,
        .kind = own->kind,
        .flags = own->flags,
        .inline_capacity = oxi_inline_capacity(own),
        .size = (uint32_t)own->type.size,
        .align = (uint32_t)own->type.align,
        .site = own->type.site,
        .layout = shape->layout,
        .entity_offsets = lists->entities,
        .entity_count = lists->entity_count,
        .values = lists->values,
        .value_count = lists->value_count,
        .unowned = lists->unowned,
        .unowned_count = lists->unowned_count,
        .owned = lists->owned,
        .owned_count = lists->owned_count,
        .has_padding = lists->byte_count < own->type.size,
    };
}

// An entry without an id. NULL when out of memory.
static component_entry *make_entry(const ox_component *component, const oxi_component_shape *shape,
                                   oxi_component_fault *fault) {
    const ox_type *type = &shape->type;
    oxi_shape counted = {0};
    oxi_shape_find(&shape->type, &shape->layout, &counted);
    uint32_t span_count = counted.value_count + counted.unowned_count + counted.owned_count;
    size_t lists_size = span_count * sizeof(ox_byte_span) + counted.entity_count * sizeof(uint32_t);
    size_t size = sizeof(component_entry) + lists_size + size_of_text(type->name) +
                  size_of_text(type->text) + size_of_text(type->expanded) +
                  size_of_text(type->site);
    component_entry *entry = oxi_heap_alloc(size, _Alignof(component_entry));
    if (entry == NULL) {
        *fault = (oxi_component_fault){.id = OX_REPORT_OUT_OF_MEMORY, .bytes = size};
        return NULL;
    }
    *entry = (component_entry){.own = *component, .block_size = size};
    entry->own.type = *type;
    oxi_shape lists = {.values = (ox_byte_span *)(entry + 1)};
    lists.unowned = lists.values + counted.value_count;
    lists.owned = lists.unowned + counted.unowned_count;
    lists.entities = (uint32_t *)(lists.owned + counted.owned_count);
    oxi_shape_find(&shape->type, &shape->layout, &lists);
    copy_own_texts(entry, (char *)(lists.entities + counted.entity_count));
    describe_entry(entry, shape, &lists);
    return entry;
}

// Adds a component that no entry has the name of. Returns its id, or 0 with `fault` filled.
static uint32_t add_component(const ox_component *component, oxi_component_fault *fault) {
    oxi_component_shape shape;
    if (!oxi_component_judge(component, &shape, fault)) {
        return 0;
    }
    component_entry *entry = NULL;
    if (component_count == OX_MAX_COMPONENTS) {
        *fault = (oxi_component_fault){.id = OX_REPORT_COMPONENT_LIMIT};
    } else {
        entry = make_entry(component, &shape, fault);
    }
    if (entry == NULL) {
        ox_layout_dispose(&shape.layout);
        return 0;
    }
    if (shape.is_new) {
        // Other structs may hold it. The table of types takes it in at its next look.
        oxi_type_link(&entry->own.type);
    }
    entry->info.id = ++component_count;
    *find_component_link(entry->info.name) = entry;
    // Release: who has the id reads all of the info.
    oxi_store_release(&component_infos[entry->info.id], (void *)&entry->info);
    return entry->info.id;
}

// The id of a component, added if it is not there. 0 with `fault` filled.
static uint32_t insert_component(const ox_component *component, oxi_component_fault *fault) {
    const char *name = component->type.name;
    const component_entry *entry = NULL;
    if (is_of_this_version(component) && name != NULL) {
        entry = *find_component_link(name);
    }
    if (entry == NULL) {
        return add_component(component, fault);
    }
    const char *difference = oxi_component_difference(&entry->own, component);
    if (difference != NULL) {
        oxi_component_fail_conflict(fault, difference, entry->info.site);
        return 0;
    }
    return entry->info.id;
}

// Taking in what waits.

static bool is_same_text_or_null(const char *a, const char *b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

// One declaration in a header is seen by many files.
static bool is_same_declaration(const ox_component *a, const ox_component *b) {
    return is_same_text_or_null(a->type.name, b->type.name) &&
           is_same_text_or_null(a->type.site, b->type.site);
}

// What was known before the types were updated.
typedef struct intake {
    bool has_waiting;
    bool is_linking; // a link has begun and not ended
    uint32_t link_count;
    uint32_t component_count;
} intake;

static intake begin_intake(void) {
    // Ended before started: equal numbers mean that no link was under way.
    uint32_t ended = oxi_load_acquire(&links_ended);
    uint32_t started = oxi_load_acquire(&links_started);
    oxi_mutex_lock(&components_lock);
    intake begun = {oxi_load_acquire(&waiting_components) != NULL, ended != started, started,
                    component_count};
    oxi_mutex_unlock(&components_lock);
    return begun;
}

// Under the lock. True when what could not be taken in never will be: all types were in the table,
// since nothing was linked or added after they were updated.
static bool is_intake_final(const intake *begun) {
    return !begun->is_linking && begun->component_count == component_count &&
           begun->link_count == oxi_load_acquire(&links_started);
}

// Under the lock. Those that cannot be taken in wait again, or go to `*refused` if that is final.
// Returns false when out of memory, with the rest waiting again.
static bool insert_waiting_components(const intake *begun, ox_component **refused) {
    bool has_memory = true;
    ox_component *component = oxi_exchange_acq_rel(&waiting_components, NULL);
    ox_component *again = NULL;
    for (ox_component *next; component != NULL; component = next) {
        next = component->next;
        oxi_component_fault fault = {0};
        uint32_t id = has_memory ? insert_component(component, &fault) : 0;
        has_memory = has_memory && fault.id != OX_REPORT_OUT_OF_MEMORY;
        if (id != 0) {
            oxi_store_release(cached_id(component), id);
            continue;
        }
        component->next = again;
        again = component;
    }
    if (has_memory && is_intake_final(begun)) {
        *refused = again;
        return true;
    }
    for (ox_component *next; again != NULL; again = next) {
        next = again->next;
        let_component_wait(again);
    }
    return has_memory;
}

// A clash of two texts was reported by the table of types, which both were linked to.
static bool is_told_by_types(const ox_component *component, const oxi_component_fault *fault) {
    return fault->id == OX_REPORT_COMPONENT_CONFLICT && component->type.text != NULL &&
           oxi_kind_said(component->kind)->has_value &&
           strcmp(fault->difference, "their kind") != 0 &&
           strcmp(fault->difference, "their flags") != 0;
}

static void report_refused_component(ox_component *component) {
    oxi_component_fault fault = {0};
    uint32_t id = 0;
    do {
        oxi_mutex_lock(&components_lock);
        id = insert_component(component, &fault);
        oxi_mutex_unlock(&components_lock);
    } while (id == 0 && !is_told_by_types(component, &fault) &&
             oxi_component_report(component, &fault, component->type.site));
    if (id != 0) {
        oxi_store_release(cached_id(component), id);
    }
}

// Reports each declaration once, and not that of `wanted`, whose user reports it.
static void report_refused_components(ox_component *refused, const ox_component *wanted) {
    for (ox_component *component = refused; component != NULL; component = component->next) {
        bool is_known = wanted != NULL && is_same_declaration(component, wanted);
        for (const ox_component *k = refused; k != component && !is_known; k = k->next) {
            is_known = is_same_declaration(component, k);
        }
        if (!is_known) {
            report_refused_component(component);
        }
    }
}

// Types that were linked, and ox_entity: there may be no constructors.
bool oxi_components_update_types(ox_site site) {
    return oxi_types_update(site) && ox_type_register_at(ox_type_of(ox_entity), site) != NULL;
}

// What stands in another component may not be known in the first pass: it waits for the next. No
// component is ever held outside of the lock while it may still be taken in, so who linked one
// finds it, whichever thread takes it in.
bool oxi_components_update(const ox_component *wanted, ox_site site) {
    ox_component *refused = NULL;
    bool has_memory = true;
    for (intake begun = begin_intake(); begun.has_waiting && refused == NULL && has_memory;
         begun = begin_intake()) {
        if (!oxi_components_update_types(site)) {
            return false;
        }
        oxi_mutex_lock(&components_lock);
        has_memory = insert_waiting_components(&begun, &refused);
        oxi_mutex_unlock(&components_lock);
    }
    report_refused_components(refused, wanted);
    return has_memory || OXI_REPORT(NULL, OX_REPORT_OUT_OF_MEMORY, site,
                                    OXI_NUMBER("bytes", sizeof(component_entry)),
                                    OXI_NAME("allocator", "the registry of components"));
}

uint32_t oxi_component_add(const ox_component *component, ox_site site) {
    oxi_component_fault fault = {0};
    uint32_t id = 0;
    do {
        if (!oxi_components_update_types(site)) {
            return 0;
        }
        oxi_mutex_lock(&components_lock);
        id = insert_component(component, &fault);
        oxi_mutex_unlock(&components_lock);
    } while (id == 0 && oxi_component_report(component, &fault, site));
    return id;
}

// The public functions.

uint32_t ox_component_id_of_at(ox_component *component, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(component, "ox_component_id_of_at", site)) {
        return 0;
    }
    if (is_of_this_version(component)) {
        // Acquire: pairs with the release of who registered it, so that its info can be read.
        uint32_t id = oxi_load_acquire(cached_id(component));
        if (id != 0) {
            return id;
        }
    }
    if (!oxi_hooks_require_outside("ox_component_id_of_at", site) ||
        !oxi_components_update(component, site)) {
        return 0;
    }
    uint32_t id = oxi_component_add(component, site);
    if (id != 0) {
        oxi_store_release(cached_id(component), id);
    }
    return id;
}

uint32_t ox_component_find(const char *name) {
    if (name == NULL || !oxi_hooks_require_outside("ox_component_find", NULL)) {
        return 0;
    }
    oxi_components_update(NULL, NULL);
    oxi_mutex_lock(&components_lock);
    const component_entry *entry = *find_component_link(name);
    oxi_mutex_unlock(&components_lock);
    return entry != NULL ? entry->info.id : 0;
}

uint32_t ox_component_count(void) {
    if (oxi_hooks_require_outside("ox_component_count", NULL)) {
        oxi_components_update(NULL, NULL);
    }
    oxi_mutex_lock(&components_lock);
    uint32_t count = component_count;
    oxi_mutex_unlock(&components_lock);
    return count;
}

const ox_component_info *ox_component_get_info(uint32_t id) {
    // Acquire: pairs with the release in add_component.
    return id <= OX_MAX_COMPONENTS ? oxi_load_acquire(&component_infos[id]) : NULL;
}

const ox_component_info *oxi_component_require(uint32_t id, const char *function, ox_site site) {
    const ox_component_info *info = ox_component_get_info(id);
    OXI_REQUIRE(info != NULL, NULL, OX_REPORT_UNKNOWN_COMPONENT_ID, site, OXI_NUMBER("id", id),
                OXI_NAME("function", function));
    return info;
}

void oxi_components_reset(void) {
    oxi_types_reset(); // a type that waits there may be an entry's
    oxi_mutex_lock(&components_lock);
    for (int k = 0; k < COMPONENT_CHAINS; k++) {
        for (component_entry *entry = component_chains[k], *next; entry != NULL; entry = next) {
            next = entry->next;
            ox_layout_dispose(&entry->info.layout);
            oxi_heap_free(entry, entry->block_size, _Alignof(component_entry));
        }
        component_chains[k] = NULL;
    }
    for (uint32_t id = 0; id <= OX_MAX_COMPONENTS; id++) {
        oxi_store_release(&component_infos[id], NULL);
    }
    component_count = 0;
    oxi_shared_calls_reset();
    oxi_exchange_acq_rel(&waiting_components, NULL);
    oxi_mutex_unlock(&components_lock);
}
