"""How long a line that an agent appends takes to a connected phone: real programs, over the computer's own server, as `tandem threads
follow --json` prints it on the phone. Beside it, in the same run, the same line read by `tail -f`.

    python3 Benchmarks/threads/latency.py [LINES]"""

import json
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Tests/Rig"))
from rig import Home  # noqa: E402

THREAD = "0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
count = int(sys.argv[1]) if len(sys.argv) > 1 else 300


def record(kind, payload):
    return json.dumps({"timestamp": "2026-01-02T03:04:05.000Z", "type": kind, "payload": payload}) + "\n"


class Reader(threading.Thread):
    """Notes when each numbered line came out of a command."""

    def __init__(self, process):
        super().__init__(daemon=True)
        self.process = process
        self.seen = {}
        self.news = threading.Condition()
        self.start()

    def run(self):
        for line in self.process.stdout:
            now = time.perf_counter()
            with self.news:
                for part in line.split("number-")[1:]:
                    self.seen.setdefault(int(part.split(" ")[0]), now)
                self.news.notify_all()

    def wait(self, number):
        with self.news:
            return self.news.wait_for(lambda: number in self.seen, timeout=30)


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] * 1000


def main(home):
    folder = home.home / ".codex/sessions/2026/01/02"
    folder.mkdir(parents=True)
    path = folder / f"rollout-2026-01-02T03-04-05-{THREAD}.jsonl"
    path.write_text(record("session_meta", {"id": THREAD, "timestamp": "2026-01-02T03:04:05.000Z", "cwd": "/", "source": "cli"})
                    + record("event_msg", {"type": "user_message", "message": "Count"}))
    home.start("desktop", "--no-discovery", "--page", "off", "--listen", "127.0.0.1:0", "--bridge", "off", "--yes")
    home.start("phone", "--no-discovery", "--page", "off")
    home.pair("threads")
    follower = Reader(home.begin("phone", "threads", "follow", THREAD, "--agent", "codex", "--json"))
    tail = Reader(home.begin_program("tail", "-n", "+1", "-f", path))
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


with Home() as home:
    main(home)
