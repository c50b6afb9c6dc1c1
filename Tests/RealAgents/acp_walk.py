"""What people do with an agent of the Agent Client Protocol: Mistral Vibe, whose threads are written down by Tandem."""

import json
import sys
from pathlib import Path

import steps
from household import Household, until
from model import Model
from script import Call, Hold, Say, play
from walk import Walk, check

CONFIG = """
active_model = "scripted"
enable_telemetry = false
enable_update_checks = false

[[providers]]
name = "loopback"
api_base = "{url}/v1"
api_key_env_var = "LOOPBACK_KEY"
backend = "generic"

[[models]]
name = "scripted"
provider = "loopback"
alias = "scripted"
"""


def once(call, end="It is done."):
    """Calls a tool, then says how it went."""
    return lambda asked: [call] if not asked.results else [Say(f"{end} {asked.results[-1][-200:]}")]


PARTS = {
    "count": lambda asked: [Say("First I look."), Call("bash", {"command": "ls"})] if not asked.results else [Say("There are twelve.")],
    "touch": once(Call("bash", {"command": "touch made.txt"})),
    "hold": lambda asked: [Say("I begin."), Hold("hold"), Say("I am through.")],
    "wait": lambda asked: [Say("I wait."), Hold("wait"), Say("Waited.")],
}


def program():
    """Where the Python package puts the program; nothing where it is not installed, which needs Python 3.12."""
    path = Path(sys.executable).parent / "vibe-acp"
    return path if path.exists() else None


def walk(quick):
    if program() is None:
        print("       acp is left out: mistral-vibe needs a Python of 3.12 or later, and none was found", flush=True)
        return None
    with Household() as household:
        model = Model(play(PARTS))
        try:
            return _walk(Walk("acp:vibe", household, model))
        finally:
            model.close()


def _walk(walk):
    household = walk.household
    home = household.home / ".vibe"
    home.mkdir()
    (home / "config.toml").write_text(CONFIG.format(url=walk.model.url))
    (home / ".env").write_text("LOOPBACK_KEY=scripted\n")
    state = household.state("desktop")
    state.mkdir(mode=0o700)
    (state / "config.json").write_text(json.dumps({"agents": f"vibe={program()}"}))
    household.start()
    thread = walk.step("starts a thread, which is listed by what was said", lambda: _start(walk))
    if not thread:
        print(household.log()[-2000:], file=sys.stderr)
        return walk
    walk.step("shows each thing once", lambda: steps.shows(walk, thread))
    walk.step("is found by its words", lambda: steps.search(walk, thread))
    walk.step("is followed and answered", lambda: steps.follow(walk, thread))
    walk.step("a command is declined, and then allowed", lambda: _command(walk, thread))
    walk.step("a turn is stopped, and the prompt behind it is named", lambda: _cancel(walk, thread))
    walk.step("a prompt behind a turn follows it", lambda: _queue(walk, thread))
    walk.step("goes on after the computer's restart", lambda: steps.restart(walk, thread))
    walk.step("no record is of an unknown kind", lambda: steps.unknown(walk))
    walk.step("the model understood what was asked of it", lambda: steps.understood(walk))
    return walk


def _start(walk):
    thread = walk.start("Count the gears")
    until(lambda: walk.requests() or walk.state(thread) in ("done", "failed"))
    for request in walk.requests():
        walk.household.run("desktop", "threads", "approve", request["id"], "--allow")
    # The agent has its model name the session, and ours says what it was asked.
    return steps.listed(walk, thread, title="You said: user: Count the gears")


def _command(walk, thread):
    made = walk.household.work / "made.txt"
    for answer, runs in (("--decline", False), ("--allow", True)):
        walk.post(thread, "Touch a file")
        request = walk.request()
        check("touch made.txt" in json.dumps(request), request)
        walk.household.run("desktop", "threads", "approve", request["id"], answer)
        walk.ended(thread)
        check(not walk.requests(), walk.requests())
        check(made.exists() == runs, walk.shown(thread)[-1500:])


def _cancel(walk, thread):
    walk.post(thread, "Hold on")
    until(lambda: any(asked.prompt == "Hold on" for asked in walk.model.asked))
    walk.post(thread, "Behind the held one")
    walk.household.run("desktop", "threads", "cancel", thread)
    until(lambda: walk.state(thread) == "idle")
    walk.model.open("hold")
    check("I am through." not in walk.shown(thread), "it went on")
    check(any("Behind the held one" in text for text in walk.texts(thread, "notice")), walk.items(thread)[-4:])


def _queue(walk, thread):
    walk.post(thread, "Wait for me")
    until(lambda: any(asked.prompt == "Wait for me" for asked in walk.model.asked))
    walk.post(thread, "Here I am")
    walk.model.open("wait")
    until(lambda: "You said: Here I am" in walk.shown(thread))
    walk.ended(thread)
    check(walk.texts(thread, "user").count("Here I am") == 1, walk.texts(thread, "user"))
