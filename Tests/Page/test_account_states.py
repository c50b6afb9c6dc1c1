"""Accounts and people: the states of their screens and what they read, without a browser."""

import json
import unittest

from server import PAGE
from test_catalogue import node
from test_screen_states import StateTests

LINK = "tandem-account://join?hub=wss%3A%2F%2Fhub.example%3A9001&c=482913730655"
HUB = "wss://hub.example:9001"
CODE = "482913730655"


def asked(module, name, values):
    """What a function of a module answers for each value."""
    return node(f"import {{ {name} }} from '{(PAGE / module).as_uri()}'; console.log(JSON.stringify({json.dumps(values)}.map((value) => {name}(value))));")


class InvitationTests(unittest.TestCase):
    def read(self, *texts):
        return asked("features/account/invitation.js", "invitationIn", texts)

    def test_a_link_is_found_alone_and_among_other_words(self):
        wanted = {"hub": HUB, "code": CODE}
        self.assertEqual(self.read(LINK, f"  Come to us: {LINK}\nsee you", f"<{LINK}>"), [wanted] * 3)

    def test_a_bare_code_is_taken_in_groups_and_in_full_width(self):
        self.assertEqual(self.read("482 913 730 655", "482-913-730-655", "４８２９１３７３０６５５"), [{"code": CODE}] * 3)

    def test_what_is_no_invitation_is_said_and_a_persons_link_is_told_apart(self):
        wrong = ["", "hello", "482 913", "https://hub.example", "tandem-account://join?c=482913730655", "tandem-account://join?hub=https%3A%2F%2Fa&c=482913730655",
                 "tandem-account://join?hub=wss%3A%2F%2Fme%40a&c=482913730655", "tandem-account://join?hub=wss%3A%2F%2Fa&c=48291373065", f"tandem-account://join?hub=wss%3A%2F%2F{'a' * 300}&c=482913730655"]
        self.assertEqual(self.read(*wrong), [{"trouble": "notInvitation"}] * len(wrong))
        self.assertEqual(self.read("tandem-account://chat?hub=wss%3A%2F%2Fa&u=tb_7"), [{"trouble": "personLink"}])

    def test_the_link_that_the_hubs_page_makes_is_the_one_that_a_phones_page_reads(self):
        made = node(
            f"import {{ invitationLink }} from '{(PAGE / 'features/people/invite-link.js').as_uri()}'; console.log(JSON.stringify(invitationLink('{HUB}', '{CODE}')));"
        )
        self.assertEqual(made, LINK)
        self.assertEqual(self.read(made), [{"hub": HUB, "code": CODE}])

    def test_a_link_to_the_hubs_page_for_phones_is_an_invitation_to_that_hub(self):
        made = node(
            f"import {{ pageLink }} from '{(PAGE / 'features/people/invite-link.js').as_uri()}'; console.log(JSON.stringify(pageLink('https://hub.example:9001/phone/', '{CODE}')));"
        )
        self.assertEqual(made, f"https://hub.example:9001/phone/#join={CODE}")
        self.assertEqual(self.read(made, f"Come: http://127.0.0.1:9001/phone/#join={CODE} !"), [{"hub": "wss://hub.example:9001", "code": CODE}, {"hub": "ws://127.0.0.1:9001", "code": CODE}])
        wrong = [f"https://hub.example/#join={CODE}", "https://hub.example/phone/#join=48", f"https://me@hub.example/phone/#join={CODE}", f"https://hub.example/phone/?a#join={CODE}"]
        self.assertEqual(self.read(*wrong), [{"trouble": "notInvitation"}] * len(wrong))

    def test_a_hub_is_named_as_people_say_it(self):
        names = {"https://hub.example:443": "hub.example", "wss://hub.example:9001/": "hub.example:9001", "http://192.168.1.20:9001": "http://192.168.1.20:9001", "ws://10.0.0.2": "http://10.0.0.2"}
        self.assertEqual(asked("features/account/invitation.js", "hubName", list(names)), list(names.values()))

    def test_numbers_of_an_invitation_stay_within_what_a_hub_takes(self):
        found = node(
            f"import {{ LIMITS, numberIn }} from '{(PAGE / 'features/people/invite-link.js').as_uri()}';"
            "console.log(JSON.stringify(['1', ' 25 ', '２５', '10000', '10001', '0', '-1', '1.5', '1e3', ''].map((text) => numberIn(text, LIMITS.uses))));"
        )
        self.assertEqual(found, [1, 25, 25, 10000, None, None, None, None, None, None])


class StrengthTests(unittest.TestCase):
    def levels(self, *texts):
        return [answer["level"] for answer in asked("features/account/strength.js", "strengthOf", texts)]

    def test_bytes_are_counted_as_the_hub_counts_them(self):
        counted = asked("features/account/strength.js", "strengthOf", ["", "abc", "密码很长", "ﬁ", "é", "e\u0301"])
        self.assertEqual([each["bytes"] for each in counted], [0, 3, 12, 2, 2, 2])
        self.assertEqual(self.levels("", "short pw", "x" * 1025), ["none", "short", "long"])

    def test_what_is_guessed_first_is_weak_however_long(self):
        self.assertEqual(set(self.levels("password1234", "aaaaaaaaaaaaaaaa", "abcdefghijklmnop", "1234567890123", "passwordpasswordpassword", "qwertyqwerty")), {"weak"})

    def test_several_words_are_good(self):
        self.assertEqual(set(self.levels("staple battery horse", "vK9#mq2!Lr7x", "蓝色的鲸鱼在喝茶")), {"good"})
        self.assertEqual(self.levels("kettlemorning"), ["fair"])


class EntryTests(StateTests):
    module = "features/account/entry-state.js"

    def form(self, *events, way="new"):
        return self.after(*events, start=f"initialOf({json.dumps(way)})")

    @staticmethod
    def typed(**values):
        return [{"kind": "typed", "field": field, "value": value} for field, value in values.items()]

    def problems(self, *events, way="new"):
        return {field: problem["key"] for field, problem in self.form(*events, {"kind": "submitted"}, way=way)["state"]["problems"].items()}

    def test_a_link_fills_the_hub_and_the_code_and_leads_to_the_name(self):
        for event in ({"kind": "given", "text": LINK}, {"kind": "typed", "field": "link", "value": LINK}):
            said = self.form(event)
            self.assertEqual((said["state"]["values"]["hub"], said["state"]["values"]["code"], said["state"]["values"]["link"]), (HUB, CODE, ""))
            self.assertTrue(said["state"]["isInvited"])
            self.assertEqual(said["effects"], [{"do": "fill"}, {"do": "focus", "field": "name"}])

    def test_another_invitation_begins_anew(self):
        said = self.form({"kind": "given", "text": LINK}, {"kind": "another"})
        self.assertEqual((said["state"]["isInvited"], said["state"]["values"]["hub"], said["state"]["values"]["code"]), (False, "", ""))

    def test_a_code_alone_asks_for_the_hub(self):
        said = self.form({"kind": "given", "text": "482 913 730 655"})
        self.assertEqual((said["state"]["isInvited"], said["effects"][-1]), (False, {"do": "focus", "field": "hub"}))

    def test_what_is_no_invitation_stays_to_be_mended(self):
        state = self.form(*self.typed(link="https://example.net"))["state"]
        self.assertEqual((state["values"]["link"], state["problems"]["link"]), ("https://example.net", {"key": "account.problem.notInvitation"}))
        self.assertEqual(self.form(*self.typed(link="https://example.net"), *self.typed(link=""))["state"]["problems"], {})

    def test_nobody_is_told_of_a_mistake_while_a_link_is_typed(self):
        for text in ("t", "tandem-acc", "tandem-account://join?hub=wss%3A", "482 9"):
            self.assertEqual(self.form(*self.typed(link=text))["state"]["problems"], {}, text)
            self.assertEqual(self.problems(*self.typed(link=text, hub="a", name="ada")), {"link": "account.problem.notInvitation"}, text)
        self.assertEqual(self.form(*self.typed(link="482 913 730 655"))["state"]["values"]["code"], CODE)

    def test_another_hub_or_code_is_no_invitation_any_more(self):
        self.assertFalse(self.form({"kind": "given", "text": LINK}, *self.typed(code="1"))["state"]["isInvited"])
        self.assertTrue(self.form({"kind": "given", "text": LINK}, *self.typed(name="ada"))["state"]["isInvited"])

    def test_an_account_is_made_with_the_key_unless_a_password_is_chosen(self):
        given = [{"kind": "given", "text": LINK}, *self.typed(name=" Ada ", nickname=" Ada L. ", password="left over")]
        sent = self.form(*given, {"kind": "submitted"})
        params = {"hub": HUB, "name": "ada", "nickname": "Ada L.", "invitation": CODE}
        self.assertEqual(sent["effects"], [{"do": "send", "way": "new", "params": params}])
        self.assertTrue(sent["state"]["isSending"])
        sent = self.form(*given, {"kind": "opens", "opens": "password"}, *self.typed(password="staple battery horse"), {"kind": "submitted"})
        self.assertEqual(sent["effects"][0]["params"], {**params, "password": "staple battery horse"})

    def test_a_hub_that_takes_anybody_needs_no_code(self):
        self.assertEqual(self.form(*self.typed(hub="hub.example", name="ada"), {"kind": "submitted"})["effects"][0]["params"], {"hub": "hub.example", "name": "ada"})

    def test_what_is_missing_or_wrong_is_said_at_its_field_and_the_first_takes_the_focus(self):
        said = self.form({"kind": "submitted"})
        self.assertEqual(said["effects"], [{"do": "focus", "field": "hub"}])
        self.assertEqual(self.problems(), {"hub": "account.problem.hubMissing", "name": "account.problem.nameMissing"})
        self.assertEqual(self.problems(*self.typed(hub="a", name="ada", code="4829")), {"code": "account.problem.codeShort"})
        for name in ("7", "tb_9", "-ada", "ada lovelace", "阿达", "a" * 65):
            self.assertEqual(self.problems(*self.typed(hub="a", name=name)), {"name": "account.problem.nameWrong"}, name)
        self.assertEqual(self.problems(*self.typed(hub="a", name="ada", nickname="n" * 65)), {"nickname": "account.problem.nicknameLong"})
        by_password = [{"kind": "opens", "opens": "password"}, *self.typed(hub="a", name="ada")]
        self.assertEqual(self.problems(*by_password), {"password": "account.problem.passwordMissing"})
        self.assertEqual(self.problems(*by_password, *self.typed(password="short")), {"password": "account.problem.passwordShort"})
        self.assertEqual(self.problems(*by_password, *self.typed(password="x" * 1025)), {"password": "account.problem.passwordLong"})

    def test_signing_in_asks_for_no_more_than_it_needs(self):
        key = self.form(*self.typed(hub="hub.example"), {"kind": "submitted"}, way="login")
        self.assertEqual(key["effects"], [{"do": "send", "way": "login", "params": {"hub": "hub.example"}}])
        chosen = [{"kind": "opens", "opens": "password"}, *self.typed(hub="hub.example", name="Ada", password="old one")]
        self.assertEqual(self.form(*chosen, {"kind": "submitted"}, way="login")["effects"][0]["params"], {"hub": "hub.example", "name": "ada", "password": "old one"})

    def test_a_refusal_stands_at_the_field_it_is_about(self):
        sent = [{"kind": "given", "text": LINK}, *self.typed(name="ada"), {"kind": "submitted"}]

        def failed(reason, **values):
            return self.form(*sent, {"kind": "failed", "error": {"code": "refused", "detail": {"reason": reason, "values": values}}})

        said = failed("account.nameTaken")
        self.assertEqual((said["state"]["problems"], said["state"]["isSending"]), ({"name": {"key": "reason.account.nameTaken", "values": {}}}, False))
        self.assertEqual(said["effects"], [{"do": "focus", "field": "name"}])
        self.assertEqual(list(failed("account.invitationRefused")["state"]["problems"]), ["code"])
        self.assertEqual(list(failed("account.unsafeAddress", hub="a")["state"]["problems"]), ["hub"])
        # What is about no field that is shown stands above the button.
        for reason in ("account.closed", "account.wrongPassword", "somethingNew", None):
            said = failed(reason)
            self.assertEqual((said["state"]["problems"], said["state"]["trouble"]["code"]), ({}, "refused"), reason)

    def test_it_is_sent_once_however_often_it_is_pressed(self):
        sent = [{"kind": "given", "text": LINK}, *self.typed(name="ada"), {"kind": "submitted"}]
        self.assertEqual(self.form(*sent, {"kind": "submitted"})["effects"], [])

    def test_nothing_secret_stays_once_it_was_sent(self):
        sent = [{"kind": "given", "text": LINK}, {"kind": "opens", "opens": "password"}, *self.typed(name="ada", password="staple battery horse"), {"kind": "submitted"}]
        values = self.form(*sent, {"kind": "sent"})["state"]["values"]
        self.assertEqual(values, {"link": "", "hub": HUB, "code": "", "name": "", "nickname": "", "password": ""})


class AccountTests(StateTests):
    module = "features/account/account-state.js"
    ADA = {"hub": "https://hub.example:443", "userID": "tb_7", "name": "ada", "nickname": "Ada", "device": "1f0c"}
    IN = ({"kind": "asked"}, {"kind": "answered", "turn": 1, "account": ADA})

    def test_who_is_signed_in_is_asked_about_at_the_hub(self):
        said = self.after(*self.IN)
        self.assertEqual((said["state"]["phase"], said["effects"]), ("in", [{"do": "askDevices", "of": "1f0c"}, {"do": "askProfile", "of": "1f0c"}]))
        self.assertEqual(self.after({"kind": "asked"}, {"kind": "answered", "turn": 1, "account": None})["state"]["phase"], "out")

    def test_the_last_answer_counts(self):
        late = self.after({"kind": "asked"}, {"kind": "asked"}, {"kind": "answered", "turn": 1, "account": self.ADA})
        self.assertEqual((late["state"]["phase"], late["effects"]), ("asking", []))

    def test_asking_again_forgets_nothing_of_the_same_account_and_all_of_another(self):
        known = (*self.IN, {"kind": "devices", "of": "1f0c", "devices": [{"device": "1f0c"}]}, {"kind": "asked"})
        self.assertEqual(self.after(*known, {"kind": "answered", "turn": 2, "account": self.ADA})["state"]["devices"], [{"device": "1f0c"}])
        self.assertIsNone(self.after(*known, {"kind": "answered", "turn": 2, "account": {**self.ADA, "device": "77"}})["state"]["devices"])

    def test_what_is_shown_stays_where_asking_again_fails(self):
        failed = {"kind": "failed", "turn": 2, "error": {"code": "gone"}}
        self.assertEqual(self.after(*self.IN, {"kind": "asked"}, failed)["state"]["phase"], "in")
        self.assertEqual(self.after({"kind": "asked"}, {**failed, "turn": 1})["state"]["phase"], "failed")

    def test_answers_about_another_account_are_thrown_away(self):
        self.assertIsNone(self.after(*self.IN, {"kind": "devices", "of": "77", "devices": []})["state"]["devices"])

    def test_a_device_that_was_ended_is_gone_from_the_list(self):
        listed = {"kind": "devices", "of": "1f0c", "devices": [{"device": "1f0c"}, {"device": "2ab1"}]}
        self.assertEqual(self.after(*self.IN, listed, {"kind": "ended", "of": "1f0c", "device": "2ab1"})["state"]["devices"], [{"device": "1f0c"}])

    def test_a_session_that_was_ended_elsewhere_is_said_whichever_word_comes_first(self):
        over = {"kind": "devicesFailed", "of": "1f0c", "error": {"code": "expired", "detail": {"reason": "signedOut", "values": {"hub": "https://hub.example:443"}}}}
        wanted = ("out", {"way": "ended", "hub": "https://hub.example:443"})
        told = ({"kind": "asked"}, {"kind": "answered", "turn": 2, "account": None})
        for events in ((over,), (*told, over), (over, *told)):
            state = self.after(*self.IN, *events)["state"]
            self.assertEqual((state["phase"], state["farewell"]), wanted)
        self.assertEqual(self.after(*self.IN, {**over, "of": "77"})["state"]["phase"], "in", "that was another account's")

    def test_a_way_out_is_remembered_until_somebody_comes_in(self):
        left = (*self.IN, {"kind": "left", "way": "untold", "hub": "https://hub.example:443"}, {"kind": "asked"}, {"kind": "answered", "turn": 2, "account": None})
        self.assertEqual(self.after(*left)["state"]["farewell"]["way"], "untold")
        self.assertIsNone(self.after(*left, {"kind": "asked"}, {"kind": "answered", "turn": 3, "account": self.ADA})["state"]["farewell"])

    def test_this_phone_comes_first_then_who_was_seen_last(self):
        devices = [{"device": "a", "createdAt": 5, "current": False}, {"device": "b", "createdAt": 1, "lastSeenAt": 9, "current": False}, {"device": "c", "createdAt": 1, "current": True}]
        self.assertEqual([each["device"] for each in asked(self.module, "sorted", [devices])[0]], ["c", "b", "a"])


class UserListTests(StateTests):
    module = "features/people/users-state.js"

    @staticmethod
    def page(turn, *uids, total=3, **more):
        return {"kind": "page", "turn": turn, "answer": {"users": [{"uid": uid, "userID": f"tb_{uid}", "name": f"person{uid}", "nickname": f"Nick {uid}"} for uid in uids], "total": total, **more}}

    def uids(self, *events):
        return [user["uid"] for user in self.after(*events)["state"]["all"]]

    def test_people_come_page_by_page(self):
        said = self.after({"kind": "asked"}, self.page(1, 1, 2, next=2))
        self.assertEqual(said["effects"], [{"do": "ask", "turn": 1, "after": 2}])
        self.assertEqual(len(said["state"]["all"]), 2, "the first ones are shown at once")
        self.assertEqual(self.uids({"kind": "asked"}, self.page(1, 1, 2, next=2), self.page(1, 3)), [1, 2, 3])

    def test_a_list_that_is_asked_for_again_stays_until_the_new_one_is_whole(self):
        whole = ({"kind": "asked"}, self.page(1, 1, 2, next=2), self.page(1, 3), {"kind": "asked"})
        self.assertEqual(self.uids(*whole, self.page(2, 2, 3, next=3, total=2)), [1, 2, 3])
        self.assertEqual(self.uids(*whole, self.page(2, 2, next=2, total=2), self.page(2, 3, total=2)), [2, 3])
        self.assertEqual(self.uids(*whole, self.page(1, 9)), [1, 2, 3], "that answer came too late")

    def test_all_words_are_looked_for_in_names_and_ids(self):
        users = [{"name": "ada", "nickname": "Ada Lovelace", "userID": "tb_1"}, {"name": "xiaoyu", "nickname": "林小雨", "userID": "tb_12"}]
        for words, wanted in (("", 2), ("ada", 1), ("love ada", 1), ("小雨", 1), ("tb_1", 2), ("tb_12", 1), ("ada 小雨", 0)):
            self.assertEqual(len(asked(self.module, "fitting", [{"all": users, "wanted": words}])[0]), wanted, words)


class ReportTests(StateTests):
    module = "features/people/reports-state.js"

    @staticmethod
    def page(turn, *ids, before=None, closed=()):
        reports = [{"id": each, "reported": f"tb_{each}", **({"closedAt": 1} if each in closed else {})} for each in ids]
        return {"kind": "page", "turn": turn, "reports": reports, **({"before": before} if before else {})}

    def ids(self, *events):
        return [report["id"] for report in self.after(*events)["state"]["reports"]]

    def test_open_ones_are_asked_for_and_then_those_that_were_looked_at(self):
        self.assertEqual(self.after({"kind": "asked"})["effects"], [{"do": "ask", "turn": 1, "params": {}}])
        closed = self.after({"kind": "asked"}, self.page(1, 2), {"kind": "parted", "part": "closed"})
        self.assertEqual((closed["effects"], closed["state"]["reports"]), ([{"do": "ask", "turn": 2, "params": {"all": True}}], None))
        # A hub may answer all of them then.
        self.assertEqual(self.ids({"kind": "asked"}, {"kind": "parted", "part": "closed"}, self.page(2, 5, 4, 3, closed=(4,))), [4])

    def test_those_that_came_are_shown_by_steps_and_older_ones_asked_for_at_their_end(self):
        full = ({"kind": "asked"}, self.page(1, *range(200, 100, -1)))
        more = [{"kind": "more"}] * 4
        self.assertEqual([self.after(*full, *more[:count])["state"]["shown"] for count in (0, 1, 3)], [20, 40, 80])
        self.assertEqual(self.after(*full, *more[:3])["effects"], [], "they are there")
        self.assertEqual(self.after(*full, *more)["effects"], [{"do": "ask", "turn": 2, "params": {"before": 101}}])
        self.assertEqual(self.after(*full, *more, {"kind": "more"})["effects"], [], "it is asked for already")
        self.assertEqual(len(self.ids(*full, *more, self.page(2, 100, 99, before=101))), 102)
        self.assertEqual(self.after({"kind": "asked"}, self.page(1, 2), {"kind": "more"})["effects"], [], "there are no others")
        self.assertEqual(asked(self.module, "hasMore", [{"reports": [1] * 30, "shown": 20, "isEnd": True}, {"reports": [1] * 20, "shown": 20, "isEnd": True}, {"reports": [1], "shown": 20, "isEnd": False}]), [True, False, True])

    def test_each_person_is_asked_for_once(self):
        said = self.after({"kind": "asked"}, self.page(1, 7))
        self.assertEqual(said["effects"], [{"do": "name", "people": ["tb_7"]}])
        self.assertEqual(self.after({"kind": "asked"}, self.page(1, 7), {"kind": "asked"}, self.page(2, 7))["effects"], [])
        named = self.after({"kind": "asked"}, self.page(1, 7), {"kind": "named", "user": "tb_7", "name": "Ada"})
        self.assertEqual(named["state"]["names"], {"tb_7": "Ada"})

    def test_one_that_is_closed_leaves_the_list_and_is_counted_anew(self):
        said = self.after({"kind": "asked"}, self.page(1, 7, 6), {"kind": "closed", "id": 7})
        self.assertEqual(([report["id"] for report in said["state"]["reports"]], said["effects"]), ([6], [{"do": "recount"}]))

    def test_a_failure_leaves_what_is_shown(self):
        said = self.after({"kind": "asked"}, self.page(1, 7), {"kind": "asked"}, {"kind": "failed", "turn": 2, "error": {"code": "internal"}})
        self.assertEqual(([report["id"] for report in said["state"]["reports"]], said["state"]["error"]), ([7], {"code": "internal"}))


if __name__ == "__main__":
    unittest.main()
