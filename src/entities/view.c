// SPDX-License-Identifier: MIT
//
// Views.
//
// All views of a query share one list of windows, a chunk each, made when the first view is, and
// made anew when the world has changed or filters may let other chunks pass. A view remembers which
// windows it is of. On main the window that was used last is tried first.
//
// Jobs read windows too: before they are made anew, those that hold views of the query are
// completed. A job waits for nothing, stamps nothing and writes nothing but values.

#include "oxbow/queries.h"

#include "entities/buffer_access.h"
#include "entities/fences.h"
#include "entities/kinds.h"
#include "entities/plain_jobs.h"
#include "entities/query.h"
#include "storage/buffers.h"
#include "storage/shared_values.h"

static bool are_windows_kept(const ox_query *query) {
    return query->window_serial != 0 && query->window_changes == query->world->store.change_count &&
           !query->windows_filtered && !oxi_query_has_filters(query) && query->rule_count == 0;
}

// Room for a window of every chunk that could pass, or of every other row where some may be left
// out. @return false after a report.
static bool reserve_windows(ox_query *query, ox_site site) {
    size_t count = 0;
    for (size_t k = 0; k < query->matches.count; k++) {
        const oxi_archetype *archetype = query->matches.items[k];
        count += query->rule_count == 0 ? archetype->lane.chunks.count
                                        : archetype->lane.chunks.count + archetype->live / 2;
    }
    return oxi_list_reserve_in(query->world->store.heap, &query->windows, count) ||
           oxi_world_report(query->world, OXI_NO_MEMORY, site);
}

// Writes the windows, for which there is room. @return true when they came out as they were.
static bool write_windows(ox_query *query, ox_site site) {
    size_t count = 0, before = query->windows.count;
    oxi_window *windows = query->windows.items;
    bool is_same = true;
    uint32_t total = query->window_count;
    query->window_count = 0;
    for (ox_chunk chunk = oxi_query_walk(query, site); ox_chunk_next(&chunk); count++) {
        oxi_window window = {query->window_count, chunk.oxi_chunk, chunk.oxi_first};
        is_same = is_same && count < before && windows[count].chunk == window.chunk &&
                  windows[count].row == window.row && windows[count].first == window.first;
        OXI_ASSERT(count < query->windows.capacity); // room was made
        windows[count] = window;
        query->window_count += (uint32_t)chunk.count;
    }
    query->windows.count = count;
    return is_same && count == before && query->window_count == total;
}

// Brings the windows of a query up to date. Views of windows that come out the same go on.
// @return false after a report.
static bool make_windows(ox_query *query, ox_site site) {
    const ox_world *world = query->world;
    if (are_windows_kept(query)) {
        return true;
    }
    if (!oxi_query_sync_rules(query, site)) {
        return false;
    }
    oxi_query_complete_jobs(query, site);
    if (!reserve_windows(query, site)) {
        return false;
    }
    bool is_changed = query->window_changes != world->store.change_count;
    if (!write_windows(query, site) || is_changed || query->window_serial == 0) {
        query->last_window = 0;
        query->window_serial++;
        query->windows_ended = is_changed ? world->store.changed_at : site;
    }
    query->window_changes = world->store.change_count;
    query->windows_filtered = oxi_query_has_filters(query);
    return true;
}

static bool require_viewed(const ox_query *query, uint32_t component, ox_site site) {
    const oxi_query_term *term = oxi_query_find_term(query, component);
    bool reads = term != NULL && (term->kind == OX_TERM_READ || term->kind == OX_TERM_WRITE);
    if (component == 0) {
        return true;
    }
    if (!reads) {
        return oxi_query_report_term(query, component, OXI_WANTS_READ, site);
    }
    return oxi_require_value(query->world, component, site);
}

// Makes sure that the fence of a component, or of the entities, has an access. @return false after
// a report.
static bool reserve_access(ox_query *query, uint32_t component, ox_site site) {
    oxi_type_use use = {component, false, true, false};
    if (component != 0) {
        oxi_store_number(&query->world->store, component);
    }
    return oxi_fences_reserve(query->world, &use, 1, NULL, site);
}

// What a view may do: entities, and what the query only reads, cannot be written.
static ox_access access_of_view(const ox_query *query, uint32_t component) {
    const oxi_query_term *term = component != 0 ? oxi_query_find_term(query, component) : NULL;
    OXI_ASSERT(oxi_fence_find(query->world, component) != NULL); // reserved
    ox_access access = oxi_fence_find(query->world, component)->access;
    bool writes = term != NULL && term->kind == OX_TERM_WRITE;
    access.flags |= (uint32_t)OX_ACCESS_ROWS | (writes ? 0 : (uint32_t)OX_ACCESS_READ_ONLY);
    return access;
}

// @return false after a report, with a view of none.
static bool make_view(ox_query *query, uint32_t component, ox_view *view, ox_site site) {
    *view = (ox_view){.query = query, .component = component, .oxi_site = site};
    if (!oxi_query_enter(query, "ox_query_view", site) || !require_viewed(query, component, site) ||
        !make_windows(query, site) || !reserve_access(query, component, site)) {
        return false;
    }
    oxi_plain_jobs_watch();
    view->access = access_of_view(query, component);
    view->count = (int)query->window_count;
    view->oxi_windows = query->window_serial;
    return true;
}

ox_view ox_query_view_at(ox_query *query, uint32_t component, ox_site site) {
    ox_view view;
    make_view(query, component, &view, site);
    return view;
}

// Room for all views of a query: none is left out when memory ends.
static bool reserve_accesses(ox_query *query, ox_site site) {
    for (uint32_t k = 0; k < query->term_count; k++) {
        ox_term_kind kind = query->terms[k].kind;
        if ((kind == OX_TERM_READ || kind == OX_TERM_WRITE) &&
            !reserve_access(query, query->terms[k].id, site)) {
            return false;
        }
    }
    return true;
}

bool oxi_views_begin_at(ox_world *world, ox_query **query, const ox_term *terms, ox_view *entities,
                        ox_site site) {
    if (*query == NULL) {
        *query = ox_query_create_at(world, terms, site);
    }
    if (!oxi_require_not_ended(*query, "ox_views_fill", site)) {
        return false;
    }
    if (*query == NULL ||
        !OXI_REQUIRE((*query)->world == world, &(*query)->world->sink, OX_REPORT_FOREIGN_HANDLE,
                     site, OXI_NAME("kind", "query"), OXI_NAME("world", (*query)->world->name))) {
        return false;
    }
    return oxi_world_enter(world, "ox_views_fill", site) && reserve_accesses(*query, site) &&
           make_view(*query, 0, entities, site);
}

bool oxi_view_require(const ox_view *view, ox_site site) {
    const ox_query *query = view->query;
    const ox_world *world = query->world;
    bool is_changed = query->window_changes != world->store.change_count;
    bool is_own = query->window_serial == view->oxi_windows && !is_changed;
    return OXI_REQUIRE(
        is_own || view->count == 0, &world->sink, OX_REPORT_CHANGED_IN_LOOP, site,
        OXI_SITE("begun", view->oxi_site),
        OXI_SITE("changed", is_changed ? world->store.changed_at : query->windows_ended),
        OXI_NAME("world", world->name));
}

static bool require_index(const ox_view *view, int64_t index, ox_site site) {
    return OXI_REQUIRE(index >= 0 && index < view->count, &view->query->world->sink,
                       OX_REPORT_OUT_OF_BOUNDS, site, OXI_INTEGER("index", index),
                       OXI_NAME("kind", "view"), OXI_NAME("container", ""),
                       OXI_INTEGER("count", view->count));
}

// True while a view may be used; else reports. In a job its access says whether it may be.
static bool require_usable(const ox_view *view, ox_site site) {
    return oxi_query_require(view->query, "ox_view_read", site) &&
           (oxi_this_run.order != 0 || oxi_world_enter(view->query->world, "ox_view_read", site)) &&
           oxi_view_require(view, site);
}

static bool require_view(const ox_view *view, int64_t index, ox_site site) {
    return require_usable(view, site) && require_index(view, index, site);
}

// The same for `count` values from an index on. An end that no number can hold is outside too.
static bool require_window(const ox_view *view, int64_t index, int64_t count, ox_site site) {
    if (!require_usable(view, site)) {
        return false;
    }
    if (index < 0 || index > view->count) {
        return require_index(view, index, site);
    }
    if (count < 0) {
        return oxi_count_require(view->query->world, count, view->count - index, "ox_view_get_span",
                                 site);
    }
    if (count > view->count - index) {
        return require_index(view, count > INT64_MAX - index ? INT64_MAX : index + count - 1, site);
    }
    return true;
}

// True for a kind that a call is for; else reports what to use.
static bool require_view_kind(const ox_view *view, bool is_right, const char *function,
                              ox_site site) {
    return is_right ||
           oxi_report_unreached(view->query->world, view->component,
                                oxi_kind_of_id(view->component)->advice_view, function, site);
}

// True when values from an index on can be read: a job may, or main waited. Else reports.
static bool may_read(const ox_view *view, int64_t index, int64_t count, ox_site site) {
    if (oxi_this_run.order == 0) {
        return oxi_sync_read(view->query->world, view->component, site);
    }
    return ox_access_may_read_at(view->access, site) &&
           ox_access_may_use_at(view->access, index, count, view->count, site);
}

// The same for one that is written.
static bool may_write(const ox_view *view, int64_t index, ox_site site) {
    if (oxi_this_run.order == 0) {
        return oxi_sync_write(view->query->world, view->component, site);
    }
    return ox_access_may_write_at(view->access, site) &&
           ox_access_may_use_at(view->access, index, 1, view->count, site);
}

static uint32_t end_of_window(const ox_query *query, size_t index) {
    return index + 1 < query->windows.count ? query->windows.items[index + 1].first
                                            : query->window_count;
}

// The window of an index, which is inside of the view.
static size_t search_window(const ox_query *query, uint32_t index) {
    size_t low = 0, high = query->windows.count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (query->windows.items[middle].first <= index) {
            low = middle;
        } else {
            high = middle;
        }
    }
    OXI_ASSERT(low < query->windows.count);
    OXI_ASSERT(query->windows.items[low].first <= index);
    return low;
}

// The same, where main remembers the last one: jobs run beside each other, and do not.
static size_t find_window(ox_query *query, uint32_t index) {
    if (oxi_this_run.order != 0) {
        return search_window(query, index);
    }
    size_t at = query->last_window;
    OXI_ASSERT(at < query->windows.count);
    if (index < query->windows.items[at].first || index >= end_of_window(query, at)) {
        query->last_window = at = search_window(query, index);
    }
    return at;
}

// The value that the entities of a window share.
static const void *find_viewed_shared(const ox_view *view, size_t at) {
    const oxi_store *store = &view->query->world->store;
    oxi_chunk chunk = view->query->windows.items[at].chunk;
    uint32_t number =
        oxi_chunk_shared_number(store, oxi_archetype_of(chunk), chunk, view->component);
    OXI_ASSERT(number != 0); // the query reads it, so every archetype that matches has it
    return oxi_shared_at(store, number)->bytes;
}

// The address of a value in its row, of a buffer its head, and its type in the archetype.
static char *find_viewed(const ox_view *view, size_t at, uint32_t index, int32_t *type) {
    const oxi_store *store = &view->query->world->store;
    const oxi_window *window = &view->query->windows.items[at];
    const oxi_archetype *archetype = oxi_archetype_of(window->chunk);
    oxi_row_place place = {window->chunk, window->row + index - window->first};
    OXI_ASSERT(place.row < oxi_chunk_entry_of(window->chunk)->count);
    *type = view->component != 0 ? oxi_archetype_find_type(store, archetype, view->component) : -1;
    OXI_ASSERT(view->component == 0 || *type >= 0); // the query reads it
    return oxi_column_at(archetype, *type >= 0 ? archetype->column_of_type[*type] : 0, place);
}

bool oxi_view_report_other(const ox_view *view, uint32_t component, ox_site site) {
    if (!oxi_query_require(view->query, "ox_view_read", site)) {
        return false;
    }
    return oxi_report_other_component(view->query->world, "view", view->component, component, site);
}

const void *ox_view_get_at(ox_view view, int64_t index, ox_site site) {
    if (!require_view(&view, index, site)) {
        return oxi_element_zeros();
    }
    const oxi_kind_ops *kind = oxi_kind_of_id(view.component);
    if (!require_view_kind(&view, !kind->in_buffer, "ox_view_read", site) ||
        !may_read(&view, index, 1, site)) {
        return oxi_element_zeros();
    }
    size_t at = find_window(view.query, (uint32_t)index);
    if (kind->in_lane) {
        return find_viewed_shared(&view, at);
    }
    int32_t type;
    return find_viewed(&view, at, (uint32_t)index, &type);
}

// True when the query of a view writes what it shows; else reports.
static bool require_view_written(const ox_view *view, ox_site site) {
    const oxi_query_term *term = oxi_query_find_term(view->query, view->component);
    return (term != NULL && term->kind == OX_TERM_WRITE) ||
           oxi_query_report_term(view->query, view->component, OXI_WANTS_WRITE, site);
}

// The address of a value that is written: its chunk counts as changed.
static char *edit_viewed(const ox_view *view, uint32_t index) {
    size_t at = find_window(view->query, index);
    int32_t type;
    char *value = find_viewed(view, at, index, &type);
    if (oxi_this_run.order == 0) { // for a job this was done when it was scheduled
        oxi_chunk chunk = view->query->windows.items[at].chunk;
        OXI_ASSERT(type >= 0); // entities are not written
        oxi_chunk_entry_of(chunk)->meta->versions[type] = view->query->world->store.version;
    }
    return value;
}

void *ox_view_edit_at(ox_view view, int64_t index, ox_site site) {
    if (!require_view(&view, index, site) ||
        !require_view_kind(&view, oxi_kind_of_id(view.component)->in_column, "ox_view_edit",
                           site) ||
        !require_view_written(&view, site) || !may_write(&view, index, site)) {
        return oxi_element_scratch();
    }
    return edit_viewed(&view, (uint32_t)index);
}

// A handle to the buffer at `head`: on main it ends with the next change, as others do.
static ox_buffer make_viewed_buffer(const ox_view *view, void *head, bool writes) {
    ox_world *world = view->query->world;
    const oxi_buffer_kind *kind = oxi_buffer_kind_of(&world->store, view->component);
    ox_buffer buffer = oxi_buffer_make(kind, head, writes);
    if (oxi_this_run.order == 0) {
        buffer.oxi_world = world;
        buffer.oxi_born = oxi_buffer_now(world);
    }
    return buffer;
}

ox_buffer ox_view_get_buffer_at(ox_view view, int64_t index, bool writes, ox_site site) {
    if (!require_view(&view, index, site) ||
        !require_view_kind(&view, oxi_kind_of_id(view.component)->in_buffer,
                           "ox_view_get_buffer_at", site)) {
        return (ox_buffer){0};
    }
    if (writes) {
        if (!require_view_written(&view, site) || !may_write(&view, index, site)) {
            return (ox_buffer){0};
        }
        return make_viewed_buffer(&view, edit_viewed(&view, (uint32_t)index), true);
    }
    if (!may_read(&view, index, 1, site)) {
        return (ox_buffer){0};
    }
    int32_t type;
    size_t at = find_window(view.query, (uint32_t)index);
    return make_viewed_buffer(&view, find_viewed(&view, at, (uint32_t)index, &type), false);
}

ox_view_span ox_view_get_span_at(ox_view view, int64_t index, int64_t most, ox_site site) {
    if (!require_window(&view, index, most, site) || most == 0 ||
        !require_view_kind(&view, oxi_kind_of_id(view.component)->in_column, "ox_view_get_span",
                           site)) {
        return (ox_view_span){NULL, 0};
    }
    size_t at = find_window(view.query, (uint32_t)index);
    int64_t end = end_of_window(view.query, at);
    int64_t count = most < end - index ? most : end - index;
    if (!may_read(&view, index, count, site)) {
        return (ox_view_span){NULL, 0};
    }
    int32_t type;
    return (ox_view_span){find_viewed(&view, at, (uint32_t)index, &type), (int)count};
}
