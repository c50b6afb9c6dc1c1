"""A session bus of the tests' own: no program shows notifications on it unless a test starts one."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

# Without folders of services: the bus starts nothing by itself, whatever this machine has installed.
CONFIGURATION = """<busconfig><type>session</type><listen>unix:dir={folder}</listen>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
"""


class SessionBus:
    """Use as a context manager; `environment` is for programs that shall use it."""

    def __init__(self, environment=None):
        self.more = dict(environment or {})
        self.running = []

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-bus."))
        configuration = self.folder / "bus.conf"
        configuration.write_text(CONFIGURATION.format(folder=self.folder))
        daemon = subprocess.Popen(
            ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile", "--print-address"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        self.running.append(daemon)
        address = daemon.stdout.readline().strip()
        if not address:
            self.__exit__()
            raise RuntimeError("dbus-daemon did not start")
        self.environment = {**self.more, "DBUS_SESSION_BUS_ADDRESS": address}
        return self

    def __exit__(self, *_):
        for process in reversed(self.running):
            process.kill()
            process.wait(10)
            if process.stdout:
                process.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, *command, **options):
        """A program on this bus, until the bus ends."""
        process = subprocess.Popen(command, env=os.environ | self.environment, stdin=subprocess.DEVNULL, **options)
        self.running.append(process)
        return process

    def run(self, *command):
        """Its output."""
        return subprocess.run(command, env=os.environ | self.environment, capture_output=True, text=True, check=True, timeout=60).stdout

    def notify(self, app, title, body="", *options):
        """Shows something as any program does."""
        self.run("notify-send", f"--app-name={app}", *options, "--", title, body)

    def asks(self, app, title, *actions):
        """Shows something with buttons, `KEY=LABEL`; the process prints the one that is pressed, and ends."""
        buttons = [f"--action={action}" for action in actions]
        return self.start("notify-send", f"--app-name={app}", *buttons, "--wait", "--", title, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def monitor(self, path):
        """Writes everything that is said about notifications on this bus to a file."""
        with open(path, "wb") as file:
            return self.start("dbus-monitor", "--address", self.environment["DBUS_SESSION_BUS_ADDRESS"], "interface='org.freedesktop.Notifications'", stdout=file, stderr=subprocess.DEVNULL)

    def has_service(self):
        """Whether a program shows notifications on this bus by now."""
        answer = self.run("gdbus", "call", "--session", "--dest=org.freedesktop.DBus", "--object-path=/org/freedesktop/DBus", "--method=org.freedesktop.DBus.NameHasOwner", "org.freedesktop.Notifications")
        return "true" in answer


def displayed(bus):
    """What dunst has on its screen, or had: titles."""
    bus.run("dunstctl", "close-all")
    return [each["summary"]["data"] for each in json.loads(bus.run("dunstctl", "history"))["data"][0]]
