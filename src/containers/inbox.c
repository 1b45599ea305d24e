// SPDX-License-Identifier: MIT
//
// The inbox of a container that grows: what its parallel writers wrote, until somebody takes it.
//
// Invariant: `pending` is 1 when the segments hold something, and is cleared under the lock, after
// the container has taken everything.

#include "containers/inbox.h"

#include "containers/handle.h"

void oxi_inbox_init(oxi_inbox *inbox, uint32_t *pending, uint32_t align, ox_allocator allocator) {
    *inbox = (oxi_inbox){.pending = (oxi_atomic_u32 *)(void *)pending,
                         .lock = OXI_MUTEX_INIT,
                         .allocator = allocator,
                         .align = align};
    oxi_atomic_init(inbox->pending, 0);
}

void oxi_inbox_free(oxi_inbox *inbox, ox_site site) {
    oxi_segments_destroy(oxi_load_relaxed(&inbox->segments), site);
}

// The first writers of a container may come at once: one of them makes the segments.
static oxi_segments *make_segments_once(oxi_inbox *inbox, ox_site site) {
    oxi_mutex_lock(&inbox->lock);
    oxi_segments *segments = oxi_load_relaxed(&inbox->segments);
    if (segments == NULL) {
        segments = oxi_segments_create(1, inbox->align, inbox->allocator, site);
        oxi_store_release(&inbox->segments, segments);
    }
    oxi_mutex_unlock(&inbox->lock);
    return segments;
}

void *oxi_inbox_add(oxi_inbox *inbox, size_t size, ox_site site) {
    oxi_segments *segments = oxi_load_acquire(&inbox->segments);
    if (segments == NULL) {
        segments = make_segments_once(inbox, site);
    }
    void *item = segments != NULL ? oxi_segments_add(segments, 0, size, site) : NULL;
    if (item != NULL && oxi_load_relaxed(inbox->pending) == 0) {
        oxi_store_release(inbox->pending, 1);
    }
    return item;
}

size_t oxi_inbox_get_size(oxi_inbox *inbox) {
    bool pending = oxi_load_relaxed(inbox->pending) != 0;
    return pending ? oxi_segments_size(oxi_load_relaxed(&inbox->segments), 0) : 0;
}

static bool settle_locked(oxi_inbox *inbox, oxi_inbox_fn *take, void *container, ox_site site) {
    if (oxi_load_relaxed(inbox->pending) == 0) {
        return true; // another reader was here first
    }
    oxi_segments *segments = oxi_load_relaxed(&inbox->segments);
    oxi_spans spans;
    if (!oxi_segments_list(segments, 0, &spans)) {
        return OXI_REPORT(NULL, OX_REPORT_OUT_OF_MEMORY, site,
                          OXI_NUMBER("bytes", oxi_segments_size(segments, 0)),
                          OXI_NAME("allocator", "Persistent"));
    }
    bool taken = take(container, &spans, oxi_segments_size(segments, 0), site);
    oxi_list_free(&spans);
    if (taken) {
        oxi_inbox_clear(inbox);
    }
    return taken;
}

bool oxi_inbox_settle(oxi_inbox *inbox, oxi_inbox_fn *take, void *container, ox_site site) {
    if (!oxi_inbox_is_pending(inbox)) {
        return true;
    }
    oxi_mutex_lock(&inbox->lock);
    bool settled = settle_locked(inbox, take, container, site);
    oxi_mutex_unlock(&inbox->lock);
    return settled;
}

void oxi_inbox_clear(oxi_inbox *inbox) {
    oxi_segments *segments = oxi_load_relaxed(&inbox->segments);
    if (segments != NULL) {
        oxi_segments_clear(segments);
    }
    oxi_store_release(inbox->pending, 0);
}

bool oxi_writer_require_container(ox_access access, const void *state, const char *kind,
                                  ox_site site) {
    ox_access_info info;
    if (state == NULL) {
        return oxi_handle_missing(access, kind, site);
    }
    // Making a writer touches nothing that a job could be using: only a dead container is refused.
    bool is_alive = ox_access_get_info(access, &info) && info.disposed == NULL;
    return is_alive || OXI_ASK(access, ox_access_may_write_at(access, site));
}

bool oxi_writer_refuse_stranger(ox_access access, const char *kind, ox_site site) {
    ox_access_info info = oxi_container_info(access, kind);
    return OXI_REPORT(NULL, OX_REPORT_NOT_IN_JOB, site, OXI_NAME("kind", info.kind),
                      OXI_NAME("container", info.name), OXI_SITE("created", info.created));
}
