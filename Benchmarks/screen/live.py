"""What a live view of a screen carries, beside x11vnc, in the same minutes: real programs of Tandem (a hub, a computer and a phone with its page on loopback, the session
through the hub), and a viewer of RFB with updates of ZRLE. Both look at the same Xvfb of 1920x1080 and show it 1280 wide. A window moves over the whole screen, then
lines scroll in a small one. Counted are the pictures that are complete in so many seconds, each asked for when the one before is there, and the processor time of those
who look at the screen (Tandem's computer; x11vnc). Nothing is decoded on either side.

    python3 Benchmarks/screen/live.py [--rounds N] [--seconds N]"""

import argparse
import contextlib
import os
import shutil
import socket
import statistics
import struct
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Page"))
from hostile import sign_in  # noqa: E402
from household import Household, until  # noqa: E402
from xscreen import Screen  # noqa: E402

MOVING = "for ((i = 0; ; i++)); do xsetroot -mod $((2 + i % 15)) $((2 + i % 13)) -fg red -bg white; sleep 0.02; done"
SCROLLING = "for ((i = 0; ; i++)); do echo $i the quick brown fox jumps over the lazy dog; sleep 0.02; done"


def used(process):
    """Seconds of processor time of a program."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Tandem:
    def __init__(self, home, cookie):
        page = home.page_of("phone")
        self.process = home.processes["desktop"].pid
        host = page.removeprefix("http://")
        self.socket = socket.create_connection(host.split(":"), timeout=20)
        self.stream = self.socket.makefile("rb")
        self.socket.sendall(
            f"GET /api/screen/live?device={home.computer()}&maxWidth=1280 HTTP/1.1\r\nHost: {host}\r\nOrigin: {page}\r\nCookie: {cookie}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        assert b" 101 " in self.stream.readline()
        while self.stream.readline().strip():
            pass
        said = self.message()
        assert b'"view"' in said, said

    def message(self):
        """The next text or binary message; none of the server's comes in parts."""
        while True:
            kind, length = self.stream.read(2)
            if length >= 126:
                length = int.from_bytes(self.stream.read(2 if length == 126 else 8), "big")
            data = self.stream.read(length)
            if kind in (0x81, 0x82):
                return data
            if kind == 0x88:
                raise SystemExit("the view ended")

    def picture(self, seconds):
        """The bytes of the next picture."""
        self.socket.settimeout(seconds)
        count = 0
        while True:
            frame = self.message()
            count += len(frame)
            if frame[:2] != b"\x05\x01":
                raise SystemExit(frame.decode())
            if frame[2] == 2:
                # A mask of zeros leaves the text as it is.
                text = b'{"shown":%d}' % int.from_bytes(frame[11:15], "big")
                self.socket.sendall(bytes((0x81, 0x80 | len(text), 0, 0, 0, 0)) + text)
                return count


class VNC:
    def __init__(self, display, stack):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        server = subprocess.Popen(
            ["x11vnc", "-display", display, "-localhost", "-rfbport", str(port), "-scale", "1280x720", "-forever", "-nopw", "-quiet", "-noipv6", "-nonap", "-wait", "10", "-defer", "10"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        stack.callback(server.wait)
        stack.callback(server.kill)
        self.process = server.pid
        until(lambda: self.reach(port))
        self.stream = self.socket.makefile("rb")
        self.stream.read(12)
        self.socket.sendall(b"RFB 003.008\n")
        self.stream.read(self.stream.read(1)[0])
        self.socket.sendall(b"\x01")
        assert self.stream.read(4) == b"\0\0\0\0"
        self.socket.sendall(b"\x01")
        self.width, self.height = struct.unpack(">HH", self.stream.read(4))
        self.stream.read(16)
        self.stream.read(struct.unpack(">I", self.stream.read(4))[0])
        # ZRLE: each rectangle says how long it is.
        self.socket.sendall(struct.pack(">BxHi", 2, 1, 16))
        self.ask(False)

    def reach(self, port):
        with contextlib.suppress(OSError):
            self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
            return True
        return False

    def ask(self, isIncremental=True):
        self.socket.sendall(struct.pack(">BBHHHH", 3, isIncremental, 0, 0, self.width, self.height))

    def picture(self, seconds):
        self.socket.settimeout(seconds)
        while kind := self.stream.read(1)[0]:
            # A bell, or a text that was copied.
            if kind == 3:
                self.stream.read(3)
                self.stream.read(struct.unpack(">I", self.stream.read(4))[0])
        (rectangles,) = struct.unpack(">xH", self.stream.read(3))
        count = 4
        for _ in range(rectangles):
            *_, encoding = struct.unpack(">HHHHi", self.stream.read(12))
            assert encoding == 16, encoding
            (length,) = struct.unpack(">I", self.stream.read(4))
            self.stream.read(length)
            count += 16 + length
        self.ask()
        return count


def measure(viewer, seconds):
    """Pictures a second, KiB of one, and the share of a processor."""
    viewer.picture(20)
    pictures, total, before, begin = 0, 0, used(viewer.process), time.monotonic()
    while time.monotonic() - begin < seconds:
        total += viewer.picture(20)
        pictures += 1
    took = time.monotonic() - begin
    return pictures / took, total / pictures / 1024, (used(viewer.process) - before) / took * 100


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--seconds", type=int, default=5)
    asked = options.parse_args()
    with contextlib.ExitStack() as stack:
        screen = stack.enter_context(Screen((1920, 1080)))
        # A server begins anew whenever its last program has gone.
        screen.show("xlogo", "-geometry", "16x16+0+0")
        home = stack.enter_context(Household(environment=screen.environment))
        home.pair("display")
        cookie = sign_in(home, "phone")
        names = ["Tandem"] + (["x11vnc"] if shutil.which("x11vnc") else [])
        for what, command in (
            ("a picture over the whole screen", ["bash", "-c", MOVING]),
            ("lines that scroll in a window of 80x24", ["xterm", "-geometry", "80x24+200+200", "-e", "bash", "-c", SCROLLING]),
        ):
            if not shutil.which(command[0]):
                print(f"{what}: {command[0]} is missing")
                continue
            program = screen.show(*command)
            figures = {name: [] for name in names}
            for _ in range(asked.rounds):
                for name in names:
                    with contextlib.ExitStack() as one:
                        viewer = Tandem(home, cookie) if name == "Tandem" else VNC(screen.display, one)
                        one.callback(viewer.socket.close)
                        figures[name].append(measure(viewer, asked.seconds))
            program.kill()
            print(what)
            for name in names:
                rate, size, share = (statistics.median(each) for each in zip(*figures[name], strict=True))
                line = f"  {name:8} {rate:6.1f} pictures/s   {size:7.1f} KiB each   {share:5.1f} % of a processor"
                if name != "Tandem":
                    ratio = statistics.median(own[0] / other[0] for own, other in zip(figures["Tandem"], figures[name], strict=True))
                    line += f"   Tandem shows {ratio:.2f} of its pictures"
                print(line)


main()
