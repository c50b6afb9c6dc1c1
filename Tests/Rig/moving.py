"""What rigs share that move a phone's data to another phone: a line that is slow and is cut, a phone's wizard as it is asked and watched, data to move, and
everything that a phone has as one value that can be compared."""

import hashlib
import json
import random
import shutil
import socket
import sqlite3
import struct
import subprocess
import threading
import time
import zipfile
import zlib
from pathlib import Path

from rig import Trouble

PASSWORD = "a sentence of several words"
PIECE = 65536
# An answer of a phone that reads a journal or makes a password's key, on a machine that others use as well.
CALL_LIMIT = 60


class Refused(Exception):
    """The phone answered with an error, in words for a person."""


class Gone(Exception):
    """The phone's program is not there, or ended before it answered."""


class Wire:
    """A line between two phones: takes connections for the phone that listens at `target`, carries `rate` bytes a second towards it, and is cut
    where it is told."""

    def __init__(self, target, rate=None):
        self.target = target
        self.rate = rate
        self.carried = 0
        self.cuts = 0
        self.cut_at = None
        self.lock = threading.Lock()
        self.ends = set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(self.target, timeout=5)
            except OSError:
                near.close()
                continue
            far.settimeout(None)
            for end in (near, far):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self.lock:
                self.ends |= {near, far}
            threading.Thread(target=self.carry, args=(near, far, True), daemon=True).start()
            threading.Thread(target=self.carry, args=(far, near, False), daemon=True).start()

    def carry(self, source, target, counts):
        due = time.monotonic()
        try:
            while piece := source.recv(PIECE):
                if counts:
                    if self.rate:
                        due = max(due, time.monotonic() - 0.05) + len(piece) / self.rate
                        time.sleep(max(0, due - time.monotonic()))
                    self.carried += len(piece)
                    if self.cut_at is not None and self.carried >= self.cut_at:
                        self.cut()
                        return
                target.sendall(piece)
        except OSError:
            pass
        finally:
            self.end(source, target)

    def end(self, *ends):
        with self.lock:
            self.ends -= set(ends)
        for end in ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()

    def cut_after(self, count):
        """Cuts once `count` more bytes went towards the phone that listens."""
        self.cut_at = self.carried + count

    def cut(self):
        """Resets every connection, as a network does that goes away."""
        with self.lock:
            ends, self.ends = self.ends, set()
            self.cut_at = None
            self.cuts += bool(ends)
        for end in ends:
            try:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()

    def close(self):
        try:
            self.listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.listener.close()
        self.cut()


class Wizard:
    """A phone by its control socket: what it is asked, and the states of its wizard. A program that was started again is asked by a new one."""

    def __init__(self, folder):
        self.path = f"{folder}/control.sock"

    def connect(self, seconds=20):
        # A program has said its first line a moment before its control socket is there.
        end = time.monotonic() + seconds
        while True:
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.settimeout(CALL_LIMIT)
                connection.connect(self.path)
                return connection
            except OSError as error:
                connection.close()
                if time.monotonic() > end:
                    raise Gone(str(error)) from None
                time.sleep(0.01)

    def ask(self, method, params, on_item=None, seconds=20):
        with self.connect(seconds) as connection, connection.makefile("rwb") as file:
            try:
                file.write(json.dumps({"id": 1, "method": method, "params": params}).encode() + b"\n")
                file.flush()
                if on_item:
                    connection.settimeout(None)
                while line := file.readline():
                    answer = json.loads(line)
                    if "item" in answer:
                        if on_item:
                            on_item(answer["item"])
                    elif "error" in answer:
                        raise Refused(json.dumps(answer["error"]))
                    else:
                        return answer.get("result")
            except (OSError, ValueError) as error:
                raise Gone(str(error)) from None
        raise Gone("the program ended before it answered")

    def call(self, method, **params):
        return self.ask(method, params)

    def state(self):
        try:
            return self.call("migrate.state")
        except Gone:
            # It may just be starting itself again.
            return self.call("migrate.state")

    def reaches(self, wanted, seconds=90):
        """The first state for which `wanted` answers true, asked for often: what ends by itself cannot be watched from outside in time."""
        end = time.monotonic() + seconds
        while True:
            state = self.state()
            if wanted(state):
                return state
            if time.monotonic() > end:
                raise Trouble(f"the wizard stays at {state['step']}: {json.dumps(state)[:600]}")
            time.sleep(0.01)


class Watch(threading.Thread):
    """Tells each state of a wizard as long as its program lives; between two moves it asks again."""

    def __init__(self, folder, tell):
        super().__init__(daemon=True)
        self.wizard = Wizard(folder)
        self.tell = tell
        self.is_over = False

    def run(self):
        while not self.is_over:
            try:
                last = self.wizard.ask("migrate.watch", {}, self.take)
                self.take(last)
            except Refused:
                # A move that failed: its state says why.
                try:
                    self.take(self.wizard.state())
                except (Gone, Refused):
                    return
            except Gone:
                return
            time.sleep(0.03)

    def take(self, state):
        if not self.is_over:
            self.tell(state)


# Data

def noise_picture(choice, width, height):
    """A PNG that no compression makes smaller."""

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    rows = b"".join(b"\0" + choice.randbytes(width * 3) for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b"")


def day_one_export(path, choice, size=(320, 240), entries=6):
    """A zip as Day One writes it: one JSON for each journal, files named by their MD5, texts that point to them by `dayone-moment:`, and the gaps of
    older entries: without text, without a type, rich text alone."""

    def moment():
        return choice.randbytes(16).hex().upper()

    files, journal = {}, []
    for number in range(entries):
        picture, video = noise_picture(choice, *size), choice.randbytes(40_000)
        photo_id, video_id = moment(), moment()
        entry = {
            "uuid": moment(), "creationDate": f"2024-0{number % 9 + 1}-06T07:08:0{number % 9}Z", "modifiedDate": "2024-11-07T00:00:00Z", "timeZone": "Europe/Zurich",
            "starred": number == 0, "tags": ["hiking", "日本"][: number % 3], "weather": {"temperatureCelsius": 21.5, "conditionsDescription": "Clear"},
            "text": f"# Day {number}\n\nSteep\\. Emoji 🏔️, words größer.\n\n![](dayone-moment://{photo_id})\n![](dayone-moment:/video/{video_id})",
            "location": {"latitude": 47.05, "longitude": 8.48, "placeName": "Rigi Kulm", "localityName": "Arth", "country": "Switzerland"},
            "photos": [{"identifier": photo_id, "md5": hashlib.md5(picture).hexdigest(), "type": "png", "width": size[0], "height": size[1], "orderInEntry": 0}],
            "videos": [{"identifier": video_id, "md5": hashlib.md5(video).hexdigest(), "duration": 4}],
        }
        files[f"photos/{entry['photos'][0]['md5']}.png"] = picture
        files[f"videos/{entry['videos'][0]['md5']}.mov"] = video
        journal.append(entry)
    rich = json.dumps({"contents": [{"text": "Only rich text"}], "meta": {"version": 1}})
    journal.append({"uuid": moment(), "creationDate": "2019-01-02T03:04:05Z", "richText": rich})
    journal.append({"uuid": moment(), "creationDate": "2018-01-02T03:04:05Z"})
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Journal.json", json.dumps({"metadata": {"version": "1.0"}, "entries": journal}))
        for name, content in files.items():
            archive.writestr(name, content)
    return len(journal), len(files)


def photo_folder(folder, choice, count, size=(640, 480)):
    """A folder of photos and one empty file, with names as people and cameras give them; what is in it, by name."""
    folder.mkdir()
    names = [f"IMG_{number:04}.png" for number in range(count - 2)] + ["Ümlaut 🏔️.png", "with space 'quote'.png"]
    for name in names:
        (folder / name).write_bytes(noise_picture(choice, *size))
    return sorted(folder.iterdir())


# What a phone has

def sums(folder):
    """Each file below a folder by its SHA-256."""
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(Path(folder).rglob("*")) if path.is_file()}


def stored_media(state):
    """The media of the current generation as they lie on the disk, encrypted, by path."""
    name = (state / "store/CURRENT").read_text().strip()
    return sums(state / "store" / name / "Media")


def database_rows(state):
    """The records of the current generation's database by table, read from a copy: each row of each table of its own, none of the index's."""
    name = (state / "store/CURRENT").read_text().strip()
    copy = state.parent / f"{state.name}.rows"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    try:
        for path in (state / "store" / name).glob("db.sqlite*"):
            shutil.copy(path, copy / path.name)
        database = sqlite3.connect(copy / "db.sqlite")
        try:
            tables = [row[0] for row in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
            own = [table for table in tables if table in ("setting", "category", "story", "medium", "story_category")]
            return {table: sorted(map(repr, database.execute(f'SELECT * FROM "{table}"'))) for table in own}
        finally:
            database.close()
    finally:
        shutil.rmtree(copy, ignore_errors=True)


class Everything:
    """All that a phone shows of its data, as one value. Two of them are equal, or `differences` says where they are not."""

    def __init__(self, home, name, chats=()):
        folder = home.state(name)
        out = home.folder / f"{name}.everything"
        shutil.rmtree(out, ignore_errors=True)
        try:
            home.run(name, "journal", "export", out, timeout=CALL_LIMIT)
            self.parts = {
                "identity": home.said[name]["did"],
                "journal": json.loads((out / "journal.json").read_text()),
                "files": sums(out),
                "media at rest": stored_media(folder),
                "stories as listed": home.json(name, "journal", "list"),
                "computers": self.computers(home.json(name, "devices", "list", "--role", "phone")),
                "notifications": home.json(name, "notifications", "list", "--limit", "100", "--role", "phone"),
                "settings": sums(folder).get("config.json"),
            }
            for peer in chats:
                self.parts[f"chat with {peer}"] = home.json(name, "chat", "history", peer, "--limit", "200")
        finally:
            shutil.rmtree(out, ignore_errors=True)

    @staticmethod
    def computers(answer):
        """Who they are and what they may do; not whether they are reached at the moment, or since when, nor the sentence that has the phone's own name."""
        passing = {"connection", "path", "online", "connected", "isConnected", "lastSeen", "lastSeenAt", "latency", "clearance", "addresses", "presence", "state", "notAllowed"}
        return [{key: value for key, value in one.items() if key not in passing} for one in answer["devices"]]

    def __eq__(self, other):
        return self.parts == other.parts

    @property
    def identity(self):
        return self.parts["identity"]

    @property
    def of_the_journal(self):
        """Without what goes on without a person: letters and notifications that arrive."""
        return self.only("identity", "journal", "files", "media at rest", "stories as listed", "settings")

    def only(self, *parts):
        part = Everything.__new__(Everything)
        part.parts = {name: self.parts[name] for name in parts}
        return part

    @property
    def counts(self):
        journal = self.parts["journal"]
        return f"{len(journal['stories'])} stories, {len(self.parts['media at rest'])} files of media"

    def differences(self, other):
        for part in self.parts:
            if self.parts[part] != other.parts.get(part):
                yield f"{part}: {json.dumps(self.parts[part])[:600]} AND {json.dumps(other.parts.get(part))[:600]}"


def same(one, other, what):
    """- Throws `Trouble` that says where two phones' data is not the same."""
    if one != other:
        raise Trouble(f"{what}: " + "; ".join(one.differences(other)))


# Phones

def start_phone(home, name, *options, environment=None):
    return home.start(name, "--no-discovery", "--page", "off", *options, role="phone", environment=environment)


def start_paused(home, name, *options):
    """A phone's program that was just begun, so that it can be killed while it starts; it is no part of the home."""
    command = [home.tandem, "phone", "--state", home.state(name), "--json", "--no-discovery", "--page", "off", *options]
    with open(home.folder / f"{name}.log", "ab") as log:
        return subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log, env=home.environment)


def listening_port(addresses):
    return int(addresses[0].rsplit(":", 1)[1])


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def seeded(seed):
    # Numbers that follow each other would begin alike.
    return random.Random(f"move {seed}")
