from states import State


def press(page, selector=".stage-actions .primary"):
    page.click(f".way:not([hidden]) {selector}")


def typed(digits="4829137306"):
    def prepare(page):
        page.fill(".code-field input", digits)
        page.keyboard.press("Enter")

    return prepare


def picture(page):
    page.set_input_files(".way:not([hidden]) input[type=file]", files=[{"name": "code.png", "mimeType": "image/png", "buffer": b"\x89PNG\r\n"}])


def hidden(page):
    """Taken back by a command, or in another window."""
    press(page)
    page.wait_for_selector(".qr")
    page.evaluate("async () => { while (!(await fake.call('pair.hide')).hidden) await fake.wait(50); }")
    page.wait_for_selector(".qr", state="detached")


def failed(reason):
    return State(f"pair-code-{reason}", role="phone", hash="#/pair/code", scenario=f"fails-{reason}", prepare=typed())


STATES = [
    State("pair-scan", role="phone", hash="#/pair"),
    # The tests' browser has no camera.
    State("pair-scan-no-camera", role="phone", hash="#/pair/scan", prepare=press),
    State("pair-scan-no-code", role="phone", hash="#/pair/scan", scenario="nocode", prepare=picture),
    State("pair-scan-several-codes", role="phone", hash="#/pair/scan", scenario="severalCodes", prepare=picture),
    State("pair-scan-other-code", role="phone", hash="#/pair/scan", scenario="otherCode", prepare=picture),
    State("pair-scan-sending", role="phone", hash="#/pair/scan", scenario="sending", prepare=picture),
    State("pair-scan-compare", role="phone", hash="#/pair/scan", scenario="compare", prepare=picture),
    State("pair-scan-paired", role="phone", hash="#/pair/scan", prepare=picture),
    State("pair-scan-expired", role="phone", hash="#/pair/scan", scenario="fails-codeExpired", prepare=picture),
    State("pair-scan-not-sealed", role="phone", hash="#/pair/scan", scenario="fails-notEndToEnd", prepare=picture),
    State("pair-show", role="phone", hash="#/pair/show"),
    State("pair-show-code", role="phone", hash="#/pair/show", prepare=press),
    State("pair-show-expired", role="phone", hash="#/pair/show", scenario="expired", prepare=press),
    State("pair-show-hidden", role="phone", hash="#/pair/show", prepare=hidden),
    State("pair-show-paired", role="phone", hash="#/pair/show", scenario="paired", prepare=press),
    State("pair-show-failed", role="phone", hash="#/pair/show", scenario="fails-keyChanged", prepare=press),
    State("pair-code", role="phone", hash="#/pair/code"),
    State("pair-code-other-server", role="phone", hash="#/pair/code", prepare=lambda page: page.click("summary")),
    State("pair-code-waiting", role="phone", hash="#/pair/code", scenario="sending", prepare=typed()),
    State("pair-code-compare", role="phone", hash="#/pair/code", scenario="compare", prepare=typed("482913")),
    State("pair-code-paired", role="phone", hash="#/pair/code", prepare=typed()),
    failed("unreachable"),
    failed("keyChanged"),
    failed("declined"),
    failed("locked"),
    failed("aReasonOfTomorrow"),
]
