"""How long a line that an agent appends takes to a connected phone: real programs, over the computer's own server, as `tandem threads
follow --json` prints it on the phone. Beside it, in the same run, the same line read by `tail -f`.

    python3 Benchmarks/threads/latency.py [LINES]"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TANDEM = os.environ.get("TANDEM") or str(ROOT / ".build/release/tandem")
THREAD = "0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
work = Path(tempfile.mkdtemp(prefix="tandem-latency."))
environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "TANDEM_", "CODEX"))}
environment |= {"HOME": str(work / "home")}
processes = []


def start(role, *options):
    process = subprocess.Popen([TANDEM, role, "--state", work / role, "--json", "--no-discovery", "--page", "off", *options],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=environment, text=True)
    processes.append(process)
    return json.loads(process.stdout.readline())


def run(role, *arguments):
    return subprocess.run([TANDEM, *arguments, "--state", work / role], env=environment, capture_output=True, text=True, check=True,
                          timeout=60, stdin=subprocess.DEVNULL).stdout


def record(kind, payload):
    return json.dumps({"timestamp": "2026-01-02T03:04:05.000Z", "type": kind, "payload": payload}) + "\n"


class Reader(threading.Thread):
    """Notes when each numbered line came out of a command."""

    def __init__(self, command):
        super().__init__(daemon=True)
        self.process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
        processes.append(self.process)
        self.seen = {}
        self.news = threading.Condition()
        self.start()

    def run(self):
        for line in self.process.stdout:
            now = time.perf_counter()
            with self.news:
                for part in line.split(b"number-")[1:]:
                    self.seen.setdefault(int(part.split(b" ")[0]), now)
                self.news.notify_all()

    def wait(self, number):
        with self.news:
            return self.news.wait_for(lambda: number in self.seen, timeout=30)


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] * 1000


def main():
    folder = work / "home/.codex/sessions/2026/01/02"
    folder.mkdir(parents=True)
    path = folder / f"rollout-2026-01-02T03-04-05-{THREAD}.jsonl"
    path.write_text(record("session_meta", {"id": THREAD, "timestamp": "2026-01-02T03:04:05.000Z", "cwd": "/", "source": "cli"})
                    + record("event_msg", {"type": "user_message", "message": "Count"}))
    start("desktop", "--listen", "127.0.0.1:0", "--bridge", "off", "--yes")
    phone = start("phone")
    run("phone", "pair", "scan", "--text", run("desktop", "pair", "show", "--text").strip())
    run("desktop", "devices", "allow", phone["did"], "threads")
    follower = Reader([TANDEM, "threads", "follow", THREAD, "--agent", "codex", "--json", "--state", work / "phone"])
    tail = Reader(["tail", "-n", "+1", "-f", path])
    times = {"phone": [], "tail -f": []}
    for number in range(-5, count):
        time.sleep(0.05 if number >= 0 else 0.6)
        written = time.perf_counter()
        with path.open("a") as file:
            file.write(record("event_msg", {"type": "agent_message", "message": f"number-{number + 5} said"}))
        for name, reader in (("phone", follower), ("tail -f", tail)):
            if not reader.wait(number + 5):
                raise SystemExit(f"line {number} never came to {name}")
            if number >= 0:
                times[name].append(reader.seen[number + 5] - written)
    for name, values in times.items():
        print(f"{name:8} p50 {percentile(values, .5):6.1f} ms   p99 {percentile(values, .99):6.1f} ms   longest {max(values) * 1000:6.1f} ms")
    print(f"p50 of the phone is {percentile(times['phone'], .5) / percentile(times['tail -f'], .5):.1f} times that of tail -f")


try:
    main()
finally:
    for process in processes:
        process.kill()
    shutil.rmtree(work, ignore_errors=True)
