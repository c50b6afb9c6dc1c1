/** Entries, bundles, envelopes, files and answers that nobody writes but an attacker. */
import { AccountChain } from '../../../Sources/TandemWeb/Page/client/chat/sealing/chain.js';
import { listedName, makeEntry, readEntry } from '../../../Sources/TandemWeb/Page/client/chat/sealing/chain-entry.js';
import { isDue, isInUse, isOver, readBundle } from '../../../Sources/TandemWeb/Page/client/chat/sealing/chat-key.js';
import { paddedContent, readContent } from '../../../Sources/TandemWeb/Page/client/chat/sealing/content.js';
import { openFile, readObject, sealFile } from '../../../Sources/TandemWeb/Page/client/chat/sealing/media.js';
import { readEnvelope } from '../../../Sources/TandemWeb/Page/client/chat/sealing/message.js';
import { conversationOf, numberOf, peerOf } from '../../../Sources/TandemWeb/Page/client/chat/sealing/people.js';
import { emptyHistory, noted } from '../../../Sources/TandemWeb/Page/client/chat/sealing/history.js';
import { b64u, utf8 } from '../../../Sources/TandemWeb/Page/wire/bytes.js';
import { makeIdentity } from '../../../Sources/TandemWeb/Page/wire/keys.js';
import { Device, SealingHub } from './sealing-hub.mjs';
import { changed, deviceOf, thrown, vectors } from './tools.mjs';

/** Members that are missing, of another type, or too many; what is not refused as one of these reasons is named. */
async function shapes(read, value, reasons = ['malformed', 'tooLarge', 'badSignature']) {
    const others = [null, 7, -1, 1.5, '', 'x', 'x'.repeat(200_000), [], {}, true, NaN, Array(70).fill(7), Array(70).fill({}), ['__proto__'], '\ud800'];
    const found = [];
    const attempt = async (name, one) => {
        const reason = await thrown(() => read(one));
        if (!reasons.includes(reason)) found.push(`${name}: ${reason}`);
    };
    for (const other of others) await attempt(typeof other, other);
    await attempt('more', { ...value, more: 1 });
    await attempt('prototype', JSON.parse(`{"__proto__":1,${JSON.stringify(value).slice(1)}`));
    for (const key of Object.keys(value)) {
        await attempt(`without ${key}`, Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)));
        for (const other of others) if (JSON.stringify(other) !== JSON.stringify(value[key])) await attempt(`${key} as ${typeof other}`, { ...value, [key]: other });
        if (typeof value[key] === 'string') for (const end of ['=', ' ', '\n', 'A', '+', '/']) await attempt(`${key} with ${end}`, { ...value, [key]: value[key] + end });
    }
    return found;
}

async function entries(known) {
    const entry = known.chains.ada.entries[1];
    const ada = await deviceOf(known, 'adaPhone');
    const chain = await AccountChain.read(known.chains.ada.entries);
    const made = (devices, reason, values = {}) => thrown(async () => chain.appending(await makeEntry({ uid: 7, n: 2, previous: chain.newest.hash, devices, reason, ...values }, ada)));
    const devices = chain.newest.devices;
    const more = { did: known.devices.bobPhone.did, name: 'more', since: 1 };
    const many = await Promise.all(Array.from({ length: 31 }, async (_, at) => ({ did: (await makeIdentity()).did, name: 'x', since: at })));
    return {
        shapes: await shapes(readEntry, entry),
        devices: await shapes((device) => readEntry(changed(entry, ['devices', 0], device)), entry.devices[0]),
        names: await Promise.all(['', 'a\u0007', 'ü'.repeat(33)].map((name) => made([...devices, { ...more, name }], 'added'))),
        changes: [
            await made(devices, 'added'), await made([devices[0]], 'added'), await made([...devices, more], 'removed'), await made([devices[0], more], 'added'),
            await made([{ ...devices[0], name: 'renamed' }, devices[1], more], 'added'), await made([...devices, devices[0]], 'added'), await made([], 'removed'),
            await made([...devices, ...many], 'added'), await made([...devices, more], 'added', { n: 3 }), await made([...devices, more], 'added', { uid: 8 }),
            await made([...devices, more], 'added', { previous: chain.start.hash }), await made([devices[0]], 'lost'), await made([...devices, more], 'other'), await made([...devices, more], 'added'),
        ],
        starts: [
            await thrown(() => AccountChain.read([])), await thrown(() => AccountChain.read([entry])), await thrown(() => AccountChain.read('x')),
            await thrown(async () => makeEntry({ uid: 7, n: 0, previous: null, devices: [more], reason: 'first' }, ada)), await thrown(async () => makeEntry({ uid: 7, n: 0, previous: null, devices: [devices[0], more], reason: 'first' }, ada)),
            await thrown(async () => makeEntry({ uid: 7, n: 0, previous: null, devices: [devices[0]], reason: 'lost' }, ada)),
        ],
        listed: [listedName(''), listedName('\u0000'), listedName('ü'.repeat(40)).length, listedName('a\nb\ud800'), listedName('😀'.repeat(40)).length],
    };
}

async function bundles(known) {
    const { bundle } = known.keys.bobPhone;
    const { made, until } = bundle;
    const day = 86_400_000;
    return {
        shapes: await shapes(readBundle, bundle), low: await thrown(() => readBundle({ ...bundle, key: b64u(new Uint8Array(32)) })),
        times: [isInUse(bundle, made - day), isInUse(bundle, made - day - 1), isInUse(bundle, until), isInUse(bundle, until + 1), isInUse(bundle, NaN)],
        due: [isDue(undefined, 0), isDue(made, made), isDue(made, made + 7 * day), isDue(made, made - day - 1)],
        over: [isOver({ made: 0, succeeded: null }, 90 * day, 89 * day), isOver({ made: 0, succeeded: null }, 0, 90 * day), isOver({ made: 0, succeeded: day }, 8 * day - 1, 9 * day), isOver({ made: 0, succeeded: day }, 8 * day, 9 * day)],
    };
}

async function envelopes(known) {
    const { envelope } = known.message;
    const read = async (json) => readEnvelope(json);
    return {
        // Nothing of an envelope is verified by its form alone, so a changed signature is read; it is refused later.
        shapes: (await shapes(read, envelope)).filter((one) => !/^(?:objects|flash)/.test(one)),
        wrapped: await shapes(async (to) => readEnvelope(changed(envelope, ['to', 0], to)), envelope.to[0]),
        more: await Promise.all([
            { objects: 'x' }, { objects: Array(10).fill('x') }, { objects: [7] }, { objects: ['x'.repeat(201)] }, { flash: 7 }, { flash: 'x'.repeat(201) }, { list: [1000, 0] }, { list: [0, -1] }, { list: [0] },
            { to: Array(64).fill(envelope.to[0]) }, { to: [envelope.to[0], envelope.to[0]] }, { to: [{ ...envelope.to[0], enc: b64u(new Uint8Array(32)) }] }, { body: b64u(new Uint8Array(16)) }, { body: b64u(new Uint8Array(70_000)) },
        ].map((members) => thrown(() => read({ ...envelope, ...members })))),
    };
}

function contents() {
    const tries = [
        '{"content":"x","contentType":101}', '{"content":"x","contentType":101,"n":1}', '{"contentType":101,"content":"x"}', '{"content":"x","contentType":101,"n":0}', '{"content":"x","contentType":101,"n":1.5}',
        '{"content":"x","contentType":"101"}', '{"content":7,"contentType":101}', '{"content":"x","contentType":101,"more":1}', '{"content":"\\ud800","contentType":101}', '{ "content":"x","contentType":101}',
        '{"content":"x","content":"y","contentType":101}', '', '[]', 'null', '{"content":"é","contentType":101}',
    ];
    const padded = (text) => { const bytes = new Uint8Array(256); const inner = utf8(text); bytes[3] = inner.length; bytes.set(inner, 4); return bytes; };
    const whole = paddedContent({ contentType: 101, content: 'x', count: 1 });
    const forms = [
        whole, whole.with(255, 1), whole.with(3, whole[3] + 1), whole.with(0, 255), whole.subarray(0, 255), new Uint8Array(), new Uint8Array(1024).with(3, 4), new Uint8Array(70_000), paddedContent({ contentType: 101, content: 'x'.repeat(5000), count: null }),
    ];
    return {
        texts: tries.map((text) => { try { return readContent(padded(text)).content; } catch (error) { return error.detail.reason; } }),
        forms: forms.map((form) => { try { return readContent(form).content.length; } catch (error) { return error.detail.reason; } }),
        sizes: [0, 200, 300, 1000, 5000, 65_000].map((count) => paddedContent({ contentType: 101, content: 'x'.repeat(count), count: null }).length),
        large: (() => { try { return paddedContent({ contentType: 101, content: 'x'.repeat(65_501), count: null }).length; } catch (error) { return error.detail.reason; } })(),
    };
}

async function media() {
    const file = Uint8Array.from({ length: 65_600 }, (_, at) => at);
    const sealed = await sealFile(file);
    const open = (bytes, values = {}) => thrown(() => openFile(bytes, { key: sealed.key, hash: sealed.hash, limit: file.length, ...values }));
    // As if who sent it had named this hash.
    const told = async (bytes, values = {}) => open(bytes, { hash: new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), ...values });
    const { bytes } = sealed;
    const object = { key: b64u(sealed.key), sha256: b64u(sealed.hash), size: 1, type: 'image/png', preview: b64u(utf8('x')) };
    return {
        hash: [await open(bytes), await open(bytes.with(100, bytes[100] ^ 1)), await open(bytes, { limit: 65_535 }), await open(bytes, { key: new Uint8Array(32) })],
        told: [
            await told(bytes.with(100, bytes[100] ^ 1)), await told(bytes.subarray(0, -1)), await told(bytes.subarray(0, 64 + 65_552)), await told(bytes.with(24, 1)), await told(bytes.with(31, bytes[31] ^ 1)), await told(bytes.with(0, 1)),
            await told(bytes.subarray(0, 10)), await told(bytes.with(40, bytes[40] ^ 1)), await told(bytes.with(9, 2)), await told(new Uint8Array()),
        ],
        objects: await shapes(async (json) => readObject(json), object),
    };
}

function ids() {
    return {
        numbers: ['tb_7', 'tb_0', 'tb_07', 'tb_9007199254740991', 'tb_9007199254740992', 'tb_', 7, null, 'tb_7 ', 'TB_7'].map(numberOf),
        peers: [['si_tb_10_tb_9', 9], ['si_tb_9_tb_10', 9], ['si_tb_7_tb_9', 8], ['si_tb_7_tb_7', 7], ['si_tb_7_tb_9x', 7], ['', 7], [null, 7]].map(([one, uid]) => peerOf(one, uid)), id: conversationOf(9, 10),
        counts: (() => {
            const at = { senders: { uid: 7 }, receivers: { uid: 9 } };
            let history = emptyHistory();
            const found = [5, 6, 9, 8, 8, 9, 1_000_000, 7].map((count) => { const seen = noted(history, /** @type {any} */ ({ from: 'x', senderList: 1, receiverList: 1 }), count, /** @type {any} */ (at)); history = seen.history; return seen.findings[0] ?? null; });
            return { found, kept: history.counts.x.missing.length };
        })(),
    };
}

/** A hub that answers with nonsense: everything is typed, nothing is sent in the clear, and what was believed stays. */
async function answers() {
    const hub = new SealingHub();
    const [ada, bob] = [await Device.signIn(hub, 7, 'phone'), await Device.signIn(hub, 9, 'phone')];
    await ada.send(bob, 'a-1', 'x');
    const said = {};
    const nonsense = [null, 7, [], {}, { chains: 7, bundles: 7 }, { chains: [null], bundles: [null] }, { chains: [{ userID: 'tb_9' }], bundles: [{ userID: 'tb_9', bundles: 'x' }] },
        { chains: [{ userID: 'tb_9', newest: 5000, start: '', entries: [] }], bundles: [{ userID: 'tb_9', bundles: Array(65).fill({}) }] },
        { chains: [{ userID: 'tb_9', newest: 9, start: b64u(hub.chains.get(9).start.hash), entries: [] }], bundles: [] },
        { chains: [{ userID: 'tb_9', newest: 0, start: b64u(new Uint8Array(32)), entries: [7] }], bundles: [] }];
    for (const path of ['/chat/chain/get', '/chat/keys/bundles']) {
        said[path] = [];
        for (const [at, answer] of nonsense.entries()) {
            hub.lies[path] = () => answer;
            ada.sealing.resynced();
            said[path].push(await thrown(() => ada.send(bob, `${path}-${at}`, 'never clear')));
            hub.lies = {};
            ada.sealing.resynced();
            await ada.sealing.safety(ada.with(bob));
            if ((await ada.sealing.standing(ada.with(bob))).trouble === 'clear') await ada.send(bob, `${path}-${at}-back`, 'x');
        }
    }
    const rows = [{}, { contentType: 110 }, { contentType: 110, content: '{"type":"sealed"}' }, { contentType: 110, content: 'x' }, { contentType: 110, content: `{"type":"sealed","x":"${'x'.repeat(200_000)}"}` }, { contentType: 110, content: '[]' }, { contentType: 110, content: 7 }];
    const row = hub.rows.get(ada.with(bob))[0];
    const opened = await Promise.all(rows.map(async (one) => (await bob.sealing.open({ id: 'x', conversation: ada.with(bob), sender: 'tb_7', seq: 3, ...one })).trouble));
    const places = [{ sender: 'x' }, { sender: 'tb_12' }, { id: '' }, { id: 'x'.repeat(200) }, { conversation: 'si_tb_12_tb_7' }, { seq: NaN }];
    return { said, sent: hub.rows.get(ada.with(bob)).every(({ content }) => content.startsWith('{"body"')), opened, places: await Promise.all(places.map(async (one) => (await bob.sealing.open({ ...row, ...one })).trouble)) };
}

export async function run() {
    const known = await vectors();
    return { entries: await entries(known), bundles: await bundles(known), envelopes: await envelopes(known), contents: contents(), media: await media(), ids: ids(), answers: await answers() };
}
