"""The page for phones as a real hub serves it: its files and headers, who may ask, and the link that a computer shows for it."""

import contextlib
import hashlib
import http.client
import json
import shutil
import socket
import ssl
import subprocess
import unittest
import urllib.parse

from browser import PHONE
from household import ROOT
from real import RealTests
from server import PAGE
from own_network import certificates

# Everything that the page of a phone may bring, each part with its texts, styles and symbols.
LOADS_ALL = """async (base) => {
    const [{ Features }, all, { giveTexts, loadLanguage }] = await Promise.all(
        ['kit/feature.js', 'features/index.js', 'i18n/index.js'].map((path) => import(base + path)));
    const features = new Features(Object.values(all));
    giveTexts(features);
    await loadLanguage();
    await Promise.all([...features.routes('phone'), ...features.tabs].map((row) => row.load()));
    const { loadXterm } = await import(base + 'features/terminal/xterm.js');
    await loadXterm();
    const { scriptAddress } = await import(base + 'kit/address.js');
    const worker = new Worker(scriptAddress('/features/files/transfers/sink-worker.js'), { type: 'module' });
    const answer = await new Promise((resolve) => {
        worker.onmessage = ({ data }) => resolve(data.seq);
        worker.onerror = () => resolve('failed');
        worker.postMessage({ seq: 7, work: 'nothing' });
    });
    worker.terminate();
    const refused = [() => { document.body.innerHTML = '<b>x</b>'; }, () => new Worker('app.js'), () => new DOMParser().parseFromString('<b/>', 'text/html')]
        .map((work) => { try { work(); return false; } catch { return true; } });
    return { answer, refused, symbols: document.querySelectorAll('symbol').length > 40 };
}"""


class PhonePage(RealTests):
    """Asks a server for the page for phones."""

    IS_CALM = False

    def server(self, role="hub"):
        return urllib.parse.urlsplit(self.household.said[role]["url"]).port

    def ask(self, path, role="hub", **fields):
        """An answer's status, its fields and its bytes."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server(role), timeout=30)
        with contextlib.closing(connection):
            connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in fields.items()})
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()

    def check_all_files(self):
        """Asks for every file that the list names; gives their paths."""
        status, fields, body = self.ask("/phone/bundle.json")
        self.assertEqual((status, fields["Content-Type"]), (200, "application/json"))
        bundle, lines = json.loads(body), ""
        for file in bundle["files"]:
            status, fields, served = self.ask(f"/phone/{file['path']}")
            self.assertEqual((status, len(served), hashlib.sha256(served).hexdigest()), (200, file["bytes"], file["sha256"]), file["path"])
            lines += f"{file['sha256']}  {file['path']}\n"
        self.assertEqual(hashlib.sha256(lines.encode()).hexdigest(), bundle["sha256"])
        paths = [file["path"] for file in bundle["files"]]
        self.assertEqual(paths, sorted(paths, key=str.encode))
        return set(paths)


class PhonePageTests(PhonePage):
    """The modules one by one, as where no bundle of just these was made."""

    NEEDS_CHROMIUM = False

    @classmethod
    def options(cls):
        files = cls.folder / "page"
        shutil.copytree(PAGE, files)
        with (files / "first.js").open("a") as script:
            script.write("// A page that no bundle was made of.\n")
        return {"environment": {"TANDEM_PAGE_FILES": str(files)}}

    def test_each_file_is_served_with_the_hash_that_the_bundle_names(self):
        self.assertLessEqual({"", "first.js", "kit/address.js", "features/index.js", "i18n/zh/common.js", "assets/xterm.js"}, self.check_all_files())

    def test_all_parts_of_the_page_are_found_below_its_address(self):
        page = self.browser.blank()
        self.addCleanup(page.context.close)
        asked = []
        page.on("response", lambda answer: asked.append((answer.status, answer.url)))
        base = f"http://127.0.0.1:{self.server()}/phone/"
        page.goto(base, wait_until="domcontentloaded")
        self.assertEqual(page.evaluate(LOADS_ALL, base), {"answer": 7, "refused": [True, True, True], "symbols": True})
        # Its own document's script is another's business.
        found = [(status, url) for status, url in asked if not url.endswith("/phone-app.js")]
        self.assertEqual([each for each in found if each[0] >= 400 or not each[1].startswith(base)], [])

    def test_headers_limit_what_the_page_may_do(self):
        for path in ("/phone/", "/phone/kit/h.js", "/phone/bundle.json"):
            status, fields, _ = self.ask(path, Accept_Encoding="gzip")
            self.assertEqual((status, fields["Content-Encoding"], fields["Vary"]), (200, "gzip", "Accept-Encoding"))
            self.assertIn("script-src 'self';", fields["Content-Security-Policy"])
            self.assertIn("require-trusted-types-for 'script'", fields["Content-Security-Policy"])
            self.assertEqual(fields["Cross-Origin-Opener-Policy"], "same-origin")
            self.assertEqual([name for name in fields if name.lower().startswith("access-control")], [])
            self.assertEqual(self.ask(path, Accept_Encoding="gzip", If_None_Match=fields["ETag"])[0], 304)
        self.assertEqual(self.ask("/phone")[1]["Location"], "/phone/")
        self.assertEqual(self.ask("/phone/sw.js")[0], 404)

    def test_only_the_page_itself_and_programs_may_connect(self):
        port = self.server()
        upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13", "Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAAAA=="}
        self.assertEqual(self.ask("/", **upgrade)[0], 101)
        self.assertEqual(self.ask("/", Origin=f"http://127.0.0.1:{port}", **upgrade)[0], 101)
        for origin in ("http://evil.test", f"http://127.0.0.1:{port + 1}", "null", f"http://localhost:{port}"):
            self.assertEqual(self.ask("/", Origin=origin, **upgrade)[0], 403, origin)
            self.assertEqual(self.ask("/phone/", Origin=origin)[0], 403, origin)
        self.assertEqual(self.ask("/phone/", Host="evil.test")[0], 421)

    def test_an_address_without_a_certificate_says_why_nothing_can_be_sealed_there(self):
        for role in ("hub", "desktop"):
            port = self.server("hub") if role == "hub" else self.household.said["desktop"]["port"]
            host = f"{socket.gethostname()}:{port}"
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            with contextlib.closing(connection):
                connection.request("GET", "/phone/", headers={"Host": host, "Accept-Language": "zh-CN,en;q=0.5"})
                answer = connection.getresponse()
                text = answer.read().decode()
            self.assertEqual(answer.status, 200)
            self.assertIn("浏览器在这里无法加密", text)
            self.assertIn(host.lower(), text)
            self.assertNotIn("<script", text)
        page = self.browser.blank()
        self.addCleanup(page.context.close)
        page.set_content(self.ask_notice())
        self.assertEqual(page.get_by_role("heading", name="This browser cannot seal here").count(), 1)

    def ask_notice(self):
        return self.ask("/phone/", Host=f"{socket.gethostname()}:{self.server()}")[2].decode()

    def test_a_hub_with_a_certificate_serves_it_encrypted(self):
        certificates(self.folder)
        options = ("--listen", "127.0.0.1:0", "--page", "off", "--tls-cert", self.folder / "cert.pem", "--tls-key", self.folder / "key.pem", "--name", "localhost")
        process = self.household.begin_program(self.household.tandem, "hub", "--json", *options, "--state", self.folder / "secure")
        port = urllib.parse.urlsplit(json.loads(process.stdout.readline())["url"]).port
        context = ssl.create_default_context(cafile=self.folder / "ca.pem")
        context.check_hostname = False
        connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=30, context=context)
        with contextlib.closing(connection):
            connection.request("GET", "/phone/", headers={"Host": "localhost"})
            answer = connection.getresponse()
            self.assertEqual((answer.status, b"phone-app.js" in answer.read()), (200, True))

    def test_a_phone_pairs_by_the_link(self):
        link = self.household.run("desktop", "pair", "show", "--text", "--no-wait").strip()
        self.assertTrue(link.startswith(f"http://127.0.0.1:{self.server()}/phone/#"), link.partition("#")[0])
        self.assertLessEqual(len(link), 230)
        shown = json.loads(self.household.run("desktop", "pair", "show", "--no-wait", "--json"))
        self.assertEqual(json.loads(shown["payload"])["type"], "desktop-pairing")
        self.assertTrue(shown["link"].startswith(link.partition("#")[0]))
        self.household.pair()
        self.assertEqual(len(self.household.json("desktop", "devices", "list", "--role", "desktop")["devices"]), 1)

    def test_the_computers_page_shows_the_link_and_by_a_press_the_code_for_programs(self):
        page = self.open("desktop", "#/pair")
        self.sees(page, "Point the phone’s camera at it")
        picture = self.picture_of(page, "Code of this computer, to be scanned by a phone")
        self.press(page, "For a phone’s program")
        self.sees(page, "open Tandem and choose")
        self.until(lambda: self.picture_of(page, "Code of this computer, to be scanned by a phone").read_bytes() != picture, page)
        self.press(page, "For the phone’s camera")
        self.sees(page, "Point the phone’s camera at it")


class BundledPageTests(PhonePage):
    """What set-up made of the modules, in their place."""

    @classmethod
    def setUpClass(cls):
        # Where the program looks: it is made anew only after a change.
        subprocess.run([ROOT / "bin/page-bundle"], check=True, timeout=60)
        super().setUpClass()

    def test_each_file_is_served_with_the_hash_that_the_bundle_names(self):
        paths = self.check_all_files()
        self.assertEqual({"", "first.js", "phone-sw.js", "code/phone-app.js", "code/phone.css", "i18n/zh/common.js", "assets/xterm.js"} - paths, set())
        self.assertEqual(paths & {"kit/address.js", "phone-app.js", "made-of"}, set())
        bundle = ROOT / ".build/page-assets/phone"
        for path in ("code/phone-app.js", "i18n/zh/common.js"):
            self.assertEqual(self.ask(f"/phone/{path}")[2], (bundle / path).read_bytes(), path)

    def test_every_screen_opens_within_the_pages_policy(self):
        page = self.browser.blank(size=PHONE, service_workers="allow")
        self.addCleanup(self.closed, page)
        page.add_init_script("window.refused = []; addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => refused.push([violatedDirective, blockedURI]));")
        failed = []
        page.on("response", lambda answer: answer.status >= 400 and failed.append(answer.url))
        page.goto(self.household.run("desktop", "pair", "show", "--text", "--no-wait").strip())
        self.press(page, "Pair")
        request = self.until(lambda: self.household.json("desktop", "pair", "requests")["requests"])[0]
        self.household.run("desktop", "pair", "accept", request["id"])
        self.sees(page, "is paired")
        self.household.run("desktop", "devices", "allow", request["did"], "terminal", "file", "clipboard", "display", "system")
        computer = self.household.said["desktop"]["deviceId"]
        for screen in ("terminal", "files", "clipboard", "screen", "system", "threads", "notifications"):
            self.go(page, f"#/computers/{computer}/{screen}")
            page.wait_for_selector("#app:not([aria-busy]) .main")
            self.until(lambda: page.evaluate("!document.querySelector('.skeleton')"), page, f"{screen} is not drawn")
        for screen in ("computers", "threads", "notifications", "queue", "settings", "pair"):
            self.go(page, f"#/{screen}")
            page.wait_for_selector("#app:not([aria-busy]) .main")
        self.go(page, f"#/computers/{computer}/terminal")
        self.press(page, "New terminal")
        page.wait_for_selector(".xterm-rows")
        self.assertEqual(page.evaluate("refused"), [])
        self.assertEqual(failed, [])
        self.assertEqual(page.complaints, [])


if __name__ == "__main__":
    unittest.main()
