"""A hub, a computer with a screen, and two phones of the built program, and what their owner types."""

import asyncio
import os

from control import Control
from histories import Histories
from rig import Home


class Computers(Home):
    def __init__(self, is_short, is_kept):
        super().__init__(is_kept=is_kept)
        self.is_short = is_short
        self.shared = self.folder / "shared"
        self.shared.mkdir()
        self.asked = {role: Control(self.state(role)) for role in ("desktop", "busy", "other")}

    def size(self, short, whole):
        return short if self.is_short else whole

    async def open(self):
        Histories(self.home).write(self.size(40, 370), self.size(8, 64))
        # Holes would be skipped, and what is all the same packed.
        for path in (self.shared / "large", self.folder / "upload"):
            with open(path, "wb") as file:
                for _ in range(64):
                    file.write(os.urandom(1 << 20))
        self.start_screen("1920x1080x24")
        self.start("hub", "--page", "off", "--listen", "127.0.0.1:0")
        self.start("desktop", "--page", "off", "--listen", "127.0.0.1:0", "--bridge", "off", "--yes", "--no-discovery",
                   "--hub", self.said["hub"]["url"], "--share", self.shared, "--share", "/usr")
        for phone in ("busy", "other"):
            self.start(phone, "--page", "off", "--no-discovery", "--name", phone, role="phone")
            self.pair("file", "threads.read", "clipboard", "display", phone=phone)
            await self.asked[phone].ready()
        # A first list, so that the index is there.
        await self.ask("threads.list", limit=5)

    async def types(self, *words):
        """A command as the owner types it."""
        await asyncio.to_thread(self.run, "desktop", *words, timeout=120)

    async def ask(self, method, phone="busy", **params):
        return await self.asked[phone].call("call", method=method, params=params, timeout=300, limit=310)

    async def close(self):
        for control in self.asked.values():
            await control.close()
