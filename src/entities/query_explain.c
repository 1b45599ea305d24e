// SPDX-License-Identifier: MIT
//
// Why an entity does not match a query, in words.
//
// What an archetype lacks is asked of its terms, what is switched off of the row, filters of the
// chunk: the same questions that matching asks, one reason for each that is answered with no.

#include "entities/query.h"

#include "base/text.h"

// Reasons, counted, and written where there is a text.
typedef struct mismatch {
    oxi_text *text; // NULL: they are counted alone
    uint32_t count;
} mismatch;

static void add_reason(mismatch *out, const char *before, const char *name, const char *after) {
    if (out->text != NULL) {
        oxi_text_append_format(out->text, "%s%s%s%s", out->count > 0 ? "; " : "", before, name,
                               after);
    }
    out->count++;
}

static const char *name_of_term(const oxi_query_term *term) {
    return ox_component_get_info(term->id)->name;
}

static bool has_id(const ox_query *query, const oxi_archetype *archetype, uint32_t id) {
    return oxi_archetype_find_type(&query->world->store, archetype, id) >= 0;
}

// All that OX_ANY names.
static void add_any(mismatch *out, const ox_query *query, const char *after) {
    bool is_first = true;
    for (uint32_t k = 0; k < query->term_count; k++) {
        if (query->terms[k].kind != OX_TERM_ANY) {
            continue;
        }
        if (is_first) {
            add_reason(out, "has none of ", name_of_term(&query->terms[k]), "");
        } else if (out->text != NULL) {
            oxi_text_append_format(out->text, ", %s", name_of_term(&query->terms[k]));
        }
        is_first = false;
    }
    if (out->text != NULL) {
        oxi_text_append(out->text, after);
    }
}

// By archetype.

static void explain_term(mismatch *out, const oxi_query_term *term, bool has) {
    if (oxi_term_allows(term, has)) {
        return;
    }
    if (!has) {
        add_reason(out, "has no ", name_of_term(term), "");
    } else {
        bool is_none = term->kind == OX_TERM_NONE;
        add_reason(out, "has ", name_of_term(term),
                   is_none ? ", which OX_NONE shuts out" : ", which OX_ABSENT shuts out");
    }
}

static void explain_archetype(mismatch *out, const ox_query *query,
                              const oxi_archetype *archetype) {
    bool wants_any = false, has_any = false;
    for (uint32_t k = 0; k < query->term_count; k++) {
        const oxi_query_term *term = &query->terms[k];
        bool has = has_id(query, archetype, term->id), is_any = term->kind == OX_TERM_ANY;
        explain_term(out, term, has);
        wants_any = wants_any || is_any;
        has_any = has_any || (is_any && has);
    }
    if (wants_any && !has_any) {
        add_any(out, query, "");
    }
    const char *left_out = oxi_query_left_out(query, archetype);
    if (left_out != NULL) {
        add_reason(out, left_out, "", "");
    }
}

// By row.

// True when the switch of a component that is there is off. One without a switch is on.
static bool is_off(const ox_query *query, const oxi_record *record, uint32_t id) {
    oxi_component_place place =
        oxi_archetype_find_local(oxi_archetype_of(record->chunk), query->world->store.local_of[id]);
    const uint64_t *meta =
        (const uint64_t *)(const void *)oxi_chunk_entry_of(record->chunk)->meta + place.bits;
    return place.bits != 0 && oxi_words_test(meta, record->row);
}

static void explain_row(mismatch *out, const ox_query *query, const oxi_record *record) {
    const oxi_archetype *archetype = oxi_archetype_of(record->chunk);
    bool has_any = false, is_any_on = false;
    for (uint32_t k = 0; k < query->term_count; k++) {
        const oxi_query_term *term = &query->terms[k];
        if (!has_id(query, archetype, term->id)) {
            continue;
        }
        bool off = is_off(query, record, term->id);
        has_any = has_any || term->kind == OX_TERM_ANY;
        is_any_on = is_any_on || (term->kind == OX_TERM_ANY && !off);
        if (term->rule == OXI_BITS_ON && off) {
            add_reason(out, "", name_of_term(term), " is switched off");
        } else if (term->rule == OXI_BITS_OFF && !off && term->kind == OX_TERM_NONE) {
            add_reason(out, "has ", name_of_term(term), ", switched on, which OX_NONE shuts out");
        } else if (term->rule == OXI_BITS_OFF && !off) {
            add_reason(out, "", name_of_term(term), " is switched on");
        }
    }
    if (has_any && !is_any_on) {
        add_any(out, query, " that is on");
    }
}

// By chunk.

static void explain_filters(mismatch *out, const ox_query *query, oxi_chunk chunk) {
    OXI_ASSERT(oxi_query_left_out(query, oxi_archetype_of(chunk)) == NULL);
    oxi_archetype *archetype = oxi_archetype_of(chunk);
    uint32_t before = out->count;
    for (uint32_t k = 0; k < query->shared_filter_count; k++) {
        uint32_t id = query->shared[k].component;
        if (oxi_chunk_shared_number(&query->world->store, archetype, chunk, id) !=
            query->shared[k].number) {
            add_reason(out, "its ", ox_component_get_info(id)->name,
                       " is not the one that a filter asks for");
        }
    }
    if (out->count == before && !oxi_query_passes(query, archetype, chunk)) {
        add_reason(out, "its chunk has not changed as a filter asks", "", "");
    }
}

static void explain_entity(mismatch *out, const ox_query *query, ox_entity entity) {
    const oxi_record *record = oxi_entity_find(&query->world->store.entities, entity);
    if (record == NULL) {
        add_reason(out, "is not alive", "", "");
        return;
    }
    explain_archetype(out, query, oxi_archetype_of(record->chunk));
    bool is_of_it = out->count == 0; // filters ask for components that it has
    explain_row(out, query, record);
    if (is_of_it) {
        explain_filters(out, query, record->chunk);
    }
}

bool oxi_query_explain(const ox_query *query, ox_entity entity, oxi_text *text) {
    mismatch out = {.text = text};
    explain_entity(&out, query, entity);
    return out.count == 0;
}

bool ox_query_explain_at(ox_query *query, ox_entity entity, char *text, size_t size, ox_site site) {
    if (size > 0 && !OXI_REQUIRE_ARGUMENT(text, "ox_query_explain", site)) {
        return false;
    }
    if (size > 0) {
        text[0] = 0;
    }
    if (!oxi_query_enter(query, "ox_query_explain", site) || !oxi_query_sync_rules(query, site)) {
        return false;
    }
    oxi_text cut = size > 0 ? oxi_text_over(text, size) : (oxi_text){0};
    bool matches = oxi_query_explain(query, entity, size > 0 ? &cut : NULL);
    if (matches && size > 0) {
        oxi_text_append(&cut, "matches");
    }
    return matches;
}

// The nearest.

static ox_entity find_first_entity(const oxi_archetype *archetype) {
    for (size_t k = 0; k < archetype->lane.chunks.count; k++) {
        oxi_chunk chunk = archetype->lane.chunks.items[k];
        const oxi_chunk_entry *entry = chunk != 0 ? oxi_chunk_entry_of(chunk) : NULL;
        if (entry != NULL && entry->live > 0) {
            const uint64_t *dead = oxi_chunk_dead_bits(archetype, chunk);
            OXI_ASSERT(oxi_words_find_clear(dead, entry->count, 0) < entry->count);
            return oxi_chunk_entities(chunk)[oxi_words_find_clear(dead, entry->count, 0)];
        }
    }
    return (ox_entity){0};
}

ox_entity oxi_query_find_nearest(const ox_query *query) {
    const oxi_store *store = &query->world->store;
    const oxi_archetype *nearest = NULL;
    uint32_t fewest = UINT32_MAX;
    for (uint32_t k = 0; k < store->archetypes.count; k++) {
        const oxi_archetype *archetype = oxi_archetype_at(store, k);
        mismatch counted = {0};
        if (archetype->live == 0) {
            continue;
        }
        explain_archetype(&counted, query, archetype);
        if (counted.count < fewest ||
            (counted.count == fewest && archetype->live > nearest->live)) {
            nearest = archetype;
            fewest = counted.count;
        }
    }
    return nearest != NULL ? find_first_entity(nearest) : (ox_entity){0};
}
