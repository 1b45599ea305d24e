#!/usr/bin/env python3
"""Runs every example and compares what it prints with the comment at its end.

    run.py --source DIR --build DIR

An example is examples/NN_name.c; its last comment starts with `// Output:`. Both output streams
count. A line that ends in `...` in the comment matches any line that starts with what is before.
"""
import argparse
import os
import pathlib
import subprocess
import sys


def read_expected(path):
    lines = path.read_text().splitlines()
    start = max(k for k, line in enumerate(lines) if line == "// Output:")
    return [line[3:] for line in lines[start + 1:]]


def same_line(expected, printed):
    if expected.endswith("..."):
        return printed.startswith(expected[:-3])
    return expected == printed


def run_example(path, build):
    """Returns what is wrong, or nothing."""
    ran = subprocess.run([str(build / f"example_{path.stem}")], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, timeout=120,
                         env={**os.environ, "NO_COLOR": "1"})
    expected, printed = read_expected(path), ran.stdout.splitlines()
    if ran.returncode != 0:
        return f"ended with {ran.returncode}\n{ran.stdout}"
    if len(expected) != len(printed) or not all(map(same_line, expected, printed)):
        return "printed\n" + "\n".join(printed) + "\nexpected\n" + "\n".join(expected)
    return ""


def main():
    parser = argparse.ArgumentParser(description="Compares the output of examples.")
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    options = parser.parse_args()
    examples = sorted((options.source / "examples").glob("[0-9][0-9]_*.c"))
    lines, bad = [f"tests {len(examples)}"], 0
    for path in examples:
        wrong = run_example(path, options.build)
        if wrong:
            bad = 1
            print(f"{path.name} {wrong}")
        else:
            lines.append(f"passed example: {path.stem} prints what it says")
    if "OX_TEST_RESULTS" in os.environ:
        pathlib.Path(os.environ["OX_TEST_RESULTS"], "examples.txt").write_text(
            "\n".join(lines) + "\n")
    sys.exit(bad)


if __name__ == "__main__":
    main()
