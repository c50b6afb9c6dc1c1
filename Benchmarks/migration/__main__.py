"""Moving to a new phone beside tar and age, restic and borg, in alternating rounds of one run. See bin/benchmark and docs/performance.md.

    python3 Benchmarks/migration [--size MIB] [--stories N] [--rounds N] [--only PART …] [--peers NAME …] [--large] [--folder DIR] [--json FILE]

Both phones are programs of their own on this machine, asked through their control sockets. Before each measurement the disk is asked how many times a
second it takes 4 KiB for sure (fdatasync): where that swings, times are worthless, and only ratios within a round say anything."""

import argparse
import hashlib
import json
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / "Tests/Rig")]

import data  # noqa: E402
import peers  # noqa: E402
from disk import probe  # noqa: E402
from moves import Move, bare_share, through_file  # noqa: E402
from rig import Home, Trouble  # noqa: E402

MIB = 1 << 20
PARTS = ("move", "file", "disk", "resume", "line")
RATE, DELAY = 40_000_000, 0.0025
LARGE = 10 << 10
# Times of the whole job beside the peer's, at most.
GOALS = {"age": 0.8, "restic": 1 / 3.5, "borg": 1 / 4}


def say(*words):
    print(*words, file=sys.stderr, flush=True)


class Run:
    def __init__(self, home, options):
        self.home = home
        self.options = options
        self.found = {}
        self.probes = []
        self.source = home.folder / "source"
        self.expected = (options.stories, data.write(self.source, options.stories, options.size * MIB))
        say(f"{self.expected[1]} files of {options.size} MiB and {options.stories} stories are written")
        self.prepared = data.prepare(home, "prepared", self.source)
        say("the old phone has them in its journal")

    def note(self, part, name, result):
        self.found.setdefault(part, {}).setdefault(name, []).append(result)
        parts = ", ".join(f"{key} {value / MIB if isinstance(value, int) else value:.2f}" for key, value in result.items())
        say(f"{part} {name}: {parts}; disk {self.probes[-1]:.0f}/s")

    def look(self):
        self.probes.append(probe(self.home.folder))

    def move(self, **options):
        with Move(self.home, self.prepared, self.expected, **options) as move:
            return move.run()

    # Parts

    def moves(self):
        """The whole job by each in turn; every round begins with another one."""
        ways = {"Tandem": self.move}
        for name in self.options.peers:
            if lacking := peers.missing(name):
                say(f"{peers.TITLES[name]}: {', '.join(lacking)} is missing, so it is left out. As root: {peers.INSTALL}")
                continue
            ways[name] = peers.Peer(name, self.source, self.home.folder / "peer").run
        order = list(ways)
        for _ in range(self.options.rounds):
            for name in order:
                self.look()
                self.note("move", name, ways[name]())
            order = order[1:] + order[:1]

    def files(self):
        """50,000 stories without media, into a sealed file and out of it; and what of each is the password's key."""
        source = self.home.folder / "stories"
        data.write(source, self.options.stories, 0)
        prepared = data.prepare(self.home, "prepared-stories", source)
        for _ in range(self.options.rounds):
            self.look()
            began = time.monotonic()
            hashlib.scrypt(b"a password", salt=bytes(32), n=1 << 17, r=8, p=1, maxmem=1 << 28, dklen=32)
            key = time.monotonic() - began
            self.note("file", "Tandem", through_file(self.home, prepared) | {"key": key})
        data.remove(self.home, "prepared-stories", "old", "new")

    def disk(self):
        self.look()
        self.note("disk", "Tandem", self.move(is_sampled=True))

    def resume(self):
        """A move that nothing breaks says how much is sent; each of the phones is then killed in the middle of another one."""
        self.look()
        with Move(self.home, self.prepared, self.expected, rate=0) as move:
            move.run()
            plain = sum(link["bytes"] for link in move.line.facts())
        for name in ("new", "old"):
            for _ in range(self.options.rounds):
                with Move(self.home, self.prepared, self.expected, rate=0) as move:
                    result = move.broken(name)
                self.note("resume", name, {"milliseconds": result["milliseconds"], "again": max(0, result["sent"] - plain)})

    def line(self):
        for _ in range(self.options.rounds):
            self.look()
            with Move(self.home, self.prepared, self.expected, rate=RATE, delay=DELAY) as move:
                self.note("line", "Tandem", {"share": move.share()})
                total = move.total
            self.note("line", "bare", {"share": bare_share(total, RATE, DELAY)})

    def large(self):
        """Once with ten times as much, for the memory. What was prepared before makes room."""
        data.remove(self.home, "prepared", "old", "new")
        shutil.rmtree(self.source)
        files = data.write(self.source, self.options.stories, LARGE * MIB)
        prepared = data.prepare(self.home, "prepared", self.source)
        shutil.rmtree(self.source)
        self.look()
        with Move(self.home, prepared, (self.options.stories, files), takes_prepared=True) as move:
            self.note("large", "Tandem", move.run())

    def run(self):
        parts = {"move": self.moves, "file": self.files, "disk": self.disk, "resume": self.resume, "line": self.line}
        for name in PARTS:
            if name in self.options.only:
                parts[name]()
        if self.options.large:
            self.large()

    # The table

    def median(self, part, name, key):
        values = [result[key] for result in self.found.get(part, {}).get(name, []) if key in result]
        return statistics.median(values) if values else None

    def rows(self):
        yield from self.job_rows()
        for part, size in (("move", self.options.size), ("large", LARGE)):
            yield from self.memory_rows(part, f"{size} MiB")
        if "file" in self.found:
            key = self.median("file", "Tandem", "key")
            for name, goal in (("export", 0.5), ("import", 0.8)):
                goal = goal * self.options.stories / 50_000
                whole = self.median("file", "Tandem", name)
                yield row(f"{name} of {self.options.stories} stories by a sealed file, s", whole, digits=2)
                yield row("… less the password's key", whole - key, digits=2, goal=f"≤ {goal:.2f}", is_met=whole - key <= goal)
        if "disk" in self.found:
            package = self.median("disk", "Tandem", "bytes")
            new, old = (self.median("disk", "Tandem", f"{side} disk") for side in ("new", "old"))
            yield row("disk that the new phone takes, of the package", new / package, digits=2, goal="≤ 1.05", is_met=new <= package * 1.05)
            yield row("disk that the old phone takes, MiB", old / MIB, digits=1, goal="≤ 1 %", is_met=old <= package * 0.01)
        for name in ("new", "old"):
            if "resume" in self.found:
                wait, again = self.median("resume", name, "milliseconds"), self.median("resume", name, "again") / MIB
                yield row(f"{name} phone killed: from the next link to a MiB, ms", wait, digits=0, goal="≤ 200", is_met=wait <= 200)
                yield row("… sent again, MiB", again, digits=1, goal="≤ 16", is_met=again <= 16)
        if "line" in self.found:
            ours, bare = self.median("line", "Tandem", "share"), self.median("line", "bare", "share")
            yield row("40 MB/s, 5 ms there and back: share of the rate", ours, bare, digits=3, goal="≥ 0.95", is_met=ours >= 0.95)

    def job_rows(self):
        ours = self.median("move", "Tandem", "whole")
        if ours is None:
            return
        for name in self.found["move"]:
            if name != "Tandem":
                # Each round has its own disk: the ratio is that of rounds, not of medians.
                pairs = zip(self.found["move"]["Tandem"], self.found["move"][name])
                ratio = statistics.median(mine["whole"] / its["whole"] for mine, its in pairs)
                goal = GOALS.get(name)
                yield row(f"whole job, s, beside {peers.TITLES[name]}", ours, self.median("move", name, "whole"), digits=2, ratio=ratio,
                          goal=f"≤ {goal:.2f}" if goal else "", is_met=ratio <= goal if goal else None)
                yield row("… processor seconds", self.median("move", "Tandem", "processor"), self.median("move", name, "processor"), digits=2)
                yield row("… memory of its largest process, MiB", None, self.median("move", name, "memory"), digits=0)
        for key, title in (("reading", "reading the data, the PIN"), ("asking", "the password"), ("sending", "sending"), ("restoring", "restoring"),
                           ("start", "the new phone's start")):
            yield row(f"… of which {title}, s", self.median("move", "Tandem", key), digits=2)

    def memory_rows(self, part, size):
        for side in ("old", "new"):
            values = [self.median(part, "Tandem", f"{side} {key}") for key in ("before", "peak", "sending", "restoring")]
            if None in values:
                continue
            before, peak, sending, restoring = values
            yield row(f"{side} phone, {size}: memory before; most in all, with the password's key, MiB", f"{before:.0f}; {peak:.0f}")
            yield row("… most while sending; while restoring", f"{sending:.0f}; {restoring:.0f}", goal="32", is_met=max(sending, restoring) <= 32)


def row(title, ours, peer=None, digits=0, ratio=None, goal="", is_met=None):
    def shown(value):
        return "" if value is None else value if isinstance(value, str) else f"{value:.{digits}f}"
    if ratio is None and not isinstance(ours, str) and None not in (ours, peer) and peer:
        ratio = ours / peer
    return [title, shown(ours), shown(peer), "" if ratio is None else f"{ratio:.2f}", goal, "" if is_met is None else "yes" if is_met else "no"]


def main(options):
    tempfile.tempdir = options.folder
    with Home() as home:
        run = Run(home, options)
        run.run()
        print(f"{options.size} MiB in {run.expected[1]} files, {options.stories} stories; medians of {options.rounds} rounds; disk {min(run.probes):.0f} to "
              f"{max(run.probes):.0f} times a second\n")
        print("| | Tandem | peer | ratio | goal | met |\n|---|---|---|---|---|---|")
        for cells in run.rows():
            print("| " + " | ".join(cells) + " |")
        if options.json:
            Path(options.json).write_text(json.dumps({"found": run.found, "probes": run.probes}, indent=1))


parser = argparse.ArgumentParser(prog="bin/benchmark migration", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--size", type=int, default=1024, help="MiB of media")
parser.add_argument("--stories", type=int, default=50_000)
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
parser.add_argument("--peers", nargs="*", choices=peers.NAMES, default=list(peers.NAMES))
parser.add_argument("--large", action="store_true", help="once more with 10 GiB, for the memory: wants 32 GiB of disk")
parser.add_argument("--folder", help="where everything lies: 7 GiB of disk; removed at the end")
parser.add_argument("--json")
try:
    main(parser.parse_args())
except Trouble as error:
    sys.exit(f"bin/benchmark migration: {error}")
