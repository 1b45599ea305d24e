// SPDX-License-Identifier: MIT
//
// Queries: terms, matching, counting, order, and what is refused.

#include "query_test.h"

#include "base/heap.h"
#include "entities/query.h"
#include "entities/scope.h"

#include <string.h>

OX_COMPONENT(SetA, { int value; });
OX_COMPONENT(SetB, { double value; });
OX_COMPONENT(SetC, { char value[3]; });
OX_COMPONENT(SetD, { int value[8]; });
OX_TAG(SetE);
OX_TAG(SetF);
OX_COMPONENT(SetG, { ox_entity value; });
OX_TAG(SetH);

enum { SETS = 256, SET_TYPES = 8 };

static void list_set_ids(uint32_t *ids) {
    const uint32_t all[SET_TYPES] = {ox_component_id_of(SetA), ox_component_id_of(SetB),
                                     ox_component_id_of(SetC), ox_component_id_of(SetD),
                                     ox_component_id_of(SetE), ox_component_id_of(SetF),
                                     ox_component_id_of(SetG), ox_component_id_of(SetH)};
    memcpy(ids, all, sizeof all);
}

// Terms of one query, and what they mean.
typedef struct random_terms {
    ox_term terms[SET_TYPES + 1];
    ox_term_kind kinds[SET_TYPES]; // OX_TERM_END: not named
} random_terms;

static random_terms make_random_terms(oxi_random *random, const uint32_t *ids) {
    random_terms made;
    memset(&made, 0, sizeof made);
    int count = 0;
    for (int k = 0; k < SET_TYPES; k++) {
        made.kinds[k] = (ox_term_kind)oxi_random_below(random, OX_TERM_OPTIONAL + 1);
        if (made.kinds[k] != OX_TERM_END) {
            // Any order of terms means the same.
            int place = (int)oxi_random_below(random, (uint64_t)count + 1);
            made.terms[count++] = made.terms[place];
            made.terms[place] = (ox_term){made.kinds[k], NULL, ids[k]};
        }
    }
    return made;
}

static bool naively_matches(const random_terms *terms, uint32_t mask) {
    bool wants_any = false, has_any = false;
    for (int k = 0; k < SET_TYPES; k++) {
        bool has = (mask >> k & 1) != 0;
        switch (terms->kinds[k]) {
        case OX_TERM_READ:
        case OX_TERM_WRITE:
        case OX_TERM_WITH:
            if (!has) {
                return false;
            }
            break;
        case OX_TERM_NONE:
            if (has) {
                return false;
            }
            break;
        case OX_TERM_ANY:
            wants_any = true;
            has_any = has_any || has;
            break;
        default:
            break;
        }
    }
    return has_any || !wants_any;
}

// Archetypes of all subsets, in some order, each with one to three entities.
typedef struct all_sets {
    ox_world *world;
    uint32_t ids[SET_TYPES];
    uint32_t masks[SETS]; // in the order they were made
    ox_entity first[SETS];
} all_sets;

static void create_set(all_sets *sets, int place) {
    uint32_t mask = sets->masks[place];
    uint32_t ids[SET_TYPES];
    int count = 0;
    for (int k = SET_TYPES; k-- > 0;) {
        if (mask >> k & 1) {
            ids[count++] = sets->ids[k];
        }
    }
    ox_archetype archetype = ox_archetype_of_at(sets->world, ids, count, OX_HERE);
    ox_entity made[3];
    EXPECT(ox_entities_create(sets->world, archetype, made, mask % 3 + 1));
    sets->first[place] = made[0];
}

static void shuffle_sets(all_sets *sets, oxi_random *random) {
    // The set of nothing is there from the beginning.
    for (int k = 0; k < SETS; k++) {
        sets->masks[k] = (uint32_t)k;
    }
    for (int k = SETS - 1; k > 1; k--) {
        int other = 1 + (int)oxi_random_below(random, (uint64_t)k);
        uint32_t mask = sets->masks[k];
        sets->masks[k] = sets->masks[other];
        sets->masks[other] = mask;
    }
}

static void expect_naive_match(const all_sets *sets, ox_query *query, const random_terms *terms) {
    int64_t count = 0;
    int place = 0;
    OX_EACH_CHUNK(query, chunk) {
        while (place < SETS && !naively_matches(terms, sets->masks[place])) {
            place++;
        }
        EXPECT(place < SETS);
        EXPECT(same_entity(chunk.entities[0], sets->first[place]));
        EXPECT_EQ(chunk.count, sets->masks[place] % 3 + 1);
        count += chunk.count;
        place++;
    }
    for (; place < SETS; place++) {
        EXPECT(!naively_matches(terms, sets->masks[place]));
    }
    EXPECT_EQ(ox_query_count(query), count);
    EXPECT_EQ(ox_query_count_all(query), count);
    EXPECT_EQ(ox_query_is_empty(query), count == 0);
}

TEST(query, matches_as_brute_force_does_whenever_it_was_made) {
    enum { QUERIES = 600 };
    static ox_query *queries[QUERIES];
    static random_terms terms[QUERIES];
    oxi_random random = oxi_random_seed(test_seed(811));
    static all_sets sets;
    sets.world = ox_world_create(NULL);
    list_set_ids(sets.ids);
    shuffle_sets(&sets, &random);

    for (int k = 0; k < QUERIES; k++) {
        terms[k] = make_random_terms(&random, sets.ids);
        for (int made = k * SETS / QUERIES; made < (k + 1) * SETS / QUERIES; made++) {
            create_set(&sets, made);
        }
        queries[k] = ox_query_create_at(sets.world, terms[k].terms, OX_HERE);
        ox_query_count(queries[(int)oxi_random_below(&random, (uint64_t)k + 1)]);
    }

    for (int k = 0; k < QUERIES; k++) {
        expect_naive_match(&sets, queries[k], &terms[k]);
    }
    ox_world_destroy(sets.world);
}

TEST(query, without_terms_matches_every_entity) {
    ox_world *world = ox_world_create(NULL);
    ox_term none[] = {{OX_TERM_END, NULL, 0}};
    ox_query *query = ox_query_create_at(world, none, OX_HERE);
    EXPECT(ox_query_is_empty(query));

    ox_entity_create(world);
    ox_entity_create_in(world, ox_archetype_of(world, Place));
    ox_entity_create_in(world, ox_archetype_of(world, Frozen));

    EXPECT_EQ(ox_query_count(query), 3);
    EXPECT_EQ(count_chunks(query), 3);
    ox_world_destroy(world);
}

TEST(query, sees_a_set_of_components_that_comes_later) {
    ox_world *world = ox_world_create(NULL);
    ox_query *query = ox_query_create(world, OX_READ(Place), OX_NONE(Frozen));
    EXPECT_EQ(ox_query_count(query), 0);

    ox_entity late = ox_entity_create_in(world, ox_archetype_of(world, Speed, Place));
    ox_entity_create_in(world, ox_archetype_of(world, Place, Frozen));

    EXPECT_EQ(ox_query_count(query), 1);
    OX_EACH_CHUNK(query, chunk) {
        EXPECT(same_entity(chunk.entities[0], late));
    }
    ox_world_destroy(world);
}

TEST(query, takes_terms_by_id_at_run_time) {
    ox_world *world = ox_world_create(NULL);
    ox_component_def def = {.name = "QueryScript", .text = "{ int a; }"};
    uint32_t id = ox_component_register(&def);
    ox_entity scripted = ox_entity_create_in(world, ox_archetype_of(world, Place));
    EXPECT(ox_add_at(world, scripted, id, &(int){7}, OX_HERE));
    ox_entity_create_in(world, ox_archetype_of(world, Place));

    ox_term terms[] = {{OX_TERM_READ, NULL, id},
                       {OX_TERM_WITH, ox_component_of(Place), 0},
                       {OX_TERM_END, NULL, 0}};
    ox_query *query = ox_query_create_at(world, terms, OX_HERE);

    EXPECT_EQ(ox_query_count(query), 1);
    OX_EACH_CHUNK(query, chunk) {
        EXPECT_EQ(*(const int *)ox_chunk_get_at(&chunk, id, OX_HERE), 7);
    }
    ox_world_destroy(world);
}

TEST(query, any_needs_at_least_one_of_all_that_any_terms_name) {
    ox_world *world = ox_world_create(NULL);
    ox_entity_create_in(world, ox_archetype_of(world, Place));
    ox_entity_create_in(world, ox_archetype_of(world, Speed));
    ox_entity_create_in(world, ox_archetype_of(world, Health, Speed));
    ox_entity_create_in(world, ox_archetype_of(world, Frozen));

    ox_query *apart = ox_query_create(world, OX_ANY(Place), OX_ANY(Health));
    ox_query *together = ox_query_create(world, OX_ANY(Place, Health));
    ox_query *many =
        ox_query_create(world, OX_ANY(Place, Speed, Health, Load, Cargo, Marked), OX_NONE(Frozen));

    EXPECT_EQ(ox_query_count(apart), 2);
    EXPECT_EQ(ox_query_count(together), 2);
    EXPECT_EQ(ox_query_count(many), 3);
    ox_world_destroy(world);
}

// In query_unit.cpp.
float run_query_unit(void);

TEST(query, is_the_same_in_cpp) {
    EXPECT_EQ(run_query_unit(), 35.0f);
}

// What is refused.

typedef struct refused_terms {
    ox_term terms[4];
    ox_report_id report;
} refused_terms;

TEST(query, of_terms_that_cannot_be_is_reported_and_not_made) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_world *world = ox_world_create(NULL);
    uint32_t place = ox_component_id_of(Place), unknown = ox_component_count() + 1;
    const refused_terms cases[] = {
        {{{OX_TERM_READ, NULL, place}, {OX_TERM_READ, NULL, place}}, OX_REPORT_DUPLICATE},
        {{{OX_TERM_READ, NULL, place}, {OX_TERM_WRITE, NULL, place}}, OX_REPORT_DUPLICATE},
        {{{OX_TERM_WITH, NULL, place}, {OX_TERM_NONE, NULL, place}}, OX_REPORT_DUPLICATE},
        {{{OX_TERM_ANY, NULL, place}, {OX_TERM_ANY, ox_component_of(Place), 0}},
         OX_REPORT_DUPLICATE},
        {{{OX_TERM_OPTIONAL, NULL, place}, {OX_TERM_READ, NULL, place}}, OX_REPORT_DUPLICATE},
        {{{OX_TERM_READ, NULL, 0}}, OX_REPORT_UNKNOWN_COMPONENT},
        {{{OX_TERM_NONE, NULL, unknown}}, OX_REPORT_UNKNOWN_COMPONENT},
        {{{OX_TERM_READ, NULL, 100000}}, OX_REPORT_UNKNOWN_COMPONENT},
        {{{OX_TERM_READ, NULL, UINT32_MAX}}, OX_REPORT_UNKNOWN_COMPONENT},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        EXPECT_EQ(ox_query_create_at(world, cases[k].terms, OX_HERE), NULL);
        EXPECT_REPORT(&reports, cases[k].report);
    }
    ox_world_destroy(world);
}

TEST(query, of_a_component_that_is_refused_is_one_report) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_world *world = ox_world_create(NULL);
    ox_component bad = *ox_component_of(Place);
    bad.type.name = "QueryBad";
    bad.type.text = bad.type.expanded = "{ char *p; }";
    bad.oxi_id = 0;
    ox_term terms[] = {{OX_TERM_READ, &bad, 0}, {OX_TERM_END, NULL, 0}};

    EXPECT_EQ(ox_query_create_at(world, terms, OX_HERE), NULL);

    EXPECT_EQ(reports.count, 1);
    ox_world_destroy(world);
}

static void make_many_terms(ox_term *terms, int count) {
    static const char *const digits = "0123456789";
    for (int k = 0; k < count; k++) {
        char name[] = "QueryMany00";
        name[9] = digits[k / 10];
        name[10] = digits[k % 10];
        ox_component_def def = {.name = name, .kind = OX_COMPONENT_KIND_TAG};
        terms[k] = (ox_term){OX_TERM_OPTIONAL, NULL, ox_component_register(&def)};
    }
    terms[count] = (ox_term){OX_TERM_END, NULL, 0};
}

TEST(query, holds_as_many_terms_as_it_may_and_not_one_more) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_world *world = ox_world_create(NULL);
    ox_entity_create(world);
    ox_term terms[OX_MAX_TERMS + 2];
    make_many_terms(terms, OX_MAX_TERMS);

    EXPECT_EQ(ox_query_count(ox_query_create_at(world, terms, OX_HERE)), 1);
    EXPECT_EQ(reports.count, 0);

    make_many_terms(terms, OX_MAX_TERMS + 1);
    EXPECT_EQ(ox_query_create_at(world, terms, OX_HERE), NULL);
    EXPECT_HAS(reports.text, "33 for a query");
    EXPECT_HAS(reports.text, "pass 0 to 32 at ");
    EXPECT_REPORT(&reports, OX_REPORT_BAD_COUNT);
    ox_world_destroy(world);
}

TEST_CHECKED(query, of_no_world_or_no_terms_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_world *world = ox_world_create(NULL);

    EXPECT_EQ(ox_query_create_at(world, NULL, OX_HERE), NULL);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_query_create(NULL, OX_READ(Place)), NULL);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    ox_world_destroy(world);
}

TEST(query, that_is_null_is_reported_by_every_call) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_query *none = NULL;

    EXPECT_EQ(ox_query_count(none), 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_query_count_all(none), 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_query_filter_changed(none, Place, 1));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_query_filter_order(none, 1));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_query_add(none, Place));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_query_remove(none, Place));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_query_destroy_entities(none), 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(count_chunks(none), 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_query_copy_entities(none, OX_TEMP).count, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_query_view_entities(none).count, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    ox_query_destroy(none);
    EXPECT_EQ(reports.count, 0);
}

// Lives.

TEST(query, is_destroyed_alone_in_any_order_or_with_its_world) {
    uint64_t blocks = oxi_heap_get_blocks();
    ox_world *world = ox_world_create(NULL);
    ox_entity_create_in(world, ox_archetype_of(world, Place));
    ox_query *queries[5];
    for (int k = 0; k < 5; k++) {
        queries[k] = ox_query_create(world, OX_READ(Place));
    }

    ox_query_destroy(queries[2]); // between others
    ox_query_destroy(queries[4]); // the newest
    EXPECT_EQ(ox_query_count(queries[1]), 1);
    ox_query_destroy(queries[1]); // beside one that is gone

    EXPECT_EQ(ox_query_count(queries[0]), 1);
    EXPECT_EQ(ox_query_count(queries[3]), 1);
    ox_query_destroy(queries[0]); // the oldest
    ox_world_destroy(world);
    EXPECT_EQ(oxi_heap_get_blocks(), blocks);
}

TEST(query, of_one_world_does_not_see_another) {
    ox_world *first = ox_world_create(NULL), *second = ox_world_create(NULL);
    ox_query *query = ox_query_create(first, OX_READ(Place));
    ox_entity_create_in(second, ox_archetype_of(second, Place));
    ox_query *other = ox_query_create(second, OX_READ(Place));

    EXPECT_EQ(ox_query_count(query), 0);
    EXPECT_EQ(ox_query_count(other), 1);
    ox_world_destroy(first);
    EXPECT_EQ(ox_query_count(other), 1);
    ox_world_destroy(second);
}

// Counting and order.

TEST(query, counts_live_entities_with_holes_and_without) {
    ox_world *world = ox_world_create(NULL);
    ox_query *query = ox_query_create(world, OX_READ(Place));
    ox_entity made[1000];
    ox_entities_create(world, ox_archetype_of(world, Place), made, 1000);

    for (int k = 0; k < 1000; k += 3) {
        ox_entity_destroy(world, made[k]);
    }

    EXPECT_EQ(ox_query_count(query), 666);
    EXPECT_EQ(ox_query_count_all(query), 666);
    EXPECT_EQ(ox_world_get_usage(world).closing_count, 0);
    ox_world_destroy(world);
}

TEST(query, closes_holes_when_a_walk_begins) {
    ox_world *world = ox_world_create(NULL);
    ox_query *query = ox_query_create(world, OX_READ(Health));
    ox_entity made[100];
    ox_entities_create(world, ox_archetype_of(world, Health), made, 100);
    for (int k = 0; k < 100; k++) {
        ox_set(world, made[k], Health, {k});
    }
    for (int k = 0; k < 100; k += 2) {
        ox_entity_destroy(world, made[k]);
    }

    OX_EACH_CHUNK(query, chunk) {
        const Health *health = ox_chunk_get(chunk, Health);
        EXPECT_EQ(chunk.count, 50);
        for (int i = 0; i < chunk.count; i++) {
            EXPECT_EQ(health[i].points, 2 * i + 1);
            EXPECT(same_entity(chunk.entities[i], made[2 * i + 1]));
        }
    }
    EXPECT_EQ(ox_world_get_usage(world).closing_count, 1);
    ox_world_destroy(world);
}

TEST(query, counts_with_filters_and_without) {
    ox_world *world = ox_world_create(NULL);
    ox_query *query = ox_query_create(world, OX_READ(Place));
    ox_entity_create_in(world, ox_archetype_of(world, Place));
    ox_entity late = ox_entity_create_in(world, ox_archetype_of(world, Place, Speed));
    uint32_t version = ox_world_get_version(world);
    ox_world_advance_version(world);
    ox_edit(world, late, Place)->x = 1;

    EXPECT(ox_query_filter_changed(query, Place, version));
    EXPECT_EQ(ox_query_count(query), 1);
    EXPECT_EQ(ox_query_count_all(query), 2);
    EXPECT(ox_query_filter_changed(query, Place, ox_world_get_version(world)));
    EXPECT(ox_query_is_empty(query));
    EXPECT_EQ(ox_query_count_all(query), 2);
    ox_query_reset_filters(query);
    EXPECT_EQ(ox_query_count(query), 2);
    ox_world_destroy(world);
}

TEST(query, walks_archetypes_then_chunks_then_rows_in_order) {
    enum { EACH = 5000 };
    static ox_entity made[3][EACH];
    ox_world *world = ox_world_create(NULL);
    ox_archetype sets[] = {ox_archetype_of(world, Place, Speed), ox_archetype_of(world, Place),
                           ox_archetype_of(world, Health, Place)};
    for (int k = 3; k-- > 0;) {
        ox_entities_create(world, sets[k], made[k], EACH);
    }
    ox_query *query = ox_query_create(world, OX_READ(Place));

    int n = 0;
    OX_EACH_CHUNK(query, chunk) {
        for (int i = 0; i < chunk.count; i++, n++) {
            EXPECT(same_entity(chunk.entities[i], made[n / EACH][n % EACH]));
        }
    }

    EXPECT_EQ(n, 3 * EACH);
    ox_world_destroy(world);
}

// Out of memory.

static void make_query_and_use_it(void) {
    ox_world *world = ox_world_create(NULL);
    ox_query *query =
        world != NULL ? ox_query_create(world, OX_READ(Health), OX_NONE(Frozen)) : NULL;
    if (query != NULL) {
        for (uint32_t k = 0; k < 40; k++) {
            uint32_t ids[] = {ox_component_id_of(Health), 1 + k % 40};
            if (ids[0] != ids[1] && ids[1] != ox_component_id_of(ox_destroyed)) {
                ox_archetype_of_at(world, ids, 2, OX_HERE);
            }
        }
        ox_entity made = ox_entity_create(world, OX_VALUE(Health, {1}));
        int64_t count = ox_query_count(query);
        EXPECT(count == ox_entity_exists(world, made) || count == 0);
        ox_query_destroy(query);
    }
    ox_world_destroy(world);
}

TEST(query, out_of_memory_leaves_nothing_behind) {
    ox_term terms[OX_MAX_TERMS + 2];
    make_many_terms(terms, OX_MAX_TERMS);
    EXPECT(ox_component_id_of(Health) != 0 && ox_component_id_of(Frozen) != 0);

    test_fault_sweep("queries", make_query_and_use_it);
}

TEST(query, one_that_a_system_owns_is_not_destroyed_by_others) {
    collected_reports reports;
    ox_world *world = ox_world_create(NULL);
    oxi_scope owner = {.base = {.name = "Owner"}};
    ox_query *query = ox_query_create(world, OX_READ(Place));
    ox_entity_create_in(world, ox_archetype_of(world, Place));
    collect_reports(&reports);
    oxi_query_set_scope(query, &owner);

    ox_query_destroy(query);

    EXPECT_REPORT(&reports, OX_REPORT_QUERY_OWNED);
    EXPECT_EQ(ox_query_count(query), 1);
    oxi_query_set_scope(query, NULL);
    ox_query_destroy(query);
    EXPECT_EQ(reports.count, 0);
    ox_world_destroy(world);
}
