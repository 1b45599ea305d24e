#!/usr/bin/env python3
"""Checks the trace that examples/09_trace.c writes: tools/check_trace.py must find it good.

    run.py --source DIR --build DIR

The ranges of its two parallel jobs are known: 1000 indices in batches of 64.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SIZES = [40] + [64] * 15


def check_file(options, path):
    """Yields each thing that was expected, and what is wrong with it or nothing."""
    ran = subprocess.run([str(options.build / "example_09_trace"), str(path)], timeout=120,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    yield "the example writes a trace", "" if ran.returncode == 0 else ran.stdout
    picture = path.with_suffix(".svg")
    ran = subprocess.run([sys.executable, str(options.source / "tools/check_trace.py"), str(path),
                          "--picture", str(picture)],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    yield "the trace is good", "" if ran.returncode == 0 else ran.stdout
    yield "the trace has a picture", "" if picture.exists() else f"no {picture}"
    events = json.loads(path.read_text())["traceEvents"]
    for job in "Steer", "Animate":
        sizes = sorted(event["args"]["end"] - event["args"]["begin"] for event in events
                       if event.get("cat") == "range" and event["name"] == job)
        yield f"{job} has fifteen ranges of 64 and one of 40", "" if sizes == SIZES else str(sizes)
    arrows = sum(event["ph"] == "s" for event in events)
    yield "arrows lead to the jobs that waited", "" if arrows == 2 else f"{arrows} arrows"


def main():
    parser = argparse.ArgumentParser(description="Checks the trace of an example.")
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = list(check_file(options, pathlib.Path(folder) / "trace.json"))
    for what, wrong in found:
        if wrong:
            print(f"not so: {what}\n{wrong}")
    if "OX_TEST_RESULTS" in os.environ:
        lines = [f"tests {len(found)}", *(f"passed trace: {what}" for what, wrong in found
                                          if not wrong)]
        pathlib.Path(os.environ["OX_TEST_RESULTS"], "trace.txt").write_text("\n".join(lines) + "\n")
    sys.exit(any(wrong for _, wrong in found))


if __name__ == "__main__":
    main()
