"""What the screens of conversations do, without a browser."""

import json
import unittest

from server import PAGE
from test_catalogue import node
from test_screen_states import StateTests

ME, PEER = "tb_7", "tb_9"
CHAT = "si_tb_7_tb_9"


def row(name, **members):
    """A conversation of the list."""
    return {"id": name, "user": f"tb_{name}", "name": name, "isPinned": False, "isMuted": False, "isBlocked": False, "request": None, "unread": 0, "last": None, **members}


def last(time):
    return {"time": time}


def message(place, is_mine=False, **members):
    """A message; its id is that of its place, unless it is told."""
    return {"id": f"m{place}", "conversation": CHAT, "from": ME if is_mine else PEER, "isMine": is_mine, "kind": "text", "text": str(place), "time": 0, "seq": place, "status": "sent", **members}


def module(name):
    return (PAGE / "features" / "chat" / f"{name}.js").as_uri()


class HubSentenceTests(unittest.TestCase):
    """A hub's own sentence stands beside the page's, in the page's language, and never in its place."""

    def said(self, detail, language="en"):
        return node(
            f"globalThis.document = {{ documentElement: {{}} }}; globalThis.location = {{ search: '?lang={language}' }};"
            "globalThis.localStorage = { getItem: () => null };"
            "Object.defineProperty(globalThis, 'navigator', { value: { languages: [] }, configurable: true });"
            f"const {{ loadLanguage }} = await import('{(PAGE / 'i18n' / 'index.js').as_uri()}'); await loadLanguage();"
            f"const {{ errorText, hubText }} = await import('{(PAGE / 'kit' / 'failure.js').as_uri()}');"
            f"const error = {{ code: 'refused', detail: {json.dumps(detail)} }};"
            "console.log(JSON.stringify([errorText(error), hubText(error)]));"
        )

    def test_it_stands_behind_the_page_s_words(self):
        detail = {"reason": "refused", "values": {"hub": "Closed until Monday."}}
        self.assertEqual(self.said(detail), ["That was refused. The hub says: Closed until Monday.", "The hub says: Closed until Monday."])
        self.assertEqual(self.said(detail, "zh")[1], "中继的说明：Closed until Monday.")

    def test_what_could_mislead_in_it_is_visible_and_it_is_bounded(self):
        self.assertEqual(self.said({"reason": "refused", "values": {"hub": "No\u202eway"}})[1], "The hub says: No⟨202E⟩way")
        self.assertLess(len(self.said({"reason": "refused", "values": {"hub": "x" * 9000}})[1]), 330)

    def test_a_hub_that_says_nothing_and_an_address_are_no_sentence(self):
        for detail in ({}, {"reason": "refused"}, {"reason": "refused", "values": {"hub": 7}}, {"reason": "otherHub", "values": {"hub": "hub.example"}}):
            self.assertEqual(self.said(detail), ["That was refused.", None])


class StandingTests(StateTests):
    module = "features/chat/standing-state.js"

    def standing(self, *rows, state="live"):
        return {"kind": "answered", "turn": 1, "answer": {"state": state, "me": {"user": ME}, "conversations": list(rows), "unread": 0, "requests": 0}}

    def told(self, **item):
        return {"kind": "told", "item": item}

    def list(self, *events):
        said = self.after({"kind": "asked"}, *events)
        return [each["id"] for each in said["state"]["list"]], said["effects"]

    def test_L1_pinned_come_first_then_the_newest_then_by_id(self):
        rows = [row("old", last=last(1)), row("b", last=last(5)), row("a", last=last(5)), row("empty"), row("pinned", last=last(2), isPinned=True), row("kept", isPinned=True)]
        self.assertEqual(self.list(self.standing(*rows))[0], ["pinned", "kept", "a", "b", "old", "empty"])

    def test_L3_a_row_that_is_told_takes_its_place(self):
        rows = (row("a", last=last(1)), row("b", last=last(2)))
        self.assertEqual(self.list(self.standing(*rows), self.told(conversation=row("a", last=last(3)))), (["a", "b"], []))
        self.assertEqual(self.list(self.standing(*rows), self.told(conversation=row("c", last=last(9))))[0], ["c", "b", "a"])
        self.assertEqual(self.list(self.standing(*rows), self.told(hidden="b"))[0], ["a"])

    def test_what_is_told_while_the_list_is_asked_for_is_not_lost(self):
        self.assertEqual(self.list(self.told(conversation=row("new", last=last(9))), self.standing(row("a")))[0], ["new", "a"])
        self.assertEqual(self.list(self.told(hidden="a"), self.standing(row("a"), row("b")))[0], ["b"])

    def test_only_the_last_question_is_answered(self):
        self.assertEqual(self.list({"kind": "asked"}, self.standing(row("a"))), ([], []))
        self.assertEqual(self.after({"kind": "asked"}, {"kind": "asked"}, {"kind": "failed", "turn": 1, "error": {"code": "away"}})["state"]["phase"], "loading")

    def test_after_a_reset_it_is_asked_again_and_what_is_shown_stays(self):
        said = self.after({"kind": "asked"}, self.standing(row("a")), self.told(reset=True))
        self.assertEqual((said["effects"], said["state"]["phase"], len(said["state"]["list"])), ([{"do": "ask", "turn": 2}], "shown", 1))

    def test_a_failure_is_said_and_takes_nothing_away(self):
        failed = {"kind": "failed", "turn": 1, "error": {"code": "internal"}}
        self.assertEqual(self.after({"kind": "asked"}, failed)["state"]["phase"], "refused")
        again = self.after({"kind": "asked"}, self.standing(row("a")), {"kind": "asked"}, {**failed, "turn": 2})["state"]
        self.assertEqual((again["phase"], again["trouble"], len(again["list"])), ("shown", {"code": "internal"}, 1))

    def test_requests_stand_apart_and_count_by_themselves(self):
        rows = [row("a", unread=3), row("b", request="incoming", unread=1, last=last(1)), row("c", request="outgoing"), row("d", request="incoming", last=last(4)), row("e", request="incoming", isBlocked=True)]
        state = self.after({"kind": "asked"}, self.standing(*rows))["state"]
        self.assertEqual(([each["id"] for each in state["list"]], [each["id"] for each in state["requests"]], state["unread"]), (["a", "c"], ["d", "b"], 3))

    def test_muted_conversations_do_not_count(self):
        self.assertEqual(self.after({"kind": "asked"}, self.standing(row("a", unread=3, isMuted=True), row("b", unread=2)))["state"]["unread"], 2)

    def test_a_notice_of_typing_ends_by_itself_by_a_message_or_by_the_next_one(self):
        typing = lambda is_typing=True: self.told(typing={"conversation": "a", "isTyping": is_typing})
        begun = self.after({"kind": "asked"}, self.standing(row("a")), typing())
        self.assertEqual((begun["state"]["typing"], begun["effects"]), ({"a": 1}, [{"do": "quietLater", "conversation": "a", "notice": 1}]))
        quieted = lambda notice: {"kind": "quieted", "conversation": "a", "notice": notice}
        for events, left in (
            ([typing(), quieted(1)], {}), ([typing(), typing(), quieted(1)], {"a": 2}), ([typing(), typing(False)], {}),
            ([typing(), self.told(message={"conversation": "a", "isMine": False})], {}), ([typing(), self.told(message={"conversation": "a", "isMine": True})], {"a": 1}),
        ):
            self.assertEqual(self.after({"kind": "asked"}, self.standing(row("a")), *events)["state"]["typing"], left)

    def test_another_account_has_other_conversations(self):
        said = self.after({"kind": "asked"}, self.standing(row("a")), self.told(state="signedOut"))
        self.assertEqual((said["state"]["account"], said["effects"]), ("signedOut", [{"do": "ask", "turn": 2}]))
        self.assertEqual(self.after({"kind": "asked"}, self.standing(row("a")), self.told(state="away"))["effects"], [])


class ReadingTests(StateTests):
    module = "features/chat/conversation-state.js"
    OPEN = {"kind": "opened", "around": None}

    def page(self, *places, turn=1, part="newest", is_end=False, **members):
        return {"kind": "answered", "turn": turn, "part": part, "page": {"messages": [each if isinstance(each, dict) else message(each) for each in places], "notices": [], "isEnd": is_end}, **members}

    def told(self, place, **members):
        return {"kind": "told", "message": message(place, **members)}

    def places(self, *events):
        said = self.after(self.OPEN, *events)
        return [each["seq"] for each in said["state"]["messages"]], said["effects"]

    def test_C1_a_page_has_forty_messages_and_the_oldest_is_where_the_next_begins(self):
        self.assertEqual(self.after(self.OPEN)["effects"], [{"do": "ask", "part": "newest", "turn": 1, "before": None, "limit": 40}])
        self.assertEqual(self.places(self.page(7, 8), {"kind": "neared", "edge": "top"})[1], [{"do": "ask", "part": "older", "turn": 2, "before": 7, "limit": 40}])
        self.assertEqual(self.places(self.page(7, 8, is_end=True), {"kind": "neared", "edge": "top"})[1], [])

    def test_B10_one_older_page_at_a_time_and_a_failure_is_no_end(self):
        top = {"kind": "neared", "edge": "top"}
        self.assertEqual(self.places(self.page(7, 8), top, top)[1], [])
        failed = (self.page(7, 8), top, {"kind": "failed", "turn": 2, "part": "older", "error": {"code": "away"}})
        said = self.after(self.OPEN, *failed)
        self.assertEqual((said["state"]["isEnd"], said["state"]["olderTrouble"], said["state"]["phase"]), (False, {"code": "away"}, "shown"))
        self.assertEqual(self.places(*failed, top)[1], [], "it is not asked for ever")
        self.assertEqual(self.places(*failed, {"kind": "retried"})[1], [{"do": "ask", "part": "older", "turn": 3, "before": 7, "limit": 40}])

    def test_R4_sent_told_and_read_again_it_is_one_row(self):
        sent = message(None, True, id="x", seq=None, status="sending")
        events = (self.page(1), {"kind": "told", "message": sent}, {"kind": "told", "message": {**sent, "status": "sent", "seq": 2}}, {"kind": "restarted"})
        state = self.after(self.OPEN, *events, self.page(1, {**sent, "status": "sent", "seq": 2}, turn=2, is_end=True))["state"]
        self.assertEqual([(each["id"], each["status"]) for each in state["messages"]], [("m1", "sent"), ("x", "sent")])

    def test_R6_older_pages_leave_the_newest_end_where_it_is(self):
        top = {"kind": "neared", "edge": "top"}
        self.assertEqual(self.places(self.page(7, 8), top, self.page(5, 6, turn=2, part="older")), ([5, 6, 7, 8], []))
        self.assertEqual(self.places(self.page(7, 8), top, self.told(9), self.page(5, 6, 7, turn=2, part="older", is_end=True))[0], [5, 6, 7, 8, 9])

    def test_B7_messages_stand_by_their_places_and_own_ones_that_wait_at_the_end(self):
        waiting = [{"kind": "told", "message": message(None, True, id=name, seq=None, status="sending")} for name in ("x", "y")]
        self.assertEqual(self.places(self.page(1), *waiting, self.told(3), self.told(2))[0], [1, 2, 3, None, None])
        self.assertEqual([each["id"] for each in self.after(self.OPEN, self.page(1), *waiting)["state"]["messages"]], ["m1", "x", "y"])

    def test_B9_what_comes_before_the_first_answer_is_not_lost(self):
        self.assertEqual(self.places(self.told(9), self.page(7, 8))[0], [7, 8, 9])
        self.assertEqual(self.places(self.told(8), self.page(7, 8))[0], [7, 8])
        self.assertEqual(self.places(self.told(9), {"kind": "removed", "id": "m7"}, self.page(7, 8))[0], [8, 9])
        self.assertEqual(self.places(self.page(7), {"kind": "restarted"}, self.told(9), self.page(7, 8, turn=2))[0], [7, 8, 9])

    def test_two_people_may_choose_one_id(self):
        state = self.after(self.OPEN, self.page(1), self.told(2, id="m1", **{"is_mine": True}))["state"]
        self.assertEqual(len(state["messages"]), 2)

    def test_C4_only_new_messages_of_the_other_person_are_counted_and_only_below_the_reader(self):
        up, down = {"kind": "moved", "isAtEnd": False}, {"kind": "moved", "isAtEnd": True}
        news = lambda *events: self.after(self.OPEN, self.page(1), *events)["state"]["news"]
        self.assertEqual(news(self.told(2)), 0)
        self.assertEqual(news(up, self.told(2), self.told(3)), 2)
        self.assertEqual(news(up, self.told(2), self.told(2, text="again")), 1)
        self.assertEqual(news(up, self.told(2, is_mine=True)), 0)
        self.assertEqual(news(up, self.told(2, kind="recalled")), 0)
        self.assertEqual(news(up, self.told(2), down), 0)
        gone = self.after(self.OPEN, self.page(1), up, self.told(2), {"kind": "wentToEnd"})
        self.assertEqual((gone["state"]["news"], gone["effects"]), (0, [{"do": "toEnd"}]))

    def test_a_screen_reader_is_told_of_what_comes_and_not_of_what_was_there(self):
        self.assertEqual(self.places(self.page(1), self.told(2))[1], [{"do": "say", "message": message(2)}])
        self.assertEqual(self.places(self.told(2))[1], [])
        self.assertEqual(self.places(self.page(1), self.told(1, text="changed"))[1], [])

    def test_L8_it_is_read_only_while_the_newest_row_is_on_a_visible_screen(self):
        row = {"kind": "row", "newest": 2, "read": 1, "mayRead": True}
        seen, hidden = {"kind": "seen", "isSeen": True}, {"kind": "seen", "isSeen": False}
        read = [{"do": "read", "upTo": 2}]
        self.assertEqual(self.places(row, seen, self.page(1, 2))[1], [{"do": "toEnd"}, *read])
        self.assertEqual(self.places(row, self.page(1, 2))[1], [{"do": "toEnd"}], "nobody looks")
        self.assertEqual(self.places(row, hidden, self.page(1, 2), seen)[1], read, "until somebody does")
        self.assertEqual(self.places(row, seen, self.page(1, 2), self.told(2, text="again"))[1], [], "it was read")
        self.assertEqual(self.places({**row, "mayRead": False}, seen, self.page(1, 2))[1], [{"do": "toEnd"}], "a request that was not accepted")
        away = {"kind": "moved", "isAtEnd": False}
        self.assertEqual(self.places(row, seen, self.page(1), away, self.told(2))[1], [{"do": "say", "message": message(2)}])
        self.assertEqual(self.places(row, seen, self.page(1), away, self.told(2), {"kind": "moved", "isAtEnd": True})[1], read)
        self.assertEqual(self.places(row, seen, self.page(1, message(2, True)))[1], [{"do": "toEnd"}], "own messages need no note")

    def test_after_an_absence_what_was_shown_is_asked_for_again(self):
        again = self.places(self.page(*range(1, 61)), {"kind": "restarted"})
        self.assertEqual(again[1], [{"do": "ask", "part": "newest", "turn": 2, "before": None, "limit": 60}])
        self.assertEqual(self.places(self.page(5, 6, 7), {"kind": "restarted"}, self.page(6, 8, turn=2))[0], [5, 6, 8], "one that was deleted meanwhile is gone")
        self.assertEqual(self.places(self.page(5, 6), {"kind": "restarted"}, self.page(90, 91, turn=2))[0], [90, 91], "behind a gap it begins anew")

    def test_what_may_be_missing_is_asked_for_once_the_last_question_is_answered(self):
        events = (self.page(7, 8), {"kind": "neared", "edge": "top"}, {"kind": "restarted"}, {"kind": "restarted"})
        self.assertEqual(self.places(*events)[1], [])
        self.assertEqual(self.places(*events, self.page(5, 6, turn=2, part="older"))[1], [{"do": "ask", "part": "newest", "turn": 3, "before": None, "limit": 40}])

    def test_a_place_that_a_search_found_is_opened_with_what_stands_around_it(self):
        found = {"kind": "opened", "around": 500}
        row = {"kind": "row", "newest": 1000, "read": 1000, "mayRead": True}
        self.assertEqual(self.after(row, found)["effects"], [{"do": "ask", "part": "around", "turn": 1, "before": 520, "limit": 40}])
        around = (row, found, self.page(*range(480, 520), part="around"))
        state = self.after(*around)["state"]
        self.assertEqual((state["isJoined"], state["isAtEnd"], len(state["messages"])), (False, False, 40))
        end = {"kind": "neared", "edge": "end"}
        self.assertEqual(self.after(*around, end)["effects"], [{"do": "ask", "part": "newer", "turn": 2, "before": 560, "limit": 40}])
        newer = (*around, end, self.page(*range(520, 560), part="newer", turn=2))
        self.assertEqual(self.after(*newer)["state"]["messages"][-1]["seq"], 559)
        self.assertEqual(self.after(*around, self.told(1001))["state"]["news"], 1, "what comes at the end is counted")
        self.assertEqual(self.after(*around, self.told(1001))["state"]["messages"][-1]["seq"], 519)
        home = self.after(*around, {"kind": "wentToEnd"})
        self.assertEqual((home["effects"], home["state"]["messages"]), ([{"do": "ask", "part": "newest", "turn": 2, "before": None, "limit": 40}], []))

    def test_places_that_are_no_rows_do_not_stop_the_way_to_newer_ones(self):
        row = {"kind": "row", "newest": 600, "read": 600, "mayRead": True}
        events = [row, {"kind": "opened", "around": 100}, self.page(*range(80, 120), part="around"), {"kind": "neared", "edge": "end"}, self.page(*range(80, 120), part="newer", turn=2), {"kind": "neared", "edge": "end"}]
        self.assertEqual(self.after(*events)["effects"], [{"do": "ask", "part": "newer", "turn": 3, "before": 280, "limit": 160}])

    def shown_notices(self, *events):
        script = "".join(f"[state] = module.change(state, {json.dumps(event)});" for event in (self.OPEN, *events))
        return node(f"import * as module from '{module('conversation-state')}'; let state = module.initial; {script} console.log(JSON.stringify(module.noticesOf(state).map(({{ id }}) => id)));")

    def test_lines_of_the_phone_are_shown_among_the_messages_that_are_there(self):
        page = self.page(5, 6, is_end=False)
        page["page"]["notices"] = [{"id": 2, "after": 5}, {"id": 1, "after": 4}]
        told = {"kind": "noticed", "notice": {"id": 3, "after": 6}}
        self.assertEqual(self.shown_notices(page, told, told), [2, 3])
        self.assertEqual(self.shown_notices(page, told, {"kind": "cleared"}), [])

    def test_cleared_and_removed_messages_are_gone(self):
        self.assertEqual(self.places(self.page(1, 2), {"kind": "removed", "id": "m1"})[0], [2])
        self.assertEqual(self.places(self.page(1, 2), {"kind": "cleared"}), ([], [{"do": "ask", "part": "newest", "turn": 2, "before": None, "limit": 40}]))

    def test_only_what_was_never_shown_is_refused(self):
        failed = {"kind": "failed", "part": "newest", "error": {"code": "away"}}
        self.assertEqual(self.after(self.OPEN, {**failed, "turn": 1})["state"]["phase"], "refused")
        shown = self.after(self.OPEN, self.page(1), {"kind": "restarted"}, {**failed, "turn": 2})["state"]
        self.assertEqual((shown["phase"], shown["trouble"]), ("shown", {"code": "away"}))


class EntryTests(unittest.TestCase):
    def test_a_line_of_the_phone_stands_behind_the_message_of_its_place(self):
        notices = [{"id": 1, "after": 0}, {"id": 2, "after": 1}, {"id": 3, "after": 1}, {"id": 4, "after": 3}]
        messages = [message(1), message(3), message(None, True, status="sending")]
        found = node(f"import {{ Entries }} from '{module('entries')}'; console.log(JSON.stringify(new Entries().of({json.dumps(messages)}, {{ readByPeer: 0, receivedByPeer: 0 }}, {json.dumps(notices)})));")
        self.assertEqual([each["notice"]["id"] if each["kind"] == "notice" else each["message"]["id"] for each in found], [1, "m1", 2, 3, "m3", 4, "mNone"])
        alone = node(f"import {{ Entries }} from '{module('entries')}'; console.log(JSON.stringify(new Entries().of([], {{ readByPeer: 0, receivedByPeer: 0 }}, {json.dumps(notices)})));")
        self.assertEqual([each["key"] for each in alone], ["notice_1", "notice_2", "notice_3", "notice_4"])

    def entries(self, *messages, read=0, received=0):
        return node(f"import {{ Entries }} from '{module('entries')}'; console.log(JSON.stringify(new Entries().of({json.dumps(messages)}, {{ readByPeer: {read}, receivedByPeer: {received} }})));")

    def test_C3_a_time_stands_where_a_message_is_later_than_the_last_time_by_more_than_five_minutes(self):
        times = [1_000_000, 1_299_999, 1_300_000, 1_300_001, 1_600_001, 1_600_002]
        found = self.entries(*(message(at, time=time) for at, time in enumerate(times)))
        self.assertEqual([each["time"] for each in found if each["kind"] == "time"], [1_000_000, 1_300_001, 1_600_002])
        self.assertEqual(len({each["key"] for each in found}), len(found))

    def test_B11_a_page_that_is_added_above_changes_the_times_and_doubles_none(self):
        several = [message(at, time=1_000_000 + at * 100_000) for at in range(9)]
        marks = lambda some: [each["time"] for each in self.entries(*some) if each["kind"] == "time"]
        self.assertEqual(marks(several[5:]), [1_500_000])
        self.assertEqual(marks(several), [1_000_000, 1_400_000, 1_800_000])

    def test_what_became_of_an_own_message(self):
        sent = lambda seq, status="sent": message(seq, True, status=status, id=f"{seq}{status}")
        found = self.entries(sent(1), sent(2), sent(3), sent(None), sent(None, "sending"), sent(None, "failed"), message(9), read=1, received=2)
        self.assertEqual([each["tick"] for each in found if each["kind"] == "message"], ["read", "received", "sent", "sent", "sending", "failed", None])

    def test_a_row_that_did_not_change_is_the_same_object(self):
        self.assertEqual(node(f"""
            import {{ Entries }} from '{module('entries')}';
            const entries = new Entries();
            const all = {json.dumps([message(1, True, time=1000000), message(2, True, time=1000001), message(3, time=1000002)])};
            const before = entries.of(all, {{ readByPeer: 0, receivedByPeer: 0 }});
            const after = entries.of([...all, {json.dumps(message(4, time=1000003))}], {{ readByPeer: 1, receivedByPeer: 1 }});
            console.log(JSON.stringify(after.map((entry, at) => entry === before[at])));
        """), [True, False, True, False, False])

    def test_L5_the_list_says_todays_hour_then_yesterday_then_the_date(self):
        said = node(f"""
            process.env.TZ = 'Asia/Shanghai';
            const {{ markerText, rowTime }} = await import('{module('times')}');
            const at = (text) => new Date(text).getTime();
            const now = at('2026-03-02T00:10');
            console.log(JSON.stringify([...['2026-03-02T00:05', '2026-03-01T23:59', '2026-03-01T00:00', '2026-02-28T23:59', '2025-12-09T08:00'].map((each) => rowTime(at(each), now, 'Y')), markerText(at('2026-03-02T07:05'))]));
        """)
        self.assertEqual(said, ["00:05", "Y", "Y", "2/28", "12/9", "03-02 07:05"])

    def test_a_blurhash_is_a_picture_and_anything_else_is_none(self):
        said = node(f"""
            import {{ blurPixels }} from '{module('blurhash')}';
            const pixels = blurPixels('LEHV6nWB2yk8pyo0adR*.7kCMdnj', 8, 8);
            const flat = blurPixels('00TI:j', 2, 2);
            const bad = [null, '', 'LEHV6n', 'LEHV6nWB2yk8pyo0adR*.7kCMdn', 'LEHV6nWB2yk8pyo0adR*.7kCMdn\\u00e9', '~'.repeat(166), 'x'.repeat(100000)].map((each) => blurPixels(each, 8, 8));
            console.log(JSON.stringify([pixels.length, new Set(pixels).size > 8, [...flat], bad.every((each) => each === null)]));
        """)
        self.assertEqual((said[0], said[1], said[3]), (256, True, True))
        self.assertEqual(said[2][:4], said[2][4:8], "one component is one colour")


class FlashTests(StateTests):
    module = "features/chat/flash-state.js"
    PRESS, RELEASE, LEAVE, CAME = {"kind": "pressed"}, {"kind": "released"}, {"kind": "left"}, {"kind": "arrived", "picture": "blob:1"}
    GONE = [{"do": "hide"}, {"do": "forget", "picture": "blob:1"}]

    def flash(self, *events):
        said = self.after(*events)
        return said["state"]["phase"], said["effects"]

    def test_B12_it_is_opened_seen_closed_and_consumed(self):
        self.assertEqual(self.flash(self.PRESS), ("opening", [{"do": "fetch"}]))
        self.assertEqual(self.flash(self.PRESS, self.CAME), ("showing", [{"do": "show", "picture": "blob:1"}]))
        self.assertEqual(self.flash(self.PRESS, self.CAME, self.RELEASE), ("viewed", self.GONE))

    def test_C6_its_bytes_are_fetched_once(self):
        for events in ((self.PRESS, self.PRESS), (self.PRESS, self.RELEASE, self.PRESS), (self.PRESS, self.CAME, self.RELEASE, self.PRESS), (self.PRESS, self.CAME, self.PRESS)):
            self.assertEqual(self.flash(*events)[1], [])

    def test_it_is_gone_when_the_page_is_left(self):
        self.assertEqual(self.flash(self.PRESS, self.CAME, self.LEAVE), ("viewed", self.GONE))
        self.assertEqual(self.flash(self.PRESS, self.LEAVE, self.CAME), ("ready", []), "nothing was shown yet")
        self.assertEqual(self.flash(self.PRESS, self.LEAVE, self.CAME, self.LEAVE), ("viewed", self.GONE))

    def test_one_that_comes_after_the_person_let_go_is_shown_at_the_next_press(self):
        late = (self.PRESS, self.RELEASE, self.CAME)
        self.assertEqual(self.flash(*late), ("ready", []))
        self.assertEqual(self.flash(*late, self.PRESS), ("showing", [{"do": "show", "picture": "blob:1"}]))

    def test_a_failure_can_be_tried_again_unless_it_is_gone(self):
        for code, phase in (("away", "closed"), ("internal", "closed"), ("not-found", "viewed"), ("expired", "viewed")):
            self.assertEqual(self.flash(self.PRESS, {"kind": "failed", "error": {"code": code}}), (phase, []))


class RecordingTests(StateTests):
    module = "features/chat/recorder-state.js"
    BEGAN = {"kind": "began", "turn": 1}

    def press(self, now=1000):
        return {"kind": "pressed", "now": now}

    def release(self, now):
        return {"kind": "released", "now": now}

    def recording(self, *events):
        said = self.after(*events)
        return said["state"]["phase"], said["effects"]

    def test_C10_it_is_held_and_sent_when_let_go(self):
        self.assertEqual(self.recording(self.press()), ("asking", [{"do": "begin", "turn": 1}]))
        self.assertEqual(self.recording(self.press(), self.BEGAN), ("recording", []))
        self.assertEqual(self.recording(self.press(), self.BEGAN, self.release(4000)), ("idle", [{"do": "end", "isKept": True}]))

    def test_slid_away_it_is_thrown_away(self):
        away, back = {"kind": "moved", "by": 120}, {"kind": "moved", "by": 20}
        self.assertEqual(self.recording(self.press(), self.BEGAN, away, self.release(4000)), ("idle", [{"do": "end", "isKept": False}]))
        self.assertEqual(self.recording(self.press(), self.BEGAN, away, back, self.release(4000)), ("idle", [{"do": "end", "isKept": True}]))

    def test_a_short_press_goes_on_until_another_one(self):
        short = (self.press(), self.BEGAN, self.release(1200))
        self.assertEqual(self.recording(*short), ("recording", []))
        self.assertEqual(self.recording(*short, {"kind": "finished"}), ("idle", [{"do": "end", "isKept": True}]))
        self.assertEqual(self.recording(*short, self.press(3000)), ("idle", [{"do": "end", "isKept": True}]))
        self.assertEqual(self.recording(*short, {"kind": "cancelled"}), ("idle", [{"do": "end", "isKept": False}]))
        self.assertEqual(self.recording(*short, {"kind": "left"}), ("idle", [{"do": "end", "isKept": False}]))

    def test_a_microphone_that_comes_too_late_is_let_go(self):
        self.assertEqual(self.recording(self.press(), self.release(4000), self.BEGAN), ("idle", [{"do": "end", "isKept": False}]))

    def test_a_refusal_is_said(self):
        self.assertEqual(self.recording(self.press(), {"kind": "refused", "turn": 1, "error": {"name": "NotAllowedError"}}), ("idle", [{"do": "say", "error": {"name": "NotAllowedError"}}]))

    def test_a_voice_note_has_sixty_four_heights_at_most(self):
        said = node(f"""
            import {{ waveformOf }} from '{module('recorder-state')}';
            const long = waveformOf(Array.from({{ length: 750 }}, (_, at) => at / 750));
            console.log(JSON.stringify([long.length, Math.max(...long), long[0] < long[63], waveformOf([]), waveformOf([0.5, 0.25]), waveformOf([0, 0])]));
        """)
        self.assertEqual(said, [64, 100, True, [], [100, 50], [0, 0]])


class TypingTests(StateTests):
    module = "features/chat/typing-state.js"

    def typed(self, now, is_empty=False):
        return {"kind": "typed", "isEmpty": is_empty, "now": now}

    def test_it_is_told_at_the_first_letter_and_again_while_it_goes_on(self):
        told = {"do": "tell", "on": True}
        self.assertEqual(self.after(self.typed(10_000))["effects"], [told, {"do": "restLater"}])
        self.assertEqual(self.after(self.typed(10_000), self.typed(11_000))["effects"], [{"do": "restLater"}])
        self.assertEqual(self.after(self.typed(10_000), self.typed(14_000))["effects"], [told, {"do": "restLater"}])

    def test_that_it_ended_is_told_once_and_not_behind_a_message(self):
        ended = [{"do": "tell", "on": False}]
        self.assertEqual(self.after(self.typed(10_000), {"kind": "rested"})["effects"], ended)
        self.assertEqual(self.after(self.typed(10_000), self.typed(11_000, True))["effects"], ended)
        self.assertEqual(self.after(self.typed(10_000), {"kind": "rested"}, {"kind": "rested"})["effects"], [])
        self.assertEqual(self.after(self.typed(10_000), {"kind": "sent"})["effects"], [])


class SearchTests(StateTests):
    module = "features/chat/search-state.js"

    def typed(self, text):
        return {"kind": "typed", "text": text}

    def answered(self, turn, *ids, after=None):
        return {"kind": "answered", "turn": turn, "messages": [{"id": each} for each in ids], "next": after}

    def test_only_other_words_are_looked_for(self):
        self.assertEqual(self.after(self.typed(" a "))["effects"], [{"do": "ask", "turn": 1, "words": "a", "before": None}])
        self.assertEqual(self.after(self.typed("a"), self.typed("a "))["effects"], [])
        self.assertEqual(self.after(self.typed("a"), self.typed(" "))["state"]["phase"], "idle")

    def test_the_last_answer_counts(self):
        state = self.after(self.typed("a"), self.typed("ab"), self.answered(1, "x"))["state"]
        self.assertEqual((state["phase"], state["messages"]), ("asking", []))
        self.assertEqual(len(self.after(self.typed("a"), self.typed("ab"), self.answered(2, "x"))["state"]["messages"]), 1)
        self.assertEqual(self.after(self.typed("a"), self.typed(""), self.answered(1, "x"))["state"]["messages"], [])

    def test_more_comes_when_the_end_is_near(self):
        near = {"kind": "neared"}
        self.assertEqual(self.after(self.typed("a"), self.answered(1, "x", after="2"), near)["effects"], [{"do": "ask", "turn": 1, "words": "a", "before": "2"}])
        self.assertEqual(self.after(self.typed("a"), self.answered(1, "x", after="2"), near, near)["effects"], [])
        both = self.after(self.typed("a"), self.answered(1, "x", after="2"), near, self.answered(1, "y"))["state"]
        self.assertEqual([each["id"] for each in both["messages"]], ["x", "y"])
        self.assertEqual(self.after(self.typed("a"), self.answered(1, "x"), near)["effects"], [])


if __name__ == "__main__":
    unittest.main()
