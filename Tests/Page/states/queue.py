from states import State

STATES = [
    State("queue", role="phone", hash="#/queue"),
    State("queue-of-one", role="phone", hash="#/queue?device=c0ffee00d15ea59f0c6a1be2d34775a1"),
    State("queue-empty", role="phone", hash="#/queue", scenario="idle"),
    State("queue-clear", role="phone", hash="#/queue", prepare=lambda page: page.click(".group-head .button >> nth=0")),
    State("queue-many", role="phone", hash="#/queue", scenario="many"),
]
