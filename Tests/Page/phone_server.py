"""The page for phones at a hub's own address, in front of the hub: what it serves is the files of this tree, or a bundle of them, all else goes to the hub,
requests of its interface too. A test can cut what passes, and serve another version. TANDEM_PHONE_BUNDLE names a folder of `bin/page-bundle` that all tests
get."""

import contextlib
import hashlib
import json
import os
import pathlib
import socket
import threading

from server import ASSETS, KINDS, PAGE, kept

# As `docs/browser-phone.md` has them.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:; connect-src 'self'; font-src 'self'; "
    "media-src 'self' blob:; manifest-src 'self'; worker-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types tandem"
)
OTHERS = {"index.html", "sw.js", "manifest.webmanifest"}
PIECE = 1 << 16
LONGEST_HEAD = 1 << 16


class Passage:
    """Passes connections on to a hub, and cuts them when a test says so. Use as a context manager; `hub` is the hub's port, `port` its own, else a free one."""

    def __init__(self, hub, port=0):
        self.hub, self.port = hub, port
        self.pairs = set()
        self.lock = threading.Lock()
        # After how many more bytes to the browser everything is cut, each time anew.
        self.cuts = []
        self.is_away = False

    def __enter__(self):
        self.listener = socket.create_server(("127.0.0.1", self.port), backlog=128)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        # What waits for a connection holds the port until it is woken.
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.cut()

    def cut(self):
        """Closes every connection that passes here."""
        with self.lock:
            pairs, self.pairs = self.pairs, set()
        for pair in pairs:
            for end in pair:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def accept(self):
        while True:
            try:
                browser, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.take, args=[browser], daemon=True).start()

    def take(self, browser):
        with contextlib.suppress(OSError), browser:
            self.pass_on(browser)

    def pass_on(self, browser, head=b""):
        if self.is_away:
            return
        with socket.create_connection(("127.0.0.1", self.hub)) as hub:
            pair = (browser, hub)
            with self.lock:
                self.pairs.add(pair)
            hub.sendall(head)
            other = threading.Thread(target=self.pump, args=[browser, hub], daemon=True)
            other.start()
            self.pump(hub, browser, counts=True)
            other.join(10)
            with self.lock:
                self.pairs.discard(pair)

    def pump(self, source, target, counts=False):
        with contextlib.suppress(OSError):
            while piece := source.recv(PIECE):
                target.sendall(piece)
                if counts and self.cuts:
                    self.cuts[0] -= len(piece)
                    if self.cuts[0] <= 0:
                        self.cuts.pop(0)
                        self.cut()
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


class PhoneServer(Passage):
    """A passage that answers requests for files itself."""

    def __init__(self, hub, version="1.0"):
        super().__init__(hub)
        self.version = version
        self.folder = pathlib.Path(os.environ.get("TANDEM_PHONE_BUNDLE") or PAGE)
        # Bytes of files that are served in place of the tree's, by their paths.
        self.changed = {}

    def __enter__(self):
        super().__enter__()
        self.host = f"127.0.0.1:{self.port}"
        self.url = f"http://{self.host}/phone/"
        return self

    def take(self, browser):
        """One connection: requests for files one after the other, or a socket that goes on to the hub."""
        with contextlib.suppress(OSError), browser:
            rest = b""
            while True:
                while b"\r\n\r\n" not in rest:
                    piece = browser.recv(PIECE)
                    if not piece or len(rest) > LONGEST_HEAD:
                        return
                    rest += piece
                head, _, behind = rest.partition(b"\r\n\r\n")
                if b"upgrade: websocket" in head.lower() or not head.split(b" ")[1].startswith(b"/phone/"):
                    self.pass_on(browser, rest)
                    return
                rest = behind
                browser.sendall(self.answer(head.split(b" ")[1].decode()))

    # Files

    def answer(self, target):
        path, _, query = target.partition("?")
        status, kind, body = 404, "text/plain", b""
        if path.startswith("/phone/"):
            name = path.removeprefix("/phone/")
            if name == "bundle.json":
                status, kind, body = 200, KINDS[".json"], json.dumps(self.bundle()).encode()
            elif (found := self.bytes_of(name or "phone.html")) is not None:
                status, kind, body = 200, KINDS.get("." + (name or "phone.html").rpartition(".")[2], "application/octet-stream"), found
        fields = [
            f"HTTP/1.1 {status} -", f"Content-Type: {kind}", f"Content-Length: {len(body)}", f"Content-Security-Policy: {POLICY}", "X-Content-Type-Options: nosniff",
            "Referrer-Policy: no-referrer", "Cross-Origin-Opener-Policy: same-origin", f"Cache-Control: {'public, max-age=31536000, immutable' if query.startswith('sha256=') else 'no-cache'}",
        ]
        return "\r\n".join([*fields, "", ""]).encode() + body

    def bytes_of(self, name):
        if name in self.changed:
            return self.changed[name]
        root, rest = (ASSETS, name.removeprefix("assets/")) if name.startswith("assets/") else (self.folder, name)
        root = root.resolve()
        file = (root / rest).resolve()
        if root not in file.parents or not file.is_file():
            return None
        # A bundle has no comments, and its lines stay as they are.
        return kept(file, file.stat().st_mtime_ns) if root in (ASSETS.resolve(), PAGE.resolve()) else file.read_bytes()

    def bundle(self):
        """The list of files with their hashes, as the hub makes it."""
        names = [file.relative_to(self.folder).as_posix() for file in self.folder.rglob("*") if file.suffix in KINDS]
        names = ["" if name == "phone.html" else name for name in names if name not in OTHERS] + ["assets/xterm.js", "assets/xterm.css"]
        found = {name: self.bytes_of(name or "phone.html") for name in names}
        files = [{"path": name, "sha256": hashlib.sha256(body).hexdigest(), "bytes": len(body)} for name, body in sorted(found.items()) if body is not None]
        lines = "".join(f"{file['sha256']}  {file['path']}\n" for file in files)
        return {"version": self.version, "sha256": hashlib.sha256(lines.encode()).hexdigest(), "files": files}


def link_of(code, host):
    """A computer's code as a link to a page at a host. Source: `docs/protocol.md` 2.3.7."""
    import base64

    def lv(text):
        data = text.encode()
        length, rest = b"", len(data)
        while rest > 127:
            length, rest = length + bytes([rest % 128 | 128]), rest // 128
        return length + bytes([rest]) + data

    def binary(text):
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

    origin = f"ws://{host}"
    addresses, shape = b"", 0
    for bits, member in ((0, "signalingUrl"), (2, "relayUrl")):
        if member not in code:
            continue
        value = code[member]
        kind = 1 if value is None else 3 if value == origin else 2
        shape |= kind << bits
        if kind == 2:
            addresses += lv(value)
    peer = code["pcPeerId"]
    is_hex = len(peer) == 32 and all(letter in "0123456789abcdef" for letter in peer)
    platforms = {"ios": 1, "android": 2, "darwin": 3, "win32": 4, "linux": 5}
    info = code["deviceInfo"]
    data = bytes([1, shape | (16 if is_hex else 0), platforms[info["platform"]]]) + int(code["code"]).to_bytes(3, "big") + code["timestamp"].to_bytes(6, "big")
    data += (bytes.fromhex(peer) if is_hex else lv(peer)) + lv(info["name"]) + binary(code["e2e"]["pk"]) + binary(code["e2e"]["psk"]) + addresses
    return f"http://{host}/phone/#" + base64.urlsafe_b64encode(data).decode().rstrip("=")
