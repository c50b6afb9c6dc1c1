import { b64u, fromB64u } from './bytes.js';
import { words } from './keys.js';
import { isIdentifier, nameOf } from './peer-text.js';

/**
 * A paired computer, as it is kept.
 *
 * @typedef {Object} ComputerRecord
 * @property {string} id
 * @property {string} did
 * @property {string} key Its static X25519 key, b64u.
 * @property {string} words
 * @property {string} name
 * @property {string} platform
 * @property {number} pairedAt
 * @property {number} lastSeenAt
 * @property {boolean} isConfirmed Whether it is known that the computer holds the pairing.
 * @property {number | null} until When an unconfirmed record is over.
 * @property {string | null} lan
 * @property {string | null} relay
 * @property {string[] | null} rights Null where the computer never said them.
 * @property {number} rightsAt
 * @property {string | null} label The name that the person here gave it.
 */

const MOST_RIGHTS = 256;
const MOST_ADDRESSES = 4;

/** The paired computers: in memory, and in the store. */
export class Computers {
    #store;
    /** @type {Map<string, ComputerRecord>} */
    #all = new Map();

    /** @param {import('./store.js').Store} store */
    constructor(store) { this.#store = store; }

    async load(now) {
        for (const { key, value } of await this.#store.list('computers')) {
            // The other side forgot what this phone never confirmed.
            if (value.until !== null && value.until < now) await this.remove(key, value.did);
            else this.#all.set(key, value);
        }
    }

    get all() { return [...this.#all.values()]; }
    get(id) { return this.#all.get(id) ?? null; }
    ofKey(did) { return this.all.find((each) => each.did === did) ?? null; }

    /** Writes a newly paired one, in the place of what was known of it. */
    async add({ proven, lan, relay, until, now }) {
        const known = this.get(proven.device.id);
        const record = {
            id: proven.device.id, did: proven.did, key: b64u(proven.key), words: await words(proven.did), name: proven.device.name, platform: proven.device.platform,
            pairedAt: known?.pairedAt ?? now, lastSeenAt: now, isConfirmed: until === null, until, lan, relay, rights: null, rightsAt: 0, label: known?.label ?? null,
        };
        // What was agreed with the computer before is of no use any more.
        await this.#store.write([{ table: 'computers', key: record.id, value: record }, { table: 'sessions', key: record.did, remove: true }]);
        this.#all.set(record.id, record);
        return record;
    }

    /** Changes a record; null where there is none any more. */
    async update(id, members) {
        const record = this.get(id);
        if (!record) return null;
        const changed = { ...record, ...members };
        this.#all.set(id, changed);
        await this.#store.put('computers', id, changed);
        return changed;
    }

    async remove(id, did = this.get(id)?.did) {
        this.#all.delete(id);
        await this.#store.write([{ table: 'computers', key: id, remove: true }, ...(did ? [{ table: 'sessions', key: did, remove: true }] : [])]);
    }
}

/** The static key of a record. */
export function keyOfRecord(record) { return fromB64u(record.key, 32); }

/** The rights in a message of a computer, null where it says none. */
export function rightsIn(payload) {
    const { rights, at } = payload;
    if (!Array.isArray(rights) || !Number.isFinite(at)) return null;
    const { ends, asks } = payload;
    return {
        rights: rights.filter(isIdentifier).slice(0, MOST_RIGHTS), rightsAt: at,
        ends: byRight(ends, Number.isFinite), asks: byRight(asks, (ask) => isIdentifier(ask?.state) && Number.isFinite(ask.until)),
    };
}

/** What is said of single rights, as far as it is what it should be. */
function byRight(members, isValid) {
    if (typeof members !== 'object' || members === null || Array.isArray(members)) return {};
    return Object.fromEntries(Object.entries(members).filter(([name, value]) => isIdentifier(name) && isValid(value)).slice(0, MOST_RIGHTS));
}

/** The name in a message of a computer, null where it says none. */
export function nameIn(payload) {
    return typeof payload?.name === 'string' && payload.name ? { name: nameOf(payload.name) } : null;
}

/** The addresses in a message of a computer: the first usable of each kind, null where there is none. */
export function addressesIn(payload, isUsable) {
    const first = (list) => (Array.isArray(list) ? list.slice(0, MOST_ADDRESSES).find((each) => typeof each === 'string' && isUsable(each)) : undefined) ?? null;
    return { lan: first(payload.lan), relay: first(payload.relay) };
}
