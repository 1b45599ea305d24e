// SPDX-License-Identifier: MIT
//
// The list of announced systems, sorted by name: no order depends on that of linking. It is written
// before main, or on main, and only read afterwards.

#include "systems/system_registry.h"

#include "systems/systems.h"

#include <string.h>

static ox_system_def *first_system;

enum { LONGEST_COMPARED = 64 };

static bool is_listed(const ox_system_def *def) {
    const ox_system_def *at = first_system;
    while (at != NULL && at != def) {
        at = at->next;
    }
    return at != NULL;
}

void ox_system_register(ox_system_def *def) {
    if (def == NULL || def->name == NULL || is_listed(def)) {
        return;
    }
    ox_system_def **at = &first_system;
    while (*at != NULL && strcmp((*at)->name, def->name) <= 0) {
        at = &(*at)->next;
    }
    def->next = *at;
    *at = def;
    oxi_world_set_fill(oxi_systems_fill);
}

const ox_system_def *oxi_registry_find(const char *name) {
    const ox_system_def *at = first_system;
    while (at != NULL && strcmp(at->name, name) != 0) {
        at = at->next;
    }
    return at;
}

const ox_system_def *oxi_registry_next(const ox_system_def *def) {
    return def == NULL ? first_system : def->next;
}

static int smallest_of(int a, int b, int c) {
    int least = a < b ? a : b;
    return least < c ? least : c;
}

int oxi_name_distance(const char *a, const char *b) {
    size_t a_length = strlen(a), b_length = strlen(b);
    if (b_length >= LONGEST_COMPARED) {
        return LONGEST_COMPARED;
    }
    int rows[3][LONGEST_COMPARED + 1]; // the row before the last, the last, this one
    for (size_t k = 0; k <= b_length; k++) {
        rows[1][k] = (int)k;
    }
    for (size_t n = 1; n <= a_length; n++) {
        rows[2][0] = (int)n;
        for (size_t k = 1; k <= b_length; k++) {
            int changed = rows[1][k - 1] + (a[n - 1] != b[k - 1]);
            rows[2][k] = smallest_of(rows[1][k] + 1, rows[2][k - 1] + 1, changed);
            if (n > 1 && k > 1 && a[n - 1] == b[k - 2] && a[n - 2] == b[k - 1] &&
                rows[0][k - 2] + 1 < rows[2][k]) {
                rows[2][k] = rows[0][k - 2] + 1;
            }
        }
        memcpy(rows[0], rows[1], sizeof rows[0]);
        memcpy(rows[1], rows[2], sizeof rows[1]);
    }
    return rows[1][b_length];
}
