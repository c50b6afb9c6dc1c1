import { areEqual, b64u, random } from './bytes.js';
import { claim, deviceOf, proven } from './claim.js';
import { shownCode } from './code.js';
import { unproven } from './error.js';
import { Handshake } from './noise.js';
import { codeSecret } from './pairing-scan.js';
import { ack, codePrologue, concerns, digestOf, reject, sealed } from './pairing-message.js';
import { isIdentifier } from './peer-text.js';

/** Forged messages that are answered: a server that read the digits on the way can send any number of them. */
const FORGERIES_ANSWERED = 5;

/** The phone's side while it shows a code of its own, which a computer scans: it has no I/O of its own. Source: `docs/protocol.md` 2.3.1. */
export class ShownExchange {
    #options;
    #secret;
    #forgeries = 0;
    /** The computer that proved itself, while its record is written. */
    #candidate = null;
    #answered = null;

    /**
     * @param {import('./keys.js').Identity} identity
     * @param {{id: string, name: string, platform: string, version: string}} device
     * @param {number} now
     */
    constructor(identity, device, now) {
        this.#options = { identity, device };
        this.#secret = random(16);
        this.digits = String(100_000 + crypto.getRandomValues(new Uint32Array(1))[0] % 900_000);
        const { json, text } = shownCode({ digits: this.digits, did: identity.did, device, offer: { v: 1, pk: b64u(identity.agreement.bytes), psk: b64u(this.#secret) }, now });
        this.json = json;
        this.text = text;
        this.expiresAt = now + 300_000;
    }

    /**
     * @returns {Promise<{reply: Object<string, any>, to: string} | {proven: import('./pairing-scan.js').Proven} | null>} What to answer; a computer whose record is
     *   to be written, before ``accept``; or nothing.
     */
    async receive(payload, now) {
        if (!concerns(payload, 'pairing:confirmation', this.digits) || !isIdentifier(payload.pcPeerId)) return null;
        const [to, digest] = [payload.pcPeerId, await digestOf(payload)];
        // The answer may have been lost: the same bytes get the same one.
        if (this.#answered) return areEqual(digest, this.#answered.digest) ? this.#answered : null;
        if (this.#candidate) return null;
        if (now > this.expiresAt) return { reply: reject(this.digits, 'expired'), to };
        const message = sealed(payload, 'hs');
        if (!message) return { reply: reject(this.digits, 'e2e-required'), to };
        const candidate = { digest, to };
        this.#candidate = candidate;
        try {
            candidate.handshake = await this.#handshake(payload.e2e.ts);
            const { payload: contents, hash } = await candidate.handshake.read(message);
            const key = candidate.handshake.remote;
            const members = await proven(contents, 'initiator', hash, key);
            const device = deviceOf(members);
            if (device.id !== to) throw unproven('its id');
            return { proven: { did: members.did, key, device } };
        } catch {
            this.#candidate = null;
            this.#forgeries += 1;
            return this.#forgeries > FORGERIES_ANSWERED ? null : { reply: reject(this.digits, 'handshake-failed'), to };
        }
    }

    /** The last message of the pairing, once the record is written. */
    async accept(now) {
        const { identity, device } = this.#options;
        const { handshake, digest, to } = this.#candidate;
        const hs = await handshake.write((hash) => claim(identity, 'responder', hash, { device, t: now }));
        this.#answered = { digest, to, reply: ack({ digits: this.digits, identity, device, seal: { hs: b64u(hs) }, now }) };
        return this.#answered;
    }

    /** The refusal of a computer that proved itself. */
    refuse(reason) { return { reply: reject(this.digits, reason), to: this.#candidate.to }; }

    /** A computer whose clock differs hashed the code with the time that it read, which decides nothing. */
    async #handshake(timestamp) {
        const json = Number.isSafeInteger(timestamp) ? { ...this.json, timestamp } : this.json;
        return Handshake.begin({
            pattern: 'IKpsk1', isInitiator: false, prologue: await codePrologue(json, this.digits), own: this.#options.identity.agreement, psk: await codeSecret(this.#secret),
        });
    }
}
