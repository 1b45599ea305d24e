#!/usr/bin/env python3
"""Compiles mistakes, each of which must be refused with a name in the error that tells what to do.

    run.py --source DIR --compiler CC
"""
import argparse
import os
import pathlib
import subprocess
import sys

BEGIN = """#include <oxbow.h>
OX_COMPONENT(Position, { float x, y; });
OX_COMPONENT(Velocity, { float x, y; });
OX_TAG(Frozen);
OX_JOB(Plain, { int n; }) {}
OX_LIST(Positions, Position);
OX_ARRAY(Places, Position);
OX_MAP(Ages, int, int);
OX_ENTITY_JOB(Fly, (OX_WRITE(Position, p), OX_READ(Velocity, v)), { float dt; }) { p->x += v->x * job->dt; }
"""

# What is written, and what the error names. The first is right, and must compile.
TERMS = "OXI_EXPECTED_OX_READ_OR_OX_WRITE_IN_PARENTHESES"
JOB = "OXI_EXPECTED_AN_ENTITY_OR_CHUNK_JOB"
TAG = "oxi_tag_without_value_Frozen"
UNTYPED = "oxi_item_type_use_OX_AS"
CASES = [
    ("right", "OX_JOB_SYSTEM(S, .jobs = OX_JOBS(Fly)) { return ox_schedule_entities(Fly, system, after, {1}); }", None),
    ("terms of an entity job without parentheses",
     "OX_ENTITY_JOB(J, OX_WRITE(Position, p), OX_READ(Velocity, v), { float dt; }) { p->x += v->x; }", TERMS),
    ("one term without parentheses", "OX_ENTITY_JOB(J, OX_WRITE(Position, p), { float dt; }) { p->x = 1; }", TERMS),
    ("terms of a chunk job without parentheses",
     "OX_CHUNK_JOB(J, OX_WRITE(Position, p), OX_READ(Velocity, v), { float dt; }) { p->x += v->x; }", TERMS),
    ("a type where a term stands", "OX_ENTITY_JOB(J, (Position p), { float dt; }) { p->x = 1; }", TERMS),
    ("a plain job of a system", "OX_JOB_SYSTEM(S, .jobs = OX_JOBS(Plain)) { return after; }", JOB),
    ("a plain job over entities",
     "ox_job f(ox_world *w) { return ox_schedule_entities(Plain, ox_world_get_root(w), OX_AUTO, {1}); }", JOB),
    ("a lookup of a buffer", """OX_BUFFER(Items, 4, { int n; });
typedef struct State { ox_lookup items; } State;
OX_SYSTEM(S, .state = sizeof(State), .inject = {OX_INJECT_LOOKUP(State, items, OX_READ_BUFFER(Items))}) {}
ox_lookup f(ox_system *s) { return ox_system_lookup(s, OX_WRITE_BUFFER(Items)); }""", None),
    ("another term in a lookup", "ox_lookup f(ox_system *s) { return ox_system_lookup(s, OX_WITH(Position)); }",
     "IN_LOOKUP_EXPECTED_OX_READ_OR_OX_WRITE"),
    ("a tag with a value", "bool f(ox_world *w, ox_entity e) { return ox_add(w, e, Frozen, {1}); }", TAG),
    ("an untyped list in a call that needs its type", "void f(ox_list list) { ox_list_push(list, {1, 2}); }", UNTYPED),
    ("an untyped map in a call that needs its types", "int f(ox_map map) { return ox_map_read(map, 1); }", UNTYPED),
    ("an untyped list in a loop", "void f(ox_list list) { OX_EACH(list, it) { (void)it; } }", UNTYPED),
    ("an untyped list with a type", "void f(ox_list list) { ox_list_push(OX_AS(list, Position), {1, 2}); }", None),
    ("another struct in a list", "void f(Positions list, Velocity v) { ox_list_push(list, v); }", "Velocity"),
    ("a pointer for a value", "void f(Ages ages) { ox_map_set(ages, 1, (Position){1, 2}); }", "Position"),
    ("a field that elements do not have", "void f(Positions list) { ox_list_edit(list, 0)->z = 1; }", "'z'"),
    ("an array in a call of lists", "void f(Places places) { ox_list_push(places, {1, 2}); }", "ox_array"),
    ("a list of a type that is none", "void f(void) { (void)ox_list_create(Position, 4, OX_TEMP); }",
     "oxi_no_container_named_Position"),
    ("a list of the type of an array", "void f(void) { (void)ox_list_create(Places, 4, OX_TEMP); }", "ox_list"),
    ("the writer of another list",
     "OX_LIST(Others, Velocity);\nvoid f(Positions a) { Others_writer w = ox_list_writer_of(a); (void)w; }", "initializer"),
    ("an edit through a const loop", "void f(Positions list) { OX_EACH(list, p) { p->x = 1; } }", "read-only"),
    ("a new tag with a value", "ox_entity f(ox_world *w) { return ox_entity_create_with(w, OX_VALUE(Frozen, {1})); }",
     TAG),
]

# Targets that are refused: what is written, options of the compiler, and what the error says. A machine may lack
# what -m32 needs, so a header of 64 bits plays one of 32, too.
PLAYED = "#include <stdint.h>\n#undef UINTPTR_MAX\n#define UINTPTR_MAX UINT32_MAX\n#include <oxbow/base.h>\n"
BASE = "#include <oxbow/base.h>\n"
BITS = "Oxbow runs on 64-bit targets"
ENUMS = "Oxbow needs enums as large as int: compile without -fshort-enums"
TARGETS = [
    ("this target", BASE, [], None),
    ("pointers of 32 bits", PLAYED, [], BITS),
    ("pointers of 32 bits that are allowed", PLAYED, ["-DOX_ALLOW_32BIT"], None),
    ("a 32-bit build", BASE, ["-m32", "-ffreestanding"], BITS),
    ("a 32-bit build that is allowed", BASE, ["-m32", "-ffreestanding", "-DOX_ALLOW_32BIT"], None),
    ("short enums", BASE, ["-fshort-enums"], ENUMS),
    ("short enums in C++", BASE, ["-fshort-enums", "-x", "c++", "-std=c++17"], ENUMS),
]


def compile_text(options, text, flags=()):
    """Whether a text compiles, and what the compiler says."""
    language = [] if "-x" in flags else ["-std=c11", "-x", "c"]
    command = [options.compiler, "-fsyntax-only", "-I", str(options.source / "include"), *language, *flags, "-"]
    ran = subprocess.run(command, input=text, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    return ran.returncode == 0, ran.stderr


def main():
    parser = argparse.ArgumentParser(description="Compiles mistakes.")
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", required=True)
    options = parser.parse_args()
    version = subprocess.run([options.compiler, "--version"], capture_output=True, text=True).stdout
    # clang does not show the innermost macro.
    cases = [case for case in CASES if case[2] in (None, TAG, UNTYPED) or "clang" not in version]
    cases = [(name, BEGIN + text + "\n", [], expected) for name, text, expected in cases]
    for target in TARGETS:
        if compile_text(options, "int no_header;\n", target[2])[0]:
            cases.append(target)
        else:
            print(f"{target[0]}: left out, the compiler has no {' '.join(target[2])}")
    results = os.environ.get("OX_TEST_RESULTS")
    lines, bad = [f"tests {len(cases)}"], 0
    for name, text, flags, expected in cases:
        compiles, errors = compile_text(options, text, flags)
        if compiles == (expected is None) and (expected or "") in errors:
            lines.append(f"passed compile_errors: {name}")
        else:
            bad = 1
            print(f"{name}: {'compiles' if compiles else 'fails'}, expected {expected}\n{errors}")
    if results:
        pathlib.Path(results, "compile_errors.txt").write_text("\n".join(lines) + "\n")
    sys.exit(bad)


if __name__ == "__main__":
    main()
