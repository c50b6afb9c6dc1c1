"""What was said and acknowledged during a run, whoever was killed meanwhile."""

import threading


class Ledger:
    def __init__(self):
        self.lock = threading.Lock()
        # {(sender, id): conversation} of all that was begun, {(sender, id): (seq, server's id, time)} of what was acknowledged.
        self.tried = {}
        self.acknowledged = {}
        # What was tried to be taken back, and what surely was.
        self.recalling = set()
        self.recalled = set()
        self.repeats = 0
        self.wrong = []
        # Nothing new is said any more.
        self.over = threading.Event()

    def say(self, sentence):
        with self.lock:
            self.wrong.append(sentence)

    def begin(self, sender, id, chat):
        with self.lock:
            self.tried[sender, id] = chat

    def acknowledge(self, sender, id, answer):
        """An acknowledgement that comes again says the same."""
        told = (answer["seq"], answer["serverMsgID"], answer["sendTime"])
        with self.lock:
            before = self.acknowledged.setdefault((sender, id), told)
            if before is not told:
                self.repeats += 1
            if before != told:
                self.wrong.append(f"{sender} {id} was acknowledged as {before} and then as {told}")

    def may_recall(self, sender, id):
        with self.lock:
            self.recalling.add((sender, id))

    def recall(self, sender, id):
        with self.lock:
            self.recalled.add((sender, id))


def check(ledger, chat, rows):
    """What is wrong with the hub's rows of a conversation: each (sender, id, seq, isRecalled), in its order."""
    wrong = []
    if [seq for _, _, seq, _ in rows] != list(range(1, len(rows) + 1)):
        wrong.append(f"the seqs of {chat} have gaps or repeats")
    places = {}
    for sender, id, seq, is_recalled in rows:
        if (sender, id) in places:
            wrong.append(f"{sender} {id} is stored twice, at {places[sender, id]} and {seq}")
        places[sender, id] = seq
        if (sender, id) not in ledger.tried:
            wrong.append(f"{sender} {id} was never sent")
        if is_recalled and (sender, id) not in ledger.recalling:
            wrong.append(f"{sender} {id} was taken back by nobody")
        if not is_recalled and (sender, id) in ledger.recalled:
            wrong.append(f"{sender} {id} was taken back and is there")
    for (sender, id), (seq, _, _) in ledger.acknowledged.items():
        if ledger.tried[sender, id] == chat and places.get((sender, id)) != seq:
            wrong.append(f"{sender} {id} was acknowledged at {seq} and is at {places.get((sender, id))}")
    for (sender, id), where in ledger.tried.items():
        # A message that waited when it was taken back was never sent.
        key = (sender, id)
        may_lack = key in ledger.recalling and key not in ledger.recalled and key not in ledger.acknowledged
        if where == chat and key not in places and not may_lack:
            wrong.append(f"{sender} {id} was sent and is nowhere")
    return wrong
