// SPDX-License-Identifier: MIT
//
// Announces the containers to the scanner of structs.
//
// A unit of its own, which needs no other: headers make the linker take it out of a static library,
// also for a program that has a container in a struct and calls none of its functions.

#include "oxbow/containers.h"

OX_CONTAINER(ox_array, access);
OX_CONTAINER(ox_slice, access);
OX_CONTAINER(ox_list, access);
OX_CONTAINER(ox_list_writer, access);
OX_CONTAINER(ox_bits, access);
OX_CONTAINER(ox_queue, access);
OX_CONTAINER(ox_queue_writer, access);
OX_CONTAINER(ox_stream, access);
OX_CONTAINER(ox_stream_writer, access);
OX_CONTAINER(ox_map, access);
OX_CONTAINER(ox_map_writer, access);
OX_CONTAINER(ox_multimap, access);
OX_CONTAINER(ox_multimap_writer, access);

void oxi_container_types(void) {
}
