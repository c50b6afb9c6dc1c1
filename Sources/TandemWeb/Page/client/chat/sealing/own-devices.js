import { areEqual } from '../../../wire/bytes.js';
import { keyOf, makeAgreementKey, words } from '../../../wire/keys.js';
import { AccountChain } from './chain.js';
import { listedName } from './chain-entry.js';
import { isDue, isOver, kidOf, makeBundle, OVERLAP } from './chat-key.js';
import { chainOf, growing, replacing } from './contact.js';
import { refusal, refusedCode } from './failures.js';
import { userIdOf } from './people.js';

/** The hub's number for an entry that does not follow on the newest one. */
const DUPLICATE = 1003;
/** Tries where another device was faster. */
const TRIES = 3;

/**
 * What the parts of sealing share: this account and device, and the seams.
 *
 * @typedef {Object} Own
 * @property {number} uid
 * @property {{did: string, signing: CryptoKey}} identity
 * @property {string} name How this device stands in lists.
 * @property {import('./beliefs.js').Hub} hub
 * @property {import('./rows.js').SealingRows} rows
 * @property {import('./beliefs.js').Beliefs} beliefs
 * @property {import('../../../wire/time.js').Time} time
 */

/** The account's own list of devices, and this device's keys for messages. */
export class OwnDevices {
    #own;
    /** @type {Promise<import('./rows.js').KeptKey[]> | null} */
    #keys = null;
    #aligning = null;
    /** Everything that was sent until then, by the hub's clock, was fetched; 0 while that is not known. */
    #fetchedUpTo = 0;

    /** @param {Own} own */
    constructor(own) { this.#own = own; }

    noteFetched(time) { this.#fetchedUpTo = Math.max(this.#fetchedUpTo, time); }

    /** All keys of this device, those too whose private halves are deleted. */
    async keys() {
        this.#keys ??= this.#own.rows.keys();
        try {
            return await this.#keys;
        } catch (error) {
            this.#keys = null;
            throw error;
        }
    }

    /** Keys that open messages. */
    async pairs() { return (await this.keys()).filter(({ pair }) => pair); }

    /**
     * Brings the own list and keys to where they have to be.
     *
     * @returns {Promise<Error | null>} Why that has to wait, null where it is done.
     */
    async align() {
        this.#aligning ??= this.#alignList().then(() => this.#alignKeys()).then(() => null, (error) => error).finally(() => { this.#aligning = null; });
        return this.#aligning;
    }

    /** Believes the own list, makes the first one, and gives the hub back what it lost. */
    async #alignList() {
        const { uid, identity, name, beliefs, time } = this.#own;
        const known = chainOf(await beliefs.contact(uid));
        const offer = await beliefs.fetch.offer(uid, known);
        if (offer.kind === 'chain' || offer.kind === 'broken') return void await beliefs.believe(uid, offer);
        const chain = known ?? await AccountChain.first(uid, identity, name, time.now());
        const missing = offer.kind === 'behind' ? chain.entries.slice(offer.newest + 1) : chain.entries;
        try {
            for (const entry of missing) await this.#append(entry);
        } catch (error) {
            if (refusedCode(error) !== DUPLICATE) throw error;
            // Another device was faster, and its list is in force; or the hub has another one, which is no continuation.
            await beliefs.refreshed(uid);
            return;
        }
        await beliefs.change(uid, (contact) => growing(contact, chain));
        // A hub that lost the list lost the keys of its devices, too.
        if (known) await this.#publishAgain();
    }

    #append({ json }) { return this.#own.hub.ask('/chat/chain/append', { userID: userIdOf(this.#own.uid), entry: json }); }

    async #alignKeys() {
        const { uid, rows, beliefs, time } = this.#own;
        await rows.removeSent(time.now() - OVERLAP);
        // A device that waits to be added shows its key, too: so the others know that it waits.
        const contact = await beliefs.contact(uid);
        const chain = chainOf(contact);
        if (!contact.trouble && chain) await this.#renewKey(chain);
        const over = (await this.pairs()).filter((key) => isOver(key, this.#fetchedUpTo, time.now()));
        if (over.length) await this.#save(over.map((key) => ({ ...key, pair: null })));
    }

    /** Publishes a key where the newest one is due, was not published, or is older than the removal of a device. */
    async #renewKey(chain) {
        const { uid, identity, hub, time } = this.#own;
        let [newest] = await this.pairs();
        const removal = chain.entries.findLast(({ reason }) => reason === 'removed')?.n ?? -1;
        if (isDue(newest?.made, time.now()) || newest.list < removal) {
            const pair = await makeAgreementKey();
            newest = { kid: await kidOf(pair.bytes), pair, made: time.now(), list: chain.newest.n, isPublished: false, succeeded: null };
            await this.#save([newest]);
        } else if (newest.isPublished) {
            return;
        }
        await hub.ask('/chat/keys/publish', { userID: userIdOf(uid), bundle: await makeBundle(newest.pair.bytes, newest.made, identity) });
        const now = time.now();
        const before = (await this.keys()).filter(({ kid, isPublished, succeeded }) => kid !== newest.kid && isPublished && succeeded === null);
        await this.#save([{ ...newest, isPublished: true }, ...before.map((key) => ({ ...key, succeeded: now }))]);
    }

    /** Has the newest key published again, with the next look at the keys: the hub deleted it. */
    async #publishAgain() {
        const [newest] = await this.pairs();
        if (newest) await this.#save([{ ...newest, isPublished: false }]);
    }

    async #save(keys) {
        await this.#own.rows.saveKeys(keys);
        this.#keys = null;
    }

    // MARK: The list, as a person sees and changes it

    /** The devices in the list, and those of the account that wait to be added. */
    async list() {
        const { uid, identity, name, beliefs } = this.#own;
        const contact = await beliefs.current(uid);
        const listed = chainOf(contact)?.newest.devices ?? [];
        const isListed = listed.some(({ did }) => did === identity.did);
        // Its words are what a person types on another device.
        const devices = [...isListed ? [] : [{ did: identity.did, name, state: 'this' }], ...listed.map((device) => ({ ...device, state: device.did === identity.did ? 'this' : 'listed' }))];
        for (const device of await this.#waiting()) if (device.did !== identity.did) devices.push({ ...device, state: 'waiting' });
        const shown = devices.map(async (device) => ({ did: device.did, name: device.name, words: await words(device.did), state: device.state, handover: null }));
        return { devices: await Promise.all(shown), isListed, trouble: contact.trouble };
    }

    /** Devices that are signed in to the account or showed a key, and are not in the list. All of it is what the hub says. */
    async #waiting() {
        const { uid, hub, beliefs } = this.#own;
        const listed = chainOf(await beliefs.contact(uid))?.newest.devices ?? [];
        // A hub that does not answer this has told of keys all the same.
        const account = await hub.ask('/account/devices', {}).catch(() => null);
        const signedIn = (Array.isArray(account?.devices) ? account.devices : []).filter((device) => keyOf(device?.did)).map(({ did, name }) => ({ did, name: listedName(name ?? '') }));
        const showing = (await beliefs.keyBundles([uid])).map(({ did }) => ({ did, name: listedName('') }));
        const seen = new Set(listed.map(({ did }) => did));
        return [...signedIn, ...showing].filter(({ did }) => !seen.has(did) && seen.add(did));
    }

    /** Adds a device of the account to the list, once a person compared the words of its key. */
    async add(did, typed) {
        const { uid, identity, beliefs, time } = this.#own;
        beliefs.forgetWhatWasTold([uid]);
        await beliefs.current(uid);
        const device = (await this.#waiting()).find((one) => one.did === did);
        if (!device || await words(did) !== String(typed).toLowerCase().replace(/\s/g, '')) throw refusal('notThatDevice');
        const since = time.now();
        await this.#changeList((chain) => (chain.has(did) ? chain : chain.adding({ did, name: device.name, since }, identity)));
    }

    /** Takes a device out of the list. All others make new keys. */
    async remove(did) {
        const { uid, identity, beliefs } = this.#own;
        if (!chainOf(await beliefs.current(uid))?.has(did)) throw refusal('notThatDevice');
        await this.#changeList((chain) => (chain.has(did) ? chain.removing(did, identity) : chain));
    }

    /** @param {(chain: AccountChain) => AccountChain | Promise<AccountChain>} body Makes the next list of the one in force. */
    async #changeList(body) {
        const { uid, identity, beliefs } = this.#own;
        for (let attempt = 1; ; attempt += 1) {
            const contact = await beliefs.refreshed(uid);
            const chain = chainOf(contact);
            if (contact.trouble || !chain?.has(identity.did)) throw refusal('deviceNotAdded');
            const next = await body(chain);
            if (next === chain) return;
            try {
                await this.#append(next.newest);
            } catch (error) {
                if (refusedCode(error) === DUPLICATE && attempt < TRIES) continue;
                throw error;
            }
            await beliefs.change(uid, (known) => growing(known, next));
            await this.align();
            return;
        }
    }

    /** Begins the list anew with this device alone, because all others are lost; or takes the hub's list in place of the one that was seen. */
    async renew(isAdopting) {
        const { uid, identity, name, beliefs, time } = this.#own;
        const offer = await beliefs.fetch.whole(uid);
        if (offer.kind !== 'chain') throw refusal('nothingToAgree');
        let { chain } = offer;
        if (!isAdopting) {
            chain = await AccountChain.restarted(uid, chain.newest.hash, identity, name, time.now());
            // With the list before the hub deletes all keys: this device may have shown its own while it waited.
            await this.#publishAgain();
            await this.#append(chain.start);
        }
        await beliefs.change(uid, (contact) => {
            const known = chainOf(contact);
            const isSame = known && areEqual(known.start.hash, chain.start.hash);
            return { ...isSame ? growing(contact, chain) : replacing(contact, chain), trouble: null };
        });
        await this.align();
    }
}
