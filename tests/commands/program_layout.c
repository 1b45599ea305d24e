// SPDX-License-Identifier: MIT
//
// The naive model of how a playback lets a world lie. A world that ordinary calls change tells what
// each entity is.

#include "commands/program_layout.h"

#include <stdlib.h>
#include <string.h>

static void *grow(void *items, int count, int *room, size_t size) {
    if (count == *room) {
        *room = *room * 2 + 64;
        items = realloc(items, (size_t)*room * size);
        if (items == NULL) {
            abort();
        }
    }
    return items;
}

void program_layout_create(program_layout *self, bool swaps) {
    *self = (program_layout){.swaps = swaps};
}

void program_layout_destroy(program_layout *self) {
    for (int k = 0; k < self->archetype_count; k++) {
        for (int n = 0; n < self->archetypes[k].count; n++) {
            free(self->archetypes[k].chunks[n].rows);
        }
        free(self->archetypes[k].chunks);
    }
    for (int k = 0; k < PROGRAM_ROUNDS; k++) {
        free(self->places[k]);
    }
    free(self->archetypes);
    free(self->touched);
    kinds_list_free(&self->doomed);
    kinds_list_free(&self->members);
}

// Keys.

static const int shared_components[3] = {KINDS_TEXT, KINDS_TEAM, KINDS_MARK};

static layout_key key_of(ox_world *world, ox_entity entity) {
    layout_key key = {0, {0, 0, 0}};
    for (int k = 0; k < PROGRAM_COMPONENTS; k++) {
        key.mask |= ox_has_id(world, entity, program_ids[k]) ? 1u << k : 0;
    }
    key.mask |= ox_has(world, entity, ox_destroyed) ? 1u << PROGRAM_COMPONENTS : 0;
    for (int k = 0; k < 3; k++) {
        if (key.mask >> shared_components[k] & 1) {
            const void *value =
                ox_read_at(world, entity, program_ids[shared_components[k]], OX_HERE);
            key.shared[k] = kinds_number_of(shared_components[k], value);
        }
    }
    return key;
}

static bool is_same_key(layout_key a, layout_key b) {
    return a.mask == b.mask && memcmp(a.shared, b.shared, sizeof a.shared) == 0;
}

// Rows.

static layout_archetype *find_archetype(program_layout *self, uint32_t mask) {
    for (int k = 0; k < self->archetype_count; k++) {
        if (self->archetypes[k].mask == mask) {
            return &self->archetypes[k];
        }
    }
    self->archetypes =
        realloc(self->archetypes, (size_t)(self->archetype_count + 1) * sizeof *self->archetypes);
    self->archetypes[self->archetype_count] = (layout_archetype){.mask = mask};
    return &self->archetypes[self->archetype_count++];
}

static void append_row(program_layout *self, layout_key key, ox_entity entity, int capacity) {
    layout_archetype *archetype = find_archetype(self, key.mask);
    layout_chunk *chunk = NULL;
    for (int k = 0; k < archetype->count && chunk == NULL; k++) {
        layout_chunk *other = &archetype->chunks[k];
        chunk = other->is_open && is_same_key(other->lane, key) ? other : NULL;
    }
    if (chunk == NULL) {
        archetype->chunks =
            realloc(archetype->chunks, (size_t)(archetype->count + 1) * sizeof *archetype->chunks);
        chunk = &archetype->chunks[archetype->count++];
        *chunk = (layout_chunk){.lane = key, .capacity = capacity, .is_open = true};
        chunk->rows = malloc((size_t)capacity * sizeof *chunk->rows);
    }
    chunk->rows[chunk->count++] = entity;
    chunk->is_open = chunk->count < chunk->capacity;
}

static void remove_at(const program_layout *self, layout_archetype *archetype, int number,
                      int row) {
    layout_chunk *chunk = &archetype->chunks[number];
    if (self->swaps) {
        chunk->rows[row] = chunk->rows[chunk->count - 1];
    } else {
        memmove(chunk->rows + row, chunk->rows + row + 1,
                (size_t)(chunk->count - row - 1) * sizeof *chunk->rows);
    }
    chunk->count--;
    int eighth = chunk->capacity / 8 > 1 && !self->swaps ? chunk->capacity / 8 : 1;
    chunk->is_open = chunk->is_open || chunk->capacity - chunk->count >= eighth;
    if (chunk->count == 0) {
        free(chunk->rows);
        archetype->count--;
        memmove(chunk, chunk + 1, (size_t)(archetype->count - number) * sizeof *chunk);
    }
}

static void remove_row(program_layout *self, layout_key key, ox_entity entity) {
    layout_archetype *archetype = find_archetype(self, key.mask);
    for (int k = 0; k < archetype->count; k++) {
        const layout_chunk *chunk = &archetype->chunks[k];
        for (int n = 0; is_same_key(chunk->lane, key) && n < chunk->count; n++) {
            if (kinds_is_same(chunk->rows[n], entity)) {
                remove_at(self, archetype, k, n);
                return;
            }
        }
    }
    abort(); // the model itself is wrong
}

// Windows.

static void commit_window(program_layout *self, ox_world *world) {
    for (int k = 0; k < self->touched_count; k++) {
        const layout_touched *touched = &self->touched[k];
        if (!touched->is_new && !ox_entity_exists(world, touched->entity)) {
            remove_row(self, touched->before, touched->entity);
        }
    }
    for (int k = 0; k < self->touched_count; k++) {
        const layout_touched *touched = &self->touched[k];
        if (!ox_entity_exists(world, touched->entity)) {
            continue;
        }
        layout_key key = key_of(world, touched->entity);
        if (touched->is_new || !is_same_key(key, touched->before)) {
            int capacity = ox_entity_get_location(world, touched->entity).capacity;
            append_row(self, key, touched->entity, capacity);
        }
    }
    for (int k = 0; k < self->touched_count; k++) {
        const layout_touched *touched = &self->touched[k];
        if (!touched->is_new && ox_entity_exists(world, touched->entity) &&
            !is_same_key(key_of(world, touched->entity), touched->before)) {
            remove_row(self, touched->before, touched->entity);
        }
    }
    self->windows += self->touched_count > 0;
    self->touched_count = 0;
}

static layout_touched *find_touched(const program_layout *self, ox_entity entity) {
    for (int k = self->touched_count - 1; k >= 0; k--) {
        if (kinds_is_same(self->touched[k].entity, entity)) {
            return &self->touched[k];
        }
    }
    return NULL;
}

static layout_touched *touch(program_layout *self, ox_entity entity, bool is_new,
                             layout_key before) {
    layout_touched *found = is_new ? NULL : find_touched(self, entity);
    if (found != NULL) {
        return found;
    }
    self->touched =
        grow(self->touched, self->touched_count, &self->touched_room, sizeof *self->touched);
    self->touched[self->touched_count] =
        (layout_touched){.entity = entity, .is_new = is_new, .before = before};
    return &self->touched[self->touched_count++];
}

// Groups.

static void push_new(kinds_list *list, ox_entity entity) {
    if (!kinds_list_has(list, entity)) {
        kinds_list_push(list, entity);
    }
}

static void list_links(ox_world *world, ox_entity entity, kinds_list *list) {
    if (!ox_has(world, entity, ox_linked)) {
        return;
    }
    ox_buffer links = ox_get(world, entity, ox_linked);
    for (int k = 0; k < ox_buffer_count(links); k++) {
        ox_entity member = ox_buffer_get(links, k, ox_linked)->entity;
        if (ox_entity_exists(world, member) && !ox_has(world, member, ox_destroyed)) {
            push_new(list, member);
        }
    }
}

// Those that a destruction ends. @return true when the window has changed the list of one of them.
static bool list_doomed(program_layout *self, ox_world *world, ox_entity entity) {
    self->doomed.count = 0;
    kinds_list_push(&self->doomed, entity);
    bool is_changed = false;
    for (int k = 0; k < self->doomed.count; k++) {
        const layout_touched *touched = find_touched(self, self->doomed.items[k]);
        is_changed = is_changed || (touched != NULL && touched->changes_linked &&
                                    ox_has(world, self->doomed.items[k], ox_linked));
        list_links(world, self->doomed.items[k], &self->doomed);
    }
    return is_changed;
}

// True when a window ends before an entity is instantiated.
static bool is_source_touched(program_layout *self, ox_world *world, ox_entity entity) {
    if (find_touched(self, entity) != NULL) {
        return true;
    }
    self->members.count = 0;
    kinds_list_push(&self->members, entity);
    bool is_touched = false;
    if (ox_has(world, entity, ox_linked) && !ox_has(world, entity, ox_destroyed)) {
        ox_buffer links = ox_get(world, entity, ox_linked);
        int count = ox_buffer_count(links);
        bool is_good =
            count == 0 || kinds_is_same(ox_buffer_get(links, 0, ox_linked)->entity, entity);
        for (int k = 0; is_good && k < count; k++) {
            is_touched = is_touched ||
                         find_touched(self, ox_buffer_get(links, k, ox_linked)->entity) != NULL;
        }
        list_links(world, entity, &self->members);
    }
    return is_touched;
}

// Ops.

static bool has_aim(const program_op *op) {
    return op->kind >= PROGRAM_INSTANTIATE && op->kind < PROGRAM_QUERY_ADD;
}

static ox_entity aim_of(program_run *run, const program_op *op) {
    program_scope scope = {&run->program, run->made, OX_REPORT_NONE};
    return has_aim(op) ? program_resolve(&scope, op->target) : (ox_entity){0, 0};
}

void program_layout_before(program_layout *self, program_run *run, int place) {
    const program_op *op = &run->program.ops[run->program.order[place]];
    ox_entity aim = aim_of(run, op);
    self->doomed.count = self->members.count = 0;
    if (!ox_entity_exists(run->world, aim)) {
        return;
    }
    bool ends = false;
    if (op->kind == PROGRAM_INSTANTIATE) {
        ends = is_source_touched(self, run->world, aim);
    } else if (op->kind == PROGRAM_DESTROY && !ox_has(run->world, aim, ox_destroyed)) {
        ends = list_doomed(self, run->world, aim);
    }
    if (ends) {
        commit_window(self, run->world);
        is_source_touched(self, run->world, aim); // lists the members
    }
    // The touched keep what they were: after the op it is too late to ask.
    if (op->kind == PROGRAM_DESTROY) {
        for (int k = 0; k < self->doomed.count; k++) {
            touch(self, self->doomed.items[k], false, key_of(run->world, self->doomed.items[k]));
        }
    } else if (op->kind != PROGRAM_INSTANTIATE) {
        self->doomed.count = 0;
        kinds_list_push(&self->doomed, aim);
        bool was_there = find_touched(self, aim) != NULL;
        layout_touched *touched = touch(self, aim, false, key_of(run->world, aim));
        self->members.count = 0;
        if (!was_there) {
            kinds_list_push(&self->members, aim); // taken back if the op fails
        }
        (void)touched;
    }
}

// The copies that an instantiation made: where a member of the group stands in the list of the
// source, its copy stands in that of the copy.
static void touch_copies(program_layout *self, program_run *run, ox_entity source, ox_entity copy) {
    touch(self, copy, true, (layout_key){0})->changes_linked = ox_has(run->world, copy, ox_linked);
    if (!ox_has(run->world, source, ox_linked)) {
        return;
    }
    ox_buffer from = ox_get(run->world, source, ox_linked);
    for (int k = 1; k < ox_buffer_count(from); k++) {
        ox_entity member = ox_buffer_get(from, k, ox_linked)->entity;
        ox_entity made = ox_buffer_get(ox_get(run->world, copy, ox_linked), k, ox_linked)->entity;
        if (!kinds_is_same(member, made) && find_touched(self, made) == NULL) {
            touch(self, made, true, (layout_key){0})->changes_linked =
                ox_has(run->world, made, ox_linked);
        }
    }
}

static void note_change(program_layout *self, program_run *run, const program_op *op) {
    ox_entity aim = self->doomed.items[0];
    layout_touched *touched = find_touched(self, aim);
    uint32_t linked = 1u << KINDS_LINKED;
    bool had = (touched->before.mask & linked) != 0;
    bool has = ox_has(run->world, aim, ox_linked);
    bool is_written = op->kind == PROGRAM_BUFFER && op->component == KINDS_LINKED;
    touched->changes_linked = touched->changes_linked || is_written ||
                              (!touched->is_new && had != has) || (touched->is_new && has);
}

void program_layout_after(program_layout *self, program_run *run, int place) {
    int number = run->program.order[place];
    const program_op *op = &run->program.ops[number];
    bool is_done = run->causes[place] == OX_REPORT_NONE;
    if (op->kind < PROGRAM_INSTANTIATE) {
        if (is_done) {
            ox_entity made = run->made[number];
            touch(self, made, true, (layout_key){0})->changes_linked =
                ox_has(run->world, made, ox_linked);
        }
    } else if (op->kind == PROGRAM_INSTANTIATE) {
        if (is_done) {
            touch_copies(self, run, aim_of(run, op), run->made[number]);
        }
    } else if (op->kind != PROGRAM_DESTROY && self->doomed.count > 0) {
        if (is_done) {
            note_change(self, run, op);
        } else if (self->members.count > 0) {
            self->touched_count--; // it met no command
        }
    }
}

void program_layout_end(program_layout *self, program_run *run, int round) {
    commit_window(self, run->world);
    int room = 0, count = 0;
    for (int k = 0; k < self->archetype_count; k++) {
        for (int n = 0; n < self->archetypes[k].count; n++) {
            const layout_chunk *chunk = &self->archetypes[k].chunks[n];
            for (int row = 0; row < chunk->count; row++) {
                self->places[round] =
                    grow(self->places[round], count, &room, sizeof *self->places[round]);
                self->places[round][count++] = (layout_place){chunk->rows[row], n, row};
            }
        }
    }
    self->place_counts[round] = count;
    self->window_counts[round] = self->windows;
    self->windows = 0;
}

bool program_layout_is(const program_layout *self, const ox_world *world, int round) {
    bool is_same = (uint32_t)self->place_counts[round] == ox_world_get_usage(world).entity_count;
    for (int k = 0; is_same && k < self->place_counts[round]; k++) {
        const layout_place *place = &self->places[round][k];
        ox_entity_location found = ox_entity_get_location(world, place->entity);
        is_same = found.chunk == place->chunk && found.row == place->row;
    }
    return is_same;
}
