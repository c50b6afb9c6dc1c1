from states import State

TAB = "#/computers/9f0c6a1be2d34775a1c0ffee00d15ea5/commands"


def ran(page):
    page.click(".commands .row-main >> nth=0")
    page.wait_for_selector(".run-output:has-text('snapshot')")


STATES = [
    State("commands", role="phone", hash=TAB),
    State("commands-run", role="phone", hash=TAB, prepare=ran),
    State("commands-running", role="phone", hash=TAB, scenario="running", prepare=ran),
    State("commands-confirm", role="phone", hash=TAB, prepare=lambda page: page.click(".commands .row-main >> nth=1")),
    State("commands-none", role="phone", hash=TAB, scenario="none cannot"),
    State("commands-not-allowed", role="phone", hash=TAB, scenario="refused"),
    State("commands-hostile", role="phone", hash=TAB, scenario="hostile"),
    State("saved-commands", role="desktop", hash="#/commands", scenario="running"),
    State("saved-commands-none", role="desktop", hash="#/commands", scenario="none"),
    State("saved-commands-add", role="desktop", hash="#/commands", prepare=lambda page: page.click(".bar-actions .button")),
    State("saved-commands-edit", role="desktop", hash="#/commands", prepare=lambda page: page.click(".row-main >> nth=1")),
]
