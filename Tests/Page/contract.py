"""Writes `types/contract.d.ts` from `contract.json`: what each method takes and answers, for the types of the page's calls and of its fakes.

`contract.json` is written by the program's own types (`Tests/CommandTests/ContractTests.swift`). A shape in it is a kind (`string|null`), a list of one
shape, `{"|": [shapes]}` for one of several, or an object of members: `name?` may be missing, `*` are all that have no name there.
"""

import json
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
CONTRACT = HERE / "contract.json"
TYPES = HERE / "types" / "contract.d.ts"
HEAD = """// Written by Tests/Page/contract.py from contract.json: do not edit.

"""


def contract():
    return json.loads(CONTRACT.read_text())


def type_of(shape):
    """A shape as TypeScript writes it."""
    if isinstance(shape, str):
        return shape.replace("integer", "number").replace("|", " | ")
    if isinstance(shape, list):
        inner = type_of(shape[0])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if list(shape) == ["|"]:
        return " | ".join(type_of(each) for each in shape["|"])
    members = []
    for name, member in sorted(shape.items(), key=lambda pair: (pair[0] == "*", pair[0])):
        bare = name.removesuffix("?")
        key = "[other: string]" if name == "*" else bare if re.fullmatch(r"[A-Za-z_]\w*", bare) else json.dumps(bare)
        members.append(f"{key}{'?' if bare != name else ''}: {type_of(member)}")
    return "{ " + "; ".join(members) + " }" if members else "Record<string, never>"


def declaration(name, methods):
    lines = []
    for method in sorted(methods):
        # One that reports no items has them as never.
        shapes = {"items": "never", **methods[method]} if name == "Control" else methods[method]
        parts = {kind: type_of(shapes[shape]) for kind, shape in (("params", "params"), ("item", "items"), ("answer", "answer")) if shape in shapes}
        lines.append(f"    {json.dumps(method)}: {{ " + "; ".join(f"{kind}: {part}" for kind, part in parts.items()) + " };\n")
    return f"interface {name} {{\n{''.join(lines)}}}\n"


def types(known=None):
    """The whole file: what this program answers the page, and what a computer answers a phone. TypeScript puts the files of several contracts together."""
    known = known or contract()
    return HEAD + declaration("Control", known["control"]) + "\n" + declaration("Remote", known["methods"])


if __name__ == "__main__":
    TYPES.parent.mkdir(exist_ok=True)
    TYPES.write_text(types())
    for added in HERE.glob("*/fake/contract.json"):
        added.with_suffix(".d.ts").write_text(types(json.loads(added.read_text())))
