import { systemTime } from '../../../wire/time.js';
import { Beliefs } from './beliefs.js';
import { listedName } from './chain-entry.js';
import { refusal, refusedCode } from './failures.js';
import { Incoming } from './incoming.js';
import { objectOf, openObject, sealFile } from './media.js';
import { Outgoing } from './outgoing.js';
import { OwnDevices } from './own-devices.js';
import { flashName, isSealedKey } from './payload.js';
import { conversationOf, numberOf, requirePeer } from './people.js';
import { SealingRows } from './rows.js';
import { Safety } from './safety.js';

export { SEALING_TABLES } from './rows.js';

/** Between two looks at the own keys, in milliseconds. */
const LOOK = 3_600_000;
/** How often a message is sealed anew for one attempt to send it: two devices may be added while it is on its way. */
const ATTEMPTS = 3;
/** The hub's number for a message that names old lists of devices; nothing of it is stored. */
const OUTDATED = 409;

/**
 * The sealed conversations of one account on this device: its own keys and list of devices, what it believes of others', and every message that is sealed
 * or opened. People are `tb_9`, conversations `si_tb_7_tb_9`. Source: `docs/chat-sealing.md`.
 */
export class MessageSealing {
    #own;
    #devices;
    #outgoing;
    #incoming;
    #safety;
    #ownChanged;
    #stop = () => {};
    #isRunning = false;

    /**
     * @param {Object} options
     * @param {import('../../../wire/store.js').Store} options.store With the tables of ``SEALING_TABLES``.
     * @param {import('./beliefs.js').Hub} options.hub
     * @param {{did: string, signing: CryptoKey}} options.identity
     * @param {number} options.uid The account's number.
     * @param {string} options.name How this device stands in the list; what is too long is cut.
     * @param {import('../../../wire/time.js').Time} [options.time]
     * @param {(conversation: string) => void} [options.changed] The standing of a conversation changed.
     * @param {() => void} [options.ownChanged] The own list or keys may have changed.
     */
    constructor({ store, hub, identity, uid, name, time = systemTime, changed = () => {}, ownChanged = () => {} }) {
        const rows = new SealingRows(store, uid);
        const tell = (person) => {
            const peers = person === uid ? beliefs.known.filter((other) => other !== uid) : [person];
            for (const peer of peers) changed(conversationOf(uid, peer));
        };
        const beliefs = new Beliefs(rows, hub, time, tell);
        this.#own = { uid, identity, name: listedName(name), hub, rows, beliefs, time };
        this.#devices = new OwnDevices(this.#own);
        this.#outgoing = new Outgoing(this.#own, this.#devices);
        this.#incoming = new Incoming(this.#own, this.#devices);
        this.#safety = new Safety(this.#own);
        this.#ownChanged = ownChanged;
    }

    // MARK: What runs beside messages

    /**
     * Brings the own list and keys to where they have to be. Never throws.
     *
     * @returns {Promise<Error | null>} Why that has to wait, null where it is done.
     */
    async prepare() {
        const failure = await this.#devices.align();
        this.#ownChanged();
        return failure;
    }

    /** Prepares now and every hour, until ``close``. */
    start() {
        if (this.#isRunning) return;
        this.#isRunning = true;
        this.#look();
    }

    async #look() {
        await this.prepare();
        if (this.#isRunning) this.#stop = this.#own.time.after(LOOK, () => this.#look());
    }

    close() {
        this.#isRunning = false;
        this.#stop();
    }

    /** The hub is reached, or reached again. Changes of keys are told live only, so nothing that it told before counts as new. */
    connected() {
        this.#own.beliefs.forgetWhatWasTold();
        return this.prepare();
    }

    /** The hub dropped news. */
    resynced() { this.#own.beliefs.forgetWhatWasTold(); }

    /** The hub tells that a person's list or keys changed. */
    async keysChanged(userId) {
        const person = numberOf(userId);
        if (person === null) return;
        this.#own.beliefs.forgetWhatWasTold([person]);
        if (person === this.#own.uid) return void await this.prepare();
        // Without the hub it is asked for before the next message.
        await this.#own.beliefs.current(person).catch(() => {});
    }

    /** Everything that was sent until then, by the hub's clock in milliseconds since 1970, is on this device: old keys are deleted by it. */
    fetchedUpTo(time) { this.#devices.noteFetched(time); }

    /** Removes the keys and lists of the account: it was deleted at its hub. What was sealed for it can be opened no more. */
    forget() { return this.#own.rows.removeAll(); }

    // MARK: Messages

    /**
     * The form that goes to the hub: sealed where both people have lists, else as it is. The same message gives the same form at every attempt.
     *
     * @param {import('./outgoing.js').OutgoingMessage} message
     */
    seal(message) { return this.#outgoing.seal(message); }

    /** The hub refused a message because of old lists, and stored nothing of it: ``seal`` makes it anew. */
    outdated(message) { return this.#outgoing.outdated(message); }

    /** The hub has a message. */
    acknowledged(id) { return this.#own.rows.noteSent(id); }

    /**
     * Seals a message and sends it; one that the hub refuses for old lists is sealed anew under the same id.
     *
     * @template Answer
     * @param {import('./outgoing.js').OutgoingMessage} message
     * @param {(form: {contentType: number, content: string}) => Promise<Answer>} post
     * @returns {Promise<{answer: Answer, isSealed: boolean}>}
     */
    async send(message, post) {
        for (let attempt = 1; ; attempt += 1) {
            const { contentType, content, isSealed } = await this.seal(message);
            try {
                const answer = await post({ contentType, content });
                if (isSealed) await this.acknowledged(message.id);
                return { answer, isSealed };
            } catch (error) {
                if (refusedCode(error) !== OUTDATED || attempt === ATTEMPTS) throw error;
                await this.outdated(message);
            }
        }
    }

    /**
     * A message that came, as this device reads it. Never throws: what cannot be opened is told with its reason.
     *
     * @param {import('./incoming.js').IncomingMessage} message
     */
    open(message) { return this.#incoming.open(message); }

    // MARK: Trust

    standing(conversation) { return this.#safety.standing(conversation); }

    safety(conversation) { return this.#safety.safety(conversation); }

    verify(conversation, isVerified) { return this.#safety.verify(conversation, isVerified); }

    /**
     * @param {string} conversation
     * @param {'newKeys' | 'clear'} kind
     */
    agree(conversation, kind) { return this.#safety.agree(conversation, kind); }

    ownChain() { return this.#safety.ownChain(); }

    met(userId, start) { return this.#safety.met(userId, start); }

    /**
     * @param {string} conversation
     * @param {import('./safety.js').DevicePlace | null} place
     */
    deviceChanges(conversation, place) { return this.#safety.deviceChanges(conversation, place); }

    // MARK: The own devices

    devices() { return this.#devices.list(); }

    async addDevice(did, words) {
        await this.#devices.add(did, words);
        return this.devices();
    }

    async removeDevice(did) {
        await this.#devices.remove(did);
        return this.devices();
    }

    async renewDevices(isAdopting = false) {
        await this.#devices.renew(isAdopting);
        return this.devices();
    }

    /**
     * Hands history over to other devices of the account, and takes it from them.
     *
     * @param {{objects: import('./handover-objects.js').HandoverObjects, history: import('./handover.js').HandoverHistory, changed?: () => void}} seams
     */
    async handover(seams) {
        const { HandoverDesk } = await import('./handover.js');
        return new HandoverDesk(this.#own, this.#devices, seams);
    }

    // MARK: Files

    /**
     * Seals a file before it is uploaded. `object` belongs into the payload as `sealed`.
     *
     * @param {Uint8Array} file
     * @param {{type: string, preview?: Uint8Array}} about `type` is what its first bytes say, for example `image/jpeg`.
     * @param {string} conversation
     * @returns {Promise<{bytes: Uint8Array, object: import('./media.js').SealedObject} | null>} Null where the conversation is not sealed: the file goes as it is.
     */
    async sealFile(file, about, conversation) {
        const { uid, beliefs } = this.#own;
        for (const person of [uid, requirePeer(conversation, uid)]) await beliefs.current(person);
        if (!(await this.standing(conversation)).isSealed) return null;
        const sealed = await sealFile(file);
        return { bytes: sealed.bytes, object: objectOf(sealed, { ...about, size: file.length }) };
    }

    /** The bytes of an object as its sender had them; those of a clear one as they are. */
    async openFile(bytes, objectKey) {
        if (!isSealedKey(objectKey)) return bytes;
        const object = await this.#own.rows.object(objectKey);
        if (!object) throw refusal('unknownMessage');
        return openObject(bytes, object);
    }

    /** As ``openFile``, of a view-once picture, by its message. Its key is deleted: there is nothing left to open a second time. */
    async openFlash(bytes, id, sender) {
        const name = flashName(id, sender);
        const object = await this.#own.rows.object(name);
        if (!object) return bytes;
        const opened = await openObject(bytes, object);
        await this.#own.rows.removeObject(name);
        return opened;
    }
}
