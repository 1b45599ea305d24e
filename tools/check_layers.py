#!/usr/bin/env python3
"""Fails when a file includes a room, or a public header, that layers.txt does not let its room see.

A line of layers.txt is `room | public headers it owns | rooms it stands on`, lowest room first.
Every project include is written "room/unit.h", "oxbow/noun.h" or "oxbow/detail/noun.h": never with
"..", never in angle brackets, never the umbrella oxbow.h. A header of include/ includes such headers only;
the owner of a header of detail/ is found under "detail/noun".

    check_layers.py [root]
"""
import re

import scan

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.MULTILINE)


def read_layers(root):
    """What each room sees, the owner of each public header, and what is wrong with the file."""
    sees, owner, findings = {}, {}, []
    for number, line in enumerate(scan.read(root / "layers.txt").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.split() for part in line.split("|")]
        if len(parts) != 3 or len(parts[0]) != 1:
            findings.append(f"layers.txt:{number}: not of the form 'room | headers | rooms'")
            continue
        (room,), headers, lower = parts
        for name in set(lower) - set(sees):
            findings.append(f"layers.txt:{number}: {room} stands on {name}, which is not above it")
        sees[room] = {room}.union(*({name} | sees.get(name, set()) for name in lower))
        for header in headers:
            if header in owner:
                findings.append(f"layers.txt:{number}: {header} has two owners")
            owner[header] = room
    return sees, owner, findings


def judge_include(quote, target, room, public, sees, owner):
    """Why this include is wrong, or None."""
    if ".." in target.split("/"):
        return f'"{target}" has ".." in it'
    if target == "oxbow.h":
        return "the umbrella oxbow.h is for users only"
    if quote == "<":
        return f"<{target}> is written with quotes here" if target.startswith("oxbow/") else None
    form = re.fullmatch(r"([a-z]+)/((?:(?<=oxbow/)detail/)?[a-z0-9_]+)\.h", target)
    if not form:
        return f'"{target}" is not written "room/unit.h", "oxbow/noun.h" or "oxbow/detail/noun.h"'
    folder, name = form.groups()
    seen = owner.get(name) if folder == "oxbow" else folder
    if seen not in sees:
        return f'"{target}" has no room in layers.txt'
    if public and folder != "oxbow":
        return f'a public header may not include "{target}"'
    if room is not None and seen not in sees[room]:
        return f'{room} may not include "{target}"'
    return None


def main():
    root = scan.find_root()
    sees, owner, findings = read_layers(root)
    for folder in sorted((root / "src").iterdir()):
        if folder.is_dir() and folder.name not in sees:
            findings.append(f"src/{folder.name}: is no room of layers.txt")
    for path in scan.find_code(root, "src", "include"):
        name = path.relative_to(root)
        public, umbrella = name.parts[0] == "include", str(name) == "include/oxbow.h"
        noun = "/".join(name.with_suffix("").parts[2:])
        room = owner.get(noun) if public else name.parts[1]
        if room not in sees and not umbrella:
            if public or len(name.parts) == 2:
                findings.append(f"{name}:1: has no room in layers.txt")
            continue
        text = scan.blank(scan.read(path), literals=False)
        for match in INCLUDE.finditer(text):
            wrong = judge_include(match[1], match[2], room, public, sees, owner)
            if wrong:
                findings.append(f"{name}:{scan.line_at(text, match.start())}: {wrong}")
    scan.finish(findings)


if __name__ == "__main__":
    main()
