// SPDX-License-Identifier: MIT
//
// The version and the level of the library that is linked.

#include "oxbow/base.h"

#include "base/check.h"

uint32_t ox_get_version(void) {
    return OX_VERSION;
}

int ox_get_safety_level(void) {
    return OX_SAFETY;
}

bool ox_version_check_at(uint32_t header_version, ox_site site) {
    return OXI_REQUIRE(header_version / 1000 == OX_VERSION / 1000, NULL, OX_REPORT_VERSION_MISMATCH,
                       site, OXI_NUMBER("headers", header_version),
                       OXI_NUMBER("library", OX_VERSION));
}
