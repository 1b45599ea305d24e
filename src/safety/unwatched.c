// SPDX-License-Identifier: MIT
//
// The release library watches nothing: it hands out token 0, and every question is answered with
// true.

#include "oxbow/safety.h"

#include "safety/access.h"
#include "safety/guard.h"

#if OX_SAFETY == 0

bool ox_access_create_at(ox_access *access, const ox_access_def *def, ox_site site) {
    (void)def;
    (void)site;
    *access = (ox_access){0};
    return true;
}

void ox_access_set_name(ox_access access, const char *name) {
    (void)access;
    (void)name;
}

bool ox_access_may_read_at(ox_access access, ox_site site) {
    (void)access;
    (void)site;
    return true;
}

bool ox_access_may_write_at(ox_access access, ox_site site) {
    return ox_access_may_read_at(access, site);
}

bool ox_access_may_resize_at(ox_access access, ox_site site) {
    return ox_access_may_read_at(access, site);
}

bool ox_access_may_use_at(ox_access access, int64_t first, int64_t count, int64_t length,
                          ox_site site) {
    (void)first;
    (void)count;
    (void)length;
    return ox_access_may_read_at(access, site);
}

bool ox_access_create_view_at(ox_access access, ox_access *view, ox_site site) {
    *view = access;
    view->flags |= OX_ACCESS_VIEW;
    return ox_access_may_read_at(access, site);
}

bool ox_access_create_writer_at(ox_access access, ox_access *writer, ox_site site) {
    *writer = access;
    writer->flags |= OX_ACCESS_WRITE_ONLY;
    return ox_access_may_read_at(access, site);
}

bool ox_access_may_dispose_at(ox_access access, ox_job after, ox_site site) {
    (void)after;
    return ox_access_may_read_at(access, site);
}

void ox_access_destroy_at(ox_access access, ox_site site) {
    (void)access;
    (void)site;
}

bool ox_access_get_info(ox_access access, ox_access_info *info) {
    (void)access;
    *info = (ox_access_info){0};
    return false;
}

ox_safety_usage ox_safety_get_usage(void) {
    return (ox_safety_usage){0};
}

void oxi_safety_install(void) {
}

void oxi_safety_reset(void) {
}

bool oxi_access_find_holder(ox_access access, bool writes, ox_job after, oxi_holder *holder) {
    (void)access;
    (void)writes;
    (void)after;
    *holder = (oxi_holder){0};
    return false;
}

bool oxi_access_is_alive(ox_access access) {
    (void)access;
    return true;
}

const char *oxi_job_get_fence_name(ox_job job) {
    (void)job;
    return "?";
}

bool oxi_job_is_covered(ox_job job, ox_job handle) {
    (void)job;
    (void)handle;
    return true;
}

#endif
