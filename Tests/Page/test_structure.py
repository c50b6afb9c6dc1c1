"""How the page's modules stand on one another, read from their text alone."""

import os
import re
import unittest
import unittest.mock

import preloads
import states
import test_screens
from scripts import functions
from server import PAGE

# Lines that a function may have.
LONGEST = 80
# A line of a comment: what it imports is a type, which nothing loads.
COMMENT = re.compile(r"^\s*(?://|/\*|\*).*$", re.MULTILINE)


def imports():
    """Each module by its path below the page's folder, with all modules that it imports, at once or when they are needed."""
    found = {}
    for file in sorted(PAGE.rglob("*.js")):
        text = COMMENT.sub("", file.read_text())
        names = [*preloads.IMPORT.findall(text), *preloads.LATER.findall(text)]
        found[path_of(file)] = {path_of((file.parent / name).resolve()) for name in names}
    return found


def path_of(file):
    return file.relative_to(PAGE).as_posix()


def feature_of(module):
    """The feature that a module belongs to; none for the list of features and for all outside."""
    parts = module.split("/")
    return parts[1] if parts[0] == "features" and len(parts) > 2 else None


def circles(edges):
    """The groups of modules of which each leads to each other one, by Tarjan's algorithm."""
    found, order, low, stack = [], {}, {}, []

    def visit(module):
        order[module] = low[module] = len(order)
        stack.append(module)
        for other in sorted(edges.get(module, ())):
            if other not in order:
                visit(other)
            if other in stack:
                low[module] = min(low[module], low[other])
        if low[module] == order[module]:
            at = stack.index(module)
            group = sorted(stack[at:])
            del stack[at:]
            if len(group) > 1:
                found.append(group)

    for module in edges:
        if module not in order:
            visit(module)
    return found


class StructureTests(unittest.TestCase):
    def test_every_import_names_a_module(self):
        edges = imports()
        self.assertEqual([f"{module}: {other}" for module, others in edges.items() for other in sorted(others) if other not in edges], [])

    def test_no_modules_import_one_another(self):
        self.assertEqual(circles(imports()), [])

    def test_the_kit_stands_on_no_feature(self):
        floor = ("kit/", "i18n/", "client/client.js", "life.js", "theme.js")
        self.assertEqual(
            [f"{module}: {other}" for module, others in imports().items() if module.startswith("kit/") for other in sorted(others) if not other.startswith(floor)], []
        )

    def test_features_know_no_other(self):
        found = {}
        for module, others in imports().items():
            for other in others:
                one, another = feature_of(module), feature_of(other)
                if one and another and one != another:
                    found.setdefault(one, set()).add(another)
        self.assertEqual(found, {}, "what two features need goes to the kit, or is a part that one shows on another's screen")

    def test_the_frame_knows_features_by_their_list_alone(self):
        known = {(module, other) for module, others in imports().items() for other in others if other.startswith("features/") and not module.startswith("features/")}
        self.assertEqual(known, {("app.js", "features/index.js"), ("phone-app.js", "features/phone.js")})

    def test_functions_are_short(self):
        longest = {path_of(file): max((last - first + 1 for first, last in functions(file.read_text())), default=0) for file in PAGE.rglob("*.js")}
        self.assertEqual({path: lines for path, lines in longest.items() if lines > LONGEST}, {})

    def test_the_functions_of_a_script_are_found(self):
        script = """
            export async function one(a, { b = '}' } = {}) {
                if (a) { return /[}/]{2}/.test(b); }
                const two = () => {
                    return `${[1].map((each) => { return `}${each}`; })} }`;
                };
                // }
                return { three() { return "}"; } };
            }
        """
        self.assertEqual(sorted(functions(script)), [(2, 9), (4, 6), (5, 5), (8, 8)])

    def test_methods_are_named_in_full(self):
        """So that they can be found, and checked against those that there are."""
        made = re.compile(r"[.#](?:call|follow|queue|here)\(\s*(?:`|'[^']*' \+|[^(),]+ \+)")
        self.assertEqual([f"{path_of(file)}: {found[0]}" for file in sorted(PAGE.rglob("*.js")) for found in made.finditer(file.read_text())], [])

    def test_circles_are_found(self):
        edges = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set(), "e": {"f"}, "f": {"e"}}
        self.assertEqual(sorted(circles(edges)), [["a", "b", "c"], ["e", "f"]])

    def test_a_run_by_turns_looks_at_each_state_and_at_a_bounded_part_at_once(self):
        everything = states.everything()
        names, areas = [state.name for state in everything], {state.area.replace("_", "-") for state in everything}
        for touched in (set(), {"threads"}, areas):
            looked_at = []
            for turn in range(4):
                with unittest.mock.patch.dict(os.environ, TANDEM_PAGE_TURN=str(turn), TANDEM_PAGE_QUARTERS="1", TANDEM_PAGE_TOUCHED=" ".join(touched)):
                    looked_at.append({state.name for state in test_screens.ScreenTests.its_turn(everything)})
            self.assertEqual(set.union(*looked_at), set(names))
            self.assertLess(max(map(len, looked_at)), len(names) * 2 / 3)
            if touched == {"threads"}:
                self.assertLessEqual({state.name for state in everything if state.area == "threads"}, set.intersection(*looked_at))


if __name__ == "__main__":
    unittest.main()
