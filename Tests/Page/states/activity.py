from states import State

STATES = [
    State("activity", role="desktop", hash="#/activity"),
    State("activity-idle", role="desktop", hash="#/activity", scenario="idle"),
    State("activity-hostile", role="desktop", hash="#/activity", scenario="hostile"),
    State("activity-end-shell", role="desktop", hash="#/activity", prepare=lambda page: page.click(".row-actions .button >> nth=0")),
    State("activity-ended", role="desktop", hash="#/activity", prepare=lambda page: page.click(".row-actions .button >> nth=1")),
    State("activity-over", role="desktop", hash="#/activity", scenario="stubborn", prepare=lambda page: page.click(".row-actions .button >> nth=2")),
    State("activity-end-all", role="desktop", hash="#/activity", prepare=lambda page: page.click(".bar-actions .button")),
]
