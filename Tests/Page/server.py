"""Serves the page with the fake client in place of the real one, under the Content-Security-Policy that the program sends."""

import functools
import http.server
import json
import pathlib
import sys
import threading
import urllib.parse

from served import served

TESTS = pathlib.Path(__file__).resolve().parent
PAGE = TESTS.parent.parent / "Sources" / "TandemWeb" / "Page"
# What bin/page-assets fetches.
ASSETS = TESTS.parent.parent / ".build" / "page-assets"

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:; connect-src 'self'; "
    "font-src 'self'; media-src 'self' blob:; manifest-src 'self'; worker-src 'self'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}


@functools.cache
def kept(file, _changed):
    """What a browser gets of a file, made once for each time that it was changed."""
    return served(file)


def line_of(added):
    """The line that lists one more feature in `features/index.js`."""
    return f"export {{ {added.name} }} from './{added.name}/feature.js';\n"


def contract_with(added):
    """The contract of the program's methods with those of one more feature."""
    known, more = (json.loads(file.read_text()) for file in (TESTS / "contract.json", added / "fake" / "contract.json"))
    return {table: {**known[table], **more[table]} for table in known}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body go out together: apart, the body waits for the browser's acknowledgement of the head.
    wbufsize = -1

    def do_GET(self):
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
        file = self.file(path)
        added = self.server.added
        if added and path == "/features/index.js":
            self.answer(200, KINDS[".js"], kept(file, file.stat().st_mtime_ns) + line_of(added).encode())
            return
        if added and path == "/fake/contract.json":
            self.answer(200, KINDS[".json"], json.dumps(contract_with(added)).encode())
            return
        if file is None or not file.is_file():
            self.answer(404, "text/plain", b"")
            return
        self.answer(200, KINDS.get(file.suffix, "application/octet-stream"), kept(file, file.stat().st_mtime_ns))

    def file(self, path):
        if path == "/client/local.js":
            return self.server.local or TESTS / "fake" / "local.js"
        if path == "/fake/contract.json":
            return TESTS / "contract.json"
        root, rest = PAGE, path.lstrip("/") or "index.html"
        added = self.server.added
        if rest.startswith("fake/"):
            root, rest = TESTS / "fake", rest.removeprefix("fake/")
        elif rest.startswith("assets/"):
            root, rest = ASSETS, rest.removeprefix("assets/")
        elif added and rest.startswith(f"features/{added.name}/"):
            root, rest = added, rest.removeprefix(f"features/{added.name}/")
        file = (root / rest).resolve()
        return file if root in file.parents else None

    def answer(self, status, kind, body):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("Cache-Control", f"max-age={self.server.max_age}" if self.server.max_age else "no-cache")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        # A browser that leaves a page cuts what it still loads.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def start(port=0, local=None, max_age=0, added=None):
    """Starts the server on loopback and returns it; its address is `server.url`. With `max_age` the browser keeps what it got. `added` is the folder of a
    feature that the page gets besides its own, by one more line of `features/index.js`; what is told of it stands in its `fake`."""
    server = Server(("127.0.0.1", port), Handler)
    server.local = local or (added and added / "fake" / "local.js")
    server.max_age = max_age
    server.added = added
    server.url = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


if __name__ == "__main__":
    running = start(int(sys.argv[1]) if len(sys.argv) > 1 else 8790)
    print(running.url, flush=True)
    threading.Event().wait()
