from states import State

HASH = "#/computers/9f0c6a1be2d34775a1c0ffee00d15ea5/system"


STATES = [
    State("system", role="phone", hash=HASH),
    State("system-just-begun", role="phone", hash=HASH, scenario="old"),
    State("system-says-little", role="phone", hash=HASH, scenario="bare"),
    State("system-not-allowed", role="phone", hash=HASH, scenario="refused"),
]
