"""Ports of a computer in a browser through two real sides: a server that nobody here wrote, opened from the phone's page, and ended from the computer's."""

import contextlib
import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import unittest
import urllib.request

from browser import DESKTOP
from firefox import Firefox
from real import RealTests

# Answers a WebSocket with what it is sent, and serves one page; with the standard library alone.
ECHO = """
import base64, hashlib, http.server, socketserver, struct, sys
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def log_message(self, *_): pass
    def do_GET(self):
        if self.headers.get('Upgrade') == 'websocket': return self.echo()
        if self.path == '/away':
            self.send_response(302); self.send_header('Location', f'http://localhost:{self.server.server_port}/?there'); self.send_header('Content-Length', '0'); self.end_headers(); return
        if self.path == '/events':
            self.send_response(200); self.send_header('Content-Type', 'text/event-stream'); self.end_headers()
            self.wfile.write(b'data: one\\n\\n'); self.wfile.flush(); self.rfile.read(1); return
        body = f'<title>dev</title><p>{self.headers["Host"]} {self.headers.get("Cookie")}</p>'.encode()
        self.send_response(200); self.send_header('Content-Type', 'text/html'); self.send_header('Set-Cookie', 'theme=dark'); self.send_header('Content-Length', str(len(body))); self.end_headers(); self.wfile.write(body)
    def echo(self):
        self.close_connection = True
        if self.headers.get('Origin') != f'http://localhost:{self.server.server_port}': return self.send_error(403)
        accept = base64.b64encode(hashlib.sha1((self.headers['Sec-WebSocket-Key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').encode()).digest()).decode()
        self.wfile.write(f'HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: {accept}\\r\\n\\r\\n'.encode())
        while True:
            head = self.rfile.read(2)
            if len(head) < 2 or head[0] & 15 == 8: return
            mask = self.rfile.read(4); text = bytes(b ^ mask[i % 4] for i, b in enumerate(self.rfile.read(head[1] & 127)))
            self.wfile.write(struct.pack('BB', 0x81, len(text)) + text)
class Server(socketserver.ThreadingMixIn, http.server.HTTPServer): daemon_threads = True
server = Server(('127.0.0.1', 0), Handler); print(server.server_port, flush=True); server.serve_forever()
"""


@contextlib.contextmanager
def running(*command, port=r"(\d+)", **options):
    """A server of the computer's, until the end; gives its port, which it prints."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True, **options) as process:
        try:
            yield int(re.search(port, process.stdout.readline())[1])
        finally:
            os.killpg(process.pid, signal.SIGKILL)


class PortTests(RealTests):
    NEEDS_CHROMIUM = False
    RIGHTS = ("ports.open",)
    IS_CALM = False

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = cls.folder / "served"
        folder.mkdir()
        (folder / "index.html").write_text("<title>served</title><h1>From the computer</h1>")
        with (folder / "long.bin").open("wb") as file:
            file.truncate(2 << 30)
        # Python's own server, as a person starts it.
        cls.plain = cls.enterClassContext(running(
            sys.executable, "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", folder, "0", port=r"port (\d+)"))
        cls.dev = cls.enterClassContext(running(sys.executable, "-c", ECHO))

    def setUp(self):
        # Nothing is listed when a test begins.
        for port in {each["port"] for each in self.household.json("desktop", "ports")["ports"]}:
            self.household.run("desktop", "ports", "deny", port)

    def list_port(self, computer, port, name):
        self.press(computer, "List a port")
        self.fill(computer, "Port", str(port))
        self.fill(computer, "Name", name)
        self.press(computer, "List it")
        self.sees(computer, name)

    def opened(self, phone, name):
        """The tab that the page opens."""
        row = phone.locator(".row", has_text=name)
        with phone.context.expect_page() as opening:
            row.get_by_role("button", name="Open", exact=True).click()
        page = opening.value
        page.wait_for_load_state()
        page.wait_for_url(lambda url: "/.tandem/" not in url)
        return page

    def test_a_server_is_listed_opened_and_taken_away_while_something_is_fetched(self):
        computer = self.open("desktop", "#/ports")
        self.sees(computer, "Phones may open no port")
        phone = self.open("phone", f"#/computers/{self.computer}/ports", size=DESKTOP)
        self.sees(phone, "No port to open")
        self.list_port(computer, self.plain, "Plain server")
        self.sees(phone, "Plain server")
        page = self.opened(phone, "Plain server")
        self.assertEqual(page.locator("h1").inner_text(), "From the computer")
        origin = re.match(r"http://p\d+-[0-9a-f]{6}\.localhost:\d+", page.url)[0]
        local = int(origin.rsplit(":", 1)[1])
        # What no script sees, and no other name or program of this machine uses.
        self.assertEqual(page.evaluate("document.cookie"), "")
        self.assertEqual(self.asked(local, "/", Host=origin.removeprefix("http://")), 403)
        self.assertEqual(self.asked(local, "/", Host="evil.example"), 421)
        self.assertEqual(self.asked(local, "/", Host=f"127.0.0.1:{local}"), 421)
        # A file that takes long, and the port is taken away meanwhile.
        page.evaluate("""() => {
            window.said = { bytes: 0, end: null };
            fetch('/long.bin').then(async ({ body }) => { for await (const part of body) window.said.bytes += part.length; window.said.end = 'whole'; })
                .catch((error) => { window.said.end = String(error); });
        }""")
        self.until(lambda: page.evaluate("said.bytes") > 1 << 20, page, "nothing comes")
        self.sees(computer, "connection, ")
        computer.locator(".row", has_text="Plain server").get_by_role("button", name="Take off").click()
        self.press(computer, "Take off", within=computer.locator("dialog"))
        self.until(lambda: page.evaluate("said.end"), page, "the download goes on")
        self.assertIn("TypeError", page.evaluate("said.end"))
        self.sees(phone, "No port to open")
        with self.assertRaises(OSError):
            socket.create_connection(("127.0.0.1", local), timeout=5).close()
        page.close()

    def test_sockets_events_redirects_and_cookies_go_through_and_all_of_it_ends_with_the_right(self):
        computer = self.open("desktop", "#/ports")
        self.list_port(computer, self.dev, "Dev server")
        phone = self.open("phone", f"#/computers/{self.computer}/ports", size=DESKTOP)
        page = self.opened(phone, "Dev server")
        self.assertEqual(page.locator("p").inner_text(), f"localhost:{self.dev} None")
        page.reload()
        self.assertEqual(page.locator("p").inner_text(), f"localhost:{self.dev} theme=dark")
        origin = page.evaluate("location.origin")
        page.goto(f"{origin}/away")
        self.assertEqual(page.url, f"{origin}/?there")
        page.evaluate("""() => {
            window.said = []; window.ended = false;
            const socket = new WebSocket(`ws://${location.host}/live`);
            socket.onopen = () => socket.send('hello'); socket.onmessage = ({ data }) => window.said.push(data); socket.onclose = () => { window.ended = true; };
            const events = new EventSource('/events'); events.onmessage = ({ data }) => window.said.push(data);
        }""")
        self.until(lambda: sorted(set(page.evaluate("said"))) == ["hello", "one"], page, "the socket or the events are silent")
        # Another page of this browser gets nothing with the cookie of the first.
        other = page.context.new_page()
        other.goto(self.household.page_of("phone"))
        self.assertEqual(other.evaluate("url => fetch(url, { credentials: 'include', mode: 'no-cors' }).then(() => 'answered', () => 'refused')", origin), "refused")
        other.close()
        computer.goto(f"{self.household.page_of('desktop')}/#/phones")
        computer.locator(".row-main").first.click()
        self.switch(computer, "Open ports", False)
        self.press(computer, "Take back")
        self.until(lambda: page.evaluate("ended"), page, "the socket goes on")
        self.sees(phone, "Not allowed yet")
        page.close()
        phone_id = self.household.json("desktop", "devices")["devices"][0]["id"]
        self.household.run("desktop", "devices", "allow", phone_id, "ports.open")

    def asked(self, port, path, **fields):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        with contextlib.closing(connection):
            connection.request("GET", path, headers=fields)
            return connection.getresponse().status

    def test_the_origin_of_a_port_in_firefox(self):
        """Another browser of this machine, which finds the origin's name by itself, keeps its cookies apart, and is let in by a link that was typed."""
        self.household.run("desktop", "ports", "allow", self.dev)
        link = self.household.run("phone", "ports", "open", self.dev).strip()
        with Firefox() as firefox:
            def load(url):
                firefox.ask("browsingContext.navigate", context=firefox.context, url=url, wait="complete")

            def shown():
                return firefox.evaluate("() => [location.pathname, document.querySelector('p')?.textContent ?? '']")

            load(link)
            self.until(lambda: shown() == ["/", f"localhost:{self.dev} None"])
            origin = firefox.evaluate("() => location.origin")
            self.assertEqual(firefox.evaluate("() => document.cookie"), "theme=dark")
            load(f"{origin}/away")
            self.assertEqual(shown(), ["/", f"localhost:{self.dev} theme=dark"])
            firefox.evaluate("""() => new Promise((done, fail) => {
                window.ended = false;
                window.socket = new WebSocket(`ws://${location.host}/live`);
                socket.onopen = () => socket.send('hello'); socket.onmessage = done; socket.onerror = fail; socket.onclose = () => { window.ended = true; };
            })""")
            # The link was good once.
            load(link)
            self.assertEqual(firefox.evaluate("() => performance.getEntriesByType('navigation')[0].responseStatus"), 403)
            load(f"{origin}/")
            firefox.evaluate("() => { window.ended = false; window.socket = new WebSocket(`ws://${location.host}/live`); socket.onclose = () => { window.ended = true; }; }")
            self.until(lambda: firefox.evaluate("() => socket.readyState") == 1)
            self.household.run("desktop", "ports", "deny", self.dev)
            self.until(lambda: firefox.evaluate("() => ended"), what="the socket goes on in Firefox")

    def test_typed_for_every_program_and_ended_by_the_owner(self):
        refused = self.household.begin("phone", "ports", "forward", self.dev, stderr=subprocess.PIPE)
        out, error = refused.communicate(timeout=30)
        self.assertEqual((refused.returncode, out), (1, ""))
        self.assertIn(f"has not listed port {self.dev}", error)
        self.assertIn("every phone", self.household.run("desktop", "ports", "allow", self.dev))
        forwarding = self.household.begin("phone", "ports", "forward", self.dev, stderr=subprocess.PIPE)
        local = re.match(r"127\.0\.0\.1:(\d+) leads to", forwarding.stdout.readline())[1]
        with urllib.request.urlopen(f"http://127.0.0.1:{local}/", timeout=10) as answer:
            self.assertIn(b"<title>dev</title>", answer.read())
        self.household.run("desktop", "ports", "deny", self.dev)
        _, error = forwarding.communicate(timeout=30)
        self.assertEqual(forwarding.returncode, 1)
        self.assertIn(f"has not listed port {self.dev}", error)


if __name__ == "__main__":
    unittest.main()
