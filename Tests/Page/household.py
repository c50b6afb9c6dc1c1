"""A hub, a computer and a phone as real processes, each with its page, for tests in a real browser."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Rig"))
from rig import ROOT, Home, until  # noqa: E402, F401

ROLES = ("hub", "desktop", "phone")


class Household(Home):
    """Starts the three programs. `servers` are settings of the hub's and the computer's own server."""

    until = staticmethod(until)

    def __init__(self, *, environment=None, desktop=(), phone=(), servers=None, program=None):
        super().__init__(environment=environment, program=program)
        self.environment.setdefault("XDG_DATA_HOME", str(self.folder / "data"))
        self.shared = self.home / "shared"
        self.shared.mkdir()
        self.options = {"hub": (), "desktop": tuple(desktop), "phone": tuple(phone)}
        for role in ("hub", "desktop") if servers else ():
            self.state(role).mkdir(mode=0o700)
            (self.state(role) / "config.json").write_text(json.dumps(servers))

    def __enter__(self):
        try:
            for role in ROLES:
                self.start(role)
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self, role):
        """Starts a role; the second time on the ports it had before."""
        options = ["--log-level", "info", "--page", self.page_of(role).removeprefix("http://") if role in self.said else "127.0.0.1:0"]
        if role != "phone":
            options += ["--listen", self.listen(role)]
        if role != "hub":
            options += ["--hub", self.said["hub"]["url"], "--no-discovery"]
        if role == "desktop":
            options += ["--share", self.shared, "--bridge", "off"]
        return super().start(role, *options, *self.options[role])

    def restart(self, role, *how):
        self.stop(role, *how)
        self.start(role)

    def link(self, role):
        """A link that signs one browser in."""
        return self.json(role, "page", "--role", role)["url"]

    def page_of(self, role):
        return self.said[role]["page"]["url"]

    def computer(self):
        """The computer's device id, as the phone knows it."""
        return self.json("phone", "devices", "list", "--role", "phone")["devices"][0]["id"]
