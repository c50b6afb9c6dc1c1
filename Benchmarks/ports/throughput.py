"""What a forwarded port carries, beside `ssh -L` and a connection without either, in the same minutes: real programs of Tandem (a hub, a computer and a phone on
loopback, the session through the hub), and OpenSSH's server and client. Each round fetches so many MiB over one connection each way, and asks for one byte on a new
connection; figures are medians, and ratios those of each round.

    python3 Benchmarks/ports/throughput.py [--rounds N] [--mib N]"""

import argparse
import contextlib
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Page"))
from household import Household, until  # noqa: E402

PIECE = bytes(1 << 16)
ASKS = 20


class Source(threading.Thread):
    """A program of the computer: sends as many bytes as a line asks for, and closes."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.socket.getsockname()[1]
        self.start()

    def run(self):
        while True:
            asker, _ = self.socket.accept()
            threading.Thread(target=self.answer, args=(asker,), daemon=True).start()

    @staticmethod
    def answer(asker):
        with asker, contextlib.suppress(OSError, ValueError):
            left = int(asker.makefile("rb").readline())
            while left > 0:
                left -= asker.send(PIECE[:min(left, len(PIECE))])


def fetch(port, count):
    """Seconds for `count` bytes on a new connection."""
    begin = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), timeout=120) as connection:
        connection.sendall(b"%d\n" % count)
        got = 0
        while piece := connection.recv(1 << 18):
            got += len(piece)
    if got != count:
        raise SystemExit(f"{got} of {count} bytes came")
    return time.monotonic() - begin


def free():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


@contextlib.contextmanager
def ssh(folder, port):
    """A port that OpenSSH leads to `port`, between a server and a client of its own; None where OpenSSH is not there."""
    server = shutil.which("sshd") or "/usr/sbin/sshd"
    if not (os.path.exists(server) and shutil.which("ssh")):
        yield None
        return
    for name in ("host", "person"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
    (folder / "allowed").write_text((folder / "person.pub").read_text())
    door, local = free(), free()
    (folder / "config").write_text(f"""
ListenAddress 127.0.0.1:{door}
HostKey {folder}/host
AuthorizedKeysFile {folder}/allowed
PidFile {folder}/pid
StrictModes no
PasswordAuthentication no
UsePAM no
""")
    os.makedirs("/run/sshd", exist_ok=True)
    with contextlib.ExitStack() as stack:
        for command in (
            [server, "-D", "-f", folder / "config"],
            ["ssh", "-N", "-p", str(door), "-i", folder / "person", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR",
             "-o", "ConnectionAttempts=20", "-L", f"127.0.0.1:{local}:127.0.0.1:{port}", "127.0.0.1"],
        ):
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
            stack.callback(process.wait)
            stack.callback(process.terminate)
        until(lambda: answers(local))
        yield local


def answers(port):
    with contextlib.suppress(OSError):
        return fetch(port, 1) > 0
    return False


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--mib", type=int, default=64)
    asked = options.parse_args()
    source = Source()
    with Household() as home:
        home.pair("ports.open")
        home.run("desktop", "ports", "allow", source.port)
        folder = home.folder / "ssh"
        folder.mkdir(mode=0o700)
        forwarding = home.begin("phone", "ports", "forward", source.port)
        tandem = int(re.match(r"127\.0\.0\.1:(\d+)", forwarding.stdout.readline())[1])
        with ssh(folder, source.port) as other:
            ways = {"Tandem": tandem, "ssh -L": other, "nothing between": source.port}
            ways = {name: port for name, port in ways.items() if port}
            speeds, waits = {name: [] for name in ways}, {name: [] for name in ways}
            for _ in range(asked.rounds):
                for name, port in ways.items():
                    speeds[name].append(asked.mib / fetch(port, asked.mib << 20))
                    waits[name].append(statistics.median(fetch(port, 1) for _ in range(ASKS)) * 1000)
        forwarding.terminate()
    for name in ways:
        line = f"{name:16} {statistics.median(speeds[name]):8.1f} MiB/s   one byte on a new connection {statistics.median(waits[name]):6.2f} ms"
        if name != "Tandem":
            ratios = [own / others for own, others in zip(speeds["Tandem"], speeds[name], strict=True)]
            line += f"   Tandem carries {statistics.median(ratios):.3f} of it"
        print(line)


main()
