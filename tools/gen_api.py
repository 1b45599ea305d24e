#!/usr/bin/env python3
"""Writes docs/api.md, an index of all public names, from the headers in include/oxbow.

Names come by header and in its order, each with the first sentence of its comment and the first example
that uses it. A macro and its plain form are one row. Names of oxbow/detail/ are left out. With --check
nothing is written, and a page that differs fails.

    gen_api.py [--check] [root]
"""
import re
import sys

import api
import scan

PAGE = "docs/api.md"
WIDTH = 90
# Only for the headers themselves.
HIDDEN = {"OX_API"}
ENDINGS = ("_at", "_id")

HEAD = """<!-- Made by tools/gen_api.py from the headers in include/oxbow. -->

# API

Every public name, by header and in its order; the headers say more. A call marked `_at` or `_id` has a
plain form with that ending, for programs without macros: it takes ids, pointers and sizes in place of
types and braced values, and `_at` takes an `ox_site` last. The last column is the first example that
uses the name. The ids of reports have [a page of their own](reports.md).
"""


def shorten(comment, width=WIDTH):
    """The first sentence of a comment, in one line, without a call that shows how it is used."""
    text = re.split(r"\n\s*\n|@return|\n {4}", comment)[0]
    text = " ".join(text.split())
    end = re.search(r"(?<!e\.g)(?<!i\.e)\.(?=\s|$)", text)
    text = text[:end.start()] if end else text
    text = re.sub(r":[^:]*\box_\w+\(.*$", "", text).rstrip(" :;,")
    if len(text) > width:
        text = text[:width].rsplit(" ", 1)[0].rstrip(" :;,(")
        text += "`..." if text.count("`") % 2 else "..."
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([*<\[])", r"\\\1", part)
                   for part in parts).replace("|", "\\|")


def find_title(header):
    """The first sentence of the comment at the top of a header."""
    lines = re.match(r"(?:[ \t]*//[^\n]*\n)*", header.text)[0].splitlines()
    text = "\n".join(re.sub(r"^\s*//\s?", "", line) for line in lines if "SPDX" not in line)
    return shorten(text.strip(), 2 * WIDTH)


def choose_comment(call, plain):
    """The comment of a call: its own, unless that only shows how it is written, or a plain form's."""
    comments = [each.comment for each in (call, *plain) if each.comment]
    worded = [each for each in comments if f"{call.name}(" not in shorten(each, 999)]
    return next(iter(worded + comments), "")


class Examples:
    """The programs in examples/, in their order, and the words that each uses."""

    def __init__(self, root):
        self.paths = scan.find_code(root, "examples")
        self.names = [path.relative_to(root).as_posix() for path in self.paths]
        self.first, self.used = {}, set()
        for number, path in enumerate(self.paths):
            for word in re.findall(r"\b(?:ox|OX)_\w+", scan.blank(scan.read(path))):
                self.first.setdefault(word, number)

    def make_label(self, number):
        name = self.paths[number].stem
        label = re.match(r"\d+_", name)
        is_alone = label and sum(path.name.startswith(label[0]) for path in self.paths) == 1
        return label[0][:-1] if is_alone else name

    def find_first(self, names):
        """A link to the first example that uses one of the names, or "-"."""
        found = [self.first[name] for name in names if name in self.first]
        if not found:
            return "-"
        self.used.add(min(found))
        return f"[{self.make_label(min(found))}]"

    def make_links(self):
        return [f"[{self.make_label(number)}]: ../{self.names[number]}" for number in sorted(self.used)]


def make_call(name):
    if name.parameters is None:
        return name.name
    names = (each.name for each in name.parameters if each.type != "ox_site")
    return f"{name.name}({', '.join(names)})"


def find_call(name, known):
    """The macro that a plain form belongs to, or the name itself."""
    call = known.get(name.name[:-3]) if name.name.endswith(ENDINGS) else None
    return call if call and call.is_call_macro else known[name.name]


def list_rows(header, known):
    """Yields each call and other public name that the header is the first to declare, with the plain
    forms of the call."""
    done = set(HIDDEN)
    for name in header.names:
        call = find_call(name, known)
        if call.path != header.path or call.name in done or not name.is_public:
            continue
        done.add(call.name)
        endings = [ending for ending in ENDINGS if call.is_call_macro and call.name + ending in known]
        yield call, [known[call.name + ending] for ending in endings]


def make_row(call, plain, examples):
    marks = "".join(f" `{each.name[-3:]}`" for each in plain)
    example = examples.find_first([call.name, *(each.name for each in plain)])
    return f"| `{make_call(call)}`{marks} | {shorten(choose_comment(call, plain))} | {example} |"


def make_page(root):
    public, _ = api.read_headers(root)
    known = {name.name: name for name in api.list_names(public)}
    examples = Examples(root)
    page = [HEAD]
    for header in public:
        rows = [make_row(call, plain, examples) for call, plain in list_rows(header, known)]
        if rows:
            page += [f"## {header.path.name}", "", f"{find_title(header)}.".replace("....", "..."), "",
                     "| name | what | example |", "|---|---|---|", *rows, ""]
    return "\n".join([*page, *examples.make_links()]) + "\n"


def main():
    arguments = [word for word in sys.argv[1:] if word != "--check"]
    root = scan.find_root(arguments)
    path, page, findings = root / PAGE, make_page(root), []
    if "--check" not in sys.argv:
        path.parent.mkdir(exist_ok=True)
        path.write_text(page, encoding="utf-8")
    elif not path.is_file() or scan.read(path) != page:
        findings.append(f"{PAGE}:1: differs from the headers and examples: run make api")
    scan.finish(findings)


if __name__ == "__main__":
    main()
