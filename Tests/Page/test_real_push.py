"""Web Push from end to end: from a program of the desktop over real TLS to a push service, and from there into the browser.

Push services are on the Internet, and the program sends nowhere else (`docs/push.md`). So everything runs in a network of its own, in
which one name has a public address, and its service a certificate of an authority that this system vouches for. Nothing leaves it.
"""

import base64
import http.server
import json
import os
import pathlib
import queue
import ssl
import tempfile
import threading
import time
import unittest
import unittest.mock

import own_network
from own_network import ADDRESS, NAME, certificates, own_address, run
from real import PATIENCE
from test_real_notifications import BrowserCase

# The browser's own push service cannot be reached from here: a subscription that this page can open messages of.
SUBSCRIBES = """
const spelt = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
if (window.PushManager) PushManager.prototype.subscribe = async (options) => {
    const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
    const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
    const auth = crypto.getRandomValues(new Uint8Array(16));
    window.subscribed = { pair, publicKey, auth, application: new Uint8Array(options.applicationServerKey) };
    return { toJSON: () => ({ endpoint: 'https://%s/send/ada', keys: { p256dh: spelt(publicKey), auth: spelt(auth) } }), unsubscribe: async () => true };
};""" % NAME

# RFC 8291 and RFC 8188, as a browser opens a message.
OPENED = """async (text) => {
    const { pair, publicKey, auth } = window.subscribed;
    const body = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const [salt, length] = [body.slice(0, 16), body[20]];
    const sender = body.slice(21, 21 + length);
    const derive = async (secret, salt, info, bytes) => new Uint8Array(await crypto.subtle.deriveBits(
        { name: 'HKDF', hash: 'SHA-256', salt, info }, await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']), bytes * 8));
    const words = (text, ...more) => new Uint8Array([...new TextEncoder().encode(text), 0, ...more.flatMap((each) => [...each])]);
    const theirs = await crypto.subtle.importKey('raw', sender, { name: 'ECDH', namedCurve: 'P-256' }, false, []);
    const shared = await crypto.subtle.deriveBits({ name: 'ECDH', public: theirs }, pair.privateKey, 256);
    const input = await derive(shared, auth, words('WebPush: info', publicKey, sender), 32);
    const key = await crypto.subtle.importKey('raw', await derive(input, salt, words('Content-Encoding: aes128gcm'), 16), 'AES-GCM', false, ['decrypt']);
    const iv = await derive(input, salt, words('Content-Encoding: nonce'), 12);
    const plain = new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, body.slice(21 + length)));
    const end = plain.findLastIndex((byte) => byte !== 0);
    return plain[end] === 2 ? new TextDecoder().decode(plain.slice(0, end)) : null;
}"""

# RFC 8292: who sends proves it with the key that the page made for this subscription.
PROVEN = """async ([signed, signature, key]) => {
    const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
    if (String(bytes(key)) !== String(window.subscribed.application)) return false;
    const known = await crypto.subtle.importKey('raw', bytes(key), { name: 'ECDSA', namedCurve: 'P-256' }, false, ['verify']);
    return crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, known, bytes(signature), new TextEncoder().encode(signed));
}"""


class PushService:
    """Takes every message that it is sent over HTTPS. Use as a context manager."""

    def __init__(self, folder, address=""):
        self.folder, self.address = folder, address
        self.messages = queue.Queue()

    def __enter__(self):
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            timeout = PATIENCE

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.messages.put((self.path, dict(self.headers), body))
                self.send_response(201)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / "cert.pem", self.folder / "key.pem")
        self.server = http.server.ThreadingHTTPServer((self.address, 443), Handler)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class PushTests(BrowserCase):
    """Inside of a network of its own."""

    @classmethod
    def setUpClass(cls):
        cls.network = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="tandem-push.")))
        own_address()
        certificates(cls.network)
        cls.hosts = cls.network / "hosts"
        cls.named(ADDRESS)
        for file, place in ((cls.hosts, "/etc/hosts"), (cls.network / "ca.pem", "/etc/ssl/certs/ca-certificates.crt")):
            run("mount", "--bind", file, place)
        super().setUpClass()
        cls.service = cls.enterClassContext(PushService(cls.network))

    @classmethod
    def named(cls, address):
        """The push service's name has this address from now on."""
        cls.hosts.write_text(f"127.0.0.1 localhost\n{address} {NAME}\n")

    def setUp(self):
        self.cleared()
        self.addCleanup(self.named, ADDRESS)

    def tearDown(self):
        super().tearDown()
        if "phone" not in self.household.processes:
            self.household.start("phone")

    def woken(self):
        """A page of a phone that is to be woken, whose program does not run any more."""
        page = self.allowed(f"#/computers/{self.computer}/notifications", scripts=[SUBSCRIBES])
        self.leads(page)
        self.menu_of(page, "Settings")
        self.switch(page, "Also when Tandem is closed", True)
        self.until(lambda: page.evaluate("Boolean(window.subscribed) && !document.querySelector('.notice-device ~ * [aria-busy=true]')"), page, "nothing is subscribed")
        self.household.until(lambda: "register" in self.household.run("desktop", "devices", "audit", "--json"))
        self.press(page, "Close", within=page.locator("dialog"))
        self.household.stop("phone")
        return page

    def message(self, page):
        """The next one that comes to the push service: its head, and what it says once it is opened."""
        path, head, body = self.service.messages.get(timeout=PATIENCE * 2)
        self.assertEqual(path, "/send/ada")
        self.assertEqual(head["Content-Encoding"], "aes128gcm")
        self.assertEqual(int(head["TTL"]), 24 * 3600)
        scheme, _, parameters = head["Authorization"].partition(" ")
        self.assertEqual(scheme, "vapid")
        given = dict(part.strip().split("=", 1) for part in parameters.split(","))
        signed, _, signature = given["t"].rpartition(".")
        claims = json.loads(base64.urlsafe_b64decode(signed.split(".")[1] + "=="))
        self.assertEqual(claims["aud"], f"https://{NAME}")
        self.assertLess(claims["exp"], time.time() + 24 * 3600)
        self.assertTrue(page.evaluate(PROVEN, [signed, signature, given["k"]]))
        return head, json.loads(page.evaluate(OPENED, base64.b64encode(body).decode())), body

    def test_a_closed_phone_is_woken_and_shows_each_once(self):
        page = self.woken()
        self.bus.notify("Mail", "Ada wrote", "Dinner at eight?")
        head, said, body = self.message(page)
        self.assertEqual((said["title"], said["body"], said["app"], said["device"]), ("Ada wrote", "Dinner at eight?", "Mail", self.computer))
        self.assertEqual(head["Urgency"], "normal")
        self.assertNotIn(b"Ada", body)
        self.pushed(page, **said)
        [shown] = self.shown(page, "Ada wrote")
        # The program is there again: it catches up, and the page shows the same one in its place, without calling again.
        self.household.start("phone")
        self.has("Ada wrote", page)
        self.bus.notify("Mail", "Mei wrote")
        self.assertIn(shown["tag"], [each["tag"] for each in self.shown(page, "Ada wrote", "Mei wrote")])
        self.assertTrue(self.service.messages.empty(), "a phone that is there was woken")
        [worker] = page.context.service_workers
        worker.evaluate("async () => { const [notification] = (await navigator.locks.request('tandem-banners', () => registration.getNotifications())).filter(({ title }) => title === 'Ada wrote'); self.dispatchEvent(new NotificationEvent('notificationclick', { notification })); }")
        self.sees(page, "Dinner at eight?", within=page.locator("dialog .notice-sheet"))

    def test_what_is_silenced_wakes_nobody_and_what_is_urgent_at_once(self):
        self.addCleanup(self.household.run, "desktop", "notifications", "settings", "--quiet", "off", "--urgent", "off")
        page = self.woken()
        self.household.run("desktop", "notifications", "settings", "--quiet", "00:00-00:00", "--urgent", "on", "--preview", "off")
        self.addCleanup(self.household.run, "desktop", "notifications", "settings", "--preview", "on")
        self.bus.notify("Mail", "Quiet")
        self.bus.notify("Alarm", "The house burns", "Leave it", "--urgency=critical")
        head, said, _ = self.message(page)
        self.assertEqual((said["title"], said["body"], head["Urgency"]), ("Alarm", "", "high"))

    def test_a_name_that_leads_into_the_own_network_is_sent_nothing(self):
        page = self.woken()
        self.named("127.0.0.1")
        self.bus.notify("Mail", "Inwards")
        self.household.until(lambda: "a phone was not woken" in self.household.log("desktop"))
        self.named(ADDRESS)
        self.bus.notify("Mail", "Outwards")
        self.assertEqual(self.message(page)[1]["title"], "Outwards")


class NetworkTests(own_network.NetworkTests):
    CASES = (PushTests,)

    def test_the_machines_own_network_gets_no_address(self):
        for said in ("", "1", own_network.network()):
            with unittest.mock.patch.dict(os.environ, {own_network.INSIDE: said}), self.assertRaisesRegex(RuntimeError, "a network of its own"):
                own_address()


load_tests = NetworkTests.load_tests


if __name__ == "__main__":
    unittest.main()
