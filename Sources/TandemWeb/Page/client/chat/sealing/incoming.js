import { malformed, reasonOf, refusal } from './failures.js';
import { noted } from './history.js';
import { bind, openMessage, readEnvelope, verifyMessage } from './message.js';
import { CUSTOM, customPayload, isControl, isDestroyed, objectsOf, TEXT, withoutAddresses } from './payload.js';
import { numberOf, peerOf, requirePeer } from './people.js';

/**
 * A message as the hub handed it over: `content` has the same form as that of one which is sent; `sender` is `tb_9`, `seq` its place.
 *
 * @typedef {{id: string, conversation: string, sender: string, seq: number, contentType: number, content: string, isFromServer?: boolean}} IncomingMessage
 *
 * The message as this device reads it. With a `trouble` it could not be opened, and content and type are as they came. `findings` say what is odd about its
 * place, as far as messages come in the order of their places.
 *
 * @typedef {{contentType: number, content: string, isSealed: boolean, trouble: Unreadable | null, isUnexpectedlyClear: boolean, findings: import('./history.js').Finding[]}} OpenedMessage
 *
 * @typedef {'otherDevice' | 'keyGone' | 'badSignature' | 'unknownList' | 'damaged'} Unreadable
 */

/** Chains of one person that a message is tried with, the newest first. */
const CHAIN_LIMIT = 4;

/** Opens what comes in. */
export class Incoming {
    #own;
    #devices;

    /**
     * @param {import('./own-devices.js').Own} own
     * @param {import('./own-devices.js').OwnDevices} devices
     */
    constructor(own, devices) {
        this.#own = own;
        this.#devices = devices;
    }

    /**
     * The content of a message that came; of a clear one as it is. Never throws: what cannot be opened is told with its reason.
     *
     * @param {IncomingMessage} message
     * @returns {Promise<OpenedMessage>}
     */
    async open(message) {
        const { contentType, content } = message;
        const peer = peerOf(message.conversation, this.#own.uid);
        const payload = customPayload(contentType, content);
        if (payload?.type !== 'sealed' || peer === null) {
            const isUnexpectedlyClear = peer !== null && await this.#isUnexpectedlyClear(message, payload, peer);
            return { contentType, content, isSealed: false, trouble: null, isUnexpectedlyClear, findings: [] };
        }
        try {
            return { ...await this.#opened(payload, message, peer), isSealed: true, trouble: null, isUnexpectedlyClear: false };
        } catch (error) {
            return { contentType, content, isSealed: true, trouble: unreadable(error), isUnexpectedlyClear: false, findings: [] };
        }
    }

    async #isUnexpectedlyClear({ contentType, seq, isFromServer = false }, payload, peer) {
        // A server's own notices are clear always, and so is what changes other rows.
        if (isFromServer || ![TEXT, CUSTOM].includes(contentType) || isControl(payload) || isDestroyed(payload)) return false;
        const contact = await this.#own.beliefs.contact(peer).catch(() => null);
        return Boolean(contact?.hasSealed) && !contact.allowsClear && contact.sealedFrom !== null && seq > contact.sealedFrom;
    }

    async #opened(json, message, peer) {
        const { uid, identity, rows, beliefs } = this.#own;
        const envelope = readEnvelope(json);
        const sender = numberOf(message.sender);
        if (sender !== uid && sender !== peer) throw malformed('sendID');
        let bindings = await this.#bindings(envelope, message, sender);
        if (!bindings.length) {
            // A list that this device has not seen: the hub has it.
            beliefs.forgetWhatWasTold([uid, peer]);
            for (const person of [uid, peer]) await beliefs.current(person);
            bindings = await this.#bindings(envelope, message, sender);
        }
        // What this device sealed is for all others: it keeps the words itself.
        if (sender === uid && envelope.from === identity.did) return this.#ownWords(envelope, bindings, message, peer);
        const { opened, binding } = await this.#tried(envelope, bindings);
        const payload = customPayload(opened.contentType, opened.content);
        let findings = [];
        await beliefs.change(peer, (contact) => {
            const seen = noted(contact.history, envelope, opened.count, binding);
            findings = seen.findings;
            return { ...sealedAt(contact, message.seq), history: seen.history };
        });
        await rows.addObjects(objectsOf(payload, message.id, message.sender));
        return { contentType: opened.contentType, content: withoutAddresses(opened.contentType, opened.content), findings };
    }

    /** The words of a message of this device, where its signature says that it is the one that stands here. */
    async #ownWords(envelope, bindings, message, peer) {
        const { rows, beliefs } = this.#own;
        const held = await Promise.all(bindings.map((binding) => verifyMessage(envelope, binding).then(() => true, () => false)));
        if (!held.includes(true)) throw refusal(bindings.length ? 'badSignature' : 'unknownList');
        const kept = await rows.outgoing(message.id);
        if (!kept) throw refusal('otherDevice');
        await beliefs.change(peer, (contact) => sealedAt(contact, message.seq));
        await rows.addObjects(objectsOf(customPayload(kept.contentType, kept.content), message.id, message.sender));
        return { contentType: kept.contentType, content: kept.content, findings: [] };
    }

    /** The places that a message may belong to: the lists that it names, of chains that were believed. */
    async #bindings({ senderList, receiverList }, { conversation, id }, sender) {
        const { beliefs } = this.#own;
        const chains = async (uid) => (await beliefs.contact(uid)).chains.slice(-CHAIN_LIMIT).reverse();
        const [senders, others] = await Promise.all([chains(sender), chains(requirePeer(conversation, sender))]);
        return senders.map((chain) => chain.entry(senderList)).filter(Boolean).flatMap((list) => others.map((chain) => chain.entry(receiverList)).filter(Boolean).flatMap((receivers) => {
            try {
                return [bind({ conversation, id, senders: list, receivers })];
            } catch {
                return [];
            }
        }));
    }

    async #tried(envelope, bindings) {
        const keys = await this.#devices.pairs();
        let failure = refusal('unknownList');
        for (const binding of bindings) {
            try {
                return { opened: await openMessage(envelope, keys, binding), binding };
            } catch (error) {
                // A signature that holds with one pair of lists does with no other.
                failure = error;
                if (['otherDevice', 'damaged'].includes(reasonOf(error))) break;
            }
        }
        const meant = envelope.to.map(({ kid }) => kid);
        const wasOwn = reasonOf(failure) === 'otherDevice' && (await this.#devices.keys()).some(({ kid, pair }) => !pair && meant.includes(kid));
        throw wasOwn ? refusal('keyGone') : failure;
    }
}

/** A contact after a sealed message at a place of the conversation. */
function sealedAt(contact, seq) {
    if (!(seq > 0) || contact.hasSealed && contact.sealedFrom !== null && seq >= contact.sealedFrom) return contact;
    return { ...contact, hasSealed: true, sealedFrom: Math.min(contact.sealedFrom ?? seq, seq) };
}

/** @returns {Unreadable} */
function unreadable(error) {
    const reason = reasonOf(error);
    if (['otherDevice', 'keyGone', 'badSignature'].includes(reason)) return reason;
    if (reason === 'notListed') return 'badSignature';
    if (['malformed', 'tooLarge', 'damaged'].includes(reason)) return 'damaged';
    // A list that nobody has, a hub or a store that did not answer: nothing was said about the message, which is opened when it is loaded again.
    return 'unknownList';
}
