"""The wire's modules and those of sealed conversations in Firefox: their tests, and a phone that pairs with a real computer at a real hub over the browser's own sockets and database."""

import hashlib
import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Rig"))
import test_chat_sealing  # noqa: E402
import test_wire  # noqa: E402
from browserless import Pair, Refused  # noqa: E402
from firefox import Firefox  # noqa: E402

# Whether keys that are kept can be read again, in any form.
TAKEN = """async (name) => {
    const { openStore } = await import('/Sources/TandemWeb/Page/wire/store-indexeddb.js');
    const store = await openStore(indexedDB, { name, tables: [] });
    const { signing, agreement } = await store.get('keys', 'identity');
    const taken = [];
    for (const key of [signing, agreement.secret]) for (const format of ['raw', 'pkcs8', 'jwk']) await crypto.subtle.exportKey(format, key).then(() => taken.push(format), () => {});
    store.close();
    return taken;
}"""
# What the modules say in a browser that lacks a cipher, as one does that is older.
WITHOUT = """async (missing) => {
    const [{ openPhone }, { memoryStore }] = await Promise.all([import('/Sources/TandemWeb/Page/wire/phone.js'), import('/Tests/Page/wire/memory-store.mjs')]);
    const { generateKey } = SubtleCrypto.prototype;
    SubtleCrypto.prototype.generateKey = function generate(algorithm, ...rest) {
        return (algorithm.name ?? algorithm) === missing ? Promise.reject(new DOMException('', 'NotSupportedError')) : generateKey.call(this, algorithm, ...rest);
    };
    try {
        await openPhone({ store: memoryStore(), dial: () => { throw new Error('none'); }, home: 'wss://hub.example/', device: { name: 'Phone', platform: 'android', version: '1' } });
        return null;
    } catch (error) {
        return [error.code, error.detail.reason];
    } finally {
        SubtleCrypto.prototype.generateKey = generateKey;
    }
}"""

# What the page's own reader says of a picture of a text's code, of an empty one, and of a file that is none.
PICTURE = """async (text) => {
    const page = '/Sources/TandemWeb/Page';
    const [{ readByPage }, { qrMatrix }] = await Promise.all([import(`${page}/client/code-reader.js`), import(`${page}/client/sealed/qr.js`)]);
    const { size, rows } = qrMatrix(text);
    const canvas = new OffscreenCanvas(800, 800);
    const context = canvas.getContext('2d');
    context.fillStyle = 'silver';
    context.fillRect(0, 0, 800, 800);
    const empty = await canvas.convertToBlob();
    context.translate(400, 150);
    context.rotate(0.4);
    context.fillStyle = 'white';
    context.fillRect(-16, -16, (size + 8) * 4, (size + 8) * 4);
    context.fillStyle = 'black';
    rows.forEach((row, y) => { [...row].forEach((square, x) => { if (square === '1') context.fillRect(x * 4, y * 4, 4, 4); }); });
    const read = await readByPage(await canvas.convertToBlob());
    const damaged = await readByPage(new Blob(['none'], { type: 'image/png' })).catch(({ detail }) => detail.reason);
    return ['BarcodeDetector' in window, read, await readByPage(empty), damaged];
}"""


def setUpModule():
    global firefox
    firefox = unittest.enterModuleContext(Firefox())


def play(script, *arguments):
    return firefox.play(script, *arguments)


class CodeTests(unittest.TestCase):
    def test_a_picture_of_a_code_is_read_by_the_page(self):
        """Debian's Firefox has no reader of its own."""
        text = "https://hub.example/phone/#" + "code" * 40
        self.assertEqual(firefox.evaluate(PICTURE, text), [False, text, None, "damagedPicture"])


class VectorTests(test_wire.VectorTests):
    play = staticmethod(play)


class HostileTests(test_wire.HostileTests):
    play = staticmethod(play)


class SessionTests(test_wire.SessionTests):
    play = staticmethod(play)
    MESSAGES = 1500


class SealedVectorTests(test_chat_sealing.VectorTests):
    play = staticmethod(play)


class SealedDeviceTests(test_chat_sealing.DeviceTests):
    play = staticmethod(play)


class SealedHostileTests(test_chat_sealing.HostileTests):
    play = staticmethod(play)


class FirefoxPhone:
    """A phone in the page, which is ordered about as the one in Node is. Each has a database of its own."""

    def __init__(self, name):
        self.name = name

    def __call__(self, act, **args):
        order = "async (...values) => (await import('/Tests/Page/wire/page-driver.mjs')).order(...values)"
        answer = firefox.evaluate(order, self.name, act, args)
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["result"]

    def end(self):
        """It ends with the page."""


class FirefoxPair(Pair):
    @property
    def HUB(self):  # noqa: N802
        # The page is not the hub's own.
        return "--allow-origin", firefox.url

    def make_phone(self):
        return FirefoxPhone(f"phone-{len(self.phones)}")


class RealTests(unittest.TestCase):
    """Each test with a phone of a key of its own, at one hub and one computer."""

    @classmethod
    def setUpClass(cls):
        cls.pair = cls.enterClassContext(FirefoxPair())

    def setUp(self):
        self.phone = self.pair.phone = self.pair.new_phone()

    def test_a_link_pairs_and_a_reload_and_a_restart_stay_paired(self):
        hub = self.pair.said["hub"]["url"]
        self.phone("scan", text=self.phone("linkOf", text=self.pair.code(), origin=hub.replace("ws", "http", 1)))
        self.pair.accept()
        record = self.phone("finish", name="scan")
        self.assertEqual([record["id"], record["did"], record["words"]], [self.pair.said["desktop"][name] for name in ("deviceId", "did", "fingerprint")])
        self.phone("ready", id=record["id"])
        for again in (firefox.load, lambda: (firefox.stop(), firefox.start())):
            again()
            self.assertEqual(self.phone("open", home=hub), {**self.phone.opened, "computers": 1})
            self.assertTrue(self.phone("call", id=record["id"], method="system.ping")["pong"])
            self.assertEqual(firefox.evaluate(TAKEN, self.phone.name), [])

    def test_ten_digits_pair(self):
        self.phone("type", digits=self.pair.digits())
        self.pair.accept()
        record = self.phone("finish", name="type")
        self.assertEqual(record["did"], self.pair.said["desktop"]["did"])
        self.phone("ready", id=record["id"])

    def test_wrong_digits_end_in_a_refusal(self):
        digits = self.pair.digits()
        self.phone("type", digits=digits[:9] + str((int(digits[9]) + 1) % 10))
        with self.assertRaises(Refused) as caught:
            self.phone("finish", name="type")
        self.assertEqual([caught.exception.code, caught.exception.reason], ["refused", "wrongCode"])

    def test_a_code_of_the_phones_own_pairs(self):
        text = self.phone("show")
        self.pair.run("desktop", "pair", "scan", "--text", "-", input=text)
        record = self.phone("finish", name="show")
        self.phone("ready", id=record["id"])
        self.assertTrue(self.phone("computers")[0]["isConfirmed"])

    def test_calls_files_and_a_terminal_where_connections_are_cut(self):
        id = self.pair.pair_phone("terminal", "file")["id"]
        self.assertEqual(self.phone("callsAcrossCuts", id=id, count=120, cuts=[30, 80]), 120)
        contents = os.urandom(6_000_017)
        (self.pair.shared / "down.bin").write_bytes(contents)
        got = self.phone("downloadAcrossCuts", id=id, path=str(self.pair.shared / "down.bin"), cuts=[2_000_000])
        self.assertEqual(got["sha256"], hashlib.sha256(contents).hexdigest())
        self.phone("upload", id=id, folder=str(self.pair.shared), name="up.bin", size=3_000_001, cuts=[1_000_000])
        self.assertEqual((self.pair.shared / "up.bin").read_bytes(), bytes(at * 7 % 251 for at in range(3_000_001)))
        self.phone("terminal", id=id, cols=80, rows=24, shell="bash")
        self.phone("type_keys", data="stty -echo; for i in $(seq 2000); do echo line $i; done; echo it-is'-over'\n")
        self.phone("shows", text="line 100")
        self.phone("cut")
        self.phone("shows", text="it-is-over")
        self.assertEqual(self.phone("lines", count=2000), 2000)


class BrowserTests(unittest.TestCase):
    def test_a_browser_without_a_cipher_is_told_so(self):
        for missing in ("Ed25519", "X25519"):
            self.assertEqual(firefox.evaluate(WITHOUT, missing), ["unknown-method", "browserTooOld"])


if __name__ == "__main__":
    unittest.main()
