// SPDX-License-Identifier: MIT
//
// Which rows of a chunk match, by what is switched off. The mask of a chunk is made once, from all
// switches as they are then.

#include "entities/query.h"

enum { ROW_WORD = 64 };

void oxi_query_rules(const ox_query *query, size_t index, oxi_chunk chunk, oxi_row_rules *rules) {
    const oxi_query_cell *cells = oxi_query_cells(query, index);
    const uint64_t *meta = (const uint64_t *)(const void *)oxi_chunk_entry_of(chunk)->meta;
    rules->count = 0;
    rules->is_any_met = false;
    for (uint32_t k = 0; k < query->term_count; k++) {
        const oxi_query_term *term = &query->terms[k];
        if (term->rule == OXI_BITS_IGNORED) {
            // A component that is always on meets OX_ANY.
            rules->is_any_met =
                rules->is_any_met || (term->kind == OX_TERM_ANY && cells[k].type != OXI_NO_CELL);
            continue;
        }
        rules->rules[rules->count] = term->rule;
        rules->bits[rules->count++] = cells[k].bits != 0 ? meta + cells[k].bits : NULL;
    }
    OXI_ASSERT(rules->count == query->rule_count);
}

static uint64_t mask_of_word(const oxi_row_rules *rules, size_t word) {
    uint64_t mask = UINT64_MAX, any = 0;
    bool wants_any = false;
    for (uint32_t k = 0; k < rules->count; k++) {
        uint64_t off = rules->bits[k] != NULL ? rules->bits[k][word] : 0;
        if (rules->rules[k] == OXI_BITS_ON) {
            mask &= ~off;
        } else if (rules->rules[k] == OXI_BITS_OFF) {
            mask &= rules->bits[k] != NULL ? off : UINT64_MAX;
        } else {
            wants_any = true;
            any |= rules->bits[k] != NULL ? ~off : 0;
        }
    }
    return wants_any && !rules->is_any_met ? mask & any : mask;
}

// True when nothing is switched off, and nothing has to be: the common case.
static bool is_all_on(const oxi_row_rules *rules, uint32_t count) {
    uint64_t off = 0;
    for (uint32_t k = 0; k < rules->count; k++) {
        if (rules->rules[k] != OXI_BITS_ON) {
            return false;
        }
        OXI_ASSERT(rules->bits[k] != NULL); // a term that must be on has its component
        for (uint32_t word = 0; word * ROW_WORD < count; word++) {
            off |= rules->bits[k][word];
        }
    }
    return off == 0;
}

oxi_mask_kind oxi_rules_mask(const oxi_row_rules *rules, uint32_t count, uint64_t *mask) {
    if (is_all_on(rules, count)) {
        return OXI_MASK_ALL;
    }
    uint64_t all = UINT64_MAX, some = 0;
    for (uint32_t first = 0; first < count; first += ROW_WORD) {
        uint64_t word = mask_of_word(rules, first / ROW_WORD);
        uint32_t rows = count - first;
        uint64_t inside = rows < ROW_WORD ? ((uint64_t)1 << rows) - 1 : UINT64_MAX;
        all &= word | ~inside;
        word &= inside;
        some |= word;
        mask[first / ROW_WORD] = word;
    }
    if (some == 0) {
        return OXI_MASK_NONE;
    }
    return all == UINT64_MAX ? OXI_MASK_ALL : OXI_MASK_SOME;
}

oxi_mask_kind oxi_query_mask(const ox_query *query, size_t index, oxi_chunk chunk, uint64_t *mask) {
    if (query->rule_count == 0) {
        return OXI_MASK_ALL;
    }
    oxi_row_rules rules;
    OXI_ASSERT(query->matches.items[index] == oxi_archetype_of(chunk));
    oxi_query_rules(query, index, chunk, &rules);
    return oxi_rules_mask(&rules, oxi_chunk_entry_of(chunk)->count, mask);
}
