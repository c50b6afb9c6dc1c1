/**
 * A device of an account at a real hub in Node, with the page's modules of sealed conversations and a client of the hub's API that is as small as it can be:
 * a line of JSON for each order, and one for each answer.
 */
import readline from 'node:readline';
import { b64u, base64, fromBase64, labelled, lv, textOf, utf8 } from '../../../Sources/TandemWeb/Page/wire/bytes.js';
import { WireError } from '../../../Sources/TandemWeb/Page/wire/error.js';
import { sha256 } from '../../../Sources/TandemWeb/Page/wire/hash.js';
import { canonical } from '../../../Sources/TandemWeb/Page/wire/json.js';
import { makeIdentity, sign, words } from '../../../Sources/TandemWeb/Page/wire/keys.js';
import { MessageSealing } from '../../../Sources/TandemWeb/Page/client/chat/sealing/sealing.js';
import { memoryStore } from '../wire/memory-store.mjs';
import { KeptMessages } from './kept-messages.mjs';

class HubClient {
    #token = null;

    constructor(address) { this.address = address; }

    async ask(path, body) {
        const answer = await this.fetch(path, { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } });
        const told = await answer.json();
        if (told.errCode) throw new WireError('refused', told.errDlt, { reason: 'refused', values: { code: told.errCode } });
        return told.data ?? told;
    }

    fetch(path, { headers = {}, ...options } = {}) { return fetch(new URL(path, this.address), { ...options, headers: { ...headers, ...this.#token && { token: this.#token } } }); }

    /** Proves the device's key, and signs in. Source: `docs/protocol.md` 2.9.2. */
    async enter(purpose, identity, members) {
        const { challenge } = await this.ask('/account/challenge', { did: identity.did });
        const digest = await sha256(utf8(canonical(members)));
        const signed = labelled('tandem-account-1', lv(purpose), lv(challenge), lv(new URL(this.address).host), lv(identity.did), lv(digest));
        const session = await this.ask(`/account/${purpose}`, { ...members, did: identity.did, challenge, signature: b64u(await sign(identity, signed)) });
        this.#token = session.accessToken;
        return session;
    }
}

const device = { name: 'browser', platformID: 5 };
const store = memoryStore();
let identity;
let hub;
const kept = new KeptMessages(store);
let sealing;
let desk;
let uid;

/** The sealed objects at the hub. */
const objects = {
    put: async (bytes) => (await (await hub.fetch('/chat/upload?type=chat_sealed', { method: 'POST', body: bytes })).json()).data.objectKey,
    get: async (objectKey) => {
        const address = (await hub.ask('/chat/media/sign', { object_keys: [objectKey] }))[objectKey];
        return new Uint8Array(await (await hub.fetch(address)).arrayBuffer());
    },
};

async function rows(conversation) {
    const range = { conversationID: conversation, begin: 1, end: 2 ** 53 - 1, num: 200 };
    const answer = await hub.ask('/msg/pull_msg_by_seq', { userID: `tb_${uid}`, order: 1, seqRanges: [range] });
    return (answer.msgs[conversation]?.Msgs ?? []).map((row) => {
        const element = JSON.parse(textOf(fromBase64(row.content)));
        const content = row.contentType === 101 ? element.content : element.data;
        return { id: row.clientMsgID, conversation, sender: row.sendID, seq: row.seq, contentType: row.contentType, content };
    });
}

const ORDERS = {
    /** Makes the account, or with a name and password of one that there is another device of it. */
    open: async ({ address, name, password, invitation }) => {
        identity = await makeIdentity();
        hub = new HubClient(address);
        // With the name and password the key is added to the account.
        const session = await hub.enter(invitation ? 'register' : 'login', identity, invitation ? { name, device, invitation } : { name, password, device });
        if (invitation) await hub.ask('/account/password', { new: password });
        uid = session.uid;
        sealing = new MessageSealing({ store, hub, identity, uid, name: `${name}’s browser` });
        desk = await sealing.handover({ objects, history: kept });
        const failure = await sealing.prepare();
        return { userID: session.userID, did: identity.did, words: await words(identity.did), waits: failure?.message ?? null };
    },
    /** What a socket would tell: the lists and keys of somebody changed. */
    changed: ({ userID }) => sealing.keysChanged(userID),
    send: async ({ id, conversation, contentType = 101, content }) => {
        const { isSealed } = await sealing.send({ id, conversation, contentType, content }, (form) => hub.ask('/chat/message/send', { recvID: conversation, ...form, clientMsgId: id }));
        return isSealed;
    },
    read: async ({ conversation }) => {
        const read = [];
        for (const row of await rows(conversation)) {
            const opened = await sealing.open(row);
            kept.note(row, opened);
            read.push({ id: row.id, came: row.content, ...opened });
        }
        return read;
    },
    picture: async ({ id, conversation, base64: text }) => {
        const { bytes, object } = await sealing.sealFile(fromBase64(text), { type: 'image/png' }, conversation);
        const objectKey = await objects.put(bytes);
        return ORDERS.send({ id, conversation, contentType: 110, content: JSON.stringify({ type: 'image', objectKey, w: 1, h: 1, sealed: object }) });
    },
    file: async ({ objectKey }) => {
        const bytes = await objects.get(objectKey);
        return { sealed: base64(bytes.subarray(0, 8)), opened: base64(await sealing.openFile(bytes, objectKey)) };
    },
    safety: ({ conversation }) => sealing.safety(conversation),
    agree: ({ conversation, kind }) => sealing.agree(conversation, kind),
    devices: () => sealing.devices(),
    add: ({ did, words: typed }) => sealing.addDevice(did, typed),
    /** Takes what another device handed over, and goes on with what this one hands over. */
    look: async () => {
        await desk.look();
        return { progress: await desk.progress(), texts: kept.texts };
    },
    handOver: ({ did }) => desk.handOver(did),
    remove: ({ did }) => sealing.removeDevice(did),
};

readline.createInterface({ input: process.stdin }).on('line', async (line) => {
    const { id, act, args } = JSON.parse(line);
    const answer = await Promise.resolve().then(() => ORDERS[act](args)).then((result) => ({ result: result ?? null }), (error) => ({
        error: { code: error.code ?? error.name, reason: error.detail?.reason, message: error.message },
    }));
    process.stdout.write(`${JSON.stringify({ id, ...answer })}\n`);
}).on('close', () => process.exit());
