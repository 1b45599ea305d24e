// SPDX-License-Identifier: MIT
//
// The table of named types of the process.
//
// Descriptors are linked before main, without allocating, into a list that waits; the first look at
// the table takes them in. The table owns copies of everything, so a descriptor may go away with
// the shared object it came from.
//
// Invariant: one entry for each name; entries are never changed or removed, so they are read
// without the lock once they are found.

#include "base/types.h"

#include "base/atomics.h"
#include "base/check.h"
#include "base/constants.h"
#include "base/hash.h"
#include "base/heap.h"
#include "base/platform.h"
#include "base/struct_text.h"

#include <string.h>

enum { TYPE_CHAINS = 512, LONGEST_TYPE_NAME = 127 };

typedef struct type_entry {
    ox_type type; // its `next` is not used
    struct type_entry *next;
    size_t block_size; // of the entry and the texts behind it
} type_entry;

static oxi_atomic_ptr waiting_types; // of ox_type, through `next`
static oxi_mutex types_lock = OXI_MUTEX_INIT;
static type_entry *type_chains[TYPE_CHAINS]; // under types_lock, as is what follows
static uint32_t type_count;

void oxi_type_link(ox_type *type) {
    void *first = oxi_load_relaxed(&waiting_types);
    do {
        type->next = first;
    } while (!oxi_swap_acq_rel(&waiting_types, &first, type));
}

static type_entry **find_type_link(const char *name, size_t length) {
    type_entry **link = &type_chains[oxi_hash_bytes(name, length, 0) % TYPE_CHAINS];
    while (*link != NULL && (strlen((*link)->type.name) != length ||
                             memcmp((*link)->type.name, name, length) != 0)) {
        link = &(*link)->next;
    }
    return link;
}

static const char *copy_text(char **to, const char *text) {
    if (text == NULL) {
        return NULL;
    }
    char *copy = *to;
    size_t size = strlen(text) + 1;
    memcpy(copy, text, size);
    *to += size;
    return copy;
}

static size_t text_size(const char *text) {
    return text != NULL ? strlen(text) + 1 : 0;
}

static type_entry *copy_type(const ox_type *type) {
    size_t size = sizeof(type_entry) + text_size(type->name) + text_size(type->text) +
                  text_size(type->expanded) + text_size(type->site) + text_size(type->role);
    type_entry *entry = oxi_heap_alloc(size, _Alignof(type_entry));
    if (entry == NULL) {
        return NULL;
    }
    char *texts = (char *)(entry + 1);
    *entry = (type_entry){.type = *type, .block_size = size};
    entry->type.name = copy_text(&texts, type->name);
    entry->type.text = copy_text(&texts, type->text);
    entry->type.expanded = copy_text(&texts, type->expanded);
    entry->type.site = copy_text(&texts, type->site);
    entry->type.role = copy_text(&texts, type->role);
    entry->type.next = NULL;
    return entry;
}

static const char *body_of(const ox_type *type) {
    return type->expanded != NULL ? type->expanded : type->text;
}

// What two types of one name disagree about, or NULL.
static const char *find_difference(const ox_type *a, const ox_type *b) {
    if (!oxi_text_same(body_of(a), body_of(b)) || !oxi_text_same(a->text, b->text)) {
        return "their fields";
    }
    if (body_of(a) != NULL && !oxi_constants_agree(body_of(a), a->scope, b->scope)) {
        return "the lengths of their arrays";
    }
    if (a->size != b->size) {
        return "their size";
    }
    if (a->align != b->align) {
        return "their alignment";
    }
    if (!oxi_text_same(a->role, b->role) || a->role_offset != b->role_offset ||
        a->scalar != b->scalar) {
        return "what they are announced as";
    }
    return NULL;
}

// What is wrong with a description, or NULL.
static const char *find_type_fault(const ox_type *type) {
    size_t length = type->name != NULL ? strlen(type->name) : 0;
    if (length == 0 || length > LONGEST_TYPE_NAME) {
        return "its name must have 1 to 127 characters";
    }
    oxi_token token = oxi_token_peek(type->name);
    if (!oxi_token_is_word(token) || token.length != length) {
        return "its name is not a C identifier";
    }
    if (oxi_c_type_find(type->name, length) != NULL) {
        return "its name belongs to a type that is always known";
    }
    if (type->size == 0 || type->size > PTRDIFF_MAX) {
        return "its size is 0 or too large";
    }
    if (type->align == 0 || (type->align & (type->align - 1)) != 0 ||
        type->size % type->align != 0) {
        return "its alignment is not a power of two that divides its size";
    }
    if (type->scalar != OX_SCALAR_NONE && !oxi_c_scalar_exists(type->scalar, type->size)) {
        return "C has no scalar of its kind and size";
    }
    return NULL;
}

typedef enum insert_result {
    INSERT_OK = 0,
    INSERT_CONFLICT, // `*entry` is the one that was there
    INSERT_NO_MEMORY,
} insert_result;

// Under types_lock.
static insert_result insert_type(const ox_type *type, const type_entry **entry) {
    type_entry **link = find_type_link(type->name, strlen(type->name));
    if (*link != NULL) {
        *entry = *link;
        return find_difference(&(*link)->type, type) == NULL ? INSERT_OK : INSERT_CONFLICT;
    }
    *link = copy_type(type);
    *entry = *link;
    if (*link == NULL) {
        return INSERT_NO_MEMORY;
    }
    type_count++;
    return INSERT_OK;
}

static bool require_valid_type(const ox_type *type, ox_site site) {
    if (!ox_version_check_at(type->header_version, type->site)) {
        return false;
    }
    const char *fault = find_type_fault(type);
    return OXI_REQUIRE(fault == NULL, NULL, OX_REPORT_BAD_TYPE, site,
                       OXI_NAME("name", type->name != NULL ? type->name : ""),
                       OXI_NAME("why", fault));
}

static void report_type_conflict(const ox_type *first, const ox_type *second, ox_site site) {
    OXI_REPORT(NULL, OX_REPORT_TYPE_CONFLICT, site, OXI_NAME("name", first->name),
               OXI_SITE("first_site", first->site), OXI_SITE("second_site", second->site),
               OXI_NAME("difference", find_difference(first, second)));
}

// As ox_version_check_at tells, without a report.
static bool fits_library(const ox_type *type) {
    return type->header_version / 1000 == OX_VERSION / 1000;
}

// Under types_lock. Takes in the types of a list whose lengths are known, before the others: of the
// files that declare one, some may not announce the constants it uses. The list stays as it is:
// links are part of descriptors, which other threads may be copying. Returns false when out of
// memory.
static bool take_in_known_lengths(const ox_type *types) {
    for (; types != NULL; types = types->next) {
        if (!fits_library(types) || find_type_fault(types) != NULL) {
            continue;
        }
        const char *body = body_of(types);
        if (body != NULL && !oxi_constants_cover(body, types->scope)) {
            continue;
        }
        const type_entry *entry = NULL;
        if (insert_type(types, &entry) == INSERT_NO_MEMORY) {
            return false;
        }
    }
    return true;
}

static void let_wait_again(ox_type *types) {
    for (ox_type *next; types != NULL; types = next) {
        next = types->next;
        oxi_type_link(types);
    }
}

// Under types_lock. Takes in what waits; those that cannot be go to `*refused`. Returns false when
// out of memory, with the rest waiting again.
static bool take_in_waiting_types(ox_type **refused) {
    ox_type *type = oxi_exchange_acq_rel(&waiting_types, NULL);
    if (!take_in_known_lengths(type)) {
        let_wait_again(type);
        return false;
    }
    while (type != NULL) {
        ox_type *next = type->next;
        const type_entry *entry = NULL;
        bool is_valid = fits_library(type) && find_type_fault(type) == NULL;
        insert_result result = is_valid ? insert_type(type, &entry) : INSERT_CONFLICT;
        if (result == INSERT_NO_MEMORY) {
            let_wait_again(type);
            return false;
        }
        if (result == INSERT_CONFLICT) {
            type->next = *refused;
            *refused = type;
        }
        type = next;
    }
    return true;
}

static void report_refused_types(const ox_type *refused) {
    for (; refused != NULL; refused = refused->next) {
        if (!require_valid_type(refused, refused->site)) {
            continue;
        }
        oxi_mutex_lock(&types_lock);
        const type_entry *entry = *find_type_link(refused->name, strlen(refused->name));
        oxi_mutex_unlock(&types_lock);
        report_type_conflict(&entry->type, refused, refused->site);
    }
}

static void report_no_memory_for_types(ox_site site) {
    OXI_REPORT(NULL, OX_REPORT_OUT_OF_MEMORY, site, OXI_NUMBER("bytes", sizeof(type_entry)),
               OXI_NAME("allocator", "the table of types"));
}

bool oxi_types_update(ox_site site) {
    ox_type *refused = NULL;
    if (!oxi_constants_update(site)) {
        return false;
    }
    oxi_mutex_lock(&types_lock);
    bool complete = take_in_waiting_types(&refused);
    oxi_mutex_unlock(&types_lock);
    report_refused_types(refused);
    if (!complete) {
        report_no_memory_for_types(site);
    }
    return complete;
}

const ox_type *oxi_type_lookup(const char *name, size_t length) {
    const ox_type *type = oxi_c_type_find(name, length);
    if (type != NULL) {
        return type;
    }
    oxi_mutex_lock(&types_lock);
    const type_entry *entry = *find_type_link(name, length);
    oxi_mutex_unlock(&types_lock);
    return entry != NULL ? &entry->type : NULL;
}

const ox_type *ox_type_find(const char *name) {
    if (name == NULL || !oxi_hooks_require_outside("ox_type_find", NULL)) {
        return NULL;
    }
    oxi_types_update(NULL);
    return oxi_type_lookup(name, strlen(name));
}

const ox_type *ox_type_register_at(const ox_type *type, ox_site site) {
    if (!oxi_hooks_require_outside("ox_type_register", site) ||
        !OXI_REQUIRE_ARGUMENT(type, "ox_type_register", site) || !require_valid_type(type, site) ||
        !oxi_constants_update(site)) {
        return NULL;
    }
    const type_entry *entry = NULL;
    oxi_mutex_lock(&types_lock);
    insert_result result = insert_type(type, &entry);
    oxi_mutex_unlock(&types_lock);
    if (result == INSERT_OK) {
        return &entry->type;
    }
    if (result == INSERT_CONFLICT) {
        report_type_conflict(&entry->type, type, site);
    } else {
        report_no_memory_for_types(site);
    }
    return NULL;
}

uint32_t ox_type_count(void) {
    oxi_types_update(NULL);
    oxi_mutex_lock(&types_lock);
    uint32_t count = type_count;
    oxi_mutex_unlock(&types_lock);
    return count;
}

void oxi_types_reset(void) {
    oxi_mutex_lock(&types_lock);
    for (int k = 0; k < TYPE_CHAINS; k++) {
        for (type_entry *entry = type_chains[k], *next; entry != NULL; entry = next) {
            next = entry->next;
            oxi_heap_free(entry, entry->block_size, _Alignof(type_entry));
        }
        type_chains[k] = NULL;
    }
    type_count = 0;
    oxi_exchange_acq_rel(&waiting_types, NULL);
    oxi_mutex_unlock(&types_lock);
}
