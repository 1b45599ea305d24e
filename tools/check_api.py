#!/usr/bin/env python3
"""Fails when a public header breaks one of the rules of the API that can be checked.

Names. ox_x(...) calls ox_x_at(..., ox_site site). A function ends in _at exactly when its last parameter
is `ox_site site`, and then there is a macro of the same stem. A function without a site that a macro with a
type calls ends in _id.

Order of arguments: object, position (entity, index, key, row), type, value. No macro takes a type first,
except those that schedule or run a job, or create a container by its type. Two objects are (to, from).
The allocator, a def and the context of a callback are last, and only `after` may follow them; where the
allocator is the object it is first. `after` precedes a value.

Public and private. What OX_API exports is ox_, or oxi_ and then declared in oxbow/detail/. Inline
functions outside of detail/ have one statement; a longer one is declared there, and defined in detail/.

    check_api.py [root]
"""
import re

import api
import check_sizes
import scan

# Plain forms that a macro of another stem calls.
EXCEPTIONS = re.compile(r"""
    ox_(array|bits|list|map|multimap|queue|stream)_dispose_at       # ox_dispose, ox_dispose_after
  | ox_get_buffer_at                                                # ox_get and ox_edit, by the kind
  | ox_chunk_get_buffers_at                                         # ox_chunk_get and ox_chunk_edit
  | ox_view_get_buffer_at                                           # ox_view_get and ox_view_edit
  | ox_lookup_get_buffer_at                                         # ox_lookup_get, by the kind
  | ox_singleton_get_buffer_at                                      # ox_singleton_get, by the kind
  | ox_commands_change_buffer_at                                    # ox_commands_add, _set and _push
""", re.VERBOSE)

# Where a parameter stands: a word for messages, by rank.
RANKS = ("object", "position", "type", "value")
OBJECTS = {"world", "system", "query", "commands", "chunk", "lookup", "view", "writer", "reader", "walk",
           "transaction", "access"}
POSITIONS = {"entity", "index", "key", "row", "first", "begin"}
VALUES = {"value", "values", "data", "..."}
# Types of C that stand for a type in plain forms. A `uint32_t component` does, too.
TYPE_TYPES = {"ox_element", "ox_element_info", "oxi_map_type_pair", "oxi_multimap_type_pair"}
PAIRS = (("to", "from"), ("target", "source"), ("destination", "source"))


def has_site(name):
    """True when the last parameter of a function is `ox_site site`."""
    last = name.parameters[-1] if name.parameters else None
    return last is not None and (last.type, last.name) == ("ox_site", "site")


class Bodies:
    """What macros and private inline functions of the headers are made of."""

    def __init__(self, headers):
        self.macros, self.inlines = {}, {}
        for header in headers:
            for name in header.names:
                if name.kind in ("macro", "constant"):
                    self.macros[name.name] = self.macros.get(name.name, "") + name.body
                elif name.kind == "inline" and not name.is_public:
                    self.inlines[name.name] = self.inlines.get(name.name, "") + name.body

    def find_words(self, name, with_inlines):
        """Every word that the macro stands for, also through what it uses."""
        bodies = {**self.inlines, **self.macros} if with_inlines else self.macros
        words, left = set(), [name]
        while left:
            for word in re.findall(r"[A-Za-z_]\w*", bodies[left.pop()]):
                if word not in words and word in bodies:
                    left.append(word)
                words.add(word)
        return words


def check_function_name(name, bodies):
    """Yields what is wrong with the name of a public function."""
    takes_site = any(each.type == "ox_site" for each in name.parameters)
    if name.name.endswith("_at"):
        if not has_site(name):
            yield f"{name.name} ends in _at, but its last parameter is not `ox_site site`"
        elif name.name[:-3] not in bodies.macros and not EXCEPTIONS.fullmatch(name.name):
            yield f"{name.name} has no macro {name.name[:-3]}"
    elif takes_site and name.parameters[-1].type == "ox_site":
        yield f"{name.name} takes an ox_site last, but does not end in _at"
    if takes_site and name.parameters[-1].type != "ox_site":
        yield f"{name.name} takes an ox_site that is not its last parameter"


def check_macro_name(name, bodies, functions):
    """Yields what is wrong with the name of a call that is a macro, or with what it calls."""
    if name.name.endswith("_at"):
        yield f"{name.name} is a macro: _at is for functions that take an ox_site"
    plain = name.name + "_at"
    if plain in functions:
        if plain not in bodies.find_words(name.name, with_inlines=True):
            yield f"{name.name} does not call {plain}"
        return
    if not any(each.is_type for each in name.parameters):
        return
    for word in sorted(bodies.find_words(name.name, with_inlines=False) & functions):
        is_other = word.endswith("_id") and word[:-3] in bodies.macros
        if word != name.name + "_id" and not is_other and not word.endswith("_at"):
            yield f"{name.name} takes a type and calls {word}: its plain form is {name.name}_id"


def find_rank(call, place, parameter):
    """The index in RANKS of a parameter, or None when it may stand anywhere."""
    name, noun = parameter.name, call.name.split("_")[1]
    is_id = call.kind != "macro" and name == "component" and parameter.type == "uint32_t"
    if name in OBJECTS or name == noun:
        return 0
    if name in POSITIONS:
        return 1
    if parameter.is_type or parameter.type in TYPE_TYPES or is_id:
        return 0 if parameter.is_type and place == 0 else 2 # first only where it may be
    if place > 0 and (name in VALUES or name.startswith("is_")):
        return 3
    return None


def check_ranks(call, parameters):
    """Yields each parameter that follows one which it should precede."""
    highest, before = 0, ""
    for place, parameter in enumerate(parameters):
        rank = find_rank(call, place, parameter)
        if rank is not None and rank < highest:
            yield (f"{call.name}: the {RANKS[rank]} '{parameter.name}' follows "
                   f"the {RANKS[highest]} '{before}'")
        elif rank is not None:
            highest, before = rank, parameter.name


def check_last(call, parameters):
    """Yields what is wrong with the parameters that belong at the end."""
    names = [each.name for each in parameters]
    if "after" in names:
        earlier = [each for each in names[1:names.index("after")] if each in VALUES]
        if earlier:
            yield f"{call.name}: 'after' follows the value '{earlier[0]}'"
    for to, source in PAIRS:
        if to in names and source in names and names.index(to) > names.index(source):
            yield f"{call.name}: '{source}' precedes '{to}': two objects are ({to}, {source})"
    if names and names[-1] == "after":
        names, parameters = names[:-1], parameters[:-1]
    for place, parameter in enumerate(parameters):
        is_last = place == len(parameters) - 1
        is_object = place == 0 and not api.is_creating(call.name)
        if parameter.name == "allocator" and not (is_last or is_object):
            yield f"{call.name}: the allocator is not last"
        if parameter.name == "context" and not is_last:
            yield f"{call.name}: the context is not last"
        if parameter.name == "def" and not is_last:
            yield f"{call.name}: the def is not last"


def check_order(call):
    """Yields what is wrong with the order of a call's parameters."""
    parameters = [each for each in call.parameters if each.type != "ox_site"]
    if api.takes_type_first(call):
        yield f"{call.name} takes the type '{parameters[0].name}' first"
    else:
        yield from check_ranks(call, parameters)
    yield from check_last(call, parameters)


def count_statements(body):
    """How many statements the body of a function has; blocks and directives count as more."""
    if re.search(r"^[ \t]*#", body, re.MULTILINE):
        return 2
    if check_sizes.measure_nesting(body) > 0:
        return 2
    while "(" in body:
        body, found = re.subn(r"\([^()]*\)", "", body)
        if not found:
            break
    return body.count(";")


def check_public(header, bodies, functions):
    """Yields line and sentence of what is wrong in a header that is not of detail/."""
    for name in header.names:
        findings = []
        if name.is_public and name.kind in ("function", "inline"):
            findings += [*check_function_name(name, bodies), *check_order(name)]
        elif name.is_public and name.is_call_macro:
            findings += [*check_macro_name(name, bodies, functions), *check_order(name)]
        if name.is_exported and not name.name.startswith("ox_"):
            if name.name.startswith("oxi_"):
                findings.append(f"{name.name} is exported and private: declare it in oxbow/detail/")
            else:
                findings.append(f"{name.name} is exported, and named neither ox_ nor oxi_")
        if name.kind == "inline" and count_statements(name.body) > 1:
            findings.append(f"{name.name} has more than one statement: move it to oxbow/detail/")
        yield from ((name.line, finding) for finding in findings)


def check_private(header, _, functions):
    """Yields line and sentence of what is wrong in a header of detail/."""
    for name in header.names:
        if name.is_exported and not name.name.startswith("oxi_"):
            yield name.line, f"{name.name} is exported from oxbow/detail/, and not named oxi_"
        elif name.kind == "inline" and name.is_public and name.name not in functions:
            yield name.line, f"{name.name} is defined in oxbow/detail/, and no public header declares it"


def main():
    root = scan.find_root()
    public, private = api.read_headers(root)
    bodies = Bodies([*public, *private])
    functions = {name.name for header in public for name in header.names
                 if name.is_public and name.kind in ("function", "inline")}
    findings = []
    for header in [*public, *private]:
        check = check_private if header in private else check_public
        found = check(header, bodies, functions)
        path = header.path.relative_to(root)
        findings += dict.fromkeys(f"{path}:{line}: {finding}" for line, finding in found)
    scan.finish(findings)


if __name__ == "__main__":
    main()
