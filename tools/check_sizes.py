#!/usr/bin/env python3
"""Measures files, functions, macros and lines: large ones are warned of, too large ones fail.

A `// long: why` line excuses a file in its first comment, a function inside it or in the comment
above it, and a macro in the comment above its #define. Nothing excuses a line that is too wide. A
last parameter of type ox_site does not count: a macro passes it.

    check_sizes.py [root]
"""
import re
import sys

import scan

# What, the value that warns, the value that fails.
LIMITS = {
    "source file lines": (600, 1000),
    "public header lines": (400, 600),
    "function lines": (60, 100),
    "parameters": (5, 7),
    "nesting levels": (3, 4),
    "macro body lines": (10, 15),
}
LINE_WIDTH = 100

NESTED = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
ATTRIBUTE = re.compile(rf"\b(?:__attribute__|_?[Aa]lignas)\s*{NESTED}")
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\([^)]*\))?((?:\\\n|[^\n])*)", re.MULTILINE)


def is_excused(lines, first, last):
    """True when lines first to last, or the comment that ends above them, say why."""
    while first > 1 and lines[first - 2].lstrip().startswith("//"):
        first -= 1
    return any(re.search(r"//+ long: \S", line) for line in lines[first - 1:last])


def find_functions(code):
    """Yields name, text of the parameters, offset of the start and of both braces."""
    start = position = 0
    bracket = re.compile(r"[;({}]")
    while match := bracket.search(code, position):
        position = match.end()
        if match[0] == "(":
            position = scan.find_close(code, match.start()) + 1
        elif match[0] != "{":
            start = position
        else:
            head = ATTRIBUTE.sub(lambda found: " " * len(found[0]), code[start:match.start()])
            if re.fullmatch(r'\s*extern\s*"\s*C?\s*"\s*', head):
                start = position
                continue
            # A closing brace in the first column ends what began outside, whatever #else did.
            end = code.find("\n}", match.start()) + 1 or len(code)
            end = min(end, scan.find_close(code, match.start()))
            name = re.search(r"(\w+)\s*\(", head)
            if name and "=" not in head:
                close = scan.find_close(head, name.end() - 1)
                begin = start + len(head) - len(head.lstrip())
                yield name[1], head[name.end():close], begin, match.start(), end
            start = position = end + 1


def count_parameters(text):
    while "(" in text:
        text, found = re.subn(r"\([^()]*\)", "_", text)
        if not found:
            break
    parts = [part.strip() for part in text.split(",")]
    if parts[-1].startswith("ox_site "):
        parts.pop()
    return len([part for part in parts if part not in ("", "void")])


def classify_brace(before, paren, outer):
    """What a brace after this text opens: a block, a case or a value. `paren` is where the last
    (...) starts, `outer` what the brace around it opened."""
    before = before.rstrip()
    if outer == "value":
        return "value"
    if before.endswith(")"):
        word = re.search(r"\w+$", before[:paren].rstrip())
        return "block" if word and word[0] not in ("return", "sizeof") else "value"
    if before.endswith(":"):
        return "case"
    return "block" if re.search(r"(^|[;{}]|\b(else|do))$", before) else "value"


def measure_nesting(body):
    """How deep blocks stand inside each other. The braces of a case or a value do not count."""
    deepest, braces, parens, paren = 0, ["block"], [], 0
    for match in re.finditer(r"[(){}]", body):
        if match[0] == "(":
            parens.append(match.start())
        elif match[0] == ")" and parens:
            paren = parens.pop()
        elif match[0] == "{":
            braces.append(classify_brace(body[:match.start()], paren, braces[-1]))
            deepest = max(deepest, braces.count("block") - 1)
        elif match[0] == "}" and len(braces) > 1:
            braces.pop()
    return deepest


def measure_file(path, text, public):
    """Yields what, value, name, first line and last line of everything with a limit."""
    code = scan.blank(text)
    head = re.match(r"(?:[ \t]*//[^\n]*\n)*", text)[0].count("\n")
    what = "public header lines" if public else "source file lines"
    yield what, text.count("\n"), path.name, 1, head
    for match in DEFINE.finditer(code):
        first = scan.line_at(code, match.start())
        body = [part for part in match[2].split("\\\n") if part.strip()]
        yield "macro body lines", len(body), match[1], first, first
    plain = scan.blank_directives(code)
    for name, parameters, start, brace, end in find_functions(plain):
        first, last = scan.line_at(code, start), scan.line_at(code, end)
        yield "function lines", last - first + 1, name, first, last
        yield "nesting levels", measure_nesting(plain[brace + 1:end]), name, first, last
        if not name.isupper():
            yield "parameters", count_parameters(parameters), name, first, last


def main():
    root = scan.find_root()
    failed = False
    for path in scan.find_code(root):
        text, name = scan.read(path), path.relative_to(root)
        lines = text.splitlines()
        for what, value, thing, first, last in measure_file(path, text, name.parts[0] == "include"):
            warn, fail = LIMITS[what]
            if value >= warn and not is_excused(lines, first, last):
                failed = failed or value >= fail
                verdict = "too large" if value >= fail else "warning"
                print(f"{name}:{first}: {verdict}: {thing} has {value} {what} (limit {fail})")
        for number, line in enumerate(lines, 1):
            if len(line) > LINE_WIDTH:
                failed = True
                print(f"{name}:{number}: too wide: {len(line)} columns (limit {LINE_WIDTH})")
    sys.exit(failed)


if __name__ == "__main__":
    main()
