// SPDX-License-Identifier: MIT
//
// Invariant: each name stands in one chain by its text and in one by its entity; there are at most
// as many names as chains of each kind.

#include "storage/names.h"

#include "base/hash.h"

#include <string.h>

enum { LEAST_NAME_CHAINS = 32 };

static oxi_name **chain_of_text(const oxi_names *names, uint64_t hash) {
    return &names->by_text[hash & (names->chain_count - 1)];
}

static oxi_name **chain_of_entity(const oxi_names *names, ox_entity entity) {
    return &names->by_entity[oxi_hash_mix(entity.index) & (names->chain_count - 1)];
}

static void link_name(oxi_names *names, oxi_name *name) {
    oxi_name **text = chain_of_text(names, name->hash);
    oxi_name **entity = chain_of_entity(names, name->entity);
    name->next_by_text = *text;
    name->next_by_entity = *entity;
    *text = *entity = name;
}

static void free_name_chains(const oxi_names *names) {
    oxi_heap_free_in(names->heap, names->by_text, 2 * names->chain_count * sizeof(oxi_name *),
                     _Alignof(oxi_name *));
}

bool oxi_names_reserve(oxi_names *names, size_t count) {
    if (names->count + count <= names->chain_count) {
        return true;
    }
    size_t chains = names->chain_count == 0 ? LEAST_NAME_CHAINS : names->chain_count * 2;
    while (chains < names->count + count) {
        chains *= 2;
    }
    size_t size = 2 * chains * sizeof(oxi_name *);
    oxi_name **block = oxi_heap_alloc_in(names->heap, size, _Alignof(oxi_name *));
    if (block == NULL) {
        return false;
    }
    memset(block, 0, size);
    oxi_names grown = {block, block + chains, chains, names->count, names->heap};
    for (size_t k = 0; k < names->chain_count; k++) {
        for (oxi_name *name = names->by_text[k]; name != NULL;) {
            oxi_name *next = name->next_by_text;
            link_name(&grown, name);
            name = next;
        }
    }
    free_name_chains(names);
    *names = grown;
    return true;
}

static oxi_name *find_by_text(const oxi_names *names, const char *text, uint64_t hash) {
    oxi_name *name = names->count > 0 ? *chain_of_text(names, hash) : NULL;
    while (name != NULL && (name->hash != hash || strcmp(name->text, text) != 0)) {
        name = name->next_by_text;
    }
    return name;
}

static oxi_name *find_by_entity(const oxi_names *names, ox_entity entity) {
    oxi_name *name = names->count > 0 ? *chain_of_entity(names, entity) : NULL;
    while (name != NULL &&
           (name->entity.index != entity.index || name->entity.version != entity.version)) {
        name = name->next_by_entity;
    }
    return name;
}

oxi_name *oxi_name_unlink(oxi_names *names, ox_entity entity) {
    oxi_name *gone = find_by_entity(names, entity);
    if (gone == NULL) {
        return NULL;
    }
    oxi_name **link = chain_of_text(names, gone->hash);
    while (*link != gone) {
        OXI_ASSERT(*link != NULL);
        link = &(*link)->next_by_text;
    }
    *link = gone->next_by_text;
    link = chain_of_entity(names, entity);
    while (*link != gone) {
        link = &(*link)->next_by_entity;
    }
    *link = gone->next_by_entity;
    OXI_ASSERT(names->count > 0);
    names->count--;
    return gone;
}

void oxi_name_free(const oxi_names *names, oxi_name *name) {
    oxi_heap_free_in(names->heap, name, name->size, _Alignof(oxi_name));
}

void oxi_name_forget(oxi_names *names, ox_entity entity) {
    oxi_name *gone = oxi_name_unlink(names, entity);
    if (gone != NULL) {
        oxi_name_free(names, gone);
    }
}

oxi_name *oxi_name_make(const oxi_names *names, const char *text) {
    size_t length = strlen(text) + 1, size = sizeof(oxi_name) + length;
    oxi_name *name = oxi_heap_alloc_in(names->heap, size, _Alignof(oxi_name));
    if (name != NULL) {
        *name = (oxi_name){.hash = oxi_hash_text(text), .size = size};
        memcpy(name->text, text, length);
    }
    return name;
}

void oxi_name_link(oxi_names *names, oxi_name *name, ox_entity entity) {
    OXI_ASSERT(names->count < names->chain_count); // room was made
    OXI_ASSERT(find_by_entity(names, entity) == NULL);
    name->entity = entity;
    link_name(names, name);
    names->count++;
}

oxi_outcome oxi_name_set(oxi_names *names, ox_entity entity, const char *text) {
    if (text == NULL || text[0] == 0) {
        oxi_name_forget(names, entity);
        return OXI_DONE;
    }
    uint64_t hash = oxi_hash_text(text);
    const oxi_name *there = find_by_text(names, text, hash);
    if (there != NULL) {
        bool is_own =
            there->entity.index == entity.index && there->entity.version == entity.version;
        return is_own ? OXI_DONE : OXI_AT_LIMIT;
    }
    oxi_name *name = oxi_names_reserve(names, 1) ? oxi_name_make(names, text) : NULL;
    if (name == NULL) {
        return OXI_NO_MEMORY;
    }
    oxi_name_forget(names, entity);
    oxi_name_link(names, name, entity);
    return OXI_DONE;
}

const char *oxi_name_get(const oxi_names *names, ox_entity entity) {
    const oxi_name *name = find_by_entity(names, entity);
    return name != NULL ? name->text : NULL;
}

ox_entity oxi_name_find(const oxi_names *names, const char *text) {
    const oxi_name *name = text != NULL ? find_by_text(names, text, oxi_hash_text(text)) : NULL;
    return name != NULL ? name->entity : (ox_entity){0, 0};
}

void oxi_names_free(oxi_names *names) {
    for (size_t k = 0; k < names->chain_count; k++) {
        for (oxi_name *name = names->by_text[k]; name != NULL;) {
            oxi_name *next = name->next_by_text;
            oxi_heap_free_in(names->heap, name, name->size, _Alignof(oxi_name));
            name = next;
        }
    }
    free_name_chains(names);
    *names = (oxi_names){0};
}
