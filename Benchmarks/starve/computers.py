"""A hub, a computer with a screen, and two phones of the built program, and what their owner types."""

import asyncio
import json
import os
import subprocess
import time

from control import Control, Gone
from histories import Histories


class Trouble(Exception):
    """The rig itself cannot go on."""


class Computers:
    def __init__(self, tandem, work, is_short):
        self.tandem_path = tandem
        self.work = work
        self.is_short = is_short
        self.home = work / "home"
        self.shared = work / "shared"
        for folder in (self.home, self.shared):
            folder.mkdir()
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("XDG_", "TANDEM", "CODEX", "CLAUDE", "DISPLAY", "WAYLAND_", "DBUS_"))}
        self.environment = kept | {"HOME": str(self.home)}
        self.running = []
        self.asked = {role: Control(work / role) for role in ("desktop", "busy", "other")}
        self.said = {}

    def size(self, short, whole):
        return short if self.is_short else whole

    async def open(self):
        Histories(self.home).write(self.size(40, 370), self.size(8, 64))
        # Holes would be skipped, and what is all the same packed.
        for path in (self.shared / "large", self.work / "upload"):
            with open(path, "wb") as file:
                for _ in range(64):
                    file.write(os.urandom(1 << 20))
        self.start_screen()
        self.start("hub", "hub", "--listen", "127.0.0.1:0")
        self.start("desktop", "desktop", "--listen", "127.0.0.1:0", "--bridge", "off", "--yes", "--no-discovery",
                   "--hub", self.said["hub"]["url"], "--share", self.shared, "--share", "/usr")
        for phone in ("busy", "other"):
            self.start(phone, "phone", "--no-discovery", "--name", phone)
            await self.hears(phone)
            shown = await self.asked["desktop"].call("pair.show")
            await self.asked[phone].call("pair.scan", text=shown["payload"], limit=60)
            await self.tandem("devices", "allow", self.said[phone]["did"], "file", "threads.read", "clipboard", "display")
        # A first list, so that the index is there.
        await self.ask("threads.list", limit=5)

    def start_screen(self):
        reading, writing = os.pipe()
        try:
            process = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "1920x1080x24", "-nolisten", "tcp"],
                                       pass_fds=(writing,), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except OSError as error:
            raise Trouble(f"the computer has no screen: {error}. bin/setup --tests brings Xvfb") from None
        finally:
            os.close(writing)
        self.running.append(process)
        with os.fdopen(reading) as said:
            number = said.readline().strip()
        if not number:
            raise Trouble("the computer has no screen: Xvfb did not start")
        self.environment["DISPLAY"] = f":{number}"

    def start(self, name, role, *options):
        command = [self.tandem_path, role, "--state", self.work / name, "--json", "--page", "off", *options]
        with open(self.work / f"{name}.log", "ab") as log:
            process = subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL,
                                       env=self.environment, text=True)
        self.running.append(process)
        try:
            self.said[name] = json.loads(process.stdout.readline())
        except ValueError:
            raise Trouble(f"{name} did not start: {(self.work / (name + '.log')).read_text()[-600:]}") from None

    async def hears(self, name):
        until = time.monotonic() + 20
        while True:
            try:
                return await self.asked[name].call("status", limit=10)
            except Gone as error:
                if time.monotonic() > until:
                    raise Trouble(f"{name}: {error}") from None
                await asyncio.sleep(0.05)

    async def tandem(self, *words, limit=120):
        """A command as the owner types it."""
        def run():
            return subprocess.run([self.tandem_path, *words, "--state", str(self.work / "desktop")], env=self.environment, timeout=limit,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            done = await asyncio.to_thread(run)
        except subprocess.TimeoutExpired:
            raise Trouble(f"tandem {' '.join(words)} had no answer in {limit} s") from None
        if done.returncode:
            raise Trouble(f"tandem {' '.join(words)}: {done.stdout.strip()}")

    async def ask(self, method, phone="busy", **params):
        return await self.asked[phone].call("call", method=method, params=params, timeout=300, limit=310)

    async def close(self):
        for control in self.asked.values():
            await control.close()

    def end(self):
        for process in reversed(self.running):
            process.terminate()
        for process in reversed(self.running):
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
