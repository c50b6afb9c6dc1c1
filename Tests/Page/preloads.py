"""Writes into index.html and phone.html which modules the page begins with, so that the browser asks for all of them at once instead of finding one
behind the other. Run it when an import was added; a test says when that was forgotten."""

import re

from server import PAGE

INDEX = PAGE / "index.html"
# Each page with its entry, and how it names its files: the one for phones is served below another address.
PAGES = {INDEX: ("app.js", "/"), PAGE / "phone.html": ("phone-app.js", "")}
BEGIN = "    <!-- Written by Tests/Page/preloads.py: all that the script imports. -->\n"
END = "    <!-- End of the modules. -->\n"
IMPORT = re.compile(r"^(?:import|export)\b[^;]*?(?:from )?'(\.[^']+)';", re.MULTILINE)
# A type that a comment names so is not loaded.
LATER = re.compile(r"\bimport\('(\.[^']+)'\)(?!\.[A-Z])")


def closure(*starts, later=False):
    """Modules and everything they import at once, by path below the page's folder; with `later` also what they import when needed,
    but for what features name, which is another role's too."""
    found, left = [], [PAGE / start for start in starts]
    while left:
        file = left.pop(0)
        path = "/" + file.relative_to(PAGE).as_posix()
        if path in found:
            continue
        found.append(path)
        text = file.read_text()
        names = IMPORT.findall(text) + (LATER.findall(text) if later and file.name != "feature.js" else [])
        left += [(file.parent / name).resolve() for name in names]
    return found


def block(entry, base):
    lines = [f'    <link rel="modulepreload" href="{base}{path[1:]}">\n' for path in closure(entry)[1:]]
    return BEGIN + "".join(lines) + END


def written(page):
    """What a page's file has to be."""
    before, rest = page.read_text().split(BEGIN)
    return before + block(*PAGES[page]) + rest.split(END)[1]


if __name__ == "__main__":
    for page in PAGES:
        text = written(page)
        page.write_text(text)
        print(page.name, "lists", text.count("modulepreload"), "modules")
