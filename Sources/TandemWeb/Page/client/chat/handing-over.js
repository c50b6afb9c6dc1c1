import { canonical } from '../../wire/json.js';
import { chatFailure, refusal } from './failures.js';
import { takeHanded } from './handed.js';
import { LIMITS } from './ids.js';
import { CUSTOM } from './message.js';
import { refusal as sealingRefusal } from './sealing/failures.js';

/** Rows that are read at a time of one conversation. */
const PART = 64;

/** @typedef {Object<string, number>} Place Of each conversation that was begun the last place that was given; what is missing was not begun. */

/** History that this device hands to other devices of the account, and takes from them: the conversations as sealing needs them, and what is said of it on a screen. */
export class HandingOver {
    #options;
    /** @type {Promise<import('./sealing/handover.js').HandoverDesk> | null} */
    #opening = null;
    #isEnded = false;

    /**
     * @param {Object} options
     * @param {import('./book.js').Book} options.book
     * @param {import('./hub.js').Hub} options.hub
     * @param {import('./sealing/sealing.js').MessageSealing} options.sealing
     * @param {() => void} options.changed Told whenever something came further.
     */
    constructor(options) { this.#options = options; }

    #desk() {
        const { sealing, hub, book, changed } = this.#options;
        this.#opening ??= sealing.handover({ objects: objectsAt(hub), history: historyOf(book), changed }).then((desk) => {
            if (this.#isEnded) desk.close();
            return desk;
        });
        this.#opening.catch(() => { this.#opening = null; });
        return this.#opening;
    }

    /** Goes on with what was begun, and looks for what another device offers. What fails is said with its progress, and tried again with the next look. */
    look() { if (!this.#isEnded) this.#desk().then((desk) => desk.look()).catch(() => {}); }

    end() {
        this.#isEnded = true;
        this.#opening?.then((desk) => desk.close(), () => {});
    }

    // MARK: What a person asks for

    /** The devices of the account, each with how far its history came. */
    async told(devices) {
        const [list, desk] = await Promise.all([devices, this.#desk()]);
        const progress = await desk.progress();
        return { ...list, devices: list.devices.map((device) => ({ ...device, handover: progress[device.did] ?? null })) };
    }

    /** Adds a device, with this one's history where the person wants that. */
    async add(did, words, hasHistory) {
        const { sealing } = this.#options;
        const devices = await sealing.addDevice(did, words);
        if (hasHistory) await (await this.#desk()).handOverToAdded(did);
        return this.told(devices);
    }

    async handOver(did) {
        await (await this.#desk()).handOver(did);
        return this.told(this.#options.sealing.devices());
    }
}

// MARK: The hub's objects

/** @param {import('./hub.js').Hub} hub @returns {import('./sealing/handover-objects.js').HandoverObjects} */
function objectsAt(hub) {
    return {
        put: async (bytes) => {
            const { objectKey } = await hub.upload('chat_sealed', new Blob([/** @type {any} */ (bytes)]));
            if (typeof objectKey !== 'string' || objectKey.length > LIMITS.key) throw chatFailure('malformed', { what: 'objectKey' });
            return objectKey;
        },
        get: async (key, limit) => {
            const addresses = await hub.ask('/chat/media/sign', { object_keys: [key] });
            if (typeof addresses[key] !== 'string') throw refusal(1004);
            try {
                return new Uint8Array(await (await hub.bytes(addresses[key], { limit })).arrayBuffer());
            } catch (error) {
                // More than was said of it is another file.
                throw error?.detail?.reason === 'tooLong' ? sealingRefusal('otherFile') : error;
            }
        },
    };
}

// MARK: The conversations

/** @param {import('./book.js').Book} book @returns {import('./sealing/handover.js').HandoverHistory} */
function historyOf(book) {
    return {
        count: async () => {
            let count = 0;
            for (const record of book.conversations.values()) {
                const reader = new Reader(book, record, null);
                while (await reader.next()) count += 1;
            }
            return count;
        },
        after: (place, limit) => newest(book, place, limit),
        take: (messages, writes) => book.change(async (transaction) => {
            for (const message of messages) await takeHanded(transaction, message);
            for (const { table, key, value, remove } of writes) {
                if (remove) transaction.remove(table, key);
                else transaction.write(table, key, value);
            }
        }),
    };
}

/** Messages behind a place, of all conversations, the newest first. @param {Place | null} place @param {number} limit */
async function newest(book, place, limit) {
    const readers = [...book.conversations.values()].map((record) => new Reader(book, record, place?.[record.id] ?? null));
    const heads = (await Promise.all(readers.map(async (reader) => ({ reader, row: await reader.next() })))).filter(({ row }) => row);
    const found = [];
    let reached = place ?? {};
    while (heads.length > 0 && found.length < limit) {
        const head = heads.reduce((one, other) => (other.row.sent > one.row.sent ? other : one));
        const { conversation, seq } = head.row;
        reached = { ...reached, [conversation]: seq };
        found.push({ place: reached, message: messageOf(head.row) });
        head.row = await head.reader.next();
        if (!head.row) heads.splice(heads.indexOf(head), 1);
    }
    return found;
}

/** Goes back through what this device read of one conversation's sealed messages and is still there, by the hub's word. */
class Reader {
    #book;
    #id;
    #first;
    #end;
    /** @type {import('./message.js').Row[]} */
    #rows = [];

    /** @param {import('./book.js').Book} book @param {import('./book.js').Conversation} record @param {number | null} before */
    constructor(book, { id, lowest }, before) {
        this.#book = book;
        this.#id = id;
        this.#first = lowest;
        this.#end = (before ?? LIMITS.place + 1) - 1;
    }

    /** The next older one; undefined at the beginning of the conversation. */
    async next() {
        while (this.#rows.length === 0 && this.#end >= this.#first) {
            const rows = await this.#book.page(this.#id, { first: this.#first, last: this.#end, limit: PART });
            this.#end = (rows.at(-1)?.seq ?? this.#first) - 1;
            this.#rows = rows.filter(isRead);
        }
        return this.#rows.shift();
    }
}

/** @param {import('./message.js').Row} row */
function isRead({ status, content, trouble, isSealed, isRecalled, isDestroyed }) {
    return status === 'sent' && isSealed && content !== null && trouble === null && !isRecalled && !isDestroyed;
}

/** @param {import('./message.js').Row} row */
function messageOf({ conversation, from, id, seq, type, content }) {
    return { conversation, sender: from, id, seq, contentType: type, content: type === CUSTOM ? canonical(content) : content };
}
