"""What people do with Claude Code: its stream of JSON behind Tandem, and its transcripts."""

import json
from pathlib import Path

from household import Household, until
from model import Model
from script import Call, Hold, Say, play
from walk import Walk, check

QUESTION = {
    "questions": [
        {
            "question": "Which colour?",
            "header": "Colour",
            "multiSelect": False,
            "options": [
                {"label": "Red", "description": "Like blood", "preview": "###"},
                {"label": "Blue", "description": "Like the sea"},
            ],
        }
    ]
}


def once(call, end="It is done."):
    """Calls a tool, then says how it went."""
    return lambda asked: [call] if not asked.results else [Say(f"{end} {asked.results[-1][-200:]}")]


def command(line, **more):
    return Call("Bash", {"command": line, "description": "A step", **more})


HELPER = {
    "description": "Helper",
    "prompt": "Helped by a command",
    "subagent_type": "general-purpose",
    "run_in_background": True,
}

PARTS = {
    "count": lambda asked: [Say("First I look."), command("ls")] if not asked.results else [Say("There are twelve.")],
    "touch": once(command("touch made.txt")),
    "write": lambda asked: [Call("Write", {"file_path": asked.prompt.split()[1], "content": "twelve\n"})]
    if not asked.results
    else [Say("Written.")],
    "ask": once(Call("AskUserQuestion", QUESTION)),
    "hold": lambda asked: [Say("I begin."), Hold("hold"), Say("I am through.")],
    "wait": lambda asked: [command("ls")] if not asked.results else [Hold("wait"), command("ls")] if len(asked.results) < 2 else [Say("Waited.")],
    "background": lambda asked: [Call("Agent", HELPER)] if not asked.results else [Say("A helper works.")],
    "helped": lambda asked: [Hold("helper"), command("touch helped.txt")] if not asked.results else [Say("Helped.")],
}


def program():
    """Where the Python package keeps the program."""
    import claude_agent_sdk

    return Path(claude_agent_sdk.__file__).parent / "_bundled/claude"


def walk(quick):
    with Household() as household:
        model = Model(play(PARTS))
        try:
            return _walk(Walk("claude_code", household, model))
        finally:
            model.close()


def _walk(walk):
    household = walk.household
    household.install("claude", program())
    home = household.home / ".claude"
    home.mkdir()
    environment = {
        "ANTHROPIC_BASE_URL": walk.model.url,
        "ANTHROPIC_API_KEY": "sk-scripted",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }
    (home / "settings.json").write_text(json.dumps({"env": environment}))
    household.start()
    version = walk.step("is installed", lambda: _installed(household))
    if not version:
        return walk
    print(f"       {version}", flush=True)
    thread = walk.step("starts a thread, which is listed by what was said", lambda: _start(walk))
    if not thread:
        return walk
    walk.step("shows each thing once", lambda: _shows(walk, thread))
    walk.step("is found by its words", lambda: _search(walk, thread))
    walk.step("is followed and answered", lambda: _follow(walk, thread))
    walk.step("a command is declined, and then allowed", lambda: _command(walk, thread))
    walk.step("a change of files is allowed", lambda: _change(walk, thread))
    walk.step("a question is answered, and shows what is said about its choices", lambda: _question(walk, thread))
    walk.step("a turn is stopped", lambda: _cancel(walk, thread))
    walk.step("words reach a running turn, once", lambda: _steer(walk, thread))
    walk.step("a helper's request outlives the turn", lambda: _helper(walk, thread))
    walk.step("goes on after the computer's restart", lambda: _restart(walk, thread))
    walk.step("what a task tells is not the person's", lambda: _provenance(walk, thread))
    walk.step("no record is of an unknown kind", lambda: _unknown(walk))
    walk.step("the model understood what was asked of it", lambda: check(not walk.model.troubles, walk.model.troubles))
    return walk


def _installed(household):
    agents = household.json("threads", "agents")["agents"]
    claude = next(agent for agent in agents if agent["source"] == "claude_code")
    check(claude.get("is_installed") and claude.get("version"), claude)
    return claude["version"]


def _start(walk):
    thread = walk.start("Count the gears")
    listed = walk.ended(thread)
    check(listed["title"] == "Count the gears", listed)
    check(listed["state"] == "done", listed)
    return thread


def _shows(walk, thread):
    items = walk.items(thread)
    kinds = [item["kind"] for item in items]
    check(walk.texts(thread, "user") == ["Count the gears"], items)
    check(walk.texts(thread, "agent") == ["First I look.", "There are twelve."], items)
    check(kinds.count("call") == 1 and kinds.count("output") == 1, kinds)


def _search(walk, thread):
    for words in ("twelve", "gears"):
        hits = until(lambda: walk.household.json("threads", "search", words)["items"])
        check(any(hit["thread"]["id"] == thread for hit in hits), hits)


def _follow(walk, thread):
    follower = walk.household.follow(thread)
    walk.post(thread, "Say it while I look")
    until(lambda: "You said: Say it while I look" in follower.text)
    walk.ended(thread)


def _asked(walk, thread, text, *answer):
    """Posts, answers the request that comes of it, and returns the request."""
    walk.post(thread, text)
    request = walk.request()
    walk.household.run("threads", "approve", request["id"], *answer)
    walk.ended(thread, ("done", "failed"))
    check(walk.state(thread) == "done", walk.thread(thread))
    check(not walk.requests(), walk.requests())
    return request


def _command(walk, thread):
    made = walk.household.work / "made.txt"
    request = _asked(walk, thread, "Touch a file", "--decline")
    check("touch made.txt" in json.dumps(request), request)
    check(not made.exists(), "it ran although it was declined")
    _asked(walk, thread, "Touch it now", "--allow")
    check(made.exists(), walk.shown(thread)[-1500:])


def _change(walk, thread):
    path = walk.household.work / "count.txt"
    request = _asked(walk, thread, f"Write {path} now", "--allow")
    check(request["kind"] == "change" and "count.txt" in json.dumps(request), request)
    check(path.read_text() == "twelve\n", "another text")


def _question(walk, thread):
    request = _asked(walk, thread, "Ask me", "--answer", "0=Blue")
    asked = request["questions"][0]
    check(asked["text"] == "Which colour?" and asked["header"] == "Colour", asked)
    check([detail.get("text") for detail in asked["details"]] == ["Like blood", "Like the sea"], asked)
    check(asked["details"][0].get("preview") == "###", asked)
    check("Blue" in walk.texts(thread, "agent")[-1], walk.texts(thread, "agent")[-1])


def _cancel(walk, thread):
    walk.post(thread, "Hold on")
    until(lambda: walk.state(thread) == "running")
    until(lambda: any(asked.prompt == "Hold on" for asked in walk.model.asked))
    walk.household.run("threads", "cancel", thread)
    until(lambda: walk.state(thread) == "idle")
    walk.model.open("hold")
    check("I am through." not in walk.shown(thread), "it went on")


def _steer(walk, thread):
    walk.post(thread, "Wait for me")
    until(lambda: any(asked.prompt == "Wait for me" and asked.results for asked in walk.model.asked))
    walk.post(thread, "Here I am")
    walk.model.open("wait")
    until(lambda: "Here I am" in walk.texts(thread, "user"))
    walk.ended(thread, ("done", "failed"))
    check(walk.texts(thread, "user").count("Here I am") == 1, walk.texts(thread, "user"))


def _helper(walk, thread):
    walk.post(thread, "Background work")
    until(lambda: "A helper works." in walk.shown(thread))
    walk.model.open("helper")
    request = walk.request()
    check("touch helped.txt" in json.dumps(request), request)
    until(lambda: walk.state(thread) == "approval")
    walk.household.run("threads", "approve", request["id"], "--allow")
    until(lambda: (walk.household.work / "helped.txt").exists())
    walk.ended(thread, ("done",))


def _restart(walk, thread):
    walk.household.stop()
    walk.household.start()
    walk.post(thread, "Are you there")
    until(lambda: "You said: Are you there" in walk.shown(thread))
    walk.ended(thread, ("done",))


def _provenance(walk, thread):
    said = walk.texts(thread, "user")
    check(not [text for text in said if "task-notification" in text], said)
    check(said[0] == "Count the gears" and said[-1] == "Are you there", said)


def _unknown(walk):
    found = {}
    for thread in walk.threads():
        for item in walk.items(thread["id"]):
            if item["kind"] == "unknown":
                found[item.get("type", "?")] = found.get(item.get("type", "?"), 0) + 1
    check(not found, found)
