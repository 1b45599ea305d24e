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
OX_ENTITY_JOB(Fly, (OX_WRITE(Position, p), OX_READ(Velocity, v)), { float dt; }) { p->x += v->x * job->dt; }
"""

# What is written, and what the error names. The first is right, and must compile.
TERMS = "OXI_EXPECTED_OX_READ_OR_OX_WRITE_IN_PARENTHESES"
JOB = "OXI_EXPECTED_AN_ENTITY_OR_CHUNK_JOB"
TAG = "oxi_tag_without_value_Frozen"
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
     "ox_job f(ox_world *w) { return ox_schedule_entities(Plain, ox_world_get_scope(w), ox_auto, {1}); }", JOB),
    ("a lookup of a buffer", """OX_BUFFER(Items, 4, { int n; });
typedef struct State { ox_lookup items; } State;
OX_SYSTEM(S, .state = sizeof(State), .inject = {OX_INJECT_LOOKUP(State, items, OX_READ_BUFFER(Items))}) {}
ox_lookup f(ox_system *s) { return ox_system_lookup(s, OX_WRITE_BUFFER(Items)); }""", None),
    ("another term in a lookup", "ox_lookup f(ox_system *s) { return ox_system_lookup(s, OX_WITH(Position)); }",
     "IN_LOOKUP_EXPECTED_OX_READ_OR_OX_WRITE"),
    ("a tag with a value", "bool f(ox_world *w, ox_entity e) { return ox_add(w, e, Frozen, {1}); }", TAG),
    ("a new tag with a value", "ox_entity f(ox_world *w) { return ox_entity_create_with(w, OX_VALUE(Frozen, {1})); }",
     TAG),
]


def compile_text(options, text):
    """Whether a text compiles, and what the compiler says."""
    command = [options.compiler, "-std=c11", "-fsyntax-only", "-I", str(options.source / "include"), "-x", "c", "-"]
    ran = subprocess.run(command, input=text, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    return ran.returncode == 0, ran.stderr


def main():
    parser = argparse.ArgumentParser(description="Compiles mistakes.")
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", required=True)
    options = parser.parse_args()
    version = subprocess.run([options.compiler, "--version"], capture_output=True, text=True).stdout
    # clang does not show the innermost macro.
    cases = [case for case in CASES if case[2] in (None, TAG) or "clang" not in version]
    results = os.environ.get("OX_TEST_RESULTS")
    lines, bad = [f"tests {len(cases)}"], 0
    for name, text, expected in cases:
        compiles, errors = compile_text(options, BEGIN + text + "\n")
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
