"""The steps that every agent is walked through alike. What one agent alone does stands in its own walk."""

import json

from household import until
from walk import check


def installed(walk):
    agents = walk.household.json("desktop", "threads", "agents")["agents"]
    found = next(agent for agent in agents if agent["source"] == walk.agent)
    check(found.get("is_installed") and found.get("version"), found)
    return found["version"]


def start(walk):
    return listed(walk, walk.start("Count the gears"))


def listed(walk, thread, title="Count the gears"):
    """The thread, once its first turn is over and the list says so."""
    row = walk.ended(thread)
    check(row["title"] == title, row)
    check(row["state"] == "done", row)
    return thread


def shows(walk, thread):
    items = walk.items(thread)
    kinds = [item["kind"] for item in items]
    check(walk.texts(thread, "user") == ["Count the gears"], items)
    check(walk.texts(thread, "agent") == ["First I look.", "There are twelve."], items)
    check(kinds.count("call") == 1 and kinds.count("output") == 1, kinds)


def search(walk, thread):
    for words in ("twelve", "gears"):
        hits = until(lambda: walk.household.json("desktop", "threads", "search", words)["items"])
        check(any(hit["thread"]["id"] == thread for hit in hits), hits)


def follow(walk, thread):
    follower = walk.household.follow(thread)
    walk.post(thread, "Say it while I look")
    until(lambda: "You said: Say it while I look" in follower.text)
    walk.ended(thread)


def asked(walk, thread, text, *answer, leads_to="done"):
    """Posts, answers the request that comes of it, and returns the request. `leads_to` is the thread's state after the answer."""
    walk.post(thread, text)
    request = walk.request()
    walk.household.run("desktop", "threads", "approve", request["id"], *answer)
    walk.ended(thread, (leads_to, "failed"))
    check(walk.state(thread) == leads_to, walk.thread(thread))
    check(not walk.requests(), walk.requests())
    return request


def command(walk, thread, declined="done"):
    """`declined` is the state after a no: Codex declines a command with the turn that wants it, because it offers nothing else."""
    made = walk.household.work / "made.txt"
    request = asked(walk, thread, "Touch a file", "--decline", leads_to=declined)
    check("touch made.txt" in json.dumps(request), request)
    check(not made.exists(), "it ran although it was declined")
    asked(walk, thread, "Touch it now", "--allow")
    check(made.exists(), walk.shown(thread)[-1500:])


def cancel(walk, thread):
    walk.post(thread, "Hold on")
    until(lambda: walk.state(thread) == "running")
    until(lambda: any("Hold on" in prompt for asked in walk.model.asked for prompt in asked.prompts))
    walk.household.run("desktop", "threads", "cancel", thread)
    until(lambda: walk.state(thread) == "idle")
    walk.model.open("hold")
    check("I am through." not in walk.shown(thread), "it went on")


def restart(walk, thread):
    walk.household.stop()
    walk.household.start()
    walk.post(thread, "Are you there")
    until(lambda: "You said: Are you there" in walk.shown(thread))
    walk.ended(thread, ("done",))


def unknown(walk):
    found = {}
    for thread in walk.threads():
        for item in walk.items(thread["id"]):
            if item["kind"] == "unknown":
                found[item.get("type", "?")] = found.get(item.get("type", "?"), 0) + 1
    check(not found, found)


def understood(walk):
    check(not walk.model.troubles, walk.model.troubles)
