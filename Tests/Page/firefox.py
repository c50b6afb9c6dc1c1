"""Firefox without a window, steered by WebDriver BiDi over its own socket (https://w3c.github.io/webdriver-bidi/)."""

import http.server
import itertools
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

import websocket

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Rig"))
from rig import Trouble, clean_environment, until  # noqa: E402
from server import KINDS, Server, kept  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What a page of the tests may load: the program's own modules, and the tests' scripts and fixtures.
SERVED = (
    ROOT / "Sources" / "TandemWeb" / "Page", ROOT / "Tests" / "Page" / "wire", ROOT / "Tests" / "Page" / "chat", ROOT / "Tests" / "SealingTests" / "Fixtures",
    ROOT / "Tests" / "ChatSealingTests" / "Fixtures",
)
START_LIMIT = 60


class Failed(Exception):
    """A script in the page threw: what it said."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def do_GET(self):
        if self.path == "/":
            return self.answer(200, KINDS[".html"], b"<!doctype html><title>Wire</title>")
        file = (ROOT / self.path.lstrip("/")).resolve()
        if not file.is_file() or not any(folder in file.parents for folder in SERVED):
            return self.answer(404, "text/plain", b"")
        # Modules come as the program serves them.
        self.answer(200, KINDS[".js"] if file.suffix == ".mjs" else KINDS[file.suffix], kept(file, file.stat().st_mtime_ns))

    def answer(self, status, kind, body):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Firefox:
    """The browser with a profile of its own, and one page on loopback, which browsers trust with ciphers without a certificate."""

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-firefox."))
        self.log = self.folder / "log"
        self.process = self.socket = None
        self.numbers = itertools.count(1)
        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self):
        """Starts it, also once more with the same profile."""
        profile = self.folder / "profile"
        profile.mkdir(exist_ok=True)
        told = profile / "WebDriverBiDiServer.json"
        told.unlink(missing_ok=True)
        command = ["firefox-esr", "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", "about:blank"]
        with open(self.log, "ab") as log:
            # A group of its own, so that all of its processes end with it.
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=clean_environment(self.folder), start_new_session=True)
        try:
            said = until(lambda: self.process.poll() is not None or read(told), START_LIMIT)
        except Trouble:
            said = True
        if said is True:
            raise Trouble(f"Firefox did not start: {self.log.read_text(errors='replace')[-2000:]}")
        # It refuses sockets that pages open, which say where they come from.
        self.socket = websocket.create_connection(f"ws://{said['ws_host']}:{said['ws_port']}/session", timeout=20, suppress_origin=True)
        self.version = self.ask("session.new", capabilities={})["capabilities"]["browserVersion"]
        self.context = self.ask("browsingContext.getTree")["contexts"][0]["context"]
        self.load()

    def stop(self):
        process, self.process = self.process, None
        socket, self.socket = self.socket, None
        try:
            if socket and process and process.poll() is None:
                self.tell(socket, "browser.close")
                process.wait(20)
        except (OSError, websocket.WebSocketException, subprocess.TimeoutExpired):
            # Ended by force below.
            pass
        finally:
            if socket:
                socket.close()
            if process:
                end_group(process)

    def __exit__(self, *_):
        self.stop()
        self.server.shutdown()
        self.server.server_close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def load(self):
        """Loads the page anew: scripts lose all that they do not keep."""
        self.ask("browsingContext.navigate", context=self.context, url=self.url, wait="complete")

    def evaluate(self, function, *arguments, seconds=60):
        """What a function of the page's realm answers, as JSON says it."""
        values = ", ".join(json.dumps(argument) for argument in arguments)
        expression = f"(async () => JSON.stringify(await ({function})({values})) ?? 'null')()"
        answer = self.ask("script.evaluate", seconds, expression=expression, target={"context": self.context}, awaitPromise=True)
        if answer["type"] != "success":
            raise Failed(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def play(self, script, *arguments):
        """What a script of the folder `wire` answers in the page."""
        return self.evaluate(f"async (...values) => (await import('/Tests/Page/wire/{script}')).run(...values)", *arguments)

    def tell(self, socket, method, **params):
        number = next(self.numbers)
        socket.send(json.dumps({"id": number, "method": method, "params": params}))
        return number

    def ask(self, method, seconds=30, **params):
        self.socket.settimeout(seconds)
        number = self.tell(self.socket, method, **params)
        try:
            answer = next(each for each in map(json.loads, iter(self.socket.recv, "")) if each.get("id") == number)
        except websocket.WebSocketTimeoutException:
            raise Trouble(f"Firefox did not answer {method} in {seconds} s") from None
        except StopIteration:
            raise Trouble(f"Firefox ended: {self.log.read_text(errors='replace')[-2000:]}") from None
        if answer["type"] == "error":
            raise Trouble(f"Firefox refused {method}: {answer['error']}: {answer['message']}")
        return answer["result"]


def read(file):
    """What Firefox writes of itself into its profile, once it is there and whole."""
    try:
        return json.loads(file.read_text())
    except (FileNotFoundError, ValueError):
        return None


def end_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait(10)
