"""A client of a hub's accounts and conversations, written from docs/protocol.md (2.1, 2.9 and 2.11) and from nothing else. HTTP is the standard
library's, WebSocket is PyPI's `websocket-client`, and a key needs PyPI's `cryptography`."""

import base64
import hashlib
import http.client
import json
import urllib.parse
import uuid

import websocket

SEND, PULL, PUSH, KICKED, LOGOUT, FAILED = 1003, 1002, 2001, 2002, 2003, 3001
TEXT, CUSTOM, TYPING, RECALLED, RECEIPT = 101, 110, 113, 2101, 2200
PART = 64 << 10
NEWEST = (1 << 53) - 1
ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


class Refused(Exception):
    """The hub's answer was a refusal."""

    def __init__(self, code, sentence, status):
        super().__init__(f"{code} ({status}): {sentence}")
        self.code = code
        self.sentence = sentence
        self.status = status


class Unreached(Exception):
    """There was no answer: what was asked may have happened, or not."""


def conversation(one, other):
    """The id of the conversation of two people: sorted as texts, not as numbers."""
    return "si_" + "_".join(sorted([one, other]))


# Keys

def b64u(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def lv(data):
    length, head = len(data), b""
    while length > 0x7F:
        head += bytes([length & 0x7F | 0x80])
        length >>= 7
    return head + bytes([length]) + data


def canonical(value):
    """Sorted keys, no white space, text beyond ASCII as it is. For members in ASCII, which sort by bytes as by letters."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


class Key:
    """A device's key of Ed25519, whose public half is in its `did:key`."""

    def __init__(self, secret=None):
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self.key = Ed25519PrivateKey.from_private_bytes(secret) if secret else Ed25519PrivateKey.generate()
        number = int.from_bytes(b"\xed\x01" + self.key.public_key().public_bytes_raw(), "big")
        text = ""
        while number:
            number, digit = divmod(number, 58)
            text = ALPHABET[digit] + text
        self.did = "did:key:z" + text

    def proof(self, purpose, challenge, host, members):
        digest = hashlib.sha256(canonical(members)).digest()
        parts = [purpose.encode(), challenge.encode(), host.encode(), self.did.encode(), digest]
        signature = self.key.sign(b"tandem-account-1\0" + b"".join(map(lv, parts)))
        return {"did": self.did, "challenge": challenge, "signature": b64u(signature)}


# The client

class PlainClient:
    """One device of a person.

    address: `http://host:port` of the hub. limit: seconds that an answer may take."""

    def __init__(self, address, limit=30):
        self.address = address
        self.host = urllib.parse.urlsplit(address).netloc
        self.limit = limit
        self.id = self.name = self.device = self.token = self.refresh_token = None

    # Requests

    def request(self, method, path, body=b"", fields=None, is_known=True):
        """Status, fields of the head in small letters, and body. `path` may be an address of this hub."""
        connection = http.client.HTTPConnection(self.host, timeout=self.limit)
        shown = {"Authorization": f"Bearer {self.token}"} if is_known and self.token else {}
        try:
            connection.request(method, path.removeprefix(self.address), body, shown | (fields or {}))
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise Unreached(str(error)) from None
        finally:
            connection.close()

    def opened(self, status, body):
        """The data in an envelope."""
        try:
            told = json.loads(body)
        except ValueError:
            raise Refused(status, body[:200].decode(errors="replace"), status) from None
        if told["errCode"]:
            raise Refused(told["errCode"], told["errDlt"], status)
        return told["data"]

    def post(self, path, members, is_known=True):
        status, _, body = self.request("POST", path, json.dumps(members).encode(), {"Content-Type": "application/json"}, is_known)
        return self.opened(status, body)

    # The account

    def register(self, name, password=None, key=None, invitation=None, device="client"):
        members = {"name": name, "device": {"name": device, "platformID": 7}}
        if invitation:
            members["invitation"] = invitation
        if password:
            members["password"] = password
        return self.enter("register", members, key)

    def login(self, name=None, password=None, key=None, device="client"):
        members = {"device": {"name": device, "platformID": 7}}
        if password:
            members |= {"name": name, "password": password}
        return self.enter("login", members, key)

    def renew(self):
        """A new access token."""
        return self.take(self.post("/account/refresh", {"refreshToken": self.refresh_token}, is_known=False))

    def enter(self, purpose, members, key):
        if key:
            challenge = self.post("/account/challenge", {"did": key.did}, is_known=False)["challenge"]
            members |= key.proof(purpose, challenge, self.host, members)
        return self.take(self.post(f"/account/{purpose}", members, is_known=False))

    def take(self, session):
        self.id, self.name, self.device, self.token = session["userID"], session["name"], session["device"], session["accessToken"]
        self.refresh_token = session.get("refreshToken", self.refresh_token)
        return session

    # Messages

    def send(self, to, content, content_type=TEXT, id=None):
        """The acknowledgement: serverMsgID, clientMsgID, sendTime, seq. Sent again under its id, a message is stored once."""
        words = content if isinstance(content, str) else json.dumps(content)
        members = {"recvID": to, "content": words, "contentType": content_type, "clientMsgId": id or str(uuid.uuid4())}
        return self.post("/chat/message/send", members)

    def recall(self, chat, id):
        return self.post("/chat/message/revoke", {"conversation_id": chat, "client_msg_id": id})

    def pull(self, chat, begin, end, count=100, newest_first=False):
        """Messages of a range of seqs, and whether there is nothing more in it."""
        part = {"conversationID": chat, "begin": begin, "end": end, "num": count}
        data = self.post("/msg/pull_msg_by_seq", {"userID": self.id, "seqRanges": [part], "order": int(newest_first)})
        page = data["msgs"].get(chat, {"Msgs": [], "isEnd": True})
        return [Message(one) for one in page["Msgs"]], page["isEnd"]

    def history(self, chat, count=40):
        """All of a conversation, from the newest page to the first, in rising order."""
        rows, end = [], NEWEST
        while True:
            page, is_end = self.pull(chat, 1, end, count, newest_first=True)
            rows = page + rows
            if is_end or not page:
                return rows
            end = page[0].seq - 1

    def sync(self, event=0, seqs=None):
        return self.post("/chat/sync", {"userID": self.id, "useq": event, "seqs": seqs or {}})

    def read(self, chat, seq):
        return self.post("/msg/mark_conversation_as_read", {"userID": self.id, "conversationID": chat, "hasReadSeq": seq})

    def type(self, to):
        return self.send(to, {"msgTips": "yes"}, TYPING)

    def rows(self):
        """The list of conversations: {conversation: row}."""
        asked = {"userID": self.id, "pagination": {"pageNumber": 1, "showNumber": 100}}
        return {row["conversationID"]: row for row in self.post("/conversation/get_sorted_conversation_list", asked)["conversationElems"]}

    # Media

    def upload(self, kind, data):
        """A file in one request: its key and what was found about it."""
        status, _, body = self.request("POST", f"/chat/upload?type={kind}", data)
        return self.opened(status, body)

    def upload_in_parts(self, kind, data, part=PART):
        """A file part by part. It goes on where the hub says it is, which is where it was also after a break."""
        status, _, body = self.request("POST", f"/chat/uploads?type={kind}", b"", {"Upload-Length": str(len(data))})
        upload = self.opened(status, body)["uploadID"]
        offset = 0
        while offset < len(data):
            try:
                status, fields, body = self.request("PATCH", f"/chat/uploads/{upload}", data[offset:offset + part], {"Upload-Offset": str(offset)})
            except Unreached:
                status, fields, body = self.request("HEAD", f"/chat/uploads/{upload}")
            if status not in (200, 204, 409):
                self.opened(status, body)
            offset = int(fields["upload-offset"])
        digest = hashlib.sha256(data).hexdigest()
        status, _, body = self.request("POST", f"/chat/uploads/{upload}?sha256={digest}")
        return self.opened(status, body)

    def sign(self, keys):
        """Addresses of those keys that this person may have: {key: address}."""
        return self.post("/chat/media/sign", {"object_keys": keys})

    def fetch(self, address, fields=None):
        """A file by its signed address, which needs no token."""
        return self.request("GET", address, fields=fields, is_known=False)

    def open_flash(self, chat, id):
        """The address of a view-once picture, for this device alone."""
        return self.post("/chat/flash/open", {"conversation_id": chat, "client_msg_id": id})["url"]

    def socket(self):
        return PlainSocket(self)


class Message:
    """A message as the hub tells it: `content` is base64 of a JSON text."""

    def __init__(self, members):
        self.members = members
        self.id, self.sender, self.receiver = members["clientMsgID"], members["sendID"], members["recvID"]
        self.seq, self.type, self.time = members["seq"], members["contentType"], members["sendTime"]
        self.element = json.loads(base64.b64decode(members["content"]))
        self.is_control = any(value is False for value in members.get("options", {}).values())

    @property
    def text(self):
        return self.element["content"]

    @property
    def payload(self):
        """What a custom message carries."""
        return json.loads(self.element["data"])

    @property
    def is_recalled(self):
        return self.type == RECALLED


class PlainSocket:
    """The socket of one device: requests with their answers, and pushes. One reader; `ask` keeps what comes before its answer."""

    def __init__(self, client):
        self.client = client
        query = urllib.parse.urlencode({"token": client.token, "sendID": client.id, "platformID": 7})
        try:
            self.socket = websocket.create_connection(f"ws://{client.host}/chat/socket?{query}", timeout=client.limit)
        except (OSError, websocket.WebSocketException) as error:
            raise Unreached(str(error)) from None
        self.number = 0
        self.came = []

    def close(self):
        self.socket.close(timeout=1)

    def frame(self, seconds):
        """The next frame; None where none came in time."""
        self.socket.settimeout(seconds)
        try:
            text = self.socket.recv()
        except websocket.WebSocketTimeoutException:
            return None
        except (OSError, websocket.WebSocketException) as error:
            raise Unreached(str(error)) from None
        if not text:
            raise Unreached("the hub closed the socket")
        return json.loads(text)

    def tell(self, number, data):
        """Sends a request; its number."""
        self.number += 1
        frame = {"reqIdentifier": number, "msgIncr": str(self.number), "operationID": f"plain-{self.number}", "data": data}
        try:
            self.socket.send(json.dumps(frame))
        except (OSError, websocket.WebSocketException) as error:
            raise Unreached(str(error)) from None
        return str(self.number)

    def ask(self, number, data):
        """Sends a request and waits for its answer."""
        name = self.tell(number, data)
        while True:
            frame = self.frame(self.client.limit)
            if frame is None:
                raise Unreached("no answer in time")
            if frame.get("msgIncr") == name:
                if frame["errCode"]:
                    raise Refused(frame["errCode"], frame["errMsg"], None)
                return frame["data"]
            self.came.append(frame)

    def push(self, seconds=10):
        """The data of the next push; None where none came in time."""
        frame = self.came.pop(0) if self.came else self.frame(seconds)
        if frame is None:
            return None
        if frame["reqIdentifier"] in (KICKED, FAILED):
            raise Refused(frame["errCode"], frame["errMsg"], None)
        return frame["data"]

    def send(self, to, text, id=None):
        data = {"sendID": self.client.id, "recvID": to, "content": {"content": text}, "contentType": TEXT, "sessionType": 1,
                "clientMsgID": id or str(uuid.uuid4())}
        return self.ask(SEND, data)


def pushed(data):
    """The messages of a push."""
    return [Message(one) for part in data.get("msgs", {}).values() for one in part["Msgs"]]
