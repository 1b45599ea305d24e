#!/usr/bin/env python3
"""Compiles mistakes, each of which must be refused with a first error that tells what to do.

The compiler of the build is asked, and gcc and clang where they are installed.

    run.py --source DIR --compiler CC
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys

BEGIN = """#include <oxbow.h>
OX_COMPONENT(Position, { float x, y; });
OX_COMPONENT(Velocity, { float x, y; });
OX_TAG(Frozen);
OX_SHARED(Team, { int number; });
OX_BUFFER(Path, 4, { float x, y; });
OX_JOB(Plain, { int n; }) {}
OX_PARALLEL_JOB(Many, { int n; }) {}
OX_LIST(Positions, Position);
OX_ARRAY(Places, Position);
OX_MAP(Ages, int, int);
OX_ENTITY_JOB(Fly, (OX_WRITE(Position, p), OX_READ(Velocity, v)), { float dt; }) { p->x += v->x * job->dt; }
"""

# What is written, and what the first error says: one text, or one for gcc and one for clang. The first is right,
# and must compile.
F = "void f(ox_world *w, ox_entity e) { (void)w; (void)e; "
LIST = "are one list in parentheses: "
FEW = 'requires 3 arguments, but only 2 given', 'too few arguments provided to function-like macro'
SCHEDULES = "jobs over entities are scheduled by a system, or by a world"
INLINE = "how many Trail lie in the chunk comes first: OX_BUFFER(Trail, OX_INLINE_DEFAULT, { fields })"
UNTYPED = "oxi_item_type_use_OX_AS"
CASES = [
    ("right", "OX_JOB_SYSTEM(S, .jobs = OX_JOBS(Fly)) { return ox_schedule_entities(Fly, system, after, {1}); }", None),
    ("terms of an entity job without parentheses",
     "OX_ENTITY_JOB(J, OX_WRITE(Position, p), OX_READ(Velocity, v), { float dt; }) { p->x += v->x; }",
     "the terms of J are one list in parentheses: OX_ENTITY_JOB(J, (OX_READ(T, name), OX_WRITE(T, name)), { fields })"),
    ("one term without parentheses", "OX_ENTITY_JOB(J, OX_WRITE(Position, p), { float dt; }) { p->x = 1; }", LIST),
    ("terms of a chunk job without parentheses",
     "OX_CHUNK_JOB(J, OX_WRITE(Position, p), OX_READ(Velocity, v), { float dt; }) { p->x += v->x; }",
     LIST + "OX_CHUNK_JOB"),
    ("a type where a term stands", "OX_ENTITY_JOB(J, (Position p), { float dt; }) { p->x = 1; }", LIST),
    ("a component where a term stands",
     "OX_ENTITY_JOB(J, (Position, OX_READ(Velocity, v)), { float dt; }) { (void)v; }", LIST),
    ("a component where a list stands", "OX_CHUNK_JOB(J, Position, { float dt; }) { (void)job; }", LIST),
    ("a component where a term of a query stands", F + "ox_query_create(w, OX_READ(Position), Velocity); }",
     "terms are such as OX_READ(T), OX_WRITE(T), OX_WITH(T) or OX_NONE(T)"),
    ("a term without a name", "OX_ENTITY_JOB(J, (OX_WRITE(Position)), { float dt; }) { position->x = 1; }",
     "a term of a job has a name: OX_WRITE(Position, name)"),
    ("a view without a name", "OX_VIEWS(V, (OX_WRITE(Position)));",
     "a term of views has a name: OX_READ(Position, name)"),
    ("a view of what may be missing", "OX_VIEWS(V, (OX_OPTIONAL(Position, p)));",
     "a view reads or writes: OX_READ(Position, name) or OX_WRITE(Position, name)"),
    ("an unknown component of a job", "OX_ENTITY_JOB(J, (OX_WRITE(Positon, p)), { float dt; }) { p->x = 1; }",
     "oxi_no_component_named_Positon"),
    ("an unknown component of a query", F + "ox_query_create(w, OX_READ(Positon)); }", "oxi_no_component_named_Positon"),
    ("an unknown component of a filter", "OX_ENTITY_JOB(J, (OX_READ(Position, p), OX_NONE(Frosen)), { int n; }) {}",
     "oxi_no_component_named_Frosen"),
    ("an unknown component in a call", F + "(void)ox_get(w, e, Positon)->x; }", "oxi_no_component_named_Positon"),
    ("an unknown component that is set", F + "ox_set(w, e, Positon, {1, 2}); }", "oxi_no_component_named_Positon"),
    ("a tag that a job reads", "OX_ENTITY_JOB(J, (OX_READ(Frozen, f)), { float dt; }) { (void)f; }",
     "Frozen is a tag and has no value: write OX_WITH(Frozen)"),
    ("a shared component whose changes are asked for",
     "OX_ENTITY_JOB(J, (OX_READ(Team, t), OX_CHANGED(Team, c)), { int n; }) { (void)t; (void)c; }",
     "Team has no values that change in place: OX_CHANGED is for data and buffers"),
    ("a tag that is got", F + "(void)ox_get(w, e, Frozen); }", "Frozen is a tag and has no value: ask ox_has"),
    ("a buffer that is read as a value", F + "(void)ox_read(w, e, Path); }", "Path has no single value to read: use ox_get"),
    ("a shared component that a job writes", "OX_ENTITY_JOB(J, (OX_WRITE(Team, t)), { int n; }) { (void)t; }",
     "Team is shared by the entities of a chunk, and jobs only read it: write OX_READ(Team, name), and set it with "
     "ox_commands_set"),
    ("a shared component that is edited", F + "ox_edit(w, e, Team)->number = 1; }",
     "Team is shared by entities: change it with ox_set"),
    ("a plain job of a system", "OX_JOB_SYSTEM(S, .jobs = OX_JOBS(Plain)) { return after; }",
     "OX_JOBS is for jobs of OX_ENTITY_JOB or OX_CHUNK_JOB; Plain is another kind of job"),
    ("a plain job over entities", F + "ox_schedule_entities(Plain, ox_world_get_root(w), OX_AUTO, {1}); }",
     "ox_schedule_entities is for an OX_ENTITY_JOB or OX_CHUNK_JOB; Plain is another kind of job"),
    ("a world that schedules", F + "ox_schedule_entities(Fly, w, OX_AUTO, {1}); }", None),
    ("an entity that schedules", F + "ox_schedule_entities(Fly, e, OX_AUTO, {1}); }", SCHEDULES),
    ("a query that schedules", "void f(ox_query *q) { ox_schedule_entities(Fly, q, OX_AUTO, {1}); }", SCHEDULES),
    ("a parallel job that is scheduled as a single one", F + "ox_schedule(Many, OX_NO_JOB, {1}); }",
     "ox_schedule is for an OX_JOB; Many is another kind of job"),
    ("a job over entities that is scheduled as a single one", F + "ox_schedule(Fly, OX_NO_JOB, {1}); }",
     "ox_schedule is for an OX_JOB; Fly is another kind of job"),
    ("a single job that is scheduled as a parallel one", F + "ox_schedule_for(Plain, 9, 1, OX_NO_JOB, {1}); }",
     "ox_schedule_for is for an OX_PARALLEL_JOB or OX_RANGE_JOB; Plain is another kind of job"),
    ("an unknown job", F + "ox_schedule(Plane, OX_NO_JOB, {1}); }", "oxi_no_job_named_Plane"),
    ("an unknown job over entities", F + "ox_schedule_entities(Flie, ox_world_get_root(w), OX_AUTO, {1}); }",
     "oxi_no_job_named_Flie"),
    ("too few arguments", F + "(void)ox_get(w, Position); }", FEW),
    ("a lookup of a buffer", """OX_BUFFER(Items, 4, { int n; });
typedef struct State { ox_lookup items; } State;
OX_SYSTEM(S, .state = sizeof(State), .inject = {OX_INJECT_LOOKUP(State, items, OX_READ(Items))}) {}
ox_lookup f(ox_system *s) { return ox_system_lookup(s, OX_WRITE(Items)); }""", None),
    ("another term in a lookup", "ox_lookup f(ox_system *s) { return ox_system_lookup(s, OX_WITH(Position)); }",
     "a lookup reads or writes: OX_READ(T) or OX_WRITE(T)"),
    ("another term in an injected lookup", """typedef struct State { ox_lookup items; } State;
OX_SYSTEM(S, .state = sizeof(State), .inject = {OX_INJECT_LOOKUP(State, items, OX_OPTIONAL(Position))}) {}""",
     "a lookup reads or writes: OX_READ(T) or OX_WRITE(T)"),
    ("a component that is added without a value", F + """ox_add(w, e, Frozen); ox_add(w, e, Position); ox_add(w, e, Path);
ox_entities_add(w, &e, 1, Frozen); ox_add_many(w, e, OX_VALUE(Frozen), OX_VALUE(Position, {1, 2})); }
void g(ox_commands c, ox_entity e) { ox_commands_add(c, e, Frozen); }""", None),
    ("an unknown component that is added", F + "ox_add(w, e, Frosen); }", "oxi_no_component_named_Frosen"),
    ("a buffer without its inline elements", "OX_BUFFER(Trail, { float x, y; });", INLINE),
    ("a buffer of one field without its inline elements", "OX_BUFFER(Trail, { float x; });", INLINE),
    ("jobs without fields", """OX_ENTITY_JOB(J, (OX_WRITE(Position, p), OX_NONE(Frozen))) { p->x = 1; }
OX_CHUNK_JOB(K, (OX_READ(Position, p))) { (void)p; }
OX_JOB(L) {}
OX_PARALLEL_JOB(M) { (void)i; }
OX_RANGE_JOB(N) { (void)begin, (void)end; }
OX_JOB_SYSTEM(S, .jobs = OX_JOBS(J, K)) { return ox_schedule_entities(K, system, ox_schedule_entities(J, system, after)); }
void f(ox_query *q, Positions l, ox_array a) { ox_schedule_query(J, q, OX_AUTO); ox_schedule_query(J, q, OX_AUTO, {0});
ox_schedule(L, OX_NO_JOB); ox_schedule_background(L, OX_NO_JOB); ox_schedule_for(M, 9, 1, OX_NO_JOB);
ox_schedule_for_list(M, l, 1, OX_NO_JOB); ox_schedule_for_value(N, a, 1, OX_NO_JOB); ox_run(L); ox_run_for(N, 9, 1); }""", None),
    ("fields of a job over entities that are left out", F + "ox_schedule_entities(Fly, w, OX_AUTO); }",
     "Fly has fields: give them last, such as {.field = 1}"),
    ("fields of a job that are left out", F + "ox_run(Plain); }", "Plain has fields: give them last"),
    ("terms of a job that are left out", "OX_ENTITY_JOB(J) {}", LIST),
    ("fields of a job where its terms stand", "OX_ENTITY_JOB(J, { float dt; }) {}", LIST),
    ("a tag with a value", F + "ox_add(w, e, Frozen, {1}); }", "oxi_tag_without_value_Frozen"),
    ("a new tag with a value", F + "ox_entity_create(w, OX_VALUE(Frozen, {1})); }", "oxi_tag_without_value_Frozen"),
    ("an untyped list in a call that needs its type", "void f(ox_list list) { ox_list_push(list, {1, 2}); }", UNTYPED),
    ("an untyped map in a call that needs its types", "int f(ox_map map) { return ox_map_read(map, 1); }", UNTYPED),
    ("an untyped list in a loop", "void f(ox_list list) { OX_EACH(list, it) { (void)it; } }", UNTYPED),
    ("an untyped list with a type", "void f(ox_list list) { ox_list_push(OX_AS(list, Position), {1, 2}); }", None),
    ("another struct in a list", "void f(Positions list, Velocity v) { ox_list_push(list, v); }", "Velocity"),
    ("a pointer for a value", "void f(Ages ages) { ox_map_set(ages, 1, (Position){1, 2}); }", "Position"),
    ("a field that elements do not have", "void f(Positions list) { ox_list_edit(list, 0)->z = 1; }", "'z'"),
    ("an array in a call of lists", "void f(Places places) { ox_list_push(places, {1, 2}); }", ("ox_list_push_at", "ox_array")),
    ("a list of a type that is none", "void f(void) { (void)ox_list_create(Position, 4, OX_TEMP); }",
     ("oxi_no_container_named_Position", "no member named 'oxi_item_type_use_OX_AS' in 'struct Position'")),
    ("a list of the type of an array", "void f(void) { (void)ox_list_create(Places, 4, OX_TEMP); }", "ox_list"),
    ("the writer of another list",
     "OX_LIST(Others, Velocity);\nvoid f(Positions a) { Others_writer w = ox_list_writer_of(a); (void)w; }",
     ("invalid initializer", "incompatible type")),
    ("an edit through a const loop", "void f(Positions list) { OX_EACH(list, p) { p->x = 1; } }", ("read-only", "const-qualified")),
]

# Targets that are refused: what is written, options of the compiler, and what the error says. A machine may lack
# what -m32 needs, so a header of 64 bits plays one of 32, too.
PLAYED = "#include <stdint.h>\n#undef UINTPTR_MAX\n#define UINTPTR_MAX UINT32_MAX\n#include <oxbow/base.h>\n"
BASE = "#include <oxbow/base.h>\n"
CPP = ["-x", "c++", "-std=c++17"]
BITS = "Oxbow runs on 64-bit targets"
ENUMS = "Oxbow needs enums as large as int: compile without -fshort-enums"
TARGETS = [
    ("this target", BASE, [], None),
    ("pointers of 32 bits", PLAYED, [], BITS),
    ("pointers of 32 bits that are allowed", PLAYED, ["-DOX_ALLOW_32BIT"], None),
    ("a 32-bit build", BASE, ["-m32", "-ffreestanding"], BITS),
    ("a 32-bit build that is allowed", BASE, ["-m32", "-ffreestanding", "-DOX_ALLOW_32BIT"], None),
    ("short enums", BASE, ["-fshort-enums"], ENUMS),
    ("short enums in C++", BASE, ["-fshort-enums", *CPP], ENUMS),
]

# Cases that are also asked in C++, where other code decides.
IN_CPP = [
    "right", "a world that schedules", "a query that schedules", "a component that is added without a value",
    "a buffer without its inline elements", "jobs without fields", "fields of a job over entities that are left out",
    "fields of a job that are left out", "terms of a job that are left out", "a tag that is got",
]


def find_compilers(first):
    """The compiler of the build, and others that are there: whether each is clang."""
    found = {}
    for name in (first, "gcc", "clang"):
        path = shutil.which(name)
        if path and os.path.realpath(path) not in found:
            version = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
            found[os.path.realpath(path)] = "clang" in version
    return found.items()


def compile_text(compiler, source, text, flags=()):
    """Whether a text compiles, and what the compiler says."""
    language = [] if "-x" in flags else ["-std=c11", "-x", "c"]
    command = [compiler, "-fsyntax-only", "-I", str(source / "include"), *language, *flags, "-"]
    ran = subprocess.run(command, input=text, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    return ran.returncode == 0, ran.stderr


def find_first_error(errors):
    return next((line for line in errors.splitlines() if "error:" in line), "")


def main():
    parser = argparse.ArgumentParser(description="Compiles mistakes.")
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", required=True)
    options = parser.parse_args()
    lines, bad = [], 0
    for compiler, is_clang in find_compilers(options.compiler):
        cases = [(name, BEGIN + text + "\n", [], expected) for name, text, expected in CASES]
        if compile_text(compiler, options.source, "int no_header;\n", CPP)[0]:
            by_name = {name: (text, expected) for name, text, expected in CASES}
            cases += [(f"{name}, in C++", BEGIN + by_name[name][0] + "\n", CPP, by_name[name][1]) for name in IN_CPP]
        for target in TARGETS:
            if compile_text(compiler, options.source, "int no_header;\n", target[2])[0]:
                cases.append(target)
            else:
                print(f"{target[0]}: left out, {compiler} has no {' '.join(target[2])}")
        for name, text, flags, expected in cases:
            if isinstance(expected, tuple):
                expected = expected[is_clang]
            compiles, errors = compile_text(compiler, options.source, text, flags)
            passed = compiles == (expected is None) and (expected or "") in find_first_error(errors)
            lines.append(f"{'passed' if passed else 'failed'} compile_errors: {name}, {pathlib.Path(compiler).name}")
            if not passed:
                bad = 1
                print(f"{compiler}: {name}: {'compiles' if compiles else 'fails'}, expected {expected}\n{errors}")
    results = os.environ.get("OX_TEST_RESULTS")
    if results:
        pathlib.Path(results, "compile_errors.txt").write_text("\n".join([f"tests {len(lines)}", *lines]) + "\n")
    sys.exit(bad)


if __name__ == "__main__":
    main()
