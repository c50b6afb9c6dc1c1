"""What a large answer costs a phone's program on its way from a computer through the control socket: real programs, a folder whose listing has 438 KB,
and the processor time that the phone's process took for each `call`, as the kernel counts it. With --beside, another version's programs run in the same
minutes and are asked in turn, and each figure is printed as a ratio, too.

    python3 Benchmarks/control/calls.py [--beside PROGRAM] [--rounds N]"""

import argparse
import contextlib
import json
import os
import socket
import statistics
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Page"))
from household import Household  # noqa: E402

# They make a listing of 438 KB.
FILES, NAME = 1000, 145
GOAL = 10
# Each round's calls: the kernel counts in hundredths of a second.
CALLS = 20
TICK = os.sysconf("SC_CLK_TCK")


class Asker:
    """One connection to a phone's control socket, and what its process has used of a processor."""

    def __init__(self, home):
        self.process = home.processes["phone"]
        self.device = home.computer()
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(str(home.state("phone") / "control.sock"))
        self.lines = self.socket.makefile("rb")
        self.number = 0

    def call(self, method, params):
        """The bytes of the answer."""
        self.number += 1
        asked = {"id": self.number, "method": "call", "params": {"device": self.device, "method": method, "params": params}}
        self.socket.sendall(json.dumps(asked).encode() + b"\n")
        line = self.lines.readline()
        if "error" in (answer := json.loads(line or '{"error": "the phone has gone"}')):
            raise SystemExit(f"{method} was refused: {answer['error']}")
        return len(line)

    def milliseconds(self):
        """What all threads of the process took so far, and what the kernel did for them."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * 1000 / TICK

    def cost(self, method, params):
        before = self.milliseconds()
        for _ in range(CALLS):
            self.call(method, params)
        return (self.milliseconds() - before) / CALLS


def fill(home, asker):
    """A folder whose listing, as one answer, has about as many bytes as wanted; what to ask for, and how many it has."""
    folder = home.shared / "many"
    folder.mkdir()
    for at in range(FILES):
        (folder / f"entry-{at:04}-{'n' * NAME}.txt").write_text("")
    params = {"path": str(folder)}
    return params, asker.call("file.listDirectory", params)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0], formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--beside", help="another version's tandem")
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    programs = {"this": os.environ.get("TANDEM") or str(ROOT / ".build/release/tandem")}
    if options.beside:
        programs["beside"] = options.beside
    with contextlib.ExitStack() as stack:
        askers, listings = {}, {}
        for name, program in programs.items():
            home = stack.enter_context(Household(program=program))
            home.pair("file.read")
            askers[name] = Asker(home)
            listings[name], size = fill(home, askers[name])
            print(f"{name}: {program}: an answer of {size:,} bytes")
        costs = {name: {"large": [], "small": []} for name in programs}
        for _ in range(options.rounds):
            for name, asker in askers.items():
                costs[name]["large"].append(asker.cost("file.listDirectory", listings[name]))
                costs[name]["small"].append(asker.cost("system.ping", {}))
    medians = {name: {kind: statistics.median(values) for kind, values in kinds.items()} for name, kinds in costs.items()}
    for name, kinds in medians.items():
        spread = f"{min(costs[name]['large']):.1f} to {max(costs[name]['large']):.1f}"
        print(f"{name}: {kinds['large']:.1f} ms of processor time a large answer ({spread}), {kinds['small']:.2f} ms a small one")
    if "beside" in medians:
        print(f"this beside the other: {medians['this']['large'] / max(0.01, medians['beside']['large']):.2f}x")
    large = medians["this"]["large"]
    print(f"goal: at most {GOAL} ms: {'held' if large <= GOAL else 'missed'}")
    sys.exit(0 if large <= GOAL else 1)


if __name__ == "__main__":
    main()
