"""Modules of the page that need no browser."""

import unittest

from server import PAGE
from test_catalogue import node


class HistoryTests(unittest.TestCase):
    """What the list holds, while rows come, go and are held back."""

    def rows(self, script, count=60):
        """What a script leaves of a list of so many; `all` is the computer's, the newest first."""
        return node(f"""
            import {{ History }} from '{(PAGE / "features/notifications/history.js").as_uri()}';
            let all = Array.from({{ length: {count} }}, (_, at) => ({{ id: `r${{at}}`, sequence: {count} - at, read: false }}));
            const add = (id) => all.unshift({{ id, sequence: 10000 + all.length, read: false }});
            let mayMove = false;
            let fails = false;
            const asked = [];
            const ask = async ({{ limit, before, unread, words }}) => {{
                asked.push(words ?? '');
                if (fails) throw new Error('not now');
                const found = all.filter((each) => (!unread || !each.read) && (!words || each.id.includes(words)));
                const from = before ? found.findIndex(({{ id }}) => id === before) + 1 : 0;
                return {{ notifications: found.slice(from, from + Math.min(limit, 500)).map((each) => ({{ ...each }})), total: found.length }};
            }};
            const history = new History({{ ask, changed: () => {{}}, mayMove: () => mayMove }});
            await history.open({{}});
            const ids = () => history.rows.map(({{ id }}) => id);
            const all_ids = () => all.map(({{ id }}) => id);
            {script}
        """)

    def test_what_is_held_back_takes_no_row_away(self):
        self.assertEqual(self.rows("""
            await history.more();
            for (const each of ['a', 'b', 'c']) { add(each); await history.refresh(); }
            const before = [ids().length, ids().at(-1), history.held];
            history.settle();
            console.log(JSON.stringify([before, ids().slice(0, 4), ids().length, JSON.stringify(ids()) === JSON.stringify(all_ids())]));
        """), [[60, "r59", 3], ["c", "b", "a", "r0"], 63, True])

    def test_rows_beyond_one_answer_stay(self):
        self.assertEqual(self.rows("""
            for (let at = 0; at < 6; at += 1) await history.more();
            add('a');
            await history.refresh();
            mayMove = true;
            add('b');
            await history.refresh();
            console.log(JSON.stringify([history.held, JSON.stringify(ids()) === JSON.stringify(all_ids().slice(0, ids().length)), ids().length]));
        """, 900), [0, True, 652])

    def test_a_row_beyond_one_answer_that_is_deleted_does_not_come_back(self):
        self.assertEqual(self.rows("""
            for (let at = 0; at < 6; at += 1) await history.more();
            await history.mark({ ids: ['r620'], kind: 'removed' }, async () => { all = all.filter(({ id }) => id !== 'r620'); });
            console.log(JSON.stringify([ids().includes('r620'), ids().length]));
        """, 900), [False, 649])

    def test_what_moves_up_from_behind_the_last_row_is_none_that_is_new(self):
        self.assertEqual(self.rows("""
            all = all.filter(({ id }) => id !== 'r7');
            await history.refresh();
            console.log(JSON.stringify([history.held, ids().length, ids().at(-1)]));
        """), [0, 50, "r50"])

    def test_a_filter_that_was_not_answered_is_asked_for_by_the_next_refresh(self):
        self.assertEqual(self.rows("""
            fails = true;
            await history.open({ words: 'r5' }).catch(() => {});
            fails = false;
            await history.more();
            await history.refresh();
            const failed = [asked.splice(0), ids().length];
            await Promise.all([history.open({ words: 'r4' }), history.refresh(), history.more()]);
            console.log(JSON.stringify([failed, asked, ids().length, ids().every((id) => id.includes('r4'))]));
        """), [[["", "r5", "r5"], 11], ["r4", "r4"], 11, True])


class FormatTests(unittest.TestCase):
    def test_days_are_those_of_the_calendar(self):
        """In a place whose clocks change: 2026-03-29 has 23 hours there, and 2026-10-25 has 25."""
        for now, moments in {
            "2026-06-12T10:00": {
                "2026-06-11T11:00": "23 hours ago", "2026-06-11T10:00": "yesterday", "2026-06-11T00:00": "yesterday", "2026-06-10T23:59": "2 days ago",
                "2026-06-10T11:00": "2 days ago", "2026-06-09T23:00": "3 days ago", "2026-06-13T10:00": "tomorrow", "2026-06-14T01:00": "in 2 days",
            },
            "2026-03-30T12:00": {"2026-03-29T01:00": "yesterday", "2026-03-28T23:00": "2 days ago"},
            "2026-10-26T09:00": {"2026-10-25T00:10": "yesterday", "2026-10-24T23:00": "2 days ago"},
            "2026-10-25T23:50": {"2026-10-25T00:10": "yesterday"},
        }.items():
            said = node(
                f"""process.env.TZ = 'Europe/Berlin';
                const {{ formatter }} = await import('{(PAGE / "i18n" / "format.js").as_uri()}');
                console.log(JSON.stringify({list(moments)!r}.map((moment) => formatter('en').relative(new Date(moment).getTime(), new Date('{now}').getTime()))));"""
            )
            self.assertEqual(dict(zip(moments, said)), moments, now)


if __name__ == "__main__":
    unittest.main()
