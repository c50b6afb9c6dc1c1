import { areEqual } from '../../../wire/bytes.js';
import { ChainFetch } from './chain-fetch.js';
import { readBundle } from './chat-key.js';
import { chainOf, taking } from './contact.js';
import { refusal } from './failures.js';
import { userIdOf } from './people.js';

/**
 * The hub's requests for one who is signed in: `ask` gives the `data` of an answer. It rejects with an error whose `detail` has the reason `refused` with
 * the hub's number as `values.code`, `unreachable` or `timedOut`, or `noChat`.
 *
 * @typedef {{ask(path: string, body: Object<string, any>): Promise<any>}} Hub
 *
 * @typedef {import('./contact.js').Contact} Contact
 */

/** How long what the hub told of keys is taken, unless it tells of a change, in milliseconds. */
const FRESHNESS = 600_000;
/** Bundles of one person: two of each of 32 devices. */
const BUNDLE_LIMIT = 64;

/** What this device believes of people's lists and keys, its own person among them. */
export class Beliefs {
    #rows;
    #hub;
    #time;
    #changed;
    /** @type {Map<number, Contact>} */
    #contacts = new Map();
    /** When the hub was asked last for a person's list, and what keys it had. @type {Map<number, number>} */
    #asked = new Map();
    /** @type {Map<number, {bundles: import('./chat-key.js').KeyBundle[], at: number}>} */
    #bundles = new Map();

    /**
     * @param {import('./rows.js').SealingRows} rows
     * @param {Hub} hub
     * @param {import('../../../wire/time.js').Time} time
     * @param {(uid: number) => void} changed
     */
    constructor(rows, hub, time, changed) {
        this.#rows = rows;
        this.#hub = hub;
        this.#time = time;
        this.#changed = changed;
        this.fetch = new ChainFetch(hub);
    }

    /** The people that were looked at since the start. */
    get known() { return [...this.#contacts.keys()]; }

    /** @returns {Promise<Contact>} */
    async contact(uid) {
        if (!this.#contacts.has(uid)) {
            const loaded = await this.#rows.contact(uid);
            if (!this.#contacts.has(uid)) this.#contacts.set(uid, loaded);
        }
        return this.#contacts.get(uid);
    }

    /**
     * Changes what is kept of a person; it is in the store when this is done.
     *
     * @param {number} uid
     * @param {(contact: Contact) => Contact} body
     */
    async change(uid, body) {
        await this.contact(uid);
        // Another change may have come while this one waited.
        const before = this.#contacts.get(uid);
        const after = body(before);
        if (after === before) return before;
        this.#contacts.set(uid, after);
        await this.#rows.save(after, before);
        if (!isAlike(before, after)) this.#changed(uid);
        return after;
    }

    /** What is known of a person, after the hub was asked where that is due. */
    async current(uid) { return this.#isFresh(this.#asked.get(uid)) ? this.contact(uid) : this.refreshed(uid); }

    /** As ``current``, always by asking. */
    async refreshed(uid) {
        const began = this.#time.now();
        const offer = await this.fetch.offer(uid, chainOf(await this.contact(uid)));
        const contact = await this.believe(uid, offer);
        // Who has no list is asked for again with the next message: a change of a stranger's is told to nobody.
        if (chainOf(contact)) this.#asked.set(uid, began);
        else this.#asked.delete(uid);
        return contact;
    }

    /**
     * Believes what a person's device signed, and notes what does not hold.
     *
     * @param {number} uid
     * @param {import('./chain-fetch.js').ChainOffer} offer
     */
    believe(uid, offer) { return this.change(uid, (known) => taking(known, offer)); }

    /**
     * The chat keys of people's devices, as far as their signatures go; their lists say which devices are meant.
     *
     * @param {number[]} people
     */
    async keyBundles(people) {
        const stale = people.filter((uid) => !this.#isFresh(this.#bundles.get(uid)?.at));
        if (stale.length) await this.#askForKeys(stale);
        return people.flatMap((uid) => this.#bundles.get(uid)?.bundles ?? []);
    }

    async #askForKeys(people) {
        const at = this.#time.now();
        const answer = await this.#hub.ask('/chat/keys/bundles', { userIDs: people.map(userIdOf) });
        if (!Array.isArray(answer?.bundles)) throw refusal('wrongAnswer');
        for (const uid of people) {
            const told = answer.bundles.find((one) => one?.userID === userIdOf(uid))?.bundles ?? [];
            if (!Array.isArray(told) || told.length > BUNDLE_LIMIT) throw refusal('wrongAnswer');
            // One that does not hold spoils none beside it.
            const found = (await Promise.all(told.map((json) => readBundle(json).catch(() => null)))).filter((bundle) => bundle !== null);
            // None is asked for again.
            if (found.length) this.#bundles.set(uid, { bundles: found, at });
            else this.#bundles.delete(uid);
        }
    }

    /** Takes nothing that was told of these people's lists and keys for new; without people of nobody's. */
    forgetWhatWasTold(people = [...this.#asked.keys(), ...this.#bundles.keys()]) {
        for (const uid of people) {
            this.#asked.delete(uid);
            this.#bundles.delete(uid);
        }
    }

    #isFresh(at) {
        const age = this.#time.now() - at;
        // A clock that was set back makes nothing newer.
        return age >= 0 && age < FRESHNESS;
    }
}

/** Whether two values of a contact look the same to the person. */
function isAlike(one, other) {
    const [before, after] = [chainOf(one)?.newest.hash, chainOf(other)?.newest.hash];
    const isSameChain = before === after || Boolean(before && after && areEqual(before, after));
    return isSameChain && one.trouble === other.trouble && one.isVerified === other.isVerified && one.hasSealed === other.hasSealed;
}
