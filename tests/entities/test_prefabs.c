// SPDX-License-Identifier: MIT
//
// Prefabs and linked groups: copies of one entity, of a group, and of a set; and what points to
// what in them.

#include "entities/kinds_test.h"

#include "oxbow/memory.h"

OX_SHARED(Boss, { ox_entity who; });
OX_BUFFER(Friend, 2, { ox_entity who; });

static collected_reports reports;

static void link_group(ox_world *world, const ox_entity *members, int count) {
    ox_buffer group = ox_add_buffer(world, members[0], ox_linked);
    for (int k = 0; k < count; k++) {
        ox_buffer_push(group, ox_linked, {members[k]});
    }
}

static ox_entity member_of(ox_world *world, ox_entity root, int at) {
    return ox_buffer_get(ox_get(world, root, ox_linked), at, ox_linked)->entity;
}

// A prefab with two parts. The parts follow the root, each other and an outsider.
typedef struct band {
    ox_world *world;
    ox_entity members[3];
    ox_entity outsider;
} band;

static band make_band(void) {
    band self = {.world = make_world(&reports)};
    ox_world *world = self.world;
    self.outsider = ox_entity_create_in(world, ox_archetype_of(world, Health));
    for (int32_t k = 0; k < 3; k++) {
        self.members[k] = ox_entity_create(world, OX_VALUE(Health, {k + 10}));
        ox_add_tag(world, self.members[k], ox_prefab);
    }
    const ox_entity *m = self.members;
    ox_add(world, m[1], Follows, {m[0], {m[2], self.outsider}, 1});
    ox_add(world, m[2], Follows, {m[2], {{0, 0}, m[1]}, 2});
    link_group(world, m, 3);
    return self;
}

TEST(prefabs, an_instance_has_all_but_the_prefab_tag) {
    ox_world *world = make_world(&reports);
    ox_entity prefab = ox_entity_create(world, OX_VALUE(Health, {7}), OX_VALUE_TAG(ox_prefab),
                                        OX_VALUE_TAG(Frozen), OX_VALUE(Team, {3}));

    ox_entity copy = ox_entity_instantiate(world, prefab);

    EXPECT(!ox_has(world, copy, ox_prefab) && ox_has(world, copy, Frozen));
    EXPECT_EQ(ox_get(world, copy, Health)->points, 7);
    EXPECT_EQ(ox_get(world, copy, Team)->id, 3);
    EXPECT(ox_has(world, prefab, ox_prefab));
    EXPECT_EQ(ox_entity_get_components(world, copy, NULL, 0), 3);
    end_world(world, &reports);
}

TEST(prefabs, queries_leave_prefabs_out_unless_they_name_them) {
    ox_world *world = make_world(&reports);
    ox_entity_create_in(world, ox_archetype_of(world, Health));
    ox_entity_create_in(world, ox_archetype_of(world, Health, ox_prefab));
    ox_entity_create_in(world, ox_archetype_of(world, Health, ox_disabled));
    ox_entity_create_in(world, ox_archetype_of(world, Health, ox_prefab, ox_disabled));

    EXPECT_EQ(ox_query_count(ox_query_create(world, OX_READ(Health))), 1);
    EXPECT_EQ(ox_query_count(ox_query_create(world, OX_READ(Health), OX_WITH(ox_prefab))), 1);
    EXPECT_EQ(ox_query_count(ox_query_create(world, OX_READ(Health), OX_INCLUDE(ox_prefab))), 2);
    EXPECT_EQ(ox_query_count(ox_query_create(world, OX_READ(Health), OX_INCLUDE(ox_disabled))), 2);
    EXPECT_EQ(
        ox_query_count(ox_query_create(world, OX_READ(Health), OX_INCLUDE(ox_prefab, ox_disabled))),
        4);
    EXPECT_EQ(ox_query_count(ox_query_create(world, OX_READ(Health), OX_NONE(ox_prefab))), 1);
    EXPECT_EQ(ox_query_count(ox_query_create(world, OX_READ(Health), OX_WITH(ox_prefab),
                                             OX_INCLUDE(ox_disabled))),
              2);
    EXPECT_EQ(ox_query_count(ox_query_create(world, OX_WITH(ox_prefab, ox_disabled))), 1);
    end_world(world, &reports);
}

TEST(prefabs, an_instance_of_a_group_has_parts_of_its_own) {
    band self = make_band();
    ox_world *world = self.world;

    ox_entity root = ox_entity_instantiate(world, self.members[0]);

    EXPECT_EQ(ox_buffer_count(ox_get(world, root, ox_linked)), 3);
    EXPECT(is_same(member_of(world, root, 0), root));
    ox_entity first = member_of(world, root, 1), second = member_of(world, root, 2);
    EXPECT(!is_same(first, self.members[1]) && !is_same(first, second));
    EXPECT_EQ(ox_get(world, first, Health)->points, 11);
    EXPECT_EQ(ox_get(world, second, Health)->points, 12);
    EXPECT(!ox_has(world, first, ox_prefab) && !ox_has(world, second, ox_prefab));
    EXPECT_EQ(ox_world_get_usage(world).entity_count, 7);
    EXPECT(is_same(member_of(world, self.members[0], 1), self.members[1]));
    end_world(world, &reports);
}

TEST(prefabs, what_points_into_the_group_points_to_the_copies) {
    band self = make_band();
    ox_world *world = self.world;

    ox_entity root = ox_entity_instantiate(world, self.members[0]);

    ox_entity first = member_of(world, root, 1), second = member_of(world, root, 2);
    Follows of_first = ox_read(world, first, Follows), of_second = ox_read(world, second, Follows);
    EXPECT(is_same(of_first.leader, root));
    EXPECT(is_same(of_first.others[0], second));
    EXPECT(is_same(of_first.others[1], self.outsider));
    EXPECT(is_same(of_second.leader, second));
    EXPECT(is_same(of_second.others[0], (ox_entity){0, 0}));
    EXPECT(is_same(of_second.others[1], first));
    EXPECT_EQ(of_second.distance, 2);
    EXPECT(is_same(ox_get(world, self.members[1], Follows)->leader, self.members[0]));
    end_world(world, &reports);
}

TEST(prefabs, an_entity_without_a_group_that_points_to_itself_has_copies_that_do) {
    ox_world *world = make_world(&reports);
    ox_entity other = ox_entity_create(world), entity = ox_entity_create(world), copies[3];
    ox_add(world, entity, Follows, {entity, {other, {entity.index, entity.version + 1}}, 0});

    EXPECT(ox_entities_instantiate(world, entity, copies, 3));

    for (int k = 0; k < 3; k++) {
        Follows follows = ox_read(world, copies[k], Follows);
        EXPECT(is_same(follows.leader, copies[k]));
        EXPECT(is_same(follows.others[0], other));
        EXPECT_EQ(follows.others[1].version, entity.version + 1); // another entity of that index
    }
    end_world(world, &reports);
}

TEST(prefabs, entities_in_shared_values_stay_what_they_are) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world);
    ox_add(world, entity, Boss, {entity});

    ox_entity copy = ox_entity_instantiate(world, entity);

    EXPECT(is_same(ox_get(world, copy, Boss)->who, entity));
    EXPECT(lie_together(world, copy, entity));
    end_world(world, &reports);
}

TEST(prefabs, buffers_are_copied_with_their_elements) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world), stranger = ox_entity_create(world);
    for (int count = 1; count <= 6; count++) {
        ox_buffer friends = ox_add_buffer(world, entity, Friend);
        ox_buffer_push(friends, Friend, {count % 2 == 0 ? entity : stranger});

        ox_entity copy = ox_entity_instantiate(world, entity);

        ox_buffer copied = ox_edit(world, copy, Friend);
        EXPECT_EQ(ox_buffer_count(copied), count);
        EXPECT(is_same(ox_buffer_get(copied, count - 1, Friend)->who,
                       count % 2 == 0 ? copy : stranger));
        ox_buffer_edit(copied, 0, Friend)->who = copy;
        ox_buffer own = ox_get(world, entity, Friend);
        EXPECT(is_same(ox_buffer_get(own, 0, Friend)->who, stranger));
        ox_entity_destroy(world, copy);
    }
    end_world(world, &reports);
}

static void expect_same_worlds(band *one, band *other) {
    EXPECT_EQ(ox_world_hash_layout(one->world), ox_world_hash_layout(other->world));
    end_world(one->world, &reports);
    ox_world_destroy(other->world);
}

TEST(prefabs, many_at_once_are_the_same_as_one_by_one) {
    enum { COUNT = 300 };
    band at_once = make_band(), single = make_band();
    ox_entity copies[COUNT];

    EXPECT(ox_entities_instantiate(at_once.world, at_once.members[0], copies, COUNT));
    for (int k = 0; k < COUNT; k++) {
        ox_entity copy = ox_entity_instantiate(single.world, single.members[0]);
        EXPECT(is_same(copy, copies[k]));
    }

    EXPECT_EQ(ox_world_get_usage(at_once.world).entity_count, 4 + 3 * COUNT);
    EXPECT(is_same(ox_get(at_once.world, member_of(at_once.world, copies[99], 1), Follows)->leader,
                   copies[99]));
    expect_same_worlds(&at_once, &single);
}

// The second instance goes the way of the first, with nothing planned: it must not show.
TEST(prefabs, the_second_instance_is_like_the_first) {
    ox_world *world = make_world(&reports);
    ox_entity prefab = ox_entity_create(world, OX_VALUE(Health, {7}), OX_VALUE_TAG(ox_prefab),
                                        OX_VALUE_TAG(Frozen), OX_VALUE(Stunned, {2}));
    ox_set_enabled(world, prefab, Stunned, false);

    ox_entity first = ox_entity_instantiate(world, prefab);
    ox_edit(world, prefab, Health)->points = 8;
    ox_entity second = ox_entity_instantiate(world, prefab);

    EXPECT_EQ(ox_get(world, first, Health)->points, 7);
    EXPECT_EQ(ox_get(world, second, Health)->points, 8);
    EXPECT(!ox_is_enabled(world, first, Stunned) && !ox_is_enabled(world, second, Stunned));
    EXPECT(ox_has(world, second, Frozen) && !ox_has(world, second, ox_prefab));
    end_world(world, &reports);
}

TEST(prefabs, each_instance_of_one_that_points_to_itself_points_to_itself) {
    ox_world *world = make_world(&reports);
    ox_entity source = ox_entity_create_in(world, ox_archetype_of(world, Follows));
    ox_edit(world, source, Follows)->leader = source;

    for (int k = 0; k < 3; k++) {
        ox_entity copy = ox_entity_instantiate(world, source);
        EXPECT(ox_entity_equals(ox_get(world, copy, Follows)->leader, copy));
    }
    end_world(world, &reports);
}

TEST(prefabs, an_instance_of_one_that_was_changed_has_what_it_has_now) {
    ox_world *world = make_world(&reports);
    ox_entity source = ox_entity_create(world, OX_VALUE(Health, {7}));
    ox_entity_instantiate(world, source);

    ox_add(world, source, Team, {3});
    ox_entity copy = ox_entity_instantiate(world, source);

    EXPECT_EQ(ox_get(world, copy, Team)->id, 3);
    EXPECT_EQ(ox_get(world, copy, Health)->points, 7);
    end_world(world, &reports);
}

// Rows of the source's own archetype: adding one may move the source.
TEST(prefabs, instances_follow_a_source_whose_chunk_has_holes) {
    enum { ROWS = 3000 };
    static ox_entity entities[ROWS];
    ox_world *world = make_world(&reports);
    for (int32_t k = 0; k < ROWS; k++) {
        entities[k] = ox_entity_create(world, OX_VALUE(Health, {k}));
    }
    ox_entity source = entities[ROWS - 1];
    ox_entity_instantiate(world, source);
    for (int k = 0; k < ROWS / 2; k++) {
        ox_entity_destroy(world, entities[k]);
    }

    for (int k = 0; k < ROWS; k++) {
        ox_entity copy = ox_entity_instantiate(world, source);
        EXPECT_EQ(ox_get(world, copy, Health)->points, ROWS - 1);
    }
    end_world(world, &reports);
}

TEST(prefabs, handles_need_not_be_written) {
    band self = make_band();
    EXPECT(ox_entities_instantiate(self.world, self.members[0], NULL, 2));
    EXPECT_EQ(ox_world_get_usage(self.world).entity_count, 10);
    EXPECT(ox_entities_instantiate(self.world, self.members[0], NULL, 0));
    EXPECT_EQ(ox_world_get_usage(self.world).entity_count, 10);
    EXPECT(!ox_entities_instantiate(self.world, self.members[0], NULL, -1));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_COUNT);
    end_world(self.world, &reports);
}

TEST(prefabs, members_that_are_dead_or_stand_there_twice_are_copied_never_or_once) {
    band self = make_band();
    ox_world *world = self.world;
    ox_buffer_push(ox_edit(world, self.members[0], ox_linked), ox_linked, {self.members[2]});
    ox_entity_destroy(world, self.members[1]);

    ox_entity root = ox_entity_instantiate(world, self.members[0]);

    EXPECT_EQ(ox_world_get_usage(world).entity_count, 3 + 2);
    EXPECT(is_same(member_of(world, root, 1), self.members[1])); // a stale handle stays
    EXPECT(is_same(member_of(world, root, 2), member_of(world, root, 3)));
    EXPECT(ox_entity_exists(world, member_of(world, root, 3)));
    end_world(world, &reports);
}

TEST(prefabs, groups_of_members_are_not_followed_by_copies) {
    band self = make_band();
    ox_world *world = self.world;
    ox_entity inner[2] = {self.members[1],
                          ox_entity_create_in(world, ox_archetype_of(world, Health))};
    link_group(world, inner, 2);

    ox_entity root = ox_entity_instantiate(world, self.members[0]);

    ox_entity first = member_of(world, root, 1);
    EXPECT(is_same(member_of(world, first, 0), first));
    EXPECT(is_same(member_of(world, first, 1), inner[1]));
    end_world(world, &reports);
}

TEST(prefabs, an_empty_group_is_none) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Health, ox_linked));
    ox_entity copy = ox_entity_instantiate(world, entity);
    EXPECT(ox_buffer_is_empty(ox_get(world, copy, ox_linked)));
    ox_entity_destroy(world, entity);
    EXPECT(!ox_entity_exists(world, entity) && ox_entity_exists(world, copy));
    end_world(world, &reports);
}

TEST(prefabs, a_group_begins_with_its_own_entity) {
    band self = make_band();
    ox_world *world = self.world;
    ox_buffer_remove(ox_edit(world, self.members[0], ox_linked), 0);
    uint64_t layout = ox_world_hash_layout(world);

    EXPECT_EQ(ox_entity_instantiate(world, self.members[0]).version, 0);

    EXPECT_HAS(reports.text, "entity 1:1 in world 'sea' has a group that does not begin");
    EXPECT_REPORT(&reports, OX_REPORT_BAD_GROUP);
    EXPECT(!ox_entities_instantiate(world, self.members[0], NULL, 1));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_GROUP);
    EXPECT_EQ(ox_world_hash_layout(world), layout);
    end_world(world, &reports);
}

TEST(prefabs, a_world_that_is_full_refuses_all_of_a_group) {
    collected_reports full = {0};
    ox_world *world =
        ox_world_create(&(ox_world_def){.entity_limit = 5, .on_report = {collect_report, &full}});
    ox_entity members[2] = {ox_entity_create_in(world, ox_archetype_of(world, Health)),
                            ox_entity_create(world)};
    link_group(world, members, 2);
    uint64_t layout = ox_world_hash_layout(world);

    EXPECT(!ox_entities_instantiate(world, members[0], NULL, 2));
    EXPECT_REPORT(&full, OX_REPORT_ENTITY_LIMIT);
    EXPECT_EQ(ox_world_hash_layout(world), layout);
    EXPECT(ox_entities_instantiate(world, members[0], NULL, 1));
    end_world(world, &full);
}

// Sets.

TEST(prefabs, a_set_is_copied_as_it_is) {
    band self = make_band();
    ox_world *world = self.world;
    ox_entity set[2] = {self.members[0], self.members[1]}, copies[2];

    EXPECT(ox_entities_copy(world, set, copies, 2));

    EXPECT(ox_has(world, copies[0], ox_prefab) && ox_has(world, copies[1], ox_prefab));
    EXPECT_EQ(ox_world_get_usage(world).entity_count, 6);
    EXPECT(is_same(member_of(world, copies[0], 0), copies[0]));
    EXPECT(is_same(member_of(world, copies[0], 1), copies[1]));
    EXPECT(is_same(member_of(world, copies[0], 2), self.members[2])); // not of the set
    EXPECT(is_same(ox_get(world, copies[1], Follows)->leader, copies[0]));
    EXPECT(is_same(ox_get(world, copies[1], Follows)->others[0], self.members[2]));
    end_world(world, &reports);
}

TEST(prefabs, a_set_has_each_entity_once_and_alive) {
    band self = make_band();
    ox_world *world = self.world;
    ox_entity set[2] = {self.members[0], self.members[0]}, copies[2];
    uint64_t layout = ox_world_hash_layout(world);

    EXPECT(!ox_entities_copy(world, set, copies, 2));
    EXPECT_REPORT(&reports, OX_REPORT_DUPLICATE);
    set[1].version++;
    EXPECT(!ox_entities_copy(world, set, copies, 2));
    EXPECT_REPORT(&reports, OX_REPORT_STALE_ENTITY);
    collected_reports process;
    collect_reports(&process);
    EXPECT(!ox_entities_copy(world, NULL, copies, 2));
    EXPECT_REPORT(&process, OX_REPORT_NULL_ARGUMENT);
    EXPECT(ox_entities_copy(world, NULL, NULL, 0));
    EXPECT(ox_entities_copy(world, set, NULL, 1));
    EXPECT(ox_world_hash_layout(world) != layout);
    end_world(world, &reports);
}

TEST(prefabs, a_copy_of_what_is_switched_off_is_off) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Health, ox_prefab));
    ox_entity_set_enabled(world, entity, false);
    ox_entity copy = ox_entity_instantiate(world, entity);
    EXPECT(!ox_entity_is_enabled(world, copy) && !ox_has(world, copy, ox_prefab));
    end_world(world, &reports);
}
