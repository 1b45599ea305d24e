#!/usr/bin/env python3
"""Runs the tests of a build with ctest and counts test cases, also those that a crash took away.

Each test executable writes a file to the results folder (OX_TEST_RESULTS): first `tests N`, then
`running NAME` (optional) and `passed NAME` for each case that began and that passed. A case without its line failed. A ctest test that writes no
such file counts as one case. An executable that is run with `--part=2/4` writes to NAME.2.txt. The last line printed is `N passed, N failed`, which
DIR/results/totals.txt holds as two numbers.

    run_tests.py --build DIR [--scale S] [--label L]
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

import scan


def parse_options():
    parser = argparse.ArgumentParser(description="Runs tests and counts their cases.")
    parser.add_argument("--build", type=pathlib.Path, required=True, help="a folder of cmake")
    parser.add_argument("--scale", help="how much of the random tests to run, 1 by default")
    parser.add_argument("--label", help="run only the tests with this ctest label")
    options = parser.parse_args()
    options.build = options.build.resolve()
    return options


def run_ctest(options, results):
    """Runs the tests with their output shown. Returns ctest's records of them."""
    environment = {**os.environ, "OX_TEST_RESULTS": str(results)}
    if options.scale:
        environment["OX_TEST_SCALE"] = options.scale
    command = ["ctest", "--test-dir", str(options.build), "-j", str(os.cpu_count() or 1),
               "--output-on-failure", "--output-junit", str(results / "ctest.xml")]
    if options.label:
        command += ["-L", f"^{options.label}$"]
    subprocess.run(command, env=environment)
    try:
        return xml.etree.ElementTree.parse(results / "ctest.xml").findall("testcase")
    except (OSError, xml.etree.ElementTree.ParseError):
        return []


def read_tests(build):
    """For each ctest test: its first label, and the stems that its file of results may have."""
    listed = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1"],
                            capture_output=True, text=True).stdout
    labels, stems = {}, {}
    for test in json.loads(listed or "{}").get("tests", []):
        name = test["name"]
        found = [item["value"] for item in test["properties"] if item["name"] == "LABELS"]
        labels[name] = found[0][0] if found else name.split(".")[0]
        command = test.get("command", [])
        words = {re.sub(r"\.py$", "", pathlib.Path(word).name) for word in command}
        for part in re.findall(r"(?m)^--part=(\d+)/", "\n".join(command)):
            words = {f"{word}.{part}" for word in words}
        stems[name] = {name} | words | {re.sub("^test_", "", word) for word in words}
    return labels, stems


def read_results(results):
    """For each file of results: how many cases should pass, which passed, and which only began."""
    files = {}
    for path in sorted(results.glob("*.txt")):
        lines = scan.read(path).splitlines()
        head = re.fullmatch(r"tests (\d+)", lines[0] if lines else "")
        passed = [line[len("passed "):] for line in lines if line.startswith("passed ")]
        begun = [line[len("running "):] for line in lines if line.startswith("running ")]
        total = int(head[1]) if head else len(passed) + 1
        files[path.stem] = (total, passed, [case for case in begun if case not in passed])
    return files


def judge(record, files):
    """Counts the cases of one ctest test. Returns passed and failed, and says what failed."""
    name, status = record.get("name"), record.get("status")
    skipped = record.find("skipped")
    by_itself = skipped is not None and skipped.get("message", "").startswith("SKIP_")
    if status == "disabled" or by_itself:
        print(f"skipped: {name}")
        return 0, 0
    if not files:
        if status != "run":
            print(f"failed: {name}")
        return (1, 0) if status == "run" else (0, 1)
    passed = sum(len(cases) for _, cases, _ in files)
    missing = [case for _, _, cases in files for case in cases]
    failed = max(sum(count for count, _, _ in files) - passed, len(missing))
    for case in missing:
        print(f"failed: {name}: {case}")
    if failed > len(missing):
        print(f"failed: {name}: {failed - len(missing)} cases did not pass, or never ran")
    if failed == 0 and status != "run":
        print(f"failed: {name}: every case passed, and then it ended with an error")
        failed = 1
    return passed, failed


def main():
    options = parse_options()
    results = options.build / "results"
    shutil.rmtree(results, ignore_errors=True)
    results.mkdir(parents=True)
    sys.stdout.reconfigure(line_buffering=True)
    records = run_ctest(options, results)
    labels, stems = read_tests(options.build)
    files = read_results(results)

    times, passed, failed = collections.Counter(), 0, 0
    print()
    for record in records:
        name = record.get("name")
        own = stems.get(name, {name}) & files.keys()
        good, bad = judge(record, [files.pop(stem) for stem in sorted(own)])
        passed, failed = passed + good, failed + bad
        times[labels.get(name, name)] += float(record.get("time", 0))
    for stem, (total, cases, _) in files.items():
        if total > len(cases):
            print(f"failed: {stem}: {total - len(cases)} cases did not pass, or never ran")
        passed, failed = passed + len(cases), failed + max(0, total - len(cases))
    for label, seconds in times.most_common():
        print(f"{label}: {seconds:.2f} s")
    if not passed and not failed:
        print("no test ran")
    (results / "totals.txt").write_text(f"{passed} {failed}\n")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
