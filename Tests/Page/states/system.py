from states import State

HASH = "#/computers/9f0c6a1be2d34775a1c0ffee00d15ea5/system"


def minutes(page):
    for _ in range(30):
        page.click(".system-head .icon-button")


STATES = [
    State("system", role="phone", hash=HASH, prepare=minutes),
    State("system-says-little", role="phone", hash=HASH, scenario="bare"),
    State("system-not-allowed", role="phone", hash=HASH, scenario="refused"),
]
