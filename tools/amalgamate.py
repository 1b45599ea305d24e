#!/usr/bin/env python3
"""Writes the whole library as one header and one source: tools/amalgamate.py --out DIR.

Public headers and sources are copied as they stand; each header of ours is put in place of its
first include. Anything else that could include a file, or that depends on being a file of its own,
is an error here, so that nothing is left out or doubled in silence.
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPDX = "// SPDX-License-Identifier: MIT"

INCLUDE = re.compile(r'\s*#\s*include\s*(?:"(?P<ours>[a-z]+/(?:detail/)?[a-z0-9_]+\.h)"|<[^>]+>|OXI_\w+)\s*(?://.*)?')
# Directives that this script has to understand, besides those that open and close conditions.
SPECIAL = re.compile(r"\s*#\s*(include|import|embed|line\b|pragma\s+once)")


def stop(place, why):
    sys.exit(f"tools/amalgamate.py: {place}: {why}")


def read_sources():
    """The list of src/CMakeLists.txt, in its order."""
    text = re.sub(r"#.*", "", (ROOT / "src/CMakeLists.txt").read_text())
    lists = re.findall(r"set\(\s*OX_SOURCES\s([^)]*)\)", text)
    if len(lists) != 1 or re.search(r"list\([^)]*OX_SOURCES", text):
        stop("src/CMakeLists.txt", "OX_SOURCES is not one plain list")
    sources = lists[0].split()
    for name in sources:
        if not re.fullmatch(r"[a-z]+/[a-z0-9_]+\.c", name) or sources.count(name) != 1:
            stop("src/CMakeLists.txt", f"'{name}' is no source, or is listed twice")
    return sources


def read_version():
    text = (ROOT / "include/oxbow/base.h").read_text()
    parts = [re.findall(rf"^#define OX_VERSION_{part} (\d+)$", text, re.M) for part in ("MAJOR", "MINOR", "PATCH")]
    if any(len(found) != 1 for found in parts):
        stop("include/oxbow/base.h", "the version is not there")
    return ".".join(found[0] for found in parts)


class Page:
    """One file to write. `present` holds the headers of ours that need no copy any more."""

    def __init__(self, folder, present):
        self.folder, self.present, self.lines = folder, set(present), []

    def add(self, name):
        """Copies a file, with the headers it needs in front of what needs them."""
        path = self.folder / name
        place = path.relative_to(ROOT)
        if not path.is_file():
            stop(place, "included or listed, but not there")
        lines = path.read_text().splitlines()
        if lines[:2] != [SPDX, "//"]:
            stop(place, f"does not begin with '{SPDX}', '//' and what it is about")
        if lines.count("#pragma once") != (path.suffix == ".h"):
            stop(place, "a header has one '#pragma once', a source has none")
        self.lines += [f"// From {place}.", "//"]

        depth = 0
        for number, line in enumerate(lines[2:], 3):
            depth += bool(re.match(r"\s*#\s*if", line)) - bool(re.match(r"\s*#\s*endif", line))
            if not SPECIAL.match(line):
                self.lines.append(line)
            elif line != "#pragma once":
                self.include(line, f"{place}:{number}", depth)
        self.lines.append("")

    def include(self, line, place, depth):
        match = INCLUDE.fullmatch(line)
        if not match:
            stop(place, f"not understood: {line.strip()}")
        name = match["ours"]
        if name is None:
            self.lines.append(line)
        elif name not in self.present:
            if depth != 0:
                stop(place, f"the first include of {name} stands in a condition, so later ones cannot rely on it")
            self.present.add(name)
            self.add(name)

    def write(self, path, first):
        # What is left of the includes of ours is blank lines.
        text = re.sub(r"\n{3,}", "\n\n", "\n".join(first + [""] + self.lines))
        licence = "".join(f"// {line}".rstrip() + "\n" for line in (ROOT / "LICENSE").read_text().splitlines())
        path.write_text(f"{text.rstrip()}\n\n{licence}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True, metavar="DIR")
    out = parser.parse_args().out

    header = Page(ROOT / "include", [])
    header.add("oxbow.h")
    for path in sorted((ROOT / "include").rglob("*.h")):
        name = str(path.relative_to(ROOT / "include"))
        if name not in header.present | {"oxbow.h"}:
            stop(f"include/{name}", "not reached from include/oxbow.h")
    source = Page(ROOT / "src", header.present)
    for name in read_sources():
        source.add(name)

    version = read_version()
    out.mkdir(parents=True, exist_ok=True)
    header.write(out / "oxbow.h", [
        SPDX, "//", f"// Oxbow {version}, its headers as one. Made by tools/amalgamate.py.", "", "#pragma once"])
    source.write(out / "oxbow.c", [
        SPDX, "//", f"// Oxbow {version}, its sources as one. Made by tools/amalgamate.py.",
        "//", "//     cc -std=c11 -pthread oxbow.c game.c -lm", "",
        "#ifndef _GNU_SOURCE", "#define _GNU_SOURCE", "#endif", "", '#include "oxbow.h"', "",
        "// Not every function of the headers below is used. In a header, clang does not mind.",
        "#ifdef __clang__", '#pragma clang diagnostic ignored "-Wunused-function"', "#endif"])


if __name__ == "__main__":
    main()
