#!/usr/bin/env python3
"""Tests of the checks: each is green on a small clean project, and red on a planted mistake.

Everything happens in a temporary folder. With OX_TEST_RESULTS set to a folder, the file tools.txt
there gets the number of tests and a line for each that passed, as tools/run_tests.py reads it.

    test_tools.py [TEST...]
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

TOOLS = pathlib.Path(__file__).resolve().parent.parent
SPDX = "// SPDX-License-Identifier: MIT\n"
FENCE = "```"

REPORT_LIST = SPDX + r'''
#pragma once

/// Every report.
// long: a list
#define OX_REPORT_LIST(X)                                                                          \
    X(B, 1, NULL_ARGUMENT, ERROR, "an argument is NULL", "'{argument}' is NULL", "pass one")       \
    X(B, 2, BROKEN, FAILURE, "it \"broke\"",                                                       \
      "it broke "                                                                                  \
      "at {site}",                                                                                 \
      "write `x = {0};`")
'''

CLEAN = {
    "layers.txt": "# room | headers | stands on\nbase | base detail/report_list |\njobs | jobs | base\n",
    ".clang-format": "BasedOnStyle: LLVM\nColumnLimit: 100\nIndentWidth: 4\n",
    "include/oxbow.h": SPDX + '\n#pragma once\n\n#include "oxbow/base.h"\n',
    "include/oxbow/base.h": SPDX + '''
#pragma once

#include <stdint.h>

/// A number.
typedef uint32_t ox_number;

/// Returns its argument.
ox_number ox_number_same_at(ox_number number, const char *site);
#define ox_number_same(number) ox_number_same_at(number, "here")
''',
    "include/oxbow/detail/report_list.h": REPORT_LIST,
    "src/base/heap.h": SPDX + '''
#pragma once

#define oxi_heap_alloc(size) oxi_heap_alloc_at(size, OX_HERE)
''',
    "src/base/number.c": SPDX + '''
#include "oxbow/base.h"

#include "base/heap.h"

// Strings and comments may say malloc(1), goto and atomic_thread_fence.
static const char *text = "free(text)";

int use(int id) {
    report(OX_REPORT_NULL_ARGUMENT, OX_REPORT_BROKEN);
    if (oxi_heap_alloc(id) == 0) {
        return oxi_heap_alloc(1); // unfailed: never here
    }
    return oxi_heap_alloc( //
        id + 2);
}
''',
    "src/jobs/job.c": SPDX + '\n#include "base/heap.h"\n#include "oxbow/base.h"\n',
    "tests/base/test_number.c": SPDX + "\nint id = OX_REPORT_NULL_ARGUMENT + OX_REPORT_BROKEN;\n",
    "results/test_number.faults": "src/base/number.c:12\nsrc/base/number.c:16\n",
    "README.md": f'''# Project

See [the header](include/oxbow/base.h#top), [itself](#project) and [the web](https://example.org).

{FENCE}c
#include <oxbow.h>
int main(void) {{
}}
{FENCE}

{FENCE}c body
ox_number number = 1;
printf("%u\\n", number);
return 1;
{FENCE}

{FENCE}sh
any [thing](nowhere)
{FENCE}
''',
}


class ToolTest(unittest.TestCase):
    """A clean project in a temporary folder, and words to plant mistakes in it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        for name, text in CLEAN.items():
            self.write(name, text)

    def write(self, name, text, executable=False):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if executable:
            path.chmod(0o755)

    def append(self, name, text):
        self.write(name, (self.root / name).read_text() + text)

    def replace(self, name, old, new):
        text = (self.root / name).read_text()
        self.assertIn(old, text)
        self.write(name, text.replace(old, new, 1))

    def run_tool(self, tool, *arguments):
        command = [sys.executable, str(TOOLS / f"{tool}.py"), *map(str, arguments or [self.root])]
        ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return ran.returncode, ran.stdout

    def assert_green(self, tool, *arguments):
        code, output = self.run_tool(tool, *arguments)
        self.assertEqual(code, 0, output)
        return output

    def assert_red(self, tool, finding, *arguments):
        code, output = self.run_tool(tool, *arguments)
        self.assertEqual(code, 1, output)
        self.assertIn(finding, output)
        self.assertNotIn("Traceback", output)


class Layers(ToolTest):
    def test_clean(self):
        self.assert_green("check_layers")

    def test_upward_include(self):
        self.append("src/base/number.c", '#include "jobs/job.h"\n')
        self.assert_red("check_layers", 'number.c:18: base may not include "jobs/job.h"')

    def test_upward_public_include(self):
        self.append("include/oxbow/base.h", '#include "oxbow/jobs.h"\n')
        self.assert_red("check_layers", 'base may not include "oxbow/jobs.h"')

    def test_private_include_in_public_header(self):
        self.append("include/oxbow/base.h", '#include "base/heap.h"\n')
        self.assert_red("check_layers", 'a public header may not include "base/heap.h"')

    def test_parent_folder(self):
        self.append("src/jobs/job.c", '#include "../base/heap.h"\n')
        self.assert_red("check_layers", 'has ".." in it')

    def test_umbrella(self):
        self.append("src/jobs/job.c", "#include <oxbow.h>\n")
        self.assert_red("check_layers", "umbrella")

    def test_bare_name(self):
        self.append("src/base/number.c", '#include "heap.h"\n')
        self.assert_red("check_layers", "is not written")

    def test_folder_that_is_no_room(self):
        self.write("src/misc/x.c", SPDX)
        self.assert_red("check_layers", "src/misc: is no room")

    def test_header_without_room(self):
        self.write("include/oxbow/stray.h", SPDX)
        self.assert_red("check_layers", "stray.h:1: has no room")

    def test_private_header_of_its_room(self):
        self.append("layers.txt", "deep | detail/deep | jobs\n")
        self.write("include/oxbow/detail/deep.h", SPDX + '\n#include "oxbow/base.h"\n')
        self.assert_green("check_layers")
        self.append("include/oxbow/base.h", '#include "oxbow/detail/deep.h"\n')
        self.assert_red("check_layers", 'base may not include "oxbow/detail/deep.h"')

    def test_private_header_without_room(self):
        self.write("include/oxbow/detail/stray.h", SPDX)
        self.assert_red("check_layers", "detail/stray.h:1: has no room")

    def test_private_headers_are_of_oxbow_alone(self):
        self.append("src/base/number.c", '#include "base/detail/heap.h"\n')
        self.assert_red("check_layers", "is not written")

    def test_room_on_a_room_below_it(self):
        self.append("layers.txt", "early | | late\nlate | | base\n")
        self.assert_red("check_layers", "early stands on late")


class Kinds(ToolTest):
    """Kinds of components stand in the units for them, and elsewhere by exception only."""

    def test_clean(self):
        self.assert_green("check_kinds")

    def test_constant(self):
        self.append("src/jobs/job.c", "bool tag = info->kind == OX_COMPONENT_KIND_TAG;\n")
        self.assert_red("check_kinds", "job.c:5: OX_COMPONENT_KIND_TAG is for the units of kinds")

    def test_field_of_a_kind(self):
        self.append("src/jobs/job.c", "if (archetype->buffer_count > 0) {\n}\n")
        self.assert_red("check_kinds", "job.c:5: buffer_count is")

    def test_flag_of_an_edge(self):
        self.append("src/jobs/job.c", "if (edge->drops_buffers) {\n}\n")
        self.assert_red("check_kinds", "job.c:5: drops_buffers is")

    def test_predicate(self):
        self.append("src/jobs/job.c", "int x = oxi_is_cleanup(info);\n")
        self.assert_red("check_kinds", "job.c:5: oxi_is_cleanup is")

    def test_column_of_buffers(self):
        self.append("src/jobs/job.c", "int x = column->buffer != NULL;\n")
        self.assert_red("check_kinds", "job.c:5: buffer is")

    def test_operation_that_skips_the_question(self):
        self.append("src/jobs/job.c", "oxi_bits_clear_slow(archetype, rows);\n")
        self.assert_red("check_kinds", "job.c:5: oxi_bits_clear_slow is")

    def test_public_header(self):
        self.append("include/oxbow/base.h", "#define OX_IS_TAG(T) OXI_IS(T, OX_COMPONENT_KIND_TAG)\n")
        self.assert_red("check_kinds", "base.h:13: OX_COMPONENT_KIND_TAG is")

    def test_units_texts_and_longer_names(self):
        self.write("src/storage/lanes.c", SPDX + "int x = archetype->shared_count;\n")
        self.append("src/jobs/job.c", "// buffer_count of \"OX_COMPONENT_KIND_TAG\"\n"
                    'report("leave OX_COMPONENT_CLEANUP out");\n'
                    "int x = query->shared_filter_count + ox_buffer_count_at(buffer, site);\n")
        self.assert_green("check_kinds")

    def test_exception(self):
        self.write("src/entities/query.c", SPDX + "bool x = oxi_is_enableable(info);\n")
        self.assert_green("check_kinds")
        self.append("src/entities/query.c", "bool y = oxi_is_cleanup(info);\n")
        self.assert_red("check_kinds", "query.c:3: oxi_is_cleanup is")

    def test_exception_that_is_not_needed(self):
        self.write("src/entities/query.c", SPDX)
        self.assert_red("check_kinds", "src/entities/query.c needs no exception for oxi_is_enab")


class Sizes(ToolTest):
    def plant(self, code):
        self.append("src/jobs/job.c", code)

    def test_clean(self):
        self.assertEqual(self.assert_green("check_sizes"), "")

    def test_long_function(self):
        self.plant("void f(void) {\n" + "    g();\n" * 98 + "}\n")
        self.assert_red("check_sizes", "job.c:5: too large: f has 100 function lines")

    def test_warning_of_a_function(self):
        self.plant("void f(void) {\n" + "    g();\n" * 58 + "}\n")
        self.assertIn("warning: f has 60", self.assert_green("check_sizes"))

    def test_excused_function(self):
        self.plant("// long: a table\nvoid f(void) {\n" + "    g();\n" * 98 + "}\n")
        self.assertEqual(self.assert_green("check_sizes"), "")

    def test_parameters(self):
        self.plant("void f(int a, int b, int c, int d, void (*e)(int, int), int g, int h) {\n}\n")
        self.assert_red("check_sizes", "f has 7 parameters")

    def test_site_is_no_parameter(self):
        self.plant("void f(int a, int b, int c, int d, ox_site site) {\n}\n")
        self.assertEqual(self.assert_green("check_sizes"), "")

    def test_nesting(self):
        self.plant("void f(void) {\nif (a) {\nfor (;;) {\nswitch (b) {\ncase 1: {\n"
                   "do {\n} while (c);\n}\n}\n}\n}\n}\n")
        self.assert_red("check_sizes", "f has 4 nesting levels")

    def test_values_do_not_nest(self):
        self.plant("void f(void) {\n    t a = {{{{{1}}}}};\n    g((t){{{{2}}}});\n}\n")
        self.assertEqual(self.assert_green("check_sizes"), "")

    def test_macro(self):
        self.plant("#define F(x) \\\n" + "    x \\\n" * 14 + "    x\n")
        self.assert_red("check_sizes", "F has 15 macro body lines")

    def test_excused_macro(self):
        self.plant("// long: a list\n#define F(x) \\\n" + "    x \\\n" * 14 + "    x\n")
        self.assertEqual(self.assert_green("check_sizes"), "")

    def test_long_file(self):
        self.plant("\n" * 1000)
        self.assert_red("check_sizes", "job.c has 1004 source file lines")

    def test_long_header(self):
        self.append("include/oxbow/base.h", "\n" * 600)
        self.assert_red("check_sizes", "public header lines")

    def test_wide_line(self):
        self.plant("// " + "x" * 98 + "\n")
        self.assert_red("check_sizes", "101 columns")


class Symbols(ToolTest):
    def build(self, code, *flags, name):
        path = self.root / name
        command = ["cc", "-x", "c", "-", "-o", path, *flags]
        subprocess.run(command, input=code, text=True, check=True)
        return path

    def test_clean(self):
        code = "void ox_a(void) {} __attribute__((visibility(\"hidden\"))) void oxi_b(void) {}"
        shared = self.build(code, "-shared", "-fPIC", name="liboxbow.so")
        self.assert_green("check_symbols", self.root, shared, self.build(code, "-c", name="a.o"))

    def test_exported_internal_name(self):
        shared = self.build("void oxi_b(void) {}", "-shared", "-fPIC", name="liboxbow.so")
        self.assert_red("check_symbols", "exports oxi_b", self.root, shared)

    def test_internal_name_that_a_header_declares(self):
        self.write("include/oxbow/inline.h", "OX_API void *\noxi_b(int count);\n")
        shared = self.build("void oxi_b(void) {}", "-shared", "-fPIC", name="liboxbow.so")
        self.assert_green("check_symbols", self.root, shared)

    def test_name_without_prefix(self):
        code = "static void fine(void) {} int counter; void ox_a(void) { fine(); }"
        self.assert_red("check_symbols", "defines counter", self.root,
                        self.build(code, "-c", name="a.o"))

    def test_missing_library(self):
        self.assert_red("check_symbols", "cannot be read", self.root, self.root / "none.a")


class Headers(ToolTest):
    def test_clean(self):
        self.assert_green("check_headers")

    def test_not_alone(self):
        self.append("include/oxbow/base.h", "size_t ox_size(void);\n")
        self.assert_red("check_headers", "base.h:1: does not compile alone as C11")

    def test_not_with_checks(self):
        self.append("include/oxbow/base.h", "#if OX_SAFETY >= 2\n#error no\n#endif\n")
        self.assert_red("check_headers", "as C++17 at OX_SAFETY 2")

    def test_not_as_cpp(self):
        self.append("include/oxbow/base.h", "int ox_f(int class);\n")
        self.assert_red("check_headers", "does not compile alone as C++17")

    def test_system_header(self):
        self.append("include/oxbow/base.h", "#include <pthread.h>\n")
        self.assert_red("check_headers", "pthread.h is neither")


class HeaderExamples(ToolTest):
    TOP = SPDX + """//
// Numbers.
//
//     OX_NUMBERS(Ages);        // at file scope
//     typedef struct Pair { ox_number a, b; } Pair;
//     static int twice(int x) {
//         return x + x;
//     }
//
//     Ages ages = {1};
//     Pair both = {ages.count, twice(seed)}; // the seed: of the context
//     if (both.a > 1) {
//         ...
//     } else {
//         twice(2);
//     }
//     use(both);
//
// Threads: any thread.

#pragma once

"""
    CONTEXT = """// What examples use.

OX_NUMBERS(Ages);

static Ages all_ages;

static int seed = 1;

#define use(...) ((void)(__VA_ARGS__))
"""

    def setUp(self):
        super().setUp()
        self.write("tools/header_examples.h", self.CONTEXT)
        self.write("include/oxbow/base.h", self.TOP + "typedef unsigned ox_number;\n"
                   "#define OX_NUMBERS(Name) typedef struct Name { ox_number count; } Name\n")

    def plant(self, old, new):
        path = self.root / "include/oxbow/base.h"
        path.write_text(path.read_text().replace(old, new))

    def test_clean(self):
        self.assert_green("check_header_examples")

    def test_statements_that_do_not_compile(self):
        self.plant("twice(2)", "thrice(2)")
        self.assert_red("check_header_examples", "base.h:5: this example does not compile")
        self.assert_red("check_header_examples", "base.h:16:")

    def test_declarations_that_do_not_compile(self):
        self.plant("ox_number a, b;", "number a, b;")
        self.assert_red("check_header_examples", "base.h:6:")

    def test_names_that_nobody_declares(self):
        self.plant("twice(seed)", "twice(seeds)")
        self.assert_red("check_header_examples", "seeds")

    def test_a_context_that_needs_what_the_example_declares(self):
        self.plant("use(both)", "use(all_ages)")
        self.assert_green("check_header_examples")

    def test_examples_farther_down(self):
        self.append("include/oxbow/base.h", "\n/// Doubles a number:\n///\n///     twice(seed);\n"
                    "#define ox_twice(x) (2 * (x))\n")
        self.assert_red("check_header_examples", "base.h:29: this example does not compile")

    def test_private_headers_and_the_one_of_all_need_no_example(self):
        self.write("include/oxbow/detail/deep.h", SPDX + "\n#pragma once\n")
        self.assert_green("check_header_examples")

    def test_no_example(self):
        self.write("include/oxbow/jobs.h", SPDX + "//\n// Jobs.\n//\n// Threads: any.\n\n#pragma once\n")
        self.assert_red("check_header_examples", "jobs.h:1: the comment at the top has no example")

    def test_no_threads(self):
        self.plant("// Threads: any thread.", "// Any thread.")
        self.assert_red("check_header_examples", 'base.h:1: the comment at the top has no paragraph "Threads:"')


class Comments(ToolTest):
    def plant(self, code):
        self.append("include/oxbow/base.h", "\n" + code)

    def test_clean(self):
        self.assert_green("check_comments")

    def test_private_headers_need_no_comments(self):
        self.write("include/oxbow/detail/deep.h", SPDX + "\nOX_API int ox_deep_at(int a);\n")
        self.assert_green("check_comments")

    def test_what_needs_no_comment(self):
        self.plant("/// A run.\n#define OX_A 1\n#define OX_B 2\n\n#define OX_C 3 ///< behind\n\n"
                   "/// A level.\n#ifndef OX_D\n#define OX_D 0\n#else\n#define OX_D 1\n#endif\n\n"
                   "enum {\n    OX_E, ///< behind\n};\n\nenum { OXI_F };\n#define OXI_G 1\n\n"
                   "/// One.\ntypedef enum ox_h {\n    OX_H_NONE,\n} ox_h;\n"
                   "typedef struct oxi_i oxi_i;\n")
        self.assert_green("check_comments")

    def test_bare_declarations(self):
        for code in ("OX_API void ox_f(void);\n", "static inline int ox_f(int a) {\n}\n",
                     "typedef struct ox_f {\n    int a;\n} ox_f;\n", "typedef void ox_f(int a);\n",
                     "#define OX_F 1\n", "#define ox_f(a) a\n", "enum {\n    OX_F,\n};\n",
                     "/// Far away.\n\nint ox_f(void);\n", "typedef struct ox_f ox_f;\n",
                     "/// One.\n#define OX_A 1\n#define OX_F(x) \\\n    x\n"):
            with self.subTest(code=code):
                self.setUp()
                self.plant(code)
                self.assert_red("check_comments", "no comment above")


class Source(ToolTest):
    def test_clean(self):
        self.assert_green("check_source")

    def test_forbidden(self):
        for code, finding in (("atomic_thread_fence(memory_order_seq_cst);", "fence"),
                              ('__asm__ volatile("mfence" ::: "memory");', "assembly"),
                              ("#include <stdatomic.h>", "atomics"),
                              ("void *x = malloc(1);", "allocation"), ("free(x);", "allocation"),
                              ("pthread_mutex_t lock;", "threads"), ("x = time(NULL);", "system"),
                              ("#include <assert.h>", "assert.h"), ("goto end;", "jump"),
                              ("// TO" + "DO: later", "unfinished")):
            with self.subTest(code=code):
                self.setUp()
                self.append("src/jobs/job.c", code + "\n")
                self.assert_red("check_source", f"src/jobs/job.c:5: {finding}")

    def test_homes(self):
        self.write("src/base/atomics.h", SPDX + "#include <stdatomic.h>\n")
        self.write("src/base/heap.c", SPDX + "void *x = malloc(1);\n")
        self.write("src/base/platform_posix.c", SPDX + "pthread_t x = mmap(0);\n")
        self.write("src/base/futex_linux.c", SPDX + "long x = syscall(0);\n")
        self.assert_green("check_source")

    def test_missing_licence(self):
        self.write("tests/base/test_x.c", "int x;\n")
        self.assert_red("check_source", "tests/base/test_x.c:1: the first line")


class Docs(ToolTest):
    def test_clean(self):
        self.assert_green("check_docs")

    def test_broken_file_block(self):
        self.write("docs/a.md", f"text\n\n{FENCE}c\nint f(void) {{\n    return x;\n}}\n{FENCE}\n")
        self.assert_red("check_docs", "docs/a.md:3: this block does not compile\n")
        self.assert_red("check_docs", "docs/a.md:5:")

    def test_broken_body_block(self):
        self.append("README.md", f"{FENCE}c body\nox_number_gone(1);\n{FENCE}\n")
        self.assert_red("check_docs", "README.md:20: this block does not compile")

    def test_cpp_block(self):
        self.write("docs/a.md", f"{FENCE}cpp\ntemplate <class T> T f() {{ return T{{}}; }}\n{FENCE}\n")
        self.assert_green("check_docs")
        self.append("docs/a.md", f"{FENCE}cpp\nint g() {{ return nullptr; }}\n{FENCE}\n")
        self.assert_red("check_docs", "docs/a.md:4: this block does not compile")

    def test_broken_link(self):
        self.write("docs/a.md", "See [b](b.md).\n")
        self.assert_red("check_docs", "docs/a.md:1: link to b.md")

    def test_open_block(self):
        self.append("README.md", f"{FENCE}c\n")
        self.assert_red("check_docs", "README.md:20: this block is never closed")


class Syncs(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("docs/sync_points.md", "| `ox_get`, `ox_buffer_*` | R |\n| call | *R* of `ox_x` |\n")
        self.write("tests/systems/test_sync.c", SPDX + "\nint a = ox_get(1) + ox_buffer_count(2);\n")

    def test_clean(self):
        self.assert_green("check_syncs")

    def test_call_that_is_not_tested(self):
        self.append("docs/sync_points.md", "| `ox_ge` | nothing |\n")
        self.assert_red("check_syncs", "docs/sync_points.md:3: no test of sync points calls ox_ge")

    def test_call_in_a_comment(self):
        self.replace("tests/systems/test_sync.c", "+ ox_buffer_count(2)", "/* ox_buffer_count */")
        self.assert_red("check_syncs", "calls ox_buffer_*")


class Reports(ToolTest):
    LIST = "include/oxbow/detail/report_list.h"

    def test_clean(self):
        self.assert_green("check_reports")

    def test_page(self):
        self.assert_green("gen_reports")
        self.assert_green("gen_reports", "--check", self.root)
        page = (self.root / "docs/reports.md").read_text()
        for text in ("| [**Base**](#base) | |\n", "| it \"broke\" | [OX-B02](#ox-b02) |\n",
                     "### OX-B02", "`OX_REPORT_BROKEN`, *failure*: it \"broke\".",
                     "- Says: it broke at {site}\n", "- Fix: write `x = {0};`\n"):
            self.assertIn(text, page)

    def test_stale_page(self):
        self.assert_green("gen_reports")
        self.replace(self.LIST, "pass one", "pass another")
        self.assert_red("gen_reports", "docs/reports.md:1: differs", "--check", self.root)

    def test_missing_page(self):
        self.assert_red("gen_reports", "differs", "--check", self.root)

    def test_untested_report(self):
        self.replace("tests/base/test_number.c", "+ OX_REPORT_BROKEN", "// OX_REPORT_BROKEN")
        self.assert_red("check_reports", "OX-B02 BROKEN is expected by no test")

    def test_report_that_is_never_made(self):
        self.replace("src/base/number.c", ", OX_REPORT_BROKEN", "")
        self.assert_red("check_reports", "OX-B02 BROKEN is never made")

    def test_broken_lists(self):
        for old, new, finding in (("B, 2", "B, 1", "used or out of order"),
                                  ("BROKEN", "NULL_ARGUMENT", "used twice"),
                                  ("FAILURE", "BAD", "BAD is no severity"),
                                  ("{site}", "{theSite}", "{theSite} is not"),
                                  ("B, 2", "?, 2", "cannot be read"),
                                  ("B, 2", "Z, 2", "letter Z has no subject")):
            with self.subTest(new=new):
                self.setUp()
                self.replace(self.LIST, old, new)
                self.assert_red("gen_reports", finding)


class Api(ToolTest):
    """A header that follows the rules of the API, with a private one, and an example."""

    HEADER = SPDX + """//
// Things: some of them. They do nothing.

#pragma once

#include "oxbow/detail/thing.h"

/// A place.
typedef const char *ox_site;
#define OX_HERE "here"

/// An exported function.
#define OX_API extern

/// What kind a thing is.
typedef enum ox_kind {
    OX_KIND_ONE = 1, ///< the first | kind
    OX_KIND_TWO,
} ox_kind;

/// A thing. {0} is none.
typedef struct ox_thing {
    int count;
} ox_thing;

/// Makes a thing for `count` elements: ox_thing_create(Things, 3, OX_TEMP). @return {0}.
OX_API ox_thing ox_thing_create_at(ox_element_info info, int64_t count, ox_allocator allocator,
                                   ox_site site);
#define ox_thing_create(Type, count, allocator)                                                    \
    ox_thing_create_at(oxi_info_of(Type), (int64_t)(count), allocator, OX_HERE)
#define ox_thing_create_untyped(T, count, allocator)                                               \
    ox_thing_create_at(oxi_info(T), (int64_t)(count), allocator, OX_HERE)

/// Sets the element at `index`. Never fails.
static inline void ox_thing_set_at(ox_thing thing, int64_t index, ox_element element,
                                   const void *value, ox_site site) {
    oxi_thing_set(thing, index, element, value,
                  site);
}
#define ox_thing_set(thing, index, T, ...)                                                         \
    OXI_SET_THING(thing, index, T, OXI_VALUE(T, __VA_ARGS__))
#define OXI_SET_THING(thing, index, T, value)                                                      \
    ox_thing_set_at(thing, index, oxi_element(T), value, OX_HERE)

/// Copies a thing, which may be the same.
OX_API void ox_thing_copy_from_at(ox_thing to, ox_thing from, ox_site site);
#define ox_thing_copy_from(to, from) ox_thing_copy_from_at(to, from, OX_HERE)

/// True when a thing has a component.
OX_API bool ox_thing_has_id(ox_thing thing, uint32_t component);
/// ox_thing_has(thing, Position).
#define ox_thing_has(thing, T) ox_thing_has_id(thing, ox_id_of(T))
#define ox_id_of(T)            (&oxi_id_##T)

/// Schedules a job.
OX_API ox_job ox_schedule_at(ox_job_type *type, ox_job after, const void *data, ox_site site);
#define ox_schedule(Job, after, ...)                                                               \
    ox_schedule_at(&oxi_job_##Job, after, OXI_VALUE(Job, __VA_ARGS__), OX_HERE)

/// Visits things.
OX_API void ox_thing_visit_at(ox_thing thing, ox_fn *visit, void *context, ox_job after,
                              ox_site site);
#define ox_thing_visit(thing, visit, context, after)                                               \
    ox_thing_visit_at(thing, visit, context, after, OX_HERE)

/// Frees a block.
OX_API void ox_memory_free_at(ox_allocator allocator, void *block, ox_site site);
#define ox_memory_free(allocator, block) oxi_memory_free(allocator, block, OX_HERE)

/// Disposes a list.
OX_API void ox_list_dispose_at(ox_list *list, ox_site site);

/// Counts for long.
static inline int ox_long(ox_thing thing);
"""
    DETAIL = SPDX + """
#pragma once

OX_API bool oxi_thing_grow_at(ox_thing thing, ox_site site);

static inline void oxi_memory_free(ox_allocator allocator, void *block, ox_site site) {
    if (block) {
        ox_memory_free_at(allocator, block, site);
    }
}

static inline int ox_long(ox_thing thing) {
    int count = thing.count;
    return count;
}
"""

    def setUp(self):
        super().setUp()
        (self.root / "include/oxbow/base.h").unlink()
        self.write("include/oxbow/thing.h", self.HEADER)
        self.write("include/oxbow/detail/thing.h", self.DETAIL)
        self.write("examples/01_hello.c", SPDX + "// ox_thing_set\nint x = OX_KIND_ONE;\n")
        self.write("examples/02_things.c", SPDX + "ox_thing_set_at(ox_thing_has(OX_KIND_ONE));\n")

    def plant(self, code):
        self.append("include/oxbow/thing.h", "\n" + code + "\n")


class ApiRules(Api):
    def assert_all_red(self, *cases):
        for code, finding in cases:
            with self.subTest(code=code):
                self.setUp()
                self.plant(code)
                self.assert_red("check_api", finding)

    def test_clean(self):
        self.assertEqual(self.assert_green("check_api"), "")

    def test_line_and_sentence(self):
        line = self.HEADER.count("\n") + 3
        self.plant("/// Says.\nOX_API void ox_thing_say_at(ox_thing thing, ox_site site);")
        self.assert_red("check_api", f"include/oxbow/thing.h:{line}: ox_thing_say_at has no macro "
                                     "ox_thing_say\n")

    def test_names_of_functions(self):
        self.assert_all_red(
            ("OX_API void ox_thing_say_at(ox_thing thing, ox_site site);", "has no macro ox_thing_say"),
            ("static inline int ox_thing_say_at(ox_thing thing, ox_site site) {\n    return 1;\n}",
             "has no macro ox_thing_say"),
            ("OX_API void ox_thing_say(ox_thing thing, ox_site site);", "does not end in _at"),
            ("OX_API void ox_thing_say(ox_thing thing, ox_site where);", "does not end in _at"),
            ("OX_API void ox_say_at(ox_thing thing);\n#define ox_say(thing) ox_say_at(thing)",
             "ox_say_at ends in _at, but its last parameter is not `ox_site site`"),
            ("OX_API void ox_say_at(ox_site where);\n#define ox_say() ox_say_at(OX_HERE)",
             "its last parameter is not `ox_site site`"),
            ("OX_API void ox_thing_say(ox_site site, int count);", "ox_site that is not its last"))

    def test_names_of_macros(self):
        self.assert_all_red(
            ("OX_API void ox_say_at(ox_site site);\n#define ox_say() ox_shout_at(OX_HERE)",
             "ox_say does not call ox_say_at"),
            ("#define ox_thing_look_at(thing) (thing)", "ox_thing_look_at is a macro"),
            ("OX_API bool ox_thing_owns(ox_thing thing, uint32_t component);\n"
             "#define ox_thing_keeps(thing, T) ox_thing_owns(thing, ox_id_of(T))",
             "calls ox_thing_owns: its plain form is ox_thing_keeps_id"),
            ("OX_API bool ox_thing_owns_id(ox_thing thing, uint32_t component);\n"
             "#define ox_thing_keeps(thing, T) ox_thing_owns_id(thing, ox_id_of(T))",
             "calls ox_thing_owns_id: its plain form is ox_thing_keeps_id"))

    def test_types_first(self):
        self.assert_all_red(
            ("#define ox_thing_read(T, thing, index) 0", "ox_thing_read takes the type 'T' first"),
            ("#define ox_map_read(K, V, map, ...) 0", "takes the type 'K' first"),
            ("#define ox_list_create(T, count, allocator) 0", "takes the type 'T' first"),
            ("#define ox_thing_read(Type, thing) 0", "takes the type 'Type' first"),
            ("#define ox_thing_read(Job, thing) 0", "takes the type 'Job' first"))

    def test_order_of_arguments(self):
        self.assert_all_red(
            ("#define ox_thing_read(index, thing) 0", "the object 'thing' follows the position 'index'"),
            ("#define ox_thing_read(thing, T, row) 0", "the position 'row' follows the type 'T'"),
            ("#define ox_thing_put(thing, value, T) 0", "the type 'T' follows the value 'value'"),
            ("#define ox_thing_put(thing, value, key) 0", "the position 'key' follows the value"),
            ("#define ox_enable(world, is_on, T) 0", "the type 'T' follows the value 'is_on'"),
            ("#define ox_read_it(entity, world) 0", "the object 'world' follows the position 'entity'"),
            ("OX_API void ox_put(ox_world *world, uint32_t component, ox_entity entity);",
             "the position 'entity' follows the type 'component'"),
            ("OX_API void ox_put(ox_list list, ox_element element, int64_t index);",
             "the position 'index' follows the type 'element'"),
            ("OX_API void ox_put(ox_list list, const void *value, ox_element_info info);",
             "the type 'info' follows the value 'value'"))

    def test_what_is_last(self):
        self.assert_all_red(
            ("#define ox_thing_copy_to(from, to) 0", "two objects are (to, from)"),
            ("OX_API void ox_thing_put(ox_thing source, ox_thing target);", "are (target, source)"),
            ("#define ox_list_create(allocator, count) 0", "the allocator is not last"),
            ("#define ox_thing_keys(thing, allocator, count) 0", "the allocator is not last"),
            ("OX_API void ox_world_make(const ox_def *def, int count);", "the def is not last"),
            ("#define ox_thing_each(thing, context, visit) 0", "the context is not last"),
            ("OX_API void ox_thing_each(ox_thing thing, void *context, ox_fn *visit);",
             "the context is not last"),
            ("#define ox_schedule_one(Job, value, after) 0", "'after' follows the value 'value'"))

    def test_exported_names(self):
        self.assert_all_red(
            ("OX_API void\noxi_say(int count);", "oxi_say is exported and private"),
            ("OX_API void say(int count);", "say is exported, and named neither ox_ nor oxi_"))

    def test_exported_names_of_private_headers(self):
        self.append("include/oxbow/detail/thing.h", "OX_API void ox_say(void);\n")
        self.assert_red("check_api", "detail/thing.h:17: ox_say is exported from oxbow/detail/")

    def test_public_functions_that_only_private_headers_have(self):
        self.replace("include/oxbow/thing.h", "static inline int ox_long", "static inline int ox_else")
        self.assert_red("check_api", "detail/thing.h:13: ox_long is defined in oxbow/detail/, and no")

    def test_long_inline_functions(self):
        head = "static inline int ox_tall(ox_thing thing) {\n"
        self.assert_all_red(
            (head + "    int count = thing.count;\n    return count;\n}", "more than one statement"),
            (head + "    for (;;) {\n    }\n}", "ox_tall has more than one statement"),
            (head + "#if OX_SAFETY\n    return 1;\n#else\n    return 2;\n#endif\n}", "more than one"),
            ("OXI_INLINE" + head[13:].replace("ox_", "oxi_") + "    (void)thing;\n    return 1;\n}",
             "oxi_tall has more than one statement"),
            ("template <class T> T oxi_value(T a) {\n    T b = a;\n    return b;\n}", "more than one"))

    def test_short_inline_functions(self):
        self.plant("static inline ox_thing ox_thing_same(ox_thing thing) {\n"
                   "    return (ox_thing){thing.count}; // one\n}\n"
                   "static inline ox_thing ox_thing_other(ox_thing thing) {\n"
                   "    return ox_thing_same(ox_thing_same(\n        thing));\n}")
        self.assert_green("check_api")


class ApiCounts(Api):
    def test_counts(self):
        code = "void ox_a(void) {} void ox_b(void) {} void oxi_c(void) {}"
        library = Symbols.build(self, code, "-shared", "-fPIC", name="liboxbow.so")
        self.plant("#define ox_thing_get(T, thing) 0\nOX_TAG(ox_gone);\n#define OX_THING(Name) Name\n"
                   "OX_API void ox_thing_say_at(ox_thing thing, ox_site site);")
        lines = self.assert_green("api_counts", self.root, library).splitlines()
        self.assertEqual(dict(re.split(r"\s{2,}", line.strip()) for line in lines), {
            "headers outside of detail/": "1",
            "headers in detail/": "2",
            "exported functions ox_": "8",
            "exported functions oxi_": "1",
            "inline functions ox_": "2",
            "lower-case macros": "10",
            "macros that take a type first": "1",
            "upper-case macros with parameters": "1",
            "distinct calls and macros": "14",
            "plain functions without a macro": "2",
            "types": "3",
            "components": "1",
            "constants": "4",
            "symbols ox_ of the library": "2",
            "symbols oxi_ of the library": "1"})


class ApiPage(Api):
    def read_page(self):
        self.assert_green("gen_api")
        self.assert_green("gen_api", "--check", self.root)
        return (self.root / "docs/api.md").read_text()

    def test_rows(self):
        page = self.read_page()
        for row in ("## thing.h\n\nThings: some of them.\n",
                    "| `OX_KIND_ONE` | the first \\| kind | [01] |\n", "| `OX_KIND_TWO` |  | - |\n",
                    "| `ox_thing` | A thing | - |\n",
                    "| `ox_thing_create(Type, count, allocator)` `_at` | "
                    "Makes a thing for `count` elements | - |\n",
                    "| `ox_thing_set(thing, index, T, ...)` `_at` | "
                    "Sets the element at `index` | [02] |\n",
                    "| `ox_thing_has(thing, T)` `_id` | True when a thing has a component | [02] |\n",
                    "| `ox_list_dispose_at(list)` | Disposes a list | - |\n",
                    "| `ox_long(thing)` | Counts for long | - |\n",
                    "\n[01]: ../examples/01_hello.c\n[02]: ../examples/02_things.c\n"):
            self.assertIn(row, page)
        self.assertLess(page.index("`ox_thing`"), page.index("`ox_thing_set("))
        for text in ("oxi_", "OXI_", "OX_API", "ox_thing_set_at"):
            self.assertNotIn(text, page)

    def test_long_sentences_are_cut(self):
        self.plant("/// Says `a*b*` * " + "again " * 30 + "and again.\nOX_API int ox_say(void);\n")
        row = re.search(r"\| `ox_say\(\)` \| (.*) \| - \|", self.read_page())[1]
        self.assertRegex(row, r"^Says `a\*b\*` \\\* again .* again\.\.\.$")
        self.assertLess(len(row), 100)

    def test_one_call_has_one_row(self):
        self.write("include/oxbow/more.h", "#define ox_thing_set(thing) 1\nOX_API int ox_more(void);\n")
        page = self.read_page()
        self.assertEqual(page.count("`ox_thing_set("), 1)
        self.assertIn("## more.h", page)

    def test_stale_page(self):
        self.read_page()
        self.plant("/// New.\nOX_API int ox_new(void);")
        self.assert_red("gen_api", "docs/api.md:1: differs", "--check", self.root)
        self.read_page()
        self.append("examples/01_hello.c", "int y = ox_new();\n")
        self.assert_red("gen_api", "differs", "--check", self.root)

    def test_private_names_change_nothing(self):
        self.read_page()
        self.append("include/oxbow/detail/thing.h", "OX_API int ox_new(void);\n")
        self.plant("OX_API int oxi_new(void);")
        self.assert_green("gen_api", "--check", self.root)

    def test_missing_page(self):
        self.assert_red("gen_api", "differs", "--check", self.root)


class Examples(Api):
    """What the header of Api has and its own examples do not use is used by one more."""

    def setUp(self):
        super().setUp()
        self.write("examples/03_rest.c", "ox_thing_create_at(); ox_thing_create_untyped();"
                   " ox_thing_copy_from(); ox_id_of(); ox_schedule(); ox_thing_visit();"
                   " ox_memory_free(); ox_list_dispose_at(); ox_long();\n")

    def test_clean(self):
        self.assert_green("check_examples")

    def test_calls_without_an_example(self):
        for text in ("OX_API int ox_new(void);", "#define ox_new(thing) 1",
                     "static inline int ox_new(ox_thing thing) {\n    return 1;\n}"):
            with self.subTest(text=text):
                self.setUp()
                self.plant(text)
                self.assert_red("check_examples", "thing.h:71: no example uses ox_new\n")

    def test_comments_and_texts_use_nothing(self):
        self.plant("OX_API int ox_new(void);")
        self.append("examples/01_hello.c", '// ox_new()\nconst char *text = "ox_new()";\n')
        self.assert_red("check_examples", "no example uses ox_new\n")

    def test_one_form_is_enough(self):
        self.plant("OX_API int ox_new_at(ox_site site);\n#define ox_new() ox_new_at(OX_HERE)")
        self.assert_red("check_examples", "no example uses ox_new\n")
        self.append("examples/01_hello.c", "int y = ox_new_at(OX_HERE);\n")
        self.assert_green("check_examples")

    def test_names_that_need_none(self):
        self.plant("#define OX_NEW(Name) Name\n#define OX_MOST 3\ntypedef int ox_new;\n"
                   "OX_API int oxi_new(void);")
        self.assert_green("check_examples")


class Faults(ToolTest):
    def arguments(self, room="base"):
        return "--root", self.root, "--results", self.root / "results", "--room", room

    def test_clean(self):
        output = self.assert_green("check_faults", *self.arguments())
        self.assertIn("2 of 2 fallible calls of base were failed, 1 more cannot be", output)

    def test_unfailed_call(self):
        self.append("src/base/number.c", "void *x = oxi_heap_alloc(4);\n")
        self.assert_red("check_faults", "src/base/number.c:18: oxi_heap_alloc", *self.arguments())

    def test_macro_over_a_macro(self):
        self.append("src/base/heap.h", "#define oxi_make(T) ((T *)oxi_heap_alloc(sizeof(T)))\n")
        self.append("src/jobs/job.c", "int *x = oxi_make(int);\n")
        self.assert_red("check_faults", "0 of 1 fallible calls of jobs", *self.arguments("jobs"))

    def test_no_results(self):
        self.assert_red("check_faults", "run the tests first",
                        "--root", self.root, "--results", self.root / "none", "--room", "base")


class Trace(ToolTest):
    """Two threads: a job with two ranges on the first, and one on the second that waited for it."""

    EVENTS = [
        {"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": "main"}},
        {"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "a <worker>"}},
        {"ph": "X", "name": "Move", "cat": "range", "pid": 1, "tid": 1, "ts": 0.5, "dur": 1},
        {"ph": "X", "name": "Move", "cat": "range", "pid": 1, "tid": 1, "ts": 1.5, "dur": 1.5},
        {"ph": "X", "name": "Move", "cat": "job", "pid": 1, "tid": 1, "ts": 0.5, "dur": 2.5},
        {"ph": "X", "name": "park", "cat": "park", "pid": 1, "tid": 2, "ts": 0, "dur": 3.125},
        {"ph": "X", "name": "Draw", "cat": "job", "pid": 1, "tid": 2, "ts": 3.125, "dur": 20},
        {"ph": "s", "name": "arrow", "cat": "a", "id": 1, "pid": 1, "tid": 1, "ts": 2.999},
        {"ph": "f", "name": "arrow", "cat": "a", "id": 1, "pid": 1, "tid": 2, "ts": 3.125},
    ]

    def setUp(self):
        super().setUp()
        self.events = [dict(event) for event in self.EVENTS]
        self.file = self.root / "trace.json"

    def save(self):
        self.file.write_text(json.dumps({"traceEvents": self.events}))
        return self.file

    def assert_bad(self, finding):
        self.assert_red("check_trace", finding, self.save())

    def test_clean(self):
        output = self.assert_green("check_trace", self.save())
        self.assertIn("2 job, 1 park, 2 range events on 2 threads, 1 flows, 23.125 us", output)

    def test_picture(self):
        picture = self.root / "trace.svg"
        self.assert_green("check_trace", self.save(), "--picture", picture)
        drawn = xml.etree.ElementTree.parse(picture).getroot()
        names = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
        self.assertIn("a <worker>", names)
        self.assertIn("Draw", names)

    def test_empty(self):
        self.events = []
        self.assert_green("check_trace", self.save(), "--picture", self.root / "trace.svg")

    def test_unreadable(self):
        self.file.write_text('{"traceEvents": [')
        self.assert_red("check_trace", "trace.json", self.file)
        self.file.write_text("{}")
        self.assert_red("check_trace", "no list of events", self.file)

    def test_partial_overlap(self):
        self.events[3]["dur"] = 2
        self.assert_bad("thread 1: Move at 1.5 overlaps Move at 0.5 in part")

    def test_missing_fields(self):
        for field, finding in (("name", "no name"), ("ts", "no ts"), ("dur", "no dur"),
                               ("pid", "no pid"), ("tid", "no tid")):
            with self.subTest(field=field):
                self.setUp()
                del self.events[6][field]
                self.assert_bad(f"has {finding}")

    def test_negative_duration(self):
        self.events[6]["dur"] = -1
        self.assert_bad("event 6 (Draw) has a dur below 0")

    def test_unknown_phase(self):
        self.events[6]["ph"] = "x"
        self.assert_bad("unknown phase 'x'")

    def test_missing_flow_end(self):
        del self.events[8]
        self.assert_bad("flow arrow 1 does not have one start and one end but: s")

    def test_missing_flow_start(self):
        del self.events[7]
        self.assert_bad("flow arrow 1 does not have one start and one end but: f")

    def test_backward_flow(self):
        self.events[7]["ts"], self.events[8]["ts"] = 2.5, 2
        self.assert_bad("flow arrow 1 starts at 2.5, after its end at 2")

    def test_flow_from_nowhere(self):
        self.events[7]["ts"] = 0.1
        self.assert_bad("flow arrow 1 is in no event of thread 1 at 0.1")

    def test_missing_thread_name(self):
        del self.events[1]
        self.assert_bad("thread 2 has no name")


if shutil.which("clang-format"):  # `make check` needs it, `make test` does not

    class Format(ToolTest):
        def test_clean(self):
            self.assert_green("check_format")

        def test_unformatted(self):
            self.append("src/jobs/job.c", "int   x;\n")
            self.assert_red("check_format", "src/jobs/job.c:5: clang-format would change this")


class RunTests(ToolTest):
    """ctest over shell scripts that write, or do not write, what a test executable writes."""

    def configure(self, parts=1, **scripts):
        lines = ["cmake_minimum_required(VERSION 3.21)", "project(x LANGUAGES NONE)",
                 "enable_testing()"]
        for name, script in scripts.items():
            script = f"#!/bin/sh\nr=$OX_TEST_RESULTS/test_{name}.txt\n{script}\n"
            self.write(f"test_{name}", script, executable=True)
            for part in range(1, parts + 1):
                test, option = f"base.{name}", ""
                if parts > 1:
                    test, option = f"{test}.{part}", f" --part={part}/{parts}"
                lines += [f"add_test(NAME {test} COMMAND ${{CMAKE_SOURCE_DIR}}/test_{name}{option})",
                          f"set_tests_properties({test} PROPERTIES LABELS base)"]
        self.write("CMakeLists.txt", "\n".join(lines) + "\n")
        self.build = self.root / "build"
        command = ["cmake", "-S", self.root, "-B", self.build]
        subprocess.run(command, check=True, capture_output=True)

    def run_tests(self, *more):
        code, output = self.run_tool("run_tests", "--build", self.build, *more)
        totals = self.build / "results" / "totals.txt"
        lines = output.splitlines()
        self.assertEqual(re.findall(r"\d+", lines[-1]), totals.read_text().split())
        return code, lines[-1], output

    def test_clean(self):
        self.configure(a='printf "tests 2\\npassed a: x\\npassed a: y\\n" >$r', b="true")
        code, last, output = self.run_tests()
        self.assertEqual((code, last), (0, "3 passed, 0 failed"), output)
        self.assertRegex(output, r"(?m)^base: \d+\.\d\d s$")

    def test_died(self):
        self.configure(a='printf "tests 4\\nrunning a: x\\npassed a: x\\n'
                         'running a: y\\n" >$r; kill -SEGV $$')
        code, last, output = self.run_tests()
        self.assertEqual((code, last), (1, "1 passed, 3 failed"), output)
        self.assertIn("failed: base.a: a: y\n", output)

    def test_died_before_its_first_line(self):
        self.configure(a=': >$r; kill -SEGV $$')
        self.assertEqual(self.run_tests()[:2], (1, "0 passed, 1 failed"))

    def test_failed_without_results(self):
        self.configure(a="false", b="true")
        self.assertEqual(self.run_tests()[:2], (1, "1 passed, 1 failed"))

    def test_error_after_the_last_case(self):
        self.configure(a='printf "tests 1\\npassed a: x\\n" >$r; exit 3')
        self.assertEqual(self.run_tests()[:2], (1, "1 passed, 1 failed"))

    def test_silent_loss(self):
        self.configure(a='printf "tests 2\\npassed a: x\\n" >$r')
        self.assertEqual(self.run_tests()[:2], (1, "1 passed, 1 failed"))

    def test_missing_executable(self):
        self.configure(a="true")
        (self.root / "test_a").unlink()
        self.assertEqual(self.run_tests()[:2], (1, "0 passed, 1 failed"))

    def test_parts(self):
        self.configure(parts=2, a='p=${1#--part=}; printf "tests 1\\npassed a: x\\n" '
                                  '>${r%.txt}.${p%/2}.txt; [ $p = 1/2 ]')
        code, last, output = self.run_tests()
        self.assertEqual((code, last), (1, "2 passed, 1 failed"), output)
        self.assertIn("failed: base.a.2: every case passed, and then", output)

    def test_label_and_scale(self):
        self.configure(a='[ "$OX_TEST_SCALE" = 0.5 ]')
        self.assertEqual(self.run_tests("--label", "base", "--scale", "0.5")[0], 0)
        self.assertEqual(self.run_tests("--label", "none")[:2], (1, "0 passed, 0 failed"))


class Mutants(ToolTest):
    """A module of one source and one test, which reaches the first of its functions."""

    def setUp(self):
        super().setUp()
        self.write("CMakePresets.json", json.dumps(
            {"version": 3, "configurePresets": [{"name": "checked", "generator": "Unix Makefiles",
                                                 "binaryDir": "${sourceDir}/build/checked"}]}))
        self.write("CMakeLists.txt", '''
cmake_minimum_required(VERSION 3.21)
project(x LANGUAGES C)
add_compile_options(-O2 -Werror -Wall)
add_library(oxbow-checked-objects OBJECT src/base/number.c)
add_library(oxbow-checked STATIC $<TARGET_OBJECTS:oxbow-checked-objects>)
add_executable(test_base_number tests/base/test_number.c)
target_link_libraries(test_base_number oxbow-checked)
''')
        self.write("src/base/number.c", SPDX + '''
int add_up(int count);
int spare(int count);

int add_up(int count) {
    int sum = 0;
    for (int k = 0; k < count; k++) {
        sum += 2;
    }
    return sum;
}

int spare(int count) {
    if (count > 100) {
        return 100;
    }
    return count;
}
''')
        self.write_test("add_up(3) != 6")

    def write_test(self, mistake):
        self.write("tests/base/test_number.c", SPDX + f'''
int add_up(int count);
int spare(int count);

int main(void) {{
    return {mistake};
}}
''')

    def run_mutants(self, *more):
        before = self.read_all()
        code, output = self.run_tool("mutants", "--root", self.root, "--module", "base", "--jobs", "2",
                                     "--patience", "1", *more)
        self.assertEqual(self.read_all(), before)
        return code, output

    def read_all(self):
        return {path: path.read_bytes() for path in self.root.rglob("*")
                if path.is_file() and "build" not in path.relative_to(self.root).parts}

    def test_what_a_test_reaches_is_killed_and_the_rest_lives(self):
        code, output = self.run_mutants("--at", "number.c")
        self.assertEqual(code, 0, output)
        self.assertIn("src/base/number.c:9 number: killed by test_base_number\n", output)
        self.assertIn("src/base/number.c:15: lived (comparison)\n- if (count > 100) {\n"
                      "+ if (count <= 100) {\n", output)
        lived = set(re.findall(r"number\.c:(\d+): lived", output))
        self.assertEqual(lived, {"15", "16", "18"}, output)
        self.assertRegex(output.splitlines()[-1], r"^base: \d+ of \d+ mutants killed \(\d+\.\d %\), "
                                                  r"\d+ lived, 0 equivalent$")

    def test_a_hang_is_killed(self):
        self.replace("src/base/number.c", "int add_up(int count) {\n",
                     "volatile int left;\n\nint add_up(int count) {\n"
                     "    left = 2;\n    while (left != 0) {\n        left = left - 1;\n    }\n")
        self.assertIn("number.c:11 drop: killed by test_base_number, endless",
                      self.run_mutants("--at", "number.c:11")[1])

    def test_the_count_is_of_mutants_that_are_another_object(self):
        self.replace("src/base/number.c", "    return sum;", "    sum = sum + 0;\n    return sum;")
        output = self.run_mutants("--at", "number.c:11")[1]
        self.assertIn("2 that make no other object", output) # dropped, and + or - 0
        self.assertIn("base: 1 of 1 mutants killed", output)
        output = self.run_mutants("--count", "4", "--seed", "3")[1]
        self.assertRegex(output, r"base: \d of 4 mutants killed")

    def test_one_seed_makes_the_same_mutants_again(self):
        runs = [re.findall(r"number\.c:\d+.*", self.run_mutants("--count", "5", "--seed", seed)[1])
                for seed in ("7", "7")]
        self.assertEqual(sorted(runs[0]), sorted(runs[1]))

    def test_listed_changes_are_equivalent(self):
        self.write("tools/mutants_equivalent.txt", "# Argued.\n\nsrc/base/number.c\n"
                   "- if (count > 100) {\n+ if (count > 101) {\nno difference, says the list\n\n"
                   "src/base/number.c\n- gone;\n+ gone++;\nno reason\n")
        output = self.run_mutants("--at", "number.c:15")[1]
        self.assertRegex(output, r"base: 0 of \d mutants killed \(0\.0 %\), \d lived, 1 equivalent\n")
        self.assertNotIn("> 101", output)
        self.assertIn("no longer there: src/base/number.c: gone;\n", output)

    def test_a_change_of_a_line_in_several_functions_is_listed_for_one(self):
        self.replace("src/base/number.c", "    return count;\n}", "    return count;\n}\n\n"
                     "int spare_more(int count) {\n    if (count > 100) {\n        return 90;\n    }\n"
                     "    return count;\n}")
        self.replace("src/base/number.c", "int spare(int count);\n",
                     "int spare(int count); int spare_more(int count);\n")
        change = "- if (count > 100) {\n+ if (count > 101) {\nno difference\n"
        self.write("tools/mutants_equivalent.txt", "src/base/number.c:spare\n" + change)
        output = self.run_mutants("--at", "number.c:15", "number.c:22")[1]
        self.assertIn("number.c:15 number: equivalent", output)
        self.assertIn("number.c:22: lived (number)\n- if (count > 100) {\n+ if (count > 101) {", output)
        self.write("tools/mutants_equivalent.txt", "src/base/number.c\n" + change)
        self.assertIn("there 2 times, name the function: src/base/number.c: if (count > 100) {",
                      self.run_mutants("--at", "number.c:15")[1])

    def test_a_listed_change_that_is_killed_is_told(self):
        self.write("tools/mutants_equivalent.txt",
                   "src/base/number.c\n- sum += 2;\n+ sum -= 2;\nwishful\n")
        self.assertIn("killed by test_base_number, though listed as equivalent",
                      self.run_mutants("--at", "number.c:9")[1])

    def test_a_list_without_reasons_is_refused(self):
        self.write("tools/mutants_equivalent.txt", "src/base/number.c\n- sum += 2;\n+ sum -= 2;\n")
        code, output = self.run_mutants("--at", "number.c:9")
        self.assertEqual(code, 1)
        self.assertIn("not four lines", output)

    def test_tests_that_fail_without_a_mutation(self):
        self.write_test("add_up(3) == 6")
        code, output = self.run_mutants()
        self.assertEqual(code, 1)
        self.assertIn("test_base_number fails without a mutation", output)

    def test_assertions_literals_and_sizes_are_left_alone(self):
        sys.path.insert(0, str(TOOLS))
        import mutate # what the tool looks for, without building
        sites = mutate.find_sites('''
static const char *const names[] = {"1 < 2", "3"};
enum { LONGEST = 8 };
#define TWICE(x) ((x) + (x))
bool is_small(int a) {
    int values[4] = {0}; // 5 < 6
    OXI_ASSERT(a > 1 &&
               a < 7);
    return a < LONGEST;
}
''')
        self.assertEqual([(site.kind, site.texts) for site in sites],
                         [("number", ("9", "7")), ("return", ("true", "false")),
                          ("comparison", ("<=", ">="))])


class Renames(ToolTest):
    TABLE = """Words.

| 0.1 | 0.2 |
|---|---|
| `ox_none` | `OX_NO_JOB` |
| `ox_get_old` | `ox_get` |
| `ox_get` | `ox_read` |
| `ox_view_get(T, view, index)` | `ox_view_read(view, index, T)` |
| `ox_view_put(T, view, ...)` | `ox_view_set(view, T, ...)` |
| `ox_enable(world, T)` | `ox_set_enabled(world, T, true)` |
| `oxbow/moves.h` | `oxbow/world.h` |
| `oxbow/queue.h` | `oxbow/list.h` |
"""

    def rename(self, text, *options):
        self.write("table.md", self.TABLE)
        self.write("program/game.c", text)
        output = self.assert_green("rename_0_2", *options, "--table", self.root / "table.md",
                                   self.root / "program")
        return (self.root / "program/game.c").read_text(), output

    def assert_renamed(self, old, new):
        text, output = self.rename(old)
        self.assertEqual(text, new)
        self.assertNotIn("by hand", output)

    def test_lines_that_include_a_header_are_rewritten(self):
        self.assert_renamed('#include <oxbow/queue.h>\n# include "oxbow/queue.h"\n#include "oxbow/map.h"\n',
                            '#include <oxbow/list.h>\n# include "oxbow/list.h"\n#include "oxbow/map.h"\n')

    def test_words_are_renamed_as_a_whole_and_may_swap(self):
        self.assert_renamed("ox_none; ox_nonesuch; ox_get_old(a) + ox_get(b);",
                            "OX_NO_JOB; ox_nonesuch; ox_get(a) + ox_read(b);")

    def test_headers_are_renamed(self):
        self.assert_renamed('#include "oxbow/moves.h"\n#include <oxbow/moves.hpp>\n',
                            '#include "oxbow/world.h"\n#include <oxbow/moves.hpp>\n')

    def test_arguments_change_their_order(self):
        self.assert_renamed("x = ox_view_get(Mass, views[f(1, 2)], i + 1).kg;",
                            "x = ox_view_read(views[f(1, 2)], i + 1, Mass).kg;")

    def test_calls_within_calls_are_rewritten(self):
        self.assert_renamed("ox_view_get(T, v, ox_view_get(int, w, ox_none))",
                            "ox_view_read(v, ox_view_read(w, OX_NO_JOB, int), T)")

    def test_the_rest_of_the_arguments_stays_together(self):
        self.assert_renamed("ox_view_put(Mass, view, {1, 2}, 3);", "ox_view_set(view, Mass, {1, 2}, 3);")

    def test_arguments_are_added(self):
        self.assert_renamed("ox_enable(world,\n    Stunned);",
                            "ox_set_enabled(world, Stunned, true);")

    def test_commas_in_braces_strings_and_comments_part_nothing(self):
        self.assert_renamed("ox_view_get((A){1, 2}, \", )\", /* , */ c)",
                            "ox_view_read(\", )\", /* , */ c, (A){1, 2})")
        self.assert_renamed("ox_view_get(&t, &(A){1, 2}, c)", "ox_view_read(&(A){1, 2}, c, &t)")

    def test_a_word_without_arguments_is_renamed(self):
        self.assert_renamed("// see ox_view_get and ox_enable.", "// see ox_view_read and ox_set_enabled.")

    def test_calls_with_other_arguments_are_listed(self):
        text, output = self.rename("\nox_view_get(T, view);")
        self.assertEqual(text, "\nox_view_read(T, view);")
        self.assertIn("game.c:2: ox_view_get has other arguments", output)

    def test_dry_runs_only_count(self):
        text, output = self.rename("ox_none ox_none", "--dry")
        self.assertEqual(text, "ox_none ox_none")
        self.assertIn("2 places of 1 names in 1 files", output)

    def test_the_table_of_the_project_can_be_read(self):
        table = TOOLS.parent / "docs" / "renames_0_2.md"
        rows = [line for line in table.read_text().splitlines() if line.startswith("| `")]
        self.write("program/game.c", "ox_buffer_append(Waypoint, path, {1, 2});")
        self.assert_green("rename_0_2", self.root / "program")
        self.assertEqual((self.root / "program/game.c").read_text(),
                         "ox_buffer_push(path, Waypoint, {1, 2});")
        self.assertEqual(len(rows), len({row.split("`")[1].split("(")[0] for row in rows}))


class NotedResult(unittest.TextTestResult):
    """Notes each test that passed, as the C tests do."""
    notes = None

    def addSuccess(self, test):
        super().addSuccess(test)
        if self.notes:
            name = test.id().replace("__main__.", "tools: ")
            print(f"passed {name}", file=self.notes, flush=True)


def main():
    folder = os.environ.get("OX_TEST_RESULTS")
    if folder:
        tests = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
        NotedResult.notes = open(pathlib.Path(folder) / "tools.txt", "w")
        print(f"tests {tests.countTestCases()}", file=NotedResult.notes, flush=True)
    unittest.main(testRunner=unittest.TextTestRunner(resultclass=NotedResult))


if __name__ == "__main__":
    main()
