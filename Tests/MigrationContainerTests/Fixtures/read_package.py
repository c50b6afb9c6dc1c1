"""Reads a package of a migration by docs/protocol.md 2.13 alone, and prints what it holds as JSON.

    read_package.py PACKAGE PASSWORD [SESSION KEY IN HEXADECIMAL]

Shares no code with the program, so that the two agree on the document and not on a mistake."""

import hashlib
import hmac
import io
import json
import struct
import sys
import unicodedata
import zipfile

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

SEGMENT = 65536
ENTITIES = ["settings", "categories", "stories", "media", "relations_story_categories"]


def expand(secret, label):
    return hmac.new(secret, b"mystory/mig/2/" + label + b"\x01", hashlib.sha256).digest()


def keys_of(head, password, session):
    log_n, r, p = struct.unpack(">III", head[16:28])
    assert 14 <= log_n <= 18 and r == 8 and 1 <= p <= 4, "costs"
    secret = hashlib.scrypt(
        unicodedata.normalize("NFKC", password).encode(),
        salt=head[28:60], n=1 << log_n, r=r, p=p, dklen=32, maxmem=1 << 30,
    )
    flags = struct.unpack(">I", head[12:16])[0]
    assert flags & ~3 == 0, "flags"
    if flags & 1:
        secret += session
    extracted = hmac.new(hashlib.sha256(head[:96]).digest(), secret, hashlib.sha256).digest()
    return {label: expand(extracted, label.encode()) for label in ["commit", "header", "payload", "masterkey"]}


def archive_of(package, password, session=b""):
    head = package[:160]
    assert head[:8] == b"MYSTMIG\0" and head[8:12] == bytes([2, 1, 1, 16]), "not a package"
    assert head[67] == 0 and head[92:96] == bytes(4), "reserved"
    keys = keys_of(head, password, session)
    assert hmac.compare_digest(head[96:128], keys["commit"]), "wrong password"
    code = hmac.new(keys["header"], head[:128], hashlib.sha256).digest()
    assert hmac.compare_digest(head[128:], code), "damaged header"
    body, archive = package[160:], b""
    count = max(1, -(-len(body) // (SEGMENT + 16)))
    for index in range(count):
        sealed = body[index * (SEGMENT + 16):(index + 1) * (SEGMENT + 16)]
        nonce = head[60:67] + struct.pack(">IB", index, index == count - 1)
        archive += AESGCM(keys["payload"]).decrypt(nonce, sealed, None)
    if head[15] & 2:
        assert struct.unpack(">Q", head[68:76])[0] == len(archive), "length"
    return archive, keys


def section_of(section, entries, names):
    """The entries of one section, which stand together in the archive and are what the manifest says."""
    prefix = f"sections/{section['name']}/"
    paths = [name for name in names if name.startswith(prefix)]
    assert names.index(paths[0]) + len(paths) == names.index(paths[-1]) + 1, "entries of a section are apart"
    contents = {path.removeprefix(prefix): entries.read(path) for path in paths}
    lines = b"".join(
        path.encode() + b"\0" + str(len(content)).encode() + b"\0" + hashlib.sha256(content).hexdigest().encode() + b"\n"
        for path, content in contents.items()
    )
    assert len(contents) == section["files"] and sum(map(len, contents.values())) == section["bytes"], "a section's size"
    assert hashlib.sha256(lines).hexdigest() == section["sha256"], "a section's sum"
    files = {path: hashlib.sha256(content).hexdigest() for path, content in contents.items()}
    return {"version": section["version"], "files": files}


def main():
    package = open(sys.argv[1], "rb").read()
    archive, keys = archive_of(package, sys.argv[2], bytes.fromhex(sys.argv[3]) if len(sys.argv) > 3 else b"")
    with zipfile.ZipFile(io.BytesIO(archive)) as entries:
        assert entries.testzip() is None
        names = [entry.filename for entry in entries.infolist()]
        manifest = json.loads(entries.read("manifest.json"))
        sealed = entries.read("security/master_key.bin")
        files = {name: entries.read(name) for name in names if name.startswith("media/")}
        records = {name: json.loads(entries.read(f"coredata/{name}.json")) for name in ENTITIES}
        sections = {section["name"]: section_of(section, entries, names) for section in manifest.get("sections", [])}
        listed = manifest.get("files")
        if manifest["integrity"].get("files"):
            listed = [json.loads(line) for line in entries.read("files.jsonl").splitlines()]
    assert names[:7] == ["manifest.json", "security/master_key.bin"] + [f"coredata/{name}.json" for name in ENTITIES]
    assert [file["path"] for file in listed] == list(files)
    behind = [name.split("/")[1] if name.startswith("sections/") else "" for name in names[7:] if name != "files.jsonl"]
    order = [name for index, name in enumerate(behind) if index == 0 or behind[index - 1] != name]
    assert order == list(sections) + ([""] if files else []), "sections in the order of the manifest, then the media"
    for file in listed:
        content = files[file["path"]]
        assert len(content) == file["size"] and hashlib.sha256(content).hexdigest() == file["sha256"], file["path"]
    json.dump(
        {
            "masterKey": AESGCM(keys["masterkey"]).decrypt(sealed[:12], sealed[12:], None).hex(),
            "manifest": manifest,
            "records": records,
            "sections": sections,
            "files": {name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
            "zipSHA256": hashlib.sha256(archive).hexdigest(),
            "encSHA256": hashlib.sha256(package).hexdigest(),
        },
        sys.stdout,
        ensure_ascii=False,
        sort_keys=True,
    )


if __name__ == "__main__":
    main()
