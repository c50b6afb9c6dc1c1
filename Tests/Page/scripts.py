"""Where the functions of a script begin and end, read from its text."""

import re

# Pieces that are passed over whole: comments, texts, and patterns, which stand where a value begins.
PIECES = re.compile(
    r"//[^\n]*|/\*.*?\*/|'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"|(?:(?<=[=(,:;!&|?{}\[+])\s*|(?<=return)\s+)/(?![/*])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*|`", re.DOTALL
)
NOT_CALLED = {"if", "for", "while", "switch", "catch", "with"}


def blanked(text):
    """A script with spaces in the place of comments, texts and patterns: its braces and lines are those of the code. Code inside of a template stays."""
    out, at, templates, depth = [], 0, [], 0
    while at < len(text):
        if templates and templates[-1] == depth:
            # Inside of a template's letters.
            if text[at] == "`":
                templates.pop()
                out.append(" ")
                at += 1
            elif text.startswith("${", at):
                depth += 1
                out.append(" {")
                at += 2
            else:
                step = 2 if text[at] == "\\" else 1
                out.append("".join(letter if letter == "\n" else " " for letter in text[at:at + step]))
                at += step
            continue
        found = PIECES.match(text, at)
        if found and found[0] == "`":
            templates.append(depth)
            out.append(" ")
        elif found:
            out.append("".join(letter if letter == "\n" else " " for letter in found[0]))
        else:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            out.append(text[at])
        at = found.end() if found else at + 1
    return "".join(out)


def functions(text):
    """The first and the last line of each function of a script, with those inside of it."""
    code, found, open_braces, brackets, pairs = blanked(text), [], [], [], {}
    for at, letter in enumerate(code):
        if letter == "(":
            brackets.append(at)
        elif letter == ")" and brackets:
            pairs[at] = brackets.pop()
        elif letter == "{":
            from_here = max(0, at - 300)
            before = code[from_here:at].rstrip()
            is_function, start = before.endswith("=>"), at
            if before.endswith(")"):
                start = pairs.get(from_here + len(before) - 1, at)
                word = re.search(r"([\w$#]+)\s*$", code[max(0, start - 80):start])
                is_function = bool(word) and word[1] not in NOT_CALLED
            open_braces.append((is_function, start))
        elif letter == "}" and open_braces:
            is_function, start = open_braces.pop()
            if is_function:
                found.append((code.count("\n", 0, start) + 1, code.count("\n", 0, at) + 1))
    return found
