from states import State

HASH = "#/computers/9f0c6a1be2d34775a1c0ffee00d15ea5/ports"


def listing(page):
    page.click(".bar-actions .button.primary")
    page.wait_for_selector("dialog[open] input")


def denying(page):
    page.click(".row-actions .button >> nth=0")
    page.wait_for_selector("dialog[open]")


def wrong(page):
    listing(page)
    page.fill("dialog input >> nth=0", "70000")
    page.click("dialog .button.primary")


def refused(page):
    listing(page)
    page.fill("dialog input >> nth=0", "9001")
    page.click("dialog .button.primary")
    page.wait_for_selector("dialog .banner")


STATES = [
    State("ports", role="phone", hash=HASH),
    State("ports-open", role="phone", hash=HASH, scenario="portsopen"),
    State("ports-none", role="phone", hash=HASH, scenario="empty"),
    State("ports-hostile", role="phone", hash=HASH, scenario="hostile"),
    State("ports-not-allowed", role="phone", hash=HASH, scenario="refused"),
    State("ports-away", role="phone", hash=HASH, scenario="away"),
    State("ports-browser-phone", role="phone", hash=HASH, scenario="browserphone"),
    State("ports-own", role="desktop", hash="#/ports"),
    State("ports-own-none", role="desktop", hash="#/ports", scenario="empty"),
    State("ports-own-nobody", role="desktop", hash="#/ports", scenario="nobody"),
    State("ports-own-hostile", role="desktop", hash="#/ports", scenario="hostile"),
    State("ports-own-list", role="desktop", hash="#/ports", prepare=listing),
    State("ports-own-wrong", role="desktop", hash="#/ports", prepare=wrong),
    State("ports-own-refused", role="desktop", hash="#/ports", scenario="ownport", prepare=refused),
    State("ports-own-deny", role="desktop", hash="#/ports", prepare=denying),
]
