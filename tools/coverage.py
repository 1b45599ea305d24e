#!/usr/bin/env python3
"""Prints how many lines and branches of src/ the tests of a coverage build reached.

Rooms first, then the files with the most lines that nothing reached. A line is reached when it is in
the library with checks or in the release library. Branches are those of the library with checks: the
compiler numbers them anew in each.

    coverage.py --build DIR [--files] [--missing [WORD]]
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LIBRARIES = ("oxbow-checked", "oxbow")
WORST = 12


class Counts:
    """Of one file: how often each line ran, and each branch of a line was taken."""

    def __init__(self):
        self.lines, self.branches = collections.Counter(), collections.Counter()

    def add(self, line):
        number = line["line_number"]
        self.lines[number] += line["count"]
        for index, branch in enumerate(line["branches"]):
            self.branches[number, index] += branch["count"]


class Share:
    """So many of so many."""

    def __init__(self, counts=()):
        self.all = len(counts)
        self.reached = sum(1 for count in counts if count > 0)

    def __iadd__(self, other):
        self.all, self.reached = self.all + other.all, self.reached + other.reached
        return self

    def __str__(self):
        return f"{self.reached:6} of {self.all:6} {100 * self.reached / max(1, self.all):6.1f} %"


def read_library(folder):
    """The counts of each file of src/ that is compiled into a library, by its path."""
    files = collections.defaultdict(Counts)
    data = sorted(str(path) for path in folder.rglob("*.gcno"))
    if not data:
        return files
    printed = subprocess.run(["gcov", "--json-format", "--branch-probabilities", "--stdout", *data],
                             cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    for document in map(json.loads, printed.stdout.splitlines()):
        for file in document["files"]:
            path = pathlib.Path(document["current_working_directory"], file["file"])
            if path.is_relative_to(ROOT / "src"):
                for line in file["lines"]:
                    files[path.relative_to(ROOT)].add(line)
    return files


def read_counts(build):
    checked, release = (read_library(build / "src/CMakeFiles" / f"{name}-objects.dir") for name in LIBRARIES)
    for path, counts in release.items():
        if path in checked:
            checked[path].lines.update(counts.lines)
        else:
            checked[path] = counts
    return checked


def print_row(name, lines, branches):
    print(f"{str(name):36} {lines} {branches}")


def print_rooms(files):
    rooms = collections.defaultdict(lambda: (Share(), Share()))
    for path, counts in files.items():
        for room in (path.parts[1], "all"):
            lines, branches = rooms[room]
            lines += Share(counts.lines.values())
            branches += Share(counts.branches.values())
    total = rooms.pop("all")
    for room in sorted(rooms):
        print_row(room, *rooms[room])
    print_row("all", *total)


def print_files(files):
    for path in sorted(files):
        print_row(path.relative_to("src"), Share(files[path].lines.values()), Share(files[path].branches.values()))


def print_worst(files):
    def missed(path):
        return sum(1 for count in files[path].lines.values() if count == 0)

    print("\nmost lines that nothing reached")
    for path in sorted(files, key=lambda path: (-missed(path), path))[:WORST]:
        print_row(path.relative_to("src"), Share(files[path].lines.values()), Share(files[path].branches.values()))


def print_missing(files, word):
    """Each line that nothing reached, as it is written."""
    for path in sorted(path for path in files if word in str(path)):
        text = (ROOT / path).read_text().splitlines()
        for number in sorted(number for number, count in files[path].lines.items() if count == 0):
            print(f"{path}:{number}: {text[number - 1].strip()}")


def main():
    parser = argparse.ArgumentParser(description="Sums up gcov's counts.")
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--files", action="store_true", help="a row for each file")
    parser.add_argument("--missing", nargs="?", const="", metavar="WORD",
                        help="the lines that nothing reached, of files with WORD in their path")
    options = parser.parse_args()
    files = read_counts(options.build.resolve())
    if not any(count for counts in files.values() for count in counts.lines.values()):
        sys.exit("no counts: run make coverage")
    if options.missing is not None:
        print_missing(files, options.missing)
        return
    print(f"{'':36} {'lines':>25} {'branches':>25}")
    if options.files:
        print_files(files)
    print_rooms(files)
    print_worst(files)


if __name__ == "__main__":
    main()
