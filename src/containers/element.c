// SPDX-License-Identifier: MIT
//
// Elements: what may be one, and what is said when a call names the wrong one.

#include "containers/element.h"

#include "base/platform.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { SCRATCH_BLOCKS = 64, DESCRIPTION_SIZE = 48 };

// Never written, never read: pages of the system that cost nothing until a report needs them.
static const _Alignas(64) unsigned char zero_block[OX_MAX_ELEMENT_SIZE];
static _Alignas(64) unsigned char scratch_blocks[SCRATCH_BLOCKS][OX_MAX_ELEMENT_SIZE];

const void *oxi_element_zeros(void) {
    return zero_block;
}

void *oxi_element_scratch(void) {
    return scratch_blocks[oxi_thread_index() % SCRATCH_BLOCKS];
}

ox_access_info oxi_container_info(ox_access access, const char *kind) {
    ox_access_info info;
    if (!ox_access_get_info(access, &info)) {
        info = (ox_access_info){.kind = kind, .name = ""};
    }
    return info;
}

// What is wrong with an element type, or NULL. Containers in containers are looked for by name.
static const char *find_element_fault(ox_element_info info) {
    if (oxi_element_size(info.element) > OX_MAX_ELEMENT_SIZE) {
        return "it is larger than OX_MAX_ELEMENT_SIZE";
    }
    if (info.align > OX_MAX_ELEMENT_ALIGN) {
        return "it is aligned to more than OX_MAX_ELEMENT_ALIGN";
    }
    if (oxi_element_size(info.element) == 0 || info.align == 0 ||
        (info.align & (info.align - 1)) != 0 || oxi_element_size(info.element) % info.align != 0) {
        return "its size or alignment is not that of a C type";
    }
    if (info.element >> 27 > 4) {
        return "the number that stands for its kind of C type is not 0 to 4";
    }
#if OX_SAFETY >= 1
    const ox_type *type = info.name != NULL ? ox_type_find(info.name) : NULL;
    if (type != NULL && type->role != NULL && strcmp(type->role, "container") == 0) {
        return "it is a container itself";
    }
#endif
    return NULL;
}

bool oxi_element_require(ox_element_info info, const char *kind, ox_site site) {
    const char *fault = find_element_fault(info);
    return OXI_REQUIRE(fault == NULL, NULL, OX_REPORT_BAD_ELEMENT, site,
                       OXI_NAME("type", info.name != NULL ? info.name : "?"),
                       OXI_NAME("kind", kind), OXI_NAME("why", fault),
                       OXI_NAME("advice", "store an index or a small struct of numbers instead"));
}

bool oxi_length_require(int64_t count, ox_element element, const char *kind, ox_site site) {
    int64_t most = INT32_MAX;
    int64_t fits = (int64_t)((PTRDIFF_MAX / 2) / oxi_element_size(element));
    most = fits < most ? fits : most;
    return OXI_REQUIRE(count >= 0 && count <= most, NULL, OX_REPORT_BAD_LENGTH, site,
                       OXI_INTEGER("count", count), OXI_NAME("kind", kind),
                       OXI_INTEGER("most", most));
}

static const char *describe_element(ox_element element, char *text) {
    static const char *const kinds[] = {"", "signed ", "unsigned ", "floating ", "bool "};
    uint32_t kind = element >> 27;
    snprintf(text, DESCRIPTION_SIZE, "%selements of %u bytes", kind < 5 ? kinds[kind] : "",
             (unsigned)oxi_element_size(element));
    return text;
}

bool oxi_element_mismatch(ox_element stored, ox_element asked, ox_access access, const char *kind,
                          ox_site site) {
    ox_access_info info = oxi_container_info(access, kind);
    char stored_text[DESCRIPTION_SIZE], asked_text[DESCRIPTION_SIZE];
    return OXI_REPORT(NULL, OX_REPORT_ELEMENT_MISMATCH, site, OXI_NAME("kind", info.kind),
                      OXI_NAME("container", info.name),
                      OXI_NAME("stored", describe_element(stored, stored_text)),
                      OXI_NAME("asked", describe_element(asked, asked_text)));
}

bool oxi_out_of_bounds(int64_t index, int64_t count, ox_access access, const char *kind,
                       ox_site site) {
    ox_access_info info = oxi_container_info(access, kind);
    return OXI_REPORT(NULL, OX_REPORT_OUT_OF_BOUNDS, site, OXI_INTEGER("index", index),
                      OXI_NAME("kind", info.kind), OXI_NAME("container", info.name),
                      OXI_INTEGER("count", count));
}

bool oxi_unassigned(const char *kind, ox_site site) {
    char what[DESCRIPTION_SIZE];
    oxi_text_print(what, sizeof what, "this %s", kind);
    return OXI_REPORT(NULL, OX_REPORT_UNASSIGNED, site, OXI_NAME("what", what));
}
