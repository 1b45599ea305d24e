#!/usr/bin/env python3
"""Fails when a report of include/oxbow/detail/report_list.h is never made, or no test expects it.

    check_reports.py [root]
"""
import re

import gen_reports
import scan


def find_names(root, *folders):
    """The names NAME of every OX_REPORT_NAME in the code of these folders, outside of the list."""
    names = set()
    for path in scan.find_code(root, *folders):
        if path != root / gen_reports.LIST:
            names.update(re.findall(r"\bOX_REPORT_(\w+)", scan.blank(scan.read(path))))
    return names


def main():
    root = scan.find_root()
    rows, findings = gen_reports.read_list(root)
    made, tested = find_names(root, "src", "include"), find_names(root, "tests")
    for line, letter, number, name, *_ in rows:
        for known, verdict in ((made, "is never made"), (tested, "is expected by no test")):
            if name not in known:
                where = f"{gen_reports.LIST}:{line}"
                findings.append(f"{where}: OX-{letter}{number:02} {name} {verdict}")
    scan.finish(findings)


if __name__ == "__main__":
    main()
