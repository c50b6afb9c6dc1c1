import { AccountChain } from './chain.js';
import { strangerOf } from './contact.js';

/** The tables of sealed conversations. Keys of WebCrypto that cannot be exported are in them. */
export const SEALING_TABLES = ['sealing-contacts', 'sealing-chains', 'sealing-keys', 'sealing-outgoing', 'sealing-objects', 'sealing-handovers'];
const [CONTACTS, CHAINS, KEYS, OUTGOING, OBJECTS, HANDOVERS] = SEALING_TABLES;

/**
 * A chat key of this device, as it is kept; without `pair` its private half was deleted, and its name stays, to say why a message cannot be opened.
 *
 * @typedef {{kid: string, pair: import('../../../wire/keys.js').AgreementKey | null, made: number, list: number, isPublished: boolean, succeeded: number | null}} KeptKey
 *
 * A message that this device sealed; `sealed` is null after a refusal because of old lists.
 *
 * @typedef {{contentType: number, content: string, sealed: string | null, count: number, at: number, isSent: boolean}} KeptOutgoing
 */

/** One account's rows, each under the account's number. */
export class SealingRows {
    #store;
    #prefix;
    /** Changes that look first at what is there. They come one after the other. @type {Promise<any>} */
    #last = Promise.resolve();

    /**
     * @param {import('../../../wire/store.js').Store} store
     * @param {number} uid
     */
    constructor(store, uid) {
        this.#store = store;
        this.#prefix = `${uid}/`;
    }

    #key(name) { return this.#prefix + name; }

    async #own(table) { return (await this.#store.list(table)).filter(({ key }) => key.startsWith(this.#prefix)); }

    #inTurn(action) {
        const done = this.#last.then(action);
        this.#last = done.catch(() => {});
        return done;
    }

    // MARK: Contacts

    /** @returns {Promise<import('./contact.js').Contact>} */
    async contact(uid) {
        const [kept, lists] = await Promise.all([this.#store.get(CONTACTS, this.#key(uid)), this.#store.get(CHAINS, this.#key(uid))]);
        return { ...strangerOf(uid), ...kept, chains: await Promise.all((lists ?? []).map((entries) => AccountChain.read(entries))) };
    }

    /**
     * @param {import('./contact.js').Contact} contact
     * @param {import('./contact.js').Contact} before What is kept of it.
     */
    save({ chains, ...contact }, before) {
        const key = this.#key(contact.uid);
        const writes = [{ table: CONTACTS, key, value: contact }];
        if (chains !== before.chains) writes.push({ table: CHAINS, key, value: /** @type {any} */ (chains.map(({ entries }) => entries.map(({ json }) => json))) });
        return this.#store.write(writes);
    }

    // MARK: Keys

    /** All keys, the newest first. @returns {Promise<KeptKey[]>} */
    async keys() { return (await this.#own(KEYS)).map(({ value }) => value).sort((one, other) => other.made - one.made || (one.kid < other.kid ? -1 : 1)); }

    /** @param {KeptKey[]} keys */
    saveKeys(keys) { return this.#store.write(keys.map((value) => ({ table: KEYS, key: this.#key(value.kid), value }))); }

    // MARK: Outgoing messages

    /** @returns {Promise<KeptOutgoing | undefined>} */
    outgoing(id) { return this.#store.get(OUTGOING, this.#key(id)); }

    /** @param {KeptOutgoing} message */
    keepOutgoing(id, message) { return this.#store.put(OUTGOING, this.#key(id), message); }

    /** The hub refused the sealed form, and stored nothing of it. */
    forgetSealed(id) {
        return this.#inTurn(async () => {
            const kept = await this.outgoing(id);
            if (kept && !kept.isSent) await this.keepOutgoing(id, { ...kept, sealed: null });
        });
    }

    noteSent(id) {
        return this.#inTurn(async () => {
            const kept = await this.outgoing(id);
            if (kept) await this.keepOutgoing(id, { ...kept, isSent: true });
        });
    }

    /** Removes what was sent before a time. */
    async removeSent(before) {
        const over = (await this.#own(OUTGOING)).filter(({ value }) => value.isSent && value.at < before);
        if (over.length) await this.#store.write(over.map(({ key }) => ({ table: OUTGOING, key, remove: true })));
    }

    // MARK: Files

    /**
     * Keeps what opens files, by the keys of their objects, of view-once pictures by their messages. What is known stays.
     *
     * @param {{name: string, object: import('./media.js').SealedObject}[]} objects
     */
    addObjects(objects) {
        return this.#inTurn(async () => {
            for (const { name, object } of objects) if (!await this.object(name)) await this.#store.put(OBJECTS, this.#key(name), object);
        });
    }

    /** @returns {Promise<import('./media.js').SealedObject | undefined>} */
    object(name) { return this.#store.get(OBJECTS, this.#key(name)); }

    removeObject(name) { return this.#store.delete(OBJECTS, this.#key(name)); }

    // MARK: Handing over

    /** What is known of histories that go out to devices, or come in by offers. @param {'out' | 'in'} way */
    async handovers(way) { return (await this.#own(HANDOVERS)).filter(({ key }) => key.startsWith(this.#key(`${way}/`))).map(({ value }) => value); }

    /** The write of one of these, for a transaction with others; of none to remove it. */
    handoverWrite(way, name, value) {
        const place = { table: HANDOVERS, key: this.#key(`${way}/${name}`) };
        return value === null ? { ...place, remove: true } : { ...place, value };
    }

    saveHandover(way, name, value) { return this.#store.write([this.handoverWrite(way, name, value)]); }

    /** Removes everything of the account. */
    async removeAll() {
        const rows = await Promise.all(SEALING_TABLES.map(async (table) => (await this.#own(table)).map(({ key }) => ({ table, key, remove: true }))));
        if (rows.flat().length) await this.#store.write(rows.flat());
    }
}
