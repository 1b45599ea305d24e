#!/usr/bin/env python3
"""Rewrites programs of Oxbow 0.1 for 0.2.

    rename_0_2.py [--dry] [--table FILE] PATH...

The table is docs/renames_0_2.md: rows of two columns, the old call or name and the new one, both in
backquotes. A row without arguments renames a word. A row with arguments rewrites calls, so that
arguments may change their order, go, or be wrapped:

    | `ox_view_set(T, view, index, ...)` | `ox_view_set(view, index, T, ...)` |

A row of two headers rewrites the lines that include the first.

All rows are applied at once, so names may swap. Paths are files, or folders to go through. Calls that
have another number of arguments than their row are renamed, and listed: look at them by hand.
"""
import argparse
import collections
import pathlib
import re
import sys

SUFFIXES = (".c", ".h", ".cpp", ".hpp", ".cc", ".md", ".txt", ".py", ".cmake", ".sh", ".in")
ROW = re.compile(r"^\| `([^`]+)` \| `([^`]+)` \|")
CALL = re.compile(r"^(\w+)(?:\((.*)\))?$")
WORD = re.compile(r"\b[A-Za-z_]\w*\b")
HEADER = re.compile(r"^oxbow/\w+\.h$")
INCLUDE = re.compile(r'(#[ \t]*include[ \t]*["<])(oxbow/\w+\.h)(?=[">])')
NAME = re.compile(r"\b(?:ox|OX)_\w+\b")
# What commas and parentheses of a call do not stand in.
SKIPPED = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/', re.S)

Rule = collections.namedtuple("Rule", "parameters name text")


def read_table(path):
    """Rules by old name, and new headers by old ones. `parameters` is None where a word is renamed."""
    rules, headers = {}, {}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = ROW.match(line)
        if row and HEADER.match(row[1]):
            headers[row[1]] = row[2]
            continue
        old = row and CALL.match(row[1])
        if not old:
            continue
        parameters = old[2] and [each.strip() for each in old[2].split(",")]
        rules[old[1]] = Rule(parameters, re.match(r"\w+", row[2])[0], row[2])
    return rules, headers


def find_arguments(text, start, brackets):
    """Where the arguments of a call begin and end: a list of pairs, from the character behind `(`.
    Commas within `brackets` part no arguments. None when the parenthesis is never closed."""
    spans, depth, begin, at = [], 0, start, start
    while at < len(text):
        skipped = SKIPPED.match(text, at)
        if skipped:
            at = skipped.end()
            continue
        if text[at] in ")," and depth == 0:
            spans.append((begin, at))
            begin = at + 1
            if text[at] == ")":
                return spans
        if text[at] in brackets:
            depth += 1 if text[at] in "({[" else -1
        at += 1
    return None


class Rewriter:
    def __init__(self, rules):
        self.rules = rules
        self.done = collections.Counter()
        self.left = []

    def rewrite(self, text, place):
        """`place` gives the line of an offset of this text, for what is left."""
        out, at = [], 0
        while True:
            found = NAME.search(text, at)
            if not found:
                return "".join(out) + text[at:]
            out.append(text[at:found.start()])
            new, at = self.rewrite_name(text, found, place)
            out.append(new)

    def rewrite_name(self, text, found, place):
        rule = self.rules.get(found[0])
        if rule is None:
            return found[0], found.end()
        self.done[found[0]] += 1
        if rule.parameters is None:
            return rule.text, found.end()
        if not text.startswith("(", found.end()):
            return rule.name, found.end()
        # Braces keep no commas together in the arguments of a macro. In those of a function they do.
        for brackets in "()", "(){}[]":
            spans = find_arguments(text, found.end() + 1, brackets)
            values = spans and self.match_arguments(rule, spans)
            if values:
                break
        if not values:
            self.left.append((place(found.start()), found[0]))
            return rule.name, found.end()
        for key, (begin, end) in values.items():
            argument = text[begin:end]
            values[key] = self.rewrite(argument.strip(), lambda at, base=begin: place(base + at))
        new = re.sub(r"\.\.\.|" + WORD.pattern, lambda word: values.get(word[0], word[0]), rule.text)
        return new, spans[-1][1] + 1

    @staticmethod
    def match_arguments(rule, spans):
        """Spans by parameter. None when their numbers differ."""
        names = rule.parameters
        if names[-1] == "..." and len(spans) >= len(names):
            spans = spans[:len(names) - 1] + [(spans[len(names) - 1][0], spans[-1][1])]
        if len(spans) != len(names):
            return None
        return dict(zip(names, spans))


def find_files(paths):
    for path in paths:
        if path.is_file():
            yield path
            continue
        for file in sorted(path.rglob("*")):
            parts = file.relative_to(path).parts
            if file.suffix in SUFFIXES and file.is_file() and not {".git", "build"} & set(parts):
                yield file


def main():
    here = pathlib.Path(__file__).resolve().parent
    beside = here / "renames_0_2.md"
    parser = argparse.ArgumentParser(description="Rewrites programs of Oxbow 0.1 for 0.2.")
    parser.add_argument("--dry", action="store_true", help="only count")
    parser.add_argument("--table", type=pathlib.Path,
                        default=beside if beside.exists() else here.parent / "docs" / beside.name)
    parser.add_argument("paths", nargs="+", type=pathlib.Path, metavar="PATH")
    options = parser.parse_args()
    rules, headers = read_table(options.table)
    rewriter, files = Rewriter(rules), 0
    for path in find_files(options.paths):
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        new = rewriter.rewrite(text, lambda at: f"{path}:{text.count(chr(10), 0, at) + 1}")
        new = INCLUDE.sub(lambda found: found[1] + headers.get(found[2], found[2]), new)
        files += new != text
        if new != text and not options.dry:
            path.write_bytes(new.encode("utf-8", "surrogateescape"))
    for place, name in rewriter.left:
        print(f"{place}: {name} has other arguments: only its name is changed")
    print(f"{sum(rewriter.done.values())} places of {len(rewriter.done)} names in {files} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
