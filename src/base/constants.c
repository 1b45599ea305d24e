// SPDX-License-Identifier: MIT
//
// The table of announced constants of the process.
//
// Descriptors are linked before main, without allocating, into a list that waits; the first look at
// the table takes them in, and copies them. A name may have one value in each file that is
// compiled, so the table keeps the scope of each announcement, and the scanner asks in the scope of
// the struct. Two values in one scope are both kept: whoever asks for that name is refused.
//
// Invariant: entries are never changed or removed, and are numbered in the order of insertion.

#include "base/constants.h"

#include "base/atomics.h"
#include "base/check.h"
#include "base/hash.h"
#include "base/heap.h"
#include "base/platform.h"
#include "base/types.h"

#include <string.h>

enum { CONSTANT_CHAINS = 256, LONGEST_CONSTANT_NAME = 127 };

typedef struct constant_entry {
    ox_constant constant; // its `next` is not used
    struct constant_entry *next;
    size_t block_size; // of the entry and the texts behind it
    uint32_t number;
} constant_entry;

static oxi_atomic_ptr waiting_constants; // of ox_constant, through `next`
static oxi_mutex constants_lock = OXI_MUTEX_INIT;
static constant_entry *constant_chains[CONSTANT_CHAINS]; // under constants_lock, as is what follows
static uint32_t constant_count;

void oxi_constant_link(ox_constant *constant) {
    void *first = oxi_load_relaxed(&waiting_constants);
    do {
        constant->next = first;
    } while (!oxi_swap_acq_rel(&waiting_constants, &first, constant));
}

// Taking in.

// What is wrong with a description, or NULL.
static const char *find_constant_fault(const ox_constant *constant) {
    size_t length = constant->name != NULL ? strlen(constant->name) : 0;
    if (length == 0 || length > LONGEST_CONSTANT_NAME) {
        return "its name must have 1 to 127 characters";
    }
    oxi_token token = oxi_token_peek(constant->name);
    if (!oxi_token_is_word(token) || token.length != length) {
        return "its name is not a C identifier";
    }
    if (oxi_c_type_find(constant->name, length) != NULL) {
        return "its name belongs to a type that is always known";
    }
    if (constant->value < INT32_MIN || constant->value > INT32_MAX) {
        return "its value does not fit into 32 bits";
    }
    return NULL;
}

static bool require_valid_constant(const ox_constant *constant, ox_site site) {
    if (!ox_version_check_at(constant->header_version, constant->site)) {
        return false;
    }
    const char *fault = find_constant_fault(constant);
    const char *name = constant->name != NULL ? constant->name : "";
    return OXI_REQUIRE(fault == NULL, NULL, OX_REPORT_BAD_CONSTANT, site, OXI_NAME("name", name),
                       OXI_NAME("why", fault));
}

static constant_entry *copy_constant(const ox_constant *constant) {
    size_t name_size = strlen(constant->name) + 1;
    size_t site_size = constant->site != NULL ? strlen(constant->site) + 1 : 0;
    size_t size = sizeof(constant_entry) + name_size + site_size;
    constant_entry *entry = oxi_heap_alloc(size, _Alignof(constant_entry));
    if (entry == NULL) {
        return NULL;
    }
    char *texts = (char *)(entry + 1);
    *entry = (constant_entry){.constant = *constant, .block_size = size};
    entry->constant.next = NULL;
    entry->constant.name = memcpy(texts, constant->name, name_size);
    if (constant->site != NULL) {
        entry->constant.site = memcpy(texts + name_size, constant->site, site_size);
    }
    return entry;
}

static constant_entry **find_constant_chain(const char *name, size_t length) {
    return &constant_chains[oxi_hash_bytes(name, length, 0) % CONSTANT_CHAINS];
}

static bool has_constant_name(const constant_entry *entry, const char *name, size_t length) {
    return strlen(entry->constant.name) == length &&
           memcmp(entry->constant.name, name, length) == 0;
}

// Under constants_lock. Returns false when out of memory.
static bool insert_constant(const ox_constant *constant) {
    size_t length = strlen(constant->name);
    constant_entry **link = find_constant_chain(constant->name, length);
    for (; *link != NULL; link = &(*link)->next) {
        const ox_constant *known = &(*link)->constant;
        bool is_same = known->scope == constant->scope && known->value == constant->value;
        if (is_same && has_constant_name(*link, constant->name, length)) {
            return true;
        }
    }
    constant_entry *entry = copy_constant(constant);
    if (entry == NULL) {
        return false;
    }
    entry->number = constant_count++;
    *link = entry;
    return true;
}

// Under constants_lock. Takes in what waits; those that cannot be go to `*refused`. Returns false
// when out of memory, with the rest waiting again.
static bool take_in_waiting_constants(ox_constant **refused) {
    ox_constant *constant = oxi_exchange_acq_rel(&waiting_constants, NULL);
    while (constant != NULL) {
        ox_constant *next = constant->next;
        bool fits_library = constant->header_version / 1000 == OX_VERSION / 1000;
        if (!fits_library || find_constant_fault(constant) != NULL) {
            constant->next = *refused;
            *refused = constant;
        } else if (!insert_constant(constant)) {
            for (; constant != NULL; constant = next) {
                next = constant->next;
                oxi_constant_link(constant);
            }
            return false;
        }
        constant = next;
    }
    return true;
}

static bool report_no_memory_for_constants(ox_site site) {
    return OXI_REPORT(NULL, OX_REPORT_OUT_OF_MEMORY, site,
                      OXI_NUMBER("bytes", sizeof(constant_entry)),
                      OXI_NAME("allocator", "the table of constants"));
}

bool oxi_constants_update(ox_site site) {
    ox_constant *refused = NULL;
    oxi_mutex_lock(&constants_lock);
    bool complete = take_in_waiting_constants(&refused);
    oxi_mutex_unlock(&constants_lock);
    for (; refused != NULL; refused = refused->next) {
        require_valid_constant(refused, refused->site);
    }
    return complete || report_no_memory_for_constants(site);
}

bool ox_constant_register_at(const ox_constant *constant, ox_site site) {
    if (!oxi_hooks_require_outside("ox_constant_register", site) ||
        !OXI_REQUIRE_ARGUMENT(constant, "ox_constant_register", site) ||
        !require_valid_constant(constant, site)) {
        return false;
    }
    oxi_mutex_lock(&constants_lock);
    bool inserted = insert_constant(constant);
    oxi_mutex_unlock(&constants_lock);
    return inserted || report_no_memory_for_constants(site);
}

uint32_t oxi_constant_count(void) {
    oxi_mutex_lock(&constants_lock);
    uint32_t count = constant_count;
    oxi_mutex_unlock(&constants_lock);
    return count;
}

// Finding.

static bool may_see_constant(const oxi_constant_names *names, const constant_entry *entry) {
    bool is_in_scope = names->scope == NULL || entry->constant.scope == names->scope;
    return is_in_scope && entry->number < names->count;
}

bool oxi_constant_find(oxi_constant_names *names, oxi_token name, int64_t *value) {
    const ox_constant *found = NULL, *other = NULL;
    oxi_mutex_lock(&constants_lock);
    const constant_entry *entry = *find_constant_chain(name.text, name.length);
    for (; entry != NULL && other == NULL; entry = entry->next) {
        if (!may_see_constant(names, entry) || !has_constant_name(entry, name.text, name.length)) {
            continue;
        }
        if (found == NULL) {
            found = &entry->constant;
        } else if (found->value != entry->constant.value) {
            other = &entry->constant;
        }
    }
    oxi_mutex_unlock(&constants_lock);
    if (found == NULL || other != NULL) {
        names->missing = name;
        names->first = other != NULL ? found : NULL;
        names->second = other;
        return false;
    }
    *value = found->value;
    return true;
}

// The next word between '[' and ']', or an empty token. `depth` begins at 0.
static oxi_token next_length_name(const char **cursor, int *depth) {
    for (;;) {
        oxi_token token = oxi_token_next(cursor);
        if (token.length == 0 || (*depth > 0 && oxi_token_is_word(token))) {
            return token;
        }
        *depth += oxi_token_is(token, "[");
        *depth -= *depth > 0 && oxi_token_is(token, "]");
    }
}

bool oxi_constants_cover(const char *text, const void *scope) {
    oxi_constant_names names = {.scope = scope, .count = UINT32_MAX};
    int depth = 0;
    for (;;) {
        int64_t value = 0;
        oxi_token name = next_length_name(&text, &depth);
        if (name.length == 0) {
            return true;
        }
        if (!oxi_constant_find(&names, name, &value)) {
            return false;
        }
    }
}

bool oxi_constants_agree(const char *text, const void *scope, const void *other_scope) {
    oxi_constant_names names = {.scope = scope, .count = UINT32_MAX};
    oxi_constant_names other_names = {.scope = other_scope, .count = UINT32_MAX};
    int depth = 0;
    for (;;) {
        int64_t value = 0, other = 0;
        oxi_token name = next_length_name(&text, &depth);
        if (name.length == 0) {
            return true;
        }
        bool is_known = oxi_constant_find(&names, name, &value) &&
                        oxi_constant_find(&other_names, name, &other);
        if (is_known && value != other) {
            return false;
        }
    }
}

void oxi_constants_reset(void) {
    oxi_mutex_lock(&constants_lock);
    for (int k = 0; k < CONSTANT_CHAINS; k++) {
        for (constant_entry *entry = constant_chains[k], *next; entry != NULL; entry = next) {
            next = entry->next;
            oxi_heap_free(entry, entry->block_size, _Alignof(constant_entry));
        }
        constant_chains[k] = NULL;
    }
    constant_count = 0;
    oxi_exchange_acq_rel(&waiting_constants, NULL);
    oxi_mutex_unlock(&constants_lock);
}
