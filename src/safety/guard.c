// SPDX-License-Identifier: MIT
//
// The guard at the gate of the job system: looks at the containers of each job that is scheduled.
//
// A job that is refused has changed nothing but marks in nodes that only this unit reads. What it
// was allowed with is kept until the job system says that it was scheduled; nothing can fail then,
// because room was made before. Main only.

#include "oxbow/safety.h"

#include "base/check.h"
#include "base/list.h"
#include "base/text.h"
#include "jobs/gate.h"
#include "safety/access.h"
#include "safety/fences.h"
#include "safety/guard.h"
#include "safety/job_scan.h"

#include <string.h>

#if OX_SAFETY >= 1

// The uses of the job that was allowed last; `fence` of each is not set.
static OXI_LIST(oxi_use) guard_uses;
static uint32_t guard_schedule;               // number of the schedule, for marks in nodes
static _Thread_local const void *guard_party; // on whose behalf jobs are scheduled

// An access of the job that is looked at.
typedef struct guarded {
    const oxi_job_request *request;
    const oxi_job_scan *scan;
    uint32_t index;
    ox_access access;
    oxi_node *node;
    bool writes;
} guarded;

static const ox_job_field *field_of(const guarded *look) {
    return &look->scan->accesses[look->index];
}

static bool has_mark(const guarded *look, ox_field_mark mark) {
    return (field_of(look)->marks & (uint32_t)mark) != 0;
}

static bool refuse_field(const guarded *look, ox_report_id id) {
    oxi_node *node = look->node;
    return OXI_REPORT(NULL, id, look->request->site, OXI_NAME("field", field_of(look)->name),
                      OXI_NAME("job", look->request->type->type.name),
                      OXI_NAME("kind", node != NULL ? node->kind : "container"),
                      OXI_NAME("container", node != NULL ? oxi_node_name(node) : ""),
                      OXI_SITE("created", node != NULL ? node->created : NULL));
}

// What a report calls a field.
static const char *name_field(const guarded *look, char *text, size_t size) {
    oxi_text_print(text, size, "field '%s' of job '%s'", field_of(look)->name,
                   look->request->type->type.name);
    return text;
}

// The node of the field's handle, or NULL after a report. The text is made for a report only: it
// costs more than all the rest.
static oxi_node *resolve_field(const guarded *look) {
    char text[160];
    oxi_node *node = oxi_access_find(look->access);
    return node != NULL ? node
                        : oxi_access_resolve(look->access, name_field(look, text, sizeof text),
                                             look->request->site);
}

// The handle must be one that a job can hold.
static bool require_handle(guarded *look) {
    ox_site site = look->request->site;
    if (look->access.token == 0) {
        char text[160];
        return OXI_REPORT(NULL, OX_REPORT_UNASSIGNED, site,
                          OXI_NAME("what", name_field(look, text, sizeof text)));
    }
    if (oxi_access_is_temp(look->access)) {
        return refuse_field(look, OX_REPORT_TEMP_IN_JOB);
    }
    look->node = resolve_field(look);
    if (look->node == NULL) {
        return false;
    }
    bool is_copy = look->access.owner != 0 && look->access.owner != look->node->owner;
    return OXI_REQUIRE(
        !is_copy, NULL, OX_REPORT_COPY_ESCAPED, site, OXI_NAME("kind", look->node->kind),
        OXI_NAME("container", oxi_node_name(look->node)), OXI_SITE("created", look->node->created),
        OXI_NAME("job", look->request->type->type.name));
}

// A container once, or several times and only read. `advice` is against more.
static bool require_no_alias(const guarded *look, const char *advice) {
    oxi_node *node = look->node;
    if (node->seen != guard_schedule) {
        node->seen = guard_schedule;
        node->seen_writes = look->writes;
        node->seen_as = field_of(look)->name;
        return true;
    }
    return OXI_REQUIRE(
        !look->writes && !node->seen_writes, NULL, OX_REPORT_ALIASED, look->request->site,
        OXI_NAME("first", node->seen_as), OXI_NAME("second", field_of(look)->name),
        OXI_NAME("job", look->request->type->type.name), OXI_NAME("kind", node->kind),
        OXI_SITE("created", node->created), OXI_WHOLE("advice", advice));
}

// What else helps against a race, beside the order of the jobs. One system has no way to the
// handles of another, but for those that the other keeps.
static const char *advise_on_race(const oxi_node *node, const void *other_party, char *text,
                                  size_t size) {
    if (strcmp(node->kind, "command buffer") == 0) {
        return guard_party == NULL ? "; or give each job a buffer of its own"
                                   : "; or give each job a buffer: in a system with jobs, each "
                                     "call of ox_system_commands makes one";
    }
    bool is_stored = strcmp(node->kind, "component") == 0 || strcmp(node->kind, "world") == 0;
    bool is_between = guard_party != NULL && other_party != NULL && guard_party != other_party;
    if (!is_between || is_stored) {
        return "";
    }
    oxi_text_print(text, size,
                   "; they are of two systems: let both declare a component that stands for the "
                   "%s, or keep the handle in the state of the first",
                   node->kind);
    return text;
}

static bool require_no_race(const guarded *look) {
    const oxi_node *node = look->node;
    const oxi_use *use = oxi_fence_find_conflict(node, look->writes, look->request->after);
    if (use == NULL) {
        return true;
    }
    oxi_fence_info other = oxi_fence_get_info(use->fence);
    const char *name = node->name[0] != 0 ? node->name : field_of(look)->name;
    char advice[256];
    return OXI_REPORT(NULL, OX_REPORT_TWO_JOBS_RACE, look->request->site,
                      OXI_NAME("job", look->request->type->type.name),
                      OXI_NAME("verb", look->writes ? "writes" : "reads"),
                      OXI_NAME("kind", node->kind), OXI_NAME("container", name),
                      OXI_NAME("field", field_of(look)->name), OXI_SITE("created", node->created),
                      OXI_NAME("other", other.name), OXI_SITE("other_site", other.site),
                      OXI_NAME("other_verb", use->writes ? "writes" : "reads"),
                      OXI_WHOLE("more", advise_on_race(node, other.party, advice, sizeof advice)));
}

static bool note_use(const guarded *look) {
    oxi_use use = {
        .node = look->access.token,
        .writes = look->writes,
        .is_view = (look->access.flags & OX_ACCESS_VIEW) != 0,
    };
    return OXI_REQUIRE(oxi_list_push(&guard_uses, use), NULL, OX_REPORT_OUT_OF_MEMORY,
                       look->request->site, OXI_NUMBER("bytes", sizeof use),
                       OXI_NAME("allocator", "the safety system"));
}

// A field that the safety system does not watch, and must still not be dead.
static bool allow_unsafe(const guarded *look) {
    return look->access.token == 0 || oxi_access_is_temp(look->access) ||
           resolve_field(look) != NULL;
}

// The batches of a parallel job share what has indices: a view has, whatever it is a view of. The
// indices of a job over entities are chunks, and divide nothing.
static bool can_be_divided(const guarded *look) {
    bool has_indices =
        !look->node->is_whole || (look->access.flags & (OX_ACCESS_VIEW | OX_ACCESS_ROWS)) != 0;
    return !look->request->is_parallel || (has_indices && !look->request->has_no_indices) ||
           has_mark(look, OX_MARK_UNRESTRICTED);
}

// What a room above says that its job uses.
static bool allow_use(const oxi_job_request *request, const oxi_job_use *use) {
    ox_job_field field = {use->name, 0, 0};
    oxi_job_scan scan = {&field, 1};
    guarded look = {request,    &scan, 0, {.token = use->token}, oxi_node_find(use->token),
                    use->writes};
    static const char advice[] = "write another component, or name this one with OX_WITH and use "
                                 "one OX_UNRESTRICTED lookup to read and to edit it";
    return require_no_alias(&look, advice) && require_no_race(&look) && note_use(&look);
}

static bool allow_access(guarded *look) {
    memcpy(&look->access, (const char *)look->request->data + field_of(look)->offset,
           sizeof look->access);
    if (has_mark(look, OX_MARK_NO_SAFETY)) {
        return allow_unsafe(look);
    }
    if (!require_handle(look)) {
        return false;
    }
    look->writes = !has_mark(look, OX_MARK_READ_ONLY);
    bool is_writer = (look->access.flags & OX_ACCESS_WRITE_ONLY) != 0;
    if (look->writes && (look->access.flags & OX_ACCESS_READ_ONLY) != 0) {
        return refuse_field(look, OX_REPORT_UNMARKED_VIEW);
    }
    look->writes = look->writes || is_writer;
    if (look->writes && !is_writer && !can_be_divided(look)) {
        return refuse_field(look, OX_REPORT_NOT_DIVISIBLE);
    }
    static const char advice[] =
        "pass it once, or mark both fields OX_READ_ONLY if the job only reads it";
    return require_no_alias(look, advice) && require_no_race(look) && note_use(look);
}

// The container that a job takes its count from, which it reads before its body runs: so a field
// may write the same one.
static bool allow_counted(const oxi_job_request *request) {
    ox_job_field field = {"count", 0, OX_MARK_READ_ONLY};
    oxi_job_scan scan = {&field, 1};
    guarded look = {request, &scan, 0, {0}, NULL, false};
    if (request->counted == NULL || request->counted->token == 0) {
        return true;
    }
    look.access = *request->counted;
    if (!require_handle(&look)) {
        return false;
    }
    if (look.node->seen == guard_schedule) {
        return true; // a field has it, and was looked at
    }
    return require_no_alias(&look, "") && require_no_race(&look) && note_use(&look);
}

static bool guard_allow(const oxi_job_request *request, void *context) {
    (void)context;
    oxi_job_scan scan;
    oxi_list_clear(&guard_uses);
    guard_schedule += guard_schedule == UINT32_MAX ? 2 : 1;
    if (!oxi_job_scan_get(request->type, &scan, request->site)) {
        return false;
    }
    for (uint32_t k = 0; k < scan.count; k++) {
        guarded look = {request, &scan, k, {0}, NULL, false};
        if (!allow_access(&look)) {
            return false;
        }
    }
    for (uint32_t k = 0; k < request->use_count; k++) {
        if (!allow_use(request, &request->uses[k])) {
            return false;
        }
    }
    if (!allow_counted(request)) {
        return false;
    }
    return OXI_REQUIRE(oxi_fence_reserve(1, guard_uses.count), NULL, OX_REPORT_OUT_OF_MEMORY,
                       request->site, OXI_NUMBER("bytes", guard_uses.count * sizeof(oxi_use)),
                       OXI_NAME("allocator", "the safety system"));
}

// What the job's copy of a handle may do.
static uint32_t flags_in_job(const ox_job_field *field, ox_access access, bool is_parallel) {
    uint32_t free_marks = OX_MARK_READ_ONLY | OX_MARK_UNRESTRICTED;
    uint32_t flags = access.flags | OX_ACCESS_COPY;
    if ((field->marks & OX_MARK_READ_ONLY) != 0) {
        flags |= OX_ACCESS_READ_ONLY;
    }
    if (is_parallel && (field->marks & free_marks) == 0 && (flags & OX_ACCESS_WRITE_ONLY) == 0) {
        flags |= OX_ACCESS_BATCH;
    }
    return flags;
}

static void guard_copied(void *copy, const oxi_job_request *request, uint32_t order,
                         void *context) {
    (void)context;
    oxi_job_scan scan;
    if (!oxi_job_scan_get(request->type, &scan, request->site)) {
        return;
    }
    for (uint32_t k = 0; k < scan.count; k++) {
        const ox_job_field *field = &scan.accesses[k];
        ox_access access;
        memcpy(&access, (char *)copy + field->offset, sizeof access);
        if ((field->marks & OX_MARK_NO_SAFETY) != 0) {
            access = (ox_access){0};
        } else {
            access.owner = order;
            access.flags = flags_in_job(field, access, request->is_parallel);
            oxi_node *node = oxi_node_find(access.token);
            oxi_store_relaxed(&node->field, (void *)(uintptr_t)field->name);
        }
        memcpy((char *)copy + field->offset, &access, sizeof access);
    }
}

static bool guard_allow_combination(int count, void *context) {
    (void)context;
    oxi_list_clear(&guard_uses);
    return oxi_fence_reserve((size_t)count, 0);
}

static void guard_scheduled(ox_job job, const ox_job_type *type, const ox_job *after, int count,
                            ox_site site, void *context) {
    (void)context;
    oxi_fence_info info = {type != NULL ? type->type.name : "combination", site, guard_party};
    uint32_t fence = oxi_fence_add(job, info, after, count, guard_uses.count > 0);
    for (size_t k = 0; k < guard_uses.count; k++) {
        const oxi_use *use = &guard_uses.items[k];
        oxi_node *node = oxi_node_find(use->node);
        if (use->writes && !use->is_view) {
            oxi_add_relaxed(&node->view_version, 1); // it may resize: views end here
        }
        // One use for each container: a job may read one through several fields.
        if (node->seen == guard_schedule) {
            node->seen = 0;
            oxi_fence_use(fence, use->node, use);
        }
    }
    oxi_list_clear(&guard_uses);
}

static void guard_completed(const ox_job *jobs, int count, ox_site site, void *context) {
    (void)site;
    (void)context;
    for (int k = 0; k < count; k++) {
        oxi_fence_sync(jobs[k]);
    }
}

static void guard_stopped(void *context) {
    (void)context;
    oxi_fence_sync_all();
}

static bool guard_is_settled(ox_job job, void *context) {
    (void)context;
    return oxi_fence_is_synced(job);
}

const void *oxi_safety_set_party(const void *party) {
    const void *before = guard_party;
    guard_party = party;
    return before;
}

void oxi_safety_install(void) {
    static const oxi_job_gate gate = {
        guard_allow,     guard_copied,  guard_allow_combination, guard_scheduled,
        guard_completed, guard_stopped, guard_is_settled,        NULL,
    };
    oxi_jobs_set_gate(&gate);
}

ox_safety_usage ox_safety_get_usage(void) {
    return (ox_safety_usage){oxi_node_count(), oxi_fence_count()};
}

void oxi_safety_reset(void) {
    oxi_fences_reset();
    oxi_job_scans_reset();
    oxi_list_free(&guard_uses);
    oxi_nodes_reset();
}

#endif
