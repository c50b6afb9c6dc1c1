"""A hub, a computer and a phone as real processes, each with its page, for tests in a real browser."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROLES = ("hub", "desktop", "phone")
# Which page is served may be chosen for a run; every other setting of the person who runs the tests stays out of them.
KEPT = ("TANDEM_PAGE_FILES", "TANDEM_PAGE_TERMINAL")


class Trouble(Exception):
    """A program did not do what the test needs."""


class Household:
    """Starts the three programs in a folder of their own, with ports that the system chooses.

    `TANDEM` names the program; else the release build is taken. `servers` are settings of the hub's and the computer's own server.
    """

    def __init__(self, *, environment=None, desktop=(), phone=(), servers=None):
        self.tandem = os.environ.get("TANDEM") or str(ROOT / ".build/release/tandem")
        self.folder = Path(tempfile.mkdtemp(prefix="tandem-page."))
        self.shared = self.folder / "home" / "shared"
        self.shared.mkdir(parents=True)
        self.environment = {name: value for name, value in os.environ.items() if name in KEPT or not name.startswith("TANDEM_")} | {
            "HOME": str(self.folder / "home"),
            "XDG_DATA_HOME": str(self.folder / "data"),
            **(environment or {}),
        }
        self.options = {"hub": (), "desktop": tuple(desktop), "phone": tuple(phone)}
        for role in ("hub", "desktop") if servers else ():
            self.state(role).mkdir(mode=0o700)
            (self.state(role) / "config.json").write_text(json.dumps(servers))
        self.processes = {}
        self.said = {}

    def __enter__(self):
        try:
            for role in ROLES:
                self.start(role)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        with contextlib.ExitStack() as stack:
            stack.callback(shutil.rmtree, self.folder, ignore_errors=True)
            for role in reversed(list(self.processes)):
                stack.callback(self.stop, role)

    def state(self, role):
        return self.folder / role

    def start(self, role):
        """Starts a role; the second time on the ports it had before."""
        before = self.said.get(role, {})
        arguments = [role, "--state", str(self.state(role)), "--json", "--log-level", "info"]
        arguments += ["--page", self.page_of(role).removeprefix("http://") if before else "127.0.0.1:0"]
        if role != "phone":
            arguments += ["--listen", f"127.0.0.1:{before.get('port', 0)}"]
        if role != "hub":
            arguments += ["--hub", self.said["hub"]["url"], "--no-discovery"]
        if role == "desktop":
            arguments += ["--share", str(self.shared), "--bridge", "off"]
        log = open(self.folder / f"{role}.log", "ab")
        with log:
            process = subprocess.Popen(
                [self.tandem, *arguments, *self.options[role]],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                env=self.environment,
            )
        self.processes[role] = process
        line = process.stdout.readline()
        if not line:
            raise Trouble(f"{role} did not start: {self.log(role)[-2000:]}")
        self.said[role] = json.loads(line)

    def stop(self, role, how=signal.SIGTERM):
        process = self.processes.pop(role, None)
        if process is None:
            return
        process.send_signal(how)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)
            raise Trouble(f"{role} did not end: {self.log(role)[-2000:]}") from None
        finally:
            process.stdout.close()

    def restart(self, role, how=signal.SIGTERM):
        self.stop(role, how)
        self.start(role)

    def log(self, role):
        return (self.folder / f"{role}.log").read_text(errors="replace")

    def run(self, role, *arguments, input="", timeout=60):
        """Runs a command at a role; its standard output."""
        done = subprocess.run(
            [self.tandem, *arguments, "--state", str(self.state(role))],
            input=input,
            capture_output=True,
            text=True,
            timeout=timeout,
            env=self.environment,
        )
        if done.returncode:
            raise Trouble(f"tandem {' '.join(arguments)}: {done.returncode}: {done.stderr}")
        return done.stdout

    def link(self, role):
        """A link that signs one browser in."""
        return json.loads(self.run(role, "page", "--role", role, "--json"))["url"]

    def page_of(self, role):
        return self.said[role]["page"]["url"]

    def pair(self, *rights):
        """Pairs the phone with the computer by command line, and allows it `rights`."""
        code = self.run("desktop", "pair", "show", "--text", "--no-wait")
        scan = subprocess.Popen(
            [self.tandem, "pair", "scan", "--text", "-", "--state", str(self.state("phone"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=self.environment,
        )
        scan.stdin.write(code)
        scan.stdin.close()
        try:
            request = self.until(lambda: json.loads(self.run("desktop", "pair", "requests", "--json"))["requests"])
            self.run("desktop", "pair", "accept", request[0]["id"])
            if scan.wait(30):
                raise Trouble(scan.stdout.read())
        finally:
            scan.kill()
            scan.wait(10)
            scan.stdout.close()
        if rights:
            self.run("desktop", "devices", "allow", ",".join(rights))

    def computer(self):
        """The computer's device id, as the phone knows it."""
        return json.loads(self.run("phone", "devices", "list", "--role", "phone", "--json"))["devices"][0]["id"]

    @staticmethod
    def until(ask, seconds=30):
        """Asks again until the answer is one; the answer."""
        end = time.monotonic() + seconds
        while True:
            answer = ask()
            if answer:
                return answer
            if time.monotonic() > end:
                raise Trouble("what was waited for did not come")
            time.sleep(0.05)
