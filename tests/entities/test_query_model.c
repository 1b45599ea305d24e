// SPDX-License-Identifier: MIT
//
// Two worlds get the same random operations. What one does by query, the other does entity by
// entity, for the entities that the query lists. They must hold the same at every look. Filters of
// two kinds must pass what either passes.

#include "oxbow/containers.h"
#include "query_test.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 700, KINDS = 6, MANY_OF = 150 };

// Of each test at scale 1. Validating after every change is slow, and so is ThreadSanitizer.
#if OX_SAFETY == 0 || OX_SAFETY >= 3 || defined(__SANITIZE_THREAD__)
enum { OPERATIONS = 150000 };
#else
enum { OPERATIONS = 1250000 };
#endif

typedef struct twin_worlds {
    ox_world *whole;  // changed by query
    ox_world *single; // changed entity by entity
    ox_query *queries[8];
    int query_count;
    uint32_t ids[KINDS];
    ox_entity alive[MOST + MANY_OF];
    int count;
    uint64_t seed;
    oxi_random random;
    int changes;     // by query, that met an entity
    int differences; // between what filters of the two kinds passed
} twin_worlds;

static int pick(twin_worlds *self, int limit) {
    return (int)oxi_random_below(&self->random, (uint64_t)limit);
}

static void make_twins(twin_worlds *self, ox_removal removal, uint64_t seed) {
    memset(self, 0, sizeof *self);
    self->seed = test_seed(seed);
    self->random = oxi_random_seed(self->seed);
    ox_world_def def = {.removal = removal};
    self->whole = ox_world_create(&def);
    self->single = ox_world_create(&def);
    const uint32_t ids[KINDS] = {ox_component_id_of(Place),  ox_component_id_of(Health),
                                 ox_component_id_of(Speed),  ox_component_id_of(Frozen),
                                 ox_component_id_of(Marked), ox_component_id_of(Load)};
    memcpy(self->ids, ids, sizeof ids);
    ox_world *world = self->whole;
    ox_query *queries[] = {
        ox_query_create(world, OX_WRITE(Place)),
        ox_query_create(world, OX_WRITE(Health), OX_NONE(Frozen)),
        ox_query_create(world, OX_WITH(Marked), OX_OPTIONAL(Health)),
        ox_query_create(world, OX_ANY(Speed, Load), OX_NONE(Marked)),
        ox_query_create(world, OX_NONE(Load)),
        ox_query_create(world, OX_WITH(Load)),
        ox_query_create(world, OX_OPTIONAL(Place)),
        ox_query_create(world, OX_WITH(Frozen, Marked)),
    };
    memcpy(self->queries, queries, sizeof queries);
    self->query_count = 8;
}

static void expect_equal(twin_worlds *self) {
    EXPECT_EQ(ox_world_hash(self->whole), ox_world_hash(self->single));
}

// Operations on single entities.

static void create_twins(twin_worlds *self) {
    uint32_t ids[KINDS];
    int count = 0, many = pick(self, 20) == 0 ? pick(self, MANY_OF) + 1 : 1;
    for (int k = 0; k < KINDS; k++) {
        if (pick(self, 3) == 0) {
            ids[count++] = self->ids[k];
        }
    }
    if (self->count + many > MOST) {
        return;
    }
    ox_entity *made = self->alive + self->count, others[MANY_OF];
    EXPECT(ox_entities_create(self->whole, ox_archetype_of_at(self->whole, ids, count, OX_HERE),
                              made, many));
    EXPECT(ox_entities_create(self->single, ox_archetype_of_at(self->single, ids, count, OX_HERE),
                              others, many));
    EXPECT_EQ(memcmp(made, others, (size_t)many * sizeof *made), 0);
    self->count += many;
}

static void drop_twin(twin_worlds *self, int place) {
    self->alive[place] = self->alive[--self->count];
}

static void destroy_twin(twin_worlds *self, int place) {
    ox_entity_destroy(self->whole, self->alive[place]);
    ox_entity_destroy(self->single, self->alive[place]);
    drop_twin(self, place);
}

static void set_twin(twin_worlds *self, ox_entity entity) {
    Health health = {pick(self, 1000000)};
    if (ox_has(self->whole, entity, Health)) {
        ox_set(self->whole, entity, Health, health);
        ox_set(self->single, entity, Health, health);
    } else {
        ox_add(self->whole, entity, Health, health);
        ox_add(self->single, entity, Health, health);
    }
    if (ox_has(self->whole, entity, Place)) {
        ox_edit(self->whole, entity, Place)->y = (float)health.points;
        ox_edit(self->single, entity, Place)->y = (float)health.points;
    }
}

static void change_twin(twin_worlds *self, ox_entity entity) {
    uint32_t id = self->ids[pick(self, KINDS)];
    ox_world *worlds[] = {self->whole, self->single};
    for (int k = 0; k < 2; k++) {
        EXPECT(ox_has_id(worlds[k], entity, id)
                   ? ox_remove_many_at(worlds[k], entity, &id, 1, OX_HERE)
                   : ox_add_at(worlds[k], entity, id, NULL, OX_HERE));
    }
}

// Operations by query.

static void forget_dead_twins(twin_worlds *self) {
    for (int k = self->count; k-- > 0;) {
        if (!ox_entity_exists(self->whole, self->alive[k])) {
            drop_twin(self, k);
        }
    }
}

static uint32_t pick_version(twin_worlds *self) {
    uint32_t now = ox_world_get_version(self->whole);
    return now > 3 ? now - (uint32_t)pick(self, 3) : 0;
}

// True when the list goes on with this entity, which is stepped over then.
static bool take(ox_array list, int64_t *place, ox_entity entity) {
    bool is_next =
        *place < list.count && same_entity(ox_array_read(OX_AS(list, ox_entity), *place), entity);
    *place += is_next;
    return is_next;
}

// The filters are the two kinds together: what passes is what passes either, in the same order.
static void expect_either(ox_query *query, ox_array changed, ox_array order) {
    ox_array both = ox_query_copy_entities(query, OX_PERSISTENT);
    ox_query_reset_filters(query);
    ox_array all = ox_query_copy_entities(query, OX_PERSISTENT);
    int64_t in_changed = 0, in_order = 0, in_both = 0;
    for (int64_t k = 0; k < all.count; k++) {
        ox_entity entity = ox_array_read(OX_AS(all, ox_entity), k);
        bool is_changed = take(changed, &in_changed, entity);
        bool is_moved = take(order, &in_order, entity);
        EXPECT_EQ(take(both, &in_both, entity), is_changed || is_moved);
    }
    EXPECT_EQ(in_changed, changed.count);
    EXPECT_EQ(in_order, order.count);
    EXPECT_EQ(in_both, both.count);
    ox_dispose(&all);
    ox_dispose(&both);
}

static void filter_by_both(twin_worlds *self, ox_query *query, uint32_t component) {
    uint32_t since = pick_version(self), order_since = pick_version(self);
    ox_query_filter_changed_at(query, component, since, OX_HERE);
    ox_array changed = ox_query_copy_entities(query, OX_PERSISTENT);
    ox_query_reset_filters(query);
    ox_query_filter_order(query, order_since);
    ox_array order = ox_query_copy_entities(query, OX_PERSISTENT);
    self->differences += changed.count != order.count;
    ox_query_filter_changed_at(query, component, since, OX_HERE);
    expect_either(query, changed, order);
    ox_dispose(&changed);
    ox_dispose(&order);
    ox_query_filter_changed_at(query, component, since, OX_HERE);
    ox_query_filter_order(query, order_since);
}

static void filter_twins(twin_worlds *self, ox_query *query) {
    ox_query_reset_filters(query);
    if (query == self->queries[0]) {
        filter_by_both(self, query, ox_component_id_of(Place));
    } else if (query == self->queries[1]) {
        ox_query_filter_changed(query, Health, pick_version(self));
    } else {
        ox_query_filter_order(query, pick_version(self));
    }
}

static void change_by_query(twin_worlds *self, ox_query *query, ox_array list) {
    uint32_t id = self->ids[pick(self, KINDS)];
    bool removes = pick(self, 2) == 0;
    EXPECT(removes ? ox_query_remove_at(query, id, OX_HERE) : ox_query_add_at(query, id, OX_HERE));
    for (int64_t k = 0; k < list.count; k++) {
        ox_entity entity = ox_array_read(OX_AS(list, ox_entity), k);
        bool has = ox_has_id(self->single, entity, id);
        if (removes && has) {
            ox_remove_many_at(self->single, entity, &id, 1, OX_HERE);
        } else if (!removes && !has) {
            ox_add_at(self->single, entity, id, NULL, OX_HERE);
        }
    }
}

static void destroy_by_query(twin_worlds *self, ox_query *query, ox_array list) {
    EXPECT_EQ(ox_query_destroy_entities(query), list.count);
    for (int64_t k = 0; k < list.count; k++) {
        ox_entity_destroy(self->single, ox_array_read(OX_AS(list, ox_entity), k));
    }
    forget_dead_twins(self);
}

static void write_by_query(twin_worlds *self, ox_query *query) {
    int start = pick(self, 1000);
    OX_EACH_CHUNK(query, chunk) {
        Place *place = ox_chunk_edit(chunk, Place);
        for (int i = 0; i < chunk.count; i++) {
            place[i].z = (float)start++;
            ox_edit(self->single, chunk.entities[i], Place)->z = place[i].z;
        }
    }
}

static void operate_by_query(twin_worlds *self) {
    ox_query *query = self->queries[pick(self, self->query_count)];
    if (pick(self, 3) == 0) {
        filter_twins(self, query);
    }
    ox_array list = ox_query_copy_entities(query, OX_PERSISTENT);
    EXPECT_EQ(list.count, ox_query_count(query));
    self->changes += list.count > 0;
    int chosen = pick(self, 20);
    if (query == self->queries[0] && chosen < 8) {
        write_by_query(self, query);
    } else if (chosen == 8) {
        destroy_by_query(self, query, list);
    } else {
        change_by_query(self, query, list);
    }
    ox_query_reset_filters(query);
    ox_dispose(&list);
    expect_equal(self);
}

static void operate(twin_worlds *self) {
    int chosen = pick(self, 100);
    if (self->count == 0 || chosen < 25) {
        create_twins(self);
    } else if (chosen < 50) {
        destroy_twin(self, pick(self, self->count));
    } else if (chosen < 70) {
        set_twin(self, self->alive[pick(self, self->count)]);
    } else if (chosen < 96) {
        change_twin(self, self->alive[pick(self, self->count)]);
    } else if (chosen < 98) {
        ox_world_advance_version(self->whole);
    } else if (pick(self, 2) == 0) {
        operate_by_query(self);
    } else {
        ox_world_defragment(pick(self, 2) == 0 ? self->whole : self->single, 20);
    }
}

static void run_twins(ox_removal removal, uint64_t seed) {
    static twin_worlds self;
    make_twins(&self, removal, seed);
    uint64_t count = test_scaled(OPERATIONS);
    for (uint64_t k = 0; k < count; k++) {
        operate(&self);
        if (k % 5000 == 0) {
            EXPECT(ox_world_validate(self.whole));
            EXPECT(ox_world_validate(self.single));
        }
    }
    expect_equal(&self);
    EXPECT(self.changes > 0);
    EXPECT(self.differences > 0 || count < 100000); // a short run may meet none
    printf("%llu operations of seed %llu, %d changes by query, %d entities at the end\n",
           (unsigned long long)count, (unsigned long long)self.seed, self.changes, self.count);
    ox_world_destroy(self.whole);
    ox_world_destroy(self.single);
}

TEST(query_model, changes_by_query_are_changes_of_each_entity) {
    run_twins(OX_REMOVAL_ORDERED, 2301);
}

TEST(query_model, and_so_they_are_where_removals_swap) {
    run_twins(OX_REMOVAL_SWAP, 2302);
}
