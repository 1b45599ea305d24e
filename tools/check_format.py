#!/usr/bin/env python3
"""Fails when clang-format would change a C or C++ file, and names the lines. `clang-format -i FILE`
makes the change. $CLANG_FORMAT chooses the program.

    check_format.py [root]
"""
import os
import re
import subprocess

import scan


def main():
    root = scan.find_root()
    files = [str(path.relative_to(root)) for path in scan.find_files(root, *scan.CODE_FOLDERS)
             if path.suffix in scan.CODE_SUFFIXES]
    if not files:
        scan.finish(["no C file was found"])
    program = os.environ.get("CLANG_FORMAT", "clang-format")
    try:
        ran = subprocess.run([program, "--dry-run", "-Werror", *files], cwd=root,
                             capture_output=True, text=True)
    except OSError as error:
        scan.finish([f"{program} cannot be run: {error.strerror}"])
    if ran.returncode == 0:
        scan.finish([])
    places = dict.fromkeys(re.findall(r"^(.*?:\d+):\d+: error", ran.stderr, re.MULTILINE))
    scan.finish([f"{place}: clang-format would change this" for place in places] or [ran.stderr])


if __name__ == "__main__":
    main()
