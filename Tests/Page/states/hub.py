from states import State


def menu(page, item):
    page.click(".peer-row .icon-button >> nth=0")
    page.click(f".menu-item >> nth={item}")


def confirmed(page, item):
    menu(page, item)
    page.click(".dialog .button.danger")
    page.wait_for_selector(".toast, dialog .banner")


def known(page):
    page.click(".segmented label >> nth=1")
    page.wait_for_selector(".peer-row, .empty, .banner")


def named(page):
    menu(page, 0)
    page.fill(".dialog input", "The phone of the front desk")
    page.click(".dialog .button.primary")
    page.wait_for_selector(".toast, dialog .banner")


STATES = [
    State("hub-load", role="hub", hash="#/load", scenario="still"),
    State("hub-load-full", role="hub", hash="#/load", scenario="still full"),
    State("hub-load-empty", role="hub", hash="#/load", scenario="still empty"),
    State("hub-load-just-opened", role="hub", hash="#/load", scenario="still new"),
    State("hub-load-says-little", role="hub", hash="#/load", scenario="still bare"),
    State("hub-load-broken", role="hub", hash="#/load", scenario="still broken"),
    State("hub-peers", role="hub", hash="#/peers"),
    State("hub-peers-many", role="hub", hash="#/peers", scenario="many"),
    State("hub-peers-empty", role="hub", hash="#/peers", scenario="empty"),
    State("hub-peers-broken", role="hub", hash="#/peers", scenario="broken"),
    State("hub-peers-hostile", role="hub", hash="#/peers", scenario="hostile"),
    State("hub-peers-search", role="hub", hash="#/peers", prepare=lambda page: page.fill("input[type=search]", "203.0.113.1")),
    State("hub-peers-not-found", role="hub", hash="#/peers", prepare=lambda page: page.fill("input[type=search]", "nobody")),
    State("hub-peers-menu", role="hub", hash="#/peers", prepare=lambda page: page.click(".peer-row .icon-button >> nth=0")),
    State("hub-peers-kick", role="hub", hash="#/peers", prepare=lambda page: menu(page, 2)),
    State("hub-peers-kicked", role="hub", hash="#/peers", prepare=lambda page: confirmed(page, 2)),
    State("hub-peers-kick-late", role="hub", hash="#/peers", scenario="late", prepare=lambda page: confirmed(page, 2)),
    State("hub-peers-release", role="hub", hash="#/peers", prepare=lambda page: menu(page, 3)),
    State("hub-devices", role="hub", hash="#/peers", prepare=known),
    State("hub-devices-empty", role="hub", hash="#/peers", scenario="empty", prepare=known),
    State("hub-devices-broken", role="hub", hash="#/peers", scenario="broken", prepare=known),
    State("hub-devices-hostile", role="hub", hash="#/peers", scenario="hostile", prepare=known),
    State("hub-devices-name", role="hub", hash="#/peers", prepare=lambda page: menu(page, 0)),
    State("hub-devices-named", role="hub", hash="#/peers", prepare=named),
    State("hub-devices-name-late", role="hub", hash="#/peers", scenario="late", prepare=named),
    State("hub-limits", role="hub", hash="#/limits"),
    State("hub-limits-changed", role="hub", hash="#/limits", prepare=lambda page: page.click(".switch")),
    State("hub-limits-none", role="hub", hash="#/limits", prepare=lambda page: page.fill("input[type=search]", "nothing like it")),
    State("hub-limits-broken", role="hub", hash="#/limits", scenario="broken"),
]
