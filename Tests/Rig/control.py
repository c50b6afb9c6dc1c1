"""A client of the control socket in a state folder: lines of JSON, many requests at a time on one connection."""

import asyncio
import json
import time

from rig import Trouble


class Gone(Exception):
    """The process is not there, or ended before it answered."""


class Refused(Exception):
    """It answered with an error, in words for a person."""


class Control:
    def __init__(self, folder):
        self.path = f"{folder}/control.sock"
        self.waiting = {}
        self.items = {}
        self.next_id = 0
        self.writer = None
        self.reading = None

    async def connect(self):
        try:
            reader, self.writer = await asyncio.open_unix_connection(self.path, limit=8 << 20)
        except OSError as error:
            raise Gone(str(error)) from None
        self.reading = asyncio.create_task(self.read(reader))

    async def read(self, reader):
        try:
            while line := await reader.readline():
                answer = json.loads(line)
                if "item" in answer:
                    if take := self.items.get(answer["id"]):
                        take(answer["item"])
                    continue
                waiting = self.waiting.pop(answer["id"], None)
                if not waiting or waiting.done():
                    continue
                if "error" in answer:
                    waiting.set_exception(Refused(answer["error"]))
                else:
                    waiting.set_result(answer.get("result"))
        except (OSError, ValueError):
            pass
        finally:
            self.writer.close()
            self.writer = None
            waiting, self.waiting = self.waiting, {}
            for one in waiting.values():
                if not one.done():
                    one.set_exception(Gone("the connection ended"))

    def write(self, value):
        if self.writer is None:
            raise Gone("not connected")
        self.writer.write(json.dumps(value).encode() + b"\n")

    def begin(self, method, /, on_item=None, **params):
        """Sends a request. The second is a future with its result, Refused or Gone."""
        self.next_id += 1
        number = self.next_id
        self.write({"id": number, "method": method, "params": params})
        result = asyncio.get_running_loop().create_future()
        # Its end may come when nobody waits any more.
        result.add_done_callback(lambda it: it.cancelled() or it.exception())
        self.waiting[number] = result
        if on_item:
            self.items[number] = on_item
        return number, result

    async def call(self, method, /, limit=40.0, on_item=None, **params):
        if self.writer is None:
            await self.connect()
        number, result = self.begin(method, on_item, **params)
        try:
            return await asyncio.wait_for(result, limit)
        except asyncio.TimeoutError:
            raise Gone(f"no answer to {method} in {limit:.0f} s") from None
        finally:
            self.waiting.pop(number, None)
            self.items.pop(number, None)

    def tell(self, number, value):
        self.write({"id": number, "input": value})

    async def ready(self, seconds=20):
        """A program has said its first line a moment before its control socket is there."""
        until = time.monotonic() + seconds
        while True:
            try:
                return await self.call("status", limit=10)
            except Gone as error:
                if time.monotonic() > until:
                    raise Trouble(f"{self.path}: {error}") from None
                await asyncio.sleep(0.02)

    async def close(self):
        if self.reading:
            self.reading.cancel()
            await asyncio.gather(self.reading, return_exceptions=True)
            self.reading = None
