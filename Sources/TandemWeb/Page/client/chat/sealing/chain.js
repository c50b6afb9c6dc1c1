import { areEqual } from '../../../wire/bytes.js';
import { lists, makeEntry, readEntry, requireFollows } from './chain-entry.js';
import { malformed, refusal } from './failures.js';

/** @typedef {import('./chain-entry.js').ChainEntry} ChainEntry */

/**
 * The lists of an account's devices since its beginning, or since it began anew: each is signed by a device of the one before, so nobody else, the hub
 * included, can put a device into it. A value. Source: `docs/protocol.md` 2.10.1.
 */
export class AccountChain {
    /** @param {ChainEntry[]} entries Of a chain that was checked. */
    constructor(entries) { this.entries = entries; }

    /** A chain of its first entry alone. */
    static begin(start) {
        if (start.n !== 0) throw refusal('notContinuation');
        return new AccountChain([start]);
    }

    /** Reads a chain from its beginning on. */
    static async read(list) {
        if (!Array.isArray(list) || !list.length) throw malformed('entries');
        let chain = AccountChain.begin(await readEntry(list[0]));
        for (const json of list.slice(1)) chain = chain.appending(await readEntry(json));
        return chain;
    }

    get start() { return this.entries[0]; }

    get newest() { return this.entries[this.entries.length - 1]; }

    get uid() { return this.start.uid; }

    /** @returns {ChainEntry | undefined} */
    entry(number) { return this.entries[number]; }

    has(did) { return lists(this.newest, did); }

    /** @param {ChainEntry} entry */
    appending(entry) {
        requireFollows(entry, this.newest);
        return new AccountChain([...this.entries, entry]);
    }

    /**
     * What another copy of the same person's chain says to who believed this one.
     *
     * @param {AccountChain} other
     * @returns {'same' | 'grown' | 'restarted' | 'forked' | 'behind'}
     */
    news(other) {
        if (other.uid !== this.uid) return 'forked';
        if (!areEqual(other.start.hash, this.start.hash)) return other.start.reason === 'lost' ? 'restarted' : 'forked';
        const count = Math.min(other.entries.length, this.entries.length);
        if (this.entries.slice(0, count).some(({ hash }, at) => !areEqual(hash, other.entries[at].hash))) return 'forked';
        if (other.entries.length === this.entries.length) return 'same';
        return other.entries.length > this.entries.length ? 'grown' : 'behind';
    }

    /** The chain of a new account, signed by the device that made it. */
    static async first(uid, identity, name, now) {
        return AccountChain.begin(await makeEntry({ uid, n: 0, previous: null, devices: [{ did: identity.did, name, since: now }], reason: 'first' }, identity));
    }

    /** A chain that begins anew because all devices of the one before are lost. `lost` is the hash of the newest entry that the hub has. */
    static async restarted(uid, lost, identity, name, now) {
        return AccountChain.begin(await makeEntry({ uid, n: 0, previous: lost, devices: [{ did: identity.did, name, since: now }], reason: 'lost' }, identity));
    }

    /** With one device more. */
    adding(device, identity) { return this.#changed([...this.newest.devices, device], 'added', identity); }

    /** Without a device. The last one cannot go. */
    removing(did, identity) { return this.#changed(this.newest.devices.filter((device) => device.did !== did), 'removed', identity); }

    async #changed(devices, reason, identity) {
        const { uid, n, hash } = this.newest;
        return this.appending(await makeEntry({ uid, n: n + 1, previous: hash, devices, reason }, identity));
    }
}
