from states import State


def scanned(page):
    """A picture of a phone's code was chosen; the fake reads it."""
    page.set_input_files("input[type=file]", {"name": "code.png", "mimeType": "image/png", "buffer": b"x"})
    page.wait_for_selector(".stage .rows, .stage-symbol.warn")


def asked(page):
    scanned(page)
    page.click(".stage .button.primary")


def accepted(page):
    page.fill(".request input.input", "604 281")
    page.click(".request .button.primary")


def no_camera(page):
    page.click(".stage .button.primary")
    page.wait_for_selector(".stage-symbol.warn")


def state(name, scenario="", hash="#/pair", **more):
    return State(f"pair-phone-{name}", role="desktop", hash=hash, scenario=scenario, **more)


STATES = [
    state("code"),
    state("link", "link"),
    state("link-for-programs", "link", prepare=lambda page: page.click(".code-forms .button >> nth=1")),
    state("options", prepare=lambda page: page.click(".code-options summary")),
    state("unsealed", prepare=lambda page: (page.click(".code-options summary"), page.click(".code-options .switch >> nth=1"))),
    state("scan-only", prepare=lambda page: (page.click(".code-options summary"), page.click(".code-options .switch >> nth=2"), page.wait_for_timeout(200))),
    state("hidden", prepare=lambda page: (page.click(".code-acts .icon-button >> nth=0"), page.wait_for_selector(".stage-symbol"))),
    state("renewed", "renewed"),
    state("expired", "expired", prepare=lambda page: page.wait_for_selector(".stage-symbol.warn")),
    state("locked", "locked"),
    state("digits-limited", "limited"),
    state("digits-taken", "taken"),
    state("digits-work-again", "limited", prepare=lambda page: (page.wait_for_selector(".banner.warn"), page.evaluate("fake.host.reach()"), page.wait_for_selector(".banner.good"))),
    state("only-here", "alone", prepare=lambda page: page.wait_for_selector(".code-notes .banner.warn")),
    state("replaced", "replaced"),
    state("interference", "interference"),
    state("no-code", "stuck"),
    state("paired", "paired"),
    state("request", "asks"),
    state("request-open", "asks", prepare=lambda page: page.evaluate("document.querySelector('.request-rights').open = true")),
    state("requests", "asks number changed clear"),
    state("request-hostile", "asks changed hostile"),
    state("request-late", "asks late", prepare=lambda page: page.click(".request .button.primary")),
    state("request-taken-back", "asks number", prepare=lambda page: (page.evaluate("fake.takeBack('r-1', 'Grace’s Pixel')"), page.wait_for_selector(".toast"))),
    state("request-crossed", "asks crossed", prepare=lambda page: page.click(".request .button.primary")),
    state("numbers-differ", "number unlike", prepare=accepted),
    state("number-short", "number", prepare=lambda page: page.click(".request .button.primary")),
    state("accepted", "asks", prepare=lambda page: page.click(".request .button.primary")),
    state("refused", "refused"),
    state("scan", hash="#/pair/scan"),
    state("scan-no-camera", hash="#/pair/scan", prepare=no_camera),
    state("scan-no-code", "nocode", hash="#/pair/scan", prepare=scanned),
    state("scan-found", hash="#/pair/scan", prepare=scanned),
    state("scan-asking", "sending", hash="#/pair/scan", prepare=asked),
    state("scan-paired", hash="#/pair/scan", prepare=asked),
    state("scan-declined", "fails-declined", hash="#/pair/scan", prepare=asked),
    state("scan-key-changed", "fails-keyChanged", hash="#/pair/scan", prepare=asked),
    state("scan-unknown-failure", "fails-other", hash="#/pair/scan", prepare=asked),
]
