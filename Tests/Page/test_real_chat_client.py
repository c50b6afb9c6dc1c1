"""A client of OpenIM's interface that nobody here wrote (`openim-sdk-core` of PyPI) beside raw requests: two people at a real hub."""

import base64
import json
import shutil
import struct
import sys
import tempfile
import unittest
import urllib.error
import urllib.request
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Rig"))

from openim_sdk.client import OpenIMSDK, SDKConfig, SDKError  # noqa: E402
from rig import Home, until  # noqa: E402

PASSWORD = "correct horse battery"


def png(width, height):
    """A picture whose colours go from corner to corner."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + bytes(byte for x in range(width) for byte in (x * 255 // width, y * 255 // height, 90)) for y in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class Person:
    """An account with a password, and the foreign client that is signed in to it."""

    def __init__(self, home, address, name, folder):
        code = home.json("hub", "hub", "invite")["code"]
        self.address = address
        answer = self.post("/account/register", {"name": name, "password": PASSWORD, "invitation": code, "device": {"name": "client", "platformID": 7}})
        self.id, self.token = answer["userID"], answer["accessToken"]
        self.got = []
        # The package's own list of paths lacks the one that servers have.
        config = SDKConfig(api_addr=address, data_dir=str(folder / name), pull_message_routes=("/msg/pull_msg_by_seq",), verify_token_on_login=True)
        self.sdk = OpenIMSDK(config, on_recv_new_message=self.got.append)
        self.sdk.login(self.id, self.token)

    def post(self, path, body):
        request = urllib.request.Request(self.address + path, method="POST", data=json.dumps(body).encode())
        if hasattr(self, "token"):
            request.add_header("token", self.token)
        with urllib.request.urlopen(request, timeout=30) as answer:
            told = json.load(answer)
        if told["errCode"]:
            raise SDKError(told["errCode"], told["errMsg"], told["errDlt"])
        return told["data"]

    def upload(self, data):
        request = urllib.request.Request(f"{self.address}/chat/upload?type=chat_image", method="POST", data=data, headers={"token": self.token})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)["data"]["objectKey"]

    def payloads(self, conversation):
        """What the newest messages with a payload say, the oldest first."""
        ranges = [{"conversationID": conversation, "begin": 1, "end": 2**53 - 1, "num": 40}]
        told = self.post("/msg/pull_msg_by_seq", {"userID": self.id, "order": 1, "seqRanges": ranges})
        rows = [json.loads(base64.b64decode(row["content"])) for row in told["msgs"][conversation]["Msgs"]]
        return [json.loads(row["data"]) for row in rows if "data" in row]

    def fetch(self, address):
        with urllib.request.urlopen(self.address + address, timeout=30) as answer:
            return answer.headers["Content-Type"], answer.read()

    def texts(self):
        """The words of what came since the last time."""
        self.sdk.sync_once()
        came, self.got[:] = list(self.got), []
        return [json.loads(self.sdk._decode_content_to_json(one["content"])).get("content") for one in came]


class ChatClientTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tandem-chat.")
        self.addCleanup(folder.cleanup)
        self.home = self.enterContext(Home())
        said = self.home.start("hub", "--listen", "127.0.0.1:0", environment={"TANDEM_CHAT_STRANGERS_ASK": "false"})
        address = f"http://127.0.0.1:{said['port']}"
        self.ada, self.bob = (Person(self.home, address, name, Path(folder.name)) for name in ("ada", "bob"))
        self.addCleanup(self.ada.sdk.logout)
        self.addCleanup(self.bob.sdk.logout)

    def test_two_people_write_to_each_other_each_message_once(self):
        self.assertEqual(self.ada.sdk.get_self_user_info().nickname, "ada")
        sent = self.ada.sdk.send_text("hello 你好", recv_id=self.bob.id)
        self.assertTrue(sent["serverMsgID"] and sent["clientMsgID"] and sent["sendTime"])
        self.bob.sdk.send_text("hi", recv_id=self.ada.id)
        self.ada.sdk.send_text("how are you?", recv_id=self.bob.id)
        self.assertEqual(self.bob.texts(), ["hello 你好", "hi", "how are you?"])
        self.assertEqual(self.bob.texts(), [])
        self.home.stop("hub")
        self.home.start("hub", "--listen", self.ada.address.removeprefix("http://"), environment={"TANDEM_CHAT_STRANGERS_ASK": "false"})
        self.ada.sdk.send_text("still there?", recv_id=self.bob.id)
        self.assertEqual(self.bob.texts(), ["still there?"])

    def test_refusals_are_codes_in_the_envelope(self):
        with self.assertRaises(SDKError) as refused:
            self.ada.sdk.send_text("hello", recv_id="tb_999")
        self.assertEqual(refused.exception.err_code, 1101)
        self.bob.post("/friend/add_black", {"ownerUserID": self.bob.id, "blackUserID": self.ada.id})
        with self.assertRaises(SDKError) as refused:
            self.ada.sdk.send_text("hello", recv_id=self.bob.id)
        self.assertEqual(refused.exception.err_code, 1302)
        self.ada.post("/account/logout", {})
        with self.assertRaises(SDKError) as refused:
            self.ada.sdk.sync_once()
        self.assertEqual(refused.exception.err_code, 1506)

    def test_a_message_that_was_taken_back_is_a_notice_in_its_place(self):
        sent = self.ada.sdk.send_text("oh no", recv_id=self.bob.id)
        conversation = f"si_{self.ada.id}_{self.bob.id}"
        self.ada.post("/chat/message/revoke", {"conversation_id": conversation, "client_msg_id": sent["clientMsgID"]})
        self.bob.sdk.sync_once()
        self.assertEqual([one["contentType"] for one in self.bob.got], [2101])
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.ada.post("/chat/message/revoke", {"conversation_id": conversation, "client_msg_id": sent["clientMsgID"]})
        self.assertEqual(refused.exception.code, 409)

    def test_a_picture_gets_a_thumbnail_by_the_program_that_reads_pictures(self):
        key = self.ada.upload(png(800, 600))
        conversation = f"si_{self.ada.id}_{self.bob.id}"
        sent = {"recvID": self.bob.id, "contentType": 110, "content": json.dumps({"type": "image", "objectKey": key}), "clientMsgId": "p-1"}
        self.ada.post("/chat/message/send", sent)
        shown = until(lambda: next((one for one in self.bob.payloads(conversation) if "blurHash" in one), None))
        self.assertEqual(len(shown["blurHash"]), 28)
        kind, small = self.bob.fetch(shown["thumbUrl"])
        self.assertEqual(kind, "image/jpeg")
        self.assertTrue(small.startswith(b"\xff\xd8\xff") and len(small) < 30_000)

    def test_a_backup_is_a_hub(self):
        self.ada.sdk.send_text("kept", recv_id=self.bob.id)
        key = self.ada.upload(png(40, 30))
        folder = Path(tempfile.mkdtemp(prefix="tandem-backup."))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        copied = self.home.json("hub", "hub", "backup", str(folder / "copy"))
        self.assertEqual(copied["databases"], 2)
        counted = self.home.json("hub", "hub", "messages")
        self.assertEqual((counted["messages"], counted["files"]), (1, 1))
        self.home.stop("hub")
        state = self.home.state("hub")
        shutil.rmtree(state)
        shutil.move(folder / "copy", state)
        self.home.start("hub", "--listen", self.ada.address.removeprefix("http://"))
        self.assertEqual(self.bob.texts(), ["kept"])
        address = self.ada.post("/chat/media/sign", {"object_keys": [key]})[key]
        self.assertEqual(self.ada.fetch(address), ("image/png", png(40, 30)))


if __name__ == "__main__":
    unittest.main()
