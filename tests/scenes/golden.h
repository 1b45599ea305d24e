// SPDX-License-Identifier: MIT
//
// Scene, entities, frames, seed, hash. The same for any number of workers, compiler and level of
// optimisation and of checks. After a scene was changed on purpose, write it anew:
//
//     build/checked/tests/scene_hashes --write tests/scenes/golden.h

// clang-format off
GOLDEN("boids", 1000, 200, 7, 0xc26f8ef1c8d8b68c)
GOLDEN("cubes", 1000, 200, 7, 0xc1dac69092e84b27)
GOLDEN("deathmatch", 600, 300, 7, 0x8bb87b4b3c7b56c2)
GOLDEN("stream", 8192, 150, 7, 0xc7bd44f99226bfd8)
GOLDEN("particles", 20000, 200, 7, 0x9470d946e74449f9)
