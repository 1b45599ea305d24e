// SPDX-License-Identifier: MIT
//
// Scans of job types.
//
// A scan lives as long as the process: its field names stand in reports about containers. It is
// hung into the job type, so a second schedule finds it with one look. Containers in arrays, and in
// arrays of structs, are listed one by one.

#include "safety/job_scan.h"

#include "base/check.h"
#include "base/heap.h"
#include "base/list.h"
#include "base/text.h"

#include <string.h>

enum { LONGEST_PATH = 120 };

// Marks of a field are bits: this is all of them.
enum {
    ALL_MARKS = OX_MARK_READ_ONLY | OX_MARK_UNRESTRICTED | OX_MARK_NO_SAFETY | OX_MARK_UNOWNED,
};

// A kept scan: the accesses follow it, then their names.
typedef struct kept_scan {
    ox_job_type *type;
    struct kept_scan *next;
    size_t block_size;
    uint32_t count;
    ox_job_field accesses[];
} kept_scan;

// A scan that is being made: accesses whose name is an offset into the names.
typedef struct scan_draft {
    const ox_layout *layout;
    OXI_LIST(ox_job_field) accesses;
    OXI_LIST(char) names;
    bool has_memory;
} scan_draft;

static kept_scan *kept_scans;

static bool is_container(const ox_field *field) {
    return field->type != NULL && field->type->role != NULL &&
           strcmp(field->type->role, "container") == 0;
}

static void add_access(scan_draft *draft, const ox_field *field, size_t offset, const char *path) {
    size_t name = draft->names.count;
    ox_job_field access = {(const char *)(uintptr_t)name, offset + field->type->role_offset,
                           field->marks};
    draft->has_memory = draft->has_memory &&
                        oxi_list_append(&draft->names, path, strlen(path) + 1) &&
                        oxi_list_push(&draft->accesses, access);
}

// The fields from `index` on that lie in the same struct, whose first element is `shift` bytes
// before the one that is meant.
static void list_fields(scan_draft *draft, uint32_t index, uint32_t end, size_t shift,
                        const char *prefix) {
    for (uint32_t k = index; k < end; k += 1 + draft->layout->fields[k].field_count) {
        const ox_field *field = &draft->layout->fields[k];
        for (uint32_t n = 0; n < field->count && draft->has_memory; n++) {
            char path[LONGEST_PATH];
            const char *dot = prefix[0] != 0 && field->name[0] != 0 ? "." : "";
            if (field->is_array) {
                oxi_text_print(path, sizeof path, "%s%s%s[%u]", prefix, dot, field->name,
                               (unsigned)n);
            } else {
                oxi_text_print(path, sizeof path, "%s%s%s", prefix, dot, field->name);
            }
            size_t moved = shift + n * field->size;
            if (is_container(field)) {
                add_access(draft, field, field->offset + moved, path);
            } else if (field->kind == OX_FIELD_STRUCT) {
                list_fields(draft, k + 1, k + 1 + field->field_count, moved, path);
            } else {
                break; // nothing in it
            }
        }
    }
}

static bool require_no_pointers(const ox_job_type *type, const ox_layout *layout, ox_site site) {
    for (uint32_t k = 0; ox_get_safety_level() > 0 && k < layout->field_count; k++) {
        const ox_field *field = &layout->fields[k];
        bool is_bare = field->kind == OX_FIELD_POINTER && (field->marks & OX_MARK_NO_SAFETY) == 0;
        if (!OXI_REQUIRE(!is_bare, NULL, OX_REPORT_RAW_POINTER, site,
                         OXI_NAME("field", field->name), OXI_NAME("job", type->type.name),
                         OXI_SITE("job_site", type->type.site))) {
            return false;
        }
    }
    return true;
}

// Copies a draft into one block and hangs it into the type.
static const kept_scan *keep_scan(ox_job_type *type, const scan_draft *draft) {
    size_t names = draft->accesses.count * sizeof(ox_job_field);
    size_t size = sizeof(kept_scan) + names + draft->names.count;
    kept_scan *kept = draft->has_memory ? oxi_heap_alloc(size, _Alignof(kept_scan)) : NULL;
    if (kept == NULL) {
        return NULL;
    }
    *kept = (kept_scan){type, kept_scans, size, (uint32_t)draft->accesses.count};
    char *texts = (char *)kept->accesses + names;
    for (uint32_t k = 0; k < kept->count; k++) {
        kept->accesses[k] = draft->accesses.items[k];
        kept->accesses[k].name = texts + (uintptr_t)draft->accesses.items[k].name;
    }
    if (draft->names.count > 0) {
        memcpy(texts, draft->names.items, draft->names.count);
    }
    kept_scans = kept;
    type->oxi_scan = kept;
    return kept;
}

static const kept_scan *scan_text(ox_job_type *type, ox_site site) {
    ox_layout layout;
    if (!ox_layout_create_at(&type->type, &layout, site)) {
        return NULL;
    }
    const kept_scan *kept = NULL;
    if (require_no_pointers(type, &layout, site)) {
        scan_draft draft = {.layout = &layout, .has_memory = true};
        list_fields(&draft, 0, layout.field_count, 0, "");
        kept = keep_scan(type, &draft);
        OXI_REQUIRE(kept != NULL, NULL, OX_REPORT_OUT_OF_MEMORY, site,
                    OXI_NUMBER("bytes", sizeof(kept_scan)),
                    OXI_NAME("allocator", "the safety system"));
        oxi_list_free(&draft.accesses);
        oxi_list_free(&draft.names);
    }
    ox_layout_dispose(&layout);
    return kept;
}

static bool require_listed(const ox_job_type *type, ox_site site) {
    bool has_list = type->access_count == 0 || (type->access_count > 0 && type->accesses != NULL);
    if (!OXI_REQUIRE(has_list, NULL, OX_REPORT_BAD_JOB_ACCESS, site, OXI_NAME("field", ""),
                     OXI_NAME("job", type->type.name), OXI_NUMBER("offset", 0),
                     OXI_NUMBER("size", type->type.size))) {
        return false;
    }
    for (int k = 0; k < type->access_count; k++) {
        const char *name = type->accesses[k].name;
        size_t offset = type->accesses[k].offset;
        bool fits = name != NULL && type->type.size >= sizeof(ox_access) &&
                    offset <= type->type.size - sizeof(ox_access) &&
                    offset % _Alignof(ox_access) == 0;
        if (!OXI_REQUIRE(fits, NULL, OX_REPORT_BAD_JOB_ACCESS, site,
                         OXI_NAME("field", name != NULL ? name : ""),
                         OXI_NAME("job", type->type.name), OXI_NUMBER("offset", offset),
                         OXI_NUMBER("size", type->type.size)) ||
            !OXI_REQUIRE_ENUM(type->accesses[k].marks, ALL_MARKS, ox_field_mark, NULL,
                              type->type.name, site)) {
            return false;
        }
    }
    return true;
}

bool oxi_job_scan_get(ox_job_type *type, oxi_job_scan *scan, ox_site site) {
    if (type->type.text == NULL) {
        *scan = (oxi_job_scan){type->accesses, (uint32_t)type->access_count};
        return require_listed(type, site);
    }
    const kept_scan *kept = type->oxi_scan != NULL ? type->oxi_scan : scan_text(type, site);
    if (kept == NULL) {
        return false;
    }
    *scan = (oxi_job_scan){kept->accesses, kept->count};
    return true;
}

void oxi_job_scans_reset(void) {
    while (kept_scans != NULL) {
        kept_scan *gone = kept_scans;
        kept_scans = gone->next;
        gone->type->oxi_scan = NULL;
        oxi_heap_free(gone, gone->block_size, _Alignof(kept_scan));
    }
}
