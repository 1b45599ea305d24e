#!/usr/bin/env python3
"""Fails when the table of docs/sync_points.md has a call that no test of sync points makes.

Calls stand in the first cell of a row. `ox_buffer_*` is any that begins so. What a call completes
is for the tests to say: tests/systems/*sync*.

    check_syncs.py [root]
"""
import re

import scan

PAGE = "docs/sync_points.md"


def list_calls(text):
    """Yields line and name of each call of the table."""
    for number, line in enumerate(text.splitlines(), 1):
        if row := re.match(r"\|([^|]*)\|", line):
            for name in re.findall(r"`(\w+\*?)`", row[1]):
                yield number, name


def main():
    root = scan.find_root()
    page, findings = root / PAGE, []
    tests = [path for path in scan.find_code(root, "tests/systems") if "sync" in path.stem]
    made = "\n".join(scan.blank(scan.read(path)) for path in tests)
    for number, name in list_calls(scan.read(page)) if page.is_file() else ():
        if not re.search(rf"\b{name.replace('*', '')}{'' if '*' in name else chr(92) + 'b'}", made):
            findings.append(f"{PAGE}:{number}: no test of sync points calls {name}")
    scan.finish(findings)


if __name__ == "__main__":
    main()
