"""Real programs for tests, benchmarks and endurance: started in a folder of their own, killed, started again, paired, and gone at the end.

Each wait ends, with `Trouble` where what was waited for did not come. What a `Home` started ends with it, also where a test failed."""

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TANDEM = os.environ.get("TANDEM") or str(ROOT / ".build/release/tandem")
START_LIMIT = 60
# Which page is served may be chosen for a run; every other setting of the person who runs it stays out, and so do their folders, screen and bus.
KEPT = ("TANDEM_PAGE_FILES", "TANDEM_PAGE_TERMINAL")
DROPPED = ("XDG_", "TANDEM", "CODEX", "CLAUDE", "DISPLAY", "WAYLAND_", "DBUS_", "PS1", "PROMPT")


class Trouble(Exception):
    """A program did not do what the run needs."""


def clean_environment(home):
    """What programs see whose person's folder is `home`."""
    kept = {name: value for name, value in os.environ.items() if name in KEPT or not name.startswith(DROPPED)}
    return kept | {"HOME": str(home)}


def until(ask, seconds=30, every=0.05):
    """Asks again until the answer is one; the answer."""
    end = time.monotonic() + seconds
    while True:
        answer = ask()
        if answer:
            return answer
        if time.monotonic() > end:
            raise Trouble(f"what was waited for did not come in {seconds} s")
        time.sleep(every)


def read_line(file, seconds):
    """The first line that comes out of an unbuffered pipe; empty where none did in time."""
    end = time.monotonic() + seconds
    line = b""
    while not line.endswith(b"\n"):
        if not select.select([file], [], [], max(0, end - time.monotonic()))[0]:
            return b""
        piece = os.read(file.fileno(), 1)
        if not piece:
            break
        line += piece
    return line


class Process(subprocess.Popen):
    """A program that says in its first line, which is JSON, that it is ready; what it says to people stands in its log."""

    def __init__(self, name, command, log, environment):
        self.name = name
        self.log = log
        with open(log, "ab") as file:
            super().__init__(list(map(str, command)), bufsize=0, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=file, env=environment)

    def ready(self):
        """What its first line says."""
        try:
            return json.loads(read_line(self.stdout, START_LIMIT))
        except ValueError:
            raise Trouble(f"{self.name} did not start: {self.log.read_text(errors='replace')[-2000:]}") from None

    def end(self, how=signal.SIGTERM):
        self.send_signal(how)
        try:
            self.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()
            self.wait(10)
            raise Trouble(f"{self.name} did not end: {self.log.read_text(errors='replace')[-2000:]}") from None
        finally:
            self.stdout.close()


class Home:
    """A folder with a person's home in it, and with the state and the log of each program that was started.

    A `folder` that is handed over stays there; one of its own is removed, unless it `is_kept`."""

    def __init__(self, *, folder=None, program=None, environment=None, is_kept=False):
        self.tandem = program or TANDEM
        self.is_kept = is_kept or folder is not None
        self.folder = folder or Path(tempfile.mkdtemp(prefix="tandem-rig."))
        self.home = self.folder / "home"
        self.home.mkdir(exist_ok=True)
        self.environment = clean_environment(self.home) | (environment or {})
        self.processes = {}
        self.commands = []
        # The first line of each program, of its last start.
        self.said = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.ExitStack() as stack:
            if not self.is_kept:
                stack.callback(shutil.rmtree, self.folder, ignore_errors=True)
            for name in list(self.processes):
                stack.callback(self.stop, name)
            for command in self.commands:
                stack.callback(command.wait, 10)
                stack.callback(command.kill)

    def state(self, name):
        return self.folder / name

    def log(self, name):
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def listen(self, name):
        """Where its server listens: on the port that it had before, or on one that the system chooses."""
        return f"127.0.0.1:{self.said.get(name, {}).get('port', 0)}"

    # Programs

    def start(self, name, *options, role=None, environment=None):
        """Starts a role of `tandem`, which is its name unless it is told; what its first line says."""
        return self.start_program(name, self.tandem, role or name, "--state", self.state(name), "--json", *options, environment=environment)

    def start_program(self, name, *command, environment=None):
        process = Process(name, command, self.folder / f"{name}.log", self.environment | (environment or {}))
        self.processes[name] = process
        self.said[name] = process.ready()
        return self.said[name]

    def stop(self, name, how=signal.SIGTERM):
        process = self.processes.pop(name, None)
        if process is not None:
            process.end(how)

    def kill(self, name):
        self.stop(name, signal.SIGKILL)

    def start_screen(self, size):
        """A screen without glass, which what is started afterwards sees."""
        reading, writing = os.pipe()
        with os.fdopen(reading, "rb", buffering=0) as said:
            try:
                self.commands.append(subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp"], pass_fds=(writing,),
                                                      stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            except OSError as error:
                raise Trouble(f"the computer has no screen: {error}. bin/setup --tests brings Xvfb") from None
            finally:
                os.close(writing)
            number = read_line(said, START_LIMIT).decode().strip()
        if not number:
            raise Trouble("the computer has no screen: Xvfb did not start")
        self.environment["DISPLAY"] = f":{number}"

    # Commands

    def run(self, name, *arguments, input="", timeout=60):
        """The standard output of a command at a program, and `Trouble` with what it says where it fails."""
        words = list(map(str, arguments))
        try:
            done = subprocess.run([self.tandem, *words, "--state", str(self.state(name))], input=input, capture_output=True, text=True,
                                  timeout=timeout, env=self.environment)
        except subprocess.TimeoutExpired:
            raise Trouble(f"tandem {' '.join(words)} had no answer in {timeout} s") from None
        if done.returncode:
            raise Trouble(f"tandem {' '.join(words)}: {done.returncode}: {(done.stderr or done.stdout).strip()}")
        return done.stdout

    def json(self, name, *arguments, timeout=60):
        return json.loads(self.run(name, *arguments, "--json", timeout=timeout))

    def begin(self, name, *arguments, **options):
        """A command at a program that goes on: its process, whose output is text."""
        return self.begin_program(self.tandem, *arguments, "--state", self.state(name), **options)

    def begin_program(self, *command, **options):
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True} | options
        process = subprocess.Popen(list(map(str, command)), env=self.environment, **options)
        self.commands.append(process)
        return process

    def pair(self, *rights, phone="phone", computer="desktop"):
        """Pairs by command line, accepts where the computer asks, and allows the phone `rights`."""
        code = self.run(computer, "pair", "show", "--text", "--no-wait")
        scan = self.begin(phone, "pair", "scan", "--text", "-", stdin=subprocess.PIPE, stderr=subprocess.STDOUT)
        with scan.stdin:
            scan.stdin.write(code)
        try:
            request = until(lambda: scan.poll() is not None or self.json(computer, "pair", "requests")["requests"])
            if request is not True:
                # A computer that accepts by itself may have done so meanwhile.
                with contextlib.suppress(Trouble):
                    self.run(computer, "pair", "accept", request[0]["id"])
            if scan.wait(30):
                raise Trouble(scan.stdout.read())
        except subprocess.TimeoutExpired:
            raise Trouble("the pairing did not end") from None
        finally:
            scan.kill()
            scan.wait(10)
            scan.stdout.close()
            self.commands.remove(scan)
        if rights:
            self.run(computer, "devices", "allow", self.said[phone]["did"], *rights)
