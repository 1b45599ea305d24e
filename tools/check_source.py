#!/usr/bin/env python3
"""Fails on what the sources may not contain, or may contain in one place only.

Fences are nowhere: ThreadSanitizer does not understand them. Atomics, allocation and the system
each have one home, where a test can take their place. Comments and strings are not looked at,
except for assembly, for unfinished work, and for the licence line that every file starts with.

    check_source.py [root]
"""
import re

import scan

LICENCE = "// SPDX-License-Identifier: MIT"
WORK_WORDS = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b")
WORK_FOLDERS = ("src", "include", "tests", "tools", "examples", "bench", "scenes", "run", "docs")

SYSTEM_CALLS = "mmap|munmap|madvise|mprotect|clock_gettime|time|nanosleep|syscall"
SYSTEM_HOME = r"src/base/(platform\w*\.[ch]|futex\w*\.c)"
NOWHERE = r"(?!)"

# What, a pattern of it, the files that may have it, why others may not.
RULES = [(what, re.compile(pattern, re.MULTILINE), home, why) for what, pattern, home, why in (
    ("fence", r"\b(__)?atomic_(thread|signal)_fence\b|\b__sync_synchronize\b", NOWHERE,
     "use _seq operations on both words"),
    ("assembly", r"\b(_mm_)?[mls]fence\b|\bdmb\b", NOWHERE, "use _seq operations on both words"),
    ("atomics", r"<stdatomic\.h>|\b__(atomic|sync)_\w+", 
     r"src/base/atomics\.h|include/oxbow/detail/macros\.h", "use base/atomics.h"),
    ("allocation", r"(?<![\w.>])(malloc|calloc|realloc|aligned_alloc|posix_memalign|free)\s*\(",
     r"src/base/heap\.c", "use base/heap.h"),
    ("threads", r"\bpthread_\w+", SYSTEM_HOME, "use base/platform.h"),
    ("system call", rf"(?<![\w.>])({SYSTEM_CALLS})\s*\(", SYSTEM_HOME, "use base/platform.h"),
    ("assert.h", r"#\s*include\s*<assert\.h>", NOWHERE, "use OXI_ASSERT"),
    ("jump", r"\bgoto\b", NOWHERE, "return early"),
)]


def check_rules(name, text):
    """What breaks a rule in a file of src or include."""
    code, findings = scan.blank(text), []
    code_with_strings = scan.blank(text, literals=False)
    for what, pattern, home, why in RULES:
        if re.fullmatch(home, str(name)):
            continue
        for match in pattern.finditer(code_with_strings if what == "assembly" else code):
            line = scan.line_at(code, match.start())
            findings.append(f"{name}:{line}: {what}: {match[0].strip()} may not be here: {why}")
    return findings


def main():
    root = scan.find_root()
    findings = []
    for path in scan.find_code(root):
        name, text = path.relative_to(root), scan.read(path)
        if text.splitlines()[:1] != [LICENCE]:
            findings.append(f"{name}:1: the first line is not '{LICENCE}'")
        if name.parts[0] in ("src", "include"):
            findings += check_rules(name, text)
    for path in scan.find_files(root, *WORK_FOLDERS):
        for number, line in enumerate(scan.read(path).splitlines(), 1):
            if match := WORK_WORDS.search(line):
                findings.append(f"{path.relative_to(root)}:{number}: unfinished work: {match[0]}")
    scan.finish(findings)


if __name__ == "__main__":
    main()
