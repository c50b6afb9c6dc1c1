"""A computer as a real process with a home of its own, in which real agents are installed."""

import subprocess
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Rig"))
from rig import ROOT, Home, Trouble, until  # noqa: E402, F401

# An agent finds no key and no account of the person who runs it.
SEEN = ("PATH", "LANG", "TERM", "USER", "SHELL", "HOME")


class Household(Home):
    def __init__(self):
        super().__init__()
        self.work = self.home / "gears"
        self.bin = self.home / ".local/bin"
        for folder in (self.work, self.bin):
            folder.mkdir(parents=True)
        self.environment = {name: value for name, value in self.environment.items() if name in SEEN}

    def install(self, name, program):
        """Puts an agent where a person's own programs are."""
        (self.bin / name).symlink_to(program)

    def start(self):
        super().start("desktop", "--listen", "127.0.0.1:0", "--no-discovery", "--bridge", "off", "--page", "off")

    def stop(self, name="desktop", **how):
        for follower in self.commands:
            follower.terminate()
            follower.wait(10)
        self.commands.clear()
        super().stop(name, **how)

    def log(self):
        return super().log("desktop")

    def follow(self, thread):
        """What `tandem threads follow` prints from now on."""
        return Follower(self.begin("desktop", "threads", "follow", thread, stderr=subprocess.STDOUT))


class Follower:
    def __init__(self, process):
        self.text = ""
        self.process = process
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.text += line
