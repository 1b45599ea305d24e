#!/usr/bin/env python3
"""Prints how many lines and branches of each source file the tests of a coverage build reached.

    coverage.py --build DIR
"""
import argparse
import collections
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile


def read_counts(build):
    """For each file of src: line numbers with their counts, and branches with theirs."""
    lines = collections.defaultdict(collections.Counter)
    branches = collections.defaultdict(collections.Counter)
    for data in sorted((build / "src").rglob("*.gcda")):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["gcov", "--json-format", "--branch-probabilities", str(data)],
                           cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for path in pathlib.Path(folder).glob("*.gcov.json.gz"):
                with gzip.open(path, "rt") as file:
                    add_counts(json.load(file), lines, branches)
    return lines, branches


def add_counts(document, lines, branches):
    for file in document["files"]:
        name = file["file"]
        for line in file["lines"]:
            lines[name][line["line_number"]] += line["count"]
            for index, branch in enumerate(line["branches"]):
                branches[name][line["line_number"], index] += branch["count"]


def share(counts):
    reached = sum(1 for count in counts.values() if count > 0)
    return f"{reached:5} of {len(counts):5} {100 * reached / max(1, len(counts)):6.1f} %"


def main():
    parser = argparse.ArgumentParser(description="Sums up gcov's counts.")
    parser.add_argument("--build", type=pathlib.Path, required=True)
    lines, branches = read_counts(parser.parse_args().build)
    if not lines:
        sys.exit("no counts: run make coverage")
    all_lines, all_branches = collections.Counter(), collections.Counter()
    print(f"{'file':32} {'lines':>23} {'branches':>23}")
    for name in sorted(name for name in lines if "src/" in name):
        print(f"{name[name.index('src/'):]:32} {share(lines[name])} {share(branches[name])}")
        all_lines.update({(name, key): count for key, count in lines[name].items()})
        all_branches.update({(name, key): count for key, count in branches[name].items()})
    print(f"{'all':32} {share(all_lines)} {share(all_branches)}")


if __name__ == "__main__":
    main()
