"""A model on loopback: an HTTP server that answers agents by a script. Each API that agents speak is a module of its own beside this one.

Such a module has `PATHS`, the ends of the paths it answers, `read(body)`, which makes an `Asked` of a request, and `events(steps, body)`, which yields
the server-sent events of an answer as pairs of name and data. A `Hold` is passed through by `events` as it is.
"""

import http.server
import json
import threading

import completions
import messages
import responses
from script import Hold, Refuse

APIS = (responses, messages, completions)
# A gate that no walk opens, because a step before it failed.
GATE_SECONDS = 60


class Model:
    """Serves until it is closed. `answer` gets each `Asked` and returns steps."""

    def __init__(self, answer):
        self.answer = answer
        self.asked = []
        self.troubles = []
        self.gates = {}
        self.lock = threading.Lock()
        model = self

        class Handler(_Handler):
            pass

        Handler.model = model
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}"

    def gate(self, name):
        with self.lock:
            return self.gates.setdefault(name, threading.Event())

    def open(self, name):
        """Lets an answer that holds at this gate go on."""
        self.gate(name).set()

    def close(self):
        for gate in list(self.gates.values()):
            gate.set()
        self.server.shutdown()
        self.server.server_close()


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: Model

    def log_message(self, *_):
        pass

    def do_GET(self):
        self._fail(404, "not served here")

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = self.path.split("?")[0]
        api = next((api for api in APIS if path.endswith(api.PATHS)), None)
        if api is None:
            self.model.troubles.append(f"POST {path} is of no API that is served here")
            return self._fail(404, "not served here")
        try:
            request = json.loads(body)
            asked = api.read(request)
            steps = self.model.answer(asked)
        except Exception as error:  # What a new version asks is not known: the walk tells it.
            self.model.troubles.append(f"POST {path}: {type(error).__name__}: {error}")
            return self._fail(500, "the script of the model failed")
        self.model.asked.append(asked)
        if steps and isinstance(steps[0], Refuse):
            return self._fail(steps[0].status, steps[0].message)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            for event in api.events(steps, request):
                if isinstance(event, Hold):
                    self.model.gate(event.gate).wait(GATE_SECONDS)
                    continue
                name, data = event
                head = f"event: {name}\n" if name else ""
                text = data if isinstance(data, str) else json.dumps(data)
                self.wfile.write(f"{head}data: {text}\n\n".encode())
                self.wfile.flush()
        except (BrokenPipeError, ConnectionResetError):
            pass  # The agent's turn was stopped.

    def _fail(self, status, message):
        text = json.dumps({"error": {"message": message, "type": "scripted"}}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
