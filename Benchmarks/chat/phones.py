"""Phones of people: real `tandem phone` processes, asked through their control sockets as commands and pages ask them."""

import asyncio
import random
import threading
import time

from control import Control, Gone, Refused
from plain_chat_client import conversation
from rig import Trouble, until

PAGE = 200


class Phone:
    """A process, and a thread that writes on it. person: name, password and id; peers: ids of the people it writes to."""

    def __init__(self, label, home, ledger, seed):
        self.label = label
        self.home = home
        self.ledger = ledger
        self.choice = random.Random(seed)
        self.id = None
        self.peers = []
        self.writing = None
        # Why a message still waits: the last one.
        self.trouble = None

    def start(self):
        self.home.start(self.label, "--no-discovery", "--page", "off", "--log-level", "error", role="phone")

    def kill(self):
        self.home.kill(self.label)

    # One question

    def ask(self, method, **params):
        return asyncio.run(self.asked(method, params))

    async def asked(self, method, params):
        control = Control(self.home.state(self.label))
        try:
            await control.connect()
            # Pages have a member `limit`, too.
            return await asyncio.wait_for(control.begin(method, **params)[1], 30)
        except asyncio.TimeoutError:
            raise Gone(f"no answer to {method}") from None
        finally:
            await control.close()

    def surely(self, method, seconds=60, **params):
        """Asks until it is answered: a program says its first line a moment before it can be asked, and a hub may be away."""
        end = time.monotonic() + seconds
        while True:
            try:
                return self.ask(method, **params)
            except (Gone, Refused) as error:
                if time.monotonic() > end:
                    raise Trouble(f"{self.label}: {method}: {error}") from None
                time.sleep(0.1)

    def add(self, other):
        """Takes another phone of the person into the list of those that read sealed messages, by the words that it shows."""
        def device(phone, state):
            return next((one for one in phone.surely("chat.devices")["devices"] if one["state"] == state), None)

        words = until(lambda: device(other, "this"))["words"]
        waiting = until(lambda: device(self, "waiting"))
        self.surely("chat.addDevice", did=waiting["did"], words=words)
        until(lambda: other.surely("chat.devices")["isListed"])

    # Writing

    def meet(self, peers):
        """Opens its conversations, and begins to write."""
        self.peers = peers
        for peer in peers:
            self.surely("chat.open", person=peer)
        self.writing = threading.Thread(target=lambda: asyncio.run(self.write()), daemon=True)
        self.writing.start()

    async def write(self):
        control = Control(self.home.state(self.label))
        try:
            while not self.ledger.over.is_set():
                await asyncio.sleep(0.15 + 0.5 * self.choice.random())
                id = f"{self.label}-{self.choice.getrandbits(64):016x}"
                chat = conversation(self.id, self.choice.choice(self.peers))
                await self.say(control, chat, id)
        except Refused as error:
            self.ledger.say(f"{self.label}: {error}")
        finally:
            await control.close()

    async def say(self, control, chat, id):
        """Until it is answered: from then on the message has its place in the outbox and must not be lost."""
        self.ledger.begin(self.id, id, chat)
        words = f"words of {id} " * self.choice.choice([1, 1, 5, 200])
        while True:
            try:
                await control.call("chat.send", limit=20, conversation=chat, text=words, id=id)
                break
            except Gone:
                await asyncio.sleep(0.05)
        if self.choice.random() >= 0.05:
            return
        self.ledger.may_recall(self.id, id)
        try:
            await asyncio.sleep(0.3)
            answer = await control.call("chat.recall", limit=20, conversation=chat, id=id)
        except (Gone, Refused):
            # It may have happened; the devices have to agree on it in the end.
            return
        # One that still waited is thrown away and has no place.
        if answer["seq"] is not None:
            self.ledger.recall(self.id, id)

    # In the end

    def join(self):
        if self.writing is not None:
            self.writing.join(60)

    def state(self):
        """Its rows by conversation, everything that it shows, and how many still wait. What failed while the hub was away is sent again, as a person does."""
        rows, shown, waiting = {}, [], 0
        for peer in self.peers:
            chat = conversation(self.id, peer)
            for entry in self.history(chat):
                shown.append((entry["from"], entry["id"]))
                if entry["status"] == "failed":
                    self.surely("chat.resend", conversation=chat, id=entry["id"])
                if entry["status"] != "sent":
                    waiting += 1
                    self.trouble = entry["status"], entry["error"]
                else:
                    rows.setdefault(chat, []).append((entry["from"], entry["id"], entry["seq"], entry["kind"] == "recalled"))
        return rows, shown, waiting

    def history(self, chat):
        entries, before = [], {}
        while True:
            page = self.surely("chat.history", conversation=chat, limit=PAGE, **before)
            entries = page["messages"] + entries
            places = [entry["seq"] for entry in page["messages"] if entry["seq"] is not None]
            if page["isEnd"] or not places:
                return entries
            before = {"before": min(places)}
