// SPDX-License-Identifier: MIT
//
// Components that hold containers, in a program that calls no function of containers: each is
// refused as what it is.

#include <oxbow.h>

#include <stdio.h>

// Calls X(T) for each type that the safety system knows.
// long: a list of data
#define HELD_TYPES(X)                                                                              \
    X(ox_array)                                                                                    \
    X(ox_slice)                                                                                    \
    X(ox_list)                                                                                     \
    X(ox_list_writer)                                                                              \
    X(ox_bits)                                                                                     \
    X(ox_queue)                                                                                    \
    X(ox_queue_writer)                                                                             \
    X(ox_stream)                                                                                   \
    X(ox_stream_writer)                                                                            \
    X(ox_map)                                                                                      \
    X(ox_map_writer)                                                                               \
    X(ox_multimap)                                                                                 \
    X(ox_multimap_writer)                                                                          \
    X(ox_view)                                                                                     \
    X(ox_lookup)                                                                                   \
    X(ox_commands)                                                                                 \
    X(ox_transaction)

#define DECLARE_HOLDER(T) OX_COMPONENT(Has_##T, { T held; });
HELD_TYPES(DECLARE_HOLDER)

static const char *code = "nothing";

static void keep_code(const ox_report *report, void *context) {
    (void)context;
    code = report->code;
}

#define TRY_HOLDER(T)                                                                              \
    code = "nothing";                                                                              \
    (void)ox_component_id_of(Has_##T);                                                             \
    printf("%s %s\n", #T, code);

int main(void) {
    ox_report_set_handler((ox_report_handler){keep_code, NULL});
    HELD_TYPES(TRY_HOLDER)
    return 0;
}
