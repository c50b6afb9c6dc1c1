"""The kinds of outages: how each breaks, how it is mended, what is measured and what is promised."""

import asyncio
import time
from dataclasses import dataclass, field

from control import Control, Gone, Refused

# Longest wait for something that should have come long before: the run goes on after it.
GIVE_UP = 45.0
# docs/protocol.md, "Keepalive and reconnect": the waits of a client before it connects again, with a fifth of chance in each.
WAITS = (0.5, 1, 2, 5, 10)
CHANCE = 1.2


@dataclass(frozen=True)
class Kind:
    name: str
    about: str
    run: object
    # Measure → seconds; None is measured and not judged.
    promised: dict = field(default_factory=dict)
    # Only where packets can be dropped and addresses changed.
    needs_packets: bool = False
    needs_clocks: bool = False
    # The phone reaches the computer's own server, without a proxy.
    is_direct: bool = False
    # A program is killed: commands under way may end as "unknown", terminals and transfers are begun again.
    kills: bool = False
    # For a time there is no way at all between phone and computer: what is begun then may be refused.
    parts: bool = False
    # Rounds of this kind in a hundred of the others'.
    share: int = 100
    # Outages of this kind in a short run.
    short: int = 1


class Outage:
    """One outage of a household, and the stopwatch."""

    def __init__(self, house, random, give_up=GIVE_UP):
        self.house = house
        self.give_up = give_up
        self.random = random
        self.network = house.network
        self.times = {}
        self.broken_at = time.monotonic()
        self.probe = Control(house.state("phone"))

    async def hold(self, least, most=None):
        await asyncio.sleep(least if most is None else self.random.uniform(least, most))

    async def answered(self, measure="answered", since=None):
        """Calls from now on until one is answered. Nothing is subtracted: the time is from `since`, or from now."""
        begun = time.monotonic() if since is None else since
        pending = set()
        asked = 0
        try:
            while time.monotonic() - begun < self.give_up:
                if len(pending) < 16:
                    pending.add(asyncio.create_task(self.ask()))
                    asked += 1
                # Closely at first, where it matters whether the second is kept.
                pause = 0.05 if time.monotonic() - begun < 3 else 0.2
                done, pending = await asyncio.wait(pending, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
                if any(task.result() for task in done):
                    self.times[measure] = time.monotonic() - begun
                    return
                if done:
                    await asyncio.sleep(0.05)
            self.times[measure] = float("inf")
        finally:
            for task in pending:
                task.cancel()
            await asyncio.gather(*pending, return_exceptions=True)

    async def ask(self):
        try:
            answer = await self.probe.call("call", method="system.ping", timeout=30, limit=35)
            return answer.get("pong") is True
        except Gone:
            await self.probe.close()
            return False
        except Refused:
            return False

    async def lan_again(self, since, measure="lan"):
        seen = await self.house.path_is("lan", self.give_up)
        self.times[measure] = seen - since if seen else float("inf")

    async def only_relay(self):
        """Not yet the outage: home is closed, and the hub carries everything."""
        await self.house.lan.do("refuse")
        seen = await self.house.path_is("relay", GIVE_UP)
        if not seen:
            raise Unready("the path did not become the relay's")

    async def home_again(self):
        await self.house.lan.do("forward")


class Unready(Exception):
    """What must hold before the outage did not come about."""


# The line at home, while it carries everything


async def stall_lan(outage):
    house = outage.house
    await house.lan.do("stall")
    await outage.answered()
    await outage.hold(0.5, 2.5)
    await house.lan.do("forward")
    await outage.lan_again(time.monotonic())


async def stop_lan(outage):
    house = outage.house
    await house.lan.freeze()
    await outage.answered()
    await outage.hold(0.5, 2.5)
    house.lan.thaw()
    await outage.lan_again(time.monotonic())


async def reset_lan(outage):
    await outage.house.lan.do("reset")
    since = time.monotonic()
    await outage.answered()
    await outage.lan_again(since)


async def lan_gone(outage):
    await outage.house.lan.do("refuse")
    since = time.monotonic()
    await outage.answered()
    await outage.hold(max(0.0, 1.0 - (time.monotonic() - since)))
    await outage.home_again()
    await outage.lan_again(time.monotonic())


async def half_open_lan(outage):
    """Neither side hears the other at home, and neither is told."""
    network = outage.network
    for place in ("computer", "phone"):
        network.drop(place, device="eth0")
    await outage.answered()
    await outage.hold(0.5, 3.0)
    network.heal("computer", "phone")
    await outage.lan_again(time.monotonic())


async def lossy(outage):
    """A fifth of all packets to and from the phone is lost, at home and outside, for eight seconds."""
    house, network = outage.house, outage.network
    places = ("phone", "computer", "hub-a", "hub-b")
    network.drop("phone", percent=20)
    network.drop("computer", source=network.address("phone", "eth0"), percent=20)
    for hub in ("hub-a", "hub-b"):
        network.drop(hub, source=network.address("phone"), percent=20)
    try:
        until = time.monotonic() + 8
        await outage.answered()
        worst = 0.0
        while time.monotonic() < until:
            begun = time.monotonic()
            if not await outage.ask():
                worst = float("inf")
            worst = max(worst, time.monotonic() - begun)
            await asyncio.sleep(0.05)
        outage.times["worst call"] = worst
    finally:
        network.heal(*places)
    since = time.monotonic()
    await outage.answered("answered after")
    await outage.lan_again(since)


# The hub, while home carries everything


async def stall_hub(outage):
    await outage.house.hub_line.do("stall")
    await outage.answered()
    await outage.hold(0.5, 2.0)
    await outage.house.hub_line.do("forward")


async def kill_hub(outage):
    house = outage.house
    await house.hub.kill()
    await outage.answered()
    await house.start_hub(house.in_use)


# The hub, while it carries everything


async def away(outage, seconds):
    house = outage.house
    await outage.only_relay()
    await house.hub_line.do("refuse")
    await outage.hold(seconds)
    await house.hub_line.do("forward")
    await outage.answered()
    await outage.home_again()
    await outage.lan_again(time.monotonic())


def back_within(seconds):
    """When a server that was away so long is reached again at the latest: the wait in progress, and a moment to register."""
    total = 0.0
    for wait in (*WAITS, *[WAITS[-1]] * 20):
        total += wait
        if total * (2 - CHANCE) > seconds or wait == WAITS[-1]:
            return wait * CHANCE + 1.5
    return WAITS[-1] * CHANCE + 1.5


async def kill_relay(outage):
    house = outage.house
    await outage.only_relay()
    await house.hub.kill()
    await house.start_hub(house.in_use)
    await outage.answered()
    await outage.home_again()
    await outage.lan_again(time.monotonic())


async def stop_relay(outage):
    house = outage.house
    await outage.only_relay()
    await house.hub.freeze()
    await outage.hold(2, 5)
    house.hub.thaw()
    await outage.answered()
    await outage.home_again()
    await outage.lan_again(time.monotonic())


async def half_open_relay(outage):
    """The computer's line to the hub is gone, and the hub holds its end of it. Loopback cannot tell whose line it is: both go."""
    house, network = outage.house, outage.network
    await outage.only_relay()
    rest = {"from": network.address("computer")} if network.has_packets else {}
    await house.hub_line.do("abandon", **rest)
    await outage.answered()
    await house.hub_line.do("forget")
    await outage.home_again()
    await outage.lan_again(time.monotonic())


# Programs


async def kill_computer(outage):
    house = outage.house
    await house.computer.kill()
    await outage.hold(0, 0.5)
    await house.start_computer()
    since = time.monotonic()
    await outage.answered()
    await outage.lan_again(since)


async def kill_phone(outage):
    house = outage.house
    await house.phone.kill()
    await outage.hold(0, 0.5)
    await house.start_phone()
    since = time.monotonic()
    await outage.answered()
    await outage.lan_again(since)


async def stop_peer(outage, program):
    await program.freeze()
    await outage.hold(2, 6)
    program.thaw()
    since = time.monotonic()
    await outage.answered()
    await outage.lan_again(since)


async def suspend(outage, name):
    """A machine sleeps for minutes or hours, which take three seconds here: its program is stopped, it sends nothing and what is sent
    to it is lost, after a minute its lines are dropped by the others, and its clocks jump when it wakes."""
    house, network = outage.house, outage.network
    program = getattr(house, name)
    slept = outage.random.choice([20, 300, 3600, 8 * 3600])
    await program.freeze()
    if network.has_packets:
        network.silence(name)
    begun = time.monotonic()
    if slept >= 60:
        mine = {"from": network.address(name)} if network.has_packets else {}
        await house.hub_line.do("reset", **mine)
        if name == "phone":
            await house.lan.do("reset")
    await outage.hold(2, 4)
    if network.has_packets:
        network.heal(name)
    house.clocks[name].jump(slept - (time.monotonic() - begun))
    program.thaw()
    since = time.monotonic()
    await outage.answered()
    await outage.lan_again(since)
    # The sleep must not have become a measured round trip: the next stall is noticed as fast as any.
    await asyncio.sleep(0.5)
    await house.lan.do("stall")
    await outage.answered("fail-over")
    await house.lan.do("forward")


# Addresses


async def new_address(outage):
    """The computer gets another address at home; its line to the hub stays."""
    house, network = outage.house, outage.network
    old = house.computer_address
    head, _, last = old.rpartition(".")
    new = f"{head}.{10 + (int(last) + 1) % 200}"
    network.readdress("computer", "eth0", old, new)
    house.computer_address = new
    since = time.monotonic()
    await outage.answered()
    await outage.lan_again(since)


async def new_port(outage):
    """The computer's program is started again at another port. Nobody pairs again: the phone learns it over the hub."""
    house = outage.house
    await house.computer.kill()
    await house.start_computer(port=0)
    since = time.monotonic()
    await outage.answered()
    await outage.lan_again(since)


async def moved(outage):
    """The same, and they pair again, as people did where that was the only way."""
    house = outage.house
    await house.computer.kill()
    await house.start_computer(port=0)
    await house.asked_computer.close()
    await house.pair()
    since = time.monotonic()
    await outage.answered()
    await outage.lan_again(since)


async def hub_moved(outage):
    """The computer's hub is gone for good and it uses the other one; they pair again. Then home fails, too."""
    house = outage.house
    left = house.in_use
    await house.hub_lines[left].do("refuse")
    await house.computer.kill()
    house.in_use = 1 - left
    await house.hub_line.do("forward")
    await house.start_computer()
    await house.asked_computer.close()
    await house.pair()
    await asyncio.sleep(2)
    await house.lan.do("refuse")
    await outage.answered()
    await outage.home_again()
    await outage.lan_again(time.monotonic())
    await house.hub_lines[left].do("forward")


FAIL_OVER = {"answered": 1.0, "lan": 2.0}
RELAY = {"lan": None}
AWAKE = {"answered": 2.0, "lan": 2.0}
ASLEEP = AWAKE | {"fail-over": 1.0}

KINDS = [
    Kind("stall-lan", "the proxy at home accepts and forwards nothing more", stall_lan, FAIL_OVER, short=4),
    Kind("stop-lan", "SIGSTOP of the proxy at home", stop_lan, FAIL_OVER, short=2),
    Kind("reset-lan", "connections at home are reset", reset_lan, FAIL_OVER),
    Kind("lan-gone", "home is gone for a second: reset, then refused", lan_gone, FAIL_OVER),
    Kind("half-open-lan", "packets at home are dropped both ways, without RST", half_open_lan, FAIL_OVER, needs_packets=True),
    Kind("loss", "20 % of the phone's packets are lost for 8 s", lossy,
         {"answered": 2.0, "worst call": 15.0, "answered after": 2.0, "lan": None}, needs_packets=True, parts=True),
    Kind("stall-hub", "the hub's line stalls while home works", stall_hub, {"answered": 1.0}),
    Kind("kill-hub", "kill -9 of the hub while home works", kill_hub, {"answered": 1.0}),
    Kind("hub-away-1", "home is closed, the hub away for 1 s", lambda it: away(it, 1), RELAY | {"answered": back_within(1)}, parts=True),
    Kind("hub-away-12", "the same for 12 s", lambda it: away(it, 12), RELAY | {"answered": back_within(12)}, parts=True),
    Kind("hub-away-90", "the same for 90 s", lambda it: away(it, 90), RELAY | {"answered": back_within(90)}, share=20, short=0, parts=True),
    Kind("kill-relay", "home is closed, kill -9 of the hub and its start", kill_relay, RELAY | {"answered": back_within(1)}, parts=True),
    Kind("stop-relay", "home is closed, SIGSTOP of the hub for 2 to 5 s", stop_relay, RELAY | {"answered": 2.0}, parts=True),
    Kind("half-open-relay", "home is closed, the hub holds a line of the computer that leads nowhere", half_open_relay,
         RELAY | {"answered": 5.0}, parts=True),
    Kind("kill-computer", "kill -9 of the computer's program", kill_computer, {"answered": 2.5, "lan": 2.5}, kills=True),
    Kind("kill-phone", "kill -9 of the phone's program", kill_phone, {"answered": 2.0, "lan": 2.0}, kills=True),
    Kind("stop-computer", "SIGSTOP of the computer's program for 2 to 6 s", lambda it: stop_peer(it, it.house.computer), AWAKE, parts=True),
    Kind("stop-phone", "SIGSTOP of the phone's program for 2 to 6 s", lambda it: stop_peer(it, it.house.phone), AWAKE, parts=True),
    Kind("hub-moved", "the computer uses another hub, pairs again, then home fails", hub_moved, {"answered": 1.0, "lan": None}, kills=True),
    Kind("moved", "the computer has a new port and pairs again", moved, {"answered": 2.5, "lan": 2.5}, is_direct=True, kills=True),
    Kind("new-port", "the computer has a new port, nobody pairs again", new_port, {"answered": 2.5, "lan": 2.5}, is_direct=True, kills=True),
    Kind("new-address", "the computer has a new address at home", new_address, FAIL_OVER, is_direct=True, needs_packets=True),
    # Last: the two clocks stay apart from here on, and a code made by one is not valid for the other.
    Kind("suspend-computer", "the computer sleeps 20 s to 8 h by its clocks", lambda it: suspend(it, "computer"), ASLEEP, needs_clocks=True, parts=True),
    Kind("suspend-phone", "the phone sleeps 20 s to 8 h by its clocks", lambda it: suspend(it, "phone"), ASLEEP, needs_clocks=True, parts=True),
]
