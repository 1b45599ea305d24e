// SPDX-License-Identifier: MIT
//
// Queues: a ring whose size is a power of two, and an inbox for what jobs write.
//
// Head and tail count up and wrap at 2^32; an element's place is its count modulo the capacity.
// What is in the inbox comes behind everything in the ring: pushing settles first, popping only
// when the ring is empty.
//
// Invariant: tail - head <= capacity, and capacity is 0 or a power of two.

#include "oxbow/list.h"

#include "containers/handle.h"
#include "containers/inbox.h"

enum { RING_ALIGN = 64, FIRST_RING_BYTES = 64 };

typedef struct queue_body {
    oxi_queue_state state;
    oxi_inbox inbox;
} queue_body;

static oxi_inbox *inbox_of_queue(oxi_queue_state *state) {
    return &((queue_body *)state)->inbox;
}

static uint32_t count_in_ring(const oxi_queue_state *state) {
    return state->tail - state->head;
}

static size_t size_of_queued(const oxi_queue_state *state) {
    return oxi_element_size(state->element);
}

static size_t align_of_ring(const oxi_queue_state *state) {
    return state->align > RING_ALIGN ? state->align : RING_ALIGN;
}

// The place of the element with this count, in a ring that has places.
static char *place_in_ring(const oxi_queue_state *state, uint32_t index) {
    return state->ring + (size_t)(index & (state->capacity - 1)) * size_of_queued(state);
}

static uint32_t choose_ring_capacity(const oxi_queue_state *state, uint32_t needed) {
    uint32_t capacity = 1;
    while (capacity < needed || capacity * size_of_queued(state) < FIRST_RING_BYTES) {
        capacity *= 2;
    }
    return capacity;
}

static void free_ring(oxi_queue_state *state, ox_site site) {
    ox_memory_free_at(state->allocator, state->ring, state->capacity * size_of_queued(state),
                      align_of_ring(state), site);
}

// Copies `count` elements, from the one with count `first` on, out of the ring.
static void copy_from_ring(const oxi_queue_state *state, uint32_t first, uint32_t count, void *to) {
    if (count == 0) {
        return;
    }
    uint32_t before_end = state->capacity - (first & (state->capacity - 1));
    uint32_t part = count < before_end ? count : before_end;
    size_t size = size_of_queued(state);
    memcpy(to, place_in_ring(state, first), part * size);
    memcpy((char *)to + part * size, state->ring, (count - part) * size);
}

// Copies `count` elements behind the tail, where there is room for them.
static void copy_to_ring(oxi_queue_state *state, const void *from, uint32_t count) {
    if (count == 0) {
        return;
    }
    OXI_ASSERT(count <= state->capacity - count_in_ring(state));
    uint32_t before_end = state->capacity - (state->tail & (state->capacity - 1));
    uint32_t part = count < before_end ? count : before_end;
    size_t size = size_of_queued(state);
    memcpy(place_in_ring(state, state->tail), from, part * size);
    memcpy(state->ring, (const char *)from + part * size, (count - part) * size);
    state->tail += count;
}

// Makes the ring large enough for `count` elements in all. The elements keep their order.
static bool grow_queue_ring(oxi_queue_state *state, int64_t count, ox_site site) {
    if (!oxi_length_require(count, state->element, "queue", site)) {
        return false;
    }
    if (count <= (int64_t)state->capacity) {
        return true;
    }
    uint32_t capacity = choose_ring_capacity(state, (uint32_t)count);
    char *ring = ox_memory_alloc_at(state->allocator, capacity * size_of_queued(state),
                                    align_of_ring(state), site);
    if (ring == NULL) {
        return false;
    }
    uint32_t present = count_in_ring(state);
    copy_from_ring(state, state->head, present, ring);
    free_ring(state, site);
    state->ring = ring;
    state->capacity = capacity;
    state->head = 0;
    state->tail = present;
    return true;
}

static bool take_inbox_into_ring(void *container, const oxi_spans *spans, size_t bytes,
                                 ox_site site) {
    oxi_queue_state *state = container;
    size_t size = size_of_queued(state);
    if (!grow_queue_ring(state, (int64_t)count_in_ring(state) + (int64_t)(bytes / size), site)) {
        return false;
    }
    for (size_t k = 0; k < spans->count; k++) {
        copy_to_ring(state, spans->items[k].items, (uint32_t)(spans->items[k].size / size));
    }
    return true;
}

static bool settle_queue(oxi_queue_state *state, ox_site site) {
    return oxi_inbox_settle(inbox_of_queue(state), take_inbox_into_ring, state, site);
}

static void free_queue(void *memory, ox_site site) {
    oxi_queue_state *state = memory;
    oxi_inbox_free(inbox_of_queue(state), site);
    free_ring(state, site);
    ox_memory_free_at(state->allocator, state, sizeof(queue_body), _Alignof(queue_body), site);
}

// A queue without an access.
static oxi_queue_state *make_queue_state(ox_element_info info, ox_allocator allocator,
                                         ox_site site) {
    queue_body *body =
        ox_memory_alloc_at(allocator, sizeof(queue_body), _Alignof(queue_body), site);
    if (body == NULL) {
        return NULL;
    }
    body->state =
        (oxi_queue_state){.element = info.element, .align = info.align, .allocator = allocator};
    oxi_inbox_init(&body->inbox, &body->state.pending, info.align, allocator);
    return &body->state;
}

ox_queue ox_queue_create_at(ox_element_info info, int64_t capacity, ox_allocator allocator,
                            ox_site site) {
    if (!oxi_element_require(info, "queue", site) ||
        !oxi_length_require(capacity, info.element, "queue", site)) {
        return (ox_queue){0};
    }
    ox_queue queue = {.state = make_queue_state(info, allocator, site)};
    if (queue.state == NULL) {
        return (ox_queue){0};
    }
    ox_access_def def = {.kind = "queue", .allocator = allocator, .is_whole = true};
    if (!grow_queue_ring(queue.state, capacity, site) ||
        !oxi_access_make(&queue.access, &def, queue.state, site)) {
        free_queue(queue.state, site);
        return (ox_queue){0};
    }
    return queue;
}

ox_job ox_queue_dispose_at(ox_queue *queue, ox_job after, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(queue, "ox_dispose", site) ||
        !oxi_dispose_require(queue->access, queue->state, "queue", after, site)) {
        return OX_NO_JOB;
    }
    oxi_release release = {free_queue, queue->state, queue->state->allocator};
    ox_job job = OX_NO_JOB;
    if (oxi_dispose(queue->access, &release, after, &job, site)) {
        queue->state = NULL;
    }
    return job;
}

static bool may_read_queue(ox_queue queue, ox_site site) {
    return OXI_ASK(queue.access, ox_access_may_read_at(queue.access, site)) &&
           (queue.state != NULL || oxi_unassigned("queue", site));
}

int32_t ox_queue_count_at(ox_queue queue, ox_site site) {
    if (!may_read_queue(queue, site)) {
        return 0;
    }
    oxi_inbox *inbox = inbox_of_queue(queue.state);
    if (!oxi_inbox_is_pending(inbox)) {
        return (int32_t)count_in_ring(queue.state);
    }
    // Counting needs no order, so it does not settle, and cannot fail.
    oxi_mutex_lock(&inbox->lock);
    size_t count =
        count_in_ring(queue.state) + oxi_inbox_get_size(inbox) / size_of_queued(queue.state);
    oxi_mutex_unlock(&inbox->lock);
    return count < INT32_MAX ? (int32_t)count : INT32_MAX;
}

bool ox_queue_is_empty_at(ox_queue queue, ox_site site) {
    return ox_queue_count_at(queue, site) == 0;
}

static bool may_resize_queue(ox_queue queue, ox_site site) {
    return OXI_ASK(queue.access, ox_access_may_resize_at(queue.access, site)) &&
           (queue.state != NULL || oxi_unassigned("queue", site));
}

static bool is_queue_of(const oxi_queue_state *state, ox_element element, ox_access access,
                        ox_site site) {
    return oxi_element_fits(state->element, element) ||
           oxi_element_mismatch(state->element, element, access, "queue", site);
}

bool oxi_queue_may_change_at(ox_queue queue, ox_element element, ox_site site) {
    return may_resize_queue(queue, site) && is_queue_of(queue.state, element, queue.access, site);
}

// Takes over what jobs wrote, and makes room in the ring for `count` more.
static bool make_room_in_queue(oxi_queue_state *state, int64_t count, ox_site site) {
    return settle_queue(state, site) &&
           grow_queue_ring(state, (int64_t)count_in_ring(state) + count, site);
}

bool oxi_queue_grow_at(oxi_queue_state *state, ox_site site) {
    return make_room_in_queue(state, 1, site);
}

static bool report_empty_queue(ox_access access, ox_site site) {
    ox_access_info info = oxi_container_info(access, "queue");
    return OXI_REPORT(NULL, OX_REPORT_EMPTY, site, OXI_NAME("kind", info.kind),
                      OXI_NAME("container", info.name), OXI_SITE("created", info.created));
}

bool oxi_queue_refill_at(oxi_queue_state *state, ox_access access, bool tries, ox_site site) {
    if (!settle_queue(state, site)) {
        return false;
    }
    return count_in_ring(state) > 0 || (!tries && report_empty_queue(access, site));
}

bool ox_queue_push_many_at(ox_queue queue, ox_element element, const void *values, int64_t count,
                           ox_site site) {
    if (!oxi_queue_may_change_at(queue, element, site) ||
        !oxi_length_require(count, element, "queue", site) ||
        (count > 0 && !OXI_REQUIRE_ARGUMENT(values, "ox_queue_push_many", site)) ||
        !make_room_in_queue(queue.state, count, site)) {
        return false;
    }
    copy_to_ring(queue.state, values, (uint32_t)count);
    return true;
}

// True when the queue may be read as elements of this type, and all of it is in the ring.
static bool may_look_into_queue(ox_queue queue, ox_element element, ox_site site) {
    return may_read_queue(queue, site) && is_queue_of(queue.state, element, queue.access, site) &&
           settle_queue(queue.state, site);
}

const void *ox_queue_get_at(ox_queue queue, int64_t index, ox_element element, ox_site site) {
    if (!may_look_into_queue(queue, element, site)) {
        return oxi_element_zeros();
    }
    oxi_extent extent = {index, 1, count_in_ring(queue.state)};
    if (!oxi_extent_require(queue.access, "queue", extent, site)) {
        return oxi_element_zeros();
    }
    return place_in_ring(queue.state, queue.state->head + (uint32_t)index);
}

const void *ox_queue_peek_at(ox_queue queue, ox_element element, ox_site site) {
    if (!may_look_into_queue(queue, element, site)) {
        return oxi_element_zeros();
    }
    if (count_in_ring(queue.state) == 0) {
        report_empty_queue(queue.access, site);
        return oxi_element_zeros();
    }
    return place_in_ring(queue.state, queue.state->head);
}

void ox_queue_clear_at(ox_queue queue, ox_site site) {
    if (may_resize_queue(queue, site)) {
        oxi_inbox_clear(inbox_of_queue(queue.state));
        queue.state->head = queue.state->tail;
    }
}

bool ox_queue_reserve_at(ox_queue queue, int64_t count, ox_site site) {
    return may_resize_queue(queue, site) && settle_queue(queue.state, site) &&
           grow_queue_ring(queue.state, count, site);
}

ox_array ox_queue_to_array_at(ox_queue queue, ox_allocator allocator, ox_site site) {
    if (!may_read_queue(queue, site) || !settle_queue(queue.state, site)) {
        return (ox_array){0};
    }
    const oxi_queue_state *state = queue.state;
    uint32_t count = count_in_ring(state);
    ox_element_info info = {NULL, state->element, state->align};
    ox_array array = ox_array_create_uninitialized_at(info, count, allocator, site);
    if (array.data != NULL) {
        copy_from_ring(state, state->head, count, array.data);
    }
    return array;
}

ox_queue_writer ox_queue_writer_of_at(ox_queue queue, ox_site site) {
    if (!oxi_writer_require_container(queue.access, queue.state, "queue", site)) {
        return (ox_queue_writer){0};
    }
    ox_queue_writer writer = {queue.state, queue.access};
    writer.access.flags |= OX_ACCESS_WRITE_ONLY;
    return writer;
}

// Outside of jobs main writes to the queue itself, behind what jobs wrote.
static void *add_outside_of_jobs(oxi_queue_state *state, ox_access access, ox_site site) {
    if (oxi_writer_get_caller() == OXI_WRITER_STRANGER) {
        oxi_writer_refuse_stranger(access, "queue writer", site);
        return NULL;
    }
    if (!make_room_in_queue(state, 1, site)) {
        return NULL;
    }
    return place_in_ring(state, state->tail++);
}

void *oxi_queue_add_at(oxi_queue_state *state, ox_access access, ox_element element, ox_site site) {
    if (!OXI_ASK(access, ox_access_may_write_at(access, site)) ||
        (state == NULL && !oxi_unassigned("queue writer", site)) ||
        !is_queue_of(state, element, access, site)) {
        return NULL;
    }
    if (oxi_this_run.order == 0) {
        return add_outside_of_jobs(state, access, site);
    }
    return oxi_inbox_add(inbox_of_queue(state), size_of_queued(state), site);
}

// Settling is a reader's right: several may come at once.
OX_JOB(SettleQueue, {
    OX_READ_ONLY ox_queue queue;
    OX_NO_SAFETY const char *site;
}) {
    settle_queue(job->queue.state, job->site);
}

ox_job ox_queue_merge_after_at(ox_queue queue, ox_job after, ox_site site) {
    if (queue.state == NULL) {
        oxi_handle_missing(queue.access, "queue", site);
        return OX_NO_JOB;
    }
    SettleQueue data = {queue, site};
    return ox_schedule_at(ox_job_type_of(SettleQueue), after, &data, site);
}
