"""What the checks share: finding the project's files, and reading C text with its comments,
literals or directives blanked. Blanking keeps every newline and the length, so that an offset in
the blanked text is the same place in the original.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys

CODE_FOLDERS = ("src", "include", "tests", "bench", "examples", "scenes", "run")
CODE_SUFFIXES = (".c", ".h", ".cpp")

_COMMENT = r"//(?:\\\n|[^\n])*|/\*[\s\S]*?\*/"
_LITERAL = r'"(?:\\[\s\S]|[^"\\\n])*"|\'(?:\\[\s\S]|[^\'\\\n])*\''
_TOKEN = re.compile(f"({_COMMENT})|({_LITERAL})")
_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)


def find_root(arguments=None):
    """The root that the command line names, or the project that this tool belongs to."""
    arguments = sys.argv[1:] if arguments is None else arguments
    own = pathlib.Path(__file__).resolve().parent.parent
    return pathlib.Path(arguments[0]).resolve() if arguments else own


def find_code(root, *folders, suffixes=CODE_SUFFIXES):
    """The C and C++ files under these folders of root, or under all that hold code."""
    found = (path for folder in folders or CODE_FOLDERS for path in (root / folder).rglob("*"))
    return sorted(path for path in found if path.suffix in suffixes and path.is_file())


def find_files(root, *folders):
    """Every file that git tracks or would track; without git, every file that is not built."""
    command = ["git", "ls-files", "-z", "-co", "--exclude-standard", "--", *folders]
    try:
        listed = subprocess.run(command, cwd=root, capture_output=True, text=True).stdout
    except OSError:
        listed = ""
    if listed:
        names = set(listed.split("\0")) - {""}
        return sorted(path for name in names if (path := root / name).is_file())
    return sorted(path for folder in folders for path in (root / folder).rglob("*")
                  if path.is_file() and "__pycache__" not in path.parts)


def read(path):
    return path.read_text(encoding="utf-8", errors="replace")


def _spaces(text):
    return re.sub(r"[^\n]", " ", text)


def blank(text, literals=True):
    """The text with its comments and, unless told otherwise, its literals blanked."""
    def replace(match):
        if match[1]:
            return _spaces(match[1])
        return match[2][0] + _spaces(match[2][1:-1]) + match[2][-1] if literals else match[2]
    return _TOKEN.sub(replace, text)


def blank_directives(text):
    """The text without preprocessor lines. Blank comments first: they may continue a line."""
    return _DIRECTIVE.sub(lambda match: _spaces(match[0]), text)


def find_close(text, start):
    """The offset of the bracket that closes the one at `start`, or of the end of the text."""
    depth = 0
    for match in re.compile(r"[(){}\[\]]").finditer(text, start):
        depth += 1 if match[0] in "({[" else -1
        if depth == 0:
            return match.start()
    return len(text)


def line_at(text, offset):
    return text.count("\n", 0, offset) + 1


def compiler(variable, default):
    """A compiler as a list of words: $CC or $CXX, or what the system calls so."""
    return shlex.split(os.environ.get(variable, "")) or [default]


def finish(findings):
    """Prints the findings and ends the tool: with 1 when there are any."""
    for finding in findings:
        print(finding)
    sys.exit(1 if findings else 0)
