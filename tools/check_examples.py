#!/usr/bin/env python3
"""Fails when no example uses a public call: a function, or a lower-case macro with parameters.

A macro and its plain form are one call. Types, constants and macros that declare something need no
example. What counts is code: a comment or a text that names a call does not use it.

    check_examples.py [root]
"""
import api
import gen_api
import scan


def find_unused(public, examples):
    """Yields the calls that no example uses, in the order of the headers."""
    known = {name.name: name for name in api.list_names(public)}
    for header in public:
        for call, plain in gen_api.list_rows(header, known):
            names = [call.name, *(each.name for each in plain)]
            if call.is_call and not any(name in examples.first for name in names):
                yield call


def main():
    root = scan.find_root()
    public, _ = api.read_headers(root)
    findings = [f"{call.path.relative_to(root)}:{call.line}: no example uses {call.name}"
                for call in find_unused(public, gen_api.Examples(root))]
    scan.finish(findings)


if __name__ == "__main__":
    main()
