// SPDX-License-Identifier: MIT
//
// The components of the naive world: what is known of them, and the values of shared ones.

#include "entities/kinds_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

kinds_component kinds_components[KINDS_ALL];
kinds_masks kinds_masked;
int64_t kinds_live_texts;

// Texts own memory, and all have one hash.

static uint64_t hash_text(const void *value) {
    (void)value;
    return 7;
}

static const char *text_of(const void *value) {
    const char *text = ((const KindsText *)value)->text;
    return text != NULL ? text : "";
}

static bool equal_text(const void *a, const void *b) {
    return strcmp(text_of(a), text_of(b)) == 0;
}

static bool copy_text(void *stored) {
    size_t size = strlen(text_of(stored)) + 1;
    char *own = malloc(size);
    if (own == NULL) {
        return false;
    }
    memcpy(own, text_of(stored), size);
    ((KindsText *)stored)->text = own;
    kinds_live_texts++;
    return true;
}

static void drop_text(void *stored) {
    free((void *)(uintptr_t)((KindsText *)stored)->text);
    kinds_live_texts--;
}

void kinds_make_shared(int component, int number, void *value) {
    static char texts[2][KINDS_TEXTS][16];
    static int next;
    if (component != KINDS_TEXT) {
        memcpy(value, &(int32_t){number}, sizeof(int32_t));
        return;
    }
    char *text = texts[next++ % 2][number];
    snprintf(text, sizeof texts[0][0], "text %d", number);
    *(KindsText *)value = (KindsText){number != 0 ? text : NULL};
}

int kinds_number_of(int component, const void *value) {
    int32_t number = 0;
    if (component != KINDS_TEXT) {
        memcpy(&number, value, sizeof number);
    } else if (((const KindsText *)value)->text != NULL &&
               sscanf(((const KindsText *)value)->text, "text %d", &number) != 1) {
        number = -1;
    }
    return number;
}

// The list.

static void describe(int component, uint32_t id) {
    const ox_component_info *info = ox_component_get_info(id);
    kinds_components[component] = (kinds_component){.id = id,
                                                    .kind = info->kind,
                                                    .flags = info->flags,
                                                    .size = info->size,
                                                    .entity_offsets = info->entity_offsets,
                                                    .entity_count = info->entity_count};
    uint32_t bit = UINT32_C(1) << component;
    kinds_masked.data |= info->kind == OX_COMPONENT_KIND_DATA ? bit : 0;
    kinds_masked.shared |= info->kind == OX_COMPONENT_KIND_SHARED ? bit : 0;
    kinds_masked.buffers |= info->kind == OX_COMPONENT_KIND_BUFFER ? bit : 0;
    kinds_masked.cleanup |= (info->flags & OX_COMPONENT_CLEANUP) != 0 ? bit : 0;
    kinds_masked.enableable |= (info->flags & OX_COMPONENT_ENABLEABLE) != 0 ? bit : 0;
}

void kinds_register(void) {
    const uint32_t ids[KINDS_ALL] = {
        [KINDS_PLAIN] = ox_component_id_of(KindsPlain),
        [KINDS_WIDE] = ox_component_id_of(KindsWide),
        [KINDS_POINTER] = ox_component_id_of(KindsPointer),
        [KINDS_TAG] = ox_component_id_of(KindsTag),
        [KINDS_SWITCH] = ox_component_id_of(KindsSwitch),
        [KINDS_SWITCH_TAG] = ox_component_id_of(KindsSwitchTag),
        [KINDS_SWITCH_BUFFER] = ox_component_id_of(KindsSwitchBuffer),
        [KINDS_TEXT] = ox_component_id_of(KindsText),
        [KINDS_TEAM] = ox_component_id_of(KindsTeam),
        [KINDS_MARK] = ox_component_id_of(KindsMark),
        [KINDS_REFS] = ox_component_id_of(KindsRefs),
        [KINDS_OUTSIDE] = ox_component_id_of(KindsOutside),
        [KINDS_SLOT] = ox_component_id_of(KindsSlot),
        [KINDS_TRAIL] = ox_component_id_of(KindsTrail),
        [KINDS_PREFAB] = ox_component_id_of(ox_prefab),
        [KINDS_DISABLED] = ox_component_id_of(ox_disabled),
        [KINDS_LINKED] = ox_component_id_of(ox_linked),
        [KINDS_RESIDUE] = ox_component_id_of(ox_destroyed),
    };
    for (int k = 0; k < KINDS_ALL; k++) {
        describe(k, ids[k]);
    }
    const ox_shared_def calls = {hash_text, equal_text, copy_text, drop_text};
    ox_shared_define(kinds_components[KINDS_TEXT].id, &calls);
}
