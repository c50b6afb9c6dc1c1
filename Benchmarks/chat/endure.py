"""Conversations whose hub and devices are killed with SIGKILL at random points, over lines that break. See bin/endure-chat."""

import random
import time

from ledger import Ledger, check
from lines import Lines
from phones import Phone
from plain import PlainDevice, stored
from plain_chat_client import PlainClient, conversation

PASSWORD = "correct horse battery"
SETTLED = 90
# Who has which devices: programs of ours, and clients that were written from the document.
PEOPLE = {"ada": ["phone", "phone"], "bob": ["phone"], "cleo": ["plain", "plain"], "dan": ["plain"]}
PLAIN = {"ada": ["plain", "plain"], "bob": ["plain"], "cleo": ["plain"]}


class Run:
    def __init__(self, home, people, kills, seed):
        self.home = home
        self.people = people
        self.kills = kills
        self.seed = seed
        self.choice = random.Random(seed)
        self.ledger = Ledger()
        self.killed = {"hub": 0, "phones": 0, "clients": 0}
        self.lines = Lines(lambda: home.said["hub"]["port"], seed + 1)
        # {label: device} of those that live, and how a plain one that died is made again over its store.
        self.phones = {}
        self.plain = {}
        self.makers = {}

    def start_hub(self):
        self.home.start("hub", "--page", "off", "--server-name", "127.0.0.1", "--listen", self.home.listen("hub"), "--log-level", "error",
                        # Everything is read again and again in the end.
                        environment={"TANDEM_CHAT_STRANGERS_ASK": "false", "TANDEM_ACCOUNTS": "anybody", "TANDEM_CHAT_REQUEST_BURST": "1000000"})

    # The people

    def meet(self):
        """Everybody has an account and begins to write, over lines that do not break yet."""
        self.start_hub()
        self.lines.start()
        self.lines.ready.wait()
        self.address = f"http://127.0.0.1:{self.lines.port}"
        self.ids = {}
        # Clients that nothing disturbs, for the end. Phones seal what they write to each other, and a client without keys would not do as their device.
        self.watchers = {}
        for name, devices in self.people.items():
            if devices[0] == "plain":
                client = PlainClient(f"http://127.0.0.1:{self.home.said['hub']['port']}", limit=60)
                client.register(name, PASSWORD)
                self.watchers[name] = client
                self.ids[name] = client.id
            else:
                self.ids[name] = self.sign_in(name, len(devices))
        self.chats = [conversation(self.ids[one], self.ids[other]) for one in self.people for other in self.people if one < other]
        for name, devices in self.people.items():
            peers = [id for other, id in self.ids.items() if other != name]
            for number, kind in enumerate(devices, 1):
                label = f"{name}{number}"
                if kind == "phone":
                    self.phones[label].meet(peers)
                else:
                    self.makers[label] = lambda label=label, name=name, peers=peers: PlainDevice(
                        label, (name, PASSWORD), self.address, self.home.folder, self.ledger, peers, self.choice.getrandbits(32))
                    self.begin(label)

    def sign_in(self, name, count):
        """A person's phones; the id."""
        for number in range(1, count + 1):
            label = f"{name}{number}"
            phone = self.phones[label] = Phone(label, self.home, self.ledger, self.choice.getrandbits(32))
            phone.start()
            method = "account.new" if number == 1 else "account.login"
            phone.id = phone.surely(method, hub=self.address, name=name, password=PASSWORD)["userID"]
            if number > 1:
                self.phones[f"{name}1"].add(phone)
        return phone.id

    def begin(self, label):
        self.plain[label] = self.makers[label]()
        self.plain[label].start()

    # Kills

    def kill(self, name):
        kind = "hub" if name == "hub" else "phones" if name in self.phones else "clients"
        self.killed[kind] += 1
        if kind == "hub":
            self.home.kill("hub")
        else:
            (self.phones if kind == "phones" else self.plain)[name].kill()

    def revive(self, name):
        if name == "hub":
            self.start_hub()
        elif name in self.phones:
            self.phones[name].start()
        else:
            self.begin(name)

    def harass(self):
        """Kills, one or several at a time, and starts them again in another order."""
        self.lines.breaks = True
        everybody = ["hub", *self.phones, *self.plain]
        for number in range(self.kills):
            time.sleep(self.choice.random() * 0.8)
            names = self.choice.sample(everybody, self.choice.choice([1, 1, 1, 2, 3]))
            if "hub" not in names and self.choice.random() < 0.3:
                names.append("hub")
            for name in names:
                self.kill(name)
            time.sleep(self.choice.random() * 0.2)
            for name in self.choice.sample(names, len(names)):
                self.revive(name)
            if self.ledger.wrong:
                return
            if (number + 1) % 50 == 0:
                print(f"{number + 1} kills, {len(self.ledger.tried)} messages, {len(self.ledger.acknowledged)} acknowledged to clients", flush=True)

    # The end

    def mistakes(self):
        """What is wrong now, in words: at the hub, and on each device beside it."""
        wrong = list(self.ledger.wrong)
        rows = {}
        for name, client in self.watchers.items():
            wrong += self.watched(name, client, rows)
        for label, device in [*self.phones.items(), *self.plain.items()]:
            mine, shown, waiting = device.state()
            if waiting:
                wrong.append(f"{label} still has {waiting} to send: {getattr(device, 'trouble', None)}")
            if len(set(shown)) != len(shown):
                wrong.append(f"{label} shows {len(shown) - len(set(shown))} twice")
            for chat in self.chats:
                # What the phones write to each other is known by them alone.
                if self.ids[label[:-1]] in people_of(chat) and mine.get(chat, []) != rows.setdefault(chat, mine.get(chat, [])):
                    wrong.append(f"{label} has {len(mine.get(chat, []))} rows of {chat}, others {len(rows[chat])}, or other ones")
        for chat in self.chats:
            wrong += check(self.ledger, chat, rows.get(chat, []))
        return wrong

    def watched(self, name, client, rows):
        """What the hub tells a person, beside what it tells others and what the definition of unread says."""
        wrong = []
        places, listed = client.sync()["seqs"], client.rows()
        for chat in self.chats:
            if client.id not in people_of(chat) or chat not in places:
                continue
            mine = stored(client, chat)
            if rows.setdefault(chat, mine) != mine:
                wrong.append(f"the two people of {chat} are told different rows")
            read = places[chat]["hasReadSeq"]
            unread = sum(sender != client.id and not is_recalled for sender, _, seq, is_recalled in mine if seq > read)
            if listed[chat]["unreadCount"] != unread:
                wrong.append(f"{name} has {unread} unread in {chat}, and is told {listed[chat]['unreadCount']}")
        return wrong

    def settle(self):
        """Everybody is there and nothing breaks: what is wrong after that is wrong."""
        self.lines.breaks = False
        self.ledger.over.set()
        for phone in self.phones.values():
            phone.join()
        begun = time.monotonic()
        while True:
            time.sleep(0.5)
            wrong = self.mistakes()
            if not wrong or self.ledger.wrong or time.monotonic() - begun > SETTLED:
                return wrong, time.monotonic() - begun


def people_of(chat):
    """The two people of a conversation."""
    parts = chat.removeprefix("si_").split("_")
    return {f"tb_{parts[1]}", f"tb_{parts[3]}"}


def plain(home, kills, seed):
    return main(home, kills, seed, PLAIN)


def main(home, kills, seed, people=PEOPLE):
    run = Run(home, people, kills, seed)
    run.meet()
    run.harass()
    wrong, settled = run.settle()
    for device in run.plain.values():
        device.kill()
    ledger = run.ledger
    print(f"{len(ledger.tried)} messages of {len(run.ids)} people on {len(run.phones) + len(run.plain)} devices, {len(ledger.recalled)} taken back, seed {seed}; kills: "
          + ", ".join(f"{count} {name}" for name, count in run.killed.items()) + "; lines: " + ", ".join(f"{count} {name}" for name, count in run.lines.counts.items()))
    if wrong:
        for sentence in wrong[:20]:
            print(f"WRONG {sentence}")
        print(f"FAILED: {len(wrong)} wrong, seed {seed}")
        return 1
    counts = run.lines.counts
    if len(ledger.tried) < kills or not counts["lost"] or not counts["doubled"] or not counts["reordered"]:
        print("FAILED: hardly anything happened, so nothing is proved")
        return 1
    print(f"{len(ledger.acknowledged)} acknowledged to clients, {ledger.repeats} of them again after a break, with the same answer: none lost, none stored or shown twice, "
          f"no gap, the same on every device; all settled {settled:.1f} s after the last kill")
    return 0

