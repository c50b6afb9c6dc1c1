"""The client over the local API, against answers of our own."""

import json
import unittest
import urllib.parse

import server
from browser import Browser

HELLO = {
    "role": "phone", "name": "Ada", "version": "1", "id": "did:key:z6Mk", "fingerprint": "one-two", "platform": "linux",
    "assets": {"terminal": True},
}


class ClientTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = server.start(local=server.PAGE / "client" / "local.js")
        cls.browser = cls.enterClassContext(Browser())

    @classmethod
    def tearDownClass(cls):
        cls.site.shutdown()

    def setUp(self):
        self.page = self.browser.blank()
        self.addCleanup(self.page.context.close)
        self.asked = []
        self.answers = {"GET /api/hello": lambda _: (200, HELLO)}
        self.sockets = []
        self.heard = []
        self.begin = {"epoch": "e1", "seq": 0, "reset": False}
        self.page.route("**/app.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
        self.page.route("**/api/**", self.answer)
        self.page.route_web_socket("**/api/**", self.connect)

    def answer(self, route):
        request = route.request
        path = urllib.parse.urlsplit(request.url).path
        self.asked.append(request)
        work = self.answers.get(f"{request.method} {path}")
        result = work(request) if work else (404, {"error": {"code": "unknown-method", "message": path}})
        if result is None:
            route.abort("connectionreset")
        elif isinstance(result, dict):
            route.fulfill(**result)
        else:
            route.fulfill(status=result[0], body=json.dumps(result[1]), content_type="application/json")

    def connect(self, socket):
        self.sockets.append(socket)
        socket.on_message(lambda message: self.heard.append(message if isinstance(message, bytes) else json.loads(message)))
        if "/api/events" in socket.url:
            socket.send(json.dumps(self.begin))

    def start(self):
        self.page.goto(f"{self.site.url}/")
        self.page.evaluate(
            """async () => {
                const { openClient } = await import('/client/local.js');
                window.client = openClient();
                window.states = [];
                window.told = [];
                client.onState((state) => states.push(state));
                client.events('*', (data, { topic, seq }) => told.push([topic, data, seq]));
                await client.start();
            }"""
        )

    def tell(self, message, socket=-1):
        self.sockets[socket].send(message if isinstance(message, bytes) else json.dumps(message))

    def wait(self, expression):
        # Playwright's own waiting needs what the page's policy forbids.
        self.until(lambda: self.page.evaluate(expression))

    def until(self, condition):
        for _ in range(200):
            if condition():
                return
            self.page.wait_for_timeout(20)
        self.fail("it did not happen")

    def code_of(self, expression):
        return self.page.evaluate(f"async () => {{ try {{ await ({expression}); return null; }} catch (e) {{ return [e.code, e.message, e.right ?? null]; }} }}")

    # Asking

    def test_says_who_runs_and_calls(self):
        self.answers["POST /api/call"] = lambda request: (200, {"result": {"echo": request.post_data_json}})
        self.start()
        self.assertEqual(self.page.evaluate("[client.state, client.role, client.self.name]"), ["live", "phone", "Ada"])
        self.assertEqual(
            self.page.evaluate("client.call('devices.show', {id: 'x'})"), {"echo": {"method": "devices.show", "params": {"id": "x"}}}
        )
        self.page.evaluate("client.computer('pc').call('file.list', {path: '/'}, {timeout: 5})")
        self.assertEqual(
            self.asked[-1].post_data_json,
            {"method": "call", "params": {"device": "pc", "method": "file.list", "params": {"path": "/"}, "timeout": 5}},
        )

    def test_failures_have_codes(self):
        self.start()
        for status, error, expected in [
            (403, {"code": "not-allowed", "message": "Ask the owner.", "right": "file.read"}, ["not-allowed", "Ask the owner.", "file.read"]),
            (507, {"code": "full", "message": "The disk is full."}, ["full", "The disk is full.", None]),
            (500, {"code": "something-new", "message": "New."}, ["internal", "New.", None]),
        ]:
            self.answers["POST /api/call"] = lambda _, answer=(status, {"error": error}): answer
            self.assertEqual(self.code_of("client.call('x')"), expected)
        self.answers["POST /api/call"] = lambda _: {"status": 413, "body": "<html>", "content_type": "text/html"}
        self.assertEqual(self.code_of("client.call('x')")[0], "too-large")
        self.answers["POST /api/call"] = lambda _: None
        self.assertEqual(self.code_of("client.call('x')")[0], "gone")
        self.assertEqual(self.code_of("client.call('x', {}, {signal: AbortSignal.abort()})")[0], "cancelled")

    def test_signed_out_is_noticed_at_any_call(self):
        self.start()
        self.answers["POST /api/call"] = lambda _: (401, {"error": {"code": "signed-out", "message": ""}})
        self.assertEqual(self.code_of("client.call('x')")[0], "signed-out")
        self.assertEqual(self.page.evaluate("client.state"), "signed-out")

    def test_is_signed_out_from_the_start(self):
        self.answers["GET /api/hello"] = lambda _: (401, {"error": {"code": "signed-out", "message": ""}})
        self.start()
        self.assertEqual(self.page.evaluate("[client.state, client.self]"), ["signed-out", None])
        self.assertEqual(self.sockets, [])

    def test_waits_for_a_program_that_does_not_run(self):
        self.answers["GET /api/hello"] = lambda _: None
        self.start()
        self.wait("client.state === 'gone'")
        self.answers["GET /api/hello"] = lambda _: (200, HELLO)
        self.wait("client.state === 'live'")
        self.assertEqual(self.page.evaluate("states"), ["gone", "live"])

    # Events

    def test_events_go_on_after_a_loss(self):
        self.start()
        self.tell({"seq": 1, "topic": "devices", "data": {"n": 1}})
        self.tell({"seq": 2, "topic": "queue", "data": {"n": 2}})
        self.wait("told.length === 3")
        self.sockets[0].close()
        self.until(lambda: len(self.sockets) == 2)
        self.assertIn("epoch=e1&after=2", self.sockets[1].url)
        self.tell({"seq": 2, "topic": "queue", "data": {"n": 2}})
        self.tell({"seq": 3, "topic": "reach", "data": {"n": 3}})
        self.wait("told.length === 4")
        self.assertEqual(
            self.page.evaluate("told"),
            [["reset", {}, 0], ["devices", {"n": 1}, 1], ["queue", {"n": 2}, 2], ["reach", {"n": 3}, 3]],
        )
        self.assertEqual(self.page.evaluate("states"), ["live", "lost", "live"])

    def test_what_was_missed_is_said(self):
        self.answers["GET /api/hello"] = lambda _: (200, {**HELLO, "events": {"epoch": "e1", "seq": 7}})
        self.begin = {"epoch": "e1", "seq": 9, "reset": False}
        self.start()
        self.assertIn("epoch=e1&after=7", self.sockets[0].url)
        self.assertEqual(self.page.evaluate("told"), [])
        for begin in [{"epoch": "e1", "seq": 900, "reset": True}, {"epoch": "e2", "seq": 3, "reset": False}]:
            self.begin = begin
            count = len(self.sockets)
            self.sockets[-1].close()
            self.until(lambda: len(self.sockets) == count + 1)
            self.wait("told.at(-1)?.[0] === 'reset'")
            self.page.evaluate("told.length = 0")
            self.tell({"seq": begin["seq"] + 1, "topic": "devices", "data": 1})
            self.wait("told.length === 1")
            self.page.evaluate("told.length = 0")

    def test_another_version_is_said(self):
        self.start()
        self.answers["GET /api/hello"] = lambda _: (200, {**HELLO, "version": "2"})
        self.sockets[0].close()
        self.wait("told.some(([topic]) => topic === 'updated')")

    # Follows

    FOLLOW = """(once) => {
        window.items = []; window.restarts = 0; window.outcome = null;
        window.followed = client.follow('pair.watch', { stay: true }, { once, onItem: (item) => items.push(item), onRestart: () => { restarts += 1; } });
        followed.result.then((value) => { outcome = ['done', value]; }, (error) => { outcome = [error.code, error.message]; });
    }"""

    def test_a_followed_method_reports_and_ends(self):
        self.start()
        self.page.evaluate(self.FOLLOW, False)
        self.until(lambda: self.heard == [{"follow": 1, "method": "pair.watch", "params": {"stay": True}}])
        self.tell({"follow": 1, "item": {"event": "code"}})
        self.page.evaluate("followed.send('x'); followed.end()")
        self.until(lambda: self.heard[1:] == [{"input": 1, "value": "x"}, {"end": 1}])
        self.tell({"follow": 1, "result": {"id": 5}})
        self.wait("outcome !== null")
        self.assertEqual(self.page.evaluate("[items, outcome]"), [[{"event": "code"}], ["done", {"id": 5}]])

    def test_a_follow_is_left_and_refused(self):
        self.start()
        self.page.evaluate(self.FOLLOW, False)
        self.until(lambda: len(self.heard) == 1)
        self.page.evaluate("followed.cancel()")
        self.until(lambda: self.heard[-1] == {"cancel": 1})
        self.assertEqual(self.page.evaluate("outcome")[0], "cancelled")
        self.page.evaluate(self.FOLLOW, False)
        self.until(lambda: len(self.heard) == 3)
        self.tell({"follow": 2, "error": {"code": "expired", "message": "Too late."}})
        self.wait("outcome !== null")
        self.assertEqual(self.page.evaluate("outcome"), ["expired", "Too late."])

    def test_a_follow_begins_again(self):
        self.start()
        self.page.evaluate(self.FOLLOW, False)
        self.until(lambda: len(self.heard) == 1)
        self.sockets[0].close()
        self.until(lambda: len(self.heard) == 2)
        self.assertEqual(self.heard[0], self.heard[1])
        self.assertEqual(self.page.evaluate("[restarts, outcome]"), [1, None])

    def test_what_is_done_once_ends_with_the_connection(self):
        self.start()
        self.page.evaluate(self.FOLLOW, True)
        self.until(lambda: len(self.heard) == 1)
        self.sockets[0].close()
        self.wait("outcome !== null")
        self.assertEqual(self.page.evaluate("[restarts, outcome[0]]"), [0, "lost"])
        self.wait("client.state === 'live'")
        self.assertEqual(len(self.heard), 1)

    def test_threads_are_followed_by_the_one_socket_and_from_where_the_page_stands(self):
        self.start()
        self.page.evaluate("""async () => {
            const { threadsOf } = await import('/client/threads.js');
            window.told = [];
            window.stands = null;
            threadsOf(client, { id: 'pc' }).follow({
                thread: { id: 't', source: 'codex' }, after: () => stands,
                onAnswer: (answer, after) => { stands = answer.newer; told.push(after); }, onEvent: (event) => told.push(event.event),
            });
        }""")
        self.until(lambda: len(self.heard) == 1)
        wanted = {"device": "pc", "id": "t", "source": "codex"}
        self.assertEqual(self.heard[0], {"follow": 1, "method": "threads.follow", "params": wanted})
        self.tell({"follow": 1, "item": {"subscribed": {"newer": "10"}}})
        self.tell({"follow": 1, "item": {"event": "threads.items"}})
        self.wait("told.length === 2")
        self.sockets[0].close()
        self.until(lambda: len(self.heard) == 2)
        self.assertEqual(self.heard[1]["params"], {**wanted, "after": "10"})
        self.assertEqual([len(self.sockets), self.page.evaluate("told")], [2, [None, "threads.items"]])

    # A computer

    def test_reachability_and_remote_events(self):
        self.answers["POST /api/call"] = lambda _: (200, {"result": {"id": "pc", "path": "relay"}})
        self.start()
        self.page.evaluate(
            """() => {
                window.paths = []; window.remote = [];
                window.stops = [client.computer('pc').reachability((path) => paths.push(path)),
                    client.computer('pc').events('terminal.output', (members) => remote.push(members))];
            }"""
        )
        self.wait("paths.length === 1")
        for data in [{"device": "other", "path": "direct"}, {"device": "pc", "path": "direct"}, {"device": "pc", "path": "direct"}]:
            self.tell({"seq": len(self.heard) + 1 + [0, 1, 2][data["path"] == "direct"], "topic": "reach", "data": data})
        self.tell({"seq": 50, "topic": "reach", "data": {"device": "pc", "path": None}})
        self.tell({"seq": 51, "topic": "remote", "data": {"device": "pc", "event": "clipboard.changed", "members": {}}})
        self.tell({"seq": 52, "topic": "remote", "data": {"device": "pc", "event": "terminal.output", "members": {"n": 1}}})
        self.wait("remote.length === 1 && paths.length >= 2")
        self.assertEqual(self.page.evaluate("[paths[0], paths.at(-1), remote]"), ["relay", None, [{"n": 1}]])

    OPEN = """() => client.computer('pc').terminal({ shell: 'bash', cols: 80, rows: 24 }).then((terminal) => {
        window.terminal = terminal; window.bytes = 0; window.ended = null;
        terminal.onData((data, taken) => { bytes += data.length; taken(); });
        terminal.onExit((exit) => { ended = [exit.code, exit.error?.code ?? null]; });
        return terminal.sessionId;
    }, (error) => error.code)"""

    def open_terminal(self, first):
        self.page.evaluate(f"() => {{ window.opening = ({self.OPEN})().then((value) => {{ window.opened = value; }}); }}")
        self.until(lambda: "/api/terminal" in self.sockets[-1].url)
        self.tell(first)
        self.wait("window.opened !== undefined")
        return self.page.evaluate("opened")

    def test_a_terminal_says_what_it_took(self):
        self.start()
        self.assertEqual(self.open_terminal({"session": "s1"}), "s1")
        self.assertIn("device=pc&shell=bash&cols=80&rows=24", self.sockets[-1].url)
        for _ in range(3):
            self.tell(bytes(15 * 1024))
        self.until(lambda: self.heard == [{"ack": 45 * 1024}])
        self.page.evaluate("terminal.write('ls\\r'); terminal.resize(100, 30)")
        self.until(lambda: self.heard[1:] == [b"ls\r", {"resize": [100, 30]}])
        self.tell({"exit": {"code": 3}})
        self.wait("ended !== null")
        self.assertEqual(self.page.evaluate("ended"), [3, None])

    def test_a_terminal_that_is_refused_or_lost(self):
        self.start()
        self.assertEqual(self.open_terminal({"error": {"code": "not-allowed", "message": "", "right": "terminal"}}), "not-allowed")
        self.page.evaluate("delete window.opened")
        self.sockets.pop()
        self.open_terminal({"session": "s2"})
        self.sockets[-1].close()
        self.wait("ended !== null")
        self.assertEqual(self.page.evaluate("ended"), [None, "lost"])

    def test_an_upload_goes_on_after_a_cut(self):
        self.start()
        received = bytearray()
        cuts = [4, None]

        def put(request):
            offset = int(urllib.parse.parse_qs(urllib.parse.urlsplit(request.url).query)["offset"][0])
            del received[offset:]
            cut = cuts.pop(0)
            received.extend((request.post_data_buffer or b"")[:cut])
            return None if cut else (200, {"path": "/home/a.bin"})

        self.answers["PUT /api/files"] = put
        self.answers["GET /api/uploads"] = lambda _: (200, {"offset": len(received)})
        path = self.page.evaluate(
            """() => client.computer('pc').upload('/home', new File(['0123456789'], 'a.bin'), { resume: 'u1', onProgress: (done, all) => { window.last = [done, all]; } })"""
        )
        self.assertEqual(path, {"path": "/home/a.bin"})
        self.assertEqual(bytes(received), b"0123456789")
        self.assertIn("folder=%2Fhome&name=a.bin&size=10&upload=u1&offset=4&modified=", self.asked[-1].url)
        self.answers["DELETE /api/uploads"] = lambda _: (200, {})
        self.page.evaluate("client.computer('pc').cancelUpload('/home', { name: 'a.bin', size: 10, resume: 'u1' })")
        self.assertIn("folder=%2Fhome&name=a.bin&size=10&upload=u1", self.asked[-1].url)
        self.answers["PUT /api/files"] = lambda _: (507, {"error": {"code": "full", "message": "No space."}})
        self.assertEqual(self.code_of("client.computer('pc').upload('/', new File(['x'], 'b'), {})")[0], "full")

    def test_a_download_says_how_far_it_is(self):
        self.start()
        self.answers["GET /api/files"] = lambda request: {
            "status": 206 if "range" in request.headers else 200, "body": b"hello world",
            "headers": {"Content-Disposition": "attachment; filename*=UTF-8''%C3%BC.txt", "Content-Length": "11"},
        }
        self.assertEqual(
            self.page.evaluate(
                """async () => {
                    let last;
                    const { name, size, stream } = await client.computer('pc').download('/a/ü.txt', { onProgress: (done, all) => { last = [done, all]; } });
                    return [name, size, await new Response(stream).text(), last];
                }"""
            ),
            ["ü.txt", 11, "hello world", [11, 11]],
        )
        self.page.evaluate("async () => { await client.computer('pc').download('/a', { from: 5 }); }")
        self.assertEqual(self.asked[-1].headers["range"], "bytes=5-")

    def test_a_file_is_saved_by_the_browser_and_steered_by_its_name(self):
        self.start()
        stands = {"state": "ready", "done": 0, "size": 7}
        self.answers["POST /api/downloads"] = lambda _: (200, stands)
        self.answers["GET /api/files"] = lambda _: {
            "status": 200, "body": b"1234567", "headers": {"Content-Disposition": "attachment; filename*=UTF-8''a.bin"},
        }
        with self.page.expect_download() as download:
            self.page.evaluate("client.computer('pc').save('/home/a.bin', { id: 'd-1' })")
        self.assertEqual(download.value.suggested_filename, "a.bin")
        self.assertTrue(download.value.url.endswith("/api/files?device=pc&path=%2Fhome%2Fa.bin&download=d-1"))
        self.assertTrue(self.asked[-1].url.endswith("/api/downloads?id=d-1&device=pc&path=%2Fhome%2Fa.bin"))
        # Where the browser has it already it is not told again: that would be seen as a second download.
        stands["state"] = "running"
        said = self.page.evaluate("client.computer('pc').save('/home/a.bin', { id: 'd-1' })")
        self.assertEqual(said, {"state": "running", "done": 0, "size": 7, "error": None})
        self.page.evaluate("client.computer('pc').holdSave('d-1', true)")
        self.assertTrue(self.asked[-1].url.endswith("/api/downloads?id=d-1&state=paused"))
        failed = {"state": "failed", "done": 3, "size": 7, "error": {"code": "not-allowed", "message": "No.", "right": "file.read"}}
        self.answers["GET /api/downloads"] = lambda _: (200, failed)
        self.assertEqual(
            self.page.evaluate("client.computer('pc').saved('d-1').then(({ state, done, error }) => [state, done, error.code, error.right])"),
            ["failed", 3, "not-allowed", "file.read"],
        )
        self.answers["DELETE /api/downloads"] = lambda _: (404, {"error": {"code": "not-found", "message": "Not known."}})
        self.assertEqual(self.code_of("client.computer('pc').cancelSave('d-1')")[0], "not-found")

    def test_a_picture_without_a_code_has_none(self):
        self.start()
        self.answers["POST /api/scan"] = lambda _: (422, {"error": {"code": "not-found", "message": "No code."}})
        self.assertIsNone(self.page.evaluate("client.pairing.read(new ImageData(4, 4))"))
        self.assertEqual(self.asked[-1].headers["content-type"], "image/jpeg")
        self.answers["POST /api/scan"] = lambda _: (200, {"text": "{}"})
        self.assertEqual(self.page.evaluate("client.pairing.read(new ImageData(4, 4))"), "{}")


if __name__ == "__main__":
    unittest.main()
