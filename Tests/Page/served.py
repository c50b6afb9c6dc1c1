"""A script or style as the program serves it: without the lines that are comments and without indentation, a fifth smaller compressed.

A comment is left out where its lines hold nothing else: one that begins a line with `//`, or with `/*` until the line that ends with `*/`.
"""

import re

KINDS = (".js", ".css")
TEXT = re.compile(r"'(?:[^'\\]|\\.)*'|/(?:[^/\\\[\s]|\\.|\[(?:[^\]\\]|\\.)*\])+/|\\.")


def served(file):
    """The bytes that a browser gets of a file."""
    whole = file.read_bytes()
    return stripped(whole.decode()).encode() if file.suffix in KINDS else whole


def stripped(text):
    kept, is_inside = [], False
    for line in map(str.strip, text.split("\n")):
        if is_inside or line.startswith("/*"):
            is_inside = not line.endswith("*/")
        elif line and not line.startswith("//"):
            kept.append(line)
    return "\n".join(kept) + "\n"


def doubts(text):
    """Lines that this could spoil: a text over several lines, code behind a comment's end."""
    found, is_inside = [], False
    for number, line in enumerate(map(str.strip, text.split("\n")), 1):
        if is_inside or line.startswith("/*"):
            if "*/" in line.removesuffix("*/"):
                found.append(f"{number}: code behind a comment")
            is_inside = not line.endswith("*/")
        elif not line.startswith("//") and TEXT.sub("", line).count("`") % 2:
            found.append(f"{number}: a text over several lines")
    return found
