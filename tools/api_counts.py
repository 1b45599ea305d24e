#!/usr/bin/env python3
"""Prints how large the public API is, one count in each line.

    api_counts.py [root [library]]

With a shared library, the functions that it exports are counted too.
"""
import pathlib
import sys

import api
import check_symbols
import scan


def count_names(root):
    """Yields what is counted, and how much of it there is."""
    public, private = api.read_headers(root)
    exported = {name.name for name in api.list_names([*public, *private]) if name.is_exported}
    names = [name for name in api.list_names(public) if name.is_public]
    macros = {name.name for name in names if name.kind == "macro"}
    functions = {name.name for name in names if name.kind in ("function", "inline")}
    plain = {name for name in functions if name.endswith("_at")}
    ids = {name for name in functions if name.endswith("_id")}
    has_macro = {name for name in plain | ids if name[:-3] in macros}
    report_list = root / api.FOLDER / api.REPORT_LIST
    yield "headers outside of detail/", len(public) + report_list.is_file()
    yield "headers in detail/", len(private)
    yield "exported functions ox_", sum(name.startswith("ox_") for name in exported)
    yield "exported functions oxi_", sum(name.startswith("oxi_") for name in exported)
    yield "inline functions ox_", sum(name.kind == "inline" for name in names)
    yield "lower-case macros", sum(name.is_call_macro for name in names)
    yield "macros that take a type first", sum(api.takes_type_first(name) for name in names)
    yield "upper-case macros with parameters", sum(
        name.kind == "macro" and not name.is_call_macro for name in names)
    yield "distinct calls and macros", len(macros | functions - has_macro)
    yield "plain functions without a macro", len(plain - has_macro)
    yield "types", sum(name.kind == "type" for name in names)
    yield "components", sum(name.kind == "component" for name in names)
    yield "constants", sum(name.kind == "constant" for name in names)


def count_symbols(library):
    symbols = check_symbols.list_symbols(library, shared=True)
    yield "symbols ox_ of the library", sum(name.startswith("ox_") for name in symbols)
    yield "symbols oxi_ of the library", sum(name.startswith("oxi_") for name in symbols)


def main():
    counts = list(count_names(scan.find_root()))
    if len(sys.argv) > 2:
        counts += count_symbols(pathlib.Path(sys.argv[2]))
    for what, count in counts:
        print(f"{what:36}{count:6}")


if __name__ == "__main__":
    main()
