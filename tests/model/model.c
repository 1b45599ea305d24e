// SPDX-License-Identifier: MIT
//
// The search: threads that take turns, and a path of choices that is walked depth first.
//
// An execution follows the path of the one before up to the last choice that has another
// possibility, takes that, and always the first one from there on. The first possibility is to go
// on with the same thread, or to read the newest store, so all bounds count departures from that.
//
// Others may go first only before operations on words that two threads use and one of them changes.
// Which those are is found out on the way: when a word turns out to be shared, the search starts
// again.

#include "model/model_inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_CHOICES = 16384, MOST_STEPS = 4000 };

typedef struct model_choice {
    uint8_t taken;
    uint8_t count;
    uint16_t moment; ///< when it was made, on a clock that ticks at choices of one possibility too
} model_choice;

static struct {
    const model_scenario *scenario;
    model_choice path[MOST_CHOICES];
    int length; ///< choices on the path
    int at;     ///< choices made in this execution
    int moment;
    const char *replayed; ///< the rest of a schedule that is replayed, or NULL
    int preemptions_most, stale_most;
    int preemptions, stale, steps;
    int thread_count;
    const void *blocked[MODEL_THREADS]; ///< the word that a thread sleeps on
    bool is_done[MODEL_THREADS];
    bool restarts, failed;
    char text[256];
} search;

int model_current = -1;
bool model_is_tracing;
int model_edit_in_use = -1;

int model_thread(void) {
    return model_current;
}

_Noreturn void model_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(search.text, sizeof search.text, format, arguments);
    va_end(arguments);
    search.failed = true;
    model_fiber_leave();
}

void model_restart(void) {
    if (search.replayed == NULL) {
        search.restarts = true;
        model_fiber_leave();
    }
}

void model_trace(const char *format, ...) {
    if (model_is_tracing) {
        va_list arguments;
        va_start(arguments, format);
        fprintf(stderr, "%4d  thread %d  ", search.moment, model_current);
        vfprintf(stderr, format, arguments);
        fprintf(stderr, "\n");
        va_end(arguments);
    }
}

// The choice that a schedule has for this moment: it names moments and what was chosen there.
static int replay_choice(void) {
    int moment = 0, choice = 0, length = 0;
    if (sscanf(search.replayed, "%d:%d%n", &moment, &choice, &length) != 2 ||
        moment != search.moment) {
        return 0;
    }
    search.replayed += length;
    search.replayed += *search.replayed == ',';
    return choice;
}

int model_choose(int count) {
    search.moment++;
    if (search.replayed != NULL) {
        return replay_choice();
    }
    if (count <= 1) {
        return 0;
    }
    if (search.at == MOST_CHOICES) {
        model_fail("the checker has no room for more choices");
    }
    model_choice *choice = &search.path[search.at];
    if (search.at == search.length) {
        *choice = (model_choice){0, (uint8_t)count, (uint16_t)search.moment};
        search.length++;
    } else if (choice->count != count || choice->moment != search.moment) {
        model_fail("the execution is not the same when it is repeated");
    }
    search.at++;
    return choice->taken;
}

// Moves the path to the next one. Returns false when there is none.
static bool advance_path(void) {
    while (search.length > 0) {
        model_choice *last = &search.path[search.length - 1];
        if (++last->taken < last->count) {
            return true;
        }
        search.length--;
    }
    return false;
}

bool model_may_read_stale(void) {
    return search.stale < search.stale_most;
}

void model_count_stale(void) {
    search.stale++;
}

// The threads that could run, without `except`, one after another.
static int list_runnable(int except, int *threads) {
    int count = 0;
    for (int k = 0; k < search.thread_count; k++) {
        if (k != except && !search.is_done[k] && search.blocked[k] == NULL) {
            threads[count++] = k;
        }
    }
    return count;
}

void model_step(bool is_shared) {
    if (++search.steps > MOST_STEPS) {
        model_fail("no end after %d steps", MOST_STEPS);
    }
    int threads[MODEL_THREADS], count = 0;
    if ((is_shared || search.replayed != NULL) && search.preemptions < search.preemptions_most) {
        count = list_runnable(model_current, threads);
    }
    int choice = model_choose(count + 1);
    if (choice > 0) {
        int before = model_current;
        search.preemptions++;
        model_current = threads[choice - 1];
        model_fiber_switch(before, model_current);
    }
}

// Goes on with another thread, when this one cannot. Returns false when none can.
static bool pass_on(void) {
    int threads[MODEL_THREADS], count = list_runnable(model_current, threads);
    if (count == 0) {
        return false;
    }
    model_current = threads[model_choose(count)];
    return true;
}

void model_block(const void *reason) {
    int before = model_current;
    search.blocked[before] = reason;
    if (!pass_on()) {
        model_fiber_leave();
    }
    model_fiber_switch(before, model_current);
}

static int list_sleepers(const void *reason, int *threads) {
    int count = 0;
    for (int k = 0; k < search.thread_count; k++) {
        if (search.blocked[k] == reason) {
            threads[count++] = k;
        }
    }
    return count;
}

void model_unblock(const void *reason, uint32_t count) {
    int sleepers[MODEL_THREADS], sleeping = list_sleepers(reason, sleepers);
    for (; count > 0 && sleeping > 0; count--) {
        search.blocked[sleepers[model_choose(sleeping)]] = NULL;
        sleeping = list_sleepers(reason, sleepers);
    }
}

static void live_thread(void) {
    search.scenario->threads[model_current]();
    search.is_done[model_current] = true;
    if (!pass_on()) {
        model_fiber_leave();
    }
    model_fiber_resume(model_current);
}

static void start_threads(void) {
    search.scenario->setup();
    for (int k = 0; k < search.thread_count; k++) {
        model_fiber_begin(k, live_thread);
    }
    pass_on();
    model_fiber_resume(model_current);
}

static void check_end(void) {
    for (int k = 0; k < search.thread_count; k++) {
        bool may_sleep = (search.scenario->may_sleep >> k & 1) != 0;
        if (!search.is_done[k] && !may_sleep) {
            model_fail("thread %d sleeps for ever", k);
        }
    }
    if (search.scenario->check != NULL) {
        search.scenario->check();
    }
}

static void run_execution(void) {
    search.at = search.moment = search.preemptions = search.stale = search.steps = 0;
    search.restarts = search.failed = false;
    memset(search.blocked, 0, sizeof search.blocked);
    memset(search.is_done, 0, sizeof search.is_done);
    model_memory_begin();
    model_current = -1;
    model_fiber_home(start_threads);
    model_current = -1;
    if (!search.failed && !search.restarts) {
        model_fiber_home(check_end);
    }
}

static double now_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int limit_or(int limit, int otherwise) {
    return limit == 0 ? otherwise : limit < 0 ? 0 : limit;
}

static void begin_search(const model_scenario *scenario, model_limits limits) {
    search.scenario = scenario;
    search.preemptions_most = limit_or(limits.preemptions, scenario->preemptions);
    search.stale_most = limit_or(limits.stale_reads, MODEL_STALE);
    search.length = 0;
    for (search.thread_count = 0;
         search.thread_count < MODEL_THREADS && scenario->threads[search.thread_count] != NULL;) {
        search.thread_count++;
    }
    model_memory_forget();
}

static void write_schedule(char *text) {
    size_t length = 0;
    for (int k = 0; k < search.at && length + 16 < MODEL_TEXT; k++) {
        if (search.path[k].taken != 0) {
            length += (size_t)snprintf(text + length, MODEL_TEXT - length, "%s%d:%d",
                                       length > 0 ? "," : "", search.path[k].moment,
                                       search.path[k].taken);
        }
    }
}

model_result model_search(const model_scenario *scenario, model_limits limits) {
    double begin = now_seconds();
    model_result result = {0};
    begin_search(scenario, limits);
    do {
        run_execution();
        result.executions++;
        result.steps += (uint64_t)search.steps;
        while (search.restarts) {
            search.length = 0;
            result.executions = 1;
            run_execution();
        }
        if (search.failed || result.executions == limits.executions) {
            break;
        }
    } while (advance_path());
    result.is_complete = search.length == 0;
    result.failed = search.failed;
    memcpy(result.text, search.text, sizeof result.text);
    if (search.failed) {
        write_schedule(result.schedule);
    }
    result.seconds = now_seconds() - begin;
    return result;
}

bool model_replay(const model_scenario *scenario, const char *schedule) {
    begin_search(scenario, (model_limits){0});
    search.replayed = schedule;
    model_is_tracing = true;
    run_execution();
    model_is_tracing = false;
    search.replayed = NULL;
    fprintf(stderr, "%s: %s\n", scenario->name, search.failed ? search.text : "nothing failed");
    return search.failed;
}
