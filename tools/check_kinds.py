#!/usr/bin/env python3
"""Fails when a file knows kinds of components that is not of the units for them.

A kind is a row of the table in src/types/kinds.c; what it does to archetypes, edges and rows stands
in units of storage. All other files ask the table or call these. What only one kind has is looked
for: its constant or flag, its counts and lists in an archetype, what an edge says of it, operations
that expect that there is something to do. A file that has to name some of it stands in EXCEPTIONS
with the reason; an exception that is not needed is a finding, too.

    check_kinds.py [root]
"""
import re

import scan

UNITS = {
    "include/oxbow/components.h",         # declares components of each kind
    "include/oxbow/detail/components.h",  # what a program sees of each kind
    "src/types/kinds.h",
    "src/types/kinds.c",
    "src/storage/store.h",                # archetypes and edges with their fields
    "src/storage/kind_rows.h",
    "src/storage/kind_rows.c",
    "src/storage/buffers.h",
    "src/storage/buffers.c",
    "src/storage/enabled_bits.h",
    "src/storage/enabled_bits.c",
    "src/storage/lanes.h",
    "src/storage/lanes.c",
    "src/entities/kinds.c",               # what is wrong with a call on a kind
}

CONSTANT = r"OX_COMPONENT_KIND_\w+|OX_COMPONENT_(?:ENABLEABLE|CLEANUP)"
PREDICATE = r"oxi_is_(?:enableable|cleanup)|oxi_kinds"
ARCHETYPE = (r"(?:shared|buffer|enabled|cleanup)_count|(?:shared|enabled)_types|bits_of_type"
             r"|lane_offset")
EDGE = r"drops_buffers|carries_bits|adds_buffer"
OPERATION = r"oxi_(?:rows|edge)_free_buffers|oxi_bits_\w+_slow"
NAMES = re.compile(rf"(?<!\w)(?:{CONSTANT}|{PREDICATE}|{ARCHETYPE}|{EDGE}|{OPERATION})(?!\w)")
COLUMN = re.compile(r"(?:->|\.)(buffer)\s*[!=]=\s*NULL")  # asks whether a column is of buffers

FLAGS = {"OX_COMPONENT_ENABLEABLE", "OX_COMPONENT_CLEANUP"}
EXCEPTIONS = {
    "src/types/rules.c": (FLAGS, "judges the flags of a declaration"),
    "src/entities/query.c": ({"oxi_is_enableable"}, "terms become rules about switches"),
    "src/entities/singleton.c": ({"oxi_is_enableable", "oxi_is_cleanup"},
                                 "a switch, and what is left of the destroyed, do not count"),
    "src/commands/judge_copies.c": ({"enabled_count", "enabled_types", "buffer"},
                                    "captures rows before they change"),
    "src/commands/commit_copies.c": ({"enabled_count", "enabled_types", "buffer"},
                                     "writes rows that were captured"),
    "src/commands/commit_rows.c": ({"buffer"}, "writes plain values by the column"),
}


def find_names(path):
    """Yields offset and name of what only one kind has, in a file; and its blanked text."""
    text = scan.blank(scan.read(path))
    found = [(match.start(), match[0]) for match in NAMES.finditer(text)]
    found += [(match.start(), match[1]) for match in COLUMN.finditer(text)]
    return sorted(found), text


def main():
    root = scan.find_root()
    findings, needed = [], set()
    for path in scan.find_code(root, "src", "include"):
        name = path.relative_to(root).as_posix()
        if name in UNITS:
            continue
        allowed = EXCEPTIONS.get(name, (set(), ""))[0]
        found, text = find_names(path)
        for offset, word in found:
            needed.add((name, word))
            if word not in allowed:
                findings.append(f"{name}:{scan.line_at(text, offset)}: {word} is for the units of "
                                "kinds: ask types/kinds.h or storage/kind_rows.h")
    for name, (words, _) in EXCEPTIONS.items():
        for word in sorted(words) if (root / name).is_file() else ():
            if (name, word) not in needed:
                findings.append(f"tools/check_kinds.py: {name} needs no exception for {word}")
    scan.finish(findings)


if __name__ == "__main__":
    main()
