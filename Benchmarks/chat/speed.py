"""Conversations of a hub beside those of XMPP servers, on one machine in alternating rounds. See bin/benchmark and docs/performance.md.

    python3 Benchmarks/chat/speed.py [--rounds N] [--seconds S] [--peers NAME …] [--only PART …] [--messages N] [--json FILE]

The load is chat-benchmark, one thread with raw sockets for both protocols. The disk is asked before each measurement how many times a second it takes
4 KiB for sure (fdatasync): where that swings, times are worthless, and only ratios within a round say anything."""

import argparse
import json
import os
import random
import sqlite3
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / "Tests/Rig"), str(ROOT / "Tests/Page")]

import peers  # noqa: E402
from disk import probe  # noqa: E402
from plain_chat_client import Key, PlainClient, conversation  # noqa: E402
from rig import Home, Trouble  # noqa: E402

LOAD = os.environ.get("TANDEM_CHAT_BENCHMARK") or str(ROOT / ".build/release/chat-benchmark")
PAIRS = 50
CHANGED = 200
# Messages of a conversation that are written behind each other.
FILL = 100
PARTS = ("closed", "open600", "open3000", "idle", "reconnect", "page")
RATES = {"open600": 600, "open3000": 3000}


class Hub:
    name, dialect = "Tandem", "hub"

    def __init__(self, home, count):
        self.home = home
        self.port = 0
        self.start()
        self.clients = []
        for number in range(count):
            self.more(f"u{number}")

    def start(self):
        """On the port that it had before, where it had one."""
        self.home.start("hub", "--page", "off", "--listen", f"127.0.0.1:{self.port}", "--log-level", "error", environment={
            "TANDEM_CHAT_STRANGERS_ASK": "false", "TANDEM_ACCOUNTS": "anybody"} | {
            f"TANDEM_CHAT_{rate}": "1000000" for rate in ("MESSAGE_BURST", "MESSAGES_PER_SECOND", "REQUEST_BURST", "REQUESTS_PER_SECOND")})
        self.port = self.home.said["hub"]["port"]

    def fill(self, count):
        """So many messages of the load's pairs, written into its database while it is stopped: sending them would take minutes."""
        for number in range(0, PAIRS * 2, 2):
            self.clients[number].send(self.clients[number + 1].id, "the first of many")
        self.home.stop("hub")
        database = sqlite3.connect(next(self.home.state("hub").rglob("chat.sqlite")))
        try:
            written(database, count)
        finally:
            database.close()
        self.start()
        self.renew()

    def more(self, name):
        client = PlainClient(f"http://127.0.0.1:{self.port}")
        # Passwords are slow on purpose, and nothing here is about them.
        client.register(name, key=Key())
        self.clients.append(client)
        return client

    def renew(self):
        """Tokens last a quarter of an hour."""
        for client in self.clients:
            client.renew()

    @property
    def people(self):
        return [{"id": client.id, "secret": client.token} for client in self.clients]

    @property
    def processes(self):
        return [self.home.processes["hub"].pid]


def measured(*words):
    done = subprocess.run([LOAD, *map(str, words)], capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise Trouble(f"chat-benchmark {words[0]}: {(done.stderr or done.stdout).strip()[-800:]}")
    return json.loads(done.stdout.splitlines()[-1])


def of(server):
    return [word for process in server.processes for word in ("--process", process)]


class Rounds:
    def __init__(self, home, servers, options):
        self.home = home
        self.servers = servers
        self.options = options
        self.file = home.folder / "people.json"
        # {part: {server: [result]}}
        self.found = {}
        self.probes = []

    def people(self, server):
        server.renew()
        self.file.write_text(json.dumps(server.people[:PAIRS * 2]))
        return ["--port", server.port, "--people", self.file]

    def load(self, part):
        """Every server once."""
        for server in self.servers:
            before = probe(self.home.folder)
            self.probes.append(before)
            rate = ["--per-second", RATES[part]] if part in RATES else ["--window", 8]
            words = ["load", server.dialect, *self.people(server), "--pairs", PAIRS, "--seconds", self.options.seconds, *rate, *of(server)]
            try:
                result = measured(*words)
            except Trouble as error:
                # A server that cannot do it at all is a result.
                print(f"{part} {server.name}: {error}", file=sys.stderr, flush=True)
                continue
            self.found.setdefault(part, {}).setdefault(server.name, []).append(result)
            print(f"{part} {server.name}: {result['perSecond']:.0f}/s, acknowledged p50 {shown(result.get('acknowledgedMedian'))} p99 "
                  f"{shown(result.get('acknowledgedTail'))} ms, delivered p50 {shown(result.get('deliveredMedian'))} p99 {shown(result.get('deliveredTail'))} ms, "
                  f"{shown(result.get('processorPerThousand'), 3)} s of processor for 1,000, {result['residentBytes'] / 1e6:.0f} MB, missing {result['missing']}, "
                  f"misplaced {result['misplaced']}; disk {before:.0f}/s", file=sys.stderr, flush=True)

    def idle(self):
        for server in self.servers:
            result = measured("idle", server.dialect, *self.people(server), "--each", 16, *of(server))
            self.found.setdefault("idle", {}).setdefault(server.name, []).append(result)
            print(f"idle {server.name}: {result['bytesEach']:.0f} bytes for each of {result['connections']}", file=sys.stderr, flush=True)

    def ask(self, part, server, path, token, bodies, *words):
        self.file.write_text("\n".join(json.dumps(body) for body in bodies))
        result = measured("ask", "--port", server.port, "--path", path, "--token", token, "--bodies", self.file, *words)
        self.found.setdefault(part, {}).setdefault(server.name, []).append(result)
        print(f"{part} {server.name}: p50 {shown(result.get('median'))} p99 {shown(result.get('tail'))} ms, {result['bytes']} bytes", file=sys.stderr, flush=True)

    def reconnect(self, hub):
        """A device that was away while others wrote in 200 conversations: one question."""
        reader = hub.more("reader")
        writers = [hub.more(f"w{number}") for number in range(CHANGED)]
        for writer in writers:
            for number in range(2):
                writer.send(reader.id, f"message {number} while nobody was there")
        seqs = {conversation(reader.id, writer.id): 1 for writer in writers}
        answer = reader.sync(0, seqs)
        if len(answer["msgs"]) != CHANGED:
            raise Trouble(f"{len(answer['msgs'])} of {CHANGED} conversations came")
        self.ask("reconnect", hub, "/chat/sync", reader.token, [{"userID": reader.id, "useq": answer["useq"], "seqs": seqs}], "--times", 200, "--anew")

    def page(self, hub):
        """Pages of 40 anywhere in a history of so many messages."""
        hub.fill(self.options.messages)
        asker, peer = hub.clients[1], hub.clients[0]
        chat = conversation(asker.id, peer.id)
        newest = asker.sync()["seqs"][chat]["maxSeq"]
        choice = random.Random(1)
        bodies = [{"userID": asker.id, "order": 1, "seqRanges": [{"conversationID": chat, "begin": 1, "end": choice.randrange(40, newest), "num": 40}]}
                  for _ in range(1000)]
        self.ask("page", hub, "/msg/pull_msg_by_seq", asker.token, bodies, "--times", 2000)


def written(database, count):
    """Makes texts in all conversations that are there, as the hub writes them (`ChatSchema`), a part of each in turns as they come in life."""
    words = "x" * 98
    content = json.dumps({"content": words}, separators=(",", ":")).encode()
    places = [list(row) for row in database.execute("SELECT id, low, high, maxSeq, lastAt FROM chat_conversation WHERE maxSeq > 0 ORDER BY id")]
    if not places:
        raise Trouble("the hub has no conversation to fill")
    # Not durable: it is checked in as a whole, or the run ends.
    database.execute("PRAGMA synchronous = OFF")
    each = -(-count // len(places))
    with database:
        for begin in range(0, each, FILL):
            for id, low, high, last, time in places:
                database.executemany(
                    "INSERT INTO chat_message (conversation, seq, sender, clientID, serverID, fingerprint, contentType, kind, content, searchText, sentAt) "
                    "VALUES (?, ?, ?, ?, ?, ?, 101, 1, ?, ?, ?)",
                    ((id, last + 1 + number, (low, high)[number % 2], b"\1" + os.urandom(16), os.urandom(16), os.urandom(16), content, words, time)
                     for number in range(begin, min(begin + FILL, each))))
        for id, low, high, last, time in places:
            database.execute("UPDATE chat_conversation SET maxSeq = ?1, previewSeq = ?1, lowCount = lowCount + ?2, highCount = highCount + ?3 WHERE id = ?4",
                             (last + each, -(-each // 2), each // 2, id))
            database.execute("INSERT INTO chat_day VALUES (?1, ?2) ON CONFLICT (day) DO UPDATE SET messages = messages + excluded.messages",
                             (time // 86_400_000, each))
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def shown(value, decimals=2):
    return "–" if value is None else f"{value:.{decimals}f}"


def median(results, member):
    values = [result[member] for result in results if result.get(member) is not None]
    return statistics.median(values) if values else None


ROWS = (("perSecond", "messages a second", 0), ("acknowledgedMedian", "acknowledged, p50 ms", 2), ("acknowledgedTail", "… p99 ms", 2),
        ("deliveredMedian", "arrived, p50 ms", 2), ("deliveredTail", "… p99 ms", 2), ("processorPerThousand", "processor seconds for 1,000", 3))


def table(found, names):
    """Medians of all rounds, as Markdown."""
    print("| | " + " | ".join(names) + " |\n|---|" + "---|" * len(names))
    for part in ("closed", *RATES):
        for member, title, decimals in ROWS:
            if part in found and (part == "closed" or member != "perSecond"):
                cells = [shown(median(found[part].get(name, []), member), decimals) for name in names]
                print(f"| {part}: {title} | " + " | ".join(cells) + " |")
    for part, member, title in (("idle", "bytesEach", "bytes for an idle connection"), ("reconnect", "tail", "200 changed conversations, p99 ms"),
                                ("page", "tail", "page of 40, p99 ms")):
        if part in found:
            print(f"| {title} | " + " | ".join(shown(median(found[part].get(name, []), member)) for name in names) + " |")


def main(options):
    with Home() as home:
        running = peers.made(home.folder / "peers", PAIRS * 2, options.peers) if prepared(home, options.peers) else []
        try:
            hub = Hub(home, PAIRS * 2)
            rounds = Rounds(home, [hub, *running], options)
            for number in range(options.rounds):
                for part in ("closed", *RATES):
                    if part in options.only:
                        rounds.load(part)
                # The next round begins with another one.
                rounds.servers = rounds.servers[1:] + rounds.servers[:1]
            if "idle" in options.only:
                rounds.idle()
            if "reconnect" in options.only:
                rounds.reconnect(hub)
            if "page" in options.only:
                rounds.page(hub)
        finally:
            for peer in running:
                peer.stop()
    print(f"{options.rounds} rounds of {options.seconds} s, disk {min(rounds.probes, default=0):.0f} to {max(rounds.probes, default=0):.0f} times a second\n")
    table(rounds.found, ["Tandem", *options.peers])
    if options.json:
        Path(options.json).write_text(json.dumps({"found": rounds.found, "probes": rounds.probes}, indent=1))


def prepared(home, wanted):
    if wanted:
        (home.folder / "peers").mkdir()
        # Services of other users have to get through.
        home.folder.chmod(0o755)
    return wanted


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--seconds", type=float, default=8)
parser.add_argument("--peers", nargs="*", choices=peers.NAMES, default=list(peers.NAMES))
parser.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS))
parser.add_argument("--messages", type=int, default=1_000_000)
parser.add_argument("--json")
try:
    main(parser.parse_args())
except Trouble as error:
    sys.exit(f"bin/benchmark chat: {error}")
