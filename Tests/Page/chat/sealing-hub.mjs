/** A hub in memory that has the part of docs/protocol.md 2.10.6, and devices that ask it. What it lies is in `lies`. */
import { makeIdentity } from '../../../Sources/TandemWeb/Page/wire/keys.js';
import { AccountChain } from '../../../Sources/TandemWeb/Page/client/chat/sealing/chain.js';
import { readEntry } from '../../../Sources/TandemWeb/Page/client/chat/sealing/chain-entry.js';
import { readBundle } from '../../../Sources/TandemWeb/Page/client/chat/sealing/chat-key.js';
import { conversationOf, numberOf, peerOf } from '../../../Sources/TandemWeb/Page/client/chat/sealing/people.js';
import { MessageSealing } from '../../../Sources/TandemWeb/Page/client/chat/sealing/sealing.js';
import { b64u } from '../../../Sources/TandemWeb/Page/wire/bytes.js';
import { WireError } from '../../../Sources/TandemWeb/Page/wire/error.js';
import { memoryStore } from '../wire/memory-store.mjs';
import { turn } from '../wire/tools.mjs';

const PART = 2;

export function refused(code) { return new WireError('refused', 'refused', { reason: 'refused', values: { code } }); }

export function unreachable() { return new WireError('away', 'unreachable', { reason: 'unreachable' }); }

/** A clock that stands still; what is to be done later is done with the next turn. */
export class Clock {
    time = 1_790_000_000_000;

    now() { return this.time; }

    after(milliseconds, action) {
        let isWanted = true;
        turn().then(() => {
            if (!isWanted) return;
            this.time += milliseconds;
            action();
        });
        return () => { isWanted = false; };
    }
}

export class SealingHub {
    chains = new Map();
    bundles = new Map();
    devices = new Map();
    rows = new Map();
    offers = new Map();
    objects = new Map();
    clock = new Clock();
    isDown = false;
    /** Changes of answers, by path: each gets the answer and the request, and gives what is told. @type {Object<string, (answer: any, body: any) => any>} */
    lies = {};

    async ask(uid, path, body) {
        if (this.isDown) throw unreachable();
        const answer = await this.#answers[path](uid, body);
        return structuredClone(this.lies[path] ? this.lies[path](answer, body) : answer);
    }

    #answers = {
        '/account/devices': (uid) => ({ devices: (this.devices.get(uid) ?? []).map((device) => ({ ...device, current: false })) }),
        '/chat/chain/append': (uid, { entry }) => this.#append(uid, entry),
        '/chat/chain/get': (uid, { users }) => ({ chains: users.flatMap((place) => this.#part(place)) }),
        '/chat/keys/publish': async (uid, { bundle }) => {
            await readBundle(bundle);
            this.bundles.set(uid, [bundle, ...(this.bundles.get(uid) ?? [])].slice(0, 64));
            return {};
        },
        '/chat/handover/offer': (uid, { offer, objects }) => {
            if (!objects.every((key) => this.objects.has(key))) throw refused(1004);
            this.offers.set(uid, [...(this.offers.get(uid) ?? []).filter(({ to }) => to !== offer.to), offer]);
            return {};
        },
        '/chat/handover/get': (uid) => ({ offers: this.offers.get(uid) ?? [] }),
        '/chat/handover/done': (uid, { id }) => {
            this.offers.set(uid, (this.offers.get(uid) ?? []).filter((offer) => offer.id !== id));
            return {};
        },
        '/chat/keys/bundles': (uid, { userIDs }) => ({ bundles: userIDs.map((userID) => ({ userID, bundles: this.#live(numberOf(userID)) })) }),
    };

    /** The two newest bundles of each device. */
    #live(uid) {
        const all = this.bundles.get(uid) ?? [];
        return all.filter((bundle, at) => all.slice(0, at).filter(({ did }) => did === bundle.did).length < 2);
    }

    async #append(uid, json) {
        const entry = await readEntry(json);
        const chain = this.chains.get(uid);
        const isAnew = entry.n === 0 && chain && entry.previous && b64u(entry.previous) === b64u(chain.newest.hash);
        try {
            this.chains.set(uid, chain && !isAnew ? chain.appending(entry) : AccountChain.begin(entry));
        } catch {
            throw refused(1003);
        }
        if (isAnew) this.bundles.set(uid, []);
        return {};
    }

    #part({ userID, after }) {
        const chain = this.chains.get(numberOf(userID));
        if (!chain) return [];
        return [{ userID, newest: chain.newest.n, start: b64u(chain.start.hash), entries: chain.entries.slice(after + 1, after + 1 + PART).map(({ json }) => json) }];
    }

    /** Uploads and fetches what is sealed; `isGone` may refuse a fetch. */
    storage(isGone = (_) => false) {
        return {
            put: async (bytes) => {
                const key = `chat/sealed/${this.objects.size}`;
                this.objects.set(key, bytes);
                return key;
            },
            get: async (key, limit) => {
                if (this.isDown || isGone(key)) throw unreachable();
                const bytes = this.objects.get(key);
                if (bytes.length > limit) throw new Error('larger than it was said to be');
                return bytes;
            },
        };
    }

    /** Takes a message as `/chat/message/send` does. */
    async post(uid, { id, conversation }, { contentType, content }) {
        if (this.isDown) throw unreachable();
        const payload = contentType === 110 ? JSON.parse(content) : null;
        const [mine, theirs] = [this.chains.get(uid), this.chains.get(peerOf(conversation, uid))];
        if (payload?.type === 'sealed' && mine && theirs && (payload.list[0] !== mine.newest.n || payload.list[1] !== theirs.newest.n)) throw refused(409);
        const rows = this.rows.get(conversation) ?? [];
        this.rows.set(conversation, rows);
        const known = rows.find((row) => row.id === id);
        if (known) return known;
        const row = { id, conversation, sender: `tb_${uid}`, seq: rows.length + 1, contentType, content };
        rows.push(row);
        return row;
    }
}

/** A device that is signed in to an account at a hub. */
export class Device {
    told = [];

    /**
     * @param {SealingHub} hub
     * @param {number} uid
     * @param {string} name
     * @param {{identity?: any, store?: any}} [kept]
     */
    static async signIn(hub, uid, name, { identity, store = memoryStore() } = {}) {
        const device = new Device();
        Object.assign(device, { hub, uid, name, store, identity: identity ?? await makeIdentity() });
        const known = hub.devices.get(uid) ?? [];
        if (!known.some(({ did }) => did === device.identity.did)) hub.devices.set(uid, [...known, { did: device.identity.did, name }]);
        device.sealing = new MessageSealing({
            store, identity: device.identity, uid, name, time: hub.clock, hub: { ask: (path, body) => hub.ask(uid, path, body) },
            changed: (conversation) => device.told.push(conversation),
        });
        await device.sealing.prepare();
        return device;
    }

    /** The same device after its program was ended and started again. */
    restarted() { return Device.signIn(this.hub, this.uid, this.name, this); }

    with(other) { return conversationOf(this.uid, other.uid); }

    message(other, id, content, contentType = 101) { return { id, conversation: this.with(other), contentType, content }; }

    /** Sends a message as an outbox does. */
    async send(other, id, content, contentType = 101) {
        const message = this.message(other, id, content, contentType);
        return this.sealing.send(message, (form) => this.hub.post(this.uid, message, form));
    }

    /** What this device reads of a conversation. */
    async reads(other) {
        const read = [];
        for (const row of this.hub.rows.get(this.with(other)) ?? []) read.push(await this.sealing.open(row));
        return read;
    }
}
