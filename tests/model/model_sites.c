// SPDX-License-Identifier: MIT
//
// The atomic operations of the sources, and the one whose order is weakened.

#include "model/model_atomics.h"
#include "model/model_inside.h"

static model_site sites[MODEL_SITES];
static int weak_site = -1;
static model_order weak_order;

model_site *model_get_site(int index) {
    return &sites[index];
}

void model_weaken(int site, model_order order) {
    weak_site = site;
    weak_order = order;
}

model_order model_enter_site(uint32_t at, const char *function, const char *text) {
    int index = (int)(at >> 8);
    model_order order = (model_order)(at >> 4 & 15);
    model_site *site = &sites[index];
    if (site->hits++ == 0) {
        model_kind kind = (model_kind)(at & 15);
        *site = (model_site){function, text, order, kind != MODEL_STORE, kind != MODEL_LOAD, 1};
    }
    return index == weak_site ? weak_order : order;
}
