"""What the page follows: that nothing is lost, and nothing that was told is asked for again. Without a browser."""

import unittest

from server import PAGE
from test_catalogue import node


def uri(path):
    return (PAGE / path).as_uri()


def say(what):
    return f" console.log(JSON.stringify({what}));"


class QuestionTests(unittest.TestCase):
    def said(self, script):
        return node(f"import {{ Questions, relationOf }} from '{uri('kit/feed.js')}'; const tick = () => new Promise((resolve) => setTimeout(resolve, 2)); {script}")

    def test_a_part_goes_on_is_known_or_leaves_a_gap(self):
        self.assertEqual(self.said(say("""[
            relationOf('1', { after: '1', newer: '2' }), relationOf('2', { after: '1', newer: '2' }), relationOf('1', { after: '2', newer: '3' }),
            relationOf(null, { after: '1', newer: '2' }), relationOf('1', { after: '1' }),
        ]""")), ["next", "known", "gap", "gap", "next"])

    def test_what_comes_while_a_question_is_under_way_is_asked_for_once(self):
        self.assertEqual(self.said("""
            let [asked, together, most] = [0, 0, 0];
            const all = new Questions(async () => { asked += 1; together += 1; most = Math.max(most, together); await tick(); together -= 1; });
            const first = all.ask();
            await Promise.resolve();
            const waits = [first, ...Array.from({ length: 20 }, () => all.ask())];
            await Promise.all(waits);
            await all.ask();
        """ + say("[asked, most]")), [3, 1])

    def test_one_that_fails_is_told_and_the_next_is_asked(self):
        self.assertEqual(self.said("""
            const said = [];
            let fails = true;
            const all = new Questions(async () => { await tick(); if (fails) throw new Error('not now'); said.push('done'); });
            await Promise.all([all.ask(), all.ask()].map((each) => each.catch(({ message }) => said.push(message))));
            fails = false;
            await all.ask();
        """ + say("said")), ["not now", "not now", "done"])

    def test_a_question_may_say_that_no_other_follows(self):
        self.assertEqual(self.said("let asked = 0; const all = new Questions(async () => { asked += 1; all.ask(); return false; }); await all.ask();" + say("asked")), 1)


class LogTests(unittest.TestCase):
    def said(self, script):
        return node(f"import {{ announced, answered, asked, begun, cut, heard, isBehind, level, placeOf, told }} from '{uri('kit/feed-log.js')}'; {script}")

    def test_an_answer_lacks_what_was_told_since_it_was_asked_for(self):
        self.assertEqual(self.said("""
            let feed = told(begun, 'a');
            const first = placeOf(feed); feed = asked(feed);
            feed = told(feed, 'b');
            const second = placeOf(feed); feed = asked(feed);
            feed = told(feed, 'c');
            let [one, two] = [];
            [feed, two] = answered(feed, second);
            [feed, one] = answered(feed, first);
        """ + say("[one, two, feed.kept, told(feed, 'd').kept]")), [["b", "c"], ["c"], [], []])

    def test_what_is_announced_is_missing_until_it_is_told(self):
        self.assertEqual(self.said(say("""[
            isBehind(begun), isBehind(announced(begun)), isBehind(heard(announced(begun))), isBehind(announced(heard(begun))),
            isBehind(announced(level(heard(begun)))), isBehind(level(announced(begun))),
        ]""")), [False, True, False, False, True, False])

    def test_another_epoch_begins_anew(self):
        self.assertEqual(self.said("""
            let feed = asked(told(begun, 'a'));
            const place = placeOf(feed);
            feed = cut(told(feed, 'b'));
            const isCut = isBehind(feed);
            const [next, since] = answered(level(told(feed, 'c')), place);
        """ + say("[isCut, since, isBehind(next), next.questions]")), [True, None, False, 0])

    def test_what_is_kept_beside_a_question_is_bounded(self):
        self.assertEqual(self.said("""
            let feed = asked(begun);
            let most = 0;
            for (let at = 0; at < 5000; at += 1) { feed = told(feed, at); most = Math.max(most, feed.kept.length); }
        """ + say("[most <= 1000, isBehind(feed)]")), [True, True])


class HistoryTests(unittest.TestCase):
    """A list, and a computer that tells of it: `rows` is how many were asked for, `asked` how often."""

    def said(self, script, count=60, filter="{}"):
        return node(f"""
            import {{ notificationsOf }} from '{uri('client/notifications.js')}';
            import {{ History }} from '{uri('features/notifications/history.js')}';
            import {{ followTold }} from '{uri('features/notifications/told.js')}';
            const tick = (time = 0) => new Promise((resolve) => setTimeout(resolve, time));
            let [sequence, rows, asked, mayMove, held, states] = [{count}, 0, 0, true, null, null];
            const topics = {{}};
            let follow = null;
            let all = Array.from({{ length: {count} }}, (_, at) => ({{ id: `r${{at}}`, sequence: {count} - at, alert: {count} - at, createdAt: {count} - at, read: false, device: 'pc', body: '' }}));
            const client = {{
                role: 'phone', events: (topic, listener) => {{ topics[topic] = listener; return () => {{}}; }}, onState: (listener) => {{ states = listener; return () => {{}}; }},
                follow: (method, params, options) => {{ follow = options; return {{}}; }},
                call: async (method, {{ limit, before, unread }}) => {{
                    const found = all.filter((each) => !unread || !each.read);
                    const from = before ? found.findIndex(({{ id }}) => id === before) + 1 : 0;
                    const page = {{ notifications: found.slice(from, from + limit).map((each) => ({{ ...each }})), total: found.length, unreadCount: all.filter(({{ read }}) => !read).length, upTo: sequence }};
                    asked += 1;
                    rows += page.notifications.length;
                    await held;
                    return page;
                }},
            }};
            const announce = () => topics.notifications({{ device: 'pc' }});
            const end = () => follow.onItem({{ unread: {{ device: 'pc', count: all.filter(({{ read }}) => !read).length }} }});
            const tell = (...items) => {{ announce(); items.forEach((item) => follow.onItem(item)); end(); }};
            const made = (id) => {{ sequence += 1; const row = {{ id, sequence, alert: sequence, createdAt: sequence, read: false, device: 'pc', body: '' }}; all.unshift(row); return {{ new: {{ ...row }}, banner: true }}; }};
            const changed = (id, members) => {{ sequence += 1; all = all.map((each) => (each.id === id ? {{ ...each, sequence, ...members }} : each)); return {{ changed: {{ ...all.find((each) => each.id === id) }} }}; }};
            const removed = (id) => {{ sequence += 1; all = all.filter((each) => each.id !== id); return {{ removed: {{ device: 'pc', id }} }}; }};
            const notifications = notificationsOf(client, 'pc');
            const history = new History({{ ask: (query) => notifications.list(query), changed: () => {{}}, mayMove: () => mayMove }});
            const stop = followTold({{ notifications, history, isLacking: () => false, ask: () => history.refresh(), done: () => {{}} }});
            await history.open({filter});
            [rows, asked] = [0, 0];
            const ids = () => history.rows.map(({{ id }}) => id);
            const isRight = () => JSON.stringify(history.rows) === JSON.stringify(all.slice(0, history.rows.length));
            {script}
            stop();
        """)

    def test_a_burst_of_a_hundred_asks_for_no_row(self):
        for move in ("true", "false"):
            self.assertEqual(self.said(f"""
                mayMove = {move};
                for (let at = 0; at < 100; at += 1) {{ tell(made(`n${{at}}`)); if (at % 10 === 0) await tick(15); }}
                await tick(200);
                const counted = [history.held, history.total, history.unreadCount];
                history.settle();
                console.log(JSON.stringify([rows, asked, counted, ids().length, isRight(), history.seen === sequence]));
            """), [0, 0, [0 if move == "true" else 100, 160, 160], 150, True, True])

    def test_of_a_burst_that_was_lost_the_gap_is_asked_for_once(self):
        self.assertEqual(self.said("""
            for (let at = 0; at < 100; at += 1) { const item = made(`n${at}`); if (at < 40) tell(item); else announce(); }
            follow.onItem({ missed: { device: 'pc' } });
            end();
            await tick(800);
            console.log(JSON.stringify([rows <= 100, asked, isRight(), ids()[0]]));
        """), [True, 1, True, "n99"])

    def test_what_comes_late_in_a_burst_is_waited_for(self):
        self.assertEqual(self.said("""
            const late = [];
            for (let at = 0; at < 100; at += 1) {
                late.push(made(`n${at}`));
                announce();
                if (at >= 30) { follow.onItem(late.shift()); end(); }
                if (at % 5 === 0) await tick(20);
            }
            await tick(300);
            for (const item of late.splice(0)) { follow.onItem(item); end(); }
            await tick(800);
            console.log(JSON.stringify([rows, asked, isRight(), ids()[0]]));
        """), [0, 0, True, "n99"])

    def test_what_was_announced_and_not_told_is_asked_for(self):
        self.assertEqual(self.said("changed('r3', { read: true }); announce(); await tick(800);" + say("[asked, isRight()]")), [1, True])

    def test_what_is_told_before_it_is_announced_is_no_gap(self):
        self.assertEqual(self.said("const item = made('a'); follow.onItem(item); end(); await tick(20); announce(); await tick(200);" + say("[asked, ids()[0], isRight()]")), [0, "a", True])

    def test_what_is_told_twice_stands_once(self):
        self.assertEqual(self.said("const item = made('a'); tell(item); tell(item); await tick(50); tell(item); await tick(200);" + say("[asked, ids().filter((id) => id === 'a').length, history.total, isRight()]")), [0, 1, 61, True])

    def test_what_is_told_late_does_not_undo_what_is_known(self):
        self.assertEqual(self.said("""
            const [first, second] = [changed('r3', { body: 'one' }), changed('r3', { body: 'two' })];
            tell(second);
            await tick(50);
            tell(first);
            await tick(50);
            const before = history.rows[3].body;
            await tick(800);
            console.log(JSON.stringify([before, history.rows[3].body, asked, isRight()]));
        """), ["two", "two", 1, True])

    def test_a_computer_that_counts_anew_is_read_anew(self):
        self.assertEqual(self.said("""
            sequence = 2;
            all = all.slice(0, 4).map((each, at) => ({ ...each, sequence: 4 - at, alert: 4 - at, createdAt: 1000 - at, body: 'new' }));
            tell({ changed: { ...all[2] } });
            await tick(800);
            console.log(JSON.stringify([asked, ids().length, history.rows.every(({ body }) => body === 'new')]));
        """, count=30), [1, 4, True])

    def test_a_connection_that_comes_back_is_read_anew_once_it_follows(self):
        self.assertEqual(self.said("""
            follow.onRestart();
            made('a');
            await tick(200);
            const before = asked;
            states('live');
            states('live');
            await tick(500);
            console.log(JSON.stringify([before, asked, ids()[0], isRight()]));
        """), [0, 1, "a", True])

    def test_marks_and_deletions_from_elsewhere_reach_a_page_that_is_being_read(self):
        self.assertEqual(self.said("""
            let answer = null;
            held = new Promise((resolve) => { answer = resolve; });
            const more = history.more();
            tell(changed('r55', { read: true }), removed('r57'), removed('r2'), made('a'));
            await tick(50);
            answer();
            await more;
            const first = [ids().length, ids().includes('r57'), history.rows.find(({ id }) => id === 'r55').read, isRight()];
            held = new Promise((resolve) => { answer = resolve; });
            const again = history.refresh();
            tell(removed('r4'), changed('r5', { read: true }));
            await tick(50);
            answer();
            await again;
            console.log(JSON.stringify([first, isRight(), ids().length, asked]));
        """), [[59, False, True, True], True, 58, 2])

    def test_what_is_read_elsewhere_leaves_a_list_of_unread_ones(self):
        self.assertEqual(self.said("tell(changed('r3', { read: true })); tell(made('a')); await tick(200);" + say("[asked, ids().slice(0, 4), history.unreadCount]"), filter="{ unread: true }"), [0, ["a", "r0", "r1", "r2"], 60])

    def test_what_calls_again_comes_to_the_top_and_where_nothing_may_move_it_stays(self):
        again = "sequence += 1; all = [{ ...all[9], sequence, alert: sequence, createdAt: sequence, body: 'again' }, ...all.filter((_, at) => at !== 9)]; tell({ new: { ...all[0] }, banner: true }); await tick(50);"
        self.assertEqual(self.said(again + say("[asked, ids()[0], isRight()]")), [0, "r9", True])
        self.assertEqual(self.said("mayMove = false;" + again + say("[asked, ids()[9], history.rows[9].body, history.held]")), [0, "r9", "again", 0])

    def test_older_ones_come_with_their_page(self):
        self.assertEqual(self.said("tell(changed('r58', { read: true }), changed('r2', { body: 'x' })); await tick(50); const before = ids().length; await history.more();" + say("[before, ids().length, asked, isRight()]")), [50, 60, 1, True])

    def test_a_mark_is_done_without_asking_and_takes_none_that_called_again(self):
        self.assertEqual(self.said("""
            const marked = history.mark({ ids: ['r1', 'r2'], kind: 'removed' }, async () => {
                tell(removed('r1'));
                sequence += 1;
                all = [{ ...all.find(({ id }) => id === 'r2'), sequence, alert: sequence, createdAt: sequence }, ...all.filter(({ id }) => id !== 'r2')];
                tell({ new: { ...all[0] }, banner: true });
                await tick(50);
            });
            const shown = ids().slice(0, 2);
            await marked;
            await tick(200);
            console.log(JSON.stringify([shown, asked, ids().slice(0, 3), isRight()]));
        """), [["r0", "r3"], 0, ["r2", "r0", "r3"], True])


if __name__ == "__main__":
    unittest.main()
