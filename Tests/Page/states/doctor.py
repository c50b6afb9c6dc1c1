from states import State


def unfold(page):
    page.click(".working summary")


STATES = [
    State("overview", role="desktop", hash="#/overview"),
    State("overview-asks", role="desktop", hash="#/overview", scenario="asks hub-away"),
    State("overview-empty", role="desktop", hash="#/overview", scenario="empty"),
    State("overview-idle", role="desktop", hash="#/overview", scenario="idle offline server-away"),
    State("overview-broken", role="desktop", hash="#/overview", scenario="broken"),
    State("overview-hostile", role="desktop", hash="#/overview", scenario="hostile asks"),
    State("computer", role="desktop", hash="#/settings"),
    State("computer-unfolded", role="desktop", hash="#/settings", prepare=unfold),
    State("computer-no-hub", role="desktop", hash="#/settings", scenario="no-hub well"),
    State("computer-away", role="desktop", hash="#/settings", scenario="hub-away server-away broken"),
]
