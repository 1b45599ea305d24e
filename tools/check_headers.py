#!/usr/bin/env python3
"""Fails when a public header does not compile alone, as C11 and as C++17, with and without checks,
or includes anything but public and standard headers. $CC and $CXX choose the compilers.

    check_headers.py [root]
"""
import concurrent.futures
import re
import subprocess

import scan

STANDARD = set("""complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal
    stdalign stdarg stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar
    wchar wctype""".split())

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
LANGUAGES = (
    ("C11", ("CC", "cc"), ["-x", "c", "-std=c11", *WARNINGS, "-Wconversion", "-Wshadow"]),
    ("C++17", ("CXX", "c++"), ["-x", "c++", "-std=c++17", *WARNINGS]),
)


def check_includes(root, name):
    """The includes of a header that are neither public nor of the standard."""
    text = scan.blank(scan.read(root / "include" / name), literals=False)
    findings = []
    for match in re.finditer(r'^[ \t]*#[ \t]*include[ \t]+(["<])([^">\n]+)', text, re.MULTILINE):
        quote, target = match.groups()
        if quote == '"':
            public = (root / "include" / target).is_file()
            allowed = public and re.fullmatch(r"oxbow/(detail/)?\w+\.h", target)
        else:
            allowed = re.sub(r"\.h$", "", target) in STANDARD or target.isidentifier()
        if not allowed:
            line = scan.line_at(text, match.start())
            findings.append(f"include/{name}:{line}: {target} is neither public nor standard")
    return findings


def compile_alone(root, name, language, level):
    label, compiler, flags = language
    source = f'#include "{name}"\n#include "{name}"\nextern int oxbow_header_stands_alone;\n'
    command = [*scan.compiler(*compiler), *flags, "-Iinclude", f"-DOX_SAFETY={level}",
               "-fsyntax-only", "-"]
    built = subprocess.run(command, cwd=root, input=source, capture_output=True, text=True)
    if built.returncode == 0:
        return []
    return [f"include/{name}:1: does not compile alone as {label} at OX_SAFETY {level}\n"
            f"{built.stderr.rstrip()}"]


def main():
    root = scan.find_root()
    names = [str(path.relative_to(root / "include")) for path in scan.find_code(root, "include")]
    findings = [finding for name in names for finding in check_includes(root, name)]
    jobs = [(root, name, language, level)
            for name in names for language in LANGUAGES for level in (0, 2)]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for found in pool.map(lambda job: compile_alone(*job), jobs):
            findings += found
    scan.finish(findings or ([] if names else ["include: holds no header"]))


if __name__ == "__main__":
    main()
