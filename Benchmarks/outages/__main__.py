"""bin/outages: breaks every line between a computer, a phone and two hubs, and measures until a call is answered again."""

import argparse
import asyncio
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "Tests/Rig"))

import network  # noqa: E402
import programs  # noqa: E402
import report  # noqa: E402
from control import Gone, Refused  # noqa: E402
from household import Household  # noqa: E402
from kinds import GIVE_UP, KINDS, Outage, Unready  # noqa: E402
from load import Faults, Load  # noqa: E402
from rig import TANDEM  # noqa: E402

# How long one outage may take with all that is waited for, apart from what it holds by itself.
OUTAGE_LIMIT = 300.0
# In a short run what did not come by then counts as never.
SHORT_GIVE_UP = 20.0


def arguments():
    names = [kind.name for kind in KINDS]
    parser = argparse.ArgumentParser(prog="bin/outages", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     epilog="kinds:\n" + "\n".join(f"  {kind.name:17} {kind.about}" for kind in KINDS))
    parser.add_argument("--rounds", type=int, default=None, metavar="N", help="outages of each kind (30; with --short mostly 1)")
    parser.add_argument("--short", action="store_true", help="under four minutes, without the longest kinds")
    parser.add_argument("--only", nargs="+", choices=names, metavar="KIND", help="these kinds only")
    parser.add_argument("--seed", type=int, default=None, metavar="S", help="draws the same delays and sleeps again")
    parser.add_argument("--network", choices=["auto", "namespaces", "loopback"], default="auto",
                        help="auto: namespaces where they are permitted")
    parser.add_argument("--keep", action="store_true", help="leave the folder with the programs' logs")
    parser.add_argument("--slack", type=float, default=1.0, metavar="F",
                        help="judge by F times what is promised: for machines that do other things too (1)")
    parser.add_argument("--json", action="store_true", help="print one JSON value")
    chosen = parser.parse_args()
    if chosen.rounds is not None and chosen.rounds < 1:
        parser.error("--rounds is at least 1")
    if not 1 <= chosen.slack <= 100:
        parser.error("--slack is 1 to 100")
    return chosen


def say(text):
    print(text, file=sys.stderr, flush=True)


class Run:
    def __init__(self, chosen, folder, net):
        self.chosen = chosen
        self.folder = folder
        self.net = net
        self.seed = chosen.seed if chosen.seed is not None else random.randrange(10**9)
        self.tandem = TANDEM
        self.clocks = programs.compile_clocks(folder)
        self.faults = Faults()
        self.results = []
        self.facts = {"seed": self.seed, "network": "namespaces" if net.has_packets else "loopback"}
        self.houses = []

    def rounds(self, kind):
        if self.chosen.rounds is None and self.chosen.short:
            return kind.short or 1
        rounds = self.chosen.rounds or 30
        return rounds if self.chosen.only else max(1, rounds * kind.share // 100)

    def kinds(self):
        for kind in KINDS:
            if self.chosen.only and kind.name not in self.chosen.only:
                continue
            if self.chosen.short and not self.chosen.only and not kind.short:
                continue
            if kind.needs_packets and not self.net.has_packets:
                say(f"{kind.name}: left out, it needs network namespaces")
            elif kind.needs_clocks and not self.clocks:
                say(f"{kind.name}: left out, it needs a C compiler")
            else:
                yield kind

    async def everything(self):
        kinds = list(self.kinds())
        for is_direct in (False, True):
            chosen = [kind for kind in kinds if kind.is_direct == is_direct]
            if chosen:
                await self.household(chosen, is_direct)

    async def household(self, kinds, is_direct):
        house = Household(self.tandem, self.net, self.folder / ("direct" if is_direct else "proxied"), self.clocks, is_direct)
        self.houses.append(house)
        try:
            await house.open()
            load = Load(house, self.faults)
            load.start()
            await load.goes_on(0.0, (30.0, 30.0))
            for kind in kinds:
                await self.kind(kind, house, load)
            self.faults.context = "at the end"
            await load.stop()
            for name, count in (("lines", load.terminal.lines), ("shells", load.terminal.shells), ("files", load.file.files),
                                ("transfersAgain", load.file.again), ("commands", load.queue.commands),
                                ("commandsUnknown", load.queue.unknown)):
                self.facts[name] = self.facts.get(name, 0) + count
        finally:
            await house.close()

    async def kind(self, kind, house, load):
        measures = report.Measures(kind, self.chosen.slack)
        self.results.append(measures)
        for number in range(1, self.rounds(kind) + 1):
            self.faults.context = f"{kind.name} {number}"
            # Each outage has its own: one kind alone draws what it draws among the others.
            drawn = random.Random(f"{self.seed} {kind.name} {number}")
            known = len(self.faults)
            try:
                times = await asyncio.wait_for(self.outage(kind, house, load, drawn), OUTAGE_LIMIT)
                measures.add(times)
                shown = ", ".join(f"{measure} {report.seconds(value)} s" for measure, value in times.items())
            except (Unready, asyncio.TimeoutError) as error:
                measures.unready += 1
                shown = f"did not begin: {error}" if str(error) else f"not over in {OUTAGE_LIMIT:.0f} s"
            say(f"{kind.name} {number}: {shown}")
            for fault in self.faults[known:]:
                say(f"    LOST OR DOUBLED: {fault}")

    async def outage(self, kind, house, load, drawn):
        await self.ready(house)
        outage = Outage(house, drawn, SHORT_GIVE_UP if self.chosen.short else GIVE_UP)
        house.was_apart = kind.parts
        load.queue.begin(drawn, drawn.uniform(0.2, 3))
        try:
            await kind.run(outage)
            await load.queue.settle(30, kind.kills)
            await load.goes_on(time.monotonic())
        finally:
            await outage.probe.close()
            await self.mend(house)
        return outage.times

    async def ready(self, house):
        """Every outage begins with both ways up and the path at home. What an outage before left lost is put right as a person would."""
        if not await house.path_is("lan", 10):
            say("    they pair again: the phone does not find home any more")
            await house.pair()
            if not await house.path_is("lan", 15):
                say("    the phone is started again: it does not find home any more")
                await house.phone.kill()
                await house.start_phone()
                if not await house.path_is("lan", GIVE_UP):
                    raise Unready("the path did not become the one at home")
        url = house.hub_url(house.in_use)
        until = time.monotonic() + GIVE_UP
        while (await house.servers()).get(url) != "registered":
            if time.monotonic() > until:
                raise Unready("the phone is not at the hub")
            await asyncio.sleep(0.05)
        while not all(server["registered"] for server in (await house.asked_computer.call("status"))["servers"]):
            if time.monotonic() > until:
                raise Unready("the computer is not at the hub")
            await asyncio.sleep(0.05)
        # A registration that did not hold for half a second does not begin the waits anew: docs/protocol.md.
        await asyncio.sleep(0.6)

    async def mend(self, house):
        """Whatever an outage that was given up left broken."""
        if self.net.has_packets:
            self.net.heal("computer", "phone", "hub-a", "hub-b")
        for program in house.programs:
            if program.is_running():
                program.thaw()
        for line in (house.lan, house.hub_line):
            if line.is_running():
                await line.do("forward")
        if not house.hub.is_running():
            await house.start_hub(house.in_use)
        if not house.computer.is_running():
            await house.start_computer()
        if not house.phone.is_running():
            await house.start_phone()


async def main(chosen, folder):
    net = network.make(chosen.network)
    run = Run(chosen, folder, net)
    say(f"seed {run.seed}, {run.facts['network']}, {run.tandem}")
    work = asyncio.current_task()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, work.cancel)
    begun = time.monotonic()
    try:
        await run.everything()
    finally:
        for house in run.houses:
            for program in house.programs:
                await program.kill()
        net.close()
    run.facts["seconds"] = round(time.monotonic() - begun, 1)
    kept = all(result.is_kept for result in run.results) and not run.faults
    if chosen.json:
        print(report.as_json(run.results, run.faults, run.facts))
    else:
        for line in report.table(run.results):
            print(line)
        facts = run.facts
        print(f"\n{sum(result.outages for result in run.results)} outages in {facts['seconds']:.0f} s; seed {facts['seed']}, {facts['network']}."
              f" {facts.get('lines', 0)} terminal lines, {facts.get('files', 0)} files there and back, {facts.get('commands', 0)} queued commands"
              f" ({facts.get('commandsUnknown', 0)} unknown after a kill).")
        print(f"Lost or doubled: {len(run.faults)}")
        for fault in run.faults:
            print(f"  {fault}")
    return 0 if kept else 1


def start():
    chosen = arguments()
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    # Short: the control socket's path has room for 107 bytes.
    folder = Path(tempfile.mkdtemp(prefix="tandem-outages.", dir="/tmp"))
    status = 130
    try:
        status = asyncio.run(main(chosen, folder))
    except (asyncio.CancelledError, KeyboardInterrupt):
        say("stopped")
    except (programs.Trouble, network.NetworkError, Gone, Refused) as error:
        say(f"bin/outages: {error}")
        status = 2
    finally:
        if chosen.keep:
            say(f"logs: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    sys.exit(status)


if __name__ == "__main__":
    start()
