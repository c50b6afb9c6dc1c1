"""Attacks on the page's port by hand-made requests: whose host and origin, whose cookie, which path, which bytes."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
import unittest
import urllib.parse

from hostile import ROLES, ask, call, exchange, household, port_of, raw, sign_in

UPGRADE = {
    "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}
SECRET = b"what is outside of the shared folder"


class HouseTests(unittest.TestCase):
    """One household for a class. Afterwards nothing may have changed at it."""

    rights = ("file", "terminal")

    @classmethod
    def setUpClass(cls):
        cls.house = cls.enterClassContext(household())
        cls.house.pair(*cls.rights)
        cls.computer = cls.house.computer()
        cls.ports = {role: port_of(cls.house, role) for role in ROLES}
        cls.cookies = {role: sign_in(cls.house, role) for role in ROLES}
        (cls.house.folder / "secret").write_bytes(SECRET)
        cls.before = cls.state()

    @classmethod
    def state(cls):
        """What an attack could have changed."""
        names = [cls.house.run(role, "devices", "list", "--role", role, "--json") for role in ("phone", "desktop")]
        for at, text in enumerate(names):
            names[at] = [(device["id"], device["name"]) for device in json.loads(text)["devices"]]
        shells = cls.house.run("phone", "terminal", "list", "--json")
        files = sorted(str(path.relative_to(cls.house.shared)) for path in cls.house.shared.rglob("*"))
        return names, shells, files

    def tearDown(self):
        self.assertEqual(self.state(), self.before)
        for role in ROLES:
            self.assertEqual(self.hello(role).status, 200, role)

    def hello(self, role, **fields):
        return ask(self.ports[role], "GET", "/api/hello", {"Cookie": self.cookies[role], "Origin": None, **fields})

    def rename(self, **fields):
        """A change at the phone's page, as an attack would make it."""
        return call(self.ports["phone"], self.cookies["phone"], "devices.rename", {"id": self.computer, "name": "attacked"}, **fields)


class HostTests(HouseTests):
    def test_only_the_page_s_own_name_is_answered(self):
        for role in ROLES:
            port = self.ports[role]
            hosts = [
                f"evil.test:{port}", None, "evil.test", "127.0.0.1", "localhost", "127.0.0.1:1", f"127.0.0.1.:{port}", f"localhost.:{port}",
                f"[::1]:{port}", f"[::ffff:127.0.0.1]:{port}", f"127.1:{port}", f"2130706433:{port}", f"0x7f.0.0.1:{port}", f"0.0.0.0:{port}",
                f"127.0.0.2:{port}", f"127.0.0.1:{port}.evil.test", f"127.0.0.1:{port}@evil.test", f"evil.test@127.0.0.1:{port}",
                f"127.0.0.1:0{port}", f"127.0.0.1:{port}/", f"127.0.0.1:{port},evil.test", f"127.0.0.1:{port} evil.test", "",
            ]
            # The guard is one for all; so the long list is tried at one page.
            for host in hosts if role == "phone" else hosts[:2]:
                with self.subTest(role=role, host=host):
                    for target in ("/api/hello", "/", "/app.js", "/sign-in?token=x"):
                        answer = ask(port, "GET", target, {"Host": host, "Origin": None, "Cookie": self.cookies[role]})
                        self.assertTrue(answer is None or answer.status in (400, 421), (target, answer and answer.status))
                        self.assertTrue(answer is None or "Set-Cookie" not in dict(answer.fields))

    def test_a_name_is_led_to_the_address_and_served_nothing(self):
        for role in ROLES:
            port = self.ports[role]
            for host in (f"localhost:{port}", f"LocalHost:{port}"):
                fields = {"Host": host, "Origin": None, "Cookie": self.cookies[role]}
                self.assertEqual(ask(port, "GET", "/api/hello", fields).status, 421)
                self.assertEqual(ask(port, "GET", "/app.js", fields).status, 421)
                token = urllib.parse.urlsplit(self.house.link(role)).query
                answer = ask(port, "GET", f"/sign-in?{token}", fields)
                self.assertEqual((answer.status, answer["Location"]), (303, f"http://127.0.0.1:{port}/sign-in?{token}"))
                self.assertIsNone(answer["Set-Cookie"])
                # The link is as good as before.
                self.assertIsNotNone(ask(port, "GET", f"/sign-in?{token}", {"Origin": None})["Set-Cookie"])

    def test_two_hosts_are_none(self):
        port = self.ports["phone"]
        own, cookie = f"Host: 127.0.0.1:{port}", f"Cookie: {self.cookies['phone']}"
        for lines in ([own, "Host: evil.test"], ["Host: evil.test", own], [own, "host:evil.test"], ["Host: evil.test", " " + own]):
            answer = raw(port, "\r\n".join(["GET /api/hello HTTP/1.1", *lines, cookie, "Connection: close"]))
            self.assertTrue(answer is None or answer.status in (400, 421), (lines, answer and answer.body))

        lines = [f"{name}: {value}" for name, value in UPGRADE.items()] + [f"Origin: http://127.0.0.1:{port}", cookie, own, "Host: evil.test"]
        self.assertIn(raw(port, "\r\n".join(["GET /api/events HTTP/1.1", *lines])).status, (400, 421))

    def test_the_request_line_s_host_is_no_way_in(self):
        port = self.ports["phone"]
        cookie = f"Cookie: {self.cookies['phone']}\r\nConnection: close"
        own = f"127.0.0.1:{port}"
        for line, host in [
            # Such a line is for a proxy; what counts here is the field, which a browser always sends.
            (f"GET http://{own}/api/hello HTTP/1.1", "evil.test"), ("GET http://evil.test/api/hello HTTP/1.1", "evil.test"), (f"GET //evil.test/api/hello HTTP/1.1", own), (f"CONNECT {own} HTTP/1.1", own), ("GET *  HTTP/1.1", own), ("OPTIONS * HTTP/1.1", own),
        ]:
            answer = raw(port, f"{line}\r\nHost: {host}\r\n{cookie}")
            self.assertTrue(answer is None or (answer.status >= 400 and b'"role"' not in answer.body), (line, host))
        for version in ("HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/9.9", ""):
            answer = raw(port, f"GET /api/hello {version}\r\n{cookie}")
            self.assertTrue(answer is None or answer.status >= 400, version)


class OriginTests(HouseTests):
    def test_writes_need_the_page_s_own_origin(self):
        port = self.ports["phone"]
        for origin in [
            None, "", "null", "http://evil.test", f"http://evil.test:{port}", f"https://127.0.0.1:{port}", "http://127.0.0.1", "http://127.0.0.1:1",
            f"http://localhost:{port}", f"http://127.0.0.1:{port}.evil.test", f"http://127.0.0.1:{port}/", f"http://127.0.0.1:{port} http://evil.test",
            f"http://[::1]:{port}", f"chrome-extension://127.0.0.1:{port}", f"127.0.0.1:{port}",
        ]:
            with self.subTest(origin=origin):
                self.assertEqual(self.rename(Origin=origin).status, 403)
        own = f"http://127.0.0.1:{port}"
        two = raw(port, "\r\n".join([
            "POST /api/sign-out HTTP/1.1", f"Host: 127.0.0.1:{port}", f"Origin: {own}", "Origin: http://evil.test",
            f"Cookie: {self.cookies['phone']}", "Content-Length: 0", "Connection: close",
        ]))
        self.assertEqual(two.status, 403)

    def test_every_write_refuses_another_page(self):
        writes = {
            "phone": [("POST", "/api/call"), ("POST", "/api/scan"), ("POST", "/api/qr"), ("POST", "/api/sign-out"),
                      ("PUT", f"/api/files?device={self.computer}&folder=&name=attacked&size=1&upload=u&offset=0")],
            "desktop": [("POST", "/api/call"), ("POST", "/api/qr"), ("POST", "/api/sign-out")],
            "hub": [("POST", "/api/call"), ("POST", "/api/sign-out")],
        }
        body = b'{"method":"devices.rename","params":{"id":"%s","name":"attacked"}}' % self.computer.encode()
        for role, routes in writes.items():
            for method, target in routes:
                for kind in ("application/json", "text/plain", "multipart/form-data; boundary=x")[: 3 if role == "phone" else 1]:
                    for fields in (
                        {"Origin": "http://evil.test"}, {"Origin": "null"}, {"Origin": None}, {"Sec-Fetch-Site": "same-site"},
                        {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"},
                    ):
                        answer = ask(self.ports[role], method, target, {"Cookie": self.cookies[role], "Content-Type": kind, **fields}, body)
                        self.assertEqual(answer.status, 403, (role, method, target, kind, fields))

    def test_sockets_need_the_page_s_own_origin(self):
        for role in ROLES:
            for target in ("/api/events", f"/api/terminal?device={self.computer}&cols=80&rows=24"):
                for origin in (None, "null", "http://evil.test", "http://127.0.0.1:1"):
                    answer = ask(self.ports[role], "GET", target, {"Cookie": self.cookies[role], "Origin": origin, **UPGRADE})
                    self.assertIn(answer.status, (403, 404), (role, target, origin))
                answer = ask(self.ports[role], "GET", target, UPGRADE)
                self.assertIn(answer.status, (401, 404), (role, target))

    def test_a_method_is_what_the_request_line_says(self):
        port, cookie = self.ports["phone"], self.cookies["phone"]
        body = {"method": "devices.rename", "params": {"id": self.computer, "name": "attacked"}}
        for fields in ({"X-HTTP-Method-Override": "POST"}, {"X-HTTP-Method": "POST"}, {"X-Method-Override": "POST"}):
            for method in ("GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "post"):
                answer = ask(port, method, "/api/call?_method=POST", {"Cookie": cookie, "Origin": None, **fields}, body)
                self.assertTrue(answer is None or answer.status >= 400, (method, fields))
        trace = ask(port, "TRACE", "/", {"Cookie": cookie, "X-Told": "back"})
        self.assertTrue(trace is None or b"back" not in trace.body)

    def test_no_answer_lets_another_origin_read_it(self):
        for role in ROLES:
            for method, target in [("GET", "/"), ("GET", "/api/hello"), ("OPTIONS", "/api/call"), ("GET", "/app.js"), ("POST", "/api/call")]:
                for origin in (None, "http://evil.test"):
                    fields = {"Cookie": self.cookies[role], "Origin": origin, "Access-Control-Request-Method": "POST"}
                    answer = ask(self.ports[role], method, target, fields)
                    self.assertFalse([name for name, _ in answer.fields if name.lower().startswith("access-control")])
                    self.assertEqual(answer["Cross-Origin-Resource-Policy"], "same-origin")
                    self.assertIn("default-src 'none'", answer["Content-Security-Policy"])
                    self.assertEqual(answer["X-Content-Type-Options"], "nosniff")


class SignInTests(HouseTests):
    def redeem(self, role, query):
        return ask(self.ports[role], "GET", f"/sign-in?{query}", {"Origin": None})

    def test_a_link_is_good_once_and_at_its_own_page(self):
        token = urllib.parse.urlsplit(self.house.link("phone")).query
        for role in ("desktop", "hub"):
            self.assertIsNone(self.redeem(role, token)["Set-Cookie"])
        first, second = self.redeem("phone", token), self.redeem("phone", token)
        self.assertEqual((first["Location"], second["Location"]), ("/", "/#/sign-in/expired"))
        self.assertIsNone(second["Set-Cookie"])
        for word in ("HttpOnly", "SameSite=Strict", "Path=/"):
            self.assertIn(word, first["Set-Cookie"])
        self.assertNotIn("Domain", first["Set-Cookie"])

    def test_of_browsers_that_race_for_a_link_one_gets_in(self):
        token = urllib.parse.urlsplit(self.house.link("phone")).query
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(self.redeem("phone", token))) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        self.assertEqual(sum(answer["Set-Cookie"] is not None for answer in answers), 1)
        self.house.restart("phone")
        self.cookies["phone"] = sign_in(self.house, "phone")

    def test_a_link_by_head_or_prefetch_signs_no_one_in_unseen(self):
        query = urllib.parse.urlsplit(self.house.link("phone")).query
        port = self.ports["phone"]
        for fields in ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}, {"Origin": "http://evil.test"}):
            answer = ask(port, "GET", f"/sign-in?{query}", {"Origin": None, **fields})
            self.assertEqual((answer.status, answer["Set-Cookie"]), (403, None))
        self.assertIsNotNone(self.redeem("phone", query)["Set-Cookie"])

    def test_a_cookie_is_worth_nothing_elsewhere(self):
        for role in ROLES:
            own, value = self.cookies[role].split("=", 1)
            for other in ROLES:
                if other == role:
                    continue
                port = self.ports[other]
                for name in (own, f"tandem-{other}-{port}", f"tandem-{other}-{self.ports[role]}", f"tandem-{role}-{port}", "tandem"):
                    answer = ask(port, "GET", "/api/hello", {"Origin": None, "Cookie": f"{name}={value}"})
                    self.assertEqual(answer.status, 401, (role, other, name))
            for cookie in (f"{own}={value[:-1]}", f"{own}={value}x", f"{own}=", f"{own}", f"{own}={value.swapcase()}", f"{own.upper()}={value}", f"x{own}={value}"):
                self.assertEqual(ask(self.ports[role], "GET", "/api/hello", {"Origin": None, "Cookie": cookie}).status, 401, cookie)
            for path in (f"/api/hello?{own}={value}", f"/api/hello?token={value}"):
                self.assertEqual(ask(self.ports[role], "GET", path, {"Origin": None}).status, 401)
            for fields in ({"Authorization": f"Bearer {value}"}, {"Authorization": f"Basic {value}"}, {"X-Token": value}):
                self.assertEqual(ask(self.ports[role], "GET", "/api/hello", {"Origin": None, **fields}).status, 401)

    def test_after_signing_out_a_cookie_is_worth_nothing(self):
        for role in ROLES:
            cookie = sign_in(self.house, role)
            port = self.ports[role]
            self.assertEqual(ask(port, "POST", "/api/sign-out", {"Cookie": cookie}, b"").status, 204)
            self.assertEqual(ask(port, "GET", "/api/hello", {"Cookie": cookie, "Origin": None}).status, 401)
        self.house.restart("phone")
        self.assertEqual(ask(self.ports["phone"], "GET", "/api/hello", {"Cookie": cookie, "Origin": None}).status, 401)

    def test_guessing_links_is_bounded_and_an_honest_one_waits_seconds(self):
        began = time.monotonic()
        statuses = [self.redeem("hub", f"token={number}").status for number in range(40)]
        # Twenty at once, and one more every three seconds.
        self.assertLessEqual(statuses.count(303), 21 + (time.monotonic() - began) / 3)
        self.assertIn(429, statuses)
        # Who is signed in is not concerned.
        self.assertEqual(self.hello("hub").status, 200)
        self.house.restart("hub")

    def test_the_link_s_token_is_in_no_log_and_no_file(self):
        link = self.house.link("phone")
        token = urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)["token"][0]
        self.redeem("phone", f"token={token}")
        value = sign_in(self.house, "phone").split("=")[1]
        kept = b"".join(path.read_bytes() for path in self.house.state("phone").rglob("*") if path.is_file())
        kept += self.house.log("phone").encode()
        for secret in (token, value):
            self.assertNotIn(secret.encode(), kept)


class PathTests(HouseTests):
    def test_assets_are_a_table_and_no_path(self):
        for role in ROLES:
            for path in [
                "/../household.json", "/..", "/./app.js", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd", "/%252e%252e/app.js", "//etc/passwd",
                "/app.js%00.html", "/app.js/", "/client/../app.js", "/client\\local.js", "/%5c..%5cetc", "/etc/passwd", "/file:///etc/passwd",
                "/assets/../app.js", "/features//files", "/.git/config", "/styles/", "/client", "/app.js;x", "/APP.JS", "/sign-in/../app.js",
                "/api/../app.js", "/%61pp.js", "/..;/app.js", "/assets/xterm.js/../../app.js",
            ]:
                answer = ask(self.ports[role], "GET", path, {"Cookie": self.cookies[role], "Origin": None})
                self.assertTrue(answer is None or answer.status in (400, 404), (role, path, answer and answer.status))
                self.assertTrue(answer is None or b"root:" not in answer.body)

    def file(self, path, **fields):
        query = path if path.startswith("device=") else f"device={self.computer}&path={path}"
        return ask(self.ports["phone"], "GET", f"/api/files?{query}", {"Cookie": self.cookies["phone"], "Origin": None, **fields})

    def test_a_file_outside_is_not_served_by_any_path(self):
        shared, outside = self.house.shared, self.house.folder
        listing = call(self.ports["phone"], self.cookies["phone"], "call", {"device": self.computer, "method": "file.list", "params": {"path": ""}})
        self.assertEqual(listing.status, 200)
        links = {"link": outside / "secret", "folder": outside, "relative": "../../secret", "chain": "link", "proc": "/proc/self/environ", "root": "/"}
        try:
            for name, target in links.items():
                os.symlink(target, shared / name)
            os.mkfifo(shared / "fifo")
            inside = str(shared)
            quoted = urllib.parse.quote
            paths = [
                "../../secret", "..%2f..%2fsecret", "%2e%2e/%2e%2e/secret", "%252e%252e/%252e%252e/secret", quoted(str(outside / "secret")),
                quoted(f"{inside}/../../secret"), quoted(f"{inside}//../../secret"), quoted(f"{inside}/./../../secret"), "link", "folder/secret", "chain",
                "relative", "proc", "root/etc/passwd", "fifo", "link%00", quoted(f"{inside}/link"), quoted(f"{inside}/folder/secret"), quoted(f"{inside}/chain"),
                quoted(f"{inside}/proc"), quoted(f"{inside}/root/etc/passwd"), quoted(f"{inside}/fifo"), quoted(f"{inside}\\..\\..\\secret"),
                quoted(f"{inside}/..\0/secret"), "file:///etc/passwd", "~/../secret", "~root/.bashrc", "$HOME/secret", "/etc/passwd", "/etc/shadow",
                quoted(str(self.house.state("desktop") / "tandem.sqlite")), "/proc/self/environ", "/dev/zero", "", "%ff", "%c0%ae%c0%ae/secret",
                f"x&path={quoted(str(outside / 'secret'))}",
            ]
            for path in paths:
                for more in ("", "&view=1"):
                    answer = self.file(path + more)
                    self.assertTrue(answer is None or 400 <= answer.status < 500, (path, answer and answer.status))
                    self.assertTrue(answer is None or (SECRET not in answer.body and b"root:" not in answer.body), path)
        finally:
            for name in [*links, "fifo"]:
                (shared / name).unlink()

    def test_nothing_is_written_outside_by_any_name(self):
        port, cookie = self.ports["phone"], self.cookies["phone"]
        quoted = urllib.parse.quote
        link = self.house.shared / "out"
        link.symlink_to(self.house.folder)
        before = sorted(path.name for path in self.house.folder.iterdir())
        try:
            for folder in ("", str(self.house.shared), f"{self.house.shared}/out", "../..", f"{self.house.shared}/../..", str(self.house.folder), "/etc", "/tmp"):
                for name in ("../attacked", "..", ".", "", "a/../../attacked", "attacked\0.txt", "..%2fattacked", "a\\..\\attacked/x", "/etc/attacked", "x" * 300, "a\nb/../c"):
                    target = f"/api/files?device={self.computer}&folder={quoted(folder)}&name={quoted(name)}&size=1&upload=u&offset=0&replace=1"
                    answer = ask(port, "PUT", target, {"Cookie": cookie}, b"x")
                    self.assertTrue(answer is None or 400 <= answer.status < 500 or b'"path"' in answer.body, (folder, name, answer.body))
                    if answer is not None and answer.status == 200:
                        path = os.path.realpath(answer.json()["path"])
                        self.assertEqual(os.path.dirname(path), str(self.house.shared), (folder, name))
                        os.unlink(path)
            self.assertEqual(sorted(path.name for path in self.house.folder.iterdir()), before)
        finally:
            link.unlink()

    def test_a_file_is_never_a_page_of_ours(self):
        contents = {
            "page.html": b"<script>parent.x=1</script>", "page.svg": b"<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>", "page.xml": b"<?xml version='1.0'?><x/>",
            "page.js": b"alert(1)", "page.png": b"<script>x</script>", "page.pdf": b"%PDF-1.4", "page": b"<html>", "page.xhtml": b"<html/>", "page.css": b"*{}",
            "page.mht": b"x", "page.swf": b"x", "page.PNG.html": b"x", "page.webmanifest": b"{}", "a\r\nSet-Cookie: x=1\r\n.html": b"x", 'a"; filename=b.html': b"x",
        }
        try:
            for name, content in contents.items():
                (self.house.shared / name).write_bytes(content)
                path = urllib.parse.quote(str(self.house.shared / name))
                for more in ("", "&view=1", "&view=1&view=0", "&type=text/html"):
                    answer = self.file(path + more)
                    self.assertEqual(answer.status, 200, (name, answer.body))
                    self.assertEqual(answer["X-Content-Type-Options"], "nosniff")
                    self.assertIsNone(answer["Set-Cookie"])
                    kind = answer["Content-Type"]
                    if answer["Content-Disposition"].startswith("attachment"):
                        self.assertEqual(kind, "application/octet-stream")
                    else:
                        self.assertTrue(kind == "text/plain; charset=utf-8" or (kind == "image/png" and name.endswith(".png")), (name, kind))
                        self.assertEqual(answer["Content-Security-Policy"], "default-src 'none'; sandbox; frame-ancestors 'none'")
                # Not even opened by a link from elsewhere.
                answer = self.file(path + "&view=1", **{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"})
                self.assertEqual(answer.status, 403)
        finally:
            for name in contents:
                (self.house.shared / name).unlink(missing_ok=True)


class BytesTests(HouseTests):
    def test_heads_and_bodies_too_large_are_refused(self):
        port, cookie = self.ports["phone"], self.cookies["phone"]
        for fields in ({"X": "x" * 17_000}, {f"X-{number}": "y" for number in range(200)}, {f"X-{number}": "y" * 900 for number in range(60)}):
            answer = ask(port, "GET", "/api/hello", {"Cookie": cookie, "Origin": None, **fields})
            self.assertTrue(answer is None or answer.status in (400, 431), answer and answer.status)
        answer = ask(port, "GET", "/" + "x" * 100_000, {"Cookie": cookie})
        self.assertTrue(answer is None or answer.status in (400, 414, 431, 404))
        for target, limit in (("/api/call", 16 << 20), ("/api/scan", 8 << 20), ("/api/qr", 16 << 10), ("/api/sign-out", 0)):
            for length in (limit + 1, 1 << 40, -1, "1e3", "0x10", "9" * 30, "1, 2"):
                if target == "/api/sign-out" and length == 1:
                    continue
                answer = ask(port, "POST", target, {"Cookie": cookie if target != "/api/sign-out" else "x=y", "Content-Length": length})
                self.assertTrue(answer is None or answer.status in (400, 401, 413), (target, length, answer and answer.status))
        chunks = b"".join(b"%x\r\n%s\r\n" % (1 << 14, b"x" * (1 << 14)) for _ in range(3))
        answer = ask(port, "POST", "/api/qr", {"Cookie": cookie, "Transfer-Encoding": "chunked", "Content-Length": None}, chunks)
        self.assertTrue(answer is None or answer.status == 413)

    def test_hostile_values_are_refused_with_an_answer(self):
        port, cookie = self.ports["phone"], self.cookies["phone"]
        for body in [
            b"", b"[]", b"null", b"{", b'{"method":1}', b'{"method":"call"}', b'{"method":"' + b"x" * 100_000 + b'"}', b"[" * 1_000_000, b'{"a":' * 200_000,
            b'{"method":"devices.rename","params":[]}', b'{"method":"devices.list","params":"x"}', b'{"__proto__":{"method":"devices.list"}}', b"\xff\xfe",
            b'{"method":"devices.list","method":"devices.forget"}', b'{"method":"devices.show","params":{"id":1e999}}', b'{"method":"no\\u0000thing"}',
            b'{"method":"call","params":{"device":"' + self.computer.encode() + b'","method":"system.info","params":' + b"[" * 50_000 + b"]" * 50_000 + b"}}",
        ]:
            answer = ask(port, "POST", "/api/call", {"Cookie": cookie}, body)
            self.assertIsNotNone(answer, body[:60])
            self.assertTrue(400 <= answer.status < 500 or body.startswith(b'{"method":"devices.list'), (body[:60], answer.status))
        self.assertEqual(self.hello("phone").status, 200)

    def test_hostile_pictures_are_refused_with_an_answer(self):
        port, cookie = self.ports["phone"], self.cookies["phone"]
        import struct
        import zlib

        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        huge = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 60_000, 60_000, 8, 0, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(bytes(1 << 20))) + chunk(b"IEND", b"")
        for picture in (b"", b"\x89PNG\r\n\x1a\n", huge, b"\xff\xd8\xff\xe0" + bytes(1000), b"RIFF\xff\xff\xff\x7fWEBPVP8 ", b"<svg/>", os.urandom(100_000), b"GIF89a\xff\xff\xff\xff"):
            answer = ask(port, "POST", "/api/scan", {"Cookie": cookie, "Content-Type": "image/png"}, picture)
            self.assertIsNotNone(answer)
            self.assertTrue(400 <= answer.status < 500, (picture[:10], answer.status))

    def test_no_second_request_is_smuggled_in_a_first(self):
        port = self.ports["phone"]
        own = f"Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nCookie: {self.cookies['phone']}"
        body = b'{"method":"devices.rename","params":{"id":"%s","name":"attacked"}}' % self.computer.encode()
        # As another page would hide it: in a body that it may send without being asked first.
        hidden = f"POST /api/call HTTP/1.1\r\n{own}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
        refused = f"POST /api/call HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://evil.test\r\nCookie: {self.cookies['phone']}\r\n"
        for lines in [
            f"Content-Length: {len(hidden)}\r\n", f"Content-Length: {len(hidden)}\r\nContent-Type: text/plain\r\nExpect: 100-continue\r\n",
        ]:
            received = exchange(port, f"{refused}{lines}\r\n".encode() + hidden, pause=0.5)
            self.assertEqual(received.count(b"HTTP/1.1 200"), 0, received[:200])
        for lines in [
            "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "Content-Length: 0\r\nContent-Length: 5\r\n",
            "Transfer-Encoding: xchunked\r\n", "Transfer-Encoding: chunked, identity\r\n", "Transfer-Encoding : chunked\r\n", "Transfer-Encoding:\x0bchunked\r\n",
            "Content-Length: +5\r\n", "X: y\nContent-Length: 5\r\n", "X: a\r\n b\r\nContent-Length: 5\r\n",
        ]:
            received = exchange(port, f"{refused}{lines}\r\n0\r\n\r\n".encode() + hidden, pause=0.5)
            self.assertTrue(received.count(b"HTTP/1.1") <= 1 or b"HTTP/1.1 200" not in received, (lines, received[:300]))
            if b"HTTP/1.1 200" in received:
                self.fail(lines)

    def test_requests_one_behind_the_other_are_judged_each_by_itself(self):
        port = self.ports["phone"]
        good = f"GET /api/hello HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {self.cookies['phone']}\r\n\r\n".encode()
        bad = f"GET /api/hello HTTP/1.1\r\nHost: evil.test\r\nCookie: {self.cookies['phone']}\r\n\r\n".encode()
        strange = f"GET /api/hello HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
        received = exchange(port, good + bad + strange + good, pause=0.5)
        statuses = [part[:3] for part in received.split(b"HTTP/1.1 ")[1:]]
        self.assertEqual(statuses[: 3], [b"200", b"421", b"401"])

    def test_slow_heads_end_and_many_connections_keep_nobody_out(self):
        port = self.ports["hub"]
        slow = []
        try:
            begun = time.monotonic()
            for number in range(100):
                connection = socket.create_connection(("127.0.0.1", port), 5)
                connection.sendall(b"GET /api/hello HTTP/1.1\r\nHost: 127.0")
                slow.append(connection)
            self.assertEqual(self.hello("hub").status, 200)
            self.assertLess(time.monotonic() - begun, 5)
            # A byte now and then buys no time.
            open_ones = []
            end = time.monotonic() + 14
            while time.monotonic() < end:
                time.sleep(1)
                open_ones = []
                for connection in slow:
                    connection.setblocking(False)
                    try:
                        if connection.recv(1):
                            continue
                        continue
                    except BlockingIOError:
                        pass
                    except OSError:
                        continue
                    try:
                        connection.send(b".")
                        open_ones.append(connection)
                    except OSError:
                        continue
                if not open_ones:
                    break
            self.assertEqual(len(open_ones), 0)
        finally:
            for connection in slow:
                connection.close()


@unittest.skipUnless(os.geteuid() == 0, "another account is needed, which only root can be")
class OtherAccountTests(HouseTests):
    """Another account of this machine that has got hold of everything a browser tells a page of another port: the cookie too."""

    ATTACK = """
import os, socket, sys
os.setgid(65534); os.setuid(65534)
port, tries, request = int(sys.argv[1]), int(sys.argv[2]), sys.stdin.buffer.read()
got = b""
for turn in range(tries):
    connection = socket.socket()
    try:
        connection.connect(("127.0.0.1", port))
        connection.sendall(request)
        if tries == 1:
            while piece := connection.recv(65536):
                got += piece
    except OSError:
        pass
    connection.close()
sys.stdout.buffer.write(got)
"""

    def attack(self, role, request, tries=1):
        done = subprocess.run(
            ["/usr/bin/env", "python3", "-S", "-E", "-c", self.ATTACK, str(self.ports[role]), str(tries)],
            input=request, capture_output=True, timeout=60, cwd="/",
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def request(self, role, method, target, body=b""):
        own = f"127.0.0.1:{self.ports[role]}"
        return (
            f"{method} {target} HTTP/1.1\r\nHost: {own}\r\nOrigin: http://{own}\r\nCookie: {self.cookies[role]}\r\nContent-Length: {len(body)}\r\n\r\n"
        ).encode() + body

    def test_it_gets_not_a_byte(self):
        for role in ROLES:
            for target in ("/", "/api/hello", "/sign-in?token=x"):
                self.assertEqual(self.attack(role, self.request(role, "GET", target)), b"")

    def test_asking_and_closing_at_once_changes_nothing(self):
        body = b'{"method":"devices.rename","params":{"id":"%s","name":"attacked"}}' % self.computer.encode()
        self.attack("phone", self.request("phone", "POST", "/api/call", body), tries=500)
        # Those that wait to be looked at are looked at before this one.
        self.assertEqual(self.hello("phone").status, 200)


if __name__ == "__main__":
    sys.exit(unittest.main())
