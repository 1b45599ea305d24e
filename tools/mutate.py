"""Finds the places of a C source where one small mistake could have been made.

A site is such a place: what it is called, and for each of its mistakes the text that takes the place
of the original. Only the bodies of functions and the constants of enums are looked at. Comments,
literals, directives and assertions are left alone, and so are sizes of arrays and `{0}`: nothing that
a test could see hangs on them.
"""
import collections
import re

import check_sizes
import scan

# The text of [start, end) becomes one of `texts`.
Site = collections.namedtuple("Site", "kind start end texts")

ASSERTION = re.compile(r"\b(?:OXI_ASSERT|_Static_assert|static_assert)\s*\(")
ENUM = re.compile(r"\benum\b[^;{}()]*\{")

COMPARISONS = {"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"],
               "==": ["!="], "!=": ["=="]}
SIGNS = {"+": ["-"], "-": ["+"], "+=": ["-="], "-=": ["+="]}
LOGIC = {"&&": ["||"], "||": ["&&"]}
STEPS = {"++": ["--"], "--": ["++"]}

# clang-format puts a space at each side of a binary operator, or ends the line behind it.
BINARY = re.compile(r"(?<=[\w)\]}'\"] )(<=?|>=?|==|!=|&&|\|\||[+-]=?)(?=[ \n])")
STEP = re.compile(r"\+\+|--")
NOT = re.compile(r"!(?=[\w(*&])")
CONDITION = re.compile(r"\b(?:if|while)\s*\(")
NUMBER = re.compile(r"(?<![\w.])(0[xX][0-9a-fA-F]+|\d+)(?=[uUlL]*(?![\w.]))")
ARRAY = re.compile(r"\b\w[\w ]*[ *]\w+\s*$")
RETURN = re.compile(r"\breturn\s+([^;]+);")

WORDS_OF_BLOCKS = re.compile(r"(?:if|for|while|switch|else|do)\b|[A-Z][A-Z0-9_]*\s*\(")
LABEL = re.compile(r"(?:case\b[^?;]*|default\s*|[a-z_]\w*\s*):$")
# Of statements without what is between their brackets: (...) is @ and [...] is #.
PLACE = r"\**[\w.>@#-]+?"
DROPPABLE = re.compile(rf"{PLACE}\s+(?:[-+*/%|&^]|<<|>>)?=\s[\s\S]*|(?:\+\+|--){PLACE}|{PLACE}(?:\+\+|--)|"
                       r"[\w.>#-]+@|break|continue|return")


def collapse(text):
    """The text with @ for each (...) and # for each [...], so that each operand is one word."""
    found = True
    while found:
        text, rounds = re.subn(r"\([^()\[\]]*\)", "@", text)
        text, squares = re.subn(r"\[[^()\[\]]*\]", "#", text)
        found = rounds + squares > 0
    return text


def find_statements(code, start, end):
    """Yields start and end, with its semicolon, of each simple statement between two offsets."""
    begin = position = start
    mark = re.compile(r"[;:(\[{}]")
    while (match := mark.search(code, position)) and match.start() < end:
        position = match.end()
        text = code[begin:match.start()].strip()
        if match[0] in "([":
            position = scan.find_close(code, match.start()) + 1
        elif match[0] == "{" and text and not WORDS_OF_BLOCKS.match(text):
            position = scan.find_close(code, match.start()) + 1 # a value
        elif match[0] == ":" and not LABEL.match(text + ":"):
            continue
        else:
            if match[0] == ";" and text:
                lead = len(code[begin:match.start()]) - len(code[begin:match.start()].lstrip())
                yield begin + lead, match.end()
            begin = position


def find_operators(code, start, end):
    for match in BINARY.finditer(code, start, end):
        for kind, table in (("comparison", COMPARISONS), ("sign", SIGNS), ("logic", LOGIC)):
            if match[1] in table:
                yield Site(kind, match.start(1), match.end(1), table[match[1]])
    for match in STEP.finditer(code, start, end):
        yield Site("step", match.start(), match.end(), STEPS[match[0]])


def find_conditions(code, start, end):
    for match in CONDITION.finditer(code, start, end):
        close = scan.find_close(code, match.end() - 1)
        yield Site("condition", match.end(), close, None)
    for match in NOT.finditer(code, start, end):
        yield Site("condition", match.start(), match.end(), [""])


def find_numbers(code, start, end):
    for match in NUMBER.finditer(code, start, end):
        before, after = code[:match.start()].rstrip(), code[match.end():match.end() + 20].lstrip()
        if before.endswith("{") and after.startswith("}"):
            continue
        line = code[code.rfind("\n", 0, match.start()) + 1:match.start()]
        if before.endswith("[") and ARRAY.search(line.rstrip()[:-1]):
            continue
        value, base = int(match[1], 0 if match[1][:2] in ("0x", "0X") else 10), match[1][:2].lower()
        others = [value + 1] + ([value - 1] if value > 0 else [])
        yield Site("number", match.start(), match.end(),
                   [hex(other) if base == "0x" else str(other) for other in others])


def find_returns(code, start, end, is_bool):
    for match in RETURN.finditer(code, start, end):
        value = match[1].strip()
        if value in ("NULL", "0"):
            continue
        texts = {"true": ["false"], "false": ["true"]}.get(value, ["true", "false"] if is_bool else ["0"])
        yield Site("return", match.start(1), match.end(1), texts)


def find_drops(code, start, end):
    for first, last in find_statements(code, start, end):
        if DROPPABLE.fullmatch(collapse(code[first:last - 1])):
            yield Site("drop", first, last, None)


def find_sites(text):
    """All sites of a source, in the order of the text, each with its texts made ready."""
    code = scan.blank_directives(scan.blank(text))
    for match in reversed(list(ASSERTION.finditer(code))):
        close = scan.find_close(code, match.end() - 1)
        code = code[:match.start()] + re.sub(r"[^\n]", " ", code[match.start():close + 1]) + code[close + 1:]
    sites = []
    for name, _, begin, brace, end in check_sizes.find_functions(code):
        is_bool = re.search(r"\bbool\s+$", code[begin:code.index(name, begin)]) is not None
        for find in (find_operators, find_conditions, find_numbers, find_drops):
            sites += find(code, brace + 1, end)
        sites += find_returns(code, brace + 1, end, is_bool)
    for match in ENUM.finditer(code):
        sites += find_numbers(code, match.end(), scan.find_close(code, match.end() - 1))
    return sorted({complete(text, site) for site in sites}, key=lambda site: site[1:] + site[:1])


def complete(text, site):
    """The site with its texts written from the original: a condition negated, a statement dropped."""
    original = text[site.start:site.end]
    texts = site.texts
    if site.kind == "condition" and texts is None:
        texts = [f"!({original})"]
    elif site.kind == "drop":
        texts = ["\n" * original.count("\n") + ";"]
    return site._replace(texts=tuple(texts))
