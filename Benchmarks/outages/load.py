"""What goes on while lines break: a terminal, a file, queued commands; and what must not be lost or done twice."""

import asyncio
import hashlib
import os
import re
import shutil
import time

from control import Control, Gone, Refused

# The first follows what the shell writes about its prompt.
LINE = re.compile(r"(?:^|\r)line (\d+)$")
# Typed into a shell. What it echoes does not look like what it writes.
SCRIPT = "stty -echo; i=0; while sleep 0.05; do i=$((i+1)); printf 'li''ne %d\\n' $i; done\n"


class Faults(list):
    """What was lost or doubled, or failed with nothing to excuse it."""

    def __init__(self):
        super().__init__()
        self.context = "at the start"

    def add(self, text):
        self.append(f"{self.context}: {text}")


class TerminalLoad:
    """A shell on the computer that writes numbered lines. Each must come once and in order, whatever the lines do.

    A computer that is killed takes its shells with it; then another is opened. A phone that is killed comes back to the same.
    """

    def __init__(self, house, faults):
        self.house = house
        self.faults = faults
        self.lines = 0
        self.shells = 0
        self.last = 0
        self.moved_at = 0.0
        self.session = None
        self._rest = ""
        self._is_attached_anew = False

    def take(self, item):
        if "notice" in item:
            self.faults.add(f"terminal: {item['notice']}")
            self._rest, self._is_attached_anew = "", True
            return
        *lines, self._rest = (self._rest + item.get("text", "")).split("\n")
        for line in lines:
            if found := LINE.search(line.rstrip("\r")):
                self.number(int(found[1]))

    def number(self, number):
        if self._is_attached_anew and number <= self.last + 1:
            # What was shown before the phone ended is shown again, as one piece.
            self.last = number - 1
        self._is_attached_anew = False
        if number != self.last + 1:
            what = f"lines {self.last + 1} to {number - 1} are lost" if number > self.last else f"line {number} came again"
            self.faults.add(f"terminal: {what}")
        self.last = number
        self.lines += 1
        self.moved_at = time.monotonic()

    async def run(self):
        while True:
            generation = self.house.computer.generation
            phone_generation = self.house.phone.generation
            control = Control(self.house.state("phone"))
            try:
                await control.connect()
            except Gone:
                # A phone that starts does not listen yet.
                await asyncio.sleep(0.05)
                continue
            try:
                await self.show(control)
                ended = "it ended by itself"
            except (Gone, Refused) as error:
                ended = str(error)
            finally:
                await control.close()
            # Sockets end before it is known that their process was killed.
            await asyncio.sleep(0.2)
            if self.house.computer.generation != generation or not self.house.computer.is_running():
                self.session = None
            elif self.house.phone.generation != phone_generation or not self.house.phone.is_running():
                pass
            elif self.session:
                self.faults.add(f"terminal: {ended}")
                self.session = None

    async def show(self, control):
        self._rest = ""
        if self.session:
            self._is_attached_anew = True
            number, ended = control.begin("terminal.open", self.take, cols=80, rows=24, sessionId=self.session)
            await ended
            return
        # Which session it is stands in the list only; there is one.
        self.last = 0
        self._is_attached_anew = False
        number, ended = control.begin("terminal.open", self.take, cols=80, rows=24, shell="bash")
        control.tell(number, {"text": SCRIPT})
        self.shells += 1
        naming = asyncio.create_task(self.name_session())
        try:
            await ended
        finally:
            naming.cancel()

    async def name_session(self):
        asked = Control(self.house.state("phone"))
        try:
            while not self.session:
                try:
                    listed = await asked.call("call", method="terminal.list", params={"subscribe": False}, timeout=10)
                    if alive := [one for one in listed["sessions"] if one["alive"]]:
                        self.session = max(alive, key=lambda one: one["createdAt"])["id"]
                except (Gone, Refused):
                    pass
                await asyncio.sleep(0.2)
        finally:
            await asked.close()


class FileLoad:
    """Sends a file, fetches it and compares, again and again."""

    SIZE = 24_000_000

    def __init__(self, house, faults):
        self.house = house
        self.faults = faults
        self.files = 0
        self.again = 0
        self.moved_at = 0.0
        self.here = house.folder / "here"
        self.here.mkdir()
        self.source = self.here / "sent"
        self.pool = os.urandom(self.SIZE)
        self.is_ending = False

    def progress(self, item):
        if "done" in item:
            self.moved_at = time.monotonic()

    async def run(self):
        count = 0
        while not self.is_ending:
            count += 1
            name = f"file-{count}"
            digest = await asyncio.to_thread(self.write, count)
            remote = str(self.house.shared / "sent")
            if not await self.through("files.put", local=str(self.source), remote=str(self.house.shared)):
                continue
            if not await self.through("files.get", remote=remote, local=str(self.here), name=name):
                continue
            there = await asyncio.to_thread(self.digest, self.house.shared / "sent")
            back = await asyncio.to_thread(self.digest, self.here / name)
            if there != digest or back != digest:
                side = "at the computer" if there != digest else "fetched back"
                self.faults.add(f"file {count}: the bytes differ, {side}")
            self.files += 1
            (self.here / name).unlink(missing_ok=True)

    def write(self, count):
        size = self.SIZE - count % 1000
        start = count.to_bytes(8, "big")
        self.source.write_bytes(start + self.pool[8:size])
        return self.digest(self.source)

    @staticmethod
    def digest(path):
        try:
            with open(path, "rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            return str(error)

    async def through(self, method, **params):
        """Gives the command until it succeeds. A program that was killed is a reason to give it again; or a computer that was away
        when it was given."""
        for _ in range(200):
            generations = (self.house.computer.generation, self.house.phone.generation)
            known = self.moved_at
            control = Control(self.house.state("phone"))
            try:
                await control.connect()
            except Gone:
                await asyncio.sleep(0.05)
                continue
            try:
                await control.call(method, limit=400, on_item=self.progress, replace=True, **params)
                self.moved_at = time.monotonic()
                return True
            except (Gone, Refused) as error:
                await asyncio.sleep(0.2)
                both = self.house.computer.is_running() and self.house.phone.is_running()
                # One that did not begin, because the computer was away, has lost nothing.
                did_begin = self.moved_at > known or not self.house.was_apart
                if both and did_begin and generations == (self.house.computer.generation, self.house.phone.generation):
                    self.faults.add(f"file: {method}: {error}")
                self.again += 1
            finally:
                await control.close()
            await asyncio.sleep(0.3)
        self.faults.add(f"file: {method} did not succeed in 200 attempts")
        return False

    def check_left(self):
        left = [*self.house.shared.rglob("*tandem-part*"), *self.here.rglob("*tandem-part*")]
        if left:
            self.faults.add(f"file: left behind: {', '.join(str(one) for one in left)}")


class QueueLoad:
    """Commands queued in one outage, and the log that shows which were done, in which order, and how often.

    `cur` is a link to the folder D0; every folder Dj has a link go-i to D(j+1) for each command i, which renames cur/go-i to cur.
    Whenever it is done, also when it is done again, cur moves on by one folder and go-i is gone from the folder it left.
    """

    COMMANDS = 5

    def __init__(self, house, faults):
        self.house = house
        self.faults = faults
        self.course = house.shared / "course"
        self.commands = 0
        self.unknown = 0
        self._task = None

    def begin(self, random, spread):
        """Starts to queue commands, over so many seconds."""
        shutil.rmtree(self.course, ignore_errors=True)
        for folder in range(self.COMMANDS + 3):
            (self.course / f"D{folder}").mkdir(parents=True)
            if folder < self.COMMANDS + 2:
                for command in range(self.COMMANDS):
                    (self.course / f"D{folder}" / f"go-{command}").symlink_to(f"D{folder + 1}")
        (self.course / "cur").symlink_to("D0")
        self.said = {}
        self._task = asyncio.create_task(self.queue([random.uniform(0, spread / self.COMMANDS) for _ in range(self.COMMANDS)]))

    async def queue(self, waits):
        control = Control(self.house.state("phone"))
        for command, wait in enumerate(waits):
            await asyncio.sleep(wait)
            self.commands += 1
            cur = self.course / "cur"
            params = {"path": f"{cur}/go-{command}", "newPath": str(cur), "overwrite": True}
            try:
                answer = await control.call("queue.call", method="file.rename", params=params, timeout=1, limit=30)
                self.said[command] = ("queued", answer)
            except Refused as error:
                self.said[command] = ("refused", str(error))
            except Gone:
                # The phone was killed under it: it may be in the log or not.
                self.said[command] = ("gone", None)
                await asyncio.sleep(0.3)
        await control.close()

    async def settle(self, limit, may_be_unknown):
        """Waits until every command was done, and reads the log."""
        await self._task
        control = Control(self.house.state("phone"))
        until = time.monotonic() + limit
        entries = None
        while True:
            try:
                entries = (await control.call("queue.list", limit=10))["commands"]
                if not any(entry["status"] in ("pending", "sending") for entry in entries):
                    break
            except (Gone, Refused):
                pass
            if time.monotonic() > until:
                self.faults.add(f"queue: it did not drain in {limit:.0f} s: {entries}")
                break
            await asyncio.sleep(0.1)
        self.check(entries or [], may_be_unknown)
        if entries:
            try:
                await control.call("queue.clear", limit=10)
            except (Gone, Refused) as error:
                self.faults.add(f"queue: not cleared: {error}")
        await control.close()

    def check(self, entries, may_be_unknown):
        failed = {entry["id"]: entry for entry in entries if entry["status"] == "failed"}
        done = []
        for folder in range(self.COMMANDS + 2):
            left = [one for one in range(self.COMMANDS) if not (self.course / f"D{folder}" / f"go-{one}").is_symlink()]
            if not left:
                break
            done += left
            if len(left) > 1:
                self.faults.add(f"queue: a folder was left more than once: {done}")
        if len(set(done)) != len(done):
            self.faults.add(f"queue: a command was done twice: {done}")
        elif done != sorted(done):
            self.faults.add(f"queue: out of order: {done}")
        for entry in failed.values():
            if not may_be_unknown or "stopped while it did this" not in str(entry):
                self.faults.add(f"queue: it failed: {entry}")
        for command, (outcome, answer) in self.said.items():
            if outcome == "gone":
                continue
            if outcome == "refused":
                if may_be_unknown and "stopped while it did this" in answer:
                    self.unknown += 1
                else:
                    self.faults.add(f"queue: command {command} was refused: {answer}")
            elif (answer.get("command") or {}).get("id") in failed:
                self.unknown += 1
            elif command not in done:
                self.faults.add(f"queue: command {command} was lost; done: {done}")


class Load:
    def __init__(self, house, faults):
        self.faults = faults
        self.terminal = TerminalLoad(house, faults)
        self.file = FileLoad(house, faults)
        self.queue = QueueLoad(house, faults)

    def start(self):
        self.tasks = [asyncio.create_task(self.terminal.run()), asyncio.create_task(self.file.run())]

    async def goes_on(self, since, limits=(5.0, 15.0)):
        """After an outage the terminal and the file go on by themselves, in so many seconds."""
        begun = time.monotonic()
        for name, one, limit in (("terminal", self.terminal, limits[0]), ("file", self.file, limits[1])):
            while one.moved_at <= since and time.monotonic() - begun < limit:
                await asyncio.sleep(0.02)
            if one.moved_at <= since:
                self.faults.add(f"{name}: it did not go on within {limit:.0f} s")
        for task in self.tasks:
            if task.done() and task.exception():
                raise task.exception()

    async def stop(self):
        """Lets the file under way come to its end and be compared."""
        self.file.is_ending = True
        _, late = await asyncio.wait([self.tasks[1]], timeout=60)
        if late:
            self.faults.add("file: the last one did not end within 60 s")
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.file.check_left()
