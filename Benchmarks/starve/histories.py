"""What a coding agent has written: a long conversation, a packed one, one with pictures, and small files that are a gigabyte of line feeds."""

import base64
import json
import os
import shutil
import subprocess
from pathlib import Path

PLAIN = "0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
PACKED = "0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c"
PICTURED = "0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5d"
PICTURES = 6


def record(kind, payload):
    return json.dumps({"timestamp": "2026-01-02T03:04:05.000Z", "type": kind, "payload": payload}) + "\n"


class Histories:
    def __init__(self, home):
        self.home = home
        self.folder = home / ".codex/sessions/2026/01/02"
        self.packed_feeds = home / "feeds.zst"
        self.feeds_number = 0

    def write(self, plain_mib, packed_mib):
        self.folder.mkdir(parents=True)
        with open(self.path(PLAIN), "w") as file:
            self.write_conversation(file, PLAIN, plain_mib << 20, lambda: "word " * 200)
        # Words that no two messages share: what packs a hundredfold is refused as made to keep its readers busy.
        with open(self.path(PACKED, ".zst"), "wb") as file:
            with subprocess.Popen(["zstd", "-q", "-1", "-c"], stdin=subprocess.PIPE, stdout=file, text=True) as packer:
                self.write_conversation(packer.stdin, PACKED, packed_mib << 20, lambda: os.urandom(500).hex())
        with open(self.path(PICTURED), "w") as file:
            file.write(self.beginning(PICTURED))
            for number in range(PICTURES):
                picture = base64.b64encode(os.urandom(300 << 10)).decode()
                file.write(record("event_msg", {"type": "user_message", "message": f"picture {number}",
                                                "images": [f"data:image/png;base64,{picture}"]}))
        with open(self.packed_feeds, "wb") as file:
            feeds = subprocess.Popen(["sh", "-c", "head -c 1G /dev/zero | tr '\\0' '\\n'"], stdout=subprocess.PIPE)
            subprocess.run(["zstd", "-q", "-c"], stdin=feeds.stdout, stdout=file, check=True)
            feeds.wait()

    def path(self, thread, packed=""):
        return self.folder / f"rollout-2026-01-02T03-04-05-{thread}.jsonl{packed}"

    def beginning(self, thread):
        return record("session_meta", {"id": thread, "cwd": str(self.home), "cli_version": "0.140.0", "originator": "codex_cli_rs"})

    def write_conversation(self, file, thread, wanted, text):
        file.write(self.beginning(thread))
        number, written = 0, 0
        while written < wanted:
            number += 1
            message = f"message {number} {text()}"
            lines = "".join(record("event_msg", {"type": kind, "message": message}) for kind in ("user_message", "agent_message"))
            file.write(lines)
            written += len(lines)

    def begin_feeds(self):
        """One more file of line feeds, for the index to come to. Returns what its thread would be called."""
        self.feeds_number += 1
        thread = f"0199a1b2-c3d4-7e5f-8a9b-{os.getpid() % (1 << 24):06x}{self.feeds_number:06x}"
        path = self.path(thread, ".zst")
        beside = Path(f"{path}.new")
        shutil.copyfile(self.packed_feeds, beside)
        beside.rename(path)
        return thread
