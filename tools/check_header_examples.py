#!/usr/bin/env python3
"""Fails when a public header does not open with an example and a paragraph "Threads:", or when an example
in a comment of a public header does not compile. $CC chooses the compiler.

An example is text in a comment that is indented by four spaces more. Declarations in it go to file
scope, statements into a function. What it uses and does not declare comes from tools/header_examples.h,
where a paragraph declares one name; `...` stands for code that is left out.

    check_header_examples.py [root]
"""
import concurrent.futures
import re
import subprocess

import api
import scan

CONTEXT = "tools/header_examples.h"
# Includes everything, and declares nothing of its own.
WITHOUT_EXAMPLE = {"oxbow.h"}
FLAGS = ["-x", "c", "-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-unused",
         "-Wno-missing-field-initializers", "-fsyntax-only", "-Iinclude", "-"]
BEGIN = "#include <oxbow.h>\n#include <stdio.h>"
COMMENT = re.compile(r"[ \t]*///? ?(.*)")
DECLARED = re.compile(r"(?!OX_EACH)OX_[A-Z_]+\((\w+)|typedef\b[^;{]*(?:\{.*\})?\s*(\w+);|\w[\w *]*?(\w+)\(", re.S)
AT_FILE_SCOPE = re.compile(r"(?!OX_EACH)OX_[A-Z_]+\(|#|(?:typedef|static|struct|enum|union)\b"
                           r"|(?!return\b|else\b)\w+[ *]+\w[\w *]*\([^=]*\)\s*[;{]", re.S)


def find_examples(text):
    """Yields the line and the code of each example: indented lines of one comment, with empty ones between."""
    start, block = 0, []
    for number, line in enumerate([*text.splitlines(), ""], 1):
        comment = COMMENT.fullmatch(line)
        is_code = comment and comment[1].startswith("    ")
        is_gap = comment and not comment[1].strip() and block
        if is_code:
            start = start if block else number
            block.append(comment[1][4:])
        elif is_gap:
            block.append("")
        elif block:
            yield start, "\n".join(block).rstrip()
            block = []


def split_statements(code):
    """The statements of a text, with the lines that they begin in: each ends with a semicolon, a directive or
    a closed brace outside of others."""
    bare = scan.blank(code)
    at = depth = 0
    for match in re.finditer(r"[;(){}]|^#[^\n]*", bare, re.M):
        if match[0] in "({":
            depth += 1
        elif match[0] in ")}":
            depth -= 1
        ends = match[0] == ";" or match[0][0] == "#" or (
            match[0] == "}" and not re.match(r"\s*(?:[;,)]|\w+;|else\b)", bare[match.end():]))
        if depth == 0 and ends:
            at += len(bare[at:]) - len(bare[at:].lstrip())
            yield bare.count("\n", 0, at), code[at:match.end()]
            at = match.end()
    if bare[at:].strip():
        yield bare.count("\n", 0, at), code[at:].strip()


def read_context(root):
    """The paragraphs of the context by the name that each declares."""
    context = {}
    for paragraph in re.split(r"\n\s*\n", scan.read(root / CONTEXT)):
        words = re.search(r"^(?:OX_[A-Z_]+|#define )\(?(\w+)|(\w+)(?:\[[^\]]*\])?(?: = [^;]*)?;|(\w+)\(", paragraph, re.M)
        if words and not paragraph.startswith("//"):
            context[words[1] or words[2] or words[3]] = paragraph.strip()
    return context


def find_words(text):
    return set(re.findall(r"\b\w+\b", text))


def choose_context(code, declared, context):
    """The paragraphs that a text needs, and those that they need: those that go before it, and those that
    use a name that it declares."""
    wanted, seen = find_words(code), set()
    while new := {name for name in context if name in wanted - seen - declared}:
        seen |= new
        wanted |= {word for name in new for word in find_words(context[name])}
    chosen = [context[name] for name in context if name in seen]
    later = [each for each in chosen if find_words(each) & declared]
    return [each for each in chosen if each not in later], later


def make_source(path, line, code, context):
    """A C file of an example: each statement is numbered as in its header."""
    code = re.sub(r"^\s*\.\.\..*$|(?<=\{) \.\.\. (?=\})", "", code, flags=re.M)
    outside, inside, declared = [], [], set()
    for offset, statement in split_statements(code):
        bare = scan.blank(statement, literals=False).strip()
        is_outside = AT_FILE_SCOPE.match(bare)
        placed = f'#line {line + offset} "{path}"\n{statement}'
        (outside if is_outside else inside).append(placed)
        if is_outside and (name := DECLARED.match(bare)):
            declared |= {word for word in name.groups() if word}
    before, later = choose_context(code, declared, context)
    return "\n".join([BEGIN, *before, *outside, *later, "void header_example(void);",
                      "void header_example(void) {", *inside, "}\n"])


def compile_example(root, path, line, code, context):
    name = path.relative_to(root).as_posix()
    built = subprocess.run([*scan.compiler("CC", "cc"), *FLAGS], cwd=root, capture_output=True, text=True,
                           input=make_source(name, line, code, context))
    if built.returncode == 0:
        return []
    return [f"{name}:{line}: this example does not compile\n{built.stderr.rstrip()}"]


def check_opening(root, path, text):
    opening = re.match(r"(?:[ \t]*//[^\n]*\n)*", text)[0]
    name = path.relative_to(root).as_posix()
    if not any(find_examples(opening)):
        yield f"{name}:1: the comment at the top has no example"
    if not re.search(r"^// Threads: \S", opening, re.M):
        yield f'{name}:1: the comment at the top has no paragraph "Threads:"'


def main():
    root = scan.find_root()
    headers = [path for path in scan.find_code(root, api.FOLDER)
               if path.parent.name != "detail" and path.name not in WITHOUT_EXAMPLE]
    context = read_context(root)
    findings, jobs = [], []
    for path in headers:
        text = scan.read(path)
        findings += check_opening(root, path, text)
        jobs += [(root, path, line, code, context) for line, code in find_examples(text)]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for found in pool.map(lambda job: compile_example(*job), jobs):
            findings += found
    scan.finish(findings)


if __name__ == "__main__":
    main()
