// SPDX-License-Identifier: MIT
//
// Many to many: an entity for each pair of owner and item. "Does this one have that?" is answered
// by a walk over all pairs, and by a multimap that is made anew only when pairs came or went. You
// see that both agree, and how often the multimap was made.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Ownership, {
    ox_entity owner;
    ox_entity item;
});
OX_COMPONENT(Weight, { float kilos; });
OX_TAG(Character);

enum { CHARACTERS = 4, ITEMS = 3 };

OX_MULTIMAP(Items, ox_entity, ox_entity);

// The pairs of a world by owner. The entities say what is true; this is made from them.
typedef struct Inventory {
    ox_world *world;
    ox_query *ownerships;
    Items items;    // owner to item
    uint32_t order; // of Ownership, when the multimap was made
    int rebuilds;
} Inventory;

// Looks at every pair in the world. Enough for a few hundred of them.
static bool has_by_walk(ox_query *ownerships, ox_entity owner, ox_entity item) {
    OX_EACH_CHUNK(ownerships, chunk) {
        const Ownership *pair = ox_chunk_get(chunk, Ownership);
        for (int i = 0; i < chunk.count; i++) {
            if (ox_entity_equals(pair[i].owner, owner) && ox_entity_equals(pair[i].item, item)) {
                return true;
            }
        }
    }
    return false;
}

// The order version moves when entities with an Ownership come, go or move. It does not when one is
// written: so a pair is never written here, a trade destroys one and creates another.
static void refresh(Inventory *inventory) {
    uint32_t order = ox_world_get_order_version(inventory->world, ox_component_id_of(Ownership));
    if (order == inventory->order) {
        return;
    }
    inventory->order = order;
    inventory->rebuilds++;
    ox_multimap_clear(inventory->items);
    OX_EACH_CHUNK(inventory->ownerships, chunk) {
        const Ownership *pair = ox_chunk_get(chunk, Ownership);
        for (int i = 0; i < chunk.count; i++) {
            ox_multimap_add(inventory->items, pair[i].owner, pair[i].item);
        }
    }
}

// Looks at the items of one owner.
static bool has_by_map(Inventory *inventory, ox_entity owner, ox_entity item) {
    refresh(inventory);
    OX_EACH_OF(inventory->items, owner, it) {
        if (ox_entity_equals(*it.value, item)) {
            return true;
        }
    }
    return false;
}

static void ask_all(Inventory *inventory, const ox_entity *characters, const ox_entity *items) {
    int yes = 0, different = 0;
    for (int k = 0; k < CHARACTERS * ITEMS; k++) {
        ox_entity owner = characters[k / ITEMS], item = items[k % ITEMS];
        bool has = has_by_map(inventory, owner, item);
        yes += has;
        different += has != has_by_walk(inventory->ownerships, owner, item);
    }
    printf("%d of %d pairs, answers that differ: %d, rebuilds: %d\n", yes, CHARACTERS * ITEMS,
           different, inventory->rebuilds);
}

int main(void) {
    ox_world *world = ox_world_create(NULL);
    Inventory inventory = {world, ox_query_create(world, OX_READ(Ownership)),
                           ox_multimap_create(Items, 16, OX_PERSISTENT), 0, 0};
    ox_entity characters[CHARACTERS], items[ITEMS];
    ox_entities_create(world, ox_archetype_of(world, Character), characters, CHARACTERS);
    ox_entities_create(world, ox_archetype_of(world, Weight), items, ITEMS);
    ox_entity pair = {0};
    for (int k = 0; k < CHARACTERS; k++) {
        pair = ox_entity_create(world, OX_VALUE(Ownership, {characters[k], items[k % 2]}));
    }
    ask_all(&inventory, characters, items);

    // Nothing of this touches a pair: the multimap stays.
    ox_edit(world, items[0], Weight)->kilos = 2;
    ox_entity_create_in(world, ox_archetype_of(world, Weight));
    ask_all(&inventory, characters, items);

    // The last character gives its item away and finds another.
    ox_entity_destroy(world, pair);
    ox_entity_create(world, OX_VALUE(Ownership, {characters[0], items[1]}));
    ox_entity_create(world, OX_VALUE(Ownership, {characters[3], items[2]}));
    ask_all(&inventory, characters, items);

    ox_dispose(&inventory.items);
    ox_world_destroy(world);
}

// Output:
// 4 of 12 pairs, answers that differ: 0, rebuilds: 1
// 4 of 12 pairs, answers that differ: 0, rebuilds: 1
// 5 of 12 pairs, answers that differ: 0, rebuilds: 2
