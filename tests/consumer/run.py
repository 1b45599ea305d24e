#!/usr/bin/env python3
"""Uses Oxbow as a stranger does: installed, as one file, and as a part of another project.

    tests/consumer/run.py --source . --build build/checked

The build folder must be built. Everything is made in a temporary folder. With OX_TEST_RESULTS set to
a folder, consumer.txt there holds the number of tests and a line for each that passed.
"""
import argparse
import functools
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
COMPILERS = {"c": [*os.environ.get("CC", "cc").split(), "-std=c11"],
             "cpp": [*os.environ.get("CXX", "c++").split(), "-std=c++17"]}
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
# What the environment of the caller may not change here.
FOREIGN = ("CFLAGS", "CXXFLAGS", "LDFLAGS", "DESTDIR", "MAKEFLAGS", "CMAKE_PREFIX_PATH", "CMAKE_BUILD_TYPE")
MUSL = shutil.which("musl-gcc")
# Targets of the CMake package, and the library that each is.
TARGETS = {"oxbow": "oxbow", "checked": "oxbow-checked",
           "oxbow-shared": "oxbow", "checked-shared": "oxbow-checked"}
# What game.c and game.cpp print; model_game() works it out without Oxbow.
GAME = ("guns: {guns}, fired {fired}, the last at {last:g}\n"
        "bullets: {count}, sum {sum:g}, below 100: {near}, from 900 on: {tenth}\n"
        "above 900: {far}, the furthest at {furthest:g}\n")


def run(command, **more):
    """Runs a command and returns what it printed. A failing one fails the test, with its words."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\nreturned {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def model_game(guns=300, frames=24):
    """The game in ten lines: every number in it is exact, so order does not matter."""
    places, bullets, fired = {k: float(k) for k in range(1, guns + 1)}, [], 0
    for frame in range(1, frames + 1):
        bullets = [(x + speed / 2, speed) for x, speed in bullets]
        places[guns] -= 0.5
        shots = [(x, float(k)) for k, x in places.items() if (frame + k) % 7 == 0]
        fired += len(shots)
        bullets = [bullet for bullet in bullets + shots if bullet[0] <= 1000]
    left = [x for x, _ in bullets]
    return GAME.format(guns=guns, fired=fired, last=places[guns], count=len(left), sum=sum(left),
                       near=sum(x < 100 for x in left), tenth=sum(900 <= x < 1000 for x in left),
                       far=sum(x > 900 for x in left), furthest=max(left))


class Consumer(unittest.TestCase):
    """The cases; those that differ in a name only are added at the end of this file."""

    source = build = None

    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="oxbow-consumer-")).resolve()
        cls.addClassCleanup(shutil.rmtree, cls.scratch)
        for name in FOREIGN:
            os.environ.pop(name, None)
        os.environ["CMAKE_EXPORT_COMPILE_COMMANDS"] = "ON"
        # Moved after the installation: nothing in it may know where it stands.
        run(["cmake", "--install", cls.build, "--prefix", cls.scratch / "first"])
        cls.prefix = (cls.scratch / "first").rename(cls.scratch / "moved")
        cls.include = cls.prefix / "include"
        cls.libraries = next(cls.prefix.rglob("liboxbow.a")).parent
        os.environ["PKG_CONFIG_PATH"] = str(cls.libraries / "pkgconfig")

        cache = (cls.build / "CMakeCache.txt").read_text()
        checked = int(re.search(r"^OX_CHECKED_LEVEL:\w+=(\d)$", cache, re.M)[1])
        cls.levels = {"oxbow": 0, "oxbow-checked": checked}
        header = (cls.include / "oxbow/base.h").read_text()
        cls.version = [int(number) for number in re.findall(r"^#define OX_VERSION_[A-Z]+ (\d+)$", header, re.M)]

    def setUp(self):
        self.folder = self.scratch / self.id().split(".")[-1]
        self.folder.mkdir()

    def expect(self, program, file_level, library_level):
        major, minor, patch = self.version
        self.assertEqual(
            run(["sh", "-c", f"'{program}' 2>&1"], cwd=self.folder),  # a report would show
            f"version {major * 1000000 + minor * 1000 + patch}, level {file_level} with library {library_level}, "
            "2 fields, length 7, OX-M14\n")

    def expect_linked(self, program, name, shared):
        major, minor, _ = self.version
        self.assertEqual(f"lib{name}.so.{major}.{minor}".encode() in pathlib.Path(program).read_bytes(), shared)

    def expect_game(self, program):
        self.assertEqual(run(["sh", "-c", f"'{program}' 2>&1"], cwd=self.folder), model_game())

    def compile(self, language, arguments, name="consumer"):
        program = self.folder / name
        run([*COMPILERS[language], *WARNINGS, HERE / f"{name}.{language}", "-o", program, *arguments])
        return program

    def archive(self, name):
        return [f"-I{self.include}", "-pthread", self.libraries / f"lib{name}.a", "-lm"]

    # pkg-config.

    def check_pkg_config(self, language, name, kind):
        flags = run(["pkg-config", "--cflags", "--libs", name]).split()
        if kind == "shared":
            flags.append(f"-Wl,-rpath,{self.libraries}")
        else:
            # pkg-config has no word for the archive where both kinds are installed.
            flags = [str(self.libraries / f"lib{name}.a") if flag == f"-l{name}" else flag for flag in flags]

        program = self.compile(language, flags)

        self.expect(program, 2, self.levels[name])
        self.expect_linked(program, name, kind == "shared")

    def test_pkg_config_gives_no_flags_of_ours(self):
        for name in self.levels:
            flags = run(["pkg-config", "--static", "--cflags", "--libs", name]).split()
            paths = [flag for flag in flags if flag[:2] in ("-I", "-L")]
            self.assertEqual(set(flags) - set(paths), {"-pthread", f"-l{name}", "-lm"})
            self.assertEqual({pathlib.Path(path[2:]).resolve() for path in paths}, {self.include, self.libraries})

    # CMake.

    @classmethod
    @functools.cache
    def project(cls, way):
        """A build folder of CMakeLists.txt, configured once for all tests that use it."""
        options = {"find_package": [f"-DCMAKE_PREFIX_PATH={cls.prefix}"],
                   "add_subdirectory": [f"-DOXBOW_SOURCE={cls.source}",
                                        f"-DOX_CHECKED_LEVEL={cls.levels['oxbow-checked']}"]}
        run(["cmake", "-S", HERE, "-B", cls.scratch / way, *options[way]])
        return cls.scratch / way

    def check_cmake(self, way, language, target):
        program = self.project(way) / f"{language}-{target}"

        run(["cmake", "--build", self.project(way), "--target", program.name, "-j", os.cpu_count()])

        self.expect(program, 2, self.levels[TARGETS[target]])
        self.expect_linked(program, TARGETS[target], target.endswith("-shared"))

    def expect_no_flags_of_ours(self, project):
        for entry in json.loads((project / "compile_commands.json").read_text()):
            if pathlib.Path(entry["file"]).parent == HERE:
                self.assertNotRegex(entry["command"], r" -(W|O|f|g|m)|OX_SAFETY|_GNU_SOURCE")

    def test_find_package_gives_no_flags_of_ours(self):
        self.expect_no_flags_of_ours(self.project("find_package"))

    def test_find_package_takes_its_own_minor_version_only(self):
        major, minor, patch = self.version
        base = ["cmake", "-S", HERE, f"-DCMAKE_PREFIX_PATH={self.prefix}"]
        run([*base, "-B", self.folder / "same", f"-DOXBOW_WANTED={major}.{minor}"])
        for other in {minor + 1, max(minor - 1, 0)} - {minor}:
            with self.assertRaisesRegex(AssertionError, f"version: {major}.{minor}.{patch}"):
                run([*base, "-B", self.folder / f"other{other}", f"-DOXBOW_WANTED={major}.{other}"])

    def test_add_subdirectory_gives_no_flags_of_ours(self):
        project = self.project("add_subdirectory")
        self.expect_no_flags_of_ours(project)
        self.assertNotIn("-Werror", (project / "compile_commands.json").read_text())

    # Levels, one file, versions.

    def check_levels(self, level, name):
        for language in COMPILERS:
            program = self.compile(language, [f"-DOX_SAFETY={level}", *self.archive(name)])
            self.expect(program, level, self.levels[name])

    def check_holders(self, name):
        lines = run([self.compile("c", self.archive(name), "holders")], cwd=self.folder).splitlines()
        self.assertEqual([line.split()[1] for line in lines], ["OX-T04"] * 17, lines)

    def check_game(self, language, name):
        self.expect_game(self.compile(language, self.archive(name), "game"))

    def amalgamate(self, folder):
        run([sys.executable, self.source / "tools/amalgamate.py", "--out", folder])
        self.assertEqual({path.name for path in folder.iterdir()}, {"oxbow.h", "oxbow.c"})

    def test_one_file_builds_with_one_line(self):
        self.amalgamate(self.folder)
        for name in ("game.c", "game.h"):
            shutil.copy(HERE / name, self.folder)

        cc = COMPILERS["c"][:-1]
        run([*cc, "-std=c11", "-pthread", "oxbow.c", "game.c", "-lm"], cwd=self.folder)

        self.expect_game(self.folder / "a.out")

    def check_musl(self, level):
        """musl comes without the headers of the kernel."""
        self.amalgamate(self.folder)
        run([MUSL, "-std=c11", *WARNINGS, f"-DOX_SAFETY={level}", "-pthread", "-static", "-o", "game",
             "oxbow.c", HERE / "game.c", f"-I{HERE}", "-I.", "-lm"], cwd=self.folder)
        self.expect_game(self.folder / "game")

    def one_file(self, level):
        """The flags of a program with oxbow.c at a level. The file is compiled once for all tests."""
        folder, define = self.scratch / f"one-file-{level}", f"-DOX_SAFETY={level}"
        if not (folder / "oxbow.o").exists():
            self.amalgamate(folder)
            run([*COMPILERS["c"], "-Wall", "-Wextra", "-Werror", "-pthread", define, "-c", "oxbow.c"], cwd=folder)
        return [f"-I{folder}", define, "-pthread", folder / "oxbow.o", "-lm"]

    def check_one_file(self, language, level):
        self.expect(self.compile(language, self.one_file(level)), level, level)

    def check_game_in_one_file(self, language, level):
        self.expect_game(self.compile(language, self.one_file(level), "game"))

    def test_other_headers_than_the_library_are_reported(self):
        shutil.copytree(self.include, self.folder / "include")
        base = self.folder / "include/oxbow/base.h"
        text, count = re.subn(r"(#define OX_VERSION_MINOR) \d+", rf"\1 {self.version[1] + 1}", base.read_text())
        self.assertEqual(count, 1)
        base.write_text(text)

        for name in self.levels:
            program = self.compile("c", [f"-I{self.folder / 'include'}", *self.archive(name)])
            done = subprocess.run([program], capture_output=True, text=True, cwd=self.folder)
            self.assertEqual(done.returncode, -signal.SIGABRT)
            self.assertIn("OX-B03", done.stderr)
            self.assertEqual(done.stdout, "")


def add_cases(name, check, *choices):
    """One test for each way to choose: its name is `name` with the words of the choice."""
    for choice in itertools.product(*choices):
        def test(self, choice=choice):
            check(self, *choice)

        words = "_".join([name, *map(str, choice)])
        setattr(Consumer, "test_" + words.replace("-", "_").strip("_"), test)


add_cases("pkg_config", Consumer.check_pkg_config, COMPILERS, ["oxbow", "oxbow-checked"], ["static", "shared"])
add_cases("", Consumer.check_cmake, ["find_package"], COMPILERS, TARGETS)
add_cases("", Consumer.check_cmake, ["add_subdirectory"], COMPILERS, ["checked"])
add_cases("file_at_level", Consumer.check_levels, [0, 2], ["oxbow", "oxbow-checked"])
add_cases("one_file", Consumer.check_one_file, COMPILERS, [0, 2])
add_cases("containers_in_components", Consumer.check_holders, ["oxbow", "oxbow-checked"])
add_cases("game", Consumer.check_game, COMPILERS, ["oxbow", "oxbow-checked"])
add_cases("game_in_one_file", Consumer.check_game_in_one_file, COMPILERS, [0, 2])
if MUSL:
    add_cases("one_file_with_musl_at_level", Consumer.check_musl, [2])
else:
    print("one file with musl: left out, there is no musl-gcc", file=sys.stderr)


class Tally(unittest.TextTestResult):
    """Notes each test that passed, for tools/run_tests.py."""

    file = None

    def addSuccess(self, test):
        super().addSuccess(test)
        if self.file is not None:
            print("passed consumer:", test.id().split(".test_")[-1], file=self.file, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=pathlib.Path, required=True, metavar="DIR")
    parser.add_argument("--build", type=pathlib.Path, required=True, metavar="DIR")
    arguments = parser.parse_args()
    Consumer.source, Consumer.build = arguments.source.resolve(), arguments.build.resolve()

    tests = unittest.defaultTestLoader.loadTestsFromTestCase(Consumer)
    if "OX_TEST_RESULTS" in os.environ:
        Tally.file = open(pathlib.Path(os.environ["OX_TEST_RESULTS"]) / "consumer.txt", "w")
        print("tests", tests.countTestCases(), file=Tally.file, flush=True)
    sys.exit(not unittest.TextTestRunner(resultclass=Tally, verbosity=2).run(tests).wasSuccessful())


if __name__ == "__main__":
    main()
