"""A line between two phones: a TCP proxy with a rate and a delay, which counts what went through. A program of its own, so that it takes no time of the
phones' but a processor's.

    python3 line.py BYTES_A_SECOND DELAY_SECONDS HOST PORT

0 is any rate. Its first line of output says its port. Each line on stdin is answered by one: for each connection when it was accepted, and when each
further MiB of the dialing side's arrived, in seconds of the system's monotonic clock, and how many bytes that were. The end of stdin ends it."""

import asyncio
import json
import os
import socket
import sys
import time

PIECE = 32 << 10
MIB = 1 << 20
# Pieces that wait in the line: what a router holds at this rate beyond the delay, a few hundredths of a second.
WAITING = 24
# Of each socket, so that what is under way is in the line and not in the kernel.
BUFFER = 256 << 10


class Line:
    def __init__(self, rate, delay, target):
        self.rate = rate
        self.delay = delay
        self.target = target
        self.facts = []

    async def accepted(self, reader, writer):
        fact = {"accepted": time.monotonic(), "bytes": 0, "mebibytes": []}
        self.facts.append(fact)
        try:
            there, back = await asyncio.open_connection(*self.target, limit=PIECE)
        except OSError:
            writer.transport.abort()
            return
        for one in (writer, back):
            its = one.get_extra_info("socket")
            its.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            its.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
            one.transport.set_write_buffer_limits(PIECE)
        pumps = [asyncio.ensure_future(self.pump(reader, back, fact)), asyncio.ensure_future(self.pump(there, writer, None))]
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        for pump in pumps:
            pump.cancel()
        for one in (writer, back):
            one.close()

    async def pump(self, source, target, fact):
        """One direction: a piece leaves when the one before it is through, and arrives after the delay."""
        queue = asyncio.Queue(WAITING)

        async def deliver():
            while True:
                due, piece = await queue.get()
                if piece is None:
                    return
                wait = due - time.monotonic()
                if wait > 0:
                    await asyncio.sleep(wait)
                target.write(piece)
                await target.drain()
                if fact is not None:
                    self.count(fact, len(piece))

        delivering = asyncio.ensure_future(deliver())
        try:
            free = 0.0
            while piece := await source.read(PIECE):
                free = max(free, time.monotonic()) + (len(piece) / self.rate if self.rate else 0)
                put = asyncio.ensure_future(queue.put((free + self.delay, piece)))
                await asyncio.wait([put, delivering], return_when=asyncio.FIRST_COMPLETED)
                if delivering.done():
                    put.cancel()
                    return
            await queue.put((0, None))
            await delivering
        except OSError:
            pass
        finally:
            delivering.cancel()

    def count(self, fact, count):
        fact["bytes"] += count
        while fact["bytes"] // MIB > len(fact["mebibytes"]):
            fact["mebibytes"].append(time.monotonic())


async def main():
    line = Line(float(sys.argv[1]), float(sys.argv[2]), (sys.argv[3], int(sys.argv[4])))
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
    listener.bind(("127.0.0.1", 0))
    server = await asyncio.start_server(line.accepted, sock=listener, limit=PIECE)
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    orders = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    while await orders.readline():
        print(json.dumps(line.facts), flush=True)
    # Nobody is interested in what connections that are still there would say.
    os._exit(0)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except (KeyboardInterrupt, BrokenPipeError):
        pass
