"""View-once pictures at a real hub: many devices race to open each and to fetch what was opened, the hub is killed with SIGKILL meanwhile, and in the
end the raw bytes of every file in its state folder are searched for what must be gone.

For each picture there may be one device that was told that it opened it, and one answer with the whole picture, over all that happens to it: races
of devices and of connections, transfers that break off, a hub that dies before, while and after it is opened, fetched and said to have been seen. A
picture whose opener was never told, because the hub died, is lost to its receiver; that is what the protocol promises."""

import http.client
import json
import os
import random
import socket
import struct
import threading
import time
import zlib

from plain_chat_client import CUSTOM, PlainClient, Unreached, conversation

PASSWORD = "correct horse battery"
DEVICES = 4
THREADS = 4
GONE = 410
# Seconds that a password may take on a machine with other work: the hub makes that slow on purpose.
ENTERING = 60


def picture(marker):
    """A PNG whose pixels stand in it as they are, the marker first, then three megabytes of noise: several times what a hub and its
    system keep for a connection like `Racer.narrow`'s."""
    side = 1000
    noise = marker + os.urandom(side * side * 3 - len(marker))
    rows = b"".join(b"\0" + noise[at:at + side * 3] for at in range(0, len(noise), side * 3))

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b"")


class Picture:
    def __init__(self, number):
        self.marker = os.urandom(64)
        self.bytes = picture(self.marker)
        self.id = f"flash-{number}"
        self.key = None
        self.lock = threading.Lock()
        # What devices were told: (device, address).
        self.opened = []
        self.whole = 0
        self.broken = 0
        self.refused = {}

    def count(self, status):
        with self.lock:
            self.refused[status] = self.refused.get(status, 0) + 1


class Racer:
    """One connection of a device, which stays open as long as the hub does."""

    def __init__(self, client):
        self.client = client
        self.line = None

    def ask(self, method, path, body=None, breaks=False):
        """Status and body. Where it `breaks`, the connection is ended in the middle of the body."""
        try:
            if self.line is None:
                self.line = http.client.HTTPConnection(self.client.host, timeout=10)
            if breaks:
                self.narrow()
            self.line.request(method, path, body, {"Authorization": f"Bearer {self.client.token}"})
            answer = self.line.getresponse()
            if breaks and answer.status == 200:
                answer.read(20_000)
                self.end()
                return answer.status, None
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.end()
            raise Unreached(str(error)) from None

    def narrow(self):
        """A connection that takes little at once, so that the hub has not sent everything before it breaks. With the segments of loopback, of 64 KB,
        the hub's system would keep four megabytes for it."""
        self.end()
        self.line = http.client.HTTPConnection(self.client.host, timeout=10)
        self.line.sock = socket.socket()
        self.line.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
        self.line.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
        self.line.sock.settimeout(10)
        self.line.sock.connect((self.line.host, self.line.port))

    def end(self):
        if self.line is not None:
            self.line.close()
            self.line = None

    def open(self, picture, chat):
        status, body = self.ask("POST", "/chat/flash/open", json.dumps({"conversation_id": chat, "client_msg_id": picture.id}).encode())
        if status == 200:
            with picture.lock:
                picture.opened.append((self.client.device, json.loads(body)["data"]["url"]))
        else:
            picture.count(status)

    def fetch(self, picture, address, breaks=False):
        status, body = self.ask("GET", address.removeprefix(self.client.address), breaks=breaks)
        if status != 200:
            picture.count(status)
        elif body is None:
            with picture.lock:
                picture.broken += 1
        elif body != picture.bytes:
            raise AssertionError(f"{picture.id}: another picture came, of {len(body)} bytes")
        else:
            with picture.lock:
                picture.whole += 1


class Races:
    def __init__(self, home, seed):
        self.home = home
        self.choice = random.Random(seed)
        self.kills = 0
        self.wrong = []
        # What a race for one picture takes that nobody disturbs, in seconds.
        self.span = 0.1
        self.start()
        self.ada = self.person("ada")
        first = self.person("bob")
        self.bobs = [first] + [self.again("bob") for _ in range(DEVICES - 1)]
        self.chat = conversation(self.ada.id, first.id)
        self.racers = [Racer(client) for client in self.bobs for _ in range(THREADS)]

    def start(self):
        # One person asks for more in a second than people do.
        self.home.start("hub", "--page", "off", "--listen", self.home.listen("hub"), "--log-level", "error", environment={
            "TANDEM_CHAT_STRANGERS_ASK": "false", "TANDEM_ACCOUNTS": "anybody", "TANDEM_CHAT_REQUEST_BURST": "1000000"})
        self.address = f"http://127.0.0.1:{self.home.said['hub']['port']}"

    def kill(self):
        self.home.kill("hub")
        self.kills += 1
        self.start()

    def person(self, name):
        client = PlainClient(self.address, limit=ENTERING)
        client.register(name, PASSWORD)
        return client

    def again(self, name):
        client = PlainClient(self.address, limit=ENTERING)
        client.login(name, PASSWORD)
        return client

    def race(self, bodies, moment=None):
        """Runs each body on a thread of its own, all at once. The hub is killed that many seconds after they began, and what they still do then
        finds it gone."""
        begin = threading.Barrier(len(bodies) + 1)
        failures = []

        def run(body):
            begin.wait()
            try:
                body()
            except Unreached:
                pass
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=run, args=(body,)) for body in bodies]
        for thread in threads:
            thread.start()
        begin.wait()
        if moment is not None:
            time.sleep(moment)
            self.kill()
        for thread in threads:
            thread.join()
        self.wrong += [f"{failure!r}" for failure in failures]

    def surely(self, ask):
        """Asks until the hub answers."""
        for _ in range(100):
            try:
                return ask()
            except Unreached:
                time.sleep(0.05)
        raise Unreached("the hub does not come back")

    def send(self, picture):
        picture.key = self.ada.upload("chat_flash", picture.bytes)["objectKey"]
        payload = {"type": "flash_image", "objectKey": picture.key}
        self.ada.send(self.bobs[0].id, payload, CUSTOM, picture.id)

    def play(self, picture, opens, stage):
        """One picture's life. `stage` is what the hub is killed in, or None."""
        began = time.monotonic()
        self.surely(lambda: self.send(picture))
        share = max(1, opens // len(self.racers))

        def open_often(racer):
            for _ in range(share):
                racer.open(picture, self.chat)

        moment = self.choice.random() * self.span if stage == "open" else None
        self.race([lambda racer=racer: open_often(racer) for racer in self.racers], moment)
        if stage != "open":
            self.span = max(0.01, 0.7 * (time.monotonic() - began))
        if stage == "open":
            # Who was told nothing asks again.
            self.race([lambda racer=racer: racer.open(picture, self.chat) for racer in self.racers])
        elif not picture.opened:
            self.wrong.append(f"{picture.id}: nobody could open it")
        if len(picture.opened) > 1:
            self.wrong.append(f"{picture.id}: {len(picture.opened)} devices were told that they opened it")
        for device, address in picture.opened:
            self.fetches(picture, device, address, self.choice.random() * 0.05 if stage == "fetch" else None)
            if stage == "fetch":
                self.fetches(picture, device, address, None)
        viewed = {"type": "flash_viewed", "msgId": picture.id}
        say = lambda: self.bobs[0].send(self.ada.id, viewed, CUSTOM, f"viewed-{picture.id}")  # noqa: E731
        if stage == "viewed":
            self.race([say], self.choice.random() * 0.01)
        self.surely(say)
        self.race([lambda racer=racer: racer.open(picture, self.chat) for racer in self.racers])
        for device, address in picture.opened:
            self.fetches(picture, device, address, None)
        if picture.whole > 1:
            self.wrong.append(f"{picture.id}: it was fetched {picture.whole} times")
        if picture.whole == 0 and stage not in ("open", "fetch"):
            self.wrong.append(f"{picture.id}: nobody could fetch it, {picture.broken} broke off, refused {picture.refused}")

    def fetches(self, picture, device, address, moment):
        """All devices at once, some of which break off in the middle: the one with the lease first, so that a transfer may be repeated."""
        mine = [racer for racer in self.racers if racer.client.device == device]
        if picture.whole == 0 and moment is None:
            broken = mine[0]
            self.race([lambda: broken.fetch(picture, address, breaks=True)])
        self.race([lambda racer=racer: racer.fetch(picture, address) for racer in self.racers], moment)

    def left(self, pictures):
        """What of the pictures stands in the hub's files still, in words."""
        found = []
        for path in sorted(self.home.state("hub").rglob("*")):
            if not path.is_file():
                continue
            data = path.read_bytes()
            for one in pictures:
                if one.marker in data:
                    found.append(f"{one.id}: its pixels are in {path.name}")
                if one.key.encode() in data:
                    found.append(f"{one.id}: its key is in {path.name}")
        return found


def main(home, count, opens, seed):
    races = Races(home, seed)
    # That the search finds what is there shows that it finds nothing where nothing is.
    probe = Picture("probe")
    races.send(probe)
    if not any("pixels" in one for one in races.left([probe])) or not any("key" in one for one in races.left([probe])):
        races.wrong.append("a picture that nobody opened was not found in the hub's files")
    pictures = [probe]
    stages = [None, "open", "fetch", "viewed"]
    for number in range(count):
        one = Picture(number)
        pictures.append(one)
        races.play(one, opens, stages[number % len(stages)])
        if (number + 1) % 10 == 0:
            print(f"{number + 1} pictures, {races.kills} kills", flush=True)
    races.surely(lambda: races.bobs[0].send(races.ada.id, {"type": "flash_viewed", "msgId": probe.id}, CUSTOM, "viewed-probe"))
    until = time.monotonic() + 30
    while (found := races.left(pictures)) and time.monotonic() < until:
        time.sleep(0.5)
    races.wrong += found
    home.stop("hub")
    races.wrong += [f"{one} after the hub's end" for one in races.left(pictures)]
    refused = sum(sum(one.refused.values()) for one in pictures)
    odd = {status for one in pictures for status in one.refused} - {GONE}
    if odd:
        races.wrong.append(f"refused otherwise than with {GONE}: {sorted(odd)}")
    whole, broken = sum(one.whole for one in pictures), sum(one.broken for one in pictures)
    told = sum(len(one.opened) for one in pictures)
    print(f"{count} pictures, {refused + told + whole + broken} requests of {DEVICES} devices on {len(races.racers)} connections, {races.kills} kills of the hub, "
          f"seed {seed}: {told} opened, {whole} fetched whole, {broken} broken off, {refused} refused")
    if races.wrong:
        for sentence in races.wrong[:20]:
            print(f"WRONG {sentence}")
        print(f"FAILED: {len(races.wrong)} wrong, seed {seed}")
        return 1
    if whole < count / 4:
        print("FAILED: hardly anything was fetched, so nothing is proved")
        return 1
    print("each was opened once and fetched once at most, and no byte of picture or key is left in the hub's files")
    return 0
