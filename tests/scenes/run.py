#!/usr/bin/env python3
"""Builds the scenes with each compiler, at several levels, and compares what they come to.

    tests/scenes/run.py --source .

The library is built as one file. The hashes must be those of golden.h; the build itself is checked
by test_scenes.c, so only what is built otherwise is built here. A compiler that is missing is
skipped, with a line. With OX_TEST_RESULTS set to a folder, scene_compilers.txt there holds the
number of tests and a line for each that passed.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
# Compiler, optimisation, OX_SAFETY.
WAYS = [("gcc", "-O0", 0), ("clang", "-O0", 2), ("clang", "-O3", 0)]


def run(command, **more):
    """Runs a command and returns what it printed. A failing one fails the test, with its words."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\nreturned {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class Compilers(unittest.TestCase):
    source = None

    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="oxbow-scenes-")).resolve()
        cls.addClassCleanup(shutil.rmtree, cls.scratch)
        run([sys.executable, cls.source / "tools/amalgamate.py", "--out", cls.scratch])

    def check_way(self, compiler, optimisation, level):
        if shutil.which(compiler) is None:
            self.skipTest(f"there is no {compiler}")
        program = self.scratch / f"hashes-{compiler}{optimisation}-{level}"
        scenes = sorted((self.source / "scenes").glob("*.c"))

        run([compiler, "-std=c11", optimisation, "-ffp-contract=off", f"-DOX_SAFETY={level}", "-D_GNU_SOURCE",
             "-pthread", f"-I{self.scratch}", f"-I{self.source / 'scenes'}", f"-I{HERE}", "-o", program,
             self.scratch / "oxbow.c", *scenes, HERE / "scene_run.c", HERE / "scene_hashes.c", "-lm"])

        printed = run([program])
        self.assertNotIn("DIFFERS", printed)
        self.assertIn(" ok\n", printed)


for way in WAYS:
    def test(self, way=way):
        self.check_way(*way)

    setattr(Compilers, "test_" + "_".join(map(str, way)).replace("-", ""), test)


class Tally(unittest.TextTestResult):
    """Notes each test that passed, or was skipped, for tools/run_tests.py."""

    file = None

    def note(self, test):
        if self.file is not None:
            print("passed scene_compilers:", test.id().split(".test_")[-1], file=self.file, flush=True)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.note(test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        print(f"skipped: {reason}", flush=True)
        self.note(test)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=pathlib.Path, required=True, metavar="DIR")
    Compilers.source = parser.parse_args().source.resolve()

    tests = unittest.defaultTestLoader.loadTestsFromTestCase(Compilers)
    if "OX_TEST_RESULTS" in os.environ:
        Tally.file = open(pathlib.Path(os.environ["OX_TEST_RESULTS"]) / "scene_compilers.txt", "w")
        print("tests", tests.countTestCases(), file=Tally.file, flush=True)
    sys.exit(not unittest.TextTestRunner(resultclass=Tally, verbosity=2).run(tests).wasSuccessful())


if __name__ == "__main__":
    main()
