"""Names the tests that failed in a log of unittest, one a line: `late TEST` where a time ran out, `wrong TEST` where a value was not as it should be."""

import pathlib
import re
import sys

HEAD = re.compile(r"^(?:FAIL|ERROR): \S+ \(([A-Za-z0-9_.]+)\).*$", re.MULTILINE)
# Playwright's own, and what real.py and the tests' `until` say when they give up.
LATE = re.compile(r"^(?:playwright\.\S*\.)?TimeoutError\b|: (?:never in sight|still in sight|could not be used|asks for no file|what was waited for)\b|: never true: ", re.MULTILINE)


def kinds(log):
    """Each failed test and its kind; one that failed in both ways is wrong."""
    found = {}
    heads = list(HEAD.finditer(log))
    for head, after in zip(heads, [*heads[1:], None]):
        text = log[head.end() : after.start() if after else len(log)]
        kind = "late" if LATE.search(text) else "wrong"
        if found.get(head[1]) != "wrong":
            found[head[1]] = kind
    return found


if __name__ == "__main__":
    for test, kind in sorted(kinds(pathlib.Path(sys.argv[1]).read_text(errors="replace")).items()):
        print(kind, test)
