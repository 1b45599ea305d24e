// SPDX-License-Identifier: MIT
//
// Stalls: the syncs of a frame by how long main waited, each with one line of advice.

#include "entities/entity_job.h"
#include "systems/explain_record.h"

#include <string.h>

enum { LONGEST_ADVICE = 512 };

static const char no_advice[] = "out of memory: there is no advice";

// A sync, and those that it is about.
typedef struct stall_case {
    const oxi_recorder *recorder;
    const ox_frame_sync *sync;
    const ox_frame_system *system; // who waited, or NULL
    const ox_frame_job *job;       // for what, or NULL: none of the frame
    const ox_frame_system *owner;  // who scheduled that, or NULL
    const char *who;
    const char *job_name;
    const char *job_verb; // what the job does with the component
} stall_case;

// What a job over entities does with a component, by its terms: "reads" or "writes". NULL when
// these do not have it: it has a lookup, or its system declares more than its jobs do.
static const char *find_verb(const oxi_recorder *recorder, int job, uint32_t component) {
    const ox_job_type *type = recorder->notes.items[job].type;
    if (!type->oxi_has_tail) {
        return NULL; // not over entities
    }
    const char *verb = NULL;
    const ox_term *term = ((const ox_entity_job_type *)(const void *)type)->terms;
    for (; term->kind != OX_TERM_END; term++) {
        uint32_t id =
            term->component != NULL ? ox_component_id_of_at(term->component, NULL) : term->id;
        if (id == component && oxi_term_has_values(term->kind)) {
            verb = oxi_term_writes(term->kind) ? "writes" : "reads";
        }
    }
    return verb;
}

// A wait for all jobs is the fault of the one that took longest.
static bool is_longer_job(const stall_case *stall, int job, int than) {
    const ox_frame_job *jobs = stall->recorder->jobs.items;
    return stall->sync->sync.kind == OX_SYNC_STRUCTURAL && jobs[job].work_ns > jobs[than].work_ns;
}

// Of the jobs that a sync waited for, the one that stands in the way by what it does itself.
static void find_stalling_job(stall_case *stall) {
    const oxi_recorder *recorder = stall->recorder;
    const ox_frame_sync *sync = stall->sync;
    int found = -1;
    for (int k = 0; k < sync->job_count; k++) {
        const char *verb = find_verb(recorder, sync->jobs[k], sync->sync.component);
        bool is_in_way = verb != NULL && (verb[0] == 'w' || sync->sync.kind != OX_SYNC_READ);
        if (found < 0 || (stall->job_verb == NULL && is_in_way) ||
            is_longer_job(stall, sync->jobs[k], found)) {
            found = sync->jobs[k];
            stall->job_verb = is_in_way ? verb : NULL;
        }
    }
    if (found < 0) {
        const char *name = sync->sync.jobs[0];
        stall->job_name = name != NULL ? name : "a job of an earlier frame";
        return;
    }
    stall->job = &recorder->jobs.items[found];
    stall->job_name = stall->job->name;
    if (stall->job->system >= 0) {
        stall->owner = &recorder->systems.items[stall->job->system];
    }
}

static stall_case describe_stall(const oxi_recorder *recorder, const ox_frame_sync *sync) {
    stall_case described = {.recorder = recorder, .sync = sync, .who = "main"};
    if (sync->system >= 0) {
        described.system = &recorder->systems.items[sync->system];
        described.who = described.system->name;
    } else if (sync->sync.system != NULL) {
        described.who = sync->sync.system;
    }
    find_stalling_job(&described);
    return described;
}

// Advice.

static bool is_learned_sync(const stall_case *stall) {
    const ox_frame_system *system = stall->system;
    const ox_sync *sync = &stall->sync->sync;
    return system != NULL && system->learned_at != NULL && sync->site != NULL &&
           sync->component != 0 && strcmp(system->learned_at, sync->site) == 0 &&
           strcmp(system->learned, ox_component_get_info(sync->component)->name) == 0;
}

static bool is_part_of(const oxi_system *system, uint32_t item) {
    while (system != NULL && system->index != item) {
        system = system->group;
    }
    return system != NULL;
}

// What keeps a system behind another, or NULL. Systems that came or went since the frame have other
// numbers than it has: then nothing is known.
static const oxi_order_constraint *find_constraint(const oxi_recorder *recorder, int system,
                                                   int other) {
    const oxi_systems *all = recorder->all;
    for (size_t k = 0; !all->is_dirty && k < all->constraints.count; k++) {
        const oxi_order_constraint *found = &all->constraints.items[k];
        // The group of all stands before the systems that a frame has.
        if (is_part_of(all->plan.items[other + 1].system, found->before) &&
            is_part_of(all->plan.items[system + 1].system, found->after)) {
            return found;
        }
    }
    return NULL;
}

static void advise_to_move(oxi_text *line, const stall_case *stall) {
    const oxi_recorder *recorder = stall->recorder;
    const char *owner = stall->owner->name;
    const oxi_order_constraint *found =
        find_constraint(recorder, stall->sync->system, stall->job->system);
    if (found == NULL) {
        oxi_text_append_format(line, "move %s before %s, or make it a job", stall->who, owner);
        return;
    }
    ox_site site = recorder->all->items.items[found->said_by]->def.site;
    oxi_text_append_format(line, "make %s a job, since it comes after %s", stall->who, owner);
    if (site != NULL) {
        oxi_text_append_format(line, ", as %s says", site);
    }
}

static void advise_on_order(oxi_text *line, const stall_case *stall) {
    if (stall->job == NULL) {
        oxi_text_append_format(line, "move %s to the end of the frame, or make it a job",
                               stall->who);
    } else if (stall->owner != NULL && stall->owner == stall->system) {
        oxi_text_append_format(line, "do it in a job after %s, or in a later system",
                               stall->job_name);
    } else if (stall->owner == NULL || stall->system == NULL) {
        oxi_text_append_format(line, "do it before %s is scheduled, or in a job", stall->job_name);
    } else {
        advise_to_move(line, stall);
    }
}

static void advise_on_access(oxi_text *line, const stall_case *stall) {
    const ox_sync *sync = &stall->sync->sync;
    const char *component = ox_component_get_info(sync->component)->name;
    bool writes = sync->kind == OX_SYNC_WRITE;
    const char *job_verb = stall->job_verb;
    if (job_verb == NULL) {
        job_verb = writes || stall->job != NULL ? "uses" : "writes";
    }
    oxi_text_append(line, stall->who);
    if (sync->site != NULL) {
        oxi_text_append_format(line, sync->is_planned ? ", declared at %s," : " at %s", sync->site);
    }
    oxi_text_append_format(line, " %s %s while %s %s it: ", writes ? "writes" : "reads", component,
                           stall->job_name, job_verb);
    advise_on_order(line, stall);
}

static void advise_on_change(oxi_text *line, const stall_case *stall) {
    oxi_text_append(line, stall->who);
    if (stall->sync->sync.site != NULL) {
        oxi_text_append_format(line, " at %s", stall->sync->sync.site);
    }
    oxi_text_append_format(line,
                           " changes the structure while %s runs: record commands, or do it "
                           "before the first job system",
                           stall->job_name);
}

// A barrier, or a system after its update, is about to carry out commands.
static void advise_on_playback(oxi_text *line, const stall_case *stall) {
    const ox_sync *sync = &stall->sync->sync;
    // What a barrier waits for is planned; a system after its update waits for jobs of its own.
    bool is_post = sync->kind == OX_SYNC_STRUCTURAL
                       ? !sync->is_planned
                       : stall->owner != NULL && stall->owner == stall->system;
    oxi_text_append(line, stall->who);
    if (sync->site != NULL) {
        oxi_text_append_format(line, " at %s", sync->site);
    }
    if (sync->kind == OX_SYNC_STRUCTURAL) {
        oxi_text_append_format(line, " plays back commands while %s runs: ", stall->job_name);
    } else {
        oxi_text_append_format(line, " waits for %s, which may record commands: ", stall->job_name);
    }
    oxi_text_append(line, is_post ? "ask a barrier for them with ox_barrier_commands"
                                  : "ask a later barrier, or schedule the job earlier");
}

static void advise_on_own(oxi_text *line, const stall_case *stall) {
    const char *unit = stall->job != NULL ? "step" : "frame";
    oxi_text_append_format(
        line, "%s waits for its own job of the %s before: its jobs take longer than a %s",
        stall->who, unit, unit);
}

static void advise(oxi_text *line, const stall_case *stall) {
    if (is_learned_sync(stall)) {
        oxi_text_append_format(line,
                               "%s used %s at %s and had not declared it: add .jobs, or make the "
                               "query in create",
                               stall->who, stall->system->learned, stall->system->learned_at);
        return;
    }
    if (stall->sync->is_playback) {
        advise_on_playback(line, stall);
        return;
    }
    switch (stall->sync->sync.kind) {
    case OX_SYNC_READ:
    case OX_SYNC_WRITE:
        advise_on_access(line, stall);
        return;
    case OX_SYNC_STRUCTURAL:
        advise_on_change(line, stall);
        return;
    case OX_SYNC_OWN:
        advise_on_own(line, stall);
        return;
    }
}

// Adds the lines, then points to them: they move while they are added.
static void write_advice(oxi_recorder *recorder) {
    for (size_t k = 0; k < recorder->syncs.count; k++) {
        ox_frame_sync *sync = &recorder->syncs.items[k];
        char buffer[LONGEST_ADVICE];
        oxi_text line = oxi_text_over(buffer, sizeof buffer);
        stall_case stall = describe_stall(recorder, sync);
        advise(&line, &stall);
        bool is_kept = oxi_list_append_in(oxi_recorder_heap(recorder), &recorder->advice, buffer,
                                          line.length + 1);
        sync->advice = is_kept ? NULL : no_advice;
    }
    const char *next = recorder->advice.items;
    for (size_t k = 0; k < recorder->syncs.count; k++) {
        ox_frame_sync *sync = &recorder->syncs.items[k];
        if (sync->advice == NULL) {
            sync->advice = next;
            next += strlen(next) + 1;
        }
    }
}

// The longest first; of equal ones, the earlier.
static void rank_syncs(oxi_recorder *recorder) {
    int *ranked = recorder->ranked.items;
    for (size_t k = 1; k < recorder->ranked.count; k++) {
        int moved = ranked[k];
        size_t at = k;
        while (at > 0 && recorder->syncs.items[ranked[at - 1]].sync.wait_ns <
                             recorder->syncs.items[moved].sync.wait_ns) {
            ranked[at] = ranked[at - 1];
            at--;
        }
        ranked[at] = moved;
    }
}

void oxi_recorder_rank_stalls(oxi_recorder *recorder) {
    rank_syncs(recorder);
    write_advice(recorder);
}
