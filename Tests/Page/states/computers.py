from states import State

STUDIO = "#/computers/9f0c6a1be2d34775a1c0ffee00d15ea5"


def menu(number, row=0):
    """Opens the menu of a computer and presses one of its items."""

    def prepare(page):
        page.click(f".row-actions .icon-button >> nth={row}")
        page.click(f".menu-item >> nth={number}")

    return prepare


STATES = [
    State("computers", role="phone", hash="#/computers"),
    State("computers-none-waits", role="phone", hash="#/computers", scenario="idle"),
    State("computer-more", role="phone", hash=f"{STUDIO}/clipboard", wide=False, prepare=lambda page: page.click(".tab-more")),
    State("computer-more-shown", role="phone", hash=f"{STUDIO}/screen", wide=False),
    State("computers-empty", role="phone", hash="#/computers", scenario="empty"),
    State("computers-away", role="phone", hash="#/computers", scenario="away"),
    State("computers-hostile", role="phone", hash="#/computers", scenario="hostile"),
    State("computers-not-sealed", role="phone", hash="#/computers", scenario="clear"),
    State("computers-not-sealed-details", role="phone", hash="#/computers", scenario="clear", prepare=menu(0, row=1)),
    State("computer-not-sealed", role="phone", hash="#/computers/41d7b9e07c8e4c7b9a2f00d15ea59f0c/system", scenario="clear refused"),
    State("computers-menu", role="phone", hash="#/computers", prepare=lambda page: page.click(".row-actions .icon-button >> nth=0")),
    State("computers-details", role="phone", hash="#/computers", prepare=menu(0)),
    State("computers-rename", role="phone", hash="#/computers", prepare=menu(1)),
    State("computers-forget", role="phone", hash="#/computers", prepare=menu(2)),
    State("computers-forget-all", role="phone", hash="#/computers", prepare=lambda page: page.click(".computers > .line .button")),
    # A moment passes before the page says that a computer is away.
    State("computer-not-reached", role="phone", hash=f"{STUDIO}/system", scenario="away", prepare=lambda page: page.wait_for_selector(".refused.is-away")),
    State("computer-not-reached-strip", role="phone", hash=f"{STUDIO}/clipboard", scenario="away", prepare=lambda page: page.wait_for_selector(".computer-strips .banner")),
    State("computer-not-paired", role="phone", hash="#/computers/nobody/clipboard"),
    State("phone-settings", role="phone", hash="#/settings"),
    State("phone-settings-empty", role="phone", hash="#/settings", scenario="empty"),
]
