#!/usr/bin/env python3
"""Writes docs/reports.md from include/oxbow/detail/report_list.h, the list of all reports.

The list is checked first: numbers ascend within a letter, whose rows stand together; names are
unique; a placeholder is written {in_lower_case} ({0} is C text). With --check nothing is written,
and a page that differs fails.

    gen_reports.py [--check] [root]
"""
import re
import sys

import scan

LIST = "include/oxbow/detail/report_list.h"
PAGE = "docs/reports.md"
SUBJECTS = {"A": "Safety", "B": "Base", "C": "Containers", "D": "Commands", "E": "Entities", "J": "Jobs",
            "M": "Memory", "S": "Structs", "T": "Components", "V": "Several worlds", "W": "Systems"}
SEVERITIES = {
    "ERROR": "misuse; the call had no effect, and the default handler aborts",
    "FAILURE": "the world outside; the call had no effect and returned its null value",
    "WARNING": "nothing failed",
}

TEXT = r'((?:"(?:\\.|[^"\\])*"\s*)+)'
ROW = re.compile(rf"X\(\s*(\w+)\s*,\s*(\d+)\s*,\s*(\w+)\s*,\s*(\w+)\s*,"
                 rf"\s*{TEXT},\s*{TEXT},\s*{TEXT}\)")


def read_text(literals):
    """The text of C string literals that follow each other."""
    text = "".join(re.findall(r'"((?:\\.|[^"\\])*)"', literals))
    return re.sub(r"\\(.)", lambda match: " " if match[1] == "n" else match[1], text)


def read_list(root):
    """The rows as (line, letter, number, name, severity, what, detail, fix), and what is wrong."""
    text = scan.blank(scan.read(root / LIST), literals=False)
    start = re.search(r"#define OX_REPORT_LIST\(X\)", text)
    if not start:
        return [], [f"{LIST}:1: has no OX_REPORT_LIST"]
    body = re.match(r"(?:\\\n|[^\n])*", text[start.end():])[0].replace("\\\n", " \n")
    rows, findings, position = [], [], 0
    for match in [*ROW.finditer(body), None]:
        between = body[position:match.start() if match else len(body)]
        line = scan.line_at(text, start.end() + position + len(between) - len(between.lstrip()))
        if between.strip():
            findings.append(f"{LIST}:{line}: cannot be read: {between.strip()[:40]}")
        if match:
            line = scan.line_at(text, start.end() + match.start())
            letter, number, name, severity, *texts = match.groups()
            rows.append((line, letter, int(number), name, severity, *map(read_text, texts)))
            position = match.end()
    return rows, findings


def check_rows(rows):
    """Yields what is wrong with the rows of the list."""
    last, names, previous = {}, set(), None
    for line, letter, number, name, severity, what, detail, fix in rows:
        if letter not in SUBJECTS:
            yield f"{LIST}:{line}: letter {letter} has no subject in tools/gen_reports.py"
        if severity not in SEVERITIES:
            yield f"{LIST}:{line}: {severity} is no severity"
        if letter in last and letter != previous:
            yield f"{LIST}:{line}: {name} stands apart from the other rows of {letter}"
        if number <= last.get(letter, 0):
            yield f"{LIST}:{line}: number {number} of {letter} is used or out of order"
        if name in names:
            yield f"{LIST}:{line}: the name {name} is used twice"
        for placeholder in re.findall(r"\{([^{}]*)\}", what + detail + fix):
            if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*|0", placeholder):
                yield f"{LIST}:{line}: {{{placeholder}}} is not written {{in_lower_case}}"
        last[letter], previous = max(number, last.get(letter, 0)), letter
        names.add(name)


def escape(text):
    return re.sub(r"([*<])", r"\\\1", text)


def make_index(rows):
    """The lines of the table of what happened: what each row says, by subject, with links."""
    lines, previous = ["| what happened | report |", "|---|---|"], None
    for _, letter, number, _, _, what, _, _ in rows:
        if letter != previous:
            anchor = SUBJECTS[letter].lower().replace(" ", "-")
            lines.append(f"| [**{SUBJECTS[letter]}**](#{anchor}) | |")
        previous = letter
        text = escape(what).replace("|", "\\|")
        lines.append(f"| {text} | [OX-{letter}{number:02}](#ox-{letter.lower()}{number:02}) |")
    return lines


def make_page(rows):
    page = ["<!-- Made by tools/gen_reports.py from " + LIST + ". -->", "", "# Reports", "",
            "Every report that Oxbow can make: first what happened, by subject, then each with what it "
            "says and what to",
            "do. `{name}` stands for a value of the report.", ""]
    page += [f"- *{severity.lower()}*: {meaning}." for severity, meaning in SEVERITIES.items()]
    page += ["", "## What happened", "", *make_index(rows)]
    previous = None
    for _, letter, number, name, severity, what, detail, fix in rows:
        if letter != previous:
            page += ["", f"## {SUBJECTS[letter]}"]
        previous = letter
        page += ["", f"### OX-{letter}{number:02}", "",
                 f"`OX_REPORT_{name}`, *{severity.lower()}*: {escape(what)}.", "",
                 f"- Says: {escape(detail)}", f"- Fix: {escape(fix)}"]
    return "\n".join(page) + "\n"


def main():
    arguments = [word for word in sys.argv[1:] if word != "--check"]
    root = scan.find_root(arguments)
    rows, findings = read_list(root)
    findings += check_rows(rows)
    path = root / PAGE
    if not findings and "--check" in sys.argv:
        if not path.is_file() or scan.read(path) != make_page(rows):
            findings.append(f"{PAGE}:1: differs from {LIST}: run tools/gen_reports.py")
    elif not findings:
        path.parent.mkdir(exist_ok=True)
        path.write_text(make_page(rows), encoding="utf-8")
    scan.finish(findings)


if __name__ == "__main__":
    main()
