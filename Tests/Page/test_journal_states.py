"""What the screens of the journal do, without a browser."""

import json
import unittest

from server import PAGE
from test_catalogue import node
from test_screen_states import StateTests
from test_threads_parts import node as node_in_utc

JOURNAL = PAGE / "features" / "journal"
EVERYTHING = {"words": "", "category": None, "until": None, "isDeleted": False}
FAILURE = {"code": "internal"}


def entry(name, time=0, **members):
    """A story of a list."""
    return {"id": name, "title": name, "excerpt": "", "timestamp": time, "updatedAt": 1, "mood": None, "location": None, "categories": [], "media": 0, "isDeleted": False, **members}


def queried(**query):
    return {"kind": "queried", "query": {**EVERYTHING, **query}}


def answered(*names, turn=1, next=None, more=False):
    return {"kind": "answered", "turn": turn, "isMore": more, "stories": [entry(name) for name in names], "next": next}


class ListTests(StateTests):
    module = "features/journal/list-state.js"

    def names(self, *events):
        return [each["id"] for each in self.after(*events)["state"]["stories"]]

    def test_a_query_is_asked_once_and_another_one_anew(self):
        first = self.after(queried())
        self.assertEqual(first["effects"], [{"do": "ask", "turn": 1, "query": EVERYTHING, "before": None, "count": 50}])
        self.assertEqual(self.after(queried(), queried())["effects"], [])
        self.assertEqual(self.after(queried(), queried(words="lake"))["effects"][0]["turn"], 2)

    def test_what_was_found_stays_until_the_next_query_is_answered(self):
        searched = (queried(), answered("a", "b"), queried(words="lake"))
        self.assertEqual((self.names(*searched), self.after(*searched)["state"]["phase"]), (["a", "b"], "asking"))
        self.assertEqual(self.names(*searched, answered("b", turn=2)), ["b"])

    def test_only_the_last_question_is_answered(self):
        self.assertEqual(self.names(queried(words="l"), queried(words="la"), answered("a")), [])

    def test_older_stories_are_asked_for_once_at_a_time_and_come_behind(self):
        known = (queried(), answered("a", "b", next="5-2"))
        near = self.after(*known, {"kind": "neared"})
        self.assertEqual((near["effects"][0]["before"], near["effects"][0]["count"]), ("5-2", 50))
        self.assertEqual(self.after(*known, {"kind": "neared"}, {"kind": "neared"})["effects"], [])
        more = (*known, {"kind": "neared"}, answered("b", "c", more=True))
        self.assertEqual(self.names(*more), ["a", "b", "c"])
        self.assertEqual(self.after(*more, {"kind": "neared"})["effects"], [], "that was the end")

    def test_what_changed_is_asked_for_as_far_as_it_is_shown(self):
        many = [str(at) for at in range(120)]
        told = self.after(queried(), answered(*many), {"kind": "told"})
        self.assertEqual((told["effects"][0]["count"], told["effects"][0]["before"], told["state"]["phase"], len(told["state"]["stories"])), (120, None, "shown", 120))

    def test_a_change_while_it_is_asked_is_not_lost_and_many_are_one(self):
        told = {"kind": "told"}
        self.assertEqual(self.after(queried(), told, told)["effects"], [])
        self.assertEqual([each["turn"] for each in self.after(queried(), told, told, answered("a"))["effects"]], [2])
        self.assertEqual(self.after(queried(), told, answered("a"), answered("a", "b", turn=2))["effects"], [])

    def test_a_failure_takes_nothing_away_and_is_tried_again(self):
        failed = {"kind": "failed", "turn": 1, "error": FAILURE}
        self.assertEqual(self.after(queried(), failed)["state"]["phase"], "failed")
        self.assertEqual(self.after(queried(), failed, {"kind": "retried"})["state"]["phase"], "asking")
        kept = self.after(queried(), answered("a", next="1-1"), {"kind": "neared"}, failed)["state"]
        self.assertEqual((kept["phase"], len(kept["stories"]), kept["trouble"]), ("shown", 1, FAILURE))
        self.assertEqual(self.after(queried(), answered("a", next="1-1"), {"kind": "neared"}, failed, {"kind": "neared"})["effects"], [], "not again and again")


class TimelineTests(unittest.TestCase):
    def said(self, script):
        return node_in_utc(f"import {{ Timeline, endOf, marksOf, monthOf }} from '{(JOURNAL / 'timeline.js').as_uri()}'; console.log(JSON.stringify({script}));")

    def items(self, *stories):
        return self.said(f"new Timeline().of({json.dumps(stories)}).map(({{ kind, key }}) => [kind, key])")

    def test_each_month_has_its_heading_once(self):
        november, october = 1_794_000_000_000, 1_792_000_000_000
        found = self.items(entry("a", november), entry("b", november - 1000), entry("c", october), entry("d", november))
        self.assertEqual(found, [["month", "2026-11"], ["story", "story a"], ["story", "story b"], ["month", "2026-10"], ["story", "story c"], ["story", "story d"]])
        self.assertEqual(self.items(), [])

    def test_a_time_that_no_calendar_has_breaks_nothing(self):
        self.assertEqual(len(self.items(entry("a", 1e300), entry("b", -1e300))), 4)

    def test_what_did_not_change_is_the_same_item(self):
        script = "(() => { const all = new Timeline(); const [one, other] = [%s, %s]; const first = all.of(one); const second = all.of(other); return second.map((item) => first.includes(item)); })()"
        before, after = [entry("a"), entry("b")], [entry("a"), entry("b", title="new"), entry("c")]
        self.assertEqual(self.said(script % (json.dumps(before), json.dumps(after))), [True, True, False, False])

    def test_the_last_day_is_whole(self):
        self.assertEqual(self.said("[endOf('2026-11-30'), endOf('2026-12-31'), endOf(''), endOf(null), endOf('30.11.2026')]"), [1_796_083_200_000, 1_798_761_600_000, None, None, None])

    def test_words_are_marked_whatever_their_case_and_never_across_one_another(self):
        self.assertEqual(self.said("marksOf('The lake, the LAKES', 'lake the')"), [[0, 3], [4, 8], [10, 13], [14, 18]])
        self.assertEqual(self.said("marksOf('lakeside', 'lake lakes')"), [[0, 5]])
        self.assertEqual(self.said("marksOf('外婆的生日', '生日')"), [[3, 5]])
        self.assertEqual(self.said("[marksOf('lake', ''), marksOf('', 'lake'), marksOf('İlake', 'lake')]"), [[], [], []])


def fields(**members):
    return {"title": "", "content": "", "timestamp": 5, "mood": "", "location": "", "categories": [], **members}


def story(version=1, **members):
    return {"id": "s", "title": "A walk", "content": "Hills", "isCut": False, "timestamp": 5, "createdAt": 1, "updatedAt": version, "mood": None, "location": None, "latitude": None, "longitude": None, "categories": [], "media": [], "isDeleted": False, **members}


class EditorTests(StateTests):
    module = "features/journal/editor-state.js"
    NEW = {"kind": "begun", "now": 5, "draft": None}
    READ = {"kind": "loaded", "story": story(), "draft": None}
    SAVED = {"kind": "asked", "leaves": True}

    def typed(self, **members):
        return {"kind": "typed", "fields": members}

    def test_a_new_story_is_added_with_what_was_written_of_it(self):
        done = self.after(self.NEW, self.typed(title="Sunday"), self.typed(content="Hills", categories=["c"]), self.SAVED)
        self.assertEqual(done["effects"], [{"do": "add", "draft": {"title": "Sunday", "content": "Hills", "categories": ["c"], "timestamp": 5}, "leaves": True}])

    def test_a_blank_story_is_not_kept(self):
        for events in ((self.NEW,), (self.NEW, self.typed(title="  ", content="\n")), (self.READ, self.typed(title="", content=""))):
            self.assertEqual(self.after(*events, self.SAVED)["effects"], [])

    def test_only_what_was_changed_is_sent_and_an_empty_text_takes_away(self):
        read = {"kind": "loaded", "story": story(mood="glad", categories=[{"id": "c", "path": "C"}, {"id": "d", "path": "D"}]), "draft": None}
        self.assertEqual(self.after(read, self.typed(mood="", categories=["d", "c"]), self.SAVED)["effects"][0]["change"], {"mood": ""})
        self.assertEqual(self.after(read, self.typed(categories=["c"], timestamp=6), self.SAVED)["effects"][0]["change"], {"timestamp": 6, "categories": ["c"]})
        self.assertEqual([each["do"] for each in self.after(read, self.SAVED)["effects"]], ["forget", "leave"], "nothing to ask for")

    def test_it_is_kept_once_at_a_time(self):
        self.assertEqual(self.after(self.READ, self.typed(title="B"), self.SAVED, self.SAVED)["effects"], [])

    def test_what_was_typed_while_it_was_kept_is_still_to_be_kept(self):
        kept = {"kind": "kept", "story": story(2, title="B"), "leaves": False}
        state = self.after(self.READ, self.typed(title="B"), self.SAVED, self.typed(title="Bc"), kept)["state"]
        self.assertEqual((state["base"]["title"], state["fields"]["title"], state["version"]), ("B", "Bc", 2))
        same = self.after(self.READ, self.typed(title="B "), self.SAVED, kept)
        self.assertEqual((same["state"]["fields"]["title"], [each["do"] for each in same["effects"]]), ("B", ["fill", "forget", "stay"]), "as the program made it")

    def test_a_failure_keeps_what_was_written(self):
        state = self.after(self.READ, self.typed(title="B"), self.SAVED, {"kind": "failed", "error": FAILURE})["state"]
        self.assertEqual((state["phase"], state["fields"]["title"], state["trouble"]), ("writing", "B", FAILURE))

    def test_what_changed_elsewhere_is_taken_where_nothing_was_typed(self):
        told = self.after(self.READ, {"kind": "told", "story": story(2, title="Theirs")})
        self.assertEqual((told["state"]["fields"]["title"], told["state"]["elsewhere"], told["effects"]), ("Theirs", None, [{"do": "fill"}]))

    def test_what_changed_elsewhere_never_replaces_what_was_typed(self):
        begun = (self.READ, self.typed(content="Mine"), {"kind": "told", "story": story(2, title="Theirs")})
        state = self.after(*begun)["state"]
        self.assertEqual((state["fields"]["content"], state["fields"]["title"], state["elsewhere"]["title"]), ("Mine", "A walk", "Theirs"))
        self.assertEqual(self.after(*begun, {"kind": "tookTheirs"})["state"]["fields"], fields(title="Theirs", content="Hills"))
        own = self.after(*begun, {"kind": "keptOwn"}, self.SAVED)["effects"][0]["change"]
        self.assertEqual(own, {"title": "A walk", "content": "Mine"})

    def test_a_medium_that_was_added_elsewhere_is_no_other_version(self):
        state = self.after(self.READ, self.typed(content="Mine"), {"kind": "told", "story": story(2, media=[{"id": "m"}])})["state"]
        self.assertEqual((state["elsewhere"], state["media"], state["version"]), (None, [{"id": "m"}], 2))

    def test_a_draft_is_back_unless_the_story_is_another_one_by_now(self):
        draft = {"version": 1, "fields": fields(title="Draft")}
        read = lambda version, **members: self.after({"kind": "loaded", "story": story(version, **members), "draft": draft})["state"]
        self.assertEqual((read(1)["fields"]["title"], read(1)["wasKept"]), ("Draft", True))
        self.assertEqual((read(2)["fields"]["title"], read(2)["wasKept"]), ("A walk", False))
        self.assertEqual(read(1, isCut=True)["fields"]["title"], "A walk", "its text is not whole here")
        new = self.after({**self.NEW, "draft": {**draft, "version": 0}})["state"]
        self.assertEqual((new["fields"]["title"], new["wasKept"]), ("Draft", True))
        discarded = self.after({"kind": "loaded", "story": story(1), "draft": draft}, {"kind": "discarded"})
        self.assertEqual((discarded["state"]["fields"]["title"], [each["do"] for each in discarded["effects"]]), ("A walk", ["forget", "fill"]))

    def test_the_text_of_a_story_that_is_cut_is_never_sent(self):
        read = {"kind": "loaded", "story": story(isCut=True), "draft": None}
        self.assertEqual(self.after(read, self.typed(title=""), self.SAVED)["effects"][0]["change"], {"title": ""})


class MediumMarkTests(unittest.TestCase):
    def placed(self, content, at, **members):
        medium = {"id": "m1", "type": "image", "fileName": "a.jpg", **members}
        return node(f"import {{ withMedium }} from '{(JOURNAL / 'editor-state.js').as_uri()}'; console.log(JSON.stringify(withMedium({json.dumps(content)}, {at}, {json.dumps(medium)})));")

    def test_it_stands_in_a_line_of_its_own(self):
        self.assertEqual(self.placed("", 0), {"content": "![](media://m1)\n", "at": 16})
        self.assertEqual(self.placed("before after", 7)["content"], "before \n\n![](media://m1)\n\nafter")
        self.assertEqual(self.placed("one\n\ntwo", 5)["content"], "one\n\n![](media://m1)\n\ntwo")
        self.assertEqual(self.placed("one\n", 4)["content"], "one\n\n![](media://m1)\n")
        self.assertEqual(self.placed("one\n\ntwo", 3)["content"], "one\n\n![](media://m1)\n\ntwo")

    def test_a_file_is_named_and_its_name_ends_no_bracket(self):
        self.assertEqual(self.placed("", 0, type="file", fileName="a](b)\n.gpx")["content"], "[a (b) .gpx](media://m1)\n")
        self.assertEqual(self.placed("", 0, type="file", fileName="[]")["content"], "[m1](media://m1)\n")


class DraftTests(unittest.TestCase):
    def said(self, script):
        return node_in_utc(f"import {{ draftOf, localOf, textOf, timeOf }} from '{(JOURNAL / 'draft.js').as_uri()}'; console.log(JSON.stringify({script}));")

    def test_what_is_no_whole_draft_is_none(self):
        whole = {"version": 1, "fields": fields(title="A", content="雨")}
        self.assertEqual(self.said(f"draftOf(textOf({json.dumps(whole)}))"), whole)
        for broken in ("", "{", "null", "7", '{"version":1}', '{"version":"1","fields":{}}', json.dumps({"version": 1, "fields": fields(categories=[7])}), json.dumps(whole)[:-4]):
            self.assertIsNone(self.said(f"draftOf({json.dumps(broken)})"), broken)

    def test_one_that_would_be_cut_is_not_kept(self):
        self.assertEqual(self.said(f"textOf({{ version: 1, fields: {json.dumps(fields())}, more: 'x'.repeat(70_000) }})"), "")

    def test_a_moment_comes_back_from_its_field(self):
        self.assertEqual(self.said("[localOf(1_795_860_000_000), timeOf('2026-11-28T10:00'), timeOf(''), timeOf('yesterday'), localOf(-62_135_596_800_000)]"), ["2026-11-28T10:00", 1_795_860_000_000, None, None, "0001-01-01T00:00"])


if __name__ == "__main__":
    unittest.main()
