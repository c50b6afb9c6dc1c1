"""What people do with Codex: `codex app-server` behind Tandem, and its rollouts."""

import json
import shutil
import subprocess
from pathlib import Path

import steps
from household import Household, Trouble, until
from model import Model
from script import Call, Hold, Say, Think, play
from walk import Walk, check

CONFIG = """
model = "scripted"
model_provider = "loopback"
model_reasoning_summary = "detailed"
approval_policy = "{policy}"
sandbox_mode = "{sandbox}"

[model_providers.loopback]
name = "Loopback"
base_url = "{url}/v1"
wire_api = "responses"

[features]
default_mode_request_user_input = true
request_permissions_tool = true

[mcp_servers.asking]
command = "{python}"
args = ["{server}"]
"""

PATCH = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: count.txt\n+twelve\n*** End Patch\nEOF"
QUESTION = {
    "questions": [
        {
            "id": "colour",
            "header": "Colour",
            "question": "Which colour?",
            "options": [{"label": "Red", "description": "Like blood"}, {"label": "Blue", "description": "Like the sea"}],
        }
    ]
}


def once(call, end="It is done."):
    """Calls a tool, then says how it went."""
    return lambda asked: [call] if not asked.results else [Say(f"{end} {asked.results[-1][-200:]}")]


def command(line, why=None):
    more = {"sandbox_permissions": "require_escalated", "justification": why} if why else {}
    return Call("exec_command", {"cmd": line, **more})


PARTS = {
    "count": lambda asked: [Think("Gears have teeth."), Say("First I look."), command("ls no-such-folder")]
    if not asked.results
    else [Say("There are twelve.")],
    "touch": once(command("touch made.txt", "May I make a file?")),
    "patch": once(command(PATCH)),
    "ask": once(Call("request_user_input", QUESTION)),
    "permit": once(Call("request_permissions", {"permissions": {"network": {"enabled": True}}, "reason": "To look it up"})),
    "elicit": once(Call("choose", {}, "mcp__asking")),
    "hold": lambda asked: [Say("I begin."), Hold("hold"), Say("I am through.")],
    "wait": lambda asked: [command("sleep 0.1"), ] if not asked.results else [Hold("wait"), Say("Waited.")],
}


def program():
    """Where the Python package keeps the program."""
    import codex_cli_bin

    return Path(codex_cli_bin.__file__).parent / "bin/codex"


def walk(quick):
    with Household() as household:
        model = Model(play(PARTS))
        try:
            return _walk(Walk("codex", household, model), quick)
        finally:
            model.close()


def _walk(walk, quick):
    household = walk.household
    household.install("codex", program())
    home = household.home / ".codex"
    home.mkdir()
    python = shutil.which("python3") or "python3"
    server = Path(__file__).with_name("asking_server.py")
    sandbox = {"policy": "on-request", "sandbox": "read-only"}
    (home / "config.toml").write_text(CONFIG.format(url=walk.model.url, python=python, server=server, **sandbox))
    household.start()
    version = walk.step("is installed", lambda: steps.installed(walk))
    if not version:
        return walk
    print(f"       {version}", flush=True)

    thread = walk.step("starts a thread, which is listed by what was said", lambda: steps.start(walk))
    if not thread:
        return walk
    walk.step("shows each thing once", lambda: _shows(walk, thread))
    walk.step("is found by its words", lambda: steps.search(walk, thread))
    walk.step("is followed and answered", lambda: steps.follow(walk, thread))
    walk.step("a command is declined, and then allowed", lambda: steps.command(walk, thread, declined="idle"))
    walk.step("a change of files is allowed", lambda: _change(walk, thread))
    walk.step("a question is answered", lambda: _question(walk, thread))
    walk.step("permissions are allowed", lambda: _permissions(walk, thread))
    walk.step("a server's question is answered", lambda: _elicitation(walk, thread))
    walk.step("a turn is stopped", lambda: steps.cancel(walk, thread))
    walk.step("words reach a running turn", lambda: _steer(walk, thread))
    walk.step("goes on after the computer's restart", lambda: steps.restart(walk, thread))
    walk.step("a fork has what was before it", lambda: _fork(walk, thread, home))
    walk.step("no record is of an unknown kind", lambda: steps.unknown(walk))
    walk.step("the model understood what was asked of it", lambda: steps.understood(walk))
    return walk




def _shows(walk, thread):
    steps.shows(walk, thread)
    check(walk.texts(thread, "reasoning") == ["Gears have teeth."], walk.items(thread))
    check("no-such-folder" in walk.shown(thread), walk.shown(thread))






def _change(walk, thread):
    request = steps.asked(walk, thread, "Patch it", "--allow")
    check("count.txt" in json.dumps(request), request)
    check((walk.household.work / "count.txt").read_text() == "twelve\n", "another text")
    check("change" in [item["kind"] for item in walk.items(thread)], walk.items(thread)[-4:])


def _question(walk, thread):
    request = steps.asked(walk, thread, "Ask me", "--answer", "colour=Blue")
    check("Which colour?" in json.dumps(request), request)
    check("Blue" in walk.texts(thread, "agent")[-1], walk.texts(thread, "agent")[-1])


def _permissions(walk, thread):
    request = steps.asked(walk, thread, "Permit it", "--allow")
    check("Network" in json.dumps(request), request)


def _elicitation(walk, thread):
    walk.post(thread, "Elicit it")
    # Codex asks first whether the tool may be used.
    for _ in range(2):
        request = until(lambda: walk.requests() or walk.state(thread) == "done" and [None])[0]
        if request is None:
            break
        asks = request["kind"] == "questions"
        answer = ("--answer", "size=Large") if asks else ("--allow",)
        walk.household.run("desktop", "threads", "approve", request["id"], *answer)
        if asks:
            break
    walk.ended(thread, ("done", "failed"))
    check("Large" in walk.texts(thread, "agent")[-1], walk.texts(thread, "agent")[-1])



def _steer(walk, thread):
    walk.post(thread, "Wait for me")
    until(lambda: any(asked.prompt == "Wait for me" and asked.results for asked in walk.model.asked))
    walk.post(thread, "Here I am")
    walk.model.open("wait")
    walk.ended(thread, ("done", "failed"))
    until(lambda: "You said: Here I am" in walk.shown(thread))
    check(walk.texts(thread, "user").count("Here I am") == 1, walk.texts(thread, "user"))



def _fork(walk, thread, home):
    """Made by Codex's own program, as a person at the computer does."""
    server = AppServer(program(), walk.household)
    try:
        fork = server.ask("thread/fork", threadId=thread)["thread"]["id"]
        turn = server.ask("turn/start", threadId=fork, input=[{"type": "text", "text": "A question of the fork", "text_elements": []}])
        server.until(lambda said: said.get("method") == "turn/completed" and said["params"]["turn"]["id"] == turn["turn"]["id"])
    finally:
        server.close()
    until(lambda: walk.thread(fork))
    said = walk.texts(fork, "user")
    check(said[0] == "Count the gears" and said[-1] == "A question of the fork", said)
    check("A question of the fork" not in walk.texts(thread, "user"), "the parent has its child's words")
    return fork



class AppServer:
    """Codex's server by itself, beside the one that Tandem runs."""

    def __init__(self, program, household):
        self.process = subprocess.Popen(
            [program, "app-server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=household.environment,
            cwd=household.work,
        )
        self.number = 0
        self.ask("initialize", clientInfo={"name": "walk", "title": "Walk", "version": "1"}, capabilities={"experimentalApi": True})
        self._write({"method": "initialized"})

    def _write(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def until(self, wanted):
        for line in self.process.stdout:
            said = json.loads(line)
            if wanted(said):
                return said
        raise Trouble("codex app-server ended")

    def ask(self, method, **parameters):
        self.number += 1
        number = self.number
        self._write({"id": number, "method": method, "params": parameters})
        said = self.until(lambda said: said.get("id") == number and "method" not in said)
        if "error" in said:
            raise Trouble(f"{method}: {said['error']}")
        return said["result"]

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)
        self.process.stdout.close()
