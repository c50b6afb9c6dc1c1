from states import State

HASH = "#/computers/9f0c6a1be2d34775a1c0ffee00d15ea5/screen"


def take(page):
    page.click(".empty .button:not(.primary)")
    page.wait_for_selector(".screen-frame, .refused")


def zoom(page):
    take(page)
    page.click(".screen-tools .icon-button >> nth=2")


def live(page):
    page.click(".empty .button.primary")
    page.wait_for_timeout(600)


def control(page):
    take(page)
    page.click(".screen-actions [aria-pressed]")
    page.wait_for_selector(".control > *, dialog[open]")


STATES = [
    State("screen", role="phone", hash=HASH),
    State("screen-picture", role="phone", hash=HASH, prepare=take),
    State("screen-zoomed", role="phone", hash=HASH, scenario="onedisplay", prepare=zoom),
    State("screen-live", role="phone", hash=HASH, scenario="follows", prepare=live),
    State("screen-not-allowed", role="phone", hash=HASH, scenario="refused", prepare=take),
    State("screen-away", role="phone", hash=HASH, scenario="away", prepare=take),
    State("screen-control", role="phone", hash=HASH, prepare=control),
    State("screen-control-held", role="phone", hash=HASH, scenario="held", prepare=control),
    State("screen-control-not-allowed", role="phone", hash=HASH, scenario="uncontrolled", prepare=control),
    State("screen-control-impossible", role="phone", hash=HASH, scenario="screenless", prepare=control),
]
