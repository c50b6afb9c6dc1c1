"""A computer as a real process with a home of its own, in which real agents are installed."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Trouble(Exception):
    """A program did not do what the walk needs."""


class Household:
    """Starts `tandem desktop`. `TANDEM` names the program; else the release build is taken."""

    def __init__(self):
        self.tandem = os.environ.get("TANDEM") or str(ROOT / ".build/release/tandem")
        self.folder = Path(tempfile.mkdtemp(prefix="tandem-agents."))
        self.home = self.folder / "home"
        self.work = self.home / "gears"
        self.bin = self.home / ".local/bin"
        for folder in (self.work, self.bin):
            folder.mkdir(parents=True)
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "TERM", "USER", "SHELL")}
        self.environment = {**kept, "HOME": str(self.home)}
        self.process = None
        self.followers = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.stop()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def install(self, name, program):
        """Puts an agent where a person's own programs are."""
        (self.bin / name).symlink_to(program)

    def start(self):
        arguments = ["desktop", "--state", str(self.folder / "state"), "--json", "--listen", "127.0.0.1:0"]
        arguments += ["--no-discovery", "--bridge", "off", "--page", "off"]
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                [self.tandem, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, env=self.environment
            )
        if not self.process.stdout.readline():
            raise Trouble(f"the computer did not start: {self.log()[-2000:]}")

    def stop(self):
        for follower in self.followers:
            follower.process.terminate()
            follower.process.wait(10)
        self.followers = []
        if self.process is None:
            return
        process, self.process = self.process, None
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)
            raise Trouble("the computer did not end") from None
        finally:
            process.stdout.close()

    def log(self):
        return (self.folder / "log").read_text(errors="replace")

    def run(self, *arguments, timeout=60):
        """The standard output of a command, and what it says where it fails."""
        done = subprocess.run(
            [self.tandem, *arguments, "--state", str(self.folder / "state")],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
            env=self.environment,
        )
        if done.returncode:
            raise Trouble(f"tandem {' '.join(arguments)}: {done.returncode}: {(done.stderr or done.stdout).strip()}")
        return done.stdout

    def json(self, *arguments, timeout=60):
        return json.loads(self.run(*arguments, "--json", timeout=timeout))

    def follow(self, thread):
        """What `tandem threads follow` prints from now on."""
        follower = Follower([self.tandem, "threads", "follow", thread, "--state", str(self.folder / "state")], self.environment)
        self.followers.append(follower)
        return follower


class Follower:
    def __init__(self, command, environment):
        self.text = ""
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
        )
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.text += line


def until(what, seconds=20, every=0.05):
    """The first value of `what` that is not empty."""
    end = time.monotonic() + seconds
    while True:
        value = what()
        if value:
            return value
        if time.monotonic() > end:
            raise Trouble(f"nothing came in {seconds} s")
        time.sleep(every)
