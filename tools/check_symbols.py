#!/usr/bin/env python3
"""Fails when a library shows a name that is not ours to take.

A shared library exports public functions, ox_ and a small letter, and those internal ones (oxi_) that
public headers declare with OX_API, since their inline code calls them. A static library or an object may
hold any internal name too, and nothing without a prefix. Names that the linker, sanitizers and gcov add
are not looked at.

    check_symbols.py ROOT LIBRARY...
"""
import os
import pathlib
import re
import subprocess
import sys

import scan

# Names that the linker and, in a build that measures coverage, gcov add.
FOREIGN_NAMES = {"_init", "_fini", "_end", "_edata",
                 "mangle_path", "lprofDirMode", "reset_fn_list", "writeout_fn_list"}


def list_symbols(path, shared):
    """The global names that the library defines."""
    command = [os.environ.get("NM", "nm"), "-P", "--defined-only", "-D" if shared else "-g"]
    listed = subprocess.run([*command, str(path)], capture_output=True, text=True, check=True)
    rows = (line.split() for line in listed.stdout.splitlines())
    names = {row[0].split("@")[0] for row in rows if len(row) >= 2 and not row[-1].endswith(":")}
    return {name for name in names if not name.startswith("__")} - FOREIGN_NAMES


def list_declared(root):
    """The internal names that public headers declare."""
    names = set()
    for path in scan.find_code(root, "include", suffixes=(".h",)):
        names.update(re.findall(r"\bOX_API\b[^;(]*?\b(oxi_\w+)\(", scan.blank(scan.read(path))))
    return names


def check_library(path, declared):
    shared = ".so" in path.suffixes or path.suffix == ".dylib"
    pattern = r"ox_[a-z]\w*" if shared else r"oxi?_[a-z]\w*"
    try:
        names = list_symbols(path, shared)
    except (OSError, subprocess.CalledProcessError) as error:
        return [f"{path}: cannot be read: {getattr(error, 'stderr', None) or error}".strip()]
    if not names:
        return [f"{path}: defines no symbol at all"]
    verb = "exports" if shared else "defines"
    return [f"{path}: {verb} {name}" for name in sorted(names - declared)
            if not re.fullmatch(pattern, name)]


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: check_symbols.py ROOT LIBRARY...")
    declared = list_declared(pathlib.Path(sys.argv[1]))
    scan.finish([finding for name in sys.argv[2:]
                 for finding in check_library(pathlib.Path(name), declared)])


if __name__ == "__main__":
    main()
