"""Starts, kills, stops and wakes the programs of a run."""

import asyncio
import json
import mmap
import shutil
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

from rig import START_LIMIT, Trouble

HERE = Path(__file__).resolve().parent


class Program:
    """One program in one place. It may be started many times; `generation` counts that."""

    def __init__(self, name, network, place, folder, environment=None, preload=None):
        self.name = name
        self.network = network
        self.place = place
        self.log = folder / f"{name}.log"
        self.environment = environment
        # Set for the program itself, not for those that bring it into its place.
        self.preload = [f"{name}={value}" for name, value in (preload or {}).items()]
        self.process = None
        self.generation = 0
        self.said = {}

    @property
    def pid(self):
        return self.process.pid

    async def start(self, *command, stdin=subprocess.DEVNULL):
        """Returns when it has said its first line: JSON."""
        command = [*(["env", *self.preload] if self.preload else []), *(str(part) for part in command)]
        with open(self.log, "ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *self.network.command(self.place, command),
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=log,
                env=self.environment,
                limit=8 << 20,
            )
        self.generation += 1
        try:
            line = await asyncio.wait_for(self.process.stdout.readline(), START_LIMIT)
            self.said = json.loads(line)
        except (asyncio.TimeoutError, ValueError):
            raise Trouble(f"{self.name} did not start: {self.tail(3)}") from None
        return self.said

    async def kill(self):
        if self.process and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()

    async def end(self):
        """Ends it as a person does, and if that takes too long with force."""
        if not self.process or self.process.returncode is not None:
            return
        self.process.send_signal(signal.SIGCONT)
        self.process.terminate()
        try:
            await asyncio.wait_for(self.process.wait(), 10)
        except asyncio.TimeoutError:
            await self.kill()

    async def freeze(self):
        """SIGSTOP; returns when no thread of it runs any more."""
        self.process.send_signal(signal.SIGSTOP)
        until = time.monotonic() + 2
        while time.monotonic() < until:
            states = []
            for task in Path(f"/proc/{self.pid}/task").iterdir():
                try:
                    states.append((task / "stat").read_text().rsplit(")", 1)[1].split()[0])
                except OSError:
                    pass
            if all(state in "TtZ" for state in states):
                return
            await asyncio.sleep(0.001)
        raise Trouble(f"{self.name} did not stop on SIGSTOP")

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)

    def is_running(self):
        return self.process is not None and self.process.returncode is None

    def tail(self, lines):
        try:
            return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])
        except OSError:
            return ""


class Proxy(Program):
    """The breakable line before a server."""

    async def open(self, host, port, rate):
        await self.start(sys.executable, HERE / "proxy.py", host, port, rate, stdin=subprocess.PIPE)
        self.port = self.said["port"]

    async def do(self, what, **rest):
        """Returns when it is so."""
        self.process.stdin.write(json.dumps({"do": what, **rest}).encode() + b"\n")
        try:
            answer = await asyncio.wait_for(self.process.stdout.readline(), 10)
            return json.loads(answer)
        except (asyncio.TimeoutError, ValueError):
            raise Trouble(f"the proxy {self.name} does not answer: {self.tail(3)}") from None


class Clock:
    """The offset of one program's clocks; see clocks.c."""

    def __init__(self, path, library):
        path.write_bytes(bytes(8))
        with open(path, "r+b") as file:
            self.page = mmap.mmap(file.fileno(), 8)
        self.environment = {"LD_PRELOAD": str(library), "OUTAGES_CLOCK": str(path)} if library else {}

    def jump(self, seconds):
        (now,) = struct.unpack("q", self.page[:])
        self.page[:] = struct.pack("q", now + int(seconds * 1_000_000_000))


def compile_clocks(folder):
    """The preloaded library, or None where there is no C compiler."""
    library = folder / "clocks.so"
    for compiler in ("cc", "clang", "gcc"):
        if shutil.which(compiler):
            done = subprocess.run(
                [compiler, "-O2", "-shared", "-fPIC", "-o", library, HERE / "clocks.c", "-ldl", "-lpthread"],
                capture_output=True,
                text=True,
            )
            if done.returncode == 0:
                return library
            print(f"clocks.c: {done.stderr.strip()}", file=sys.stderr)
    return None
