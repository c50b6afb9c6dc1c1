from states import State


def keep(page):
    page.click(".computers-waiting .banner .button")


def kept_too_late(page):
    keep(page)
    page.click(".dialog .button.danger")


STATES = [
    State("moving-handing-over", role="phone", hash="#/computers", scenario="handing-over"),
    State("moving-retired", role="phone", hash="#/computers", scenario="retired"),
    State("moving-hostile", role="phone", hash="#/computers", scenario="retired hostile"),
    State("moving-keep", role="phone", hash="#/computers", scenario="retired", prepare=keep),
    State("moving-too-late", role="phone", hash="#/computers", scenario="retired too-late", prepare=kept_too_late),
    State("moving-kept", role="phone", hash="#/computers", scenario="kept"),
]
