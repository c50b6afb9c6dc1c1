from states import State

INVITATION = "tandem-account://join?hub=wss%3A%2F%2Fhub.example.net%3A9001&c=482913730655"


def link(page, text=INVITATION):
    page.get_by_label("Link of the invitation").or_(page.get_by_label("邀请链接")).fill(text)


def submit(page):
    page.click(".account-form > .button")


def invited(page):
    link(page)
    page.fill(".account-form input[autocomplete=username]", "ada")
    submit(page)


def password(page, text):
    page.click(".radio >> nth=1")
    page.fill(".password-field input", text)


def row(page, words):
    """Presses a row by its symbol's place among those of the right side."""
    page.click(f".sides > .stack:nth-child(2) button.row-main >> nth={words}")


def done(page, words):
    row(page, words)
    page.click(".dialog .button.danger")


def typed(page):
    row(page, 3)
    page.fill(".dialog input", "ada")


def passwords(page):
    row(page, 0)
    page.fill(".dialog input >> nth=0", "not the right one")
    page.fill(".dialog input >> nth=1", "staple battery horse")
    page.click(".dialog .button.primary")
    page.wait_for_selector(".dialog .banner")


def exported(page):
    row(page, 1)
    page.fill(".dialog input", "/home/ada/tandem-export")
    page.click(".dialog .button.primary")


NEW, LOGIN, OWN = "#/account", "#/account?way=login", "#/account"
def face(page):
    page.click(".account-face")
    page.wait_for_selector(".menu")


def no_face(page):
    face(page)
    page.click(".menu [role=menuitem] >> nth=1")
    page.wait_for_selector("dialog[open]")


STATES = [
    State("account-new", role="phone", hash=NEW, scenario="no-account"),
    State("account-new-invited", role="phone", hash=NEW, scenario="no-account", prepare=link),
    State("account-new-no-invitation", role="phone", hash=NEW, scenario="no-account", prepare=lambda page: link(page, "https://example.net")),
    State("account-new-person-link", role="phone", hash=NEW, scenario="no-account", prepare=lambda page: link(page, "tandem-account://chat?hub=wss%3A%2F%2Fhub.example.net&u=tb_7&n=Ada")),
    State("account-new-empty", role="phone", hash=NEW, scenario="no-account", prepare=submit),
    State("account-new-weak", role="phone", hash=NEW, scenario="no-account", prepare=lambda page: password(page, "password1234")),
    State("account-new-good", role="phone", hash=NEW, scenario="no-account", prepare=lambda page: password(page, "staple battery horse")),
    State("account-new-taken", role="phone", hash=NEW, scenario="no-account refuses-nameTaken", prepare=invited),
    State("account-new-closed", role="phone", hash=NEW, scenario="no-account refuses-closed", prepare=invited),
    State("account-new-other-trouble", role="phone", hash=NEW, scenario="no-account refuses-other", prepare=invited),
    State("account-new-scan", role="phone", hash=NEW, scenario="no-account", prepare=lambda page: page.click(".account-link .button")),
    State("account-login", role="phone", hash=LOGIN, scenario="no-account"),
    State("account-login-password", role="phone", hash=LOGIN, scenario="no-account", prepare=lambda page: page.click(".radio >> nth=1")),
    State("account-broken", role="phone", hash=OWN, scenario="broken"),
    State("account", role="phone", hash=OWN),
    State("account-hub-away", role="phone", hash=OWN, scenario="hub-away"),
    State("account-ended", role="phone", hash=OWN, scenario="ended"),
    State("account-many-devices", role="phone", hash=OWN, scenario="many-devices with-password"),
    State("account-hostile", role="phone", hash=OWN, scenario="hostile"),
    State("account-face", role="phone", hash=OWN, scenario="with-face", prepare=face),
    State("account-face-remove", role="phone", hash=OWN, scenario="with-face", prepare=no_face),
    State("account-nickname", role="phone", hash=OWN, prepare=lambda page: page.click(".account-head .icon-button")),
    State("account-end-device", role="phone", hash=OWN, prepare=lambda page: page.click(".row-actions .icon-button >> nth=0")),
    State("account-set-password", role="phone", hash=OWN, prepare=lambda page: row(page, 0)),
    State("account-wrong-password", role="phone", hash=OWN, scenario="with-password", prepare=passwords),
    State("account-export", role="phone", hash=OWN, prepare=lambda page: row(page, 1)),
    State("account-exported", role="phone", hash=OWN, prepare=exported),
    State("account-export-full", role="phone", hash=OWN, scenario="full", prepare=exported),
    State("account-sign-out", role="phone", hash=OWN, prepare=lambda page: row(page, 2)),
    State("account-signed-out", role="phone", hash=OWN, prepare=lambda page: done(page, 2)),
    State("account-signed-out-untold", role="phone", hash=OWN, scenario="untold", prepare=lambda page: done(page, 2)),
    State("account-delete", role="phone", hash=OWN, prepare=lambda page: row(page, 3)),
    State("account-delete-typed", role="phone", hash=OWN, prepare=typed),
    State("settings-without-account", role="phone", hash="#/settings", scenario="no-account"),
]
