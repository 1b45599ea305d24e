// SPDX-License-Identifier: MIT
//
// The order of commands: segments by key, job and index; main's last. A segment is in the order of
// recording, and those of one range and key in one lane are too, so merging keeps them.

#include "commands/command.h"

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
