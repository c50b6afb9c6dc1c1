#!/usr/bin/python3
"""A client of the documented bridge, written with nothing but a WebSocket library: what another program meets at port 9099.

    Tests/Bridge/client.py ws://127.0.0.1:9099 TOKEN [--list]

Says both shapes of Hello, a wrong token, Ping, messages that nothing knows, first messages that are no Hello, and with --list the list of
threads. Each thing is a line; ends with status 1 when one of them is not as documented.
"""

import argparse
import asyncio
import json
import sys

import websockets

PATIENCE = 10


class Failure(Exception):
    pass


def expect(condition, text):
    if not condition:
        raise Failure(text)


class Client:
    def __init__(self, address):
        self.address = address

    async def __aenter__(self):
        self.socket = await asyncio.wait_for(websockets.connect(self.address, max_size=1 << 20), PATIENCE)
        return self

    async def __aexit__(self, *_):
        await self.socket.close()

    async def send(self, value):
        await self.socket.send(value if isinstance(value, (str, bytes)) else json.dumps(value))

    async def receive(self):
        frame = await asyncio.wait_for(self.socket.recv(), PATIENCE)
        expect(isinstance(frame, str), "the server sends text frames")
        return json.loads(frame)

    async def closed(self):
        """The code that the server closes with, with nothing said before."""
        try:
            frame = await asyncio.wait_for(self.socket.recv(), PATIENCE)
        except websockets.exceptions.ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006
        raise Failure(f"the server said {frame!r}")

    async def hello(self, token):
        await self.send({"type": "Hello", "token": token})
        expect(await self.receive() == {"type": "HelloAck", "token": token}, "HelloAck echoes the token")


async def hello(address, token):
    for first in ({"type": "Hello", "token": token}, {"token": token}):
        for as_bytes in (False, True):
            async with Client(address) as client:
                text = json.dumps(first)
                await client.send(text.encode() if as_bytes else text)
                expect(await client.receive() == {"type": "HelloAck", "token": token}, f"{first} is answered")


async def wrong_token(address, token):
    for wrong in ("wrong", token[:-1], token + "x", "OA_DEV_TOKEN"):
        async with Client(address) as client:
            await client.send({"type": "Hello", "token": wrong})
            expect(await client.closed() == 4401, "a wrong token closes the socket")


async def no_hello(address, token):
    firsts = (
        {"type": "Ping"},
        {"type": "threads.list.request", "data": {"topK": 20}},
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocol_version": "0.7.0"}},
        "nonsense",
    )
    for first in firsts:
        async with Client(address) as client:
            await client.send(first)
            expect(await client.closed() == 1008, f"{first} instead of Hello closes the socket")


async def ping(address, token):
    async with Client(address) as client:
        await client.hello(token)
        for message in ({"type": "Ping"}, {"type": "Ping", "data": {}}, {"type": " ping "}):
            await client.send(message)
            expect(await client.receive() == {"type": "Pong"}, "Ping is answered with Pong")
        await asyncio.wait_for(await client.socket.ping(), PATIENCE)


async def unknown(address, token):
    async with Client(address) as client:
        await client.hello(token)
        for message in ("nonsense", {}, {"type": "nothing.request", "data": {}}, {"type": "news", "data": 7}):
            await client.send(message)
        await client.send({"type": "Ping"})
        expect(await client.receive() == {"type": "Pong"}, "unknown messages are passed over, and the socket stays")


async def threads(address, token):
    async with Client(address) as client:
        await client.hello(token)
        # As documented phones do: again after a second while the list is empty. Each request has one answer.
        for data in ({"topK": 20}, {}, {"topK": None}, {"topK": "many"}, {"topK": 0}, {"topK": 100000}):
            await client.send({"type": "threads.list.request", "data": data})
            answer = await client.receive()
            expect(answer["type"] == "threads.list.response", "the answer has the documented type")
            items = answer["data"]["items"]
            expect(len(items) <= 200, "at most 200 threads")
            for item in items:
                expect(isinstance(item["id"], str) and item["id"], "a thread has an id")
                for key in ("created_at", "updated_at", "last_message_ts", "message_count"):
                    expect(key not in item or isinstance(item[key], int), f"{key} is a whole number or left out")
                for key in ("title", "source"):
                    expect(key not in item or isinstance(item[key], str), f"{key} is a text or left out")
            times = [item.get("last_message_ts", item.get("updated_at", 0)) for item in items]
            expect(times == sorted(times, reverse=True), "the newest come first")
        # The list goes by a token's rights, and several at once are answered in their order.
        for count in (1, 2, 3):
            await client.send({"type": "threads.list.request", "data": {"topK": count}})
        counts = [len((await client.receive())["data"]["items"]) for _ in range(3)]
        expect(counts == sorted(counts) and counts[0] <= 1, "answers come in the order of their requests")


async def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("address")
    parser.add_argument("token")
    parser.add_argument("--list", action="store_true", help="ask for threads, too")
    arguments = parser.parse_args()
    checks = [("hello", hello), ("wrong token", wrong_token), ("no hello", no_hello), ("ping", ping), ("unknown", unknown)]
    if arguments.list:
        checks.append(("list", threads))
    failed = 0
    for name, check in checks:
        try:
            await check(arguments.address, arguments.token)
            print(f"ok      {name}")
        except (Failure, AssertionError, KeyError, OSError, asyncio.TimeoutError, websockets.exceptions.WebSocketException) as error:
            failed += 1
            print(f"FAILED  {name}: {type(error).__name__}: {error}")
    print(f"{len(checks) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(asyncio.run(main()))
