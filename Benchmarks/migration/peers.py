"""What a person without this program would move a phone's files with: programs of Debian, each on the same folder, durable in the end."""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import threading
import time
from pathlib import Path

from disk import settle
from rig import Trouble, until

PACKAGES = ("age", "restic", "borgbackup", "rsync")
INSTALL = "Benchmarks/migration/install-peers"
PROGRAMS = {"age": ("tar", "age", "age-keygen"), "restic": ("restic", "rsync"), "borg": ("borg", "rsync"), "copy": ("cp",)}
NAMES = tuple(PROGRAMS)
TITLES = {"age": "tar, age, socket, age, tar", "restic": "restic, rsync, restic", "borg": "borg, rsync, borg", "copy": "cp -r, not sealed"}


def missing(name):
    """Programs of a peer that are not there."""
    return [program for program in PROGRAMS[name] if not shutil.which(program)]


class Job:
    """Processes of one measurement: their processor time, and the most resident memory of the largest, in MiB."""

    def __init__(self, environment):
        self.environment = environment
        self.processor = 0.0
        self.memory = 0.0
        self.running = set()
        self.over = threading.Event()
        threading.Thread(target=self.look, daemon=True).start()

    def look(self):
        """The kernel's own word at a process's end counts the program that began it, too."""
        while not self.over.wait(0.02):
            for process in list(self.running):
                with contextlib.suppress(OSError):
                    text = Path(f"/proc/{process}/status").read_text()
                    if found := re.search(r"VmHWM:\s*(\d+) kB", text):
                        self.memory = max(self.memory, int(found[1]) / 1024)

    def begin(self, *words, **options):
        options = {"stdin": subprocess.DEVNULL, "stderr": subprocess.PIPE, "env": self.environment} | options
        process = subprocess.Popen(list(map(str, words)), **options)
        self.running.add(process.pid)
        return process

    def end(self, process):
        # Read first: a full pipe would keep it from ending.
        said = process.stderr.read() if process.stderr else b""
        self.running.discard(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.processor += usage.ru_utime + usage.ru_stime
        for pipe in (process.stderr, process.stdout):
            if pipe:
                pipe.close()
        if process.returncode:
            raise Trouble(f"{process.args[0]}: {process.returncode}: {said.decode(errors='replace').strip()[-800:]}")

    def run(self, *words, **options):
        self.end(self.begin(*words, stdout=subprocess.DEVNULL, **options))


class Peer:
    """One program's way. `source` is moved into the folder `target`."""

    def __init__(self, name, source, folder):
        self.name = name
        self.source = source
        self.folder = folder
        self.title = TITLES[name]

    def run(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        target = self.folder / "target"
        target.mkdir(parents=True)
        home = self.folder / "home"
        home.mkdir()
        environment = os.environ | {
            "HOME": str(home), "RESTIC_PASSWORD": "x", "BORG_PASSPHRASE": "x", "BORG_BASE_DIR": str(home),
            "BORG_RELOCATED_REPO_ACCESS_IS_OK": "yes",
        }
        job = Job(environment)
        with contextlib.ExitStack() as stack:
            stack.callback(job.over.set)
            work = getattr(self, self.name)(job, target, stack)
            settle(self.folder)
            began = time.monotonic()
            work()
            settle(self.folder)
            found = {"whole": time.monotonic() - began, "processor": job.processor, "memory": job.memory}
        self.check(target)
        shutil.rmtree(self.folder)
        return found

    def check(self, target):
        """A peer that lost something would be quick."""
        def listed(folder):
            return sorted((str(path.relative_to(folder)), path.stat().st_size) for path in folder.rglob("*") if path.is_file())
        if listed(target) != listed(self.source):
            raise Trouble(f"{self.title}: other files came than went")

    # Each answers with the work that is timed.

    def copy(self, job, target, stack):
        return lambda: job.run("cp", "-r", f"{self.source}/.", target)

    def age(self, job, target, stack):
        key = self.folder / "key"
        job.run("age-keygen", "-o", key)
        recipient = subprocess.run(["age-keygen", "-y", str(key)], capture_output=True, text=True, check=True).stdout.strip()

        def work():
            with socket.create_server(("127.0.0.1", 0)) as listener:
                sending = socket.create_connection(listener.getsockname())
                taking, _ = listener.accept()
            pack = job.begin("tar", "-C", self.source, "-cf", "-", ".", stdout=subprocess.PIPE)
            seal = job.begin("age", "-r", recipient, stdin=pack.stdout, stdout=sending.fileno())
            unseal = job.begin("age", "-d", "-i", key, stdin=taking.fileno(), stdout=subprocess.PIPE)
            unpack = job.begin("tar", "-C", target, "-xf", "-", stdin=unseal.stdout)
            # Only the programs hold the ends now, so that one that ends is noticed by the next.
            for end in (sending, taking, pack.stdout, unseal.stdout):
                end.close()
            for process in (pack, seal, unseal, unpack):
                job.end(process)
        return work

    def restic(self, job, target, stack):
        carry = self.carrier(job, stack)
        here, there = self.folder / "here", self.folder / "there"

        def work():
            job.run("restic", "init", "-q", "--no-cache", "-r", here)
            job.run("restic", "backup", "-q", "--no-cache", "--compression", "off", "-r", here, ".", cwd=self.source)
            carry()
            job.run("restic", "restore", "-q", "--no-cache", "-r", there, "latest", "--target", self.folder / "all")
            # It restores the path as it was; taking it to its place costs a rename.
            found = self.folder / "all" / self.source.relative_to("/")
            target.rmdir()
            (found if found.exists() else self.folder / "all").rename(target)
        return work

    def borg(self, job, target, stack):
        carry = self.carrier(job, stack)
        here, there = self.folder / "here", self.folder / "there"

        def work():
            job.run("borg", "init", "-e", "repokey-blake2", here)
            job.run("borg", "create", "--compression", "none", f"{here}::move", ".", cwd=self.source)
            carry()
            job.run("borg", "extract", f"{there}::move", cwd=target)
        return work

    def carrier(self, job, stack):
        """rsync to its own daemon on loopback, from `here` to `there`."""
        there = self.folder / "there"
        there.mkdir()
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        owner = "uid = root\ngid = root\n" if os.geteuid() == 0 else ""
        (self.folder / "rsyncd.conf").write_text(f"use chroot = no\n{owner}[repo]\npath = {there}\nread only = no\n")
        daemon = subprocess.Popen(["rsync", "--daemon", "--no-detach", "--address=127.0.0.1", f"--port={port}", f"--config={self.folder}/rsyncd.conf"],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def stop():
            daemon.terminate()
            daemon.wait(10)

        def listens():
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port)).close()
                return True
            return False

        stack.callback(stop)
        until(listens)
        return lambda: job.run("rsync", "-a", "--whole-file", f"{self.folder}/here/", f"rsync://127.0.0.1:{port}/repo/")
