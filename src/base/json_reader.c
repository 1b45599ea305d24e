// SPDX-License-Identifier: MIT
//
// Reading JSON.
//
// The text is read once, from front to back, with a stack of the objects and arrays that are open:
// each step reads one value, or ends the innermost level. All strings go to one block that is as
// large as the text, reserved before the first: unescaping never makes a string longer, and its two
// quotes pay for the 0. So the block never moves, and nodes point into it.
//
// Invariant: open[k] is the node of level k, open[k] < open[k + 1], and its span is set when it
// ends. On failure everything is freed.

#include "base/json_reader.h"

#include "base/json_keys.h"
#include "base/number.h"
#include "base/utf8.h"

typedef struct json_parser {
    oxi_json *json;
    const char *text;
    size_t size;
    size_t offset; // of the next byte; on failure, of the error
    oxi_json_error_code error;
    uint32_t depth;
    uint32_t open[OXI_JSON_MAX_DEPTH];
    oxi_json_key_list keys; // scratch: the names of the object that ends
} json_parser;

static bool refuse_json(json_parser *parser, oxi_json_error_code error) {
    parser->error = error;
    return false;
}

// What should stand here does not: `error`, or that the text is at its end.
static bool refuse_json_here(json_parser *parser, oxi_json_error_code error) {
    return refuse_json(parser, parser->offset < parser->size ? error : OXI_JSON_ERROR_END);
}

static char peek_json(const json_parser *parser) {
    return parser->offset < parser->size ? parser->text[parser->offset] : 0;
}

static void skip_json_space(json_parser *parser) {
    while (parser->offset < parser->size) {
        char c = parser->text[parser->offset];
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
            return;
        }
        parser->offset++;
    }
}

static bool add_json_node(json_parser *parser, oxi_json_node node) {
    node.span = 1;
    return oxi_list_push(&parser->json->nodes, node) ||
           refuse_json(parser, OXI_JSON_ERROR_OUT_OF_MEMORY);
}

// There is room: see the top of the file.
static void add_json_bytes(json_parser *parser, const char *bytes, size_t size) {
    size_t count = parser->json->strings.count;
    OXI_ASSERT(size <= parser->json->strings.capacity - count);
    memcpy(parser->json->strings.items + count, bytes, size);
    parser->json->strings.count = count + size;
}

static void add_json_code(json_parser *parser, uint32_t code) {
    char bytes[4];
    add_json_bytes(parser, bytes, oxi_utf8_encode(code, bytes));
}

// Reads the four digits of an escape.
static bool read_json_hex(json_parser *parser, uint32_t *code) {
    *code = 0;
    for (int k = 0; k < 4; k++) {
        char c = peek_json(parser);
        bool is_letter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        if (!is_letter && !(c >= '0' && c <= '9')) {
            return refuse_json_here(parser, OXI_JSON_ERROR_ESCAPE);
        }
        *code = *code << 4 | (uint32_t)(is_letter ? (c | 0x20) - 'a' + 10 : c - '0');
        parser->offset++;
    }
    return true;
}

// Reads the rest of \uXXXX, and of the second half when the first is one of a pair.
static bool read_json_code(json_parser *parser) {
    size_t start = parser->offset;
    uint32_t code, low = 0;
    if (!read_json_hex(parser, &code)) {
        return false;
    }
    if (code < 0xd800 || code > 0xdfff) {
        add_json_code(parser, code);
        return true;
    }

    bool has_second = parser->size - parser->offset >= 2 && parser->text[parser->offset] == '\\' &&
                      parser->text[parser->offset + 1] == 'u';
    if (code < 0xdc00 && has_second) {
        parser->offset += 2;
        if (!read_json_hex(parser, &low)) {
            return false;
        }
    }
    if (low < 0xdc00 || low > 0xdfff) {
        parser->offset = start;
        return refuse_json(parser, OXI_JSON_ERROR_SURROGATE);
    }
    add_json_code(parser, 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00));
    return true;
}

static bool read_json_escape(json_parser *parser) {
    static const char letters[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    parser->offset++;
    char c = peek_json(parser);
    const char *letter = c != 0 ? strchr(letters, c) : NULL;
    if (letter == NULL && c != 'u') {
        return refuse_json_here(parser, OXI_JSON_ERROR_ESCAPE);
    }
    parser->offset++;
    if (letter == NULL) {
        return read_json_code(parser);
    }
    add_json_bytes(parser, &meanings[letter - letters], 1);
    return true;
}

// Reads one character of a string that is neither its end nor plain.
static bool read_json_character(json_parser *parser) {
    const char *at = parser->text + parser->offset;
    if (*at == '\\') {
        return read_json_escape(parser);
    }
    if ((uint8_t)*at < 0x20) {
        return refuse_json(parser, OXI_JSON_ERROR_CONTROL);
    }

    uint32_t code;
    size_t size = oxi_utf8_decode(at, parser->size - parser->offset, &code);
    if (size == 0) {
        return refuse_json(parser, OXI_JSON_ERROR_UTF8);
    }
    add_json_bytes(parser, at, size);
    parser->offset += size;
    return true;
}

static void read_json_plain(json_parser *parser) {
    size_t start = parser->offset;
    while (parser->offset < parser->size && oxi_json_is_plain(parser->text[parser->offset])) {
        parser->offset++;
    }
    add_json_bytes(parser, parser->text + start, parser->offset - start);
}

static bool read_json_string(json_parser *parser) {
    if (!oxi_list_reserve(&parser->json->strings, parser->size)) {
        return refuse_json(parser, OXI_JSON_ERROR_OUT_OF_MEMORY);
    }
    size_t start = parser->json->strings.count;
    parser->offset++;
    read_json_plain(parser);
    while (parser->offset < parser->size && parser->text[parser->offset] != '"') {
        if (!read_json_character(parser)) {
            return false;
        }
        read_json_plain(parser);
    }
    if (parser->offset >= parser->size) {
        return refuse_json(parser, OXI_JSON_ERROR_END);
    }

    parser->offset++;
    oxi_json_node node = {.kind = OXI_JSON_STRING};
    node.as.string.data = parser->json->strings.items + start;
    node.as.string.size = parser->json->strings.count - start;
    add_json_bytes(parser, "", 1);
    return add_json_node(parser, node);
}

// An integer that an int64_t or uint64_t holds exactly. -0 is left to be a double.
static bool convert_json_integer(const char *text, size_t size, oxi_json_node *node) {
    if (oxi_number_read_int(text, size, &node->as.integer)) {
        node->kind = OXI_JSON_INT;
        return node->as.integer != 0 || text[0] != '-';
    }
    node->kind = OXI_JSON_UINT;
    return oxi_number_read_uint(text, size, &node->as.number);
}

static bool read_json_number(json_parser *parser) {
    const char *text = parser->text + parser->offset;
    oxi_number_span span = oxi_number_scan(text, parser->size - parser->offset);
    if (span.size == 0) {
        return refuse_json(parser, OXI_JSON_ERROR_NUMBER);
    }

    oxi_json_node node = {0};
    if (!span.is_integer || !convert_json_integer(text, span.size, &node)) {
        node.kind = OXI_JSON_DOUBLE;
        if (!oxi_number_read_double(text, span.size, &node.as.real)) {
            return refuse_json(parser, OXI_JSON_ERROR_NUMBER_RANGE);
        }
    }
    parser->offset += span.size;
    return add_json_node(parser, node);
}

static bool read_json_word(json_parser *parser, const char *word, oxi_json_node node) {
    for (; *word != 0; word++) {
        if (peek_json(parser) != *word) {
            return refuse_json_here(parser, OXI_JSON_ERROR_VALUE);
        }
        parser->offset++;
    }
    return add_json_node(parser, node);
}

static bool open_json_level(json_parser *parser, oxi_json_kind kind) {
    if (parser->depth == OXI_JSON_MAX_DEPTH) {
        return refuse_json(parser, OXI_JSON_ERROR_TOO_DEEP);
    }
    parser->open[parser->depth++] = (uint32_t)parser->json->nodes.count;
    parser->offset++;
    return add_json_node(parser, (oxi_json_node){.kind = (uint32_t)kind});
}

// Reads a value, or the beginning of one with others inside.
static bool read_json_value(json_parser *parser) {
    skip_json_space(parser);
    char c = peek_json(parser);
    switch (c) {
    case '{':
        return open_json_level(parser, OXI_JSON_OBJECT);
    case '[':
        return open_json_level(parser, OXI_JSON_ARRAY);
    case '"':
        return read_json_string(parser);
    case 'n':
        return read_json_word(parser, "null", (oxi_json_node){.kind = OXI_JSON_NULL});
    case 't':
        return read_json_word(parser, "true",
                              (oxi_json_node){.kind = OXI_JSON_BOOL, .as.boolean = true});
    case 'f':
        return read_json_word(parser, "false", (oxi_json_node){.kind = OXI_JSON_BOOL});
    default:
        if (c == '-' || (c >= '0' && c <= '9')) {
            return read_json_number(parser);
        }
        return refuse_json_here(parser, OXI_JSON_ERROR_VALUE);
    }
}

static bool close_json_level(json_parser *parser) {
    size_t index = parser->open[--parser->depth];
    oxi_json_node *node = &parser->json->nodes.items[index];
    node->span = (uint32_t)(parser->json->nodes.count - index);
    if (node->kind == OXI_JSON_OBJECT) {
        parser->error = oxi_json_check_keys(node, &parser->keys);
    }
    if (parser->error != OXI_JSON_ERROR_NONE) {
        return false;
    }
    parser->offset++;
    return true;
}

static bool read_json_key(json_parser *parser) {
    skip_json_space(parser);
    if (peek_json(parser) != '"') {
        return refuse_json_here(parser, OXI_JSON_ERROR_KEY);
    }
    if (!read_json_string(parser)) {
        return false;
    }
    skip_json_space(parser);
    if (peek_json(parser) != ':') {
        return refuse_json_here(parser, OXI_JSON_ERROR_COLON);
    }
    parser->offset++;
    return true;
}

// Ends the innermost level, or reads its next item.
static bool read_json_item(json_parser *parser) {
    oxi_json_node *level = &parser->json->nodes.items[parser->open[parser->depth - 1]];
    bool is_object = level->kind == OXI_JSON_OBJECT;
    skip_json_space(parser);
    if (peek_json(parser) == (is_object ? '}' : ']')) {
        return close_json_level(parser);
    }
    if (level->as.count > 0) {
        if (peek_json(parser) != ',') {
            return refuse_json_here(parser, OXI_JSON_ERROR_SEPARATOR);
        }
        parser->offset++;
    }
    level->as.count++;
    return (!is_object || read_json_key(parser)) && read_json_value(parser);
}

static bool read_json_text(json_parser *parser) {
    if (parser->size > OXI_JSON_MAX_SIZE) {
        return refuse_json(parser, OXI_JSON_ERROR_TOO_LARGE);
    }
    if (!read_json_value(parser)) {
        return false;
    }
    while (parser->depth > 0) {
        if (!read_json_item(parser)) {
            return false;
        }
    }
    skip_json_space(parser);
    return parser->offset == parser->size || refuse_json(parser, OXI_JSON_ERROR_EXTRA);
}

static const char *json_error_message(oxi_json_error_code code) {
    static const char *const messages[] = {
#define JSON_ERROR_MESSAGE(name, message) message,
        OXI_JSON_ERROR_LIST(JSON_ERROR_MESSAGE)
#undef JSON_ERROR_MESSAGE
    };
    return messages[code];
}

bool oxi_json_read(oxi_json *json, const char *text, size_t size, oxi_json_error *error) {
    *json = (oxi_json){0};
    json_parser parser = {.json = json, .text = text, .size = size};
    bool is_read = read_json_text(&parser);
    oxi_list_free(&parser.keys);
    if (!is_read) {
        oxi_json_free(json);
    }
    if (error != NULL) {
        *error = (oxi_json_error){parser.error, is_read ? 0 : parser.offset,
                                  json_error_message(parser.error)};
    }
    return is_read;
}

void oxi_json_free(oxi_json *json) {
    oxi_list_free(&json->nodes);
    oxi_list_free(&json->strings);
}

const oxi_json_node *oxi_json_root(const oxi_json *json) {
    return json->nodes.count > 0 ? &json->nodes.items[0] : NULL;
}
