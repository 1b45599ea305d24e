#!/usr/bin/env python3
"""Fails when a public declaration in include/, but for oxbow/detail/, has no comment directly above it.

Public are functions named ox_*, typedefs, enums with OX_ members, and macros named ox_* or OX_*. A
line that tests a condition (#if, #else) may stand between comment and declaration. A macro ox_x may
instead follow the function ox_x_at that it calls, with no blank line between. A one-line macro or a
member of an unnamed enum may have a comment behind it, or share that of the first of its run.

    check_comments.py [root]
"""
import re

import scan

MACRO = re.compile(r"[ \t]*#[ \t]*define[ \t]+((?:ox|OX)_\w+)")
CONDITION = re.compile(r"[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|else|endif)\b")
RUN = re.compile(r"[ \t]*#[ \t]*(?:define|undef|if|ifdef|ifndef|elif|else|endif)\b")
FUNCTION = re.compile(r"(?!typedef\b)[A-Za-z_][^=;{]*?\b(ox_\w+)[ \t]*\(")
TYPE = re.compile(r"typedef\b|OX_STRUCT\(|(?:struct|union|enum)\s+ox_\w+\s*\{")
ENUM = re.compile(r"enum\s*\{")


class Header:
    """The lines of a header, and the depth of braces at the start of each."""

    def __init__(self, text):
        self.lines = text.splitlines()
        self.code = scan.blank(text).splitlines()
        plain = scan.blank_directives("\n".join(self.code))
        self.plain = plain.splitlines()
        self.depth, depth = [], 0
        for line in self.plain:
            self.depth.append(depth)
            depth += line.count("{") - line.count("}")

    def is_comment(self, index):
        return self.lines[index].strip() != "" and self.code[index].strip() == ""

    def has_comment_above(self, index):
        while index > 0 and CONDITION.match(self.code[index - 1]):
            index -= 1
        return index > 0 and self.is_comment(index - 1)

    def has_comment_behind(self, index):
        return "//" in self.lines[index] and not self.is_comment(index)

    def shares_comment(self, index):
        """Up the run of one-line macros that this line ends, a comment stands above one."""
        while index > 0 and RUN.match(self.code[index]) and not self.continues(index):
            if self.has_comment_above(index):
                return True
            index -= 1
        return False

    def continues(self, index):
        return self.code[index].rstrip().endswith("\\")

    def follows_function(self, index, name):
        """The paragraph above this line declares `name`."""
        while index > 0 and self.lines[index - 1].strip():
            index -= 1
            if re.search(rf"\b{name}\s*\(", self.plain[index]):
                return True
        return False

    def is_enum_documented(self, index):
        """Each public member has a comment behind or above it, or follows one that has."""
        if re.search(r"\bOX_", self.code[index]):
            return self.has_comment_behind(index)
        documented = False
        for member in range(index + 1, len(self.lines)):
            if self.depth[member] == 0:
                return True
            if not self.lines[member].strip():
                documented = False
            elif self.is_comment(member) or self.has_comment_behind(member):
                documented = True
            elif re.match(r"\s*OX_", self.code[member]) and not documented:
                return False
        return False


def find_undocumented(header):
    """Yields line number and name of each public declaration without a comment."""
    known = set()
    for index, line in enumerate(header.code):
        if macro := MACRO.match(line):
            name = macro[1]
            documented = (name in known or header.has_comment_above(index)
                          or header.has_comment_behind(index) or header.shares_comment(index)
                          or header.follows_function(index, name + "_at"))
            known.add(name)
        elif header.depth[index] > 0 or re.match(r"\s*#|\s|$", line):
            continue
        elif ENUM.match(line):
            name = "enum"
            documented = header.has_comment_above(index) or header.is_enum_documented(index)
        elif match := TYPE.match(line) or FUNCTION.match(line):
            name = match[1] if match.re is FUNCTION else line.rstrip(" {;")
            internal = "oxi_" in name and not re.search(r"\box_", name)
            documented = internal or header.has_comment_above(index)
        else:
            continue
        if not documented:
            yield index + 1, name


def main():
    root = scan.find_root()
    findings = []
    for path in scan.find_code(root, "include"):
        if path.parent.name == "detail":
            continue
        for number, name in find_undocumented(Header(scan.read(path))):
            findings.append(f"{path.relative_to(root)}:{number}: no comment above '{name}'")
    scan.finish(findings)


if __name__ == "__main__":
    main()
