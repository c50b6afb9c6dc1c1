import { concat, utf8 } from './bytes.js';
import { unproven } from './error.js';
import { hkdf, hmac, sha256 } from './hash.js';
import { agree, makeAgreementKey } from './keys.js';

const subtle = globalThis.crypto?.subtle;
const LONGEST = 65535;

/** The messages of each pattern, and whether the initiator knows the responder's static key. */
const PATTERNS = {
    IK: { known: true, messages: ['e es s ss', 'e ee se'] },
    IKpsk1: { known: true, messages: ['e es s ss psk', 'e ee se'] },
    IKpsk2: { known: true, messages: ['e es s ss', 'e ee se psk'] },
    XXpsk0: { known: false, messages: ['psk e', 'e ee s es', 's se'] },
};

/** A key of AES-256-GCM that seals, opens and is rekeyed, and cannot be read. */
export function cipherKey(bytes) { return subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']); }

/** The nonce of Noise: four zero bytes, then the counter. */
export function nonceOf(counter) {
    const nonce = new Uint8Array(12);
    const view = new DataView(nonce.buffer);
    view.setUint32(4, Math.floor(counter / 2 ** 32));
    view.setUint32(8, counter % 2 ** 32);
    return nonce;
}

/** @returns {Promise<Uint8Array>} The ciphertext, then the tag. */
export async function seal(key, nonce, plaintext, additionalData) {
    return new Uint8Array(await subtle.encrypt({ name: 'AES-GCM', iv: nonce, additionalData }, key, plaintext));
}

/** @returns {Promise<Uint8Array | null>} Null where anything of it was not sealed with this key, nonce and data. */
export async function open(key, nonce, sealed, additionalData) {
    try {
        return new Uint8Array(await subtle.decrypt({ name: 'AES-GCM', iv: nonce, additionalData }, key, sealed));
    } catch {
        return null;
    }
}

/** `Rekey()` of Noise: the key that follows a key. */
export async function rekeyed(key) {
    const nonce = new Uint8Array(12).fill(255, 4);
    return cipherKey((await seal(key, nonce, new Uint8Array(32), new Uint8Array())).subarray(0, 32));
}

/** The transcript of a handshake and the keys agreed on so far. A value: each step gives a new one. */
class Transcript {
    constructor(hash, chain, key = null, count = 0) {
        this.hash = hash;
        this.chain = chain;
        this.key = key;
        this.count = count;
    }

    async mixHash(bytes) { return new Transcript(await sha256(this.hash, bytes), this.chain, this.key, this.count); }

    async mixKey(secret) {
        const out = await hkdf(secret, 64, { salt: this.chain });
        return new Transcript(this.hash, out.slice(0, 32), await cipherKey(out.subarray(32)));
    }

    async mixKeyAndHash(secret) {
        const out = await hkdf(secret, 96, { salt: this.chain });
        return new Transcript(await sha256(this.hash, out.subarray(32, 64)), out.slice(0, 32), await cipherKey(out.subarray(64)));
    }

    async seal(plaintext) {
        const sealed = this.key ? await seal(this.key, nonceOf(this.count), plaintext, this.hash) : plaintext;
        return /** @type {const} */ ([sealed, await this.#after(sealed)]);
    }

    async open(sealed) {
        const plaintext = this.key ? await open(this.key, nonceOf(this.count), sealed, this.hash) : sealed;
        if (!plaintext) throw unproven('a message of its handshake');
        return /** @type {const} */ ([plaintext, await this.#after(sealed)]);
    }

    async #after(sealed) { return new Transcript(await sha256(this.hash, sealed), this.chain, this.key, this.count + (this.key ? 1 : 0)); }
}

/** One end of a Noise handshake with 25519, AESGCM and SHA256. What is refused changes nothing. */
export class Handshake {
    #messages;
    #next = 0;
    #transcript;
    #own;
    #psk;
    #isInitiator;
    #ephemeral = null;
    #fixedEphemeral;
    #remoteEphemeral = null;
    /** The other side's static key, once it is known. @type {Uint8Array | null} */
    remote;

    /**
     * @param {Object} options
     * @param {'IK' | 'IKpsk1' | 'IKpsk2' | 'XXpsk0'} options.pattern
     * @param {boolean} options.isInitiator
     * @param {Uint8Array} options.prologue
     * @param {import('./keys.js').AgreementKey} options.own
     * @param {Uint8Array} [options.remote] The responder's static key, for an initiator that knows it.
     * @param {Uint8Array | CryptoKey} [options.psk]
     * @param {import('./keys.js').AgreementKey} [options.ephemeral] For test vectors only.
     */
    static async begin({ pattern, isInitiator, prologue, own, remote, psk, ephemeral }) {
        const { known, messages } = PATTERNS[pattern];
        // Each of these names has at most 32 bytes, which are the first hash as they are.
        const hash = new Uint8Array(32);
        hash.set(utf8(`Noise_${pattern}_25519_AESGCM_SHA256`));
        let transcript = await new Transcript(hash, hash).mixHash(prologue);
        if (known) transcript = await transcript.mixHash(isInitiator ? remote : own.bytes);
        return new Handshake({ messages, transcript, isInitiator, own, remote: remote ?? null, psk, ephemeral });
    }

    /** Made by ``begin``. */
    constructor({ messages, transcript, isInitiator, own, remote, psk, ephemeral }) {
        this.#messages = messages.map((tokens) => tokens.split(' '));
        this.#transcript = transcript;
        this.#isInitiator = isInitiator;
        this.#own = own;
        this.#psk = psk;
        this.#fixedEphemeral = ephemeral;
        this.remote = remote;
    }

    get isFinished() { return this.#next === this.#messages.length; }

    /**
     * Writes the next message.
     *
     * @param {(hash: Uint8Array) => Uint8Array | Promise<Uint8Array>} [payload] Is given the handshake's hash just before the payload is sealed, so that
     *   it can be signed.
     */
    async write(payload = () => new Uint8Array()) {
        let transcript = this.#transcript;
        const parts = [];
        for (const token of this.#tokens(true)) {
            if (token === 'e') {
                this.#ephemeral = this.#fixedEphemeral ?? await makeAgreementKey();
                parts.push(this.#ephemeral.bytes);
                transcript = await this.#mixEphemeral(transcript, this.#ephemeral.bytes);
            } else if (token === 's') {
                const [sealed, after] = await transcript.seal(this.#own.bytes);
                parts.push(sealed);
                transcript = after;
            } else {
                transcript = await this.#mix(transcript, token, this);
            }
        }
        const [sealed, after] = await transcript.seal(await payload(transcript.hash));
        this.#transcript = after;
        this.#next += 1;
        return concat(...parts, sealed);
    }

    /**
     * Reads the other side's next message.
     *
     * @param {Uint8Array} message
     * @returns {Promise<{payload: Uint8Array, hash: Uint8Array}>} The hash is the handshake's just before the payload.
     */
    async read(message) {
        if (message.length > LONGEST) throw unproven('a message that is too long');
        let transcript = this.#transcript;
        let rest = message;
        const take = (count) => {
            if (rest.length < count) throw unproven('a message that is too short');
            const taken = rest.subarray(0, count);
            rest = rest.subarray(count);
            return taken;
        };
        const keys = { remoteEphemeral: this.#remoteEphemeral, remote: this.remote };
        for (const token of this.#tokens(false)) {
            if (token === 'e') {
                keys.remoteEphemeral = take(32).slice();
                transcript = await this.#mixEphemeral(transcript, keys.remoteEphemeral);
            } else if (token === 's') {
                [keys.remote, transcript] = await transcript.open(take(32 + (transcript.key ? 16 : 0)));
            } else {
                transcript = await this.#mix(transcript, token, keys);
            }
        }
        const { hash } = transcript;
        const [payload, after] = await transcript.open(rest);
        this.#transcript = after;
        this.#remoteEphemeral = keys.remoteEphemeral;
        this.remote = keys.remote;
        this.#next += 1;
        return { payload, hash };
    }

    /** The keys of the finished handshake, and its exporter. */
    async finish() {
        if (!this.isFinished) throw unproven('a handshake that is not over');
        const { chain, hash } = this.#transcript;
        // HKDF of nothing, in its steps: not every browser takes an empty key.
        const extracted = await hmac('SHA-256', chain);
        const first = await hmac('SHA-256', extracted, [1]);
        const keys = await Promise.all([cipherKey(first), hmac('SHA-256', extracted, first, [2]).then(cipherKey)]);
        const [sending, receiving] = this.#isInitiator ? keys : [...keys].reverse();
        return { sending, receiving, hash, derive: (label, count) => hkdf(chain, count, { info: utf8(label) }) };
    }

    #tokens(isWriting) {
        if (this.isFinished || (this.#next % 2 === 0) !== (isWriting === this.#isInitiator)) throw unproven('a message out of order');
        return this.#messages[this.#next];
    }

    /** With a psk an ephemeral key also goes into the key, so that the psk alone never decides one. */
    async #mixEphemeral(transcript, bytes) {
        const mixed = await transcript.mixHash(bytes);
        return this.#psk ? mixed.mixKey(bytes) : mixed;
    }

    async #mix(transcript, token, keys) {
        if (token === 'psk') return transcript.mixKeyAndHash(this.#psk);
        const [ownLetter, remoteLetter] = this.#isInitiator ? token : [...token].reverse();
        const own = ownLetter === 'e' ? this.#ephemeral : this.#own;
        const remote = remoteLetter === 'e' ? keys.remoteEphemeral ?? this.#remoteEphemeral : keys.remote;
        return transcript.mixKey(await agree(own.secret, remote));
    }
}
