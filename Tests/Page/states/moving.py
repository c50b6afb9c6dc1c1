from states import State

HOME = "#/moving"


def keep(page):
    page.click(".computers-waiting .banner .button")


def kept_too_late(page):
    keep(page)
    page.click(".dialog .button.danger")


def shown(page):
    page.wait_for_selector(".moving-body .group, .moving-body .stage, .moving-body .moving-form, .moving-body .banner")


def drawn(page):
    """The code is a picture that comes a moment later."""
    page.wait_for_selector(".moving-qr svg, .moving-qr p")


def settings(page):
    page.wait_for_selector("a[href='#/moving']")


def pressed(selector, until="dialog[open]"):
    def prepare(page):
        shown(page)
        page.click(selector)
        page.wait_for_selector(until)

    return prepare


def placed(change, failure=None):
    """The program came back."""

    def prepare(page):
        shown(page)
        page.evaluate("([change, failure]) => fake.moving.startedAgain(change, failure)", [change, failure])
        page.wait_for_selector(".stage-actions .button.primary")

    return prepare


def opened(page):
    shown(page)
    page.click("summary")
    page.wait_for_selector("details[open]")


def missing(page):
    """A form that is sent with nothing in it."""
    shown(page)
    page.click(".moving-form .button.primary")
    page.wait_for_selector(".field.failed")


def made(page):
    shown(page)
    page.click(".moving-fields .line .button")
    page.wait_for_selector(".moving-made-line")


def typed(page):
    shown(page)
    page.fill(".moving-line .input", "short")


def differs(page):
    shown(page)
    page.fill(".moving-where .input", "192.168.1.7:40123")
    page.fill(".moving-line .input", "correct horse battery")
    page.fill(".moving-fields > .field .input", "correct horse batery")
    page.click(".moving-form .button.primary")
    page.wait_for_selector(".field.failed")


def there(page):
    """A file of this name is there already."""
    shown(page)
    page.fill(".moving-form > .field .input", "/home/ada/there.enc")
    made(page)
    page.click(".moving-form .button.primary")
    page.wait_for_selector(".field.failed")


def moves(page):
    """A rate is known once something came between two looks."""
    shown(page)
    page.wait_for_timeout(300)
    page.evaluate("fake.moving.to({ doneBytes: fake.moving.flow.doneBytes + 20_000_000 })")
    page.wait_for_selector(".stage-facts .fact:nth-child(4)")


def all_lost(page):
    shown(page)
    page.click(".moving-report .button.quiet:has(svg)")


def at(stand, name=None, scenario="", prepare=shown):
    return State(f"moving-{name or stand}", role="phone", hash=HOME, scenario=f"move-{stand} {scenario}".strip(), prepare=prepare)


def way(name, prepare=shown, word=None):
    return State(f"moving-{word or name}", role="phone", hash=f"{HOME}?way={name}", prepare=prepare)


# What has a sentence with values, or a kind of its own; a test looks that no reason is without a sentence.
FAILURES = ["migrateNotRestored", "migrateBeginAnew", "needsAppUpdate", "new-damagedPackage", "cancelled", "peerNotProven", "other"]

STATES = [
    State("moving-handing-over", role="phone", hash="#/computers", scenario="handing-over"),
    State("moving-retired", role="phone", hash="#/computers", scenario="retired"),
    State("moving-hostile", role="phone", hash="#/computers", scenario="retired hostile"),
    State("moving-keep", role="phone", hash="#/computers", scenario="retired", prepare=keep),
    State("moving-too-late", role="phone", hash="#/computers", scenario="retired too-late", prepare=kept_too_late),
    State("moving-kept", role="phone", hash="#/computers", scenario="kept"),
    State("moving-settings", role="phone", hash="#/settings", prepare=settings),
    # The wizard: what a person chooses
    State("moving", role="phone", hash=HOME, prepare=shown),
    State("moving-broken", role="phone", hash=HOME, scenario="moving-broken", prepare=shown),
    State("moving-resting", role="phone", hash=HOME, scenario="handing-over", prepare=shown),
    way("receive"),
    way("receive", opened, "receive-where"),
    way("send"),
    way("send", missing, "send-nothing"),
    way("send", made, "send-made"),
    way("send", typed, "send-weak"),
    way("send", differs, "send-differs"),
    way("export"),
    way("export", there, "export-there"),
    way("restore"),
    way("restore", missing, "restore-nothing"),
    # The phones find and prove each other
    at("showing", prepare=drawn), at("nowhere", prepare=drawn), at("dialing", prepare=drawn), at("connecting"), at("connecting-here"), at("unreached"), at("entering"), at("entering-here"), at("wrong-pin"),
    # What comes, and the yes
    at("preparing"), at("preparing-there"), at("agreeing-there"), at("agreeing"), at("agreeing-broken"), at("wrong-password"),
    at("agreeing", "agreeing-hostile", "hostile"),
    at("agreeing", "decline", prepare=pressed(".stage-actions .button.quiet")),
    # How far it is
    at("sending"), at("receiving"), at("paused"), at("paused-there"), at("full"), at("full-there"), at("away"), at("restoring"), at("restoring-there"),
    at("sending", "sending-rate", prepare=moves), at("sending", "sending-hostile", "hostile"), at("sending", "cancel", prepare=pressed(".stage-actions > .button.quiet")),
    at("writing"), at("reading"),
    # How it ends, and the way back
    at("offered"), at("offered", "offered-lost", "lost"), at("offered", "offered-all-lost", "lost", all_lost),
    at("offered", "offered-hostile", "hostile"), at("offered", "replace", prepare=pressed(".stage-actions .button.primary")),
    at("placing"), at("placing-back"), at("placing", "placed", prepare=placed("restore")), at("placing-back", "placed-back", prepare=placed("undo")), at("placing", "not-placed", prepare=placed("restore", "The disk is full.")),
    at("done", "kept-starts", "kept starts-itself"), at("restart"), at("back"), at("back", "stay", prepare=pressed(".stage-actions .button.quiet")), at("done", scenario="retired"), at("written", scenario="handing-over"), at("written", "written-hostile", "hostile"),
    at("moved"), at("moved", "moved-report", "lost", opened), at("moved", "undo", prepare=pressed(".row-actions .button")), at("went-back"), at("not-in-place"),
    at("not-in-place", "not-in-place-hostile", "hostile"),
    *[at(f"failed-{reason}") for reason in FAILURES],
]
