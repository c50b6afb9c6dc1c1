import { b64u, utf8 } from './bytes.js';
import { claim, deviceOf, proven } from './claim.js';
import { failure } from './error.js';
import { hkdf } from './hash.js';
import { Handshake } from './noise.js';
import { ack, codePrologue, concerns, sealed } from './pairing-message.js';
import { refusal } from './refusals.js';

/**
 * A computer that proved who it is.
 *
 * @typedef {{did: string, key: Uint8Array, device: {id: string, name: string, platform: string, version: string}}} Proven
 *
 * What one message does to a pairing: null where it is not for it, a repeat or a forgery.
 *
 * @typedef {{send: true} | {paired: Proven} | {failed: import('./error.js').WireError} | null} Step
 */

/** The key that a code's secret gives to its handshake. */
export function codeSecret(secret) { return hkdf(secret, 32, { info: utf8('tandem-qr-psk-v1') }); }

/** The phone's side after it scanned a computer's code: it has no I/O of its own. Source: `docs/protocol.md` 2.3.1. */
export class ScanExchange {
    #handshake;
    /** What is sent, and sent again byte for byte where it may have been lost. */
    outgoing;
    comparisonNumber = null;
    mayRepeat = true;

    /**
     * @param {import('./code.js').Code} code
     * @param {import('./keys.js').Identity} identity
     * @param {{id: string, name: string, platform: string, version: string}} device
     * @param {number} now
     */
    static async begin(code, identity, device, now) {
        const handshake = await Handshake.begin({
            pattern: 'IKpsk1', isInitiator: true, prologue: await codePrologue(code.json, code.digits), own: identity.agreement, remote: code.offer.key,
            psk: await codeSecret(code.offer.secret),
        });
        const hs = await handshake.write((hash) => claim(identity, 'initiator', hash, { device, t: now }));
        // The computer hashes its code with this time in place of its own, where the two clocks differ.
        const seal = { hs: b64u(hs), ...(code.ageDoubt && Number.isInteger(code.at) ? { ts: code.at } : {}) };
        return new ScanExchange(code, handshake, ack({ digits: code.digits, identity, device, seal, now }));
    }

    /** Made by ``begin``. */
    constructor(code, handshake, outgoing) {
        this.code = code;
        this.#handshake = handshake;
        this.outgoing = outgoing;
    }

    get digits() { return this.code.digits; }
    get recipient() { return this.code.id; }
    get question() { return { payload: this.outgoing, recipient: this.recipient }; }
    get offline() {
        const { name } = this.code;
        return failure('away', 'deviceOffline', `${name} is not connected right now. Check that it is on and online, then try again.`, { name });
    }

    /** Where the computer was there and left: it may come back. */
    get gone() { return null; }

    /** @returns {boolean} Whether the computer is reached at another address from now on. */
    recipientLeft() { return false; }

    /** @returns {Promise<Step>} */
    async receive(payload) {
        if (concerns(payload, 'pairing:reject', this.digits)) return { failed: refusal(payload.reason, this.code.name) };
        const message = concerns(payload, 'pairing:confirmation', this.digits) && sealed(payload, 'hs');
        if (!message) return null;
        try {
            const { payload: contents, hash } = await this.#handshake.read(message);
            const key = this.#handshake.remote;
            const members = await proven(contents, 'responder', hash, key);
            const device = deviceOf(members);
            // The code says which computer it is from, and its key proved the handshake: both have to be of the same one.
            return { paired: { did: members.did, key, device: { ...device, id: this.code.id } } };
        } catch {
            // A stranger may have made it: the real one may still come.
            return null;
        }
    }
}
