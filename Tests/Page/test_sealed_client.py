"""The client of a browser that is the phone, in Node and over a wire that answers by script."""

import json
import pathlib
import subprocess
import unittest

from test_catalogue import node
from server import PAGE

TESTS = pathlib.Path(__file__).resolve().parent


def run(script):
    """What a script beside this file says, as JSON."""
    done = subprocess.run(["node", "--no-warnings", TESTS / "sealed" / script], capture_output=True, text=True, timeout=60)
    if done.returncode:
        raise AssertionError(f"{script}: {done.stderr[-3000:]}")
    return json.loads(done.stdout)


class MethodTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.said = run("methods.mjs")

    def says(self, **expected):
        self.assertEqual({name: self.said[name] for name in expected}, expected)

    def test_what_is_answered_fits_the_contract(self):
        self.assertEqual(self.said["misfits"], [])

    def test_computers_are_named_and_found(self):
        self.says(byName="pc-2", renamed="Atelier")
        self.assertEqual([device["path"] for device in self.said["devices"]], ["relay", "relay"])
        self.assertEqual(self.said["devices"][1]["allowed"], ["file.read"])

    def test_what_a_browser_does_not_serve_is_typed(self):
        codes = {name: refused["code"] for name, refused in self.said["refused"].items()}
        self.assertEqual(codes, {
            "unknown": "unknown-method", "badName": "bad-request", "nobody": "not-found", "allow": "refused", "audit": "refused", "several": "bad-request",
        })
        self.assertEqual({refused["name"] for refused in self.said["refused"].values()}, {"ClientError"})

    def test_calls_go_to_the_computer_and_end_with_their_asker(self):
        self.says(call={"pong": True}, aborted="cancelled")

    def test_a_computer_that_sleeps_is_woken_by_another(self):
        self.says(woken=[["52:54:00:12:34:56"], True, [["pc-2", 1]]])
        self.assertEqual((self.said["notWoken"][0], self.said["notWoken"][1]["code"]), (0, "not-found"))

    def test_what_waits(self):
        self.says(now={"queued": False, "result": {"ok": "a"}}, waits=[True, ["clipboard.set pending"]], cleared={"removed": 1})
        self.assertEqual(self.said["cannotWait"]["reason"], "notQueueable")

    def test_what_is_followed_ends_with_its_follower(self):
        self.says(reach=[True, False, True], reachEnd="cancelled", clipboard=[2, "clipboard.unwatch"])

    def test_streams_are_told_to_who_follows_them_alone(self):
        self.says(events=["system.changed", "terminal.stdout"], remote=["clipboard.changed", "system.changed"], reachTold=[None, "relay", None, "relay"])

    def test_pairing(self):
        self.says(
            offered=[{"text": "https://hub/phone/#code", "name": "studio"}, None], scan=["clocks", "key", "sending"], code=["waiting", "compare", "confirm"], differs="numberUnconfirmed", elsewhere="typedElsewhere",
            unsealed="cannotSeal", watch=["code", "paired"], hide={"hidden": True}, hidden=["code", "hidden"], paired=3, matrix=25,
        )

    def test_another_version_is_taken_where_a_computer_has_it_and_none_another(self):
        self.says(updates=[["null null", False, 0, True], ["Atelier null", False, 1, False], ["Atelier Büro", True, 0, True], ["null Büro", True, 0, True]])

    def test_forgetting_says_whether_the_computer_was_told(self):
        self.says(forgotten={"id": "pc-2", "name": "Büro"}, untold=True, state="gone")


class NotificationTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.said = run("notices.mjs")

    def says(self, **expected):
        self.assertEqual({name: self.said[name] for name in expected}, expected)

    def test_what_is_answered_and_told_fits_the_contract(self):
        self.assertEqual(self.said["misfits"], [])

    def test_the_first_list_is_history_but_for_what_came_since_the_pairing(self):
        self.says(first=["n5", "n4", "n3", "n2", "n1"], banners=["n5 true"], unread={"devices": {"pc-1": 5}, "total": 5})

    def test_the_list_goes_on_page_by_page(self):
        self.says(pages=[5, 5, 5], older=["n3", "n2"], olderOfAll=["n3", "n2"])

    def test_each_is_told_once_and_a_gap_is_asked_for(self):
        self.says(told=["n6", "n7", "n8"])

    def test_marks_show_at_once_wait_and_outlast_the_page(self):
        self.says(
            marked={"queued": False, "count": 1}, queued={"queued": True, "count": 0}, away=["n8 read", "n7 read waits", "n5", "n4"],
            reloaded=["n8 read", "n7 read waits", "n5", "n4"], done=["n8 read", "n7 read", "n5"],
        )

    def test_a_mark_that_is_refused_is_taken_back(self):
        self.says(refused="not-allowed", after=["n8 read", "n7 read", "n5"], none=0)

    def test_another_database_brings_no_banner_back(self):
        self.assertEqual(self.said["anew"][0][0], "n99 true")
        self.assertEqual(self.said["anew"][1], 8)

    def test_settings_push_and_advice(self):
        self.says(local={"enabled": True, "sound": True, "preview": False}, push={"told": 0, "waiting": 2}, advice=1)

    def test_a_computer_is_told_where_the_browser_is_woken_and_by_which_name(self):
        self.says(registered={"endpoint": "https://push.example/1", "p256dh": "k", "auth": "a", "applicationKey": "x", "device": "pc-1"})

    def test_what_came_of_a_computer_that_is_forgotten_goes(self):
        self.assertNotIn("gone", self.said["strangers"])

    def test_what_cannot_be_read_is_passed_over_and_what_is_too_long_is_cut(self):
        added, title, body, data, actions = self.said["hostile"]
        self.assertEqual((added, title, data, actions), (1, 512, {"c": "d"}, 16))
        self.assertLessEqual(body, 16 << 10)


class AskTests(unittest.TestCase):
    def test_no_ask_is_lost_while_another_is_under_way(self):
        self.assertEqual(run("asks.mjs"), {"refused": True, "lost": []})


class RowTests(unittest.TestCase):
    """A phone's rows of one computer, when much of them comes or goes."""

    def rows(self, script):
        return node(f"""
            import {{ Rows }} from '{(PAGE / "client/sealed/notifications/rows.js").as_uri()}';
            let position = 0;
            const item = (number, more) => ({{ id: `n${{number}}`, title: 't', body: 'b', read: false, source: 'pc', createdAt: number, sequence: number, alert: number, ...more }});
            const answer = (changes, more) => ({{ epoch: 'e', changes, reached: changes.at(-1)?.sequence ?? 0, more: false, fromStart: false, unreadCount: Infinity, ...more }});
            const rows = new Rows({{ nextPosition: () => ++position, bounds: {{ rows: 3, bytes: 1e6, rowsWhileBehind: 5, bytesWhileBehind: 1e6 }} }});
            const all = (from, to) => Array.from({{ length: to - from + 1 }}, (_, at) => item(from + at));
            const ids = () => rows.shown.map(({{ id }}) => id);
            {script}
        """)

    def test_the_oldest_go_once_the_phone_is_up_to_date(self):
        self.assertEqual(self.rows("""
            rows.applyAnswer(answer(all(1, 4), { fromStart: true, history: 0, more: true }), rows.position);
            const behind = ids().length;
            rows.applyAnswer(answer(all(5, 5)), rows.position);
            console.log(JSON.stringify([behind, ids(), rows.takeWrites().writes.filter(({ row }) => row === null).map(({ id }) => id)]));
        """), [4, ["n5", "n4", "n3"], ["n1", "n2"]])

    def test_rows_that_left_the_computers_lists_count_as_read(self):
        self.assertEqual(self.rows("""
            rows.applyAnswer(answer(all(1, 3), { fromStart: true, history: 0 }), rows.position);
            rows.applyAnswer(answer([], { reached: 3, unreadCount: 1 }), rows.position);
            console.log(JSON.stringify([rows.unread, rows.shown.filter(({ item }) => !item.read).map(({ id }) => id)]));
        """), [1, ["n3"]])

    def test_an_answer_to_an_older_question_changes_nothing(self):
        self.assertEqual(self.rows("""
            const asked = rows.position;
            rows.applyAnswer(answer(all(1, 2), { fromStart: true, history: 0 }), asked);
            const late = rows.applyAnswer(answer(all(1, 1), { fromStart: true, history: 0 }), asked);
            console.log(JSON.stringify([late.isBehind, ids(), rows.position]));
        """), [True, ["n2", "n1"], {"epoch": "e", "after": 2}])

    def test_a_mark_of_all_spares_what_says_something_else_since(self):
        self.assertEqual(self.rows("""
            rows.applyAnswer(answer(all(1, 2), { fromStart: true, history: 0 }), rows.position);
            rows.mark({ kind: 'deleted', upTo: 2 }, 'c');
            rows.applyEvents([{ kind: 'changed', item: item(1, { body: 'another', sequence: 3, revision: 3 }), epoch: 'e', sequence: 3 }]);
            console.log(JSON.stringify([ids(), [...rows.commands]]));
        """), [["n1"], ["c"]])

    def test_a_clock_that_was_put_back_hides_nothing_new(self):
        self.assertEqual(self.rows("""
            rows.applyAnswer(answer(all(1, 2), { fromStart: true, history: 0 }), rows.position);
            rows.applyEvents([{ kind: 'received', item: item(3, { createdAt: 0 }), epoch: 'e', sequence: 3 }]);
            console.log(JSON.stringify(ids()));
        """), ["n3", "n2", "n1"])


class CodeTests(unittest.TestCase):
    def test_a_code_is_as_large_as_the_standard_says(self):
        """What is drawn is read by another program where a computer scans it: `test_real_browser_phone.py`."""
        said = node(f"""
            import {{ qrMatrix }} from '{(PAGE / "client/sealed/qr.js").as_uri()}';
            const sizes = [1, 17, 18, 134, 135, 230, 271, 858, 859].map((length) => qrMatrix('a'.repeat(length))?.size ?? null);
            const {{ rows }} = qrMatrix('tandem');
            console.log(JSON.stringify([sizes, rows[0].slice(0, 8), rows.length]));
        """)
        self.assertEqual(said, [[21, 21, 25, 41, 45, 53, 57, 97, None], "11111110", 21])

    def test_browsers_are_named_as_a_person_would(self):
        said = node(f"""
            import {{ deviceOf }} from '{(PAGE / "phone-device.js").as_uri()}';
            const agents = [
                'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Mobile Safari/537.36',
                'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
                'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'something',
            ];
            console.log(JSON.stringify(agents.map((userAgent) => Object.values(deviceOf({{ userAgent }})).join(' '))));
        """)
        self.assertEqual(said, ["Chrome Android android", "Safari iPhone ios", "Firefox Android android", "Browser linux"])


if __name__ == "__main__":
    unittest.main()
