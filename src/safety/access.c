// SPDX-License-Identifier: MIT
//
// Questions about a container, on whatever thread they are asked.
//
// A handle belongs to one job, or to nobody: `owner` is the number of the job that runs when it may
// be used. So a handle that a job did not get through its struct is told from one it did, and a
// job's copy that left the job is told too. Outside of jobs, what outstanding jobs hold decides;
// inside, that was decided when the job was scheduled.

#include "safety/access.h"

#include "base/allocators.h"
#include "base/check.h"
#include "base/temp.h"
#include "base/text.h"
#include "jobs/run.h"
#include "jobs/state.h"
#include "safety/fences.h"

#if OX_SAFETY >= 1

static bool is_on_main(void) {
    return oxi_this_runner != NULL && oxi_this_runner->index == 0;
}

// Life.

bool ox_access_create_at(ox_access *access, const ox_access_def *def, ox_site site) {
    static const ox_access_def defaults;
    def = def != NULL ? def : &defaults;
    *access = (ox_access){0};
    if (!OXI_REQUIRE_DEF(def, ox_access_def, site) ||
        (def->allocator != 0 && !oxi_allocator_require(def->allocator, site))) {
        return false;
    }
    access->owner = oxi_this_run.order;
    if (def->allocator == OX_TEMP) {
        access->token = (uint32_t)OXI_TEMP_TOKEN;
        access->version = (uint32_t)ox_frame_get_number();
        access->flags = OX_ACCESS_TEMP;
        return true;
    }
    uint32_t token = oxi_node_take(def, access->owner, site);
    if (token == 0) {
        *access = (ox_access){0};
        return OXI_REPORT(NULL, OX_REPORT_OUT_OF_MEMORY, site,
                          OXI_NUMBER("bytes", sizeof(oxi_node)),
                          OXI_NAME("allocator", "the safety system"));
    }
    access->token = token;
    access->version = oxi_load_relaxed(&oxi_node_find(token)->version);
    return true;
}

// A job uses its copies to its end: that nothing happens to the container before is decided when
// the job is scheduled, and main may schedule what comes after, or dispose it after the job.
static bool is_alive(const oxi_node *node, ox_access access) {
    uint32_t order = oxi_this_run.order;
    if ((access.flags & OX_ACCESS_COPY) != 0 && order != 0 && access.owner == order) {
        return true;
    }
    if ((access.flags & OX_ACCESS_VIEW) == 0) {
        return oxi_load_relaxed(&node->version) == access.version;
    }
    bool in_job = access.owner != 0;
    return oxi_load_relaxed(in_job ? &node->size_version : &node->view_version) == access.version;
}

void ox_access_set_name(ox_access access, const char *name) {
    oxi_node *node = oxi_access_is_temp(access) ? NULL : oxi_node_find(access.token);
    if (node != NULL && name != NULL && is_alive(node, access)) {
        oxi_text_copy(node->name, sizeof node->name, name);
    }
}

static bool report_dead(oxi_node *node, ox_access access, const char *what, ox_site site) {
    uint32_t version = oxi_load_relaxed(&node->version);
    if ((access.flags & OX_ACCESS_VIEW) != 0 && (version & 1) != 0) {
        return OXI_REPORT(NULL, OX_REPORT_VIEW_ENDED, site, OXI_NAME("kind", node->kind),
                          OXI_NAME("container", oxi_node_name(node)),
                          OXI_SITE("created", node->created));
    }
    // The node may serve another container by now: then what it says is not about this one.
    bool is_last = (version & 1) == 0 &&
                   ((access.flags & OX_ACCESS_VIEW) != 0 || version == access.version + 1);
    return OXI_REPORT(
        NULL, OX_REPORT_DISPOSED, site, OXI_NAME("kind", is_last ? node->kind : "container"),
        OXI_NAME("container", is_last ? oxi_node_name(node) : ""),
        OXI_SITE("created", is_last ? node->created : NULL),
        OXI_SITE("disposed", is_last ? (ox_site)oxi_load_relaxed(&node->ended) : NULL),
        OXI_NAME("what", what));
}

oxi_node *oxi_access_find(ox_access access) {
    oxi_node *node = oxi_node_find(access.token);
    return node != NULL && is_alive(node, access) ? node : NULL;
}

oxi_node *oxi_access_resolve(ox_access access, const char *what, ox_site site) {
    oxi_node *node = oxi_node_find(access.token);
    if (!OXI_REQUIRE(node != NULL, NULL, OX_REPORT_BAD_ACCESS, site,
                     OXI_NUMBER("token", access.token))) {
        return NULL;
    }
    return is_alive(node, access) || report_dead(node, access, what, site) ? node : NULL;
}

bool oxi_access_require_temp(ox_access access, ox_site site) {
    bool is_here = access.owner == oxi_this_run.order;
    bool is_now = access.owner != 0 || access.version == (uint32_t)ox_frame_get_number();
    return OXI_REQUIRE(is_here && is_now, NULL, OX_REPORT_TEMP_ENDED, site,
                       OXI_NAME("kind", "container"), OXI_NUMBER("made", access.version),
                       OXI_NUMBER("frame", ox_frame_get_number()));
}

// Questions.

// What a report says of a container; Temp ones have no node.
static const char *kind_of_node(const oxi_node *node) {
    return node != NULL ? node->kind : "container";
}

static const char *name_of_node(oxi_node *node) {
    return node != NULL ? oxi_node_name(node) : "";
}

static bool report_with_node(oxi_node *node, ox_report_id id, ox_site site) {
    bool in_job = oxi_this_run.order != 0;
    char where[80] = "on main";
    if (in_job) {
        oxi_text_print(where, sizeof where, "in job '%s'", oxi_this_run.name);
    }
    return OXI_REPORT(NULL, id, site, OXI_NAME("kind", kind_of_node(node)),
                      OXI_NAME("container", name_of_node(node)),
                      OXI_SITE("created", node != NULL ? node->created : NULL),
                      OXI_NAME("job", in_job ? oxi_this_run.name : "another"),
                      OXI_NAME("where", where));
}

// True when this handle is for the job that runs here, or for main when none does.
static bool require_owner(oxi_node *node, ox_access access, ox_site site) {
    uint32_t order = oxi_this_run.order;
    // What a job created is main's when the job is over.
    if (access.owner == order || (order == 0 && access.owner == node->owner)) {
        return true;
    }
    bool is_copy = access.owner != 0 && access.owner != node->owner;
    return report_with_node(node, is_copy ? OX_REPORT_COPY_ESCAPED : OX_REPORT_NOT_DECLARED, site);
}

static bool report_held(oxi_node *node, const oxi_use *use, const char *verb, ox_site site) {
    oxi_fence_info other = {"a job", NULL, NULL};
    bool writes = oxi_load_relaxed(&node->held) == OXI_HELD_WRITTEN;
    if (use != NULL) {
        other = oxi_fence_get_info(use->fence);
        writes = use->writes;
    }
    return OXI_REPORT(NULL, OX_REPORT_JOB_HOLDS, site, OXI_NAME("verb", verb),
                      OXI_NAME("kind", node->kind), OXI_NAME("container", oxi_node_name(node)),
                      OXI_SITE("created", node->created), OXI_NAME("other", other.name),
                      OXI_SITE("other_site", other.site),
                      OXI_NAME("other_verb", writes ? "writes" : "reads"));
}

// Outside of jobs: true when no outstanding job stands in the way.
static bool require_not_held(oxi_node *node, bool writes, const char *verb, ox_site site) {
    oxi_held held = (oxi_held)oxi_load_relaxed(&node->held);
    if (held == OXI_HELD_NOT || (!writes && held == OXI_HELD_READ)) {
        return true;
    }
    const oxi_use *use = is_on_main() ? oxi_fence_find_conflict(node, writes, OX_NO_JOB) : NULL;
    return report_held(node, use, verb, site);
}

// True when a handle may be used here at all, else reports. `node` becomes NULL for Temp.
static bool require_use(ox_access access, const char *what, oxi_node **node, ox_site site) {
    *node = NULL;
    if (oxi_access_is_temp(access)) {
        return oxi_access_require_temp(access, site);
    }
    *node = oxi_access_resolve(access, what, site);
    return *node != NULL && require_owner(*node, access, site);
}

bool ox_access_may_read_at(ox_access access, ox_site site) {
    oxi_node *node;
    if (access.token == 0) {
        return true;
    }
    if (!require_use(access, "it is read", &node, site)) {
        return false;
    }
    if ((access.flags & OX_ACCESS_WRITE_ONLY) != 0) {
        return report_with_node(node, OX_REPORT_WRITER_READ, site);
    }
    return node == NULL || oxi_this_run.order != 0 || require_not_held(node, false, "reads", site);
}

static bool require_write(ox_access access, oxi_node **node, ox_site site) {
    if (!require_use(access, "it is written", node, site)) {
        return false;
    }
    if ((access.flags & OX_ACCESS_READ_ONLY) != 0) {
        return report_with_node(*node, OX_REPORT_READ_ONLY_WRITTEN, site);
    }
    return *node == NULL || oxi_this_run.order != 0 ||
           require_not_held(*node, true, "writes", site);
}

bool ox_access_may_write_at(ox_access access, ox_site site) {
    oxi_node *node;
    return access.token == 0 || require_write(access, &node, site);
}

static bool report_outside_batch(oxi_node *node, int64_t index, ox_site site) {
    return OXI_REPORT(NULL, OX_REPORT_OUTSIDE_BATCH, site, OXI_NAME("job", oxi_this_run.name),
                      OXI_NUMBER("begin", oxi_this_run.begin),
                      OXI_NUMBER("last", oxi_this_run.end - 1), OXI_INTEGER("index", index),
                      OXI_NAME("kind", kind_of_node(node)),
                      OXI_NAME("container", name_of_node(node)));
}

bool ox_access_may_resize_at(ox_access access, ox_site site) {
    oxi_node *node;
    if (access.token == 0) {
        return true;
    }
    if (!require_write(access, &node, site)) {
        return false;
    }
    if ((access.flags & OX_ACCESS_BATCH) != 0) {
        return report_outside_batch(node, -1, site);
    }
    if (node != NULL) {
        oxi_add_relaxed(&node->view_version, 1);
        oxi_add_relaxed(&node->size_version, 1);
    }
    return true;
}

// An index to tell of a range that is not inside. Any numbers may come: no sum may overflow.
static int64_t find_index_outside(int64_t first, int64_t count, int64_t length) {
    if (first < 0 || first >= length) {
        return first;
    }
    if (count < 0) {
        return count;
    }
    return count <= INT64_MAX - first ? first + count - 1 : INT64_MAX;
}

bool ox_access_may_use_at(ox_access access, int64_t first, int64_t count, int64_t length,
                          ox_site site) {
    bool is_inside = first >= 0 && count >= 0 && first <= length && count <= length - first;
    oxi_node *node = oxi_access_is_temp(access) ? NULL : oxi_node_find(access.token);
    if (!is_inside) {
        int64_t index = find_index_outside(first, count, length);
        return OXI_REPORT(NULL, OX_REPORT_OUT_OF_BOUNDS, site, OXI_INTEGER("index", index),
                          OXI_NAME("kind", kind_of_node(node)),
                          OXI_NAME("container", name_of_node(node)), OXI_INTEGER("count", length));
    }
    if ((access.flags & OX_ACCESS_BATCH) == 0 || count == 0) {
        return true;
    }
    const oxi_run *run = &oxi_this_run;
    if (first >= run->begin && first + count <= run->end) {
        return true;
    }
    return report_outside_batch(node, first < run->begin ? first : first + count - 1, site);
}

bool ox_access_create_view_at(ox_access access, ox_access *view, ox_site site) {
    uint32_t order = oxi_this_run.order;
    *view = access;
    view->flags = (access.flags | OX_ACCESS_VIEW) & ~(uint32_t)OX_ACCESS_COPY;
    oxi_node *node = NULL;
    if (access.token != 0 && !require_use(access, "a view of it is made", &node, site)) {
        return false;
    }
    if (node == NULL) {
        return true;
    }
    // A job that holds a view itself cannot resize, so another view beside it is fine.
    if (order == 0 && oxi_load_relaxed(&node->held) == OXI_HELD_WRITTEN) {
        const oxi_use *use = is_on_main() ? oxi_fence_find_conflict(node, false, OX_NO_JOB) : NULL;
        if (use == NULL || !use->is_view) {
            return report_held(node, use, "makes a view of", site);
        }
    }
    view->owner = order;
    view->version = oxi_load_relaxed(order != 0 ? &node->size_version : &node->view_version);
    return true;
}

// Making a writer touches nothing, so it does not matter which jobs hold the container.
bool ox_access_create_writer_at(ox_access access, ox_access *writer, ox_site site) {
    oxi_node *node = NULL;
    *writer = access;
    writer->flags |= OX_ACCESS_WRITE_ONLY;
    if (access.token != 0 && !require_use(access, "a writer of it is made", &node, site)) {
        return false;
    }
    return (access.flags & OX_ACCESS_READ_ONLY) == 0 ||
           report_with_node(node, OX_REPORT_READ_ONLY_WRITTEN, site);
}

// Outside of jobs: true when every job that holds it is done once `after` is.
static bool require_released(oxi_node *node, ox_job after, ox_site site) {
    if (oxi_load_relaxed(&node->held) == OXI_HELD_NOT) {
        return true;
    }
    bool on_main = is_on_main();
    const oxi_use *use = on_main ? oxi_fence_find_conflict(node, true, after) : NULL;
    return (use == NULL && on_main) || report_held(node, use, "disposes", site);
}

bool ox_access_may_dispose_at(ox_access access, ox_job after, ox_site site) {
    oxi_node *node;
    if (access.token == 0) {
        return true;
    }
    if (!require_use(access, "it is disposed", &node, site)) {
        return false;
    }
    if ((access.flags & OX_ACCESS_VIEW) != 0) {
        return report_with_node(node, OX_REPORT_VIEW_DISPOSED, site);
    }
    if (node == NULL) {
        return true;
    }
    if (oxi_this_run.order != 0) {
        return node->owner == oxi_this_run.order ||
               report_with_node(node, OX_REPORT_DISPOSED_IN_JOB, site);
    }
    return require_released(node, after, site);
}

void ox_access_destroy_at(ox_access access, ox_site site) {
    oxi_node *node = oxi_access_is_temp(access) ? NULL : oxi_node_find(access.token);
    if (node == NULL || !is_alive(node, access) || (access.flags & OX_ACCESS_VIEW) != 0) {
        return;
    }
    oxi_node_end(access.token, site);
    if (oxi_load_relaxed(&node->held) == OXI_HELD_NOT) {
        oxi_node_release(access.token);
    }
}

bool oxi_access_find_holder(ox_access access, bool writes, ox_job after, oxi_holder *holder) {
    oxi_node *node = oxi_node_find(access.token);
    const oxi_use *use = node != NULL ? oxi_fence_find_conflict(node, writes, after) : NULL;
    if (use == NULL) {
        return false;
    }
    oxi_fence_info job = oxi_fence_get_info(use->fence);
    *holder = (oxi_holder){oxi_node_name(node), job.name, job.site, use->writes,
                           oxi_fence_get_job(use->fence)};
    return true;
}

bool oxi_access_is_alive(ox_access access) {
    return oxi_access_find(access) != NULL;
}

const char *oxi_job_get_fence_name(ox_job job) {
    uint32_t fence = oxi_fence_of_job(job);
    return fence != 0 ? oxi_fence_get_info(fence).name : "?";
}

bool oxi_job_is_covered(ox_job job, ox_job handle) {
    return oxi_fence_covers(handle, job);
}

bool ox_access_get_info(ox_access access, ox_access_info *info) {
    *info = (ox_access_info){0};
    oxi_node *node = oxi_access_is_temp(access) ? NULL : oxi_node_find(access.token);
    uint32_t version = node != NULL ? oxi_load_relaxed(&node->version) : 0;
    bool is_view = (access.flags & OX_ACCESS_VIEW) != 0;
    if (node == NULL || (!is_view && version != access.version && version != access.version + 1)) {
        return false;
    }
    *info = (ox_access_info){.kind = node->kind,
                             .name = oxi_node_name(node),
                             .created = node->created,
                             .allocator = node->allocator};
    info->disposed = (version & 1) == 0 ? (ox_site)oxi_load_relaxed(&node->ended) : NULL;
    if (is_on_main() && oxi_load_relaxed(&node->held) != OXI_HELD_NOT) {
        uint32_t writer;
        info->reader_count = oxi_fence_count_readers(node, &writer);
        oxi_fence_info job = writer != 0 ? oxi_fence_get_info(writer) : (oxi_fence_info){0};
        info->writer = job.name;
        info->writer_site = job.site;
    }
    return true;
}

#endif
