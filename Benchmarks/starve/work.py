"""One kind of long work that a phone asks for, over and over, in a process of its own: what it costs here delays nothing that is measured.

bin/starve starts it with the name of a kind and a JSON object of where things are. Each line that comes is answered by a line of JSON that
says how often each part of the kind was done and refused so far. The end of the lines ends it."""

import asyncio
import base64
import json
import subprocess
import sys
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/Rig"), str(ROOT / "Benchmarks/starve")]
sys.dont_write_bytecode = True

from control import Control, Refused  # noqa: E402
from histories import PACKED, PICTURED, PLAIN, Histories  # noqa: E402


def picture(width, height):
    """A PNG that is small as a file and large as pixels."""
    def chunk(kind, data):
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
    rows = b"".join(b"\0" + bytes((x + y) & 0xFF for x in range(256)) * (3 * width // 256) for y in range(256))
    packer = zlib.compressobj(1)
    data = b"".join(packer.compress(rows[:(1 + 3 * width) * min(256, height - y)]) for y in range(0, height, 256)) + packer.flush()
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes((8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


class Work:
    def __init__(self, facts):
        self.tandem = facts["tandem"]
        self.environment = facts["environment"]
        self.state = Path(facts["state"])
        self.shared = Path(facts["shared"])
        self.folder = Path(facts["folder"])
        self.phone = Control(self.state)
        self.histories = Histories(Path(facts["home"]))
        self.histories.feeds_number = facts["feeds"]
        self.counts = {}
        self.typing = set()

    # What there is to do: a name for each part, how many at a time, and what is done.

    def parts(self, kind):
        return {
            "searches": [("searches", 16, lambda _: self.ask("file.search", path="/usr", pattern="*no such name*"))],
            "lists": [("lists", 16, lambda _: self.ask("file.list", path="/usr/bin"))],
            "transfers": [("files sent", 1, self.send), ("files fetched", 1, self.fetch)],
            "threads": [("pages of threads", 64, lambda _: self.ask("threads.get", id=PLAIN, limit=200))],
            "texts": [("searches in texts", 16, lambda _: self.ask("threads.search", query="message word"))],
            "packed history": [("pages of a packed thread", 8, lambda _: self.ask("threads.get", id=PACKED, limit=200)),
                               ("files of line feeds", 1, self.index_feeds)],
            "pictures": [("pictures of threads", 8, self.see_picture), ("screens", 2, lambda _: self.ask("display.screenshot", format="png")),
                         ("pictures copied", 2, self.copy)],
        }[kind]

    kinds = ("searches", "lists", "transfers", "threads", "texts", "packed history", "pictures")

    async def prepare(self):
        self.drawing = base64.b64encode(picture(2048, 1536)).decode()
        page = await self.ask("threads.get", id=PICTURED, limit=20)
        self.pictures = [item for item in page["items"] if item["kind"] == "image"]

    async def do(self, kind):
        kinds = self.kinds if kind == "all at once" else [kind]
        parts = [part for name in kinds for part in self.parts(name)]
        self.counts = {name: {"done": 0, "refused": {}} for name, _, _ in parts}
        await self.prepare()
        await asyncio.gather(*(self.over_and_over(*part, number) for part in parts for number in range(part[1])))

    async def over_and_over(self, name, _, once, number):
        """What is refused was one too many; the next is asked for a moment later."""
        counts = self.counts[name]
        while True:
            try:
                await once(number)
                counts["done"] += 1
            except Refused as error:
                said = str(error)[:160]
                counts["refused"][said] = counts["refused"].get(said, 0) + 1
                await asyncio.sleep(0.2)

    # How

    async def ask(self, method, **params):
        return await self.phone.call("call", method=method, params=params, timeout=300, limit=310)

    async def send(self, _):
        await self.typed("files", "put", self.folder / "upload", self.shared, "--replace")

    async def fetch(self, _):
        await self.typed("files", "get", self.shared / "large", self.folder / "fetched", "--replace")

    async def see_picture(self, number):
        item = self.pictures[number % len(self.pictures)]
        answer = await self.ask("threads.item", id=PICTURED, at=item["cursor"], item=item["id"], image=True)
        if len(json.dumps(answer)) < 300 << 10:
            raise Refused(f"an answer without its picture: {json.dumps(answer)[:100]}")

    async def copy(self, _):
        await self.ask("clipboard.set", type="image", content=self.drawing)

    async def index_feeds(self, _):
        """It holds no conversation, so a refusal is its answer."""
        thread = self.histories.begin_feeds()
        try:
            await self.ask("threads.get", id=thread, limit=200)
        except Refused:
            pass
        await asyncio.sleep(0.5)

    async def typed(self, *words):
        """A command as a person types it."""
        process = subprocess.Popen([self.tandem, *map(str, words), "--state", str(self.state)], env=self.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.typing.add(process)
        try:
            said, _ = await asyncio.to_thread(process.communicate)
        finally:
            # Where this ends early, the thread that waits for the command reads its end.
            self.typing.discard(process)
            if process.poll() is None:
                process.kill()
        if process.returncode:
            raise Refused(said.strip())

    # Its process

    async def run(self, kind):
        work = asyncio.create_task(self.do(kind))
        try:
            while await asyncio.to_thread(sys.stdin.readline):
                if work.done():
                    work.result()
                print(json.dumps({"counts": self.counts, "feeds": self.histories.feeds_number}), flush=True)
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
            await self.phone.close()


if __name__ == "__main__":
    asyncio.run(Work(json.loads(sys.argv[2])).run(sys.argv[1]))
