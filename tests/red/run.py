#!/usr/bin/env python3
"""Tests the test bench: each program in this folder does something wrong and must be seen to.

    run.py --build DIR NAME=FAILED...

Runs DIR/red_NAME with a results folder of its own, through the same counting as all tests, and
expects that it fails with FAILED failed cases.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def count_failed(executable):
    """Runs one executable as a ctest test of its own and returns what run_tests.py counts."""
    with tempfile.TemporaryDirectory() as folder:
        test = f'add_test("{executable.name}" "{executable}")\n'
        (pathlib.Path(folder) / "CTestTestfile.cmake").write_text(test)
        environment = {key: value for key, value in os.environ.items() if key != "OX_TEST_RESULTS"}
        ran = subprocess.run([sys.executable, str(ROOT / "tools/run_tests.py"), "--build", folder],
                             capture_output=True, text=True, env=environment)
        last = re.fullmatch(r"(\d+) passed, (\d+) failed", ran.stdout.splitlines()[-1])
        if ran.returncode == 0 or last is None or "Not Run" in ran.stdout:
            return 0
        return int(last[2])


def main():
    parser = argparse.ArgumentParser(description="Expects tests to fail.")
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("expected", nargs="+")
    options = parser.parse_args()
    results = os.environ.get("OX_TEST_RESULTS")
    lines, bad = [f"tests {len(options.expected)}"], 0
    for pair in options.expected:
        name, _, wanted = pair.partition("=")
        failed = count_failed((options.build / f"red_{name}").resolve(strict=True))
        if failed == int(wanted):
            lines.append(f"passed red: {name} turns red")
        else:
            bad = 1
            print(f"red_{name}: {failed} failed, expected {wanted}")
    if results:
        pathlib.Path(results, "red.txt").write_text("\n".join(lines) + "\n")
    sys.exit(bad)


if __name__ == "__main__":
    main()
