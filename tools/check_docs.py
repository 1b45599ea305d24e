#!/usr/bin/env python3
"""Fails when code in README.md or docs/ does not compile, or a relative link points nowhere.

A block that starts with ```c is a whole file; one that starts with ```c body is the inside of a
function that sees oxbow.h and the usual headers; one that starts with ```cpp is a whole file of
C++17. Other blocks are not looked at. $CC and $CXX choose the compilers, whose messages name the
page and the line.

    check_docs.py [root]
"""
import concurrent.futures
import re
import subprocess

import scan

COMPILERS = {"c": ("CC", "cc"), "c body": ("CC", "cc"), "cpp": ("CXX", "c++")}
LANGUAGES = {"CC": ["-x", "c", "-std=c11"], "CXX": ["-x", "c++", "-std=c++17"]}
FLAGS = ["-Wall", "-Wextra", "-Werror", "-Wno-unused", "-fsyntax-only", "-Iinclude"]
BODY_HEADERS = ("oxbow.h", "math.h", "stdio.h", "stdlib.h", "string.h")
LINK = re.compile(r'\]\(<?([^()\s<>]+)>?(?:\s+"[^"]*")?\)')


def split_page(text):
    """Code blocks as (line, info, code), and the lines of prose as (line, text)."""
    blocks, prose, block = [], [], None
    for number, line in enumerate(text.splitlines(), 1):
        fence = re.match(r"\s*(`{3,})(.*)", line)
        if block is None and fence:
            block = (number, fence[1], " ".join(fence[2].split()), [])
        elif block is None:
            prose.append((number, re.sub(r"`[^`]*`", "", line)))
        elif fence and fence[1] == block[1] and not fence[2].strip():
            blocks.append((block[0], block[2], "\n".join(block[3])))
            block = None
        else:
            block[3].append(line)
    return blocks, prose, block


def compile_block(root, page, line, info, code):
    source = f'#line {line + 1} "{page}"\n{code}\n'
    if info == "c body":
        headers = "".join(f"#include <{header}>\n" for header in BODY_HEADERS)
        source = f"{headers}int main(void) {{\n{source}}}\n"
    compiler = COMPILERS[info]
    command = [*scan.compiler(*compiler), *LANGUAGES[compiler[0]], *FLAGS, "-"]
    built = subprocess.run(command, cwd=root, input=source, capture_output=True, text=True)
    if built.returncode == 0:
        return []
    return [f"{page}:{line}: this block does not compile\n{built.stderr.rstrip()}"]


def check_links(root, path, prose):
    for number, line in prose:
        for target in LINK.findall(line):
            if re.match(r"[a-z][a-z+.-]*:|#", target):
                continue
            if not (path.parent / target.split("#")[0]).exists():
                yield f"{path.relative_to(root)}:{number}: link to {target}, which does not exist"


def main():
    root = scan.find_root()
    pages = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    findings, jobs = [], []
    for path in filter(lambda page: page.is_file(), pages):
        page = path.relative_to(root)
        blocks, prose, unclosed = split_page(scan.read(path))
        if unclosed:
            findings.append(f"{page}:{unclosed[0]}: this block is never closed")
        findings += check_links(root, path, prose)
        jobs += [(root, page, *block) for block in blocks if block[1] in COMPILERS]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for found in pool.map(lambda job: compile_block(*job), jobs):
            findings += found
    scan.finish(findings)


if __name__ == "__main__":
    main()
