#!/usr/bin/env python3
"""Fails when a fallible call of a room was failed by no test.

A fallible call is one of a macro `oxi_x(...)` in a header of src/ that calls an
`oxi_y_at(..., OX_HERE)`. The tests write the places that they failed, like src/base/heap.c:88, to
*.faults files in the folder of results. A call that no test can fail carries a comment
`// unfailed: why` on its line.

    check_faults.py [--root ROOT] --results FOLDER --room ROOM
"""
import argparse
import pathlib
import re
import sys

import scan

DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+((?i:oxi_(?!report)\w+))\([^)]*\)((?:\\\n|[^\n])*)",
                    re.MULTILINE)


def find_macros(root):
    """The names of all macros that stand for a fallible call, or for one of those."""
    bodies = {name: body for path in scan.find_code(root, "src", suffixes=(".h",))
              for name, body in DEFINE.findall(scan.blank(scan.read(path)))}
    macros = {name for name, body in bodies.items()
              if "OX_HERE" in body and re.search(r"\boxi_\w+_at\s*\(", body)}
    while more := {name for name, body in bodies.items()
                   if macros.intersection(re.findall(r"\w+", body))} - macros:
        macros |= more
    return macros


def find_calls(root, room, macros):
    """Yields file, lines from the name to the closing bracket, macro and text of each call."""
    call = re.compile(rf"\b({'|'.join(sorted(macros)) or '(?!)'})\s*\(")
    for path in scan.find_code(root, f"src/{room}"):
        text = scan.read(path)
        lines, code = text.splitlines(), scan.blank_directives(scan.blank(text))
        for match in call.finditer(code):
            first = scan.line_at(code, match.start())
            last = scan.line_at(code, scan.find_close(code, match.end() - 1))
            name = path.relative_to(root).as_posix()
            yield name, range(first, last + 1), match[1], "\n".join(lines[first - 1:last])


def main():
    parser = argparse.ArgumentParser(description="Finds fallible calls that no test failed.")
    parser.add_argument("--root", type=pathlib.Path, default=scan.find_root([]))
    parser.add_argument("--results", type=pathlib.Path, required=True)
    parser.add_argument("--room", required=True)
    options = parser.parse_args()
    if not options.results.is_dir():
        sys.exit(f"{options.results}: no such folder: run the tests first")

    failed = {line.strip() for path in options.results.glob("*.faults")
              for line in scan.read(path).splitlines()}
    findings, total, excused = [], 0, 0
    macros = find_macros(options.root)
    for name, lines, macro, text in find_calls(options.root, options.room, macros):
        if re.search(r"// unfailed: \S", text):
            excused += 1
            continue
        total += 1
        if not any(f"{name}:{line}" in failed for line in lines):
            findings.append(f"{name}:{lines[0]}: {macro} was never failed")
    print(f"{total - len(findings)} of {total} fallible calls of {options.room} were failed"
          + (f", {excused} more cannot be" if excused else ""))
    scan.finish(findings)


if __name__ == "__main__":
    main()
