import { b64u, fromB64u, labelled, lv, random } from './bytes.js';
import { claim, proven } from './claim.js';
import { unproven } from './error.js';
import { secretKey } from './hash.js';
import { Handshake } from './noise.js';

/** What a side writes that knows nothing of the other's epoch. */
export const NO_EPOCH = b64u(new Uint8Array(16));

/**
 * The other end of a session, as its pairing proved it.
 *
 * @typedef {{id: string, did: string, key: Uint8Array}} Peer
 *
 * What outlives a session: the last counter, what the next one resumes with, and the last kept message that was handled.
 *
 * @typedef {{counter: number, rid?: string, secret?: CryptoKey, lastKept: number}} Kept
 *
 * @typedef {{sid: Uint8Array, sending: CryptoKey, receiving: CryptoKey, epoch: string, ack: {ep: string, n: number}, rid: string, secret: CryptoKey}} Agreed
 */

/** One try of this phone to open a session. Source: `docs/protocol.md` 2.4. */
export class SessionHandshake {
    #handshake;
    #peer;

    /**
     * @param {Object} options
     * @param {import('./keys.js').Identity} options.identity
     * @param {Peer} options.peer
     * @param {Kept} options.kept Its counter is this try's own.
     * @param {string} options.epoch
     * @param {{ep: string, n: number}} options.ack
     */
    static async begin({ identity, peer, kept, epoch, ack }) {
        const pattern = kept.secret ? 'IKpsk2' : 'IK';
        const sid = random(16);
        const handshake = await Handshake.begin({
            pattern, isInitiator: true, prologue: labelled('tandem-session-v1', sid, lv(pattern)), own: identity.agreement, remote: peer.key, psk: kept.secret,
        });
        const hs = await handshake.write((hash) => claim(identity, 'initiator', hash, { t: kept.counter, ep: epoch, ack }));
        const payload = { type: 'e2e', sid: b64u(sid), p: pattern, m: 1, hs: b64u(hs), ...(kept.secret ? { rid: kept.rid } : {}) };
        return new SessionHandshake(handshake, peer, sid, payload);
    }

    /** Made by ``begin``. */
    constructor(handshake, peer, sid, payload) {
        this.#handshake = handshake;
        this.#peer = peer;
        this.sid = sid;
        /** The message to send. */
        this.payload = payload;
    }

    /** Whether a payload claims to be the answer. */
    isAnsweredBy(payload) { return payload.m === 2 && payload.sid === this.payload.sid && payload.p === this.payload.p; }

    /**
     * Reads the answer. What is refused changes nothing: the real one may still come.
     *
     * @returns {Promise<Agreed | 'not-paired'>}
     * @throws {import('./error.js').WireError} For an answer that the computer did not make.
     */
    async finish(payload) {
        const message = fromB64u(payload.hs);
        if (!message) throw unproven('its answer');
        const { payload: contents, hash } = await this.#handshake.read(message);
        const members = await proven(contents, 'responder', hash, this.#peer.key);
        if (members.did !== this.#peer.did) throw unproven('its identity');
        if (members.status === 'not-paired') return 'not-paired';
        if (!fromB64u(members.ep, 16)) throw unproven('its answer');
        const { sending, receiving, derive } = await this.#handshake.finish();
        const [secret, rid] = await Promise.all([derive('tandem-resume-v1', 32), derive('tandem-rid-v1', 16)]);
        return { sid: this.sid, sending, receiving, epoch: members.ep, ack: ackIn(members), rid: b64u(rid), secret: await secretKey(secret) };
    }
}

function ackIn(members) {
    const { ack } = members;
    return fromB64u(ack?.ep, 16) && Number.isSafeInteger(ack.n) && ack.n >= 0 ? { ep: ack.ep, n: ack.n } : { ep: NO_EPOCH, n: 0 };
}
