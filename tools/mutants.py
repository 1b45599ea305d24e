#!/usr/bin/env python3
"""Makes small mistakes in the sources of one module, one at a time, and runs the module's tests.

A mutant that no test fails for has lived: a test is missing, or the change makes no difference. Each
is printed as file:line and the change. Mutants that do not compile, and those whose object file is the
original's, do not count. tools/mutants_equivalent.txt lists changes that are argued to make no
difference: they count as equivalent.

Everything happens in DIR, in a copy of the project: DIR/tree, built in DIR/checked as `make test`
builds it. A mutant is one object, compiled with the flags of the library with checks and linked in front of
that library into the test programs of the module (targets `test_MODULE_UNIT`), one by one until one
fails: those named like the mutated file first, then the quickest. A program that takes much longer
than on the original counts as failed.

    mutants.py --module M [--count N] [--seed S] [--jobs J] [--at FILE[:LINE]...] [--asan]

With --at, all mutants of files or lines are made instead of COUNT random ones. With --asan, those
that lived are tried again in DIR/asan, built as `make test-asan` builds it.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

import check_sizes
import mutate
import scan

LIBRARY = "oxbow-checked"
MEMORY_LIMIT = 3 << 30 # of one test program, in bytes

Mutant = collections.namedtuple("Mutant", "path line kind start end text before after function")
Program = collections.namedtuple("Program", "name folder link objects")


def parse_options():
    own = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description="Runs a module's tests on mutants of its sources.")
    parser.add_argument("--module", required=True, help="a folder of src/")
    parser.add_argument("--count", type=int, default=50, help="mutants that count, 50 by default")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--at", nargs="+", metavar="FILE[:LINE]", help="all mutants of files or lines")
    parser.add_argument("--asan", action="store_true", help="try what lived under AddressSanitizer")
    parser.add_argument("--scale", default="0.05", help="how much of the random tests to run")
    parser.add_argument("--patience", type=float, default=10,
                        help="seconds that a program may take longer than on the original")
    parser.add_argument("--slowest", type=float, default=60,
                        help="leave out test programs that take longer, in seconds")
    parser.add_argument("--root", type=pathlib.Path, default=own, help="the project")
    parser.add_argument("--out", type=pathlib.Path, help="DIR, build/mutants by default")
    options = parser.parse_args()
    options.root = options.root.resolve()
    options.out = (options.out or options.root / "build" / "mutants").resolve()
    if not list((options.root / "src" / options.module).glob("*.c")):
        parser.error(f"src/{options.module} has no sources")
    return options


# The copy, and what its build says about commands.


def copy_tree(root, tree):
    """Makes `tree` a copy of the project. Files that are the same keep their times."""
    folders = [path.name for path in root.iterdir() if path.name not in ("build", ".git")]
    files = {path for name in folders if (path := root / name).is_file()}
    files.update(scan.find_files(root, *folders))
    for path in sorted(files):
        copy = tree / path.relative_to(root)
        if not copy.exists() or copy.read_bytes() != path.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
    for copy in list(tree.rglob("*")):
        if copy.is_file() and root / copy.relative_to(tree) not in files:
            copy.unlink()


def run_or_exit(command, **more):
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if ran.returncode != 0:
        sys.exit(f"{ran.stdout}\nfailed: {shlex.join(map(str, command))}")
    return ran.stdout


def build_tree(options, tree, build):
    """Builds the library and the module's test programs. Returns the names of their targets."""
    run_or_exit(["cmake", "--preset", build.name, "-G", "Unix Makefiles", "-B", build,
                 "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"], cwd=tree)
    listed = run_or_exit(["cmake", "--build", build, "--target", "help"])
    targets = re.findall(rf"(?m)^\.\.\. (test_{options.module}_\w+)$", listed)
    targets = [target for target in targets if not target.endswith("_release")]
    if not targets:
        sys.exit(f"no target is called test_{options.module}_UNIT")
    print(f"building {len(targets)} test programs in {build}", flush=True)
    run_or_exit(["cmake", "--build", build, "-j", str(options.jobs), "--target", LIBRARY, *targets])
    return targets


def read_commands(build):
    """The command that compiles each object of the build: (words, folder) by the object's path."""
    commands = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        folder = pathlib.Path(entry["directory"])
        commands[folder / words[words.index("-o") + 1]] = words, folder, entry["file"]
    return commands


def read_program(build, target):
    link = next(build.rglob(f"CMakeFiles/{target}.dir/link.txt"))
    folder = link.parents[2]
    words = shlex.split(link.read_text())
    return Program(target, folder, words, [folder / word for word in words if word.endswith(".o")])


def read_environment(build, module):
    """What the build wants in the environment of a module's tests."""
    listed = run_or_exit(["ctest", "--test-dir", build, "--show-only=json-v1", "-L", f"^{module}$"])
    properties = [found for test in json.loads(listed)["tests"] for found in test["properties"]]
    values = [value for found in properties if found["name"] == "ENVIRONMENT" for value in found["value"]]
    return dict(value.split("=", 1) for value in values)


def depends_on(thing, source):
    """True when an object was compiled from a file, as the compiler noted."""
    noted = thing.with_name(thing.name + ".d")
    return noted.exists() and str(source) in noted.read_text().split()


def replace_output(words, output):
    place = words.index("-o") + 1
    return words[:place] + [str(output)] + words[place + 1:]


# Choosing mutants.


def whole_lines(text, start, end):
    """The lines around [start, end) as one, without the space at both sides."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    return text[first:last if last >= 0 else len(text)]


def find_spans(text):
    """The functions of a source, as (name, start, end). That of OX_JOB(Name, ...) is called Name."""
    spans = []
    code = scan.blank_directives(scan.blank(text))
    for name, parameters, begin, _, end in check_sizes.find_functions(code):
        name = parameters.partition(",")[0].strip() if name.isupper() else name
        spans.append((name, begin, end))
    return spans


def make_mutant(path, text, spans, site, new):
    changed = text[:site.start] + new + text[site.end:]
    before = whole_lines(text, site.start, site.end)
    after = whole_lines(changed, site.start, site.start + len(new))
    function = next((name for name, begin, end in spans if begin <= site.start < end), "")
    return Mutant(path, scan.line_at(text, site.start), site.kind, site.start, site.end, new,
                  " ".join(before.split()), " ".join(after.split()), function)


def find_mutants(options, tree):
    """All mutants that --at names, or one of each site of the module in random order."""
    chance, mutants = random.Random(options.seed), []
    for path in sorted((tree / "src" / options.module).glob("*.c")):
        text = scan.read(path)
        spans = find_spans(text)
        for site in mutate.find_sites(text):
            place = f"{path.name}:{scan.line_at(text, site.start)}"
            texts = site.texts if options.at else [chance.choice(site.texts)]
            if not options.at or {path.name, place} & {pathlib.Path(at).name for at in options.at}:
                mutants += [make_mutant(path.relative_to(tree), text, spans, site, new)
                            for new in texts]
    if not options.at:
        chance.shuffle(mutants)
    return mutants


def read_equivalent(root):
    """The listed changes, as (file, line before, line after), each with its reason. The file may be
    followed by `:function`, when the line stands in several of them."""
    path, listed = root / "tools" / "mutants_equivalent.txt", {}
    if not path.exists():
        return listed
    text = re.sub(r"(?m)^#.*\n", "", scan.read(path))
    for block in filter(None, re.split(r"\n\s*\n", text.strip())):
        lines = [line.strip() for line in block.splitlines()]
        if len(lines) != 4 or lines[1][:2] != "- " or lines[2][:1] != "+":
            sys.exit(f"{path}: not four lines (file, - before, + after, reason):\n{block}")
        listed[lines[0], lines[1][2:], lines[2][2:]] = lines[3]
    return listed


def find_stale(listed, root, module):
    """Listed changes of a module's lines that are no longer there, or that stand for several lines."""
    for listed_at, before, _ in listed:
        path, _, function = listed_at.partition(":")
        if not path.startswith(f"src/{module}/"):
            continue
        text = scan.read(root / path) if (root / path).exists() else ""
        count = len(re.findall(rf"(?<!\S){re.escape(before)}(?!\S)", " ".join(text.split())))
        if count == 0:
            yield f"no longer there: {listed_at}: {before}"
        elif count > 1 and not function:
            yield f"there {count} times, name the function: {listed_at}: {before}"


def is_listed(mutant, listed):
    places = str(mutant.path), f"{mutant.path}:{mutant.function}"
    return any((place, mutant.before, mutant.after) in listed for place in places)


# Running.


def used_memory(process):
    try:
        pages = int(pathlib.Path(f"/proc/{process.pid}/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * resource.getpagesize()


def run_limited(command, folder, environment, seconds):
    """Runs a program with its children. Returns what came of it: good, failed, or endless when it took
    too long, or too much memory. On a busy machine it has more time."""
    seconds *= max(1, os.getloadavg()[0] / (os.cpu_count() or 1))
    process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True)
    end = time.monotonic() + seconds
    while True:
        try:
            return "good" if process.wait(0.2) == 0 else "failed"
        except subprocess.TimeoutExpired:
            if time.monotonic() < end and used_memory(process) < MEMORY_LIMIT:
                continue
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return "endless"


def words_of(name):
    return set(name.split("_"))


class Runner:
    """Compiles, links and tests mutants. Each thread has a folder of its own."""

    def __init__(self, options, tree, preset):
        self.options, self.tree, self.preset = options, tree, preset
        build = options.out / preset
        targets = build_tree(options, tree, build)
        self.programs = [read_program(build, target) for target in targets]
        self.commands = read_commands(build)
        self.environment = {**os.environ, "OX_TEST_SCALE": options.scale,
                            **read_environment(build, options.module)}
        self.environment.pop("OX_TEST_RESULTS", None)
        self.own, self.originals, self.seconds = threading.local(), {}, {}
        self.measure_programs()

    def folder(self):
        if not hasattr(self.own, "folder"):
            self.own.folder = self.options.out / f"worker-{self.preset}-{threading.get_ident()}"
            self.own.folder.mkdir(parents=True)
        return self.own.folder

    def library_object(self, path):
        for output, (_, _, file) in self.commands.items():
            if file == str(self.tree / path) and f"{LIBRARY}-objects.dir" in str(output):
                return output
        return None

    def compile(self, output, path, text):
        """Compiles the object of a command from another text. Returns it, or None."""
        words, folder, file = self.commands[output]
        own = self.folder()
        source = own / path
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(text)
        made = own / f"{output.parent.parent.name}-{output.name}"
        # Paths in the object are those of the project. Includes find the changed file first.
        more = ["-w", "-g0", f"-fmacro-prefix-map={own}/="]
        words = [str(source) if word == file == str(self.tree / path) else word
                 for word in replace_output(words, made)]
        words[words.index("-o"):words.index("-o")] = ["-I", str(own / "src")]
        ran = subprocess.run(words + more, cwd=folder, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
        return made if ran.returncode == 0 else None

    def compile_original(self, path):
        """The bytes of the object of a file without a mutation."""
        if path not in self.originals:
            made = self.compile(self.library_object(path), path, scan.read(self.tree / path))
            if made is None:
                sys.exit(f"{path} does not compile")
            self.originals[path] = made.read_bytes()
        return self.originals[path]

    def link(self, program, changed, path, text):
        """Links a test program with a changed object, or with objects that include the changed file.
        Returns the program, or None when it has a copy of the file's functions, which does not
        change."""
        words = replace_output(program.link, self.folder() / program.name)
        own = [thing for thing in program.objects if depends_on(thing, self.tree / path)]
        for thing in own:
            made = self.compile(thing, path, text)
            words[words.index(str(thing.relative_to(program.folder)))] = str(made)
        first = next(place for place, word in enumerate(words) if word.endswith(".a"))
        words[first:first] = ["-Wl,-S"] if own else ["-Wl,-S", str(changed)]
        ran = subprocess.run(words, cwd=program.folder, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
        return self.folder() / program.name if ran.returncode == 0 else None

    def measure(self, program):
        """Notes how long a program takes as it is. Returns false when it fails."""
        path = program.folder / program.name
        key = f"{program.name} {path.stat().st_mtime_ns} {self.options.scale}"
        notes = self.options.out / self.preset / "seconds.json"
        noted = json.loads(notes.read_text()) if notes.exists() else {}
        if key not in noted:
            begin = time.monotonic()
            if run_limited([path], self.folder(), self.environment, 600) != "good":
                return False
            noted[key] = time.monotonic() - begin
            notes.write_text(json.dumps(noted))
        self.seconds[program.name] = noted[key]
        return True

    def measure_programs(self):
        """Runs all programs on the original. Leaves out the slow ones, and ends when one fails."""
        for program in list(self.programs):
            if not self.measure(program):
                sys.exit(f"{program.name} fails without a mutation")
            if self.seconds[program.name] > self.options.slowest:
                print(f"left out: {program.name} takes {self.seconds[program.name]:.0f} s")
                self.programs.remove(program)
        print(f"{len(self.programs)} test programs, {sum(self.seconds.values()):.1f} s", flush=True)

    def order(self, path):
        """The programs, those first whose names share words with a file, then the quickest."""
        def key(program):
            name = program.name.removeprefix(f"test_{self.options.module}_")
            common = words_of(name) & {word for part in words_of(path.stem) for word in (part, part + "s")}
            return (-(name == path.stem), -len(common), self.seconds[program.name])
        return sorted(self.programs, key=key)

    def judge(self, mutant):
        """What became of a mutant: broken, same, lived, or the name of what killed it."""
        text = scan.read(self.tree / mutant.path)
        original = self.compile_original(mutant.path)
        text = text[:mutant.start] + mutant.text + text[mutant.end:]
        changed = self.compile(self.library_object(mutant.path), mutant.path, text)
        if changed is None:
            return "broken"
        if changed.read_bytes() == original:
            return "same"
        for program in self.order(mutant.path):
            path = self.link(program, changed, mutant.path, text)
            limit = self.options.patience + 5 * self.seconds[program.name]
            ended = run_limited([path], self.folder(), self.environment, limit) if path else "good"
            if ended != "good":
                where = " under ASan" if self.preset == "asan" else ""
                return f"killed by {program.name}{where}" + (", endless" if ended == "endless" else "")
        return "lived"


def run_mutants(options, runners, mutants, listed):
    """Judges mutants until `count` of them count. Returns those that lived, and how many were what."""
    found, lived, counts = iter(mutants), [], collections.Counter()
    lock, begin = threading.Lock(), time.monotonic()

    def take():
        with lock:
            wanted = options.count - counts["made"] - counts["under way"]
            if not options.at and wanted <= 0:
                return None
            counts["under way"] += 1
            return next(found, None)

    def note(mutant, outcome):
        with lock:
            counts["under way"] -= 1
            if outcome == "lived" and is_listed(mutant, listed):
                outcome = "equivalent"
            elif outcome.startswith("killed") and is_listed(mutant, listed):
                outcome += ", though listed as equivalent"
            counts[outcome.split()[0]] += 1
            counts["made"] += outcome not in ("broken", "same")
            if outcome == "lived":
                lived.append(mutant)
                print_mutant(mutant)
            elif outcome not in ("broken", "same"):
                minutes = (time.monotonic() - begin) / 60
                print(f"{counts['made']:4} {minutes:6.1f} min {mutant.path}:{mutant.line}"
                      f" {mutant.kind}: {outcome}", flush=True)

    def work():
        while mutant := take():
            outcome = runners[0].judge(mutant)
            for runner in runners[1:] if outcome == "lived" else []:
                again = runner.judge(mutant)
                outcome = again if again.startswith("killed") else outcome
            note(mutant, outcome)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done in [pool.submit(work) for _ in range(options.jobs)]:
            done.result()
    return lived, counts


def print_mutant(mutant):
    print(f"{mutant.path}:{mutant.line}: lived ({mutant.kind})\n- {mutant.before}\n+ {mutant.after}",
          flush=True)


def main():
    options = parse_options()
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    tree = options.out / "tree"
    for old in options.out.glob("worker-*"):
        shutil.rmtree(old)
    copy_tree(options.root, tree)
    listed = read_equivalent(options.root)
    runners = [Runner(options, tree, preset) for preset in ["checked", "asan"][:1 + options.asan]]
    print(f"seed {options.seed}", flush=True)
    lived, counts = run_mutants(options, runners, find_mutants(options, tree), listed)

    for line in find_stale(listed, options.root, options.module):
        print(line)
    print(f"\nleft out: {counts['broken']} that do not compile, {counts['same']} that make no other object")
    if lived:
        print(f"lived in {options.module}:")
    for mutant in sorted(lived):
        print_mutant(mutant)
    judged = counts["made"] - counts["equivalent"]
    print(f"{options.module}: {counts['killed']} of {judged} mutants killed "
          f"({100 * counts['killed'] / max(1, judged):.1f} %), {len(lived)} lived, "
          f"{counts['equivalent']} equivalent")


if __name__ == "__main__":
    main()
