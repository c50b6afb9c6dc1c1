/** What a hub can do to two people who seal: nothing is read by another, nothing false is shown as the sender's, and each lie is said. */
import { b64u } from '../../../Sources/TandemWeb/Page/wire/bytes.js';
import { makeAgreementKey, makeIdentity, words } from '../../../Sources/TandemWeb/Page/wire/keys.js';
import { AccountChain } from '../../../Sources/TandemWeb/Page/client/chat/sealing/chain.js';
import { makeEntry, readEntry } from '../../../Sources/TandemWeb/Page/client/chat/sealing/chain-entry.js';
import { kidOf, makeBundle, readBundle } from '../../../Sources/TandemWeb/Page/client/chat/sealing/chat-key.js';
import { openMessage, readEnvelope, sealMessage } from '../../../Sources/TandemWeb/Page/client/chat/sealing/message.js';
import { memoryStore } from '../wire/memory-store.mjs';
import { Device, SealingHub } from './sealing-hub.mjs';
import { randomOf } from './tools.mjs';

const CHAINS = '/chat/chain/get';
const KEYS = '/chat/keys/bundles';
const COUNT = 5;
/** What the hub writes itself. */
const OF_ITS_OWN = ['forgedMessage', 'introduced'];

/** Ada and Bob with two devices each, what she wrote to him, and the hub's own device. */
async function sceneOf(seed) {
    const hub = new SealingHub();
    const ada = await Device.signIn(hub, 7, 'Ada’s phone');
    const bob = await Device.signIn(hub, 9, 'Bob’s phone');
    await ada.send(bob, 'early', `early ${seed}`);
    const others = [await Device.signIn(hub, 7, 'Ada’s laptop'), await Device.signIn(hub, 9, 'Bob’s laptop')];
    await ada.sealing.addDevice(others[0].identity.did, await words(others[0].identity.did));
    await bob.sealing.addDevice(others[1].identity.did, await words(others[1].identity.did));
    for (let at = 0; at < COUNT; at += 1) await ada.send(bob, `id-${at}`, `message ${seed} ${at}`);
    const [early, ...rows] = hub.rows.get(ada.with(bob));
    const identity = await makeIdentity();
    const pair = await makeAgreementKey();
    const mallory = { identity, pair, kid: await kidOf(pair.bytes), bundle: await makeBundle(pair.bytes, hub.clock.now(), identity) };
    await bob.sealing.keysChanged('tb_7');
    const texts = new Set([`early ${seed}`, ...rows.map((_, at) => `message ${seed} ${at}`)]);
    return { hub, ada, bob, early, rows, mallory, texts, chains: { 7: hub.chains.get(7), 9: hub.chains.get(9) } };
}

/** The same store once more, so that each run begins where the scene ended. */
async function copyOf(store) {
    const copy = memoryStore();
    for (const table of ['sealing-contacts', 'sealing-chains', 'sealing-keys', 'sealing-outgoing', 'sealing-objects']) {
        for (const { key, value } of await store.list(table)) await copy.put(table, key, value);
    }
    return copy;
}

async function again(device, hub = device.hub) { return Device.signIn(hub, device.uid, device.name, { identity: device.identity, store: await copyOf(device.store) }); }

/** What Bob's phone says of these rows, and what it shows. */
async function received(scene, rows, told = null) {
    const bob = await again(scene.bob);
    if (told) await bob.sealing.keysChanged(told);
    const [said, shown] = [[], []];
    const seen = new Set();
    for (const row of rows) {
        const { content, trouble, isUnexpectedlyClear, findings } = await bob.sealing.open(row);
        said.push(...findings, ...trouble ? [trouble] : [], ...isUnexpectedlyClear ? ['clear'] : []);
        // The same id is the same row.
        if (!trouble && !isUnexpectedlyClear && !seen.has(row.id)) shown.push(content);
        seen.add(row.id);
    }
    return { said, shown, standing: await bob.sealing.standing(scene.ada.with(scene.bob)) };
}

const MESSAGES = {
    withheld: (rows, at) => rows.filter((_, index) => index !== at),
    replayed: (rows, at) => [...rows, rows[at]],
    renamed: (rows, at) => rows.with(at, { ...rows[at], id: 'id-renamed' }),
    reordered: (rows, at) => rows.with(at, rows[at + 1]).with(at + 1, rows[at]),
    oldList: (rows, at, { early }) => [...rows.slice(0, at), early, ...rows.slice(at)],
    mixedKeys: (rows, at) => changedKeys(rows, at, (to) => [envelopeOf(rows[at - 1]).to[0], ...to.slice(1)]),
    swappedKeys: (rows, at) => changedKeys(rows, at, (to) => [...to].reverse()),
    cutKeys: (rows, at) => changedKeys(rows, at, (to) => to.slice(0, -1)),
    moreKeys: (rows, at, { mallory }) => changedKeys(rows, at, (to) => [...to, { ...to[0], kid: mallory.kid }]),
    otherBody: (rows, at) => put(rows, at, { body: envelopeOf(rows[at - 1]).body }),
    flippedBit: (rows, at, _, random) => {
        const { content } = rows[at];
        const where = Math.floor(random() * content.length);
        return rows.with(at, { ...rows[at], content: content.slice(0, where) + String.fromCharCode(content.charCodeAt(where) ^ 1 << Math.floor(random() * 7)) + content.slice(where + 1) });
    },
    turnedRound: (rows, at) => rows.with(at, { ...rows[at], sender: 'tb_9' }),
    strangers: (rows, at) => rows.with(at, { ...rows[at], sender: 'tb_11' }),
    inTheClear: (rows, at) => rows.with(at, { ...rows[at], contentType: 101, content: 'false' }),
};

function envelopeOf({ content }) { return JSON.parse(content); }

function put(rows, at, members) { return rows.with(at, { ...rows[at], content: JSON.stringify({ ...envelopeOf(rows[at]), ...members }) }); }

function changedKeys(rows, at, change) { return put(rows, at, { to: change(envelopeOf(rows[at]).to) }); }

/** The hub's own words, sealed with its own device and said to be Ada's. */
async function forged(scene, rows, at) {
    const { mallory, ada, chains } = scene;
    const own = await (await AccountChain.first(7, mallory.identity, 'x', 1)).adding({ did: ada.identity.did, name: 'y', since: 1 }, mallory.identity);
    const bob = await readBundle(scene.hub.bundles.get(9).find(({ did }) => did === scene.bob.identity.did));
    const { id, conversation } = rows[at];
    return rows.with(at, { ...rows[at], content: JSON.stringify(await sealMessage({ contentType: 101, content: 'false', count: 9 }, { id, conversation, senders: own.newest, receivers: chains[9].newest }, [bob], mallory.identity)) });
}

/** The hub shows Bob a list of Ada's with its own device in it, and a message of that device. */
async function introduced(scene, at) {
    const { mallory, chains, hub } = scene;
    const json = await forgedEntry(chains[7], mallory);
    const bundle = await readBundle(hub.bundles.get(9).find(({ did }) => did === scene.bob.identity.did));
    const place = { id: 'new', conversation: scene.rows[0].conversation };
    const envelope = await sealMessage({ contentType: 101, content: 'false', count: 1 }, { ...place, senders: await readEntry(json), receivers: chains[9].newest }, [bundle], mallory.identity);
    hub.lies[CHAINS] = (answer, { users }) => ({
        chains: answer.chains.map((part) => (part.userID === 'tb_7' ? { ...part, newest: json.n, entries: [...chains[7].entries.map((entry) => entry.json), json].slice(users.find(({ userID }) => userID === 'tb_7').after + 1) } : part)),
    });
    try {
        const row = { ...place, sender: 'tb_7', seq: COUNT + 2, contentType: 110, content: JSON.stringify(envelope) };
        const { said, shown, standing } = await received(scene, [...scene.rows.slice(0, at), row], 'tb_7');
        return { said: [...said, standing.trouble], shown };
    } finally {
        hub.lies = {};
    }
}

/** Lies about keys and lists, told to Ada before she writes. Each gives what the hub answers. */
const LISTS = {
    otherKey: ({ mallory }, answer) => keysOf(answer, (bundle, at) => (at ? bundle : { ...bundle, key: mallory.bundle.key, kid: mallory.bundle.kid })),
    strangersKey: ({ mallory }, answer) => keysOf(answer, (bundle, at) => (at ? bundle : mallory.bundle)),
    othersBundle: (_, answer) => keysOf(answer, (bundle, at, all) => (at ? bundle : { ...bundle, did: all.at(-1).did })),
    onlyOwnKey: ({ mallory }, answer) => keysOf(answer, () => mallory.bundle),
    noKeys: (_, answer) => ({ bundles: answer.bundles.map((one) => ({ ...one, bundles: [] })) }),
    nonsense: (_, answer) => keysOf(answer, (bundle, at) => (at ? bundle : 7)),
};
const CHAIN_LIES = {
    addedDevice: async ({ mallory, chains }) => [...chains[9].entries.map(({ json }) => json), await forgedEntry(chains[9], mallory)],
    forgedEntry: async ({ mallory, chains, bob }) => [...chains[9].entries.map(({ json }) => json), { ...await forgedEntry(chains[9], mallory), signer: bob.identity.did }],
    restarted: async ({ mallory, chains }) => [(await AccountChain.restarted(9, chains[9].newest.hash, mallory.identity, 'x', 1)).start.json],
    another: async ({ mallory }) => [(await AccountChain.first(9, mallory.identity, 'x', 1)).start.json],
    forked: async ({ chains, bob, mallory }) => {
        const before = new AccountChain(chains[9].entries.slice(0, 1));
        const fork = await (await before.adding({ did: mallory.identity.did, name: 'x', since: 1 }, bob.identity)).removing(mallory.identity.did, bob.identity);
        return [...fork.entries, (await fork.adding({ did: mallory.identity.did, name: 'x', since: 2 }, bob.identity)).newest].map(({ json }) => json);
    },
    rolledBack: async ({ chains }) => chains[9].entries.slice(0, 1).map(({ json }) => json),
    somebodyElses: async ({ chains }) => chains[7].entries.map(({ json }) => json),
};

function keysOf({ bundles }, change) { return { bundles: bundles.map((one) => (one.userID === 'tb_9' ? { ...one, bundles: one.bundles.map(change) } : one)) }; }

/** An entry that adds the hub's device, and that it signed itself. */
async function forgedEntry({ newest }, { identity }) {
    const devices = [...newest.devices, { did: identity.did, name: 'mine', since: 1 }];
    return (await makeEntry({ uid: newest.uid, n: newest.n + 1, previous: newest.hash, devices, reason: 'added' }, identity)).json;
}

/** Ada asks the lying hub and writes: what her device says, and whether the hub could read it. */
async function written(scene, path, lie) {
    const { hub, mallory } = scene;
    const ada = await again(scene.ada);
    hub.lies[path] = lie;
    ada.sealing.resynced();
    const message = ada.message(scene.bob, 'new', 'a secret');
    try {
        const { content, isSealed } = await ada.sealing.seal(message);
        if (!isSealed) return { said: [], isRead: true };
        const envelope = readEnvelope(JSON.parse(content));
        const binding = { id: 'new', conversation: message.conversation, senders: scene.chains[7].newest, receivers: scene.chains[9].newest };
        const opened = await openMessage(envelope, [mallory], binding).then(() => true, () => false);
        // A device whose key does not hold gets none; the other device of the person reads the message.
        const said = envelope.to.some(({ kid }) => kid === mallory.kid) ? [] : ['left out'];
        return { said, isRead: opened || content.includes('a secret') };
    } catch (error) {
        return { said: [error.detail?.reason ?? String(error)], isRead: false };
    } finally {
        hub.lies = {};
    }
}

async function chainLie(scene, make) {
    const entries = await make(scene);
    const start = b64u((await readEntry(entries[0])).hash);
    const told = await written(scene, CHAINS, (answer, { users }) => ({
        chains: answer.chains.map((part) => {
            const place = users.find(({ userID }) => userID === 'tb_9');
            return part.userID === 'tb_9' ? { ...part, newest: entries.length - 1, start, entries: entries.slice(place.after + 1) } : part;
        }),
    }));
    return told;
}

async function play(scene, lie, random) {
    if (OF_ITS_OWN.includes(lie) || MESSAGES[lie]) {
        const at = 1 + Math.floor(random() * (COUNT - 2));
        const changedRows = async () => (lie === 'forgedMessage' ? forged(scene, scene.rows, at) : MESSAGES[lie](scene.rows, at, scene, random));
        const { said, shown } = lie === 'introduced' ? await introduced(scene, at) : await received(scene, await changedRows());
        const isFalse = !shown.every((text) => scene.texts.has(text)) || new Set(shown).size !== shown.length;
        return { said, isFalse, isRead: false };
    }
    const told = LISTS[lie] ? await written(scene, KEYS, (answer) => LISTS[lie](scene, answer)) : await chainLie(scene, CHAIN_LIES[lie]);
    return { ...told, isFalse: false };
}

/** The hub's own device opens nothing of what was written. */
async function isRead(scene) {
    const bindings = scene.rows.map(({ id, conversation }) => ({ id, conversation, senders: scene.chains[7].newest, receivers: scene.chains[9].newest }));
    const tries = scene.rows.map((row, at) => openMessage(readEnvelope(envelopeOf(row)), [scene.mallory], bindings[at]).then(() => true, () => false));
    return (await Promise.all(tries)).includes(true);
}

export async function run(scenes, runs) {
    const lies = [...Object.keys(MESSAGES), ...OF_ITS_OWN, ...Object.keys(LISTS), ...Object.keys(CHAIN_LIES)];
    const said = { runs: 0, unsaid: [], false: [], read: [], reasons: {}, honest: [] };
    for (let seed = 0; seed < scenes; seed += 1) {
        const scene = await sceneOf(seed);
        if (await isRead(scene)) said.read.push(`scene ${seed}`);
        const honest = await received(scene, [scene.early, ...scene.rows]);
        if (honest.said.length || honest.shown.length !== COUNT + 1) said.honest.push(seed, ...honest.said);
        for (let at = 0; at < runs; at += 1) {
            const lie = lies[(seed * runs + at) % lies.length];
            const { said: heard, isFalse, isRead: wasRead } = await play(scene, lie, randomOf(seed * runs + at));
            const name = `${lie} of scene ${seed}, run ${at}`;
            said.reasons[lie] = [...new Set([...said.reasons[lie] ?? [], ...heard])].sort();
            if (!heard.length) said.unsaid.push(name);
            if (isFalse) said.false.push(name);
            if (wasRead) said.read.push(name);
            said.runs += 1;
        }
    }
    return said;
}
