"""The steps that are walked with each agent. A step that fails is told, and the others go on where they can."""

import time
import traceback

from household import Trouble, until


class Walk:
    def __init__(self, agent, household, model):
        self.agent = agent
        self.household = household
        self.model = model
        self.passed = []
        self.failed = []

    def step(self, name, body):
        """Runs a step and prints how it went. Returns what the step returns; nothing where it failed."""
        began = time.monotonic()
        try:
            value = body()
        except (Trouble, AssertionError, KeyError, IndexError, OSError, ValueError) as error:
            said = f"{type(error).__name__}: {error}".splitlines()
            where = traceback.extract_tb(error.__traceback__)[-1]
            print(f"FAILED {self.agent}: {name}: {said[0][:600]} ({where.name}:{where.lineno})", flush=True)
            self.failed.append(name)
            return None
        print(f"ok     {self.agent}: {name} ({time.monotonic() - began:.1f} s)", flush=True)
        self.passed.append(name)
        return value

    # What people do, by the commands that they have.

    def threads(self):
        return self.household.json("desktop", "threads", "list", "--all")["items"]

    def thread(self, name):
        return next((thread for thread in self.threads() if thread["id"] == name), None)

    def start(self, text):
        answer = self.household.json("desktop", "threads", "start", "--agent", self.agent, "--folder", str(self.household.work), text)
        return answer["thread"]["id"]

    def post(self, thread, text):
        return self.household.json("desktop", "threads", "post", thread, text)

    def items(self, thread):
        return self.household.json("desktop", "threads", "show", thread, "--all", "--full")["items"]

    def shown(self, thread):
        return self.household.run("desktop", "threads", "show", thread, "--all", "--full")

    def state(self, thread):
        return (self.thread(thread) or {}).get("state")

    def ended(self, thread, states=("done", "failed", "idle")):
        return until(lambda: self.state(thread) in states and self.thread(thread))

    def requests(self):
        return self.household.json("desktop", "threads", "approve")["items"]

    def request(self):
        return until(self.requests)[0]

    def texts(self, thread, kind):
        """The texts of the items of one kind, in order."""
        return [item.get("text", "") for item in self.items(thread) if item["kind"] == kind]


def check(condition, otherwise):
    """Like `assert`, with what was there instead."""
    if not condition:
        raise Trouble(str(otherwise))
