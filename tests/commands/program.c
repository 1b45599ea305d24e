// SPDX-License-Identifier: MIT
//
// Random programs of commands: making them, and their values.

#include "commands/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t program_ids[PROGRAM_COMPONENTS];

static char program_texts[KINDS_TEXTS][24];

void program_register(void) {
    kinds_register();
    for (int k = 0; k < KINDS_COUNT; k++) {
        program_ids[k] = kinds_components[k].id;
    }
    program_ids[PROGRAM_HUGE] = ox_component_id_of(ProgramHuge);
    program_ids[PROGRAM_VAST] = ox_component_id_of(ProgramVast);
    for (int k = 0; k < KINDS_TEXTS; k++) {
        snprintf(program_texts[k], sizeof program_texts[k], "text %d", k);
    }
}

uint64_t program_below(program *self, uint64_t limit) {
    if (self->def.bytes == NULL) {
        return oxi_random_below(&self->random, limit);
    }
    uint64_t number = 0;
    for (uint64_t most = 1; most < limit; most *= 256) {
        bool is_over = self->used_bytes >= self->def.byte_count;
        number = number * 256 + (is_over ? 0 : self->def.bytes[self->used_bytes++]);
    }
    return number % limit;
}

static bool chance(program *self, uint64_t of) {
    return program_below(self, of) == 0;
}

void program_create(program *self, const program_def *def) {
    *self = (program){.def = *def, .random = oxi_random_seed(def->seed)};
}

void program_destroy(program *self) {
    free(self->ops);
    free(self->phases);
    free(self->order);
    free(self->known);
}

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

void program_know(program *self, ox_entity entity, uint32_t mask) {
    self->known = grow(self->known, self->known_count, &self->known_room, sizeof *self->known);
    self->known[self->known_count++] = (program_known){entity, mask};
}

const uint32_t program_sets[PROGRAM_SETS] = {
    1u << KINDS_PLAIN | 1u << KINDS_SWITCH | 1u << KINDS_TEAM,
    1u << KINDS_TAG,
    1u << KINDS_REFS | 1u << KINDS_SLOT | 1u << KINDS_POINTER,
    0,
    1u << PROGRAM_HUGE | 1u << KINDS_TRAIL | 1u << KINDS_MARK | 1u << KINDS_TEXT,
    1u << KINDS_PREFAB | 1u << KINDS_WIDE,
};

// Ops.

static bool makes_entity(program_kind kind) {
    return kind <= PROGRAM_INSTANTIATE;
}

// An op that makes an entity and is recorded before: in an earlier phase, or at the same index.
static int32_t pick_made(program *self) {
    const program_op *op = &self->ops[self->count - 1];
    for (int tries = 0; tries < 8 && self->count > 1; tries++) {
        uint64_t back = chance(self, 3) ? (uint64_t)self->count - 1
                                        : (self->count - 1 < 8 ? (uint64_t)self->count - 1 : 8);
        int other = self->count - 2 - (int)program_below(self, back);
        const program_op *found = &self->ops[other];
        bool is_before = found->phase < op->phase || found->index == op->index;
        if (makes_entity(found->kind) && is_before) {
            return other;
        }
    }
    return -1;
}

static program_ref pick_ref(program *self) {
    program_ref ref = {-1, {0, 0}, 0};
    uint64_t die = program_below(self, 16);
    if (die < 6) {
        ref.op = pick_made(self);
    }
    if (ref.op >= 0) {
        const program_op *made = &self->ops[ref.op];
        ref.mask = made->kind == PROGRAM_CREATE_WITH   ? made->mask
                   : made->kind == PROGRAM_CREATE_IN   ? program_sets[made->number % PROGRAM_SETS]
                   : made->kind == PROGRAM_INSTANTIATE ? made->target.mask
                                                       : 0;
        return ref;
    }
    if (die == 15) {
        ref.entity = (ox_entity){(uint32_t)program_below(self, 500), 1};
        ref.entity.version += (uint32_t)program_below(self, 4);
    } else if (die == 14 && chance(self, 4)) {
        ref.entity = self->foreign;
    } else if (self->known_count > 0) {
        const program_known *known = &self->known[program_below(self, (uint64_t)self->known_count)];
        ref.entity = known->entity;
        ref.mask = known->mask;
    } else {
        ref.entity = (ox_entity){7, 9};
    }
    return ref;
}

static uint32_t all_of(uint32_t mask) {
    return mask | 1u << PROGRAM_HUGE | 1u << PROGRAM_VAST;
}

static int pick_of(program *self, uint32_t mask) {
    int component = (int)program_below(self, PROGRAM_COMPONENTS);
    while (!(mask >> component & 1)) {
        component = (component + 1) % PROGRAM_COMPONENTS;
    }
    return component;
}

// Components that are given rarely: they are large, or change what groups and queries do.
static uint32_t pick_mask(program *self) {
    uint32_t mask = 0, rare = 1u << PROGRAM_HUGE | 1u << PROGRAM_VAST | 1u << KINDS_LINKED;
    for (uint64_t k = 1 + program_below(self, 6); k > 0; k--) {
        uint32_t bit = 1u << program_below(self, PROGRAM_COMPONENTS);
        mask |= (bit & rare) != 0 && !chance(self, 6) ? 0 : bit;
    }
    mask &= self->def.is_simple ? ~(1u << KINDS_LINKED) : mask;
    return mask != 0 ? mask : 1;
}

static program_kind pick_kind(program *self, bool is_main) {
    static const int weights[PROGRAM_KINDS] = {
        [PROGRAM_CREATE] = 8,        [PROGRAM_CREATE_WITH] = 24, [PROGRAM_CREATE_IN] = 10,
        [PROGRAM_INSTANTIATE] = 9,   [PROGRAM_DESTROY] = 12,     [PROGRAM_ADD] = 34,
        [PROGRAM_ADD_MANY] = 12,     [PROGRAM_SET] = 22,         [PROGRAM_REMOVE] = 28,
        [PROGRAM_SWITCH] = 12,       [PROGRAM_BUFFER] = 28,      [PROGRAM_SWITCH_ENTITY] = 2,
        [PROGRAM_QUERY_ADD] = 1,     [PROGRAM_QUERY_REMOVE] = 1, [PROGRAM_QUERY_SET_SHARED] = 1,
        [PROGRAM_QUERY_DESTROY] = 1,
    };
    bool skips = self->def.is_simple;
    int total = 0, last = is_main ? PROGRAM_KINDS : PROGRAM_QUERY_ADD;
    last = is_main && !self->def.ends_by_query ? PROGRAM_QUERY_DESTROY : last;
    last = self->def.is_plain ? PROGRAM_SWITCH_ENTITY : last;
    for (int k = 0; k < last; k++) {
        total += weights[k];
    }
    int die = (int)program_below(self, (uint64_t)total), kind = 0;
    while (die >= weights[kind]) {
        die -= weights[kind++];
    }
    return skips && kind == PROGRAM_INSTANTIATE ? PROGRAM_ADD : (program_kind)kind;
}

// What an op is about; most times what its target may have, when it has to.
static int pick_component(program *self, program_kind kind, uint32_t target) {
    uint32_t all = (1u << PROGRAM_COMPONENTS) - 1;
    uint32_t seldom = 1u << PROGRAM_HUGE | 1u << PROGRAM_VAST;
    uint32_t mask = chance(self, 12) ? all : all & ~seldom;
    mask &= self->def.is_simple ? ~(1u << KINDS_LINKED) : mask;
    bool is_there = kind >= PROGRAM_SET && kind <= PROGRAM_BUFFER && !chance(self, 5);
    if (kind == PROGRAM_SET) {
        mask &= all_of(kinds_masked.data | kinds_masked.shared);
    } else if (kind == PROGRAM_SWITCH) {
        mask &= kinds_masked.enableable;
    } else if (kind == PROGRAM_BUFFER) {
        mask &= kinds_masked.buffers;
    } else if (kind == PROGRAM_QUERY_SET_SHARED) {
        mask &= kinds_masked.shared;
    } else if (kind == PROGRAM_QUERY_REMOVE && !self->def.ends_by_query) {
        mask &= ~kinds_masked.cleanup;
    }
    return pick_of(self, is_there && (mask & target) != 0 ? mask & target : mask);
}

// An op like the one before it, about the entity that follows: what it makes, or what is known.
static void repeat_op(program *self, program_op *op) {
    program_op before = self->ops[self->count - 2];
    op->kind = before.kind;
    op->component = before.component;
    op->mask = before.mask;
    op->change = before.change;
    op->number = before.number % 4 == 0 ? 0 : 1 + op->number % 3;
    op->seed = chance(self, 3) ? before.seed : op->seed;
    op->key = before.key;
    op->target = before.target;
    if (before.target.op < 0 && self->known_count > 0) {
        int next = 0;
        while (next < self->known_count - 1 &&
               !kinds_is_same(self->known[next].entity, before.target.entity)) {
            next++;
        }
        op->target.entity = self->known[(next + 1) % self->known_count].entity;
    }
}

static void add_op(program *self, bool is_main, int index) {
    self->ops = grow(self->ops, self->count, &self->room, sizeof *self->ops);
    program_op *op = &self->ops[self->count++];
    *op = (program_op){.kind = pick_kind(self, is_main),
                       .phase = self->phase_count - 1,
                       .index = index,
                       .seed = program_below(self, UINT64_C(1) << 16)};
    op->target = pick_ref(self);
    bool needs = op->kind >= PROGRAM_SET && op->kind <= PROGRAM_SWITCH;
    op->kind = needs && op->target.mask == 0 && !chance(self, 4) ? PROGRAM_ADD : op->kind;
    op->component = pick_component(self, op->kind, op->target.mask);
    op->mask = pick_mask(self);
    op->number = (int)program_below(self, PROGRAM_ELEMENTS);
    op->change = (ox_buffer_change)program_below(self, 3);
    op->is_on = chance(self, 2);
    op->query = (int)program_below(self, PROGRAM_QUERIES);
    op->key = chance(self, 10) ? (int32_t)program_below(self, 5) - 2 : 0;
    for (int k = 0; k < PROGRAM_REFS; k++) {
        op->refs[k] = pick_ref(self);
    }
    const program_op *before = self->count > 1 ? op - 1 : NULL;
    bool has_before = before != NULL && before->phase == op->phase &&
                      (before->index == op->index || before->target.op < 0);
    if (self->def.repeats && has_before && !chance(self, 12)) {
        repeat_op(self, op);
    }
    // Most groups begin with their own entity.
    if (op->component == KINDS_LINKED && op->kind == PROGRAM_BUFFER && !chance(self, 4)) {
        op->refs[0] = op->target;
        op->number = op->number % 4 + 1;
    }
}

static void add_phase(program *self, int ops) {
    self->phases = realloc(self->phases, (size_t)(self->phase_count + 1) * sizeof *self->phases);
    program_phase *phase = &self->phases[self->phase_count++];
    *phase = (program_phase){.is_job = self->phase_count % 2 == 0, .index_count = 1};
    if (phase->is_job) {
        phase->index_count = 1 + (int)program_below(self, PROGRAM_ALONE);
    }
    for (int k = 0; k < phase->index_count; k++) {
        phase->starts[k] = self->count;
        uint64_t most = (uint64_t)ops * 2 / (uint64_t)phase->index_count + 1;
        for (uint64_t n = program_below(self, most + 1); n > 0; n--) {
            add_op(self, !phase->is_job, k);
        }
    }
    phase->starts[phase->index_count] = self->count;
}

// Jobs by key, phase and index; then main by key; as recorded where all are equal.
static const program *sorted_program;

static int compare_ops(const void *a_pointer, const void *b_pointer) {
    int a = *(const int *)a_pointer, b = *(const int *)b_pointer;
    const program_op *x = &sorted_program->ops[a], *y = &sorted_program->ops[b];
    bool x_main = !sorted_program->phases[x->phase].is_job;
    bool y_main = !sorted_program->phases[y->phase].is_job;
    if (x_main != y_main) {
        return x_main ? 1 : -1;
    }
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return a < b ? -1 : 1; // ops are made phase by phase and index by index
}

void program_make_round(program *self) {
    self->count = self->phase_count = 0;
    int phases = 1 + (int)program_below(self, 5);
    for (int k = 0; k < phases; k++) {
        add_phase(self, self->def.ops / phases + 1);
    }
    self->order = realloc(self->order, (size_t)(self->count + 1) * sizeof *self->order);
    for (int k = 0; k < self->count; k++) {
        self->order[k] = k;
    }
    sorted_program = self;
    qsort(self->order, (size_t)self->count, sizeof *self->order, compare_ops);
}

// Values.

ox_entity program_resolve(program_scope *scope, program_ref ref) {
    ox_entity entity = ref.op >= 0 ? scope->made[ref.op] : ref.entity;
    if (entity.version == 0 && scope->lost == OX_REPORT_NONE) {
        scope->lost = OX_REPORT_STALE_ENTITY;
    }
    return entity;
}

static uint64_t mix(uint64_t number) {
    number = (number ^ number >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    return number ^ number >> 29;
}

static void fill_entities(program_scope *scope, const program_op *op, int component, int element,
                          unsigned char *to) {
    const kinds_component *known = &kinds_components[component];
    for (uint32_t k = 0; k < known->entity_count; k++) {
        uint64_t die = mix(op->seed * 31 + (uint64_t)element * 7 + k) % 8;
        int place = element == 0 && k == 0 ? 0 : (int)(die % PROGRAM_REFS);
        ox_entity entity = {0, 0};
        if (die < 6 || component == KINDS_LINKED) {
            entity = program_resolve(scope, op->refs[place]);
            bool is_foreign = op->refs[place].op < 0 && ox_entity_is_temporary(entity);
            if (is_foreign && scope->lost == OX_REPORT_NONE) {
                scope->lost = OX_REPORT_TEMPORARY_ENTITY;
            }
        }
        memcpy(to + known->entity_offsets[k], &entity, sizeof entity);
    }
}

static void fill_one(program_scope *scope, const program_op *op, int component, int element,
                     unsigned char *to) {
    uint64_t seed = mix(op->seed + (uint64_t)component * 977 + (uint64_t)element * 131 + 1);
    if (component >= KINDS_COUNT) {
        memset(to, (int)(seed & 255), PROGRAM_LARGEST);
        return;
    }
    const kinds_component *known = &kinds_components[component];
    if (component == KINDS_TEXT) {
        *(KindsText *)(void *)to =
            (KindsText){op->number % 5 != 0 ? program_texts[op->number % 5] : NULL};
        return;
    }
    if (known->kind == OX_COMPONENT_KIND_SHARED) {
        memcpy(to, &(int32_t){op->number % 4}, sizeof(int32_t));
        return;
    }
    for (uint32_t k = 0; k < known->size; k++) {
        to[k] = (unsigned char)(seed >> k % 7 * 8);
    }
    fill_entities(scope, op, component, element, to);
}

void program_fill(program_scope *scope, const program_op *op, int component, int count,
                  unsigned char *to) {
    for (int k = 0; k < count; k++) {
        fill_one(scope, op, component, k, to);
        to += component < KINDS_COUNT ? kinds_components[component].size : PROGRAM_LARGEST;
    }
}

bool program_gives_value(const program_op *op) {
    uint32_t valued = all_of(kinds_masked.data | kinds_masked.shared);
    return (valued >> op->component & 1) != 0 && op->number % 4 != 0;
}

int program_list_values(program_scope *scope, const program_op *op, ox_value *values,
                        unsigned char *memory) {
    int count = 0;
    for (int k = 0; k < PROGRAM_COMPONENTS; k++) {
        if (!(op->mask >> k & 1)) {
            continue;
        }
        bool has_value = (all_of(kinds_masked.data | kinds_masked.shared) >> k & 1) != 0 &&
                         mix(op->seed + (uint64_t)k) % 4 != 0;
        values[count++] = (ox_value){program_ids[k], has_value ? memory : NULL};
        if (has_value) {
            program_fill(scope, op, k, 1, memory);
            memory += k < KINDS_COUNT ? KINDS_LARGEST : PROGRAM_LARGEST + 8;
        }
    }
    return count;
}
