"""How long a notification takes from `notification.send` at a computer until a phone shows it, over the relay: real programs, a hub,
ten computers and one phone, with every computer's own server out of the phone's reach. Beside it, in the same run, a message of the same
length between two bare WebSockets over a small relay on Node (`Benchmarks/node-relay.js`): no disk, no seal, nothing that waits; and what
the disk takes for one write, which both ends wait for. TMPDIR says where all of it lies.

    python3 Benchmarks/notifications/latency.py [SENDS]

A computer's senders may say one thing a second after the first twenty, so ten computers take turns. Shown is when the phone's process hands
the banner to those that follow it, as `tandem notifications follow` prints it."""

import asyncio
import base64
import json
import os
import random
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Rig"))
from control import Control, Refused  # noqa: E402
from rig import Home  # noqa: E402

COMPUTERS = 10
PACE = 0.1
GOAL = 50


class WebSocket:
    """As much of RFC 6455 as two clients of one relay need: one text frame each way, below 64 KiB."""

    @classmethod
    async def open(cls, port):
        self = cls()
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port)
        key = base64.b64encode(os.urandom(16)).decode()
        self.writer.write(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        head = await self.reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise SystemExit(f"the relay on Node refused: {head!r}")
        return self

    def send(self, value):
        text = json.dumps(value, separators=(",", ":")).encode()
        mask = os.urandom(4)
        length = bytes([0x80 | len(text)]) if len(text) < 126 else bytes([0x80 | 126]) + len(text).to_bytes(2, "big")
        self.writer.write(b"\x81" + length + mask + bytes(byte ^ mask[at & 3] for at, byte in enumerate(text)))

    async def receive(self):
        _, length = await self.reader.readexactly(2)
        if length == 126:
            length = int.from_bytes(await self.reader.readexactly(2), "big")
        return json.loads(await self.reader.readexactly(length))


async def control(home, name):
    asked = Control(home.state(name))
    await asked.ready()
    return asked


async def pair(computer, phone):
    """A computer that has just started is not at the hub yet."""
    for _ in range(100):
        try:
            return await phone.call("pair.scan", text=(await computer.call("pair.show"))["payload"])
        except Refused as error:
            refusal = error
            await asyncio.sleep(0.1)
    raise SystemExit(f"not paired: {refusal}")


async def all_on_relay(phone):
    for _ in range(500):
        paths = [device["path"] for device in (await phone.call("devices.list"))["devices"]]
        if paths == ["relay"] * COMPUTERS:
            return
        await asyncio.sleep(0.05)
    raise SystemExit(f"not every computer is reached over the relay: {paths}")


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] * 1000


def line(name, values):
    print(f"{name:44} p50 {percentile(values, .5):7.2f} ms   p99 {percentile(values, .99):7.2f} ms   longest {max(values) * 1000:7.2f} ms")


async def main(count, home):
    options = ("--no-discovery", "--page", "off", "--log-level", "error")
    hub = home.start("hub", "--listen", "127.0.0.1:0", "--log-level", "error", "--page", "off")["url"]
    home.start("phone", "--hub", hub, *options)
    phone = await control(home, "phone")
    computers = []
    for number in range(COMPUTERS):
        name = f"computer{number}"
        # Nothing listens where phones are told to find it at home.
        home.start(name, "--hub", hub, "--listen", "127.0.0.1:0", "--bridge", "off", "--advertise", "ws://127.0.0.1:9",
                   "--name", f"computer {number}", "--yes", *options, role="desktop")
        computer = await control(home, name)
        await pair(computer, phone)
        computers.append(computer)
    await all_on_relay(phone)

    shown, seen = {}, {}

    def take(item):
        now = time.perf_counter()
        if "new" in item:
            number = item["new"]["title"].split()[-1]
            seen[number] = seen.get(number, 0) + 1
            if item["banner"] and number in shown and not shown[number].done():
                shown[number].set_result((now, item["new"]))

    await phone.call("notifications.unread")
    phone.begin("notifications.follow", take)
    node = home.start_program("node", os.environ.get("NODE", "node"), ROOT / "Benchmarks/node-relay.js",
                              environment={"NODE_PATH": os.environ.get("NODE_PATH", "/usr/share/nodejs")})
    sender, receiver = await WebSocket.open(node["port"]), await WebSocket.open(node["port"])
    for name, socket in (("sender", sender), ("receiver", receiver)):
        socket.send({"type": "register", "peerId": name})
        await socket.receive()

    loop = asyncio.get_running_loop()
    times = {"shown": [], "kept": [], "node": [], "disk": []}
    disk = os.open(home.folder / "disk", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for number in range(-20, count):
        began = loop.time()
        name = str(number)
        params = {"title": f"Build {name}", "body": f"finished after {random.randrange(10**6)} ms, all tests passed"}
        shown[name] = loop.create_future()
        sent = time.perf_counter()
        kept = asyncio.create_task(send(computers[number % COMPUTERS], params))
        at, row = await asyncio.wait_for(shown[name], 30)
        answered = await kept
        # As much as went to the phone, and where it is wrapped.
        message = {"type": "message", "to": "receiver", "payload": row}
        node_sent = time.perf_counter()
        sender.send(message)
        await receiver.receive()
        node_came = time.perf_counter()
        os.write(disk, bytes(4096))
        os.fsync(disk)
        if number >= 0:
            times["disk"].append(time.perf_counter() - node_came)
            times["node"].append(node_came - node_sent)
            times["shown"].append(at - sent)
            times["kept"].append(answered - sent)
        await asyncio.sleep(max(0, PACE - (loop.time() - began)))
    await all_on_relay(phone)
    doubled = [number for number, times_seen in seen.items() if times_seen != 1]
    if doubled or len(seen) != count + 20:
        raise SystemExit(f"{len(seen)} of {count + 20} came, {len(doubled)} of them more than once")
    line("send to shown, over the relay", times["shown"])
    line("  the call until it is kept and answered", times["kept"])
    line("bare WebSockets over a relay on Node", times["node"])
    line("4 KiB appended and on the disk (fsync)", times["disk"])
    ratio = percentile(times["shown"], .5) / percentile(times["node"], .5)
    met = "met" if percentile(times["shown"], .99) < GOAL else "MISSED"
    print(f"{count} sends, each shown once; ratio of p50 {ratio:.1f}; goal {GOAL} ms: {met}")


async def send(computer, params):
    """Returns when it was answered."""
    await computer.call("notifications.call", method="notification.send", params=params)
    return time.perf_counter()


if __name__ == "__main__":
    with Home() as home:
        asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, home))
