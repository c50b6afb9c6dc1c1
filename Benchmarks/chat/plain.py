"""A device of a person as docs/protocol.md describes one: the client of Tests/Page/plain_chat_client.py with a small store of its own, which is killed by
dropping everything that is not committed in it."""

import json
import random
import sqlite3
import threading
import time

from plain_chat_client import PlainClient, Refused, Unreached, conversation, pushed

# How long a message that came too early waits for those before it (docs/protocol.md, "The socket").
GAP = 0.3
# Seconds that an answer may take, and one about a password.
LIMIT, ENTERING = 4, 60
SCHEMA = """
    CREATE TABLE IF NOT EXISTS message (sender TEXT, id TEXT, chat TEXT, seq INTEGER, isRecalled INTEGER, PRIMARY KEY (sender, id), UNIQUE (chat, seq));
    CREATE TABLE IF NOT EXISTS shown (number INTEGER PRIMARY KEY, sender TEXT, id TEXT);
    CREATE TABLE IF NOT EXISTS outbox (number INTEGER PRIMARY KEY, id TEXT, receiver TEXT, words TEXT);
    CREATE TABLE IF NOT EXISTS session (number INTEGER PRIMARY KEY, told TEXT);
    CREATE TABLE IF NOT EXISTS event (number INTEGER PRIMARY KEY);
    CREATE TABLE IF NOT EXISTS recall (chat TEXT, seq INTEGER, PRIMARY KEY (chat, seq));
"""


class Killed(Exception):
    """The device is dead: what it had not committed is gone."""


class PlainDevice(threading.Thread):
    """person: name and password. peers: the ids of the people it writes to, in every one of whose conversations it is."""

    def __init__(self, name, person, address, folder, ledger, peers, seed):
        super().__init__(daemon=True)
        self.label = name
        self.person = person
        self.address = address
        self.folder = folder
        self.ledger = ledger
        self.peers = peers
        self.choice = random.Random(seed)
        self.dead = threading.Event()
        self.socket = None
        # Messages that came too early, by place, and since when one is missing.
        self.early = {}
        self.since = {}
        self.must_sync = True
        self.next_word = 0.0
        self.failure = None

    def kill(self):
        self.dead.set()
        self.join(30)

    # Its life

    def run(self):
        self.store = sqlite3.connect(self.folder / f"{self.label}.sqlite", isolation_level=None)
        self.store.execute("PRAGMA synchronous = OFF")
        self.store.executescript(SCHEMA)
        self.client = PlainClient(self.address, limit=LIMIT)
        try:
            while True:
                try:
                    self.live()
                except Unreached:
                    self.drop()
                    self.pause(0.05 + 0.1 * self.choice.random())
                except Refused as error:
                    if error.code == 429:
                        self.pause(0.5)
                        continue
                    if not 1501 <= error.code <= 1507:
                        raise
                    self.client.token = None
                    self.drop()
        except Killed:
            pass
        except Exception as error:
            self.failure = error
            self.ledger.say(f"{self.label}: {error!r}")
        finally:
            self.drop()
            self.store.close()

    def pause(self, seconds):
        if self.dead.wait(seconds):
            raise Killed

    def point(self):
        """Where it may die."""
        self.pause(0)

    def drop(self):
        if self.socket is not None:
            self.socket.socket.shutdown()
            self.socket = None

    def live(self):
        if self.client.token is None:
            self.enter()
        # The socket first: what comes while the rest is asked for is told twice, never left out.
        if self.socket is None:
            self.socket = self.client.socket()
            self.must_sync = True
            # What waits is sent again before the device learns what became of it, or after.
            if self.choice.random() < 0.5:
                self.send()
        while True:
            self.point()
            if self.must_sync:
                self.catch_up()
            self.fill_gaps()
            self.write()
            self.send()
            self.take(self.socket.push(0.05))

    def enter(self):
        """By the session that it has, renewed where its token is over, or else as at first."""
        kept = self.store.execute("SELECT told FROM session ORDER BY number DESC LIMIT 1").fetchone()
        if kept and self.client.id is None:
            self.client.take(json.loads(kept[0]))
            return
        # A password takes long on purpose, and more so beside other work.
        self.client.limit = ENTERING
        try:
            session = self.client.renew() if kept else self.client.login(*self.person)
        except Refused:
            session = self.client.login(*self.person)
        finally:
            self.client.limit = LIMIT
        self.point()
        self.store.execute("INSERT INTO session (told) VALUES (?)", (json.dumps({"refreshToken": self.client.refresh_token} | session),))

    # What comes

    def last(self, chat):
        return self.store.execute("SELECT ifnull(max(seq), 0) FROM message WHERE chat = ?", (chat,)).fetchone()[0]

    def event(self):
        return self.store.execute("SELECT ifnull(max(number), 0) FROM event").fetchone()[0]

    def catch_up(self):
        """Everything that it lacks, in one question, and further ones where the answer was cut."""
        while True:
            before = self.event()
            data = self.client.sync(before, {conversation(self.client.id, peer): self.last(conversation(self.client.id, peer)) for peer in self.peers})
            self.point()
            if data["reload"]:
                raise AssertionError("the hub no longer has events that it had, and a run has too few for that")
            for message in pushed(data):
                self.receive(message)
            for event in data["events"]:
                self.change(event)
            is_behind = [chat for chat, place in data["seqs"].items() if self.last(chat) < place["maxSeq"]]
            if not is_behind and self.event() >= data["useq"]:
                self.must_sync = False
                return

    def fill_gaps(self):
        for chat, since in list(self.since.items()):
            if time.monotonic() - since < GAP:
                continue
            self.point()
            last = self.last(chat)
            for message in self.client.pull(chat, last + 1, max(self.early[chat]))[0]:
                self.receive(message)
            if self.last(chat) == last:
                raise AssertionError(f"{chat} is pushed beyond {last + 1}, and that is not to be pulled")

    def take(self, data):
        if data is None:
            return
        self.point()
        if data.get("resync"):
            self.must_sync = True
        for message in pushed(data):
            self.receive(message)
        for event in data.get("events", []):
            if event.get("useq", 0) > self.event() + 1:
                self.must_sync = True
            else:
                self.change(event)

    def receive(self, message):
        """A row once, by its sender and id; what came too early waits."""
        chat = conversation(message.sender, message.receiver)
        last = self.last(chat)
        if message.seq > last + 1:
            self.early.setdefault(chat, {})[message.seq] = message
            self.since.setdefault(chat, time.monotonic())
            return
        self.store.execute("BEGIN")
        if message.seq <= last:
            found = self.store.execute("SELECT sender, id FROM message WHERE chat = ? AND seq = ?", (chat, message.seq)).fetchone()
            if found != (message.sender, message.id):
                raise AssertionError(f"{chat} {message.seq} was {found} and is {message.sender} {message.id}")
            if message.is_recalled:
                self.store.execute("UPDATE message SET isRecalled = 1 WHERE chat = ? AND seq = ?", (chat, message.seq))
        else:
            self.show(chat, message)
            waiting = self.early.get(chat, {})
            while (following := waiting.pop(self.last(chat) + 1, None)) is not None:
                self.show(chat, following)
            self.early[chat] = {seq: one for seq, one in waiting.items() if seq > self.last(chat)}
            if not self.early[chat]:
                self.since.pop(chat, None)
            else:
                self.since[chat] = time.monotonic()
        self.commit()

    def show(self, chat, message):
        # That it was taken back may have been told before it.
        is_recalled = message.is_recalled or self.store.execute("SELECT 1 FROM recall WHERE chat = ? AND seq = ?", (chat, message.seq)).fetchone() is not None
        self.store.execute("INSERT INTO message VALUES (?, ?, ?, ?, ?)", (message.sender, message.id, chat, message.seq, is_recalled))
        self.store.execute("INSERT INTO shown (sender, id) VALUES (?, ?)", (message.sender, message.id))
        # An own message that is in the conversation is on its way no more, also where its acknowledgement was lost.
        if message.sender == self.client.id:
            self.store.execute("DELETE FROM outbox WHERE id = ?", (message.id,))

    def change(self, event):
        number = event.get("useq")
        if number is None or number <= self.event():
            return
        if number != self.event() + 1:
            raise AssertionError(f"event {number} follows {self.event()}")
        self.store.execute("BEGIN")
        if event["event"] == "recalled":
            place = (event["conversationID"], event["seq"])
            self.store.execute("INSERT OR IGNORE INTO recall VALUES (?, ?)", place)
            self.store.execute("UPDATE message SET isRecalled = 1 WHERE chat = ? AND seq = ?", place)
        self.store.execute("INSERT INTO event VALUES (?)", (number,))
        self.commit()

    def commit(self):
        """A device that is killed before it has none of it."""
        if self.dead.is_set():
            self.store.execute("ROLLBACK")
            raise Killed
        self.store.execute("COMMIT")

    # What goes

    def write(self):
        """Something new now and then; it is in the outbox before anything is sent."""
        if self.ledger.over.is_set() or time.monotonic() < self.next_word:
            return
        # The hub takes ten messages a second of a person, who may have two devices.
        self.next_word = time.monotonic() + 0.15 + 0.5 * self.choice.random()
        for _ in range(self.choice.choice([1, 1, 1, 3])):
            id = f"{self.label}-{self.choice.getrandbits(64):016x}"
            receiver = self.choice.choice(self.peers)
            self.store.execute("INSERT INTO outbox (id, receiver, words) VALUES (?, ?, ?)", (id, receiver, f"words of {id} " * self.choice.choice([1, 1, 5, 200])))
            self.ledger.begin(self.client.id, id, conversation(self.client.id, receiver))

    def send(self):
        """Everything in the outbox in its order, each under its id until it is acknowledged."""
        for number, id, receiver, words in self.store.execute("SELECT number, id, receiver, words FROM outbox ORDER BY number").fetchall():
            self.point()
            try:
                if self.choice.random() < 0.5:
                    answer = self.client.send(receiver, words, id=id)
                else:
                    answer = self.socket.send(receiver, words, id)
            except Refused as error:
                # Too fast, or the hub is just ending: later.
                if error.code in (429, 500, 507):
                    return
                raise
            self.ledger.acknowledge(self.client.id, id, answer)
            self.point()
            self.store.execute("DELETE FROM outbox WHERE number = ?", (number,))
            if answer["seq"] > self.last(conversation(self.client.id, receiver)):
                self.expect(conversation(self.client.id, receiver), answer["seq"])
            if self.choice.random() < 0.1:
                self.recall(conversation(self.client.id, receiver), id)

    def expect(self, chat, seq):
        """The hub does not push a message to the connection that sent it, so its place is known by its acknowledgement alone."""
        for message in self.client.pull(chat, self.last(chat) + 1, seq)[0]:
            self.receive(message)

    def recall(self, chat, id):
        """Again until there is an answer."""
        self.ledger.may_recall(self.client.id, id)
        while True:
            self.point()
            try:
                self.client.recall(chat, id)
                break
            except Unreached:
                self.pause(0.1)
            except Refused as error:
                if error.code == 429:
                    self.pause(0.5)
                    continue
                # Taken back already: an attempt before this one had no answer.
                if error.code != 1404:
                    raise
                break
        self.ledger.recall(self.client.id, id)

    # In the end

    def state(self):
        """Asked for when it is dead: its rows by conversation, what it has shown, and what it still has to send."""
        store = sqlite3.connect(self.folder / f"{self.label}.sqlite")
        try:
            rows = {}
            for chat, sender, id, seq, is_recalled in store.execute("SELECT chat, sender, id, seq, isRecalled FROM message ORDER BY chat, seq"):
                rows.setdefault(chat, []).append((sender, id, seq, bool(is_recalled)))
            shown = store.execute("SELECT sender, id FROM shown").fetchall()
            return rows, shown, store.execute("SELECT count(*) FROM outbox").fetchone()[0]
        finally:
            store.close()


def stored(client, chat):
    """The rows of a conversation as the hub tells them."""
    return [(one.sender, one.id, one.seq, one.is_recalled) for one in client.history(chat, 200)]
