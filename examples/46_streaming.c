// SPDX-License-Identifier: MIT
//
// A world that grows while frames run: a background job builds each sector in a world of its own,
// and a frame takes over what is done. You see that frames go on meanwhile, and what came in; how
// long the longest frame was goes to stderr, beside that of a loop which builds sectors itself.

#include <oxbow.h>

#include <stdio.h>
#include <time.h>

OX_COMPONENT(Place, { float x, y; });
OX_COMPONENT(Tree, { int age; });
OX_SHARED(Sector, { int number; });

enum { SECTORS = 8 };

// A library of level 3 looks at the whole world after each change: there fewer will do.
static int count_trees(void) {
    return ox_get_safety_level() < 3 ? 50000 : 200;
}

OX_ENTITY_JOB(Grow, (OX_WRITE(Tree, tree)), { int by; }) {
    tree->age += job->by;
}

static void build(ox_world *world, int number) {
    for (int k = 0; k < count_trees(); k++) {
        ox_entity_create(world, OX_VALUE(Place, {(float)number, (float)k}),
                         OX_VALUE(Tree, {k % 10}), OX_VALUE(Sector, {number}));
    }
}

// A world that is lent may be used by one job, or thread, at a time: from enter to leave.
OX_JOB(BuildSector, {
    ox_transaction lent;
    int number;
}) {
    ox_world *world = ox_transaction_enter(job->lent);
    if (world != NULL) {
        build(world, job->number);
        ox_transaction_leave(job->lent);
    }
}

static double now_ms(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void run_frame(ox_world *game) {
    ox_complete(ox_schedule_entities(Grow, ox_world_get_root(game), OX_AUTO, {1}));
}

// Builds a sector in a frame. Returns how long the longest was.
static double build_in_frames(ox_world *game) {
    double longest = 0;
    for (int sector = 0; sector < SECTORS; sector++) {
        double begin = now_ms();
        build(game, sector);
        run_frame(game);
        double time = now_ms() - begin;
        longest = time > longest ? time : longest;
    }
    return longest;
}

// Takes over the sector that is being built, if it is done, and begins the next.
static bool take_sector(ox_world *game, ox_world *staging, ox_transaction *lent, ox_job *job,
                        int next) {
    if (!ox_job_is_complete(*job)) {
        return false;
    }
    ox_transaction_end(lent, *job);
    ox_world_move(game, staging, NULL);
    if (next < SECTORS) {
        *lent = ox_transaction_begin(staging);
        *job = ox_schedule_background(BuildSector, OX_NO_JOB, {*lent, next});
        ox_jobs_kick();
    }
    return true;
}

static double stream(ox_world *game, ox_world *staging) {
    double longest = 0;
    ox_world_reserve(game,
                     SECTORS * count_trees()); // no frame waits for new pages of the table of ids
    ox_transaction lent = ox_transaction_begin(staging);
    ox_job job = ox_schedule_background(BuildSector, OX_NO_JOB, {lent, 0});
    ox_jobs_kick();
    for (int done = 0; done < SECTORS;) {
        double begin = now_ms();
        done += take_sector(game, staging, &lent, &job, done + 1);
        run_frame(game);
        double time = now_ms() - begin;
        longest = time > longest ? time : longest;
    }
    return longest;
}

int main(void) {
    ox_jobs_start(&(ox_jobs_def){.reserved_cores = 1}); // for the background thread
    ox_world *game = ox_world_create(&(ox_world_def){.name = "game", .no_systems = true});
    ox_world *other = ox_world_create(&(ox_world_def){.name = "other", .no_systems = true});
    ox_world *staging = ox_world_create(&(ox_world_def){.name = "staging", .no_systems = true});

    double at_once = build_in_frames(other);
    double streamed = stream(game, staging);
    fprintf(stderr, "longest frame: %.2f ms built on main, %.2f ms streamed\n", at_once, streamed);

    int moved = (int)ox_world_get_usage(game).entity_count;
    printf("in the game: %d sectors, left in staging: %u trees\n", moved / count_trees(),
           ox_world_get_usage(staging).entity_count);
    ox_query *trees = ox_query_create(game, OX_READ(Tree), OX_READ(Sector));
    for (int sector = 0; sector < SECTORS; sector += 4) {
        ox_query_filter_shared(trees, Sector, {sector});
        bool is_whole = ox_query_count(trees) == count_trees();
        printf("sector %d: %s\n", sector, is_whole ? "every tree" : "not all trees");
    }

    ox_world_destroy(staging);
    ox_world_destroy(other);
    ox_world_destroy(game);
}

// Output:
// longest frame: ...
// in the game: 8 sectors, left in staging: 0 trees
// sector 0: every tree
// sector 4: every tree
