// SPDX-License-Identifier: MIT
//
// Atomic words as C11 sees them: every word has all its stores, and a load chooses one.
//
// The stores to a word have an order. A load may not read a store that is older than one that its
// thread knows of: its own looks and stores, and those that happen before by way of clocks. A store
// is put behind all that its thread knows of, and perhaps before others that ran already: those
// were in a store buffer until now. A change of the word (read-modify-write) stands right behind
// the store that it reads. All departures from the newest place are counted as stale.
//
// A release puts the thread's clock into the store, a change keeps the clock of the store that it
// reads, so release sequences go through changes and through nothing else. An acquire takes the
// clock. The order of all seq_cst operations is the one in which they run; a seq_cst load may not
// read, and a seq_cst store not precede, a store older than the last seq_cst store to the same
// word.

#include "model/model_atomics.h"
#include "model/model_inside.h"

#include <string.h>

enum { WORDS = 256, STORES = 96 };

typedef struct model_stored {
    uint64_t value;
    model_clock released;
    int16_t place; ///< in the order of the word's stores
    bool is_change;
} model_stored;

/// A thread knew of a store at its own time `clock`.
typedef struct model_look {
    uint16_t clock;
    uint16_t store;
} model_look;

typedef struct model_word {
    int count;
    int last_seq;      ///< the last seq_cst store, or -1
    int initialiser;   ///< the thread that made the word, or -1: it was there before the threads
    uint16_t made_at;  ///< when it did
    uint32_t touchers; ///< threads that used it
    model_cell *cell;
    model_stored stores[STORES];
    uint8_t order[STORES]; ///< the stores, oldest first
    int look_counts[MODEL_THREADS];
    model_look looks[MODEL_THREADS][STORES]; ///< clocks and places of stores grow
} model_word;

model_clock model_clocks[MODEL_THREADS];
static model_word words[WORDS];
static int word_count;

void model_atomics_begin(void) {
    word_count = 0;
    memset(model_clocks, 0, sizeof model_clocks);
    for (int k = 0; k < MODEL_THREADS; k++) {
        model_clocks[k].at[k] = 1;
    }
}

static void join_clock(model_clock *clock, const model_clock *other) {
    for (int k = 0; k < MODEL_THREADS; k++) {
        clock->at[k] = clock->at[k] > other->at[k] ? clock->at[k] : other->at[k];
    }
}

static bool acquires(model_order order) {
    return order == MODEL_ACQUIRE || order >= MODEL_ACQ_REL;
}

static bool releases(model_order order) {
    return order >= MODEL_RELEASE;
}

static uint64_t read_memory(const void *memory, size_t size) {
    return size == 4 ? *(const uint32_t *)memory : *(const uint64_t *)memory;
}

static void write_memory(void *memory, size_t size, uint64_t value) {
    if (size == 4) {
        *(uint32_t *)memory = (uint32_t)value;
    } else {
        *(uint64_t *)memory = value;
    }
}

static model_word *make_word(model_cell *cell, uint64_t value) {
    if (word_count == WORDS) {
        model_fail("the checker has no room for more words");
    }
    cell->word = (int16_t)word_count;
    model_word *word = &words[word_count++];
    word->count = 1;
    word->last_seq = -1;
    word->initialiser = -1;
    word->touchers = 0;
    word->cell = cell;
    word->stores[0] = (model_stored){.value = value};
    word->order[0] = 0;
    memset(word->look_counts, 0, sizeof word->look_counts);
    return word;
}

// Two threads use a word, and one of them changes it: the others may go first there.
static void note_sharing(const model_word *word) {
    bool by_two = (word->touchers & (word->touchers - 1)) != 0;
    if (by_two && word->count > 1 && !word->cell->is_shared) {
        word->cell->is_shared = true;
        model_restart();
    }
}

// The word at an address, after the others had their chance to go first. NULL outside of threads,
// and in memory that is not watched: there it is as if nobody else used it.
static model_word *enter_word(const void *memory, size_t size) {
    int thread = model_current;
    model_cell *cell = thread < 0 ? NULL : model_find_cell(memory);
    if (cell == NULL) {
        return NULL;
    }
    model_step(cell->is_shared);
    if (cell->is_free) {
        model_fail("an atomic word is used after its memory was freed");
    }
    model_word *word =
        cell->word >= 0 ? &words[cell->word] : make_word(cell, read_memory(memory, size));
    word->touchers |= UINT32_C(1) << thread;
    note_sharing(word);
    if (word->initialiser >= 0 && model_clocks[thread].at[word->initialiser] < word->made_at) {
        model_fail("thread %d uses an atomic word that thread %d initialises", thread,
                   word->initialiser);
    }
    return word;
}

// The place of the oldest store that the thread may read.
static int find_floor(const model_word *word, model_order order) {
    const model_clock *clock = &model_clocks[model_current];
    int floor = order == MODEL_SEQ && word->last_seq >= 0 ? word->stores[word->last_seq].place : 0;
    for (int k = 0; k < MODEL_THREADS; k++) {
        int at = word->look_counts[k] - 1;
        while (at >= 0 && word->looks[k][at].clock > clock->at[k]) {
            at--;
        }
        int place = at >= 0 ? word->stores[word->looks[k][at].store].place : 0;
        floor = place > floor ? place : floor;
    }
    return floor;
}

// What an operation does with the store that it chooses. Nothing gets between a change and the
// store that it read; a compare-and-swap that fails changes nothing.
typedef enum use_kind { TO_READ, TO_FOLLOW, TO_SWAP } use_kind;

static bool suits(const model_word *word, int place, use_kind kind, uint64_t expected) {
    bool is_last = place == word->count - 1;
    bool is_open = is_last || !word->stores[word->order[place + 1]].is_change;
    bool is_equal = word->stores[word->order[place]].value == expected;
    return kind == TO_READ || is_open || (kind == TO_SWAP && !is_equal);
}

// Chooses the place of a store for an operation: the newest first.
static int choose_place(const model_word *word, model_order order, use_kind kind,
                        uint64_t expected) {
    int places[STORES], count = 1;
    places[0] = word->count - 1;
    int floor = places[0];
    if (word->count > 1 && model_may_read_stale()) {
        floor = find_floor(word, order);
    }
    for (int place = word->count - 2; place >= floor; place--) {
        if (suits(word, place, kind, expected)) {
            places[count++] = place;
        }
    }
    int choice = model_choose(count);
    if (choice > 0) {
        model_count_stale();
    }
    return places[choice];
}

static void note_look(model_word *word, int store) {
    int thread = model_current;
    int count = word->look_counts[thread];
    model_look *looks = word->looks[thread];
    if (count == 0 || word->stores[looks[count - 1].store].place < word->stores[store].place) {
        looks[count] = (model_look){model_clocks[thread].at[thread], (uint16_t)store};
        word->look_counts[thread]++;
    }
}

static uint64_t read_store(model_word *word, int place, model_order order) {
    int store = word->order[place];
    note_look(word, store);
    if (acquires(order)) {
        join_clock(&model_clocks[model_current], &word->stores[store].released);
    }
    return word->stores[store].value;
}

// Adds a store behind `place`. A change of the store there keeps its clock.
// long: all that a store is
static void add_store(model_word *word, int place, uint64_t value, model_order order,
                      bool is_change) {
    int thread = model_current, id = word->count;
    if (id == STORES) {
        model_fail("the checker has no room for more stores");
    }
    for (int k = word->count++; k > place + 1; k--) {
        word->order[k] = word->order[k - 1];
        word->stores[word->order[k]].place = (int16_t)k;
    }
    word->order[place + 1] = (uint8_t)id;
    model_stored *store = &word->stores[id];
    *store = (model_stored){.value = value, .place = (int16_t)(place + 1), .is_change = is_change};
    if (releases(order)) {
        store->released = model_clocks[thread];
    }
    if (is_change) {
        join_clock(&store->released, &word->stores[word->order[place]].released);
    }
    note_look(word, id);
    note_sharing(word);
    word->last_seq = order == MODEL_SEQ ? id : word->last_seq;
    model_clocks[thread].at[thread]++;
}

// Memory has the last of the stores.
static void update_memory(void *memory, size_t size, const model_word *word) {
    write_memory(memory, size, word->stores[word->order[word->count - 1]].value);
}

// long: a place of the sources is three values
uint64_t model_load(const void *memory, size_t size, model_place at, const char *function,
                    const char *text) {
    model_word *word = enter_word(memory, size);
    if (word == NULL) {
        return read_memory(memory, size);
    }
    model_order order = model_enter_site(at, function, text);
    int place = choose_place(word, order, TO_READ, 0);
    uint64_t value = read_store(word, place, order);
    model_trace("%s: %s = %#llx%s", function, text, (unsigned long long)value,
                place < word->count - 1 ? ", stale" : "");
    return value;
}

// long: a place of the sources is three values
void model_store(void *memory, size_t size, uint64_t value, model_place at, const char *function,
                 const char *text) {
    model_word *word = enter_word(memory, size);
    if (word == NULL) {
        write_memory(memory, size, value);
        return;
    }
    model_order order = model_enter_site(at, function, text);
    int place = choose_place(word, order, TO_FOLLOW, 0);
    add_store(word, place, value, order, false);
    update_memory(memory, size, word);
    model_trace("%s: %s to %#llx%s", function, text, (unsigned long long)value,
                place < word->count - 2 ? ", below another" : "");
}

static uint64_t change_value(uint64_t before, uint64_t value, size_t size, model_kind kind) {
    uint64_t after = kind == MODEL_ADD   ? before + value
                     : kind == MODEL_SUB ? before - value
                     : kind == MODEL_OR  ? before | value
                     : kind == MODEL_AND ? before & value
                                         : value;
    return size == 4 ? (uint32_t)after : after;
}

// long: a place of the sources is three values
uint64_t model_change(void *memory, size_t size, uint64_t value, model_place at,
                      const char *function, const char *text) {
    model_word *word = enter_word(memory, size);
    model_kind kind = (model_kind)(at & 15);
    if (word == NULL) {
        uint64_t before = read_memory(memory, size);
        write_memory(memory, size, change_value(before, value, size, kind));
        return before;
    }
    model_order order = model_enter_site(at, function, text);
    int place = choose_place(word, order, TO_FOLLOW, 0);
    uint64_t before = read_store(word, place, order);
    uint64_t after = change_value(before, value, size, kind);
    add_store(word, place, after, order, true);
    update_memory(memory, size, word);
    model_trace("%s: %s from %#llx to %#llx%s", function, text, (unsigned long long)before,
                (unsigned long long)after, place < word->count - 2 ? ", below another" : "");
    return before;
}

// long: a place of the sources is three values
bool model_swap(void *memory, size_t size, uint64_t *expected, uint64_t value, model_place at,
                const char *function, const char *text) {
    model_word *word = enter_word(memory, size);
    if (word == NULL) {
        uint64_t before = read_memory(memory, size);
        bool equal = before == *expected;
        write_memory(memory, size, equal ? value : before);
        *expected = before;
        return equal;
    }
    model_order order = model_enter_site(at, function, text);
    int place = choose_place(word, order, TO_SWAP, *expected);
    uint64_t before = read_store(word, place, order);
    bool swaps = before == *expected;
    if (swaps) {
        add_store(word, place, value, order, true);
        update_memory(memory, size, word);
    }
    model_trace("%s: %s from %#llx%s%s", function, text, (unsigned long long)before,
                swaps ? "" : " refused", place < word->count - 1 - swaps ? ", stale" : "");
    *expected = before;
    return swaps;
}

void model_init(void *memory, size_t size, uint64_t value) {
    write_memory(memory, size, value);
    int thread = model_current;
    model_cell *cell = thread < 0 ? NULL : model_find_cell(memory);
    if (cell != NULL) {
        model_write(memory, size);
        model_word *word = make_word(cell, value);
        word->initialiser = thread;
        word->made_at = model_clocks[thread].at[thread];
        word->touchers = UINT32_C(1) << thread;
        note_look(word, 0);
    }
}

bool model_futex_wait(const uint32_t *memory, uint32_t expected) {
    model_word *word = enter_word(memory, sizeof *memory);
    bool equal = word == NULL || read_memory(memory, sizeof *memory) == expected;
    model_trace("futex_wait: %s", equal ? "sleeps" : "the word is another");
    if (equal) {
        model_block(memory);
    }
    return equal;
}

void model_futex_wake(const uint32_t *memory, uint32_t count) {
    if (enter_word(memory, sizeof *memory) != NULL) {
        model_trace("futex_wake");
        model_unblock(memory, count);
    }
}
