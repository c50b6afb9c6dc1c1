"""Plays an agent's side of a recorded exchange: `agent.py EXCHANGE`. The exchange is read line by line.

> NAME        reads messages until one comes whose method, type or control subtype is NAME, or "reply ID" for the answer to ID
< JSON        writes a message; @NAME stands for the id of the message that was read under that name
raw TEXT      writes text without a line feed
huge N        writes N bytes without a line feed
complain N    writes N bytes to the error output
words TEXT    writes a line to the error output
child         starts a program in the same process group and notes its number
deaf          ignores the request to end
exit N        ends
die           ends by a signal

Afterwards it reads until its input is closed. All that it reads is noted in the file RECEIVED."""

import json
import os
import signal
import subprocess
import sys

known = {}
received = open(os.environ["RECEIVED"], "a", encoding="utf-8")


def note(value):
    received.write(json.dumps(value) + "\n")
    received.flush()


def names(message):
    yield message.get("method")
    yield message.get("type")
    request = message.get("request")
    if isinstance(request, dict):
        yield request.get("subtype")
    response = message.get("response")
    if isinstance(response, dict):
        yield "reply " + json.dumps(response.get("request_id"))
    if "method" not in message and "id" in message:
        yield "reply " + json.dumps(message["id"])


def read():
    line = sys.stdin.buffer.readline()
    if not line:
        sys.exit(0)
    message = json.loads(line)
    note(message)
    return message


def identity(message):
    return message["id"] if "id" in message else message.get("request_id")


def write(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


note({"cwd": os.getcwd(), "arguments": sys.argv[2:], "environment": dict(os.environ), "pid": os.getpid(),
      "umask": "%03o" % os.umask(os.umask(0))})
for line in open(sys.argv[1], encoding="utf-8").read().split("\n"):
    word, _, rest = line.partition(" ")
    if word == ">":
        while True:
            message = read()
            if rest in names(message):
                known[rest] = identity(message)
                break
    elif word == "<":
        for name, value in known.items():
            rest = rest.replace('"@' + name + '"', json.dumps(value))
        write(rest.encode() + b"\n")
    elif word == "raw":
        write(rest.encode())
    elif word == "huge":
        for _ in range(int(rest) >> 16):
            write(b"x" * 65536)
    elif word == "complain":
        for _ in range(int(rest) >> 10):
            sys.stderr.write("y" * 1023 + "\n")
        sys.stderr.flush()
    elif word == "words":
        sys.stderr.write(rest + "\n")
        sys.stderr.flush()
    elif word == "child":
        note({"child": subprocess.Popen(["sleep", "1000"], stdin=subprocess.DEVNULL).pid})
    elif word == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    elif word == "exit":
        sys.exit(int(rest))
    elif word == "die":
        os.kill(os.getpid(), signal.SIGKILL)
while True:
    read()
