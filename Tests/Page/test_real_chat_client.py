"""A client of OpenIM's interface that nobody here wrote (`openim-sdk-core` of PyPI) beside raw requests: two people at a real hub."""

import json
import sys
import tempfile
import unittest
import urllib.error
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Rig"))

from openim_sdk.client import OpenIMSDK, SDKConfig, SDKError  # noqa: E402
from rig import Home  # noqa: E402

PASSWORD = "correct horse battery"


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


if __name__ == "__main__":
    unittest.main()
