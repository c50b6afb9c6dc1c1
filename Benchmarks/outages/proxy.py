"""A TCP proxy that breaks lines in every way a network does. A program of its own, so that it can be stopped with SIGSTOP.

It takes one JSON object a line on stdin and answers each with one on stdout:
  {"do": "target", "host": H, "port": P}   where it forwards to
  {"do": "forward"}                        forward again, also what waited
  {"do": "stall"}                          accept, and forward nothing more, in either direction
  {"do": "refuse"}                         reset every connection and listen no more, until "forward"
  {"do": "reset"}                          reset every connection, and go on
  {"do": "abandon"}                        reset the client's side only: the server goes on holding a line that leads nowhere
  {"do": "forget"}                         close what "abandon" left
"from": an address limits stall, reset and abandon to connections from there. The end of stdin ends the proxy.
"""

import asyncio
import json
import socket
import struct
import sys

PIECE = 32 * 1024
# Small, so that what waits in a line is what a home router would hold, not megabytes.
BUFFER = 128 * 1024


class Side:
    """One socket of a connection."""

    def __init__(self, reader, writer):
        self.reader = reader
        self.writer = writer

    def reset(self):
        """Closes with RST instead of FIN; what was not sent is gone."""
        try:
            self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        except OSError:
            pass
        self.writer.transport.abort()


class Connection:
    def __init__(self, client, source):
        self.client = client
        self.server = None
        self.source = source
        self.is_abandoned = False
        self.tasks = []

    def reset(self):
        for task in self.tasks:
            task.cancel()
        self.client.reset()
        if self.server:
            self.server.reset()


class Proxy:
    def __init__(self, host, port, rate):
        self.host = host
        self.port = port
        self.rate = rate
        self.target = None
        self.listener = None
        self.connections = set()
        # Sources that are stalled; None in it stalls all.
        self.stalled = set()
        self.changed = asyncio.Event()
        self.abandoned = []

    async def listen(self):
        self.listener = await asyncio.start_server(self.accepted, self.host, self.port, reuse_address=True, limit=PIECE)
        self.port = self.listener.sockets[0].getsockname()[1]

    async def accepted(self, reader, writer):
        connection = Connection(Side(reader, writer), writer.get_extra_info("peername")[0])
        self.connections.add(connection)
        connection.tasks.append(asyncio.current_task())
        try:
            await self.serve(connection)
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            self.connections.discard(connection)
            if not connection.is_abandoned:
                connection.reset()

    async def serve(self, connection):
        await self.gate(connection)
        if not self.target:
            return
        connection.server = Side(*await asyncio.open_connection(*self.target, limit=PIECE))
        for side in (connection.client, connection.server):
            its = side.writer.get_extra_info("socket")
            its.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            its.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
            its.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
            side.writer.transport.set_write_buffer_limits(PIECE)
        pumps = [
            asyncio.create_task(self.pump(connection, connection.client, connection.server)),
            asyncio.create_task(self.pump(connection, connection.server, connection.client)),
        ]
        connection.tasks += pumps
        # A side that ended ends the other: no WebSocket goes on half closed.
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        for pump in pumps:
            pump.cancel()
        if not connection.is_abandoned:
            for side in (connection.client, connection.server):
                side.writer.close()
            await asyncio.sleep(0.05)

    async def pump(self, connection, source, target):
        try:
            while True:
                await self.gate(connection)
                piece = await source.reader.read(PIECE)
                if not piece:
                    return
                await self.gate(connection)
                target.writer.write(piece)
                await target.writer.drain()
                if self.rate and len(piece) > 1024:
                    await asyncio.sleep(len(piece) / self.rate)
        except OSError:
            return

    async def gate(self, connection):
        while None in self.stalled or connection.source in self.stalled:
            await self.changed.wait()

    def of(self, source):
        return [one for one in self.connections if source is None or one.source == source]

    async def do(self, order):
        what, source = order["do"], order.get("from")
        if what == "target":
            self.target = (order["host"], order["port"])
        elif what == "forward":
            self.stalled.clear()
            self.changed.set()
            self.changed = asyncio.Event()
            if self.listener is None:
                await self.listen()
        elif what == "stall":
            self.stalled.add(source)
        elif what == "refuse":
            if self.listener:
                self.listener.close()
                self.listener = None
            for connection in self.of(None):
                connection.reset()
        elif what == "reset":
            for connection in self.of(source):
                connection.reset()
        elif what == "abandon":
            for connection in self.of(source):
                connection.is_abandoned = True
                for task in connection.tasks:
                    task.cancel()
                connection.client.reset()
                if connection.server:
                    self.abandoned.append(connection.server)
        elif what == "forget":
            for side in self.abandoned:
                side.reset()
            self.abandoned = []
        else:
            raise ValueError(f"unknown order {what}")


async def main():
    host, port, rate = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    proxy = Proxy(host, port, rate)
    await proxy.listen()
    print(json.dumps({"port": proxy.port}), flush=True)
    orders = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    while line := await orders.readline():
        await proxy.do(json.loads(line))
        # What was cancelled ends before the answer says that the line is broken.
        await asyncio.sleep(0)
        print(json.dumps({"connections": len(proxy.connections)}), flush=True)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except (KeyboardInterrupt, BrokenPipeError):
        pass
