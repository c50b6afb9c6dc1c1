from states import State

STATES = [
    State("settings", role="phone", hash="#/settings"),
    State("settings-sign-out", role="phone", hash="#/settings", prepare=lambda page: page.click("button.row-main")),
    State("outside-gone", role="phone", hash="", scenario="gone"),
    State("outside-signed-out", role="desktop", hash="", scenario="signed-out"),
    State("outside-expired", role="desktop", hash="#/sign-in/expired", scenario="signed-out"),
    State("strip-lost", role="phone", hash="#/settings", scenario="lost", prepare=lambda page: page.wait_for_selector(".strips .banner")),
    State("strip-updated", role="hub", hash="#/settings", prepare=lambda page: page.evaluate("fake.emit('updated', {})")),
]
