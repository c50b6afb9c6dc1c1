"""Lines to a hub that break: a proxy in front of its port that cuts, resets and delays connections, and loses, doubles and reorders single pushes.

Bytes of a TCP stream cannot be lost one by one, so the proxy reads the frames that the hub sends on a WebSocket. Those are whole text frames
without a mask (RFC 6455), and a push is a frame 2001 (docs/protocol.md, "The socket"). Everything else is passed on as it came, or its connection is reset in
its place: so what was asked has happened, and nobody was told."""

import asyncio
import contextlib
import random
import re
import socket
import struct
import threading
import time

PUSH = re.compile(rb'"reqIdentifier"\s*:\s*2001\b')
# The share of answers in whose place a connection is reset.
UNANSWERED = 0.04
# How long a push that is to be overtaken waits for another one.
HELD = 0.2


class Connection:
    def __init__(self, *writers):
        self.writers = writers
        # It stands still until then.
        self.until = 0.0
        # A push that waits for the next one.
        self.held = None


class Lines(threading.Thread):
    """A proxy in an event loop of its own. `target` tells the port of the hub, which may be away."""

    def __init__(self, target, seed, harm=0.2):
        super().__init__(daemon=True)
        self.choice = random.Random(seed)
        self.target = target
        # The share of pushes that something happens to.
        self.harm = harm
        self.port = None
        self.ready = threading.Event()
        # Whether anything breaks at all.
        self.breaks = False
        self.counts = {"connections": 0, "cut": 0, "reset": 0, "stalled": 0, "unanswered": 0, "pushes": 0, "lost": 0, "doubled": 0, "reordered": 0}
        self.connections = set()

    def run(self):
        asyncio.run(self.serve())

    async def serve(self):
        server = await asyncio.start_server(self.accepted, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self.ready.set()
        broke = False
        while True:
            # Long enough in between that a device gets everything it lacks now and then.
            await asyncio.sleep(0.3 + 1.5 * self.choice.random())
            if not self.breaks:
                # A push can be lost only with its connection: a device asks for the last one, behind which nothing came, with the next connection.
                for connection in list(self.connections) if broke else ():
                    for writer in connection.writers:
                        reset(writer)
                broke = False
                continue
            broke = True
            for connection in list(self.connections):
                self.disturb(connection)

    def disturb(self, connection):
        match self.choice.randrange(9):
            case 0:
                self.counts["cut"] += 1
                connection.writers[0].close()
            case 1:
                self.counts["reset"] += 1
                for writer in connection.writers:
                    reset(writer)
            case 2:
                self.counts["stalled"] += 1
                connection.until = time.monotonic() + 0.1 + 1.5 * self.choice.random()

    async def accepted(self, reader, writer):
        self.counts["connections"] += 1
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target())
        except (OSError, KeyError):
            reset(writer)
            return
        connection = Connection(writer, far_writer)
        self.connections.add(connection)
        try:
            pumps = [asyncio.ensure_future(self.pump(connection, reader, far_writer)),
                     asyncio.ensure_future(self.answers(connection, far_reader, writer))]
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            for pump in pumps:
                pump.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)
        finally:
            self.connections.discard(connection)
            for one in connection.writers:
                one.close()

    async def still(self, connection):
        while self.breaks and time.monotonic() < connection.until:
            await asyncio.sleep(0.02)

    async def pump(self, connection, reader, writer):
        with contextlib.suppress(OSError):
            while piece := await reader.read(65536):
                await self.still(connection)
                writer.write(piece)
                await writer.drain()

    async def answers(self, connection, reader, writer):
        """The hub's side: an answer of HTTP as it comes, and frames one by one once it has become a WebSocket."""
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.read(65536)
            while head and b"\r\n\r\n" not in head and len(head) < 65536:
                more = await reader.read(65536)
                if not more:
                    break
                head += more
            if not head:
                return
            if not head.startswith(b"HTTP/1.1 101"):
                await self.still(connection)
                if self.swallows(connection):
                    return
                writer.write(head)
                await writer.drain()
                await self.pump(connection, reader, writer)
                return
            end = head.index(b"\r\n\r\n") + 4
            writer.write(head[:end])
            await self.frames(connection, Rest(head[end:], reader), writer)

    async def frames(self, connection, rest, writer):
        while True:
            if connection.held:
                try:
                    frame = await asyncio.wait_for(asyncio.shield(rest.next()), HELD)
                except asyncio.TimeoutError:
                    writer.write(connection.held)
                    connection.held = None
                    continue
            else:
                frame = await rest.next()
            await self.still(connection)
            if frame[0] == 0x81 and not PUSH.search(frame) and self.swallows(connection):
                return
            for one in self.passed(connection, frame):
                writer.write(one)
            await writer.drain()

    def swallows(self, connection):
        """Whether an answer is lost, and its connection with it."""
        if not self.breaks or self.choice.random() >= UNANSWERED:
            return False
        self.counts["unanswered"] += 1
        for writer in connection.writers:
            reset(writer)
        return True

    def passed(self, connection, frame):
        """What goes on in place of a frame, now."""
        held, connection.held = connection.held, None
        after = [held] if held else []
        if frame[0] != 0x81 or not PUSH.search(frame):
            return after + [frame]
        self.counts["pushes"] += 1
        if not self.breaks or self.choice.random() >= self.harm:
            return [frame] + after
        match self.choice.randrange(3):
            case 0:
                self.counts["lost"] += 1
                return after
            case 1:
                self.counts["doubled"] += 1
                return [frame, frame] + after
            case _:
                self.counts["reordered"] += 1
                connection.held = frame
                return after


class Rest:
    """Frames of a WebSocket, each with its head, behind bytes that were read already."""

    def __init__(self, bytes, reader):
        self.bytes = bytes
        self.reader = reader
        self.reading = None

    def next(self):
        """The same task until it is done: a reader that gave up waiting has lost nothing."""
        if self.reading is None or self.reading.done():
            self.reading = asyncio.ensure_future(self.read())
            # Its end may come when nobody waits any more.
            self.reading.add_done_callback(lambda it: it.cancelled() or it.exception())
        return self.reading

    async def take(self, count):
        while len(self.bytes) < count:
            piece = await self.reader.read(65536)
            if not piece:
                raise asyncio.IncompleteReadError(self.bytes, count)
            self.bytes += piece
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    async def read(self):
        head = await self.take(2)
        length = head[1] & 0x7F
        if length > 125:
            more = await self.take(2 if length == 126 else 8)
            head += more
            length = int.from_bytes(more, "big")
        return head + await self.take(length)


def reset(writer):
    """Ends a connection without saying so properly, as a network does that is gone."""
    with contextlib.suppress(OSError, AttributeError):
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
