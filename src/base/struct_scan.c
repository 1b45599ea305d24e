// SPDX-License-Identifier: MIT
//
// The struct-text scanner: lays a struct out again from its text.
//
// A body is read twice, once to count fields and names and once to fill one block with them. Marks
// have no expansion, so when a type has a raw text with marks in it, a second cursor walks that
// text in step, declaration by declaration.
//
// Never a guess: whatever is not understood ends the scan with a fault that names the field, and
// what is understood must come to the size and alignment that the compiler gave, for the struct and
// for each one inside it.

#include "base/struct_scan.h"

#include "base/check.h"
#include "base/constants.h"
#include "base/text.h"

#include <string.h>

// Where the scan is in a text, and in the raw text beside it (NULL: no marks to look for there).
typedef struct scan_place {
    const char *text;
    const char *raw;
} scan_place;

// A struct being laid out.
typedef struct scan_frame {
    size_t base; // offset of the struct in the outermost one
    size_t size;
    size_t align;
    uint32_t marks;
    int32_t parent;
    int depth;
} scan_frame;

// A declaration being read.
typedef struct scan_declared {
    const char *text;
    oxi_specifier specifier;
    scan_place body; // of a struct written in place
} scan_declared;

static bool scan_type(oxi_scan *scan, const ox_type *type, scan_frame *frame);
static bool scan_body(oxi_scan *scan, scan_place *place, scan_frame *frame);

// Faults.

static const char no_fields[] = "the struct has no fields";
static const char advice_no_fields[] = "give it a field, or write OX_NO_FIELDS for its body";

static void copy_token(char *to, size_t size, oxi_token token) {
    oxi_text text = oxi_text_over(to, size);
    oxi_text_append_sized(&text, token.text, token.length);
}

static bool fail_scan(oxi_scan *scan, ox_report_id id, oxi_token field, oxi_token type_name) {
    scan->fault.id = id;
    scan->fault.type = scan->inside;
    copy_token(scan->fault.field, sizeof scan->fault.field, field);
    copy_token(scan->fault.type_name, sizeof scan->fault.type_name, type_name);
    return false;
}

// The text of a declaration, up to its ';' or what stands in its place.
static oxi_token text_of_declaration(const char *declaration) {
    oxi_token all = {oxi_token_peek(declaration).text, 0};
    int depth = 0;
    for (;;) {
        oxi_token token = oxi_token_next(&declaration);
        depth += oxi_token_is(token, "{");
        depth -= oxi_token_is(token, "}");
        if (token.length == 0 || depth < 0 || (depth == 0 && oxi_token_is(token, ";"))) {
            return all;
        }
        all.length = (size_t)(token.text + token.length - all.text);
    }
}

// The field is named by the text of its declaration.
static bool fail_reading(oxi_scan *scan, const char *declaration, const char *why,
                         const char *advice) {
    scan->fault.text = (oxi_unreadable){why, advice};
    return fail_scan(scan, OX_REPORT_UNREADABLE_FIELD, text_of_declaration(declaration),
                     (oxi_token){"", 0});
}

// The same after a declaration was read in part: a constant may be the reason.
static bool fail_declaration(oxi_scan *scan, const char *declaration, const oxi_unreadable *fault) {
    const oxi_constant_names *names = &scan->constants;
    fail_reading(scan, declaration, fault->why, fault->advice);
    if (names->missing.length == 0) {
        return false;
    }
    bool is_conflict = names->second != NULL;
    scan->fault.id = is_conflict ? OX_REPORT_CONSTANT_CONFLICT : OX_REPORT_UNKNOWN_CONSTANT;
    scan->fault.first = names->first;
    scan->fault.second = names->second;
    copy_token(scan->fault.constant, sizeof scan->fault.constant, names->missing);
    return false;
}

static bool fail_at_marks(oxi_scan *scan, const char *declaration) {
    return fail_reading(scan, declaration,
                        "a macro makes several fields, so marks cannot be told apart",
                        "write the fields of a struct with marks out, without such a macro");
}

// Marks.

static bool has_marks(const char *text) {
    for (oxi_token token = oxi_token_next(&text); token.length > 0; token = oxi_token_next(&text)) {
        if (oxi_token_mark(token) != 0) {
            return true;
        }
    }
    return false;
}

// The beginning of a type's text. The raw text is walked beside it only when it has marks.
static scan_place place_of_type(const ox_type *type) {
    if (type->expanded == NULL) {
        return (scan_place){type->text, NULL};
    }
    return (scan_place){type->expanded, has_marks(type->text) ? type->text : NULL};
}

// Moves the raw cursor behind the first '{': in front of it may be the name of a macro.
static bool enter_raw_text(scan_place *place) {
    while (place->raw != NULL) {
        oxi_token token = oxi_token_next(&place->raw);
        if (token.length == 0 || oxi_token_is(token, "{")) {
            return token.length > 0;
        }
    }
    return true;
}

// The marks of the next declaration in the raw text, whose cursor moves to the ';' that ends it, or
// to the '{' of a struct written in place. Arguments of macros may hold marks too.
static uint32_t read_raw_marks(scan_place *place) {
    uint32_t marks = 0;
    bool is_struct = false;
    for (int depth = 0; place->raw != NULL;) {
        const char *ahead = place->raw;
        oxi_token token = oxi_token_next(&ahead);
        bool opens = oxi_token_is(token, "{"), closes = oxi_token_is(token, "}");
        bool ends = oxi_token_is(token, ";") || closes || (opens && is_struct);
        if (token.length == 0 || (depth == 0 && ends)) {
            return marks;
        }
        place->raw = ahead;
        marks |= oxi_token_mark(token);
        is_struct = is_struct || oxi_token_is(token, "struct");
        depth += opens || oxi_token_is(token, "(");
        depth -= depth > 0 && (closes || oxi_token_is(token, ")"));
    }
    return marks;
}

// Fields.

static const char *keep_name(oxi_scan *scan, oxi_token name) {
    char *kept = scan->names != NULL ? scan->names + scan->name_bytes : NULL;
    if (kept != NULL) {
        memcpy(kept, name.text, name.length);
        kept[name.length] = 0;
    }
    scan->name_bytes += name.length + 1;
    return kept;
}

// Adds a field and returns its index, or -1.
static int32_t add_field(oxi_scan *scan, const oxi_specifier *specifier,
                         const oxi_declarator *declarator, const ox_field *draft) {
    if (scan->field_count == OXI_MOST_FIELDS) {
        scan->fault.text = (oxi_unreadable){"the struct has more than 4096 fields",
                                            "make it smaller, or nest less"};
        fail_scan(scan, OX_REPORT_UNREADABLE_FIELD, declarator->name, specifier->name);
        return -1;
    }
    uint32_t index = scan->field_count++;
    const char *name = keep_name(scan, declarator->name);
    const char *type_name = keep_name(scan, specifier->name);
    if (scan->fields != NULL) {
        scan->fields[index] = *draft;
        scan->fields[index].name = name;
        scan->fields[index].type_name = type_name;
    }
    return (int32_t)index;
}

// Adds a field, and behind it the fields of its struct.
static bool add_fields(oxi_scan *scan, const scan_declared *declared,
                       const oxi_declarator *declarator, const ox_field *draft, int depth) {
    const oxi_specifier *specifier = &declared->specifier;
    int32_t index = add_field(scan, specifier, declarator, draft);
    if (index < 0 || draft->kind != OX_FIELD_STRUCT) {
        return index >= 0;
    }
    if (depth == OXI_DEEPEST_STRUCT) {
        return fail_scan(scan, OX_REPORT_STRUCT_TOO_DEEP, declarator->name, specifier->name);
    }
    scan_frame inner = {draft->offset, 0, 1, draft->marks, index, depth + 1};
    scan_place body = declared->body;
    bool ok = specifier->type != NULL ? scan_type(scan, specifier->type, &inner)
                                      : scan_body(scan, &body, &inner);
    if (ok && scan->fields != NULL) {
        scan->fields[index].field_count = scan->field_count - (uint32_t)index - 1;
    }
    return ok;
}

// Lays out one name.
static bool place_field(oxi_scan *scan, scan_frame *frame, const scan_declared *declared,
                        const oxi_declarator *declarator) {
    const oxi_specifier *specifier = &declared->specifier;
    bool is_pointer = declarator->is_pointer;
    if (!is_pointer && !specifier->is_known) {
        return fail_scan(scan, OX_REPORT_UNKNOWN_TYPE, declarator->name, specifier->name);
    }
    size_t size = is_pointer ? sizeof(void *) : specifier->size;
    size_t align = is_pointer ? _Alignof(void *) : specifier->align;
    align = align > specifier->least_align ? align : specifier->least_align;
    size_t offset = (frame->size + align - 1) & ~(align - 1);
    if (offset > PTRDIFF_MAX || declarator->count > (PTRDIFF_MAX - offset) / size) {
        scan->fault.text =
            (oxi_unreadable){"the struct is larger than any memory", "make its arrays shorter"};
        return fail_scan(scan, OX_REPORT_UNREADABLE_FIELD, declarator->name, specifier->name);
    }
    frame->size = offset + size * declarator->count;
    frame->align = align > frame->align ? align : frame->align;

    ox_field draft = {.type = is_pointer ? NULL : specifier->type,
                      .offset = frame->base + offset,
                      .size = size,
                      .count = (uint32_t)declarator->count,
                      .marks = specifier->marks | frame->marks,
                      .parent = frame->parent,
                      .kind = is_pointer ? OX_FIELD_POINTER : specifier->kind,
                      .scalar = is_pointer ? OX_SCALAR_NONE : specifier->scalar,
                      .is_array = declarator->is_array};
    return scan->silent > 0 || add_fields(scan, declared, declarator, &draft, frame->depth);
}

// Declarations and bodies.

static bool fail_at_depth(oxi_scan *scan, const scan_place *place, const oxi_specifier *specifier) {
    const char *ahead = place->text;
    oxi_declarator declarator;
    oxi_unreadable unused;
    bool has_name = oxi_declarator_read(&ahead, &scan->constants, &declarator, &unused);
    return fail_scan(scan, OX_REPORT_STRUCT_TOO_DEEP, has_name ? declarator.name : specifier->name,
                     specifier->name);
}

// Finds size and alignment of a struct written in place, whose body is read again for each name.
// The raw cursor moves behind the body, unless a macro made it.
static bool measure_body(oxi_scan *scan, scan_place *place, const scan_frame *frame,
                         scan_declared *declared) {
    oxi_specifier *specifier = &declared->specifier;
    if (frame->depth == OXI_DEEPEST_STRUCT) {
        return fail_at_depth(scan, place, specifier);
    }
    bool has_raw = place->raw != NULL && oxi_token_accept(&place->raw, "{");
    declared->body = (scan_place){specifier->body, has_raw ? place->raw : NULL};
    scan_place end = declared->body;
    scan_frame inner = {.align = 1, .parent = -1, .depth = frame->depth + 1};
    scan->silent++;
    bool ok = scan_body(scan, &end, &inner);
    scan->silent--;
    if (ok && inner.size == 0) {
        return fail_reading(scan, declared->text, no_fields, advice_no_fields);
    }
    place->raw = has_raw ? end.raw : place->raw;
    specifier->size = inner.size;
    specifier->align = inner.align;
    return ok;
}

// The names behind a type.
static bool scan_declarators(oxi_scan *scan, scan_place *place, scan_frame *frame,
                             const scan_declared *declared) {
    oxi_declarator declarator = {.name = {"", 0}, .count = 1};
    if (declared->body.text != NULL && oxi_token_is(oxi_token_peek(place->text), ";")) {
        // An anonymous struct: its fields are fields of this one, under a field without a name.
        return declared->specifier.has_tag
                   ? fail_reading(scan, declared->text,
                                  "a struct with a tag and no name makes no field",
                                  "remove the tag, or give the field a name")
                   : place_field(scan, frame, declared, &declarator);
    }
    do {
        oxi_unreadable fault;
        if (!oxi_declarator_read(&place->text, &scan->constants, &declarator, &fault)) {
            return fail_declaration(scan, declared->text, &fault);
        }
        if (!place_field(scan, frame, declared, &declarator)) {
            return false;
        }
    } while (oxi_token_accept(&place->text, ","));
    return true;
}

// One `type a, *b, c[4];`
static bool scan_declaration(oxi_scan *scan, scan_place *place, scan_frame *frame) {
    scan_declared declared = {.text = place->text};
    oxi_specifier *specifier = &declared.specifier;
    oxi_unreadable fault;
    uint32_t marks = read_raw_marks(place);
    if (!oxi_specifier_read(&place->text, &scan->constants, specifier, &fault)) {
        return fail_declaration(scan, declared.text, &fault);
    }
    if (specifier->body != NULL && !measure_body(scan, place, frame, &declared)) {
        return false;
    }
    specifier->marks |= marks | read_raw_marks(place);
    if (!scan_declarators(scan, place, frame, &declared)) {
        return false;
    }
    if (!oxi_token_accept(&place->text, ";")) {
        return fail_reading(scan, declared.text, "something unexpected follows its name",
                            oxi_plain_advice);
    }
    return place->raw == NULL || oxi_token_accept(&place->raw, ";") ||
           fail_at_marks(scan, declared.text);
}

// Declarations up to the '}' of a body whose '{' is read. The cursors end behind it.
static bool scan_body(oxi_scan *scan, scan_place *place, scan_frame *frame) {
    while (!oxi_token_accept(&place->text, "}")) {
        if (oxi_token_peek(place->text).length == 0) {
            return fail_reading(scan, "", "the text ends before its '}'", oxi_plain_advice);
        }
        if (!scan_declaration(scan, place, frame)) {
            return false;
        }
    }
    frame->size = (frame->size + frame->align - 1) & ~(frame->align - 1);
    return place->raw == NULL || oxi_token_accept(&place->raw, "}") ||
           fail_at_marks(scan, place->raw);
}

// What a whole text must be, beside its fields.
static bool require_whole(oxi_scan *scan, const scan_place *place, const scan_frame *frame) {
    if (frame->size == 0) {
        return fail_reading(scan, "", no_fields, advice_no_fields);
    }
    if (oxi_token_peek(place->text).length > 0) {
        return fail_reading(scan, place->text, "something follows the body of the struct",
                            "remove it: attributes of a struct are not read");
    }
    if (frame->size != scan->inside->size || frame->align != scan->inside->align) {
        scan->fault.text_size = frame->size;
        scan->fault.text_align = frame->align;
        return fail_scan(scan, OX_REPORT_LAYOUT_MISMATCH, (oxi_token){"", 0}, (oxi_token){"", 0});
    }
    return true;
}

static bool scan_type(oxi_scan *scan, const ox_type *type, scan_frame *frame) {
    const ox_type *around = scan->inside;
    scan_place place = place_of_type(type);
    scan->inside = type;
    scan->constants.scope = type->scope;
    if (!oxi_token_accept(&place.text, "{")) {
        return fail_reading(scan, place.text, "the text does not begin with '{'",
                            "write the body of the struct in braces");
    }
    if (!enter_raw_text(&place)) {
        return fail_at_marks(scan, type->text);
    }
    if (!scan_body(scan, &place, frame) || !require_whole(scan, &place, frame)) {
        return false;
    }
    scan->inside = around;
    scan->constants.scope = around != NULL ? around->scope : NULL;
    return true;
}

bool oxi_scan_run(oxi_scan *scan, const ox_type *type) {
    scan_frame frame = {.align = 1, .parent = -1};
    scan->constants = (oxi_constant_names){.count = oxi_constant_count()};
    return scan_type(scan, type, &frame);
}

size_t oxi_scan_size(const oxi_scan *counted) {
    return counted->field_count * sizeof(ox_field) + counted->name_bytes;
}

void oxi_scan_fill(const oxi_scan *counted, const ox_type *type, void *block, ox_layout *layout) {
    size_t fields_size = counted->field_count * sizeof(ox_field);
    scan_frame frame = {.align = 1, .parent = -1};
    oxi_scan scan = {.fields = block,
                     .names = (char *)block + fields_size,
                     .constants = {.count = counted->constants.count}};
    bool same = scan_type(&scan, type, &frame);
    OXI_ASSERT(same && oxi_scan_size(&scan) == oxi_scan_size(counted));
    (void)same;
    *layout =
        (ox_layout){scan.fields, scan.field_count, type->size, type->align, oxi_scan_size(counted)};
}
