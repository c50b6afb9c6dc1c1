import { canonical } from '../../../wire/json.js';
import { chainOf } from './contact.js';
import { refusal } from './failures.js';
import { bind, chosenBundles, sealMessage } from './message.js';
import { CUSTOM, customPayload, hubsPart, isControl, objectsOf } from './payload.js';
import { requirePeer, userIdOf } from './people.js';

/**
 * A message as it is sent: `content` is that of the request, of a text the text itself, of content type 110 the JSON text of the payload.
 *
 * @typedef {{id: string, conversation: string, contentType: number, content: string}} OutgoingMessage
 * @typedef {{contentType: number, content: string, isSealed: boolean}} SentForm
 */

/** Looks for a key of somebody who was never sealed for, half a second apart. */
const PATIENCE = 6;
const PAUSE = 500;
const STOPPED = { restarted: 'keysBeganAnew', forked: 'keysForked', clear: 'onlyClear' };

/** Seals what goes out. */
export class Outgoing {
    #own;
    #devices;
    /** One seals a message at a time, so that it has one form. @type {Map<string, Promise<SentForm>>} */
    #running = new Map();

    /**
     * @param {import('./own-devices.js').Own} own
     * @param {import('./own-devices.js').OwnDevices} devices
     */
    constructor(own, devices) {
        this.#own = own;
        this.#devices = devices;
    }

    /**
     * The form that goes to the hub: sealed where both people have keys, else as it is. The same message gives the same form at every attempt.
     *
     * @param {OutgoingMessage} message
     * @returns {Promise<SentForm>}
     */
    seal(message) {
        const { id } = message;
        if (!this.#running.has(id)) this.#running.set(id, this.#seal(message).finally(() => this.#running.delete(id)));
        return this.#running.get(id);
    }

    async #seal(message) {
        const { uid, identity, rows, beliefs } = this.#own;
        const payload = customPayload(message.contentType, message.content);
        // What the hub has to see stays as it is: that a view-once picture was viewed, and what is sealed already.
        if (isControl(payload) || payload?.type === 'sealed') return clear(message);
        const peer = requirePeer(message.conversation, uid);
        const kept = await rows.outgoing(message.id);
        if (kept?.sealed) return { contentType: CUSTOM, content: kept.sealed, isSealed: true };
        let mine = await beliefs.current(uid);
        if (!chainOf(mine)) {
            // The first list is made with the first message at the latest.
            await this.#devices.align();
            mine = await beliefs.contact(uid);
        }
        const other = await beliefs.current(peer);
        const trouble = mine.trouble ?? other.trouble;
        if (trouble && trouble !== 'clear') throw refusal(STOPPED[trouble]);
        const [ours, theirs] = [chainOf(mine), chainOf(other)];
        if (!ours || !theirs) return this.#clear(message, other, other.hasSealed);
        if (!ours.has(identity.did)) {
            if (!other.allowsClear) throw refusal('deviceNotAdded');
            return clear(message);
        }
        const binding = bind({ conversation: message.conversation, id: message.id, senders: ours.newest, receivers: theirs.newest });
        const bundles = await this.#bundles(binding, peer, !other.hasSealed);
        if (!bundles.some(({ did }) => theirs.has(did))) return this.#clear(message, other, true);
        return this.#sealed(message, payload, { binding, bundles, peer, kept });
    }

    async #sealed(message, payload, { binding, bundles, peer, kept }) {
        const { uid, identity, rows, beliefs, time } = this.#own;
        const { id, contentType, content } = message;
        // A message that is sealed anew keeps its count: nothing of it was stored.
        const count = kept?.count ?? (await beliefs.change(peer, (contact) => ({ ...contact, sent: contact.sent + 1 }))).sent;
        const sealed = canonical(await sealMessage({ contentType, content, count }, binding, bundles, identity, hubsPart(payload)));
        await rows.keepOutgoing(id, { contentType, content, sealed, count, at: time.now(), isSent: false });
        // The hub does not push it to this device, which shows its own pictures, too. A view-once picture is for the other person.
        if (payload && payload.type !== 'flash_image') await rows.addObjects(objectsOf(payload, id, userIdOf(uid)));
        await beliefs.change(peer, (contact) => ({ ...contact, hasSealed: true, allowsClear: false, trouble: contact.trouble === 'clear' ? null : contact.trouble }));
        return { contentType: CUSTOM, content: sealed, isSealed: true };
    }

    /** The keys that a message goes to. A device publishes its key right behind its first list: the first message to a person waits a moment for it. */
    async #bundles(binding, peer, isFirst) {
        const { uid, identity, beliefs, time } = this.#own;
        for (let attempt = 1; ; attempt += 1) {
            const bundles = chosenBundles(await beliefs.keyBundles([uid, peer]), binding, identity.did, time.now());
            const isMeant = bundles.some(({ did }) => binding.receivers.devices.some((device) => device.did === did));
            if (isMeant || !isFirst || attempt === PATIENCE) return bundles;
            await new Promise((resolve) => { time.after(PAUSE, () => resolve(undefined)); });
        }
    }

    /** A conversation of two people with lists, and one that was sealed once, is clear by a deliberate act alone. */
    async #clear(message, other, isSealed) {
        if (!isSealed || other.allowsClear) return clear(message);
        await this.#own.beliefs.change(other.uid, (contact) => ({ ...contact, trouble: 'clear' }));
        throw refusal('onlyClear');
    }

    /** The hub refused a message because of old lists, and stored nothing of it: it is sealed anew, under the same id. */
    async outdated({ id, conversation }) {
        const { uid, rows, beliefs } = this.#own;
        beliefs.forgetWhatWasTold([uid, requirePeer(conversation, uid)]);
        await rows.forgetSealed(id);
    }
}

/** @returns {SentForm} */
function clear({ contentType, content }) { return { contentType, content, isSealed: false }; }
