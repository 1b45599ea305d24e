// SPDX-License-Identifier: MIT
//
// What one entity can have at most: 256 components, 64 of them shared, and a row that fits in a
// chunk. What is beyond is OX-E06, with the numbers.

#include "entities/entities_test.h"

#include "oxbow/buffers.h"
#include "oxbow/commands.h"
#include "oxbow/entities.h"
#include "oxbow/queries.h"
#include "oxbow/world.h"

enum { MOST_COMPONENTS = 256, MANY_ENTITIES = 200 };

OX_BUFFER(RowCrew, 2, { int64_t rank; });
OX_COMPONENT_OF_KIND(RowSwitch, OX_COMPONENT_KIND_DATA, OX_COMPONENT_ENABLEABLE, 0,
                     { int32_t value; });

static collected_reports reports;
static uint32_t bytes_of_one[MOST_COMPONENTS + 1];

// One more than an entity can have, of one byte each.
static void define_bytes(void) {
    for (int k = 0; k <= MOST_COMPONENTS; k++) {
        bytes_of_one[k] = define_sized("RowByte", k, 1);
    }
}

static uint32_t define_aligned(const char *name, size_t size, size_t align) {
    uint32_t id =
        ox_component_register(&(ox_component_def){.name = name, .size = size, .align = align});
    EXPECT(id != 0);
    return id;
}

static uint32_t define_cleanup_tag(int number) {
    char name[32];
    snprintf(name, sizeof name, "RowLeft%d", number);
    ox_component_def def = {
        .name = name, .kind = OX_COMPONENT_KIND_TAG, .flags = OX_COMPONENT_CLEANUP};
    return ox_component_register(&def);
}

static unsigned char byte_of(int entity, int component) {
    return (unsigned char)(entity * 31 + component * 7 + 1);
}

static void give_bytes(ox_world *world, ox_entity entity, int number) {
    for (int k = 0; k < MOST_COMPONENTS; k++) {
        unsigned char byte = byte_of(number, k);
        EXPECT(ox_set_at(world, entity, bytes_of_one[k], &byte, OX_HERE));
    }
}

static void expect_bytes(ox_world *world, ox_entity entity, int number, int first) {
    for (int k = first; k < MOST_COMPONENTS; k++) {
        const unsigned char *byte = ox_get_at(world, entity, bytes_of_one[k], OX_HERE);
        EXPECT_EQ(*byte, byte_of(number, k));
    }
}

TEST(row_limits, two_hundred_and_fifty_six_components_of_one_byte_fit) {
    ox_world *world = make_world(&reports);
    define_bytes();
    ox_entity entities[MANY_ENTITIES];

    ox_archetype archetype = ox_archetype_of_at(world, bytes_of_one, MOST_COMPONENTS, OX_HERE);
    EXPECT(ox_entities_create(world, archetype, entities, MANY_ENTITIES));
    for (int k = 0; k < MANY_ENTITIES; k++) {
        give_bytes(world, entities[k], k);
    }

    for (int k = 0; k < MANY_ENTITIES; k++) {
        expect_bytes(world, entities[k], k, 0);
    }
    EXPECT(ox_entity_get_location(world, entities[0]).capacity < MANY_ENTITIES); // several chunks
    end_world(world, &reports);
}

TEST(row_limits, entities_with_all_of_them_move_there_and_back) {
    ox_world *world = make_world(&reports);
    define_bytes();
    ox_archetype archetype = ox_archetype_of_at(world, bytes_of_one, MOST_COMPONENTS, OX_HERE);
    ox_entity entities[MANY_ENTITIES];
    EXPECT(ox_entities_create(world, archetype, entities, MANY_ENTITIES));
    for (int k = 0; k < MANY_ENTITIES; k++) {
        give_bytes(world, entities[k], k);
    }

    for (int k = 0; k < MANY_ENTITIES; k += 2) {
        unsigned char byte = byte_of(k, 0);
        EXPECT(ox_remove_many_at(world, entities[k], bytes_of_one, 1, OX_HERE));
        expect_bytes(world, entities[k], k, 1);
        EXPECT(ox_add_at(world, entities[k], bytes_of_one[0], &byte, OX_HERE));
    }
    for (int k = 1; k < MANY_ENTITIES; k += 4) {
        ox_entity_destroy(world, entities[k]);
    }

    for (int k = 0; k < MANY_ENTITIES; k++) {
        if (k % 4 != 1) {
            expect_bytes(world, entities[k], k, 0);
        }
    }
    end_world(world, &reports);
}

TEST(row_limits, entities_with_all_of_them_are_copied_and_change_worlds) {
    ox_world *from = make_world(&reports), *to = ox_world_create(NULL);
    define_bytes();
    ox_entity entity = ox_entity_create_in_at(
        from, ox_archetype_of_at(from, bytes_of_one, MOST_COMPONENTS, OX_HERE), OX_HERE);
    give_bytes(from, entity, 3);

    ox_entity twin = ox_entity_instantiate(from, entity), copy, moved;
    EXPECT(ox_world_copy(to, from, &entity, &copy, 1));
    expect_bytes(from, twin, 3, 0);
    expect_bytes(to, copy, 3, 0);
    ox_entity_destroy(from, twin);
    EXPECT_EQ(ox_world_move(to, from, &(ox_moved_ids){.after = &moved, .capacity = 1}), 1);

    expect_bytes(to, moved, 3, 0);
    EXPECT(ox_world_validate(to));
    ox_world_destroy(to);
    end_world(from, &reports);
}

TEST(row_limits, commands_create_entities_with_all_of_them) {
    ox_world *world = make_world(&reports);
    define_bytes();
    ox_value values[MOST_COMPONENTS];
    unsigned char bytes[MOST_COMPONENTS];
    for (int k = 0; k < MOST_COMPONENTS; k++) {
        bytes[k] = byte_of(5, k);
        values[k] = (ox_value){bytes_of_one[k], &bytes[k]};
    }
    ox_commands commands = ox_commands_create(world, NULL);
    ox_commands_create_entity_at(commands, values, MOST_COMPONENTS, OX_HERE);

    EXPECT(ox_commands_playback(commands));

    ox_query *query = ox_query_create_at(
        world, (ox_term[]){{OX_TERM_READ, NULL, bytes_of_one[7]}, {OX_TERM_END, NULL, 0}}, OX_HERE);
    EXPECT_EQ(ox_query_count(query), 1);
    OX_EACH_CHUNK(query, chunk) {
        expect_bytes(world, chunk.entities[0], 5, 0);
    }
    ox_commands_dispose(&commands);
    end_world(world, &reports);
}

TEST(row_limits, a_row_of_a_whole_chunk_fits_and_one_byte_more_does_not) {
    ox_world *world = make_world(&reports);
    size_t rest = OXI_CHUNK_SIZE - sizeof(ox_entity) - 16000;
    uint32_t large = define_sized("RowLarge", 0, 16000);
    uint32_t fits = define_sized("RowRest", 0, rest),
             exceeds = define_sized("RowRest", 1, rest + 1);
    ox_entity entity =
        ox_entity_create_in_at(world, ox_archetype_of_at(world, &large, 1, OX_HERE), OX_HERE);

    EXPECT(!ox_add_at(world, entity, exceeds, NULL, OX_HERE));
    EXPECT_HAS(reports.text, "2 components in world 'sea', 0 of them shared, need 16385 bytes");
    EXPECT_HAS(reports.text, "16384 bytes");
    EXPECT_REPORT(&reports, OX_REPORT_ARCHETYPE_TOO_LARGE);
    EXPECT(ox_add_at(world, entity, fits, NULL, OX_HERE));

    EXPECT_EQ(ox_entity_get_location(world, entity).capacity, 1);
    unsigned char *bytes = ox_edit_at(world, entity, fits, OX_HERE);
    bytes[rest - 1] = 9;
    EXPECT_EQ((uintptr_t)(bytes + rest) % OXI_CHUNK_SIZE, 0);
    end_world(world, &reports);
}

// The id takes as many bytes as the largest alignment, whatever the order of ids.
TEST(row_limits, alignment_counts_once) {
    ox_world *world = make_world(&reports);
    uint32_t ids[5] = {define_sized("RowGap", 0, 16000), define_sized("RowGap", 1, 1),
                       define_aligned("RowLine", 256, 64), define_sized("RowGap", 2, 63),
                       define_sized("RowGap", 3, 64)};
    ox_entity entity =
        ox_entity_create_in_at(world, ox_archetype_of_at(world, ids, 3, OX_HERE), OX_HERE);
    EXPECT(entity.version != 0);

    EXPECT(!ox_add_at(world, entity, ids[4], NULL, OX_HERE));
    EXPECT_HAS(reports.text, "4 components in world 'sea', 0 of them shared, need 16385 bytes");
    EXPECT_REPORT(&reports, OX_REPORT_ARCHETYPE_TOO_LARGE);
    EXPECT(ox_add_at(world, entity, ids[3], NULL, OX_HERE));

    EXPECT_EQ((uintptr_t)ox_get_at(world, entity, ids[2], OX_HERE) % 64, 0);
    end_world(world, &reports);
}

TEST(row_limits, values_of_narrow_columns_are_aligned) {
    ox_world *world = make_world(&reports);
    define_bytes();
    uint32_t ids[MOST_COMPONENTS];
    for (int k = 0; k < MOST_COMPONENTS; k++) {
        size_t align = (size_t)1 << k % 7;
        char name[32];
        snprintf(name, sizeof name, "RowAligned%d", k);
        ids[k] = define_aligned(name, align, align);
    }
    ox_entity entities[MANY_ENTITIES];
    ox_archetype archetype = ox_archetype_of_at(world, ids, MOST_COMPONENTS, OX_HERE);
    EXPECT(ox_entities_create(world, archetype, entities, MANY_ENTITIES));

    for (int n = 0; n < MANY_ENTITIES; n++) {
        for (int k = 0; k < MOST_COMPONENTS; k++) {
            const void *value = ox_get_at(world, entities[n], ids[k], OX_HERE);
            EXPECT_EQ((uintptr_t)value % ((size_t)1 << k % 7), 0);
        }
    }
    end_world(world, &reports);
}

// Buffers and switches beside 250 columns of one byte.
TEST(row_limits, narrow_columns_hold_all_kinds) {
    ox_world *world = make_world(&reports);
    define_bytes();
    uint32_t ids[MOST_COMPONENTS];
    memcpy(ids, bytes_of_one, sizeof ids);
    ids[3] = ox_component_id_of(RowCrew);
    ids[250] = ox_component_id_of(RowSwitch);
    ox_entity entities[MANY_ENTITIES];
    EXPECT(ox_entities_create(world, ox_archetype_of_at(world, ids, MOST_COMPONENTS, OX_HERE),
                              entities, MANY_ENTITIES));

    for (int k = 0; k < MANY_ENTITIES; k++) {
        ox_buffer crew = ox_edit(world, entities[k], RowCrew);
        for (int n = 0; n < k % 5; n++) {
            ox_buffer_push(crew, RowCrew, {k + n});
        }
        ox_set(world, entities[k], RowSwitch, {k});
        ox_set_enabled(world, entities[k], RowSwitch, k % 3 == 0);
    }
    ox_entity_destroy(world, entities[0]);

    for (int k = 1; k < MANY_ENTITIES; k++) {
        ox_buffer crew = ox_get(world, entities[k], RowCrew);
        EXPECT_EQ(ox_buffer_count(crew), k % 5);
        for (int n = 0; n < k % 5; n++) {
            EXPECT_EQ(ox_buffer_get(crew, n, RowCrew)->rank, k + n);
        }
        EXPECT_EQ(ox_get(world, entities[k], RowSwitch)->value, k);
        EXPECT_EQ(ox_is_enabled(world, entities[k], RowSwitch), k % 3 == 0);
    }
    end_world(world, &reports);
}

TEST(row_limits, one_component_more_than_256_is_reported_with_the_numbers) {
    ox_world *world = make_world(&reports);
    define_bytes();
    ox_entity entity = ox_entity_create_in_at(
        world, ox_archetype_of_at(world, bytes_of_one, MOST_COMPONENTS, OX_HERE), OX_HERE);
    const char *told = "257 components in world 'sea', 0 of them shared, need 265 bytes";
    uint64_t hash = ox_world_hash_layout(world);

    EXPECT(!ox_add_at(world, entity, bytes_of_one[MOST_COMPONENTS], NULL, OX_HERE));
    EXPECT_HAS(reports.text, told);
    EXPECT_REPORT(&reports, OX_REPORT_ARCHETYPE_TOO_LARGE);
    EXPECT(!ox_add_many_at(world, entity, &(ox_value){bytes_of_one[MOST_COMPONENTS], NULL}, 1,
                           OX_HERE));
    EXPECT_HAS(reports.text, told);
    EXPECT_REPORT(&reports, OX_REPORT_ARCHETYPE_TOO_LARGE);
    EXPECT_EQ(ox_archetype_of_at(world, bytes_of_one, MOST_COMPONENTS + 1, OX_HERE).number, 0);
    EXPECT_HAS(reports.text, told);
    EXPECT_REPORT(&reports, OX_REPORT_ARCHETYPE_TOO_LARGE);

    EXPECT_EQ(ox_world_hash_layout(world), hash);
    end_world(world, &reports);
}

TEST(row_limits, a_change_by_query_names_the_components_that_do_not_fit) {
    ox_world *world = make_world(&reports);
    uint32_t ids[3] = {define_sized("RowQuery", 0, 9000), define_sized("RowQuery", 1, 4),
                       define_sized("RowQuery", 2, 9000)};
    define_bytes();
    ox_entity_create_in_at(world, ox_archetype_of_at(world, ids, 2, OX_HERE), OX_HERE);
    // The largest by number is another, where it would fit.
    bytes_of_one[0] = ids[1];
    ox_entity_create_in_at(world, ox_archetype_of_at(world, bytes_of_one, 100, OX_HERE), OX_HERE);
    ox_query *query = ox_query_create_at(
        world, (ox_term[]){{OX_TERM_READ, NULL, ids[1]}, {OX_TERM_END, NULL, 0}}, OX_HERE);

    EXPECT(!ox_query_add_at(query, ids[2], OX_HERE));

    EXPECT_HAS(reports.text, "3 components in world 'sea', 0 of them shared, need 18012 bytes");
    EXPECT_REPORT(&reports, OX_REPORT_ARCHETYPE_TOO_LARGE);
    end_world(world, &reports);
}

TEST(row_limits, switching_an_entity_off_that_has_all_components_names_their_number) {
    ox_world *world = make_world(&reports);
    define_bytes();
    ox_entity entity = ox_entity_create_in_at(
        world, ox_archetype_of_at(world, bytes_of_one, MOST_COMPONENTS, OX_HERE), OX_HERE);

    EXPECT(!ox_entity_set_enabled(world, entity, false));

    EXPECT_HAS(reports.text, "257 components in world 'sea', 0 of them shared, need 264 bytes");
    EXPECT_REPORT(&reports, OX_REPORT_ARCHETYPE_TOO_LARGE);
    end_world(world, &reports);
}

// The tag of what is left is one more than an entity can be given.
TEST(row_limits, what_is_left_of_an_entity_with_256_cleanup_components_has_257) {
    ox_world *world = make_world(&reports);
    uint32_t ids[MOST_COMPONENTS], found[MOST_COMPONENTS + 1];
    for (int k = 0; k < MOST_COMPONENTS; k++) {
        ids[k] = define_cleanup_tag(k);
    }
    ox_entity entity = ox_entity_create_in_at(
        world, ox_archetype_of_at(world, ids, MOST_COMPONENTS, OX_HERE), OX_HERE);

    ox_entity_destroy(world, entity);

    EXPECT_EQ(ox_entity_get_components(world, entity, found, MOST_COMPONENTS + 1),
              MOST_COMPONENTS + 1);
    EXPECT(ox_has(world, entity, ox_destroyed));
    EXPECT(ox_world_hash(world) != 0 && ox_world_hash_layout(world) != 0);
    EXPECT(ox_remove_many_at(world, entity, ids, 2, OX_HERE));
    EXPECT(ox_remove_many_at(world, entity, ids + 2, MOST_COMPONENTS - 2, OX_HERE));
    EXPECT(!ox_entity_exists(world, entity));
    end_world(world, &reports);
}

TEST(row_limits, commands_leave_what_is_left_of_256_cleanup_components) {
    ox_world *world = make_world(&reports);
    uint32_t ids[MOST_COMPONENTS];
    for (int k = 0; k < MOST_COMPONENTS; k++) {
        ids[k] = define_cleanup_tag(k);
    }
    ox_entity entity = ox_entity_create_in_at(
        world, ox_archetype_of_at(world, ids, MOST_COMPONENTS, OX_HERE), OX_HERE);
    ox_commands commands = ox_commands_create(world, NULL);
    ox_commands_destroy_entity(commands, entity);
    ox_commands_remove_at(commands, entity, ids[0], OX_HERE);

    EXPECT(ox_commands_playback(commands));

    EXPECT(ox_has(world, entity, ox_destroyed) && !ox_has_id(world, entity, ids[0]));
    EXPECT(ox_world_hash(world) != 0);
    ox_commands_dispose(&commands);
    end_world(world, &reports);
}
