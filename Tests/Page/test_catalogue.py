"""The texts and the size of the page, without a browser."""

import functools
import gzip
import json
import pathlib
import re
import subprocess
import unittest

import preloads
from served import doubts, served
from server import PAGE

FEATURES = (PAGE / "features" / "index.js").as_uri()
# A line of a comment.
COMMENT = re.compile(r"^\s*(?://|/\*|\*).*$", re.MULTILINE)
# What comes first, as it goes over loopback, and compressed; and of the kit what comes with the first screen after it, compressed.
SERVED_LIMIT = 156 * 1024
FIRST_LIMIT = 62 * 1024
KIT_LIMIT = 8448
# Of one screen; of those that are more than a screen, each its own. Notifications are so much because their list takes what it is told without
# asking, and 5 KiB of it are settings and the form to write one, which only a press fetches. Of chats, 4 KiB are what the number on the navigation needs and
# is there already, and 4 KiB the viewer of pictures and the report, which only a press fetches. Of a journal's story and of its editor, 11 KiB are Markdown with its colours, and 3 KiB the
# viewer, which only a press fetches. Of moving, 8 KiB are the sentences of pairing and the camera that reads a code, and 3 KiB why a move does not go on.
# Of files, 11 KiB are Markdown with its colours, 6 KiB the editor and 3 KiB the grid, which only a press fetches.
# Where a right is missing it can be asked for, which is 1 KiB of each screen of a computer and of what comes first. Of the overview, 3 KiB are what happened last, which comes below once the rest is there.
SCREEN_LIMIT = 30 * 1024
LARGER = {"features/computers/list.js": 32 * 1024, "features/phones/overview.js": 36 * 1024, "features/chat/screen.js": 56 * 1024, "features/threads/all.js": 31 * 1024, "features/files/tab.js": 61 * 1024, "features/moving/screen.js": 39 * 1024, **dict.fromkeys(["features/journal/screen.js", "features/journal/editor.js"], 33 * 1024), "features/threads/tab.js": 71 * 1024, "features/threads/screen.js": 71 * 1024, **dict.fromkeys(["features/notifications/tab.js", "features/notifications/screen.js", "features/notifications/all.js"], 40 * 1024)}


def node(script):
    """What a script says as JSON: the page's modules are plain ones, so Node reads them."""
    done = subprocess.run(["node", "--input-type=module", "-e", script], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def text_file(language, area):
    """The texts of an area, which a feature may have in its own folder."""
    return PAGE / area[1:] / f"{language}.js" if area.startswith("/") else PAGE / "i18n" / language / f"{area}.js"


def text_files(language):
    own = [f"/{folder.relative_to(PAGE).as_posix()}" for folder in (PAGE / "features").glob("*/texts")]
    return {area: text_file(language, area) for area in sorted([*own, *(file.stem for file in (PAGE / "i18n" / language).glob("*.js"))])}


def catalogue(language, areas=None):
    """Each key with its text, null for one that is a function; with the words that features bring."""
    files = [file for area, file in text_files(language).items() if areas is None or area in areas]
    imports = "".join(f"import * as a{index} from '{file.as_uri()}';" for index, file in enumerate(files))
    modules = "".join(f", ...Object.values(a{index})" for index in range(len(files)))
    return node(
        f"{imports} import * as all from '{FEATURES}'; const words = Object.values(all).map(({{ words }}) => words?.{language});"
        f"const texts = Object.assign({{}}, ...words{modules});"
        "console.log(JSON.stringify(Object.fromEntries(Object.entries(texts).map(([key, text]) =>"
        " [key, typeof text === 'function' ? null : text]))));"
    )


@functools.cache
def features():
    """What each feature says of itself: its rows of a role with their modules, the areas of texts and the styles, and the words that it brings."""
    folders = dict(re.findall(r"^export \{ (\w+) \} from '\./([\w-]+)/feature\.js';", (PAGE / "features" / "index.js").read_text(), re.MULTILINE))
    script = (
        f"import * as all from '{FEATURES}'; const folders = {json.dumps(folders)}; const found = [];"
        "for (const [name, feature] of Object.entries(all)) {"
        " const module = (load) => new URL(/import\\('([^']+)'\\)/.exec(load)[1], `file:///features/${folders[name]}/`).pathname.slice(1);"
        " const later = (...all) => Object.fromEntries(['texts', 'styles', 'symbols'].map((kind) => [kind, all.flatMap((each) => each?.[kind] ?? [])]));"
        " const row = (feature) => ({ path, id, nav, order, load, later: own }) =>"
        " ({ place: path ?? id, order: nav?.order ?? order ?? 1000, module: module(load), later: later(feature.later, own) });"
        " const each = (members, work) => Object.fromEntries(Object.entries(members ?? {}).map(([key, member]) => [key, work(member)]));"
        " found.push({ name, routes: each(feature.routes, (rows) => rows.map(row(feature))), tabs: (feature.tabs ?? []).map(row(feature)), parts: each(feature.parts, module),"
        " background: each(feature.background, module), texts: feature.texts ?? {}, later: later(feature.later), words: each(feature.words, Object.keys) });"
        "} console.log(JSON.stringify(found));"
    )
    return node(script)


def rows(role):
    """The rows of a role's addresses, and of a computer's tabs on a phone, each with its feature; the one where the page begins is the first."""
    found = [(row, feature) for feature in features() for row in feature["routes"].get(role, [])]
    tabs = [(row, feature) for feature in features() for row in feature["tabs"]] if role == "phone" else []
    return sorted(found, key=lambda pair: pair[0]["order"]) + sorted(tabs, key=lambda pair: pair[0]["order"])


@functools.cache
def screens():
    """The modules of every role's screens, each with what comes beside modules when it is first opened."""
    return {role: {row["module"]: row["later"] for row, _ in rows(role)} for role in ("phone", "desktop", "hub")}


@functools.cache
def areas(name="texts"):
    """The areas of texts that each role has, from the beginning or, for `later`, with a screen."""
    found = {"texts": lambda role: [area for feature in features() for area in feature["texts"].get(role, [])],
             "later": lambda role: [area for later in screens()[role].values() for area in later["texts"]]}
    return {role: sorted(set(found[name](role))) for role in ("phone", "desktop", "hub")}


def symbols(path):
    return set(re.findall(r'<symbol id="([^"]+)"', (PAGE / path[1:]).read_text()))


def methods():
    """Every method that a phone may call, by all its names: what the features declare on the wire."""
    name = r'"([A-Za-z]+(?:\.[A-Za-z]+)+)"'
    found = set()
    for wire in sorted(PAGE.parent.parent.glob("*/Wire")):
        text = "\n".join(path.read_text() for path in sorted(wire.rglob("*.swift")))
        found |= set(re.findall(r"(?:(?<!Control)Method<[^()]*>|\babout)\(\s*" + name, text))
        found |= {other for others in re.findall(r"\botherNames: \[([^\]]*)\]", text) for other in re.findall(name, others)}
    return found


class CatalogueTests(unittest.TestCase):
    def test_the_log_has_a_sentence_for_every_method(self):
        named = methods()
        self.assertGreater(len(named), 60, "declarations look different now")
        for language in ("en", "zh"):
            texts = catalogue(language, ["audit"])
            self.assertEqual([name for name in sorted(named) if f"audit.method.{name}" not in texts], [], language)

    @classmethod
    def setUpClass(cls):
        cls.texts = {language: catalogue(language) for language in ("en", "zh")}
        files = [file for file in PAGE.rglob("*.js") if {"i18n", "texts"}.isdisjoint(file.relative_to(PAGE).parts)]
        cls.source = "\n".join(file.read_text() for file in [*files, PAGE / "i18n" / "index.js"])

    def test_both_languages_have_every_key(self):
        english, chinese = (set(self.texts[language]) for language in ("en", "zh"))
        self.assertEqual(sorted(english - chinese), [], "missing in Chinese")
        self.assertEqual(sorted(chinese - english), [], "missing in English")

    def test_no_key_is_written_twice(self):
        for language in ("en", "zh"):
            keys = [
                key
                for file in text_files(language).values()
                for key in re.findall(r"^    '([^']+)':", file.read_text(), re.MULTILINE)
            ]
            keys += [key for feature in features() for key in feature["words"].get(language, [])]
            self.assertEqual(sorted({key for key in keys if keys.count(key) > 1}), [], language)

    def test_texts_ask_for_the_same_values(self):
        for key, english in self.texts["en"].items():
            chinese = self.texts["zh"].get(key)
            if english is None or chinese is None:
                continue
            self.assertEqual(set(re.findall(r"\{(\w+)\}", english)), set(re.findall(r"\{(\w+)\}", chinese)), key)

    def test_places_and_tabs_stand_in_their_order(self):
        places = {role: [row["place"] for row, feature in rows(role) if row in feature["routes"].get(role, []) and row["order"] < 1000] for role in screens()}
        self.assertEqual(places, {
            "phone": ["/computers", "/notifications", "/threads", "/chats", "/journal", "/settings"],
            "desktop": ["/overview", "/threads", "/notifications", "/phones", "/pair", "/activity", "/commands", "/ports", "/audit", "/settings"],
            "hub": ["/load", "/people", "/peers", "/limits", "/settings"],
        })
        tabs = [row["place"] for row, feature in rows("phone") if row in feature["tabs"]]
        self.assertEqual(tabs, ["threads", "notifications", "terminal", "files", "clipboard", "screen", "commands", "system", "ports"])

    def test_no_address_and_no_tab_is_there_twice(self):
        for role in screens():
            found = [row["place"] for row, _ in rows(role)]
            self.assertEqual(sorted({place for place in found if found.count(place) > 1}), [], role)

    def test_what_features_bring_is_put_together(self):
        made = """[
            { routes: { phone: [{ path: '/b', nav: { order: 20 } }, { path: '/b/:id' }] }, tabs: [{ id: 'late', order: 2 }], texts: { phone: ['one', 'two'] }, words: { en: { 'nav.b': 'B' } } },
            { routes: { phone: [{ path: '/a', nav: { order: 10 } }] }, tabs: [{ id: 'soon', order: 1 }], texts: { phone: ['two'], hub: ['three'] }, words: { en: { 'nav.a': 'A' }, zh: {} } },
            { signOut: () => { throw new Error('not now'); } },
            { signOut: async () => { left.push('third'); }, background: { phone: async ({ told }) => { told.push('phone'); }, hub: async () => { throw new Error('not now'); } } },
        ]"""
        found = node(
            f"import {{ Features }} from '{(PAGE / 'kit' / 'feature.js').as_uri()}'; const left = []; const told = []; const features = new Features({made});"
            "await features.signOut(); for (const role of ['phone', 'desktop', 'hub']) features.begin(role, { told }); await null;"
            "console.log(JSON.stringify({ routes: features.routes('phone').map(({ path }) => path), none: features.routes('desktop'), tabs: features.tabs.map(({ id }) => id),"
            " areas: features.areas('phone'), words: features.words('en'), parts: await features.parts('home', {}), left, told }));"
        )
        self.assertEqual(found, {
            "routes": ["/a", "/b", "/b/:id"], "none": [], "tabs": ["soon", "late"], "areas": ["one", "two"], "words": {"nav.b": "B", "nav.a": "A"}, "parts": [],
            "left": ["third"], "told": ["phone"],
        })

    def test_every_key_that_is_used_exists(self):
        used = set(re.findall(r"\bt\(\s*'([^']+)'", self.source)) | set(re.findall(r"\blabel: '([a-z]+\.[\w.-]+)'", self.source))
        self.assertEqual(sorted(used - set(self.texts["en"])), [])

    def test_every_role_has_the_texts_of_its_screens(self):
        for role, modules in screens().items():
            beside = [feature["background"][role] for feature in features() if feature["background"].get(role)]
            paths = preloads.closure("app.js", *modules, *beside, later=True)
            source = "\n".join((PAGE / path[1:]).read_text() for path in paths if not path.startswith("/i18n/"))
            # A module may bring an area itself, for what comes after its screen.
            brought = re.findall(r"\bloadArea\('(\w+)'\)", source)
            has = set(catalogue("en", {"common", *areas()[role], *areas("later")[role], *brought}))
            used = set(re.findall(r"\bt\(\s*'([^']+)'", source)) & set(self.texts["en"])
            # The kit is one bundle for all roles: what only another role's screens use of them is not shown here.
            shared = {key for path in paths if path.startswith("/kit/") for key in re.findall(r"\bt\(\s*'([^']+)'", (PAGE / path[1:]).read_text())}
            self.assertEqual(sorted(used - has - shared), [], role)

    @staticmethod
    def drawings():
        """The files of symbols: the first, and those that features name."""
        return ["/icons.svg", *sorted({file for role in screens().values() for later in role.values() for file in later["symbols"]})]

    def test_every_icon_that_is_used_is_drawn(self):
        drawn = [name for file in self.drawings() for name in symbols(file)]
        self.assertEqual(sorted({name for name in drawn if drawn.count(name) > 1}), [], "drawn twice")
        used = set(re.findall(r"\bicon(?:\(|: )'([a-z-]+)'", self.source))
        self.assertEqual(sorted(used - set(drawn)), [])

    def test_what_a_screen_shows_comes_with_it(self):
        """Symbols and texts that are not there from the beginning: each screen, tab and part names what it needs. A tab stands in a computer's screen."""
        everything = {name for file in self.drawings() for name in symbols(file)}
        begun = set(preloads.closure("app.js", "kit/index.js"))
        frame = next(row["later"] for row, _ in rows("phone") if row["place"] == "/computers/:id")
        shown = [(role, row["module"], [row["later"], *([frame] if row in feature["tabs"] else [])]) for role in screens() for row, feature in rows(role)]
        parts = [feature["later"] for feature in features() if feature["parts"]]
        shown = [(role, module, [*laters, *(parts if "parts }" in (PAGE / module).read_text() else [])]) for role, module, laters in shown]
        shown += [(role, module, [feature["later"]]) for feature in features() for module in feature["parts"].values() for role in ("phone", "desktop")]
        for role, module, laters in shown:
            paths = [path for path in preloads.closure(module, later=True) if path not in begun and not path.startswith("/i18n/")]
            source = "\n".join(COMMENT.sub("", (PAGE / path[1:]).read_text()) for path in paths)
            has = symbols("/icons.svg").union(*(symbols(file) for later in laters for file in later["symbols"]))
            texts = set(catalogue("en", {"common", *areas()[role], *(area for later in laters for area in later["texts"])}))
            # Areas that a module fetches itself.
            texts |= set(catalogue("en", set(re.findall(r"\bloadArea\('([^']+)'\)", source))))
            with self.subTest(module, role=role):
                self.assertEqual(sorted((set(re.findall(r"'([a-z-]+)'", source)) & everything) - has), [])
                self.assertEqual(sorted((set(re.findall(r"\bt\(\s*'([^']+)'", source)) & set(self.texts["en"])) - texts), [])

    def test_every_key_is_used(self):
        literal = set(re.findall(r"'([A-Za-z]+\.[\w.-]+)'", self.source))
        prefixes = tuple(re.findall(r"`([A-Za-z]+\.[\w.-]*)\$\{", self.source))
        unused = [key for key in self.texts["en"] if key not in literal and not (prefixes and key.startswith(prefixes))]
        self.assertEqual(unused, [], "nothing shows these")

    def test_no_chinese_text_is_left_in_english(self):
        same = [
            key
            for key, text in self.texts["zh"].items()
            if text and text == self.texts["en"][key] and re.search(r"[A-Za-z]{3}", re.sub(r"\{\w+\}|Tandem", "", text))
        ]
        allowed = {key for key in same if not re.search(r"[a-z]{3} [a-z]{2}", self.texts["zh"][key])}
        self.assertEqual(sorted(set(same) - allowed), [])


class SizeTests(unittest.TestCase):
    def test_what_comes_first_is_small(self):
        """What a browser loads for one role in one language before the first screen is usable, each file as it is served, and compressed."""
        for role in screens():
            for language in ("en", "zh"):
                files = first(role, language)
                for words, limit, sizes in (
                    ("as served", SERVED_LIMIT, {file: len(served(file)) for file in files}),
                    ("compressed", FIRST_LIMIT, {file: len(compressed(file)) for file in files}),
                ):
                    with self.subTest(role, language=language):
                        self.assertLessEqual(sum(sizes.values()), limit, told(sizes, words))

    def test_the_rest_of_the_kit_is_small(self):
        """What no role begins with, and nearly every screen or tab needs: it comes with the first of them, once for all."""
        sizes = {file: len(compressed(file)) for file in kit() - first("hub", "en")}
        self.assertLessEqual(sum(sizes.values()), KIT_LIMIT, told(sizes))

    def test_each_screen_is_small(self):
        """What a screen loads beside that and the kit when it is opened first: its modules, and the style and texts that come with it."""
        for role, modules in screens().items():
            for module, later in sorted(modules.items()):
                for language in ("en", "zh"):
                    files = own(module, later, language)
                    # What other features show there, which comes by itself.
                    for feature in features() if "parts('home')" in (PAGE / module).read_text() else []:
                        for part in (part for place, part in feature["parts"].items() if place in ("home", "computer")):
                            files |= own(part, feature["later"], language)
                    sizes = {file: len(compressed(file)) for file in files - first(role, language) - kit()}
                    with self.subTest(module, role=role, language=language):
                        self.assertLessEqual(sum(sizes.values()), LARGER.get(module, SCREEN_LIMIT), told(sizes))

    def test_what_comes_with_a_screen_is_not_loaded_first(self):
        page = (PAGE / "index.html").read_text()
        for feature in features():
            for name in [*feature["later"]["styles"], *feature["later"]["symbols"]]:
                self.assertTrue((PAGE / name[1:]).is_file(), name)
                self.assertNotIn(name, page)

    def test_every_module_can_be_read(self):
        """Also those of the tests: one that cannot be leaves a blank page."""
        files = [str(file) for file in [*PAGE.rglob("*.js"), *pathlib.Path(__file__).parent.glob("fake/*.js")] if file.name != "first.js"]
        script = (
            "const { SourceTextModule } = require('vm'); const { readFileSync } = require('fs');"
            f"for (const file of {json.dumps(files)}) new SourceTextModule(readFileSync(file, 'utf8'), {{ identifier: file }});"
        )
        done = subprocess.run(["node", "--experimental-vm-modules", "-e", script], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr if done.returncode else ""), (0, ""))

    def test_comments_can_be_left_out(self):
        for file in [*PAGE.rglob("*.js"), *PAGE.rglob("*.css")]:
            self.assertEqual(doubts(file.read_text()), [], file.name)

    def test_files_are_small(self):
        long = [f"{file.name}: {lines}" for file in PAGE.rglob("*.js") if (lines := file.read_text().count("\n")) > 300]
        self.assertEqual(long, [])

    def test_nothing_is_set_as_html(self):
        forbidden = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|createContextualFragment|setHTML")
        for file in PAGE.rglob("*.js"):
            self.assertIsNone(forbidden.search(file.read_text()), file.name)

    def test_modules_are_listed(self):
        for page in preloads.PAGES:
            self.assertEqual(page.read_text(), preloads.written(page), "run Tests/Page/preloads.py")

    def test_no_inline_script(self):
        for page in preloads.PAGES:
            self.assertEqual(re.findall(r"<script(?![^>]*src=)|\son\w+=", page.read_text()), [], page.name)


def first(role, language):
    """The files that come before the first screen is usable: the frame, all that index.html names, and the screen where the role's page begins."""
    home, later = next(iter(screens()[role].items()))
    texts = [text_file(language, area).relative_to(PAGE).as_posix() for area in ["common", *areas()[role], *later["texts"]]]
    # The client's part for computers comes with the first answer to a phone's page.
    clients = ["client/local-computer.js"] if role == "phone" else []
    modules = {PAGE / path[1:] for path in preloads.closure("app.js", "first.js", "sw.js", "sw-push.js", home, *clients, *texts)}
    linked = {PAGE / path for path in re.findall(r'(?:href|src)="/([^"]+\.(?:css|svg|webmanifest))"', (PAGE / "index.html").read_text())}
    linked |= {PAGE / name[1:] for name in [*later["styles"], *later["symbols"]]}
    return {*modules, *linked, PAGE / "index.html", PAGE / "icons.svg", PAGE / "icons" / "tandem-192.png"}


def kit():
    """What several features have in common and no role begins with, the symbols among it."""
    modules = {PAGE / path[1:] for path in preloads.closure("kit/index.js", "kit/trouble.js") if not path.startswith("/i18n/")}
    return {*modules, PAGE / "icons" / "more.svg"}


def own(module, later, language):
    files = {PAGE / path[1:] for path in preloads.closure(module, later=True) if not path.startswith("/i18n/")}
    return files | {PAGE / name[1:] for name in [*later["styles"], *later["symbols"]]} | {text_file(language, area) for area in later["texts"]}


def told(sizes, words="compressed"):
    largest = ", ".join(f"{file.name} {size}" for file, size in sorted(sizes.items(), key=lambda pair: -pair[1])[:5])
    return f"{sum(sizes.values())} bytes {words} in {len(sizes)} files; the largest: {largest}"


def compressed(file: pathlib.Path):
    whole = served(file)
    return whole if file.suffix == ".png" else gzip.compress(whole, 9)


if __name__ == "__main__":
    unittest.main()
