// SPDX-License-Identifier: MIT
//
// A shared component that owns memory: rocks with the same mesh store it once, and lie in chunks of
// that mesh. Two share one; when one of them is set to another mesh, only that one moves. You see
// in which chunk each lies, and when a mesh is copied and dropped.

#include <oxbow.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

OX_SHARED(Mesh, {
    char name[8];
    int count;
    float *vertices; // a shared component may hold pointers; this one owns what it points to
});
OX_COMPONENT(Place, { float x, y; });

static size_t size_of_vertices(const Mesh *mesh) {
    return (size_t)mesh->count * sizeof(float);
}

// Meshes are the same when their vertices are, wherever these lie. Equal ones need equal hashes.
static bool is_same_mesh(const void *a, const void *b) {
    const Mesh *one = a, *two = b;
    return one->count == two->count &&
           (one->count == 0 || memcmp(one->vertices, two->vertices, size_of_vertices(one)) == 0);
}

static uint64_t hash_mesh(const void *value) {
    const Mesh *mesh = value;
    uint64_t hash = (uint64_t)mesh->count;
    for (int k = 0; k < mesh->count; k++) {
        hash = hash * 31 + (uint64_t)(int64_t)mesh->vertices[k];
    }
    return hash;
}

// The world stores a mesh that it does not have yet. So far it has the pointer of who gave it.
static bool copy_mesh(void *stored) {
    Mesh *mesh = stored;
    float *own = malloc(size_of_vertices(mesh));
    if (own == NULL) {
        return false;
    }
    mesh->vertices = memcpy(own, mesh->vertices, size_of_vertices(mesh));
    printf("  (%s is copied)\n", mesh->name);
    return true;
}

static void drop_mesh(void *stored) {
    Mesh *mesh = stored;
    printf("  (%s is dropped)\n", mesh->name);
    free(mesh->vertices);
}

static void print_rocks(const char *title, const ox_world *world, ox_query *rocks) {
    printf("%s\n", title);
    OX_EACH_CHUNK(rocks, chunk) {
        const Mesh *mesh = ox_chunk_get(chunk, Mesh); // one for all of the chunk
        printf("  chunk %d, %s with %d numbers:",
               ox_entity_get_location(world, chunk.entities[0]).chunk,
               mesh->count > 0 ? mesh->name : "no mesh", mesh->count);
        for (int i = 0; i < chunk.count; i++) {
            printf(" %u", chunk.entities[i].index);
        }
        printf("\n");
    }
}

int main(void) {
    ox_shared_define(ox_component_id_of(Mesh),
                     &(ox_shared_def){hash_mesh, is_same_mesh, copy_mesh, drop_mesh});
    ox_world *world = ox_world_create(NULL);
    ox_query *rocks = ox_query_create(world, OX_READ(Mesh), OX_READ(Place));

    float triangle[] = {0, 0, 1, 0, 0, 1}, square[] = {0, 0, 1, 0, 1, 1, 0, 1};
    Mesh three = {"three", 6, triangle}, four = {"four", 8, square};

    // Two with an equal mesh, and one with none: all zeros is the default, and is never stored.
    ox_entity first = ox_entity_create(world, OX_VALUE(Place, {1, 1}), OX_VALUE(Mesh, three));
    ox_entity second = ox_entity_create(world, OX_VALUE(Place, {2, 2}), OX_VALUE(Mesh, three));
    ox_entity_create_in(world, ox_archetype_of(world, Place, Mesh));
    printf("one mesh for both: %d\n", ox_get(world, first, Mesh) == ox_get(world, second, Mesh));
    print_rocks("two share a mesh", world, rocks);

    ox_set(world, second, Mesh, four);
    print_rocks("the second was set: only it moved", world, rocks);
    ox_set(world, second, Mesh, three);
    print_rocks("back again: nobody has the square any more", world, rocks);

    ox_remove(world, second, Mesh); // the first still has it
    printf("the end of the world\n");
    ox_world_destroy(world);
}

// Output:
//   (three is copied)
// one mesh for both: 1
// two share a mesh
//   chunk 0, three with 6 numbers: 0 1
//   chunk 1, no mesh with 0 numbers: 2
//   (four is copied)
// the second was set: only it moved
//   chunk 0, three with 6 numbers: 0
//   chunk 1, no mesh with 0 numbers: 2
//   chunk 2, four with 8 numbers: 1
//   (four is dropped)
// back again: nobody has the square any more
//   chunk 0, three with 6 numbers: 0 1
//   chunk 1, no mesh with 0 numbers: 2
// the end of the world
//   (three is dropped)
