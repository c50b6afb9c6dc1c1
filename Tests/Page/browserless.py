"""A phone of the page's wire modules in Node, which a test orders about, beside real programs."""

import itertools
import json
import subprocess
from pathlib import Path

from rig import Home, Trouble, read_line, until

SCRIPTS = Path(__file__).resolve().parent / "wire"


class Refused(Exception):
    """What the phone could not do: `code`, and the `reason` of its failure."""

    def __init__(self, error):
        super().__init__(f"{error.get('code')} {error.get('reason')} {error.get('rpc')}: {error.get('message')}")
        self.code, self.reason, self.rpc, self.right, self.name = (error.get(name) for name in ("code", "reason", "rpc", "right", "name"))


class NodePhone:
    """The phone's process. An order's answer is waited for at most so many seconds."""

    DRIVER = SCRIPTS / "driver.mjs"

    def __init__(self, log):
        self.log = log
        self.numbers = itertools.count()
        with open(log, "ab") as file:
            self.process = subprocess.Popen(["node", "--no-warnings", self.DRIVER], bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=file)

    def __call__(self, act, patience=90, **args):
        number = next(self.numbers)
        self.process.stdin.write(json.dumps({"id": number, "act": act, "args": args}).encode() + b"\n")
        line = read_line(self.process.stdout, patience)
        if not line:
            raise Trouble(f"the phone did not answer {act} in {patience} s: {self.log.read_text()[-2000:]}")
        answer = json.loads(line)
        if answer["id"] != number:
            raise Trouble(f"the phone answered another order than {act}")
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["result"]

    def end(self):
        self.process.kill()
        self.process.wait(10)
        self.process.stdin.close()
        self.process.stdout.close()


class Pair(Home):
    """A hub, a computer at it, and the phone."""

    until = staticmethod(until)
    # What else the hub is told.
    HUB = ()

    def __init__(self, **options):
        super().__init__(**options)
        self.shared = self.home / "shared"
        self.shared.mkdir()
        self.phones = []

    def __enter__(self):
        try:
            self.start_hub()
            self.start_desktop()
            self.phone = self.new_phone()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exception):
        for phone in self.phones:
            phone.end()
        super().__exit__(*exception)

    def new_phone(self):
        """A phone of another key."""
        phone = self.make_phone()
        self.phones.append(phone)
        phone.opened = phone("open", home=self.said["hub"]["url"])
        return phone

    def make_phone(self):
        return NodePhone(self.folder / f"node-{len(self.phones)}.log")

    def start_hub(self):
        self.start("hub", "--listen", self.listen("hub"), *self.HUB)

    def start_desktop(self):
        self.start("desktop", "--listen", self.listen("desktop"), "--hub", self.said["hub"]["url"], "--no-discovery", "--share", self.shared, "--bridge", "off")

    @property
    def computer(self):
        """The computer's id."""
        return self.phone("computers")[0]["id"]

    def code(self):
        """The code that the computer shows, as JSON."""
        return self.run("desktop", "pair", "show", "--text", "--json-code", "--no-wait", "--no-digits").strip()

    def digits(self, *options):
        """The digits that the computer shows, once a server holds their alias."""
        return self.json("desktop", "pair", "show", "--no-wait", *options)["code"]

    def accept(self, *options):
        """Says yes to the request that comes."""
        request = until(lambda: self.json("desktop", "pair", "requests")["requests"])[0]
        self.run("desktop", "pair", "accept", request["id"], *options)
        return request

    def pair_phone(self, *rights):
        """Pairs by a scanned code, and allows the phone `rights`."""
        self.phone("scan", text=self.code())
        self.accept()
        record = self.phone("finish", name="scan")
        self.phone("ready", id=record["id"])
        if rights:
            self.allow(*rights)
        return record

    def allow(self, *rights):
        self.run("desktop", "devices", "allow", self.phone.opened["did"], *rights)
