from states import State

USERS, INVITATIONS, REPORTS, PERSON = "#/people", "#/people/invitations", "#/people/reports", "#/people/users/"


def act(page, number):
    page.click(f".main button.row-main >> nth={number}")


def invite(page, uses="5"):
    page.click(".bar-actions .button")
    page.wait_for_selector(".dialog")
    page.fill(".dialog input >> nth=0", uses)


def invited(page):
    invite(page)
    page.click(".dialog .button.primary")
    page.wait_for_selector(".dialog .invitation, .dialog .banner")


STATES = [
    State("people", role="hub", hash=USERS),
    State("people-empty", role="hub", hash=USERS, scenario="empty"),
    State("people-many", role="hub", hash=USERS, scenario="many"),
    State("people-broken", role="hub", hash=USERS, scenario="broken"),
    State("people-hostile", role="hub", hash=USERS, scenario="hostile"),
    State("people-no-accounts", role="hub", hash=USERS, scenario="no-accounts"),
    State("people-search", role="hub", hash=USERS, prepare=lambda page: page.fill("input[type=search]", "小雨")),
    State("people-not-found", role="hub", hash=USERS, prepare=lambda page: page.fill("input[type=search]", "nobody like it")),
    State("person", role="hub", hash=PERSON + "tb_1"),
    State("person-suspended", role="hub", hash=PERSON + "tb_4"),
    State("person-hostile", role="hub", hash=PERSON + "tb_1", scenario="hostile"),
    State("person-gone", role="hub", hash=PERSON + "tb_99"),
    State("person-suspend", role="hub", hash=PERSON + "tb_1", prepare=lambda page: act(page, 0)),
    State("person-resume", role="hub", hash=PERSON + "tb_4", prepare=lambda page: act(page, 0)),
    State("person-end-sessions", role="hub", hash=PERSON + "tb_1", prepare=lambda page: act(page, 1)),
    State("person-delete", role="hub", hash=PERSON + "tb_1", prepare=lambda page: act(page, 2)),
    State("invitations", role="hub", hash=INVITATIONS),
    State("invitations-empty", role="hub", hash=INVITATIONS, scenario="empty"),
    State("invitations-broken", role="hub", hash=INVITATIONS, scenario="broken"),
    State("invitations-take-back", role="hub", hash=INVITATIONS, prepare=lambda page: page.click(".row-actions .icon-button >> nth=1")),
    State("invite", role="hub", hash=INVITATIONS, prepare=invite),
    State("invite-too-many", role="hub", hash=INVITATIONS, prepare=lambda page: invite(page, "20000")),
    State("invite-refused", role="hub", hash=INVITATIONS, scenario="late", prepare=invited),
    State("invited", role="hub", hash=INVITATIONS, prepare=invited),
    State("invited-anybody", role="hub", hash=INVITATIONS, scenario="anybody", prepare=invited),
    State("invited-without-address", role="hub", hash=INVITATIONS, scenario="nobody no-address", prepare=invited),
    State("reports", role="hub", hash=REPORTS),
    State("reports-many", role="hub", hash=REPORTS, scenario="reported"),
    State("reports-empty", role="hub", hash=REPORTS, scenario="empty"),
    State("reports-broken", role="hub", hash=REPORTS, scenario="broken"),
    State("reports-hostile", role="hub", hash=REPORTS, scenario="hostile"),
    State("reports-closed", role="hub", hash=REPORTS, prepare=lambda page: page.click(".reports .segmented label >> nth=1")),
    State("reports-suspend", role="hub", hash=REPORTS, prepare=lambda page: page.click(".report-acts .button >> nth=1")),
    State("hub-load-no-conversations", role="hub", hash="#/load", scenario="still no-accounts"),
]
