"""What the tools that look at the public API share: reading the names that headers declare.

Headers of include/oxbow are the API; those of its folder detail/ are not. Names ox_ and OX_ are
public, names oxi_ and OXI_ are not. A name is read once, where it first stands: in all branches of a
condition.
"""
import re

import scan

FOLDER = "include/oxbow"
# Its macro makes the ids of reports, which have a page of their own.
REPORT_LIST = "report_list.h"

DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(\([^)]*\))?((?:\\\n|[^\n])*)", re.MULTILINE)
CONDITION = re.compile(r"[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|else|endif)\b")
ATTRIBUTE = re.compile(r"\b(?:__attribute__|_?[Aa]lignas)\s*\(")
# A macro that stands alone in its line, and makes declarations without a semicolon.
LOOSE_CALL = re.compile(r"\s*[A-Z]\w*\([^()\n]*\)[ \t]*\n")


class Name:
    """A name that a header declares. Its kind is function, inline, macro, type, component or
    constant; a macro without parameters is a constant when it is upper-case."""

    def __init__(self, header, kind, name, start, parameters=None, body="", is_exported=False):
        self.path, self.line = header.path, scan.line_at(header.code, start)
        self.kind, self.name, self.parameters, self.body = kind, name, parameters, body
        self.is_exported = is_exported
        self.comment = ""

    @property
    def is_public(self):
        return self.name.startswith(("ox_", "OX_"))

    @property
    def is_call(self):
        """It is written as a call: a function, or a lower-case macro with parameters."""
        return self.kind in ("function", "inline") or self.is_call_macro

    @property
    def is_call_macro(self):
        return self.kind == "macro" and self.parameters is not None and self.name[:3] != "OX_"


class Parameter:
    """The type and the name of a parameter; a macro's has no type."""

    def __init__(self, text, is_macro=False):
        text = " ".join(text.split())
        pointer = re.search(r"\(\s*\*\s*(\w+)", text)
        bare = re.sub(r"\s*(?:\[[^\]]*\]\s*)+$", "", text)
        last = re.search(r"\w+$", bare)
        self.name, self.type = text, ""
        if pointer and not is_macro:
            self.name, self.type = pointer[1], "function"
        elif last and not is_macro and last.start() > 0:
            self.name, self.type = last[0], bare[:last.start()].strip()

    @property
    def is_type(self):
        """A macro's parameter that stands for a type: T, K, Type, Job."""
        return self.type == "" and self.name[0].isupper()


def takes_type_first(name):
    """True for a macro whose first argument is a type, but for those that have nothing else, that
    schedule or run a job, or that create a container by its own type: T, K and V are elements'."""
    if not name.is_call_macro or all(each.is_type for each in name.parameters):
        return False
    first = name.parameters[0]
    is_job = first.name == "Job" and re.match(r"ox_(schedule|run)(_|$)", name.name)
    is_created = is_creating(name.name) and len(first.name) > 1
    is_untyped = is_creating(name.name) and name.name.endswith("_untyped")
    return first.is_type and not (is_job or is_created or is_untyped)


def is_creating(name):
    return re.match(r"ox_(\w+_)?create(_|$)", name) is not None


def split_commas(text):
    """The parts of a text between its commas, those in brackets left alone."""
    parts, depth, begin = [], 0, 0
    for match in re.finditer(r"[(){}\[\],]", text):
        if match[0] == "," and depth == 0:
            parts.append(text[begin:match.start()])
            begin = match.end()
        elif match[0] != ",":
            depth += 1 if match[0] in "({[" else -1
    return [*parts, text[begin:]]


def read_parameters(text, is_macro=False):
    parts = [part.strip() for part in split_commas(text)]
    return [Parameter(part, is_macro) for part in parts if part not in ("", "void")]


def drop_attributes(text):
    """The text with attributes blanked, so that the last brackets are those of parameters."""
    while match := ATTRIBUTE.search(text):
        end = scan.find_close(text, match.end() - 1) + 1
        text = text[:match.start()] + " " * (end - match.start()) + text[end:]
    return text


class Header:
    """A header: its text, and the names that it declares, in their order."""

    def __init__(self, path):
        self.path = path
        self.text = scan.read(path)
        self.lines = self.text.splitlines()
        self.code = scan.blank(self.text)
        self.code_lines = self.code.splitlines()
        self.plain = scan.blank_directives(self.code)
        self.names = []
        for name in sorted([*self.read_macros(), *self.read_declarations()], key=lambda x: x.line):
            name.comment = self.find_comment(name)
            self.names.append(name)

    def read_macros(self):
        for match in DEFINE.finditer(self.code):
            parameters = match[2] and read_parameters(match[2].strip("()"), is_macro=True)
            kind = "constant" if parameters is None and match[1].isupper() else "macro"
            yield Name(self, kind, match[1], match.start(1), parameters, match[3])

    def read_declarations(self):
        start = position = 0
        bracket = re.compile(r"[;({}]")
        while match := bracket.search(self.plain, position):
            position = match.end()
            head = drop_attributes(self.plain[start:match.start()])
            if match[0] == "(":
                position = scan.find_close(self.plain, match.start()) + 1
                continue
            if match[0] == "{" and re.fullmatch(r'\s*extern\s*"\s*C?\s*"\s*', head):
                start = position
                continue
            if match[0] == "{":
                # A closing brace in the first column ends what began outside, whatever #else did.
                end = self.plain.find("\n}", match.start()) + 1 or len(self.plain)
                end = min(end, scan.find_close(self.plain, match.start()))
                position = end + 1
                if not self.is_function(head):
                    continue
                body = self.code[match.end():end]
                yield from self.read_statement(start, head, body)
            elif match[0] == ";":
                yield from self.read_statement(start, head, None)
            start = position

    @staticmethod
    def is_function(head):
        return bool(re.search(r"\w\s*\(", head)) and head.rstrip().endswith(")") and not (
            re.search(r"=|\btypedef\b", head))

    def read_statement(self, start, head, body):
        """The names of one declaration. `body` is that of a function, or None."""
        while loose := LOOSE_CALL.match(head):
            start, head = start + loose.end(), head[loose.end():]
        start, head = start + len(head) - len(head.lstrip()), head.strip()
        members = re.search(r"\benum\b[^;{]*\{", head)
        if re.match(r"typedef\b|struct\b|union\b|enum\b", head) and (
                name := self.find_type_name(head)):
            yield Name(self, "type", name, start)
        if members:
            yield from self.read_members(start + members.end(), head[members.end():])
        elif match := re.match(r"(OX_[A-Z_]+)\((\w+)", head):
            yield Name(self, "component", match[2], start)
        elif match := re.match(r"static const\b[^=({]*?(\w+)\s*(?:\[[^\]]*\])?\s*=", head):
            yield Name(self, "constant", match[1], start)
        elif head.endswith(")") and "{" not in head and "=" not in head.split("(")[0]:
            yield from self.read_function(start, head, body)

    @staticmethod
    def find_type_name(head):
        if not head.startswith("typedef"):
            match = re.match(r"(?:struct|union|enum)\s+(\w+)\s*\{", head)
            return match and match[1]
        if head.endswith(")"):
            match = re.search(r"\(\s*\*\s*(\w+)\s*\)\s*\(", head) or re.search(r"(\w+)\s*\(", head)
        else:
            match = re.search(r"(\w+)\s*(?:\[[^\]]*\])?$", head)
        return match and match[1]

    def read_members(self, start, text):
        offset = 0
        for part in split_commas(text[:text.find("}")]):
            match = re.match(r"\s*(OXI?_\w+)\s*(?:=|$)", part)
            if match:
                yield Name(self, "constant", match[1], start + offset + match.start(1))
            offset += len(part) + 1

    def read_function(self, start, head, body):
        if re.match(r"typedef\b", head):
            return
        opens = [match for match in re.finditer(r"(\w+)\s*\(", head)
                 if scan.find_close(head, match.end() - 1) == len(head) - 1]
        if opens and opens[0][1] not in ("if", "for", "while", "static_assert", "OXI_STATIC_ASSERT"):
            parameters = read_parameters(head[opens[0].end():-1])
            kind = "inline" if re.search(r"\binline\b|\bOXI_INLINE\b", head) or body else "function"
            is_exported = re.search(r"\bOX_API\b", head) is not None
            if re.search(r"\w\W", head[:opens[0].start()]):
                yield Name(self, kind, opens[0][1], start, parameters, body or "", is_exported)

    def is_comment(self, index):
        return self.lines[index].strip() != "" and self.code_lines[index].strip() == ""

    def find_trailing(self, index):
        """The comment that follows code in its line, or None."""
        rest = self.lines[index][len(self.code_lines[index].rstrip()):]
        match = re.search(r"//+<?\s*(.*)", rest)
        return match and match[1]

    def find_comment(self, name):
        """The comment that follows a name in its line, stands above it, or is that of the macro in the
        line above."""
        index = name.line - 1
        if name.kind in ("constant", "macro") and self.find_trailing(index):
            return self.find_trailing(index)
        while index > 0 and CONDITION.match(self.code_lines[index - 1]):
            index -= 1
        words = []
        while index > 0 and self.is_comment(index - 1):
            index -= 1
            words.insert(0, re.sub(r"^\s*//+<?\s?", "", self.lines[index]))
        if words or not DEFINE.match(self.code_lines[name.line - 1]):
            return "\n".join(words).strip()
        above = [other for other in self.names if other.line == name.line - 1]
        is_run = above and DEFINE.match(self.code_lines[name.line - 2])
        return above[0].comment if is_run and not self.find_trailing(name.line - 2) else ""


def read_headers(root):
    """The public headers of root, and those of detail/."""
    folder = root / FOLDER
    public = sorted(path for path in folder.glob("*.h") if path.name != REPORT_LIST)
    private = sorted((folder / "detail").rglob("*.h"))
    return [Header(path) for path in public], [Header(path) for path in private]


def list_names(headers):
    """The names of headers, each once."""
    names = {}
    for header in headers:
        for name in header.names:
            names.setdefault(name.name, name)
    return list(names.values())
