#!/usr/bin/env python3
"""Compares the sites of reports with the lines that were meant, for each compiler that is found.

    run.py --source DIR --build DIR --compiler CC

C leaves open which line a macro call over several lines has: gcc takes the first, clang the last,
and no macro can tell the other one. A call in one line has the same site everywhere.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def read_meant(path):
    """For each name: the first and the last line of what makes the site."""
    meant = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        for which, name in re.findall(r"// (one|first|last): ([a-z ]+)$", line):
            first, last = meant.get(name, (number, number))
            meant[name] = (number if which != "last" else first, number if which != "first" else last)
    return meant


def read_sites(options, compiler):
    """What the program prints when this compiler has built it."""
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "sites")
        subprocess.run([compiler, "-std=c11", "-DOX_SAFETY=2", "-I", options.source / "include", HERE / "sites.c",
                        "-o", program, options.build / "src/liboxbow-checked.a", "-pthread", "-lm"], check=True)
        printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    return dict(line.rsplit(":", 1) for line in printed.splitlines())


def main():
    parser = argparse.ArgumentParser(description="Compares the sites of reports.")
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", required=True)
    options = parser.parse_args()
    meant = read_meant(HERE / "sites.c")
    compilers = dict.fromkeys([options.compiler, *filter(None, map(shutil.which, ("gcc", "clang")))])
    lines, bad = [], 0
    for compiler in compilers:
        version = subprocess.run([compiler, "--version"], capture_output=True, text=True).stdout
        place = 1 if "clang" in version else 0
        sites = read_sites(options, compiler)
        for name, places in meant.items():
            if sites.get(name) == str(places[place]):
                lines.append(f"passed sites: {compiler}, {name}")
            else:
                bad = 1
                print(f"{compiler}, {name}: line {sites.get(name)}, expected {places[place]}")
    if "OX_TEST_RESULTS" in os.environ:
        head = f"tests {len(meant) * len(compilers)}"
        pathlib.Path(os.environ["OX_TEST_RESULTS"], "sites.txt").write_text("\n".join([head, *lines]) + "\n")
    sys.exit(bad)


if __name__ == "__main__":
    main()
