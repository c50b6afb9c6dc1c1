"""The wire's modules in Chromium: its ciphers, and its database, from which keys cannot be taken."""

import unittest

import server
from browser import Browser

OPEN = """async () => {
    const [{ openStore }, { openPhone }] = await Promise.all([import('/wire/store-indexeddb.js'), import('/wire/phone.js')]);
    const store = await openStore(indexedDB, { name: 'test', tables: ['settings'] });
    const phone = await openPhone({ store, dial: () => { throw new Error('none'); }, home: 'wss://hub.example/', device: { name: 'Phone', platform: 'android', version: '1' } });
    const { signing, agreement } = await store.get('keys', 'identity');
    const taken = [];
    for (const key of [signing, agreement.secret]) for (const format of ['raw', 'pkcs8', 'jwk']) await crypto.subtle.exportKey(format, key).then(() => taken.push(format), () => {});
    const found = { did: phone.did, words: phone.words, taken, settings: await store.get('settings', 'a') ?? null };
    await store.write([{ table: 'settings', key: 'a', value: [1, new Uint8Array([2])] }, { table: 'settings', key: 'b', value: 2 }]);
    await store.delete('settings', 'b');
    found.listed = (await store.list('settings')).map(({ key }) => key);
    store.close();
    return found;
}"""
EXCHANGE = """async () => {
    const [{ Handshake }, { makeIdentity }, { CPace }] = await Promise.all(['noise', 'keys', 'cpace'].map((name) => import(`/wire/${name}.js`)));
    const [one, other] = await Promise.all([makeIdentity(), makeIdentity()]);
    const prologue = new Uint8Array([1]);
    const ends = [
        await Handshake.begin({ pattern: 'IK', isInitiator: true, prologue, own: one.agreement, remote: other.agreement.bytes }),
        await Handshake.begin({ pattern: 'IK', isInitiator: false, prologue, own: other.agreement }),
    ];
    await ends[1].read(await ends[0].write());
    await ends[0].read(await ends[1].write());
    const [left, right] = await Promise.all(ends.map((end) => end.finish()));
    const options = { password: prologue, channel: prologue, sessionId: prologue, associatedData: prologue };
    const cpace = await CPace.begin(options);
    const agreed = await cpace.agree((await CPace.begin(options)).share, prologue);
    return [left.hash.join() === right.hash.join(), (await left.derive('a', 32)).join() === (await right.derive('a', 32)).join(), agreed.key.length, agreed.tag.length];
}"""
SEALED = """async () => {
    const [{ openStore }, { MessageSealing, SEALING_TABLES }, { makeIdentity }] = await Promise.all(['wire/store-indexeddb', 'client/chat/sealing/sealing', 'wire/keys'].map((name) => import(`/${name}.js`)));
    const [chains, bundles] = [new Map(), new Map()];
    // A hub of two people, who have a device each.
    const ask = async (path, body) => {
        if (path === '/chat/chain/append') chains.set(body.userID, body.entry);
        if (path === '/chat/keys/publish') bundles.set(body.userID, body.bundle);
        if (path === '/chat/keys/bundles') return { bundles: body.userIDs.map((userID) => ({ userID, bundles: [bundles.get(userID)] })) };
        return { chains: await Promise.all((body.users ?? []).filter(({ userID }) => chains.has(userID)).map(async ({ userID, after }) => ({ userID, newest: 0, start: await hashOf(chains.get(userID)), entries: after < 0 ? [chains.get(userID)] : [] }))) };
    };
    const { b64u } = await import('/wire/bytes.js');
    const hashOf = async (entry) => b64u((await (await import('/client/chat/sealing/chain-entry.js')).readEntry(entry)).hash);
    const device = async (uid) => {
        const store = await openStore(indexedDB, { name: `sealing-${uid}`, tables: SEALING_TABLES });
        const sealing = new MessageSealing({ store, hub: { ask }, identity: await makeIdentity(), uid, name: 'browser' });
        return { failure: await sealing.prepare(), store, sealing };
    };
    const [ada, bob] = [await device(7), await device(9)];
    const message = { id: 'a', conversation: 'si_tb_7_tb_9', contentType: 101, content: 'hello' };
    const sealed = await ada.sealing.seal(message);
    const opened = await bob.sealing.open({ ...message, ...sealed, sender: 'tb_7', seq: 1 });
    const [{ value: { pair } }] = await bob.store.list('sealing-keys');
    const taken = await crypto.subtle.exportKey('pkcs8', pair.secret).then(() => true, () => false);
    ada.store.close();
    bob.store.close();
    return [ada.failure, sealed.isSealed, sealed.content.includes('hello'), opened.content, opened.trouble, taken];
}"""
NEWER = """async () => {
    const { openStore } = await import('/wire/store-indexeddb.js');
    const older = await openStore(indexedDB, { name: 'older', tables: ['one'] });
    await older.put('one', 'a', 1);
    // The older page's is open still.
    const newer = await openStore(indexedDB, { name: 'older', tables: ['one', 'two'] });
    await newer.put('two', 'b', 2);
    newer.close();
    const again = await openStore(indexedDB, { name: 'older', tables: ['one'] });
    const kept = await again.get('one', 'a');
    again.close();
    return kept;
}"""
DENIED = """async () => {
    const { openStore } = await import('/wire/store-indexeddb.js');
    const said = async (factory) => openStore(factory, { name: 'x' }).then(() => null, (error) => error.detail.reason);
    const failing = { open() { const request = { error: new DOMException('', 'QuotaExceededError') }; queueMicrotask(() => request.onerror()); return request; } };
    return [await said({ open() { throw new DOMException('', 'SecurityError'); } }), await said(failing)];
}"""


class BrowserTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = server.start()
        cls.browser = cls.enterClassContext(Browser())

    def page(self):
        page = self.browser.blank()
        self.addCleanup(page.context.close)
        page.goto(f"{self.site.url}/manifest.webmanifest")
        return page

    def test_a_database_of_an_older_page_gets_what_it_lacks(self):
        self.assertEqual(self.page().evaluate(NEWER), 1)

    def test_an_identity_stays_and_its_keys_cannot_be_taken(self):
        page = self.page()
        first = page.evaluate(OPEN)
        self.assertEqual([first["taken"], first["settings"], first["listed"]], [[], None, ["a"]])
        page.reload()
        again = page.evaluate(OPEN)
        self.assertEqual([again["did"], again["words"], again["taken"]], [first["did"], first["words"], []])
        self.assertIsNotNone(again["settings"])

    def test_handshakes_and_typed_codes_agree(self):
        self.assertEqual(self.page().evaluate(EXCHANGE), [True, True, 64, 64])

    def test_a_sealed_message_is_opened_by_keys_that_cannot_be_taken(self):
        self.assertEqual(self.page().evaluate(SEALED), [None, True, False, "hello", None, False])

    def test_a_browser_that_keeps_nothing_says_so(self):
        self.assertEqual(self.page().evaluate(DENIED), ["storageDenied", "storageFull"])


if __name__ == "__main__":
    unittest.main()
