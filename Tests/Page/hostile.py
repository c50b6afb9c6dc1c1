"""What the attacks on the page have in common: requests by hand, sites of others, and a canary in the page's own."""

import http.client
import http.server
import json
import os
import socket
import threading
import urllib.parse

from household import ROLES, ROOT, Household

# Becomes an element, and acts, wherever it is read as HTML.
MARKUP = "\"'><img data-xss src=/xss onerror=__xss()><script data-xss>__xss()</script>"
# The same within what a file may be called, where a slash is none.
FILE_MARKUP = "\"'><img data-xss src=xss onerror=__xss()><svg data-xss onload=__xss()>"

# Installed before anything of the page runs: sees each hostile element that is ever added, and every breach of the policy.
CANARY = """(() => {
    const seen = [];
    Object.defineProperty(window, '__canary', { value: seen });
    window.__xss = (...what) => seen.push(`ran ${what}`);
    document.addEventListener('securitypolicyviolation', (event) => seen.push(`policy ${event.violatedDirective} ${event.blockedURI}`));
    new MutationObserver((records) => {
        for (const { addedNodes } of records) {
            for (const node of addedNodes) {
                if (node.matches?.('[data-xss]') || node.querySelector?.('[data-xss]')) seen.push(`element ${node.outerHTML.slice(0, 200)}`);
            }
        }
    }).observe(document, { childList: true, subtree: true });
})()"""
# What the canary saw, and links that lead into scripts.
SEEN = """() => [...window.__canary, ...[...document.querySelectorAll('[href], [src], [action], [srcdoc]')].flatMap((element) =>
    ['href', 'src', 'action', 'srcdoc'].map((name) => element.getAttribute(name) ?? '')
        .filter((value) => !/^(#|[/]|icons[/]|https?:|blob:|$)/.test(value)).map((value) => `${element.localName} ${value}`))]"""


def household(environment=None, **options):
    """With the page's files of this working tree, wherever the program lies."""
    files = {
        "TANDEM_PAGE_FILES": str(ROOT / "Sources/TandemWeb/Page"),
        "TANDEM_PAGE_TERMINAL": str(ROOT / ".build/page-assets"),
    }
    return Household(environment=files | (environment or {}), **options)


def port_of(house, role):
    return urllib.parse.urlsplit(house.page_of(role)).port


class Answer:
    def __init__(self, head, body):
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split(" ")[1])
        self.fields = [tuple(part.strip() for part in line.split(":", 1)) for line in lines[1:] if ":" in line]
        self.body = body

    def __getitem__(self, name):
        return next((value for key, value in self.fields if key.lower() == name.lower()), None)

    def json(self):
        return json.loads(self.body)


def exchange(port, sent, *, pause=0, seconds=10, host="127.0.0.1"):
    """All that comes back for these bytes until the other side closes, or is silent for `pause` seconds after something came."""
    received = b""
    with socket.create_connection((host, port), seconds) as connection:
        try:
            connection.sendall(sent)
            while True:
                connection.settimeout(pause if received and pause else seconds)
                piece = connection.recv(1 << 16)
                if not piece:
                    break
                received += piece
        except (ConnectionResetError, BrokenPipeError, TimeoutError):
            pass
    return received


def raw(port, head, body=b"", **options):
    """One answer to a request whose head is written by hand; None where there was none."""
    if isinstance(head, str):
        head = head.encode("latin-1")
    received = exchange(port, head + b"\r\n\r\n" + body, pause=0.3, **options)
    if b"\r\n\r\n" not in received:
        return None
    return Answer(*received.split(b"\r\n\r\n", 1))


def ask(port, method, target, fields=None, body=None, **more):
    """A request that says of itself what the page's own would; a field of None is left out."""
    own = f"127.0.0.1:{port}"
    fields = {"Host": own, "Origin": f"http://{own}", "Connection": "close"} | (fields or {}) | more
    if body is not None:
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        fields.setdefault("Content-Length", str(len(body)))
        fields.setdefault("Content-Type", "application/json")
    lines = [f"{method} {target} HTTP/1.1"] + [f"{key}: {value}" for key, value in fields.items() if value is not None]
    return raw(port, "\r\n".join(lines), body or b"")


def sign_in(house, role):
    """A cookie of the role's page, as `name=value`."""
    link = urllib.parse.urlsplit(house.link(role))
    connection = http.client.HTTPConnection("127.0.0.1", link.port, timeout=10)
    try:
        connection.request("GET", f"{link.path}?{link.query}")
        return connection.getresponse().getheader("Set-Cookie").split(";")[0]
    finally:
        connection.close()


def call(port, cookie, method, params=None, **fields):
    return ask(port, "POST", "/api/call", {"Cookie": cookie, **fields}, {"method": method, "params": params or {}})


class Site:
    """A site of somebody else on this machine; what it was asked is in `asked`."""

    def __init__(self, pages, family=socket.AF_INET, address="127.0.0.1", port=0):
        asked = self.asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append((self.path, dict(self.headers)))
                page = pages.get(self.path.split("?")[0])
                self.send_response(200 if page else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write((page or "").encode())

            do_POST = do_GET

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            address_family = family
            daemon_threads = True

        self.server = Server((address, port), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Visitor:
    """A page of ours in a browser, signed in, with a canary in it. Requests to anywhere else count as caught."""

    def __init__(self, browser, house, role, **options):
        self.page = browser.blank(**options)
        self.url = house.page_of(role)
        self.caught = []
        self.page.add_init_script(CANARY)
        self.page.on("dialog", lambda dialog: (self.caught.append(f"dialog {dialog.message}"), dialog.dismiss()))
        self.page.context.on("request", self.watch)
        self.page.goto(house.link(role))
        self.page.wait_for_selector("#app:not([aria-busy])")

    def watch(self, request):
        place = urllib.parse.urlsplit(request.url)
        isOwn = request.url.startswith((self.url + "/", f"blob:{self.url}/", "data:image/"))
        if not isOwn or "xss" in place.path:
            self.caught.append(f"request {request.url}")

    def open(self, hash, selector=None):
        self.page.goto(f"{self.url}/{hash}")
        self.page.wait_for_selector("#app:not([aria-busy])")
        if selector:
            self.page.wait_for_selector(selector, timeout=10_000)

    def seen(self):
        return self.caught + self.page.evaluate(SEEN)
