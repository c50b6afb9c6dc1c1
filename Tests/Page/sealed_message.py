"""Sealed conversations as docs/protocol.md 2.10 has them, written from that page alone: another reader of the same bytes.

Only AES-GCM, X25519, Ed25519 and SHA-256 are a library's; HKDF and HPKE (RFC 9180) are spelt out here."""

import base64
import hashlib
import hmac
import json

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

DAY = 86_400_000
USE = 10 * DAY
ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


class Refused(Exception):
    """What is not believed or cannot be opened."""


def require(condition, why):
    if not condition:
        raise Refused(why)


# MARK: Encodings


def b64u(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64u(text, count=None):
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    require(b64u(data) == text and count in (None, len(data)), "base64url")
    return data


def lv(data):
    if isinstance(data, str):
        data = data.encode()
    rest, head = len(data), b""
    while rest > 0x7F:
        head += bytes([rest & 0x7F | 0x80])
        rest >>= 7
    return head + bytes([rest]) + data


def canonical(value):
    """Keys sorted by their UTF-8 bytes, no white space, only the escapes that JSON demands."""
    if isinstance(value, dict):
        pairs = sorted(value.items(), key=lambda pair: pair[0].encode())
        return b"{" + b",".join(canonical(key) + b":" + canonical(item) for key, item in pairs) + b"}"
    if isinstance(value, list):
        return b"[" + b",".join(canonical(item) for item in value) + b"]"
    if isinstance(value, str):
        escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
        return ('"' + "".join(escapes.get(c) or (f"\\u{ord(c):04x}" if c < " " else c) for c in value) + '"').encode()
    return json.dumps(value).encode()


def did_of(public):
    number = int.from_bytes(b"\xed\x01" + public)
    text = ""
    while number:
        number, digit = divmod(number, 58)
        text = ALPHABET[digit] + text
    return "did:key:z" + text


def key_of(did):
    require(did.startswith("did:key:z") and len(did) <= 64, "did")
    number = 0
    for letter in did[9:]:
        number = number * 58 + ALPHABET.index(letter)
    data = number.to_bytes(34)
    require(data[:2] == b"\xed\x01" and did_of(data[2:]) == did, "did")
    return Ed25519PublicKey.from_public_bytes(data[2:])


def signed_text(label, value):
    return label.encode() + b"\0" + (value if isinstance(value, bytes) else canonical(value))


def verify(did, signature, text):
    try:
        key_of(did).verify(signature, text)
    except InvalidSignature:
        raise Refused("signature") from None


def without(value, key):
    return {name: item for name, item in value.items() if name != key}


# MARK: 2.10.1, the lists of devices


def read_entry(entry):
    """The entry's hash; its form and signature are checked."""
    require(set(entry) == {"v", "uid", "n", "prev", "devices", "reason", "signer", "sig"} and entry["v"] == 1, "entry")
    dids = [device["did"] for device in entry["devices"]]
    require(1 <= len(dids) <= 32 and len(set(dids)) == len(dids) and 0 <= entry["n"] < 1000, "devices")
    for device in entry["devices"]:
        require(set(device) == {"did", "name", "since"} and 1 <= len(device["name"].encode()) <= 64, "device")
        key_of(device["did"])
    require(len(unb64u(entry["prev"])) in (0, 32), "prev")
    begins = entry["reason"] in ("first", "lost")
    require(begins == (entry["n"] == 0) and (entry["prev"] == "") == (entry["reason"] == "first"), "reason")
    require(not begins or dids == [entry["signer"]], "a beginning has one device, which signs")
    text = signed_text("tandem-chat-entry-1", without(entry, "sig"))
    require(len(text) <= 16384, "length")
    verify(entry["signer"], unb64u(entry["sig"], 64), text)
    return hashlib.sha256(text).digest()


def read_chain(entries):
    """The hashes of a chain's entries."""
    hashes = [read_entry(entries[0])]
    require(entries[0]["n"] == 0, "begin")
    for before, entry in zip(entries, entries[1:]):
        hashed = read_entry(entry)
        require(entry["uid"] == before["uid"] and entry["n"] == before["n"] + 1, "number")
        require(unb64u(entry["prev"], 32) == hashes[-1], "previous")
        require(entry["signer"] in [device["did"] for device in before["devices"]], "signer")
        old, new = ({canonical(device) for device in one["devices"]} for one in (before, entry))
        require(entry["reason"] == "added" and old < new or entry["reason"] == "removed" and new < old, "change")
        hashes.append(hashed)
    return hashes


# MARK: 2.10.2, chat keys


def kid_of(public):
    return hashlib.sha256(public).digest()[:8]


def read_bundle(bundle):
    require(set(bundle) == {"v", "did", "kid", "key", "made", "until", "sig"} and bundle["v"] == 1, "bundle")
    public = unb64u(bundle["key"], 32)
    require(unb64u(bundle["kid"], 8) == kid_of(public) and bundle["until"] == bundle["made"] + USE, "bundle")
    verify(bundle["did"], unb64u(bundle["sig"], 64), signed_text("tandem-chat-key-1", without(bundle, "sig")))
    return public


# MARK: HKDF and HPKE


def extract(salt, secret):
    return hmac.digest(salt, secret, "sha256")


def expand(key, info, count):
    out = block = b""
    for index in range(1, 2 + (count - 1) // 32):
        block = hmac.digest(key, block + info + bytes([index]), "sha256")
        out += block
    return out[:count]


KEM_SUITE = b"KEM" + (0x20).to_bytes(2)
SUITE = b"HPKE" + (0x20).to_bytes(2) + (1).to_bytes(2) + (2).to_bytes(2)


def labeled_extract(salt, label, secret, suite):
    return extract(salt, b"HPKE-v1" + suite + label + secret)


def labeled_expand(key, label, info, count, suite):
    return expand(key, count.to_bytes(2) + b"HPKE-v1" + suite + label + info, count)


def hpke_key(shared, enc, recipient, info):
    """The key and the first nonce of mode_base."""
    prk = labeled_extract(b"", b"eae_prk", shared, KEM_SUITE)
    secret = labeled_expand(prk, b"shared_secret", enc + recipient, 32, KEM_SUITE)
    context = b"\0" + labeled_extract(b"", b"psk_id_hash", b"", SUITE) + labeled_extract(b"", b"info_hash", info, SUITE)
    prk = labeled_extract(secret, b"secret", b"", SUITE)
    return labeled_expand(prk, b"key", context, 32, SUITE), labeled_expand(prk, b"base_nonce", context, 12, SUITE)


def public_of(secret):
    return secret.public_key().public_bytes_raw()


def hpke_seal(recipient, info, aad, plaintext, ephemeral):
    enc = public_of(ephemeral)
    shared = ephemeral.exchange(X25519PublicKey.from_public_bytes(recipient))
    key, nonce = hpke_key(shared, enc, recipient, info)
    return enc, AESGCM(key).encrypt(nonce, plaintext, aad)


def hpke_open(secret, enc, info, aad, ciphertext):
    shared = secret.exchange(X25519PublicKey.from_public_bytes(enc))
    key, nonce = hpke_key(shared, enc, public_of(secret), info)
    return AESGCM(key).decrypt(nonce, ciphertext, aad)


# MARK: 2.10.3, messages


def additional_data(conversation, message_id, sender, senders_hash, receivers_hash):
    parts = (conversation, message_id, sender, senders_hash, receivers_hash)
    return b"tandem-chat-1\0" + b"".join(lv(part) for part in parts)


def padded(content):
    count = len(content) + 4
    size = 256 if count <= 256 else 1024 if count <= 1024 else -(-count // 4096) * 4096
    require(size <= 65536, "too long")
    return len(content).to_bytes(4) + content + bytes(size - count)


def unpadded(plain):
    content = plain[4:4 + int.from_bytes(plain[:4])]
    require(padded(content) == plain, "padding")
    return content


def message_digest(data, to, body):
    wrapped = b"".join(unb64u(one["kid"], 8) + unb64u(one["enc"], 32) + unb64u(one["ct"], 48) for one in to)
    return hashlib.sha256(lv(data) + lv(wrapped) + lv(body)).digest()


def seal(content, conversation, message_id, device, lists, bundles, key, ephemerals):
    """`device` is the sender's Ed25519 key, `lists` the two people's (entries, hashes), the sender's first; `ephemerals` X25519 keys of one use."""
    sender = did_of(device.public_key().public_bytes_raw())
    data = additional_data(conversation, message_id, sender, *(hashes[-1] for _, hashes in lists))
    body = AESGCM(key).encrypt(bytes(12), padded(canonical(content)), data)
    to = []
    for bundle, ephemeral in zip(bundles, ephemerals):
        kid = unb64u(bundle["kid"], 8)
        enc, ciphertext = hpke_seal(read_bundle(bundle), data, kid, key, ephemeral)
        to.append({"kid": b64u(kid), "enc": b64u(enc), "ct": b64u(ciphertext)})
    signature = device.sign(signed_text("tandem-chat-sig-1", message_digest(data, to, body)))
    return {
        "type": "sealed", "v": 1, "list": [len(entries) - 1 for entries, _ in lists], "from": sender, "to": to,
        "body": b64u(body), "sig": b64u(signature),
    }


def open_message(envelope, conversation, message_id, lists, secret):
    """What a message says to the device with this X25519 secret. `lists` as in `seal`: whole chains that were believed."""
    sender = envelope["from"]
    require(envelope["type"] == "sealed" and envelope["v"] == 1 and 1 <= len(envelope["to"]) <= 63, "form")
    entries = []
    for number, (chain, _) in zip(envelope["list"], lists):
        require(0 <= number < len(chain), "list")
        entries.append(chain[number])
    require(sender in [device["did"] for device in entries[0]["devices"]], "sender")
    hashes = [known[number] for number, (_, known) in zip(envelope["list"], lists)]
    data = additional_data(conversation, message_id, sender, *hashes)
    body = unb64u(envelope["body"])
    text = signed_text("tandem-chat-sig-1", message_digest(data, envelope["to"], body))
    verify(sender, unb64u(envelope["sig"], 64), text)
    kid = kid_of(public_of(secret))
    for one in envelope["to"]:
        if unb64u(one["kid"], 8) == kid:
            try:
                key = hpke_open(secret, unb64u(one["enc"], 32), data, kid, unb64u(one["ct"], 48))
                inner = unpadded(AESGCM(key).decrypt(bytes(12), body, data))
            except InvalidTag:
                raise Refused("damaged") from None
            content = json.loads(inner)
            require(canonical(content) == inner, "canonical")
            return content
    raise Refused("not for this device")


# MARK: 2.10.4, media

SEGMENT = 65536


def media_keys(key, head):
    prk = extract(hashlib.sha256(head).digest(), key)
    return expand(prk, b"tandem/media/1/commit", 32), expand(prk, b"tandem/media/1/payload", 32)


def media_segments(length):
    count = max(1, -(-length // SEGMENT))
    return [(index, min(SEGMENT, length - index * SEGMENT), index == count - 1) for index in range(count)]


def seal_media(plain, key, prefix):
    head = b"TNDMEDIA" + bytes([1, 1, 16]) + bytes(5) + prefix + b"\0" + len(plain).to_bytes(8)
    commitment, payload = media_keys(key, head)
    out = head + commitment
    for index, count, last in media_segments(len(plain)):
        nonce = prefix + index.to_bytes(4) + bytes([last])
        out += AESGCM(payload).encrypt(nonce, plain[index * SEGMENT:index * SEGMENT + count], None)
    return out


def open_media(sealed, key, sha256):
    require(hashlib.sha256(sealed).digest() == sha256, "sha256")
    head = sealed[:32]
    require(head[:16] == b"TNDMEDIA" + bytes([1, 1, 16]) + bytes(5) and head[23] == 0, "header")
    commitment, payload = media_keys(key, head)
    require(hmac.compare_digest(commitment, sealed[32:64]), "commitment")
    plain, place = b"", 64
    for index, count, last in media_segments(int.from_bytes(head[24:32])):
        nonce = head[16:23] + index.to_bytes(4) + bytes([last])
        plain += AESGCM(payload).decrypt(nonce, sealed[place:place + count + 16], None)
        place += count + 16
    require(place == len(sealed), "length")
    return plain


# MARK: 2.10.5, the safety number


def safety_number(one, other):
    """Each is (uid, hash of entry 0). The twelve groups and the text of the QR code."""
    parts = b"".join(lv(f"tb_{uid}") + lv(start) for uid, start in sorted((one, other)))
    hashed = hashlib.sha256(b"tandem-chat-number-1\0" + parts).digest()
    digits = f"{int.from_bytes(hashed) % 10**60:060}"
    return [digits[index:index + 5] for index in range(0, 60, 5)], "tandem-chat-number:1:" + b64u(hashed)


def private_key(secret):
    return X25519PrivateKey.from_private_bytes(secret)


def signing_key(seed):
    return Ed25519PrivateKey.from_private_bytes(seed)
