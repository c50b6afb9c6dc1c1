"""The tour as README has it: its commands in order, each with what README says about when it works."""

import re
from dataclasses import dataclass, field


@dataclass
class Row:
    """A row of a table of the tour, or its fenced lines."""

    title: str
    # Marked as what needs a desktop session.
    needs_session: bool
    # What is typed, in order; `None` is where the program of the first terminal is ended, and the start of that one is a command of it.
    steps: list = field(default_factory=list)


FIRST_TERMINAL = "bin/up"
END_OF_FIRST = None


def rows(readme):
    """
    The rows of the section "Two minutes". The last cell of a row holds what is typed, in backquotes, with commands between semicolons; words
    beside it are for people, but for two: what stands behind "end" and "start" is the program of the first terminal.
    """
    section = re.search(r"^## Two minutes\n(.*?)^## ", readme, re.MULTILINE | re.DOTALL)[1]
    found = []
    for block in re.findall(r"^```sh\n(.*?)^```", section, re.MULTILINE | re.DOTALL):
        found.append(Row("before the tour", False, [line.split("   #")[0].rstrip() for line in block.splitlines()]))
    for line in section.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        if not line.startswith("|") or len(cells) != 2 or set(line) <= set("|-: "):
            continue
        row = Row(re.sub(r"[▣*]", "", cells[0]).strip().split(":")[0], "▣" in line)
        spans = list(re.finditer(r"`([^`]+)`", cells[1]))
        for span in spans:
            before = cells[1][:span.start()].rstrip().rsplit(" ", 1)[-1].lower()
            if span[1].startswith(FIRST_TERMINAL):
                row.steps.append(END_OF_FIRST if before == "end" else span[1])
            else:
                row.steps += commands(span[1])
        if row.steps:
            found.append(row)
    return found


def friend(readme):
    """What README says that `$friend` stands for, as a shell takes it."""
    return re.search(r'`(friend="[^"]+")`', readme)[1]


def commands(text):
    """What stands between semicolons that are in no quotes."""
    return [part.strip() for part in re.split(r";(?=(?:[^\"']|\"[^\"]*\"|'[^']*')*$)", text) if part.strip()]
