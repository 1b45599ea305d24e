// SPDX-License-Identifier: MIT
//
// Commands in memory: lanes that are written, and the order in which they are read. Segments are
// ordered by key, job and index; main's come last. A segment is in the order of recording, and
// those of one range and key in one lane are too, so merging keeps them.
//
// Invariant: between `end` and the end of the current block there is room for a jump, so a full
// block, and the end of a lane, can always be written. Blocks behind the current one are empty:
// they are kept from the round before.

#include "commands/command.h"

enum {
    FIRST_COMMAND_BLOCK = 2048,
    LARGEST_COMMAND_BLOCK = 256 * 1024, // larger only for a single command
    COMMAND_LINE = 64,                  // blocks share no cache line with those of other threads
};

// Lanes.

static char *first_command_of(oxi_command_block *block) {
    return (char *)(block + 1);
}

static void use_block(oxi_command_lane *lane, oxi_command_block *block) {
    OXI_ASSERT(block->size >= sizeof(oxi_command_block) + sizeof(oxi_command_jump));
    lane->current = block;
    lane->at = first_command_of(block);
    lane->end = (char *)block + block->size - sizeof(oxi_command_jump);
}

static size_t room_of_block(const oxi_command_block *block) {
    return block->size - sizeof(oxi_command_block) - sizeof(oxi_command_jump);
}

// The block that follows the current one, with room for `size` bytes: one that was kept, or a new
// one of twice the size. NULL when out of memory.
static oxi_command_block *find_room(oxi_command_lane *lane, size_t size) {
    oxi_command_block **link = lane->current != NULL ? &lane->current->next : &lane->chain;
    if (*link != NULL && room_of_block(*link) >= size) {
        return *link;
    }
    size_t whole = lane->current != NULL ? lane->current->size * 2 : FIRST_COMMAND_BLOCK;
    size_t least = size + sizeof(oxi_command_block) + sizeof(oxi_command_jump);
    whole = whole < LARGEST_COMMAND_BLOCK ? whole : LARGEST_COMMAND_BLOCK;
    whole = whole > least ? whole : least;
    oxi_command_block *block = oxi_heap_alloc(whole, COMMAND_LINE);
    if (block != NULL) {
        *block = (oxi_command_block){*link, whole};
        *link = block;
    }
    return block;
}

// Goes on in another block, which has room for `size` bytes.
static bool leave_block(oxi_command_lane *lane, size_t size) {
    char *full = lane->at;
    OXI_ASSERT(full <= lane->end); // behind it there is room for a jump
    oxi_command_block *block = find_room(lane, size);
    if (block == NULL) {
        return false;
    }
    OXI_ASSERT(block != lane->current);
    OXI_ASSERT(room_of_block(block) >= size);
    use_block(lane, block);
    if (full != NULL) {
        *(oxi_command_jump *)(void *)full = (oxi_command_jump){
            {.kind = OXI_COMMAND_JUMP}, (const oxi_command *)(const void *)lane->at};
    }
    return true;
}

static void begin_segment(oxi_command_lane *lane, int32_t key) {
    oxi_command_mark *mark = (oxi_command_mark *)(void *)lane->at;
    *mark = (oxi_command_mark){
        {.kind = OXI_COMMAND_MARK, .size = sizeof *mark},
        oxi_this_run.order,
        oxi_this_run.first,
        key,
        0,
        NULL,
    };
    if (lane->last_mark != NULL) {
        lane->last_mark->next = mark;
    } else {
        lane->first_mark = mark;
    }
    lane->last_mark = mark;
    lane->order = mark->order;
    lane->first = mark->first;
    lane->key = key;
    lane->at += sizeof *mark;
    OXI_ASSERT(lane->at <= lane->end);
}

OXI_NOINLINE oxi_command *oxi_lane_add_slowly(oxi_command_lane *lane, uint32_t size, int32_t key,
                                              ox_site site) {
    bool begins = lane->last_mark == NULL || lane->order != oxi_this_run.order ||
                  lane->first != oxi_this_run.first || lane->key != key;
    size_t whole = size + (begins ? sizeof(oxi_command_mark) : 0);
    if (whole > (size_t)(lane->end - lane->at) && !leave_block(lane, whole)) {
        OXI_REPORT(NULL, OX_REPORT_OUT_OF_MEMORY, site, OXI_NUMBER("bytes", whole),
                   OXI_NAME("allocator", "commands"));
        return NULL;
    }
    if (begins) {
        begin_segment(lane, key);
    }
    oxi_command *command = (oxi_command *)(void *)lane->at;
    lane->at += size;
    OXI_ASSERT(lane->at <= lane->end);
    lane->count++;
    command->size = size;
    return command;
}

void oxi_lane_finish(oxi_command_lane *lane) {
    if (lane->at != NULL) {
        ((oxi_command *)(void *)lane->at)->kind = OXI_COMMAND_END;
    }
}

void oxi_lane_clear(oxi_command_lane *lane) {
    oxi_command_lane kept = {.index = lane->index, .chain = lane->chain, .made = lane->made};
    *lane = kept; // no block is in use: the next command begins a segment in the first one
    lane->made.count = 0;
}

void oxi_lane_free(oxi_command_lane *lane) {
    for (oxi_command_block *block = lane->chain; block != NULL;) {
        oxi_command_block *next = block->next;
        oxi_heap_free(block, block->size, COMMAND_LINE);
        block = next;
    }
    oxi_list_free(&lane->made);
    *lane = (oxi_command_lane){0};
}

// Order.

// By difference: numbers of jobs wrap, and what is recorded together lies close together.
static bool is_mark_after(const oxi_command_mark *a, const oxi_command_mark *b) {
    if ((a->order == 0) != (b->order == 0)) {
        return a->order == 0;
    }
    if (a->key != b->key) {
        return a->key > b->key;
    }
    if (a->order == 0) {
        return false; // main has no range: its first index is that of a job that it helped with
    }
    return a->order != b->order ? (int32_t)(a->order - b->order) > 0 : a->first > b->first;
}

// Merges two sorted neighbours, `middle` of the first and `count` in all. Equal ones stay in order.
static void merge_marks(const oxi_command_mark **from, size_t middle, size_t count,
                        const oxi_command_mark **to) {
    size_t left = 0, right = middle;
    for (size_t k = 0; k < count; k++) {
        bool takes_right =
            left == middle || (right < count && is_mark_after(from[left], from[right]));
        to[k] = takes_right ? from[right++] : from[left++];
    }
}

static bool are_marks_sorted(const oxi_commands *state) {
    for (size_t k = 1; k < state->sequence.count; k++) {
        if (is_mark_after(state->sequence.items[k - 1], state->sequence.items[k])) {
            return false;
        }
    }
    return true;
}

// Merges runs of 1, 2, 4, ... marks between the list and its second half.
static void merge_sequence(oxi_commands *state, size_t count) {
    const oxi_command_mark **from = state->sequence.items, **to = from + count;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t k = 0; k < count; k += width * 2) {
            size_t run = count - k < width * 2 ? count - k : width * 2;
            merge_marks(from + k, run < width ? run : width, run, to + k);
        }
        const oxi_command_mark **swapped = from;
        from = to;
        to = swapped;
    }
    if (from != state->sequence.items) {
        memcpy(state->sequence.items, from, count * sizeof *from);
    }
}

static bool list_marks(oxi_commands *state) {
    oxi_list_clear(&state->sequence);
    for (uint32_t k = 0; k <= OXI_MAIN_LANE; k++) {
        oxi_command_lane *lane = oxi_commands_lane(state, k);
        if (lane == NULL) {
            continue;
        }
        oxi_lane_finish(lane);
        for (const oxi_command_mark *mark = lane->first_mark; mark != NULL; mark = mark->next) {
            if (!oxi_list_push(&state->sequence, mark)) {
                return false;
            }
        }
    }
    return true;
}

bool oxi_commands_sort(oxi_commands *state) {
    if (!list_marks(state)) {
        return false;
    }
    size_t count = state->sequence.count;
    if (!are_marks_sorted(state)) {
        if (!oxi_list_reserve(&state->sequence, count * 2)) {
            return false;
        }
        merge_sequence(state, count);
        OXI_ASSERT(are_marks_sorted(state));
    }
    state->cursor = (oxi_command_cursor){0};
    if (count > 0) {
        state->cursor.at = &state->sequence.items[0]->head;
        oxi_cursor_next(state, &state->cursor);
        state->cursor.index = 0;
    }
    return true;
}

void oxi_cursor_next(const oxi_commands *state, oxi_command_cursor *cursor) {
    OXI_ASSERT(cursor->at != NULL);
    OXI_ASSERT(cursor->mark < state->sequence.count);
    const oxi_command *at =
        (const oxi_command *)(const void *)((const char *)cursor->at + cursor->at->size);
    while (at->kind < OXI_COMMAND_CREATE) {
        if (at->kind == OXI_COMMAND_JUMP) {
            at = ((const oxi_command_jump *)(const void *)at)->next;
            continue;
        }
        if (at->kind == OXI_COMMAND_LIST) {
            at = (const oxi_command *)(const void *)((const char *)at + at->size);
            continue;
        }
        if (++cursor->mark == state->sequence.count) {
            at = NULL;
            break;
        }
        const oxi_command_mark *mark = state->sequence.items[cursor->mark];
        OXI_ASSERT(mark->head.kind == OXI_COMMAND_MARK);
        at = (const oxi_command *)(const void *)(mark + 1);
    }
    OXI_ASSERT(at == NULL || at->kind < OXI_COMMAND_KINDS);
    cursor->at = at;
    cursor->index++;
}
