// SPDX-License-Identifier: MIT
//
// Lending a world.
//
// Invariant: a world that is lent belongs to no thread, so every call looks closer, and finds the
// one who is inside. The loan itself is changed on the world's thread alone, with nobody inside;
// `user` and what it says of itself are the only words that others write. Worlds that are lent
// stand in a list of the process: a handle is looked for there, by its number, before its world is
// looked at. None of them can be destroyed.

#include "oxbow/world.h"

#include "base/temp.h"
#include "base/text.h"
#include "entities/scope.h"
#include "entities/sync.h"
#include "safety/access.h"

static struct {
    oxi_mutex lock;
    ox_world *first;
    uint64_t last_number;
} lent_worlds = {.lock = OXI_MUTEX_INIT};

static void list_lent(ox_world *world) {
    oxi_mutex_lock(&lent_worlds.lock);
    world->loan.number = ++lent_worlds.last_number;
    world->loan.next = lent_worlds.first;
    lent_worlds.first = world;
    oxi_mutex_unlock(&lent_worlds.lock);
}

static void unlist_lent(ox_world *world) {
    oxi_mutex_lock(&lent_worlds.lock);
    ox_world **link = &lent_worlds.first;
    while (*link != world) {
        OXI_ASSERT(*link != NULL);
        link = &(*link)->loan.next;
    }
    *link = world->loan.next;
    oxi_mutex_unlock(&lent_worlds.lock);
}

// The world of a transaction that is under way, or NULL.
static ox_world *find_lent(uint64_t number) {
    oxi_mutex_lock(&lent_worlds.lock);
    ox_world *world = lent_worlds.first;
    while (world != NULL && world->loan.number != number) {
        world = world->loan.next;
    }
    oxi_mutex_unlock(&lent_worlds.lock);
    return world;
}

// Who is inside, as a report calls them.
typedef struct user_text {
    char text[96];
} user_text;

static user_text describe_user(ox_world *world) {
    user_text user = {"nobody"};
    if (oxi_load_acquire(&world->loan.user) == 0) {
        return user;
    }
    const char *job = oxi_load_relaxed(&world->loan.job);
    const char *place = oxi_load_relaxed(&world->loan.place);
    oxi_text_print(user.text, sizeof user.text, "%s%s%s (%s)", job != NULL ? "job '" : "a thread",
                   job != NULL ? job : "", job != NULL ? "'" : "",
                   place != NULL ? place : "somewhere");
    return user;
}

static bool report_user(ox_world *world, ox_report_id id, const char *function, ox_site site) {
    user_text who = describe_user(world);
    return OXI_REPORT(&world->sink, id, site, OXI_NAME("function", function),
                      OXI_NAME("world", world->name), OXI_SITE("begun", world->loan.begun),
                      OXI_NAME("who", who.text));
}

// True for a transaction that is under way; else reports.
static bool require_under_way(const ox_transaction *transaction, const char *function,
                              ox_site site) {
    const ox_world *world = transaction->world;
    return OXI_REQUIRE(world != NULL && find_lent(transaction->number) == world, NULL,
                       OX_REPORT_TRANSACTION_OVER, site, OXI_NAME("function", function));
}

// Beginning.

static bool require_no_update(const ox_world *world, ox_site site) {
    const char *system = world->updating != NULL ? world->updating->base.name : "no system";
    return OXI_REQUIRE(!world->is_updating, &world->sink, OX_REPORT_WORLD_UPDATING, site,
                       OXI_NAME("function", "ox_transaction_begin"), OXI_NAME("world", world->name),
                       OXI_NAME("system", system));
}

static bool make_loan_access(ox_world *world, ox_site site) {
    ox_access_def def = {.kind = "transaction", .name = world->name, .is_whole = true};
    world->loan.access = (ox_access){0};
    return ox_get_safety_level() == 0 || ox_access_create_at(&world->loan.access, &def, site);
}

// What was looked at on one side is not for the other: views, buffers and loops end as by a
// structural change.
static void end_views(ox_world *world, ox_site site) {
    oxi_world_note_change(world, site);
    oxi_store_end_walks(&world->store);
}

ox_transaction ox_transaction_begin_at(ox_world *world, ox_site site) {
    if (!oxi_world_require(world, "ox_transaction_begin", site) ||
        !require_no_update(world, site) || !oxi_sync_all(world, site) ||
        !make_loan_access(world, site)) {
        return (ox_transaction){0};
    }
    oxi_store_close(&world->store);
    end_views(world, site);
    oxi_loan *loan = &world->loan;
    OXI_ASSERT(!loan->is_lent);
    OXI_ASSERT(world->owner != 0);
    loan->begun = site;
    loan->owner = world->owner;
    loan->is_lent = true;
    world->owner = 0;
    list_lent(world);
    return (ox_transaction){world, loan->number, loan->access};
}

// Inside.

// A world that the job that runs here, or this thread outside of jobs, has entered, or NULL.
static ox_world *find_entered(void) {
    oxi_mutex_lock(&lent_worlds.lock);
    ox_world *world = lent_worlds.first;
    while (world != NULL && !oxi_loan_is_entered(&world->loan)) {
        world = world->loan.next;
    }
    oxi_mutex_unlock(&lent_worlds.lock);
    return world;
}

static void leave_world(ox_world *world, ox_site site) {
    OXI_ASSERT(world->loan.is_lent);
    end_views(world, site);
    // Release: pairs with the acquire of who enters next, or takes the world back.
    oxi_store_release(&world->loan.user, 0);
}

// At the end of a job or a thread: what it has not left would be nobody's for good.
static void leave_forgotten(void) {
    for (ox_world *world; (world = find_entered()) != NULL;) {
        ox_site entered = oxi_load_relaxed(&world->loan.place);
        report_user(world, OX_REPORT_TRANSACTION_NOT_LEFT, "ox_transaction_enter", entered);
        if (oxi_loan_is_entered(&world->loan)) { // a report handler may have left
            leave_world(world, entered);
        }
    }
}

// Lets nobody end inside of a world unseen.
static void watch_end_of_user(void) {
    if (oxi_this_run.order != 0) {
        oxi_temp_at_job_end(leave_forgotten);
    } else {
        oxi_thread_index(); // threads that have one are seen when they end
        oxi_thread_at_exit(leave_forgotten);
    }
}

ox_world *ox_transaction_enter_at(ox_transaction transaction, ox_site site) {
    static const char function[] = "ox_transaction_enter";
    ox_world *world = transaction.world;
    if (!require_under_way(&transaction, function, site) ||
        !ox_access_may_write_at(transaction.access, site)) {
        return NULL;
    }
    uint64_t nobody = 0;
    // Acquire: pairs with the release of who left before.
    if (!oxi_swap_acq_rel(&world->loan.user, &nobody, oxi_thread_serial())) {
        report_user(world, OX_REPORT_TRANSACTION_ENTERED, function, site);
        return NULL;
    }
    const char *job = oxi_this_run.order != 0 ? oxi_this_run.name : NULL;
    oxi_store_relaxed(&world->loan.order, oxi_this_run.order);
    oxi_store_relaxed(&world->loan.job, (void *)(uintptr_t)job);
    oxi_store_relaxed(&world->loan.place, (void *)(uintptr_t)site);
    watch_end_of_user();
    return world;
}

bool ox_transaction_leave_at(ox_transaction transaction, ox_site site) {
    static const char function[] = "ox_transaction_leave";
    ox_world *world = transaction.world;
    if (!require_under_way(&transaction, function, site) ||
        !ox_access_may_write_at(transaction.access, site)) {
        return false;
    }
    if (!oxi_loan_is_entered(&world->loan)) {
        return report_user(world, OX_REPORT_TRANSACTION_NOT_ENTERED, function, site);
    }
    leave_world(world, site);
    return true;
}

// Ending.

// True on the thread that gets the world back, outside of jobs; else reports.
static bool require_lender(const ox_world *world, const char *function, ox_site site) {
    if (oxi_this_run.order != 0) {
        return OXI_REPORT(&world->sink, OX_REPORT_WORLD_IN_JOB, site,
                          OXI_NAME("function", function), OXI_NAME("world", world->name),
                          OXI_NAME("job", oxi_this_run.name));
    }
    return OXI_REQUIRE(world->loan.owner == oxi_thread_serial(), &world->sink,
                       OX_REPORT_WORLD_THREAD, site, OXI_NAME("function", function),
                       OXI_NAME("world", world->name));
}

bool ox_transaction_end_at(ox_transaction *transaction, ox_job job, ox_site site) {
    static const char function[] = "ox_transaction_end";
    if (!OXI_REQUIRE_ARGUMENT(transaction, function, site) ||
        !require_under_way(transaction, function, site) ||
        !require_lender(transaction->world, function, site)) {
        return false;
    }
    ox_world *world = transaction->world;
    oxi_loan *loan = &world->loan;
    if (job.value != 0) {
        ox_complete_at(&job, 1, site);
    }
    // Acquire: pairs with the release of who left last.
    if (oxi_load_acquire(&loan->user) != 0) {
        return report_user(world, OX_REPORT_TRANSACTION_ENTERED, function, site);
    }
    if (!ox_access_may_dispose_at(loan->access, OX_NO_JOB, site)) {
        return false;
    }
    OXI_ASSERT(loan->is_lent);
    OXI_ASSERT(world->owner == 0); // nobody's while it is lent
    ox_access_destroy_at(loan->access, site);
    unlist_lent(world);
    world->owner = loan->owner;
    loan->is_lent = false;
    *transaction = (ox_transaction){0};
    end_views(world, site);
    oxi_world_check(world);
    return true;
}
