"""What people do with Claude Code: its stream of JSON behind Tandem, and its transcripts."""

import json
from pathlib import Path

import steps
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
    version = walk.step("is installed", lambda: steps.installed(walk))
    if not version:
        return walk
    print(f"       {version}", flush=True)
    thread = walk.step("starts a thread, which is listed by what was said", lambda: steps.start(walk))
    if not thread:
        return walk
    walk.step("shows each thing once", lambda: steps.shows(walk, thread))
    walk.step("is found by its words", lambda: steps.search(walk, thread))
    walk.step("is followed and answered", lambda: steps.follow(walk, thread))
    walk.step("a command is declined, and then allowed", lambda: steps.command(walk, thread))
    walk.step("a change of files is allowed", lambda: _change(walk, thread))
    walk.step("a question is answered, and shows what is said about its choices", lambda: _question(walk, thread))
    walk.step("a turn is stopped", lambda: steps.cancel(walk, thread))
    walk.step("words reach a running turn, once", lambda: _steer(walk, thread))
    walk.step("a helper's request outlives the turn", lambda: _helper(walk, thread))
    walk.step("goes on after the computer's restart", lambda: steps.restart(walk, thread))
    walk.step("what a task tells is not the person's", lambda: _provenance(walk, thread))
    walk.step("no record is of an unknown kind", lambda: steps.unknown(walk))
    walk.step("the model understood what was asked of it", lambda: steps.understood(walk))
    return walk









def _change(walk, thread):
    path = walk.household.work / "count.txt"
    request = steps.asked(walk, thread, f"Write {path} now", "--allow")
    check(request["kind"] == "change" and "count.txt" in json.dumps(request), request)
    check(path.read_text() == "twelve\n", "another text")


def _question(walk, thread):
    request = steps.asked(walk, thread, "Ask me", "--answer", "0=Blue")
    asked = request["questions"][0]
    check(asked["text"] == "Which colour?" and asked["header"] == "Colour", asked)
    check([detail.get("text") for detail in asked["details"]] == ["Like blood", "Like the sea"], asked)
    check(asked["details"][0].get("preview") == "###", asked)
    check("Blue" in walk.texts(thread, "agent")[-1], walk.texts(thread, "agent")[-1])



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
    walk.household.run("desktop", "threads", "approve", request["id"], "--allow")
    until(lambda: (walk.household.work / "helped.txt").exists())
    walk.ended(thread, ("done",))



def _provenance(walk, thread):
    said = walk.texts(thread, "user")
    check(not [text for text in said if "task-notification" in text], said)
    check(said[0] == "Count the gears" and said[-1] == "Are you there", said)
