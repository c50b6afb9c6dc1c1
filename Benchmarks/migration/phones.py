"""Phones as programs of their own, followed through their control sockets: each state of the wizard with its time, and what the kernel says of the
process."""

import asyncio
import os
import threading
import time
from pathlib import Path

from control import Control
from rig import Trouble

TICK = os.sysconf("SC_CLK_TCK")
LIMIT = 3600


class Phone:
    """A running phone. Its control socket is read by a thread of its own, so that states have the time at which they came."""

    def __init__(self, home, name):
        self.home = home
        self.name = name
        # Of all its processes so far.
        self.processor = 0.0
        self.peaks = {}
        self.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        """How long it took until the phone answered, in seconds."""
        began = time.monotonic()
        self.home.start(self.name, "--no-discovery", "--page", "off", "--log-level", "error", role="phone")
        self.pid = self.home.processes[self.name].pid
        self.states = []
        self.changed = threading.Condition()
        self.failure = None
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.control = Control(self.home.state(self.name))
        self.wait(self.control.ready())
        return time.monotonic() - began

    def stop(self, kill=False):
        if self.name not in self.home.processes:
            return
        self.processor += self.seconds()
        (self.home.kill if kill else self.home.stop)(self.name)
        self.wait(self.control.close())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    # What it is asked

    def wait(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(LIMIT)

    def call(self, method, **params):
        return self.wait(self.control.call(method, limit=LIMIT, **params))

    def watch(self):
        """Follows the move that was just begun, until nothing more happens by itself."""
        self.memory("before")

        async def follow():
            try:
                # The last state is the answer; it need not have been told before.
                self.take(await self.control.call("migrate.watch", limit=LIMIT, on_item=self.take))
            except Exception as error:  # noqa: BLE001 - whoever waits is told
                with self.changed:
                    self.failure = error
                    self.changed.notify_all()

        self.following = asyncio.run_coroutine_threadsafe(follow(), self.loop)

    def take(self, state):
        with self.changed:
            if not self.states or self.states[-1][1]["step"] != state["step"]:
                self.memory(self.states[-1][1]["step"] if self.states else "before")
            self.states.append((time.monotonic(), state))
            self.changed.notify_all()

    def reaches(self, *steps, fraction=0.0, seconds=1800):
        """The first state of one of the steps, with its time."""
        def found():
            for at, state in self.states:
                if state["step"] in steps and state["doneBytes"] >= fraction * state["totalBytes"] and (not fraction or state["totalBytes"]):
                    return at, state
            return None

        with self.changed:
            if not self.changed.wait_for(lambda: found() or self.failure, seconds):
                raise Trouble(f"{self.name} did not come to {' or '.join(steps)}: {self.states[-1:]}")
            if not found():
                raise Trouble(f"{self.name} did not come to {' or '.join(steps)}: {self.failure}")
            return found()

    def first(self, step):
        """When it came to a step; nil where a quick one was not told."""
        with self.changed:
            return next((at for at, state in self.states if state["step"] == step), None)

    # What the kernel says

    def seconds(self):
        """What all threads took of a processor so far, and what the kernel did for them."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def memory(self, step):
        """Notes the most resident memory since the last look, in MiB, as that of a step."""
        try:
            for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
                if line.startswith("VmHWM:"):
                    self.peaks[step] = max(self.peaks.get(step, 0), int(line.split()[1]) / 1024)
            Path(f"/proc/{self.pid}/clear_refs").write_text("5")
        except (FileNotFoundError, ProcessLookupError):
            # It was killed between two states.
            return

    def peak(self, *steps):
        """The most in some steps; in all of them where none is named."""
        return max((value for step, value in self.peaks.items() if step in steps or not steps), default=0)
