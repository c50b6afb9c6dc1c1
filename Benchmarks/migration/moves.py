"""Moves between two phones, whole: from the old phone's `send` until the new phone's program, started again, answers with the data in its place."""

import contextlib
import json
import random
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import data
from disk import settle, taken
from phones import Phone
from rig import Trouble, read_line

HERE = Path(__file__).resolve().parent
PASSWORD = "correct horse battery staple"
MIB = 1 << 20


def free_port():
    """A port that the system gives to nobody by itself: the new phone listens there again after its program was started again."""
    for port in random.sample(range(20_000, 30_000), 100):
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise Trouble("no port is free")


class Line:
    """A line that the old phone dials in place of the new one."""

    def __init__(self, address, rate=0, delay=0.0):
        host, port = address.rsplit(":", 1)
        self.process = subprocess.Popen([sys.executable, "-B", str(HERE / "line.py"), str(rate), str(delay), host, port],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.address = f"127.0.0.1:{json.loads(read_line(self.process.stdout, 30))['port']}"

    def facts(self):
        self.process.stdin.write(b"\n")
        answer = b""
        while not answer.endswith(b"\n"):
            piece = self.process.stdout.read(1 << 16)
            if not piece:
                raise Trouble("the line ended")
            answer += piece
        return json.loads(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()


class Footprint:
    """The most that folders took on the disk beyond what they took before, looked at twenty times a second."""

    def __init__(self, *folders):
        self.before = {folder: taken(folder) for folder in folders}
        self.most = dict(self.before)
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.look, daemon=True)
        self.thread.start()

    def look(self):
        while not self.over.wait(0.05):
            for folder in self.most:
                self.most[folder] = max(self.most[folder], taken(folder))

    def end(self):
        """Bytes by folder, in the order in which they were named."""
        self.over.set()
        self.thread.join()
        return [self.most[folder] - self.before[folder] for folder in self.before]


class Move:
    """One move of a prepared journal. `old` and `new` are names of state folders, which are made anew and stay until the next one."""

    def __init__(self, home, prepared, expected, rate=None, delay=0.0, is_sampled=False, takes_prepared=False):
        """`expected`: numbers of stories and files that have to arrive. With a `rate`, 0 for any, it goes through a line. Prepared data that is taken
        is not copied first: it is gone as a source then."""
        self.home = home
        self.expected = expected
        data.remove(home, "new")
        if takes_prepared:
            data.remove(home, "old")
            prepared.rename(home.state("old"))
        else:
            data.copied(home, "old", prepared)
        self.rate = rate
        self.delay = delay
        self.is_sampled = is_sampled
        self.line = None
        self.footprint = None

    def __enter__(self):
        self.old = Phone(self.home, "old")
        self.new = Phone(self.home, "new")
        settle(self.home.folder)
        return self

    def __exit__(self, *_):
        if self.line:
            self.line.close()
        if self.footprint:
            self.footprint.over.set()
        self.old.stop()
        self.new.stop()

    # The steps of a person

    def begin(self):
        """Both phones are asked, the PIN is typed; until the new phone asks for the password."""
        self.new.call("migrate.receive", host="127.0.0.1", port=free_port())
        self.new.watch()
        _, shown = self.new.reaches("showing")
        while not shown["pin"]:
            _, shown = self.new.states[-1]
            time.sleep(0.01)
        address = shown["addresses"][0]
        if self.rate is not None:
            self.line = Line(address, self.rate, self.delay)
            address = self.line.address
        self.address = address
        if self.is_sampled:
            self.footprint = Footprint(self.home.state("old"), self.home.state("new"))
        self.began = time.monotonic()
        self.send()
        self.old.reaches("entering")
        self.old.call("migrate.enter", pin=shown["pin"])
        self.new.reaches("agreeing")
        self.asked = time.monotonic()
        self.new.call("migrate.agree", password=PASSWORD)

    def receive(self):
        """Goes on, where it listened before."""
        self.new.call("migrate.receive", host="127.0.0.1")
        self.new.watch()

    def send(self):
        self.old.call("migrate.send", addresses=[self.address], password=PASSWORD)
        self.old.watch()

    def finish(self):
        """Until the new phone has the data in its place; seconds by part, and what is known of the move."""
        ready, state = self.new.reaches("ready")
        report = state["report"]
        arrived = (report["counts"]["stories"], report["mediaFiles"])
        if arrived != self.expected or report["lostCount"]:
            raise Trouble(f"{arrived} stories and files came, not {self.expected}")
        self.total = state["totalBytes"] or next(one["totalBytes"] for _, one in reversed(self.new.states) if one["totalBytes"])
        received = self.new.first("receiving") or self.asked
        whole = self.new.first("restoring") or ready
        self.new.stop()
        stopped = time.monotonic()
        self.new.start()
        if not self.new.call("journal.list")["stories"]:
            raise Trouble("the new phone has no stories")
        end = time.monotonic()
        result = {
            "whole": end - self.began, "reading": self.asked - self.began, "asking": received - self.asked, "sending": whole - received,
            "restoring": ready - whole, "start": end - stopped, "bytes": self.total,
        }
        for phone in (self.old, self.new):
            result |= {
                f"{phone.name} before": phone.peak("before"), f"{phone.name} peak": phone.peak(),
                f"{phone.name} sending": phone.peak("sending", "receiving"), f"{phone.name} restoring": phone.peak("restoring"),
            }
        if self.footprint:
            result |= zip(("old disk", "new disk"), self.footprint.end())
        self.old.reaches("done", seconds=60)
        result["processor"] = sum(phone.processor + phone.seconds() for phone in (self.old, self.new))
        return result

    def run(self):
        self.begin()
        return self.finish()

    # What breaks

    def broken(self, name):
        """The move with one of the phones killed where half of the package is there. Milliseconds from the link on which it goes on until a whole
        MiB came over it, and all bytes that the old phone sent."""
        self.begin()
        (self.new if name == "new" else self.old).reaches("receiving" if name == "new" else "sending", fraction=0.5)
        phone = self.new if name == "new" else self.old
        phone.stop(kill=True)
        phone.start()
        self.receive() if name == "new" else self.send()
        if name == "new":
            # The restored package is opened by its password; what is still to come does not wait for it.
            threading.Thread(target=self.agree_again, daemon=True).start()
        self.finish()
        links = [link for link in self.line.facts() if link["mebibytes"]]
        return {"milliseconds": (links[-1]["mebibytes"][0] - links[-1]["accepted"]) * 1000, "sent": sum(link["bytes"] for link in links)}

    def agree_again(self):
        try:
            self.new.reaches("agreeing")
            self.new.call("migrate.agree", password=PASSWORD)
        except Trouble:
            # It came to its end without being asked.
            return

    def share(self):
        """How much of its line's rate the package took, between its first MiB and its last whole one."""
        self.run()
        link = max(self.line.facts(), key=lambda one: one["bytes"])
        return share(link["mebibytes"], self.total, self.rate)


def share(times, count, rate):
    last = count // MIB - 1
    return last * MIB / (times[last] - times[0]) / rate


def bare_share(count, rate, delay):
    """The same of zeros from a socket to a socket."""
    listener = socket.create_server(("127.0.0.1", 0))
    line = Line(f"127.0.0.1:{listener.getsockname()[1]}", rate, delay)
    host, port = line.address.split(":")
    sending = socket.create_connection((host, int(port)))
    taking, _ = listener.accept()
    block = bytes(MIB)

    def send():
        with sending:
            for _ in range(count // MIB + 1):
                sending.sendall(block)

    thread = threading.Thread(target=send)
    thread.start()
    with listener, taking:
        while taking.recv(MIB):
            pass
    thread.join()
    found = share(line.facts()[0]["mebibytes"], count, rate)
    line.close()
    return found


def through_file(home, prepared):
    """A journal without media into a sealed file and out of it again; seconds of each."""
    data.copied(home, "old", prepared)
    data.remove(home, "new")
    package = home.folder / "journal.enc"
    package.unlink(missing_ok=True)
    found = {}
    with Phone(home, "old") as old:
        began = time.monotonic()
        old.call("migrate.export", path=str(package), password=PASSWORD, journalOnly=True)
        old.watch()
        found["export"] = old.reaches("done")[0] - began
    settle(home.folder)
    with Phone(home, "new") as new:
        began = time.monotonic()
        new.call("migrate.restore", path=str(package), password=PASSWORD)
        new.watch()
        found["import"] = new.reaches("ready")[0] - began
    return found
