import { b64u, concat, fromB64u } from './bytes.js';
import { nonceOf, open, rekeyed, seal } from './noise.js';

/**
 * A sealed record: the generation of its key, its number, and the ciphertext with its tag.
 *
 * @typedef {{generation: number, seq: number, sealed: Uint8Array}} SealedRecord
 */

/** How much one key seals. */
const RECORDS = 65_536;
const BYTES = 2 ** 30;
const AGE = 15 * 60_000;
/** How long a receiver opens records of the key before. */
const PREVIOUS = 60_000;
const WINDOW = 1024;
const LARGEST_BODY = 701_024;
const HEADER = 14;

/** Source of all of this: `docs/protocol.md` 2.5. */
function additionalData(sid, generation, isFromInitiator) {
    const data = new Uint8Array(22);
    data.set(sid);
    new DataView(data.buffer).setUint32(16, generation);
    data[20] = isFromInitiator ? 0 : 1;
    data[21] = 1;
    return data;
}

/** A body behind its length, and zeros behind it. */
export function padded(body) {
    const length = 4 + body.length;
    const step = length > 1024 ? 256 : 64;
    const plaintext = new Uint8Array(Math.ceil(length / step) * step);
    new DataView(plaintext.buffer).setUint32(0, body.length);
    plaintext.set(body, 4);
    return plaintext;
}

/** The body in a plaintext, null where its length is not so. */
export function unpadded(plaintext) {
    if (plaintext.length < 4) return null;
    const length = new DataView(plaintext.buffer, plaintext.byteOffset).getUint32(0);
    return length <= LARGEST_BODY && length <= plaintext.length - 4 ? plaintext.subarray(4, 4 + length) : null;
}

/** Seals what this phone sends. One record after the other: each waits for the one before. */
export class Sealer {
    #options;
    #seq = 0;
    #generation = 0;
    #records = 0;
    #bytes = 0;
    #since;
    #last = Promise.resolve(null);

    /** @param {{key: CryptoKey, sid: Uint8Array, time: import('./time.js').Time, isInitiator?: boolean}} options */
    constructor(options) {
        this.#options = { isInitiator: true, ...options };
        this.#since = options.time.now();
    }

    /** @returns {Promise<SealedRecord>} */
    seal(body) {
        this.#last = this.#last.then(() => this.#seal(padded(body)));
        return this.#last;
    }

    async #seal(plaintext) {
        const { sid, time, isInitiator } = this.#options;
        if (this.#records >= RECORDS || this.#bytes + plaintext.length > BYTES || time.now() - this.#since >= AGE) {
            this.#options.key = await rekeyed(this.#options.key);
            this.#generation += 1;
            this.#records = this.#bytes = 0;
            this.#since = time.now();
        }
        const seq = this.#seq;
        this.#seq += 1;
        this.#records += 1;
        this.#bytes += plaintext.length;
        const sealed = await seal(this.#options.key, nonceOf(seq), plaintext, additionalData(sid, this.#generation, isInitiator));
        return { generation: this.#generation, seq, sealed };
    }
}

/** Opens what the computer sends: each record once, in a window of 1024. One after the other. */
export class Opener {
    #options;
    #generation = 0;
    #keys;
    /** When the key before this one is not used any more. */
    #previousUntil = 0;
    #greatest = -1;
    #seen = new Float64Array(WINDOW).fill(-1);

    /** @param {{key: CryptoKey, sid: Uint8Array, time: import('./time.js').Time, isInitiator?: boolean}} options `isInitiator`: of the end that reads. */
    constructor(options) {
        this.#options = { isInitiator: true, ...options };
        this.#keys = { previous: null, current: options.key, next: null };
    }

    /**
     * @param {SealedRecord} record Of a compact one the generation is its low 8 bits alone.
     * @param {boolean} isCompact
     * @returns {Promise<Uint8Array | null>} The body; null for a repeat, a forgery, or one that is too old.
     */
    async open({ generation, seq, sealed }, isCompact) {
        if (!Number.isSafeInteger(seq) || seq < 0 || this.#isKnown(seq)) return null;
        const step = [0, 1, -1].find((each) => (isCompact ? (this.#generation + each & 255) === generation : this.#generation + each === generation));
        const key = step === undefined ? null : await this.#key(step);
        if (!key) return null;
        const { sid, isInitiator } = this.#options;
        const plaintext = await open(key, nonceOf(seq), sealed, additionalData(sid, this.#generation + step, !isInitiator));
        if (!plaintext) return null;
        this.#greatest = Math.max(this.#greatest, seq);
        this.#seen[seq % WINDOW] = seq;
        if (step === 1) this.#follow();
        return unpadded(plaintext);
    }

    #isKnown(seq) { return seq <= this.#greatest - WINDOW || this.#seen[seq % WINDOW] === seq; }

    async #key(step) {
        if (step === 0) return this.#keys.current;
        if (step === -1) return this.#options.time.now() < this.#previousUntil ? this.#keys.previous : null;
        this.#keys.next ??= await rekeyed(this.#keys.current);
        return this.#keys.next;
    }

    #follow() {
        this.#keys = { previous: this.#keys.current, current: this.#keys.next, next: null };
        this.#previousUntil = this.#options.time.now() + PREVIOUS;
        this.#generation += 1;
    }
}

/** A record as JSON, which names its session. */
export function jsonRecord(sid, { generation, seq, sealed }) { return { type: 'e2e', sid: b64u(sid), g: generation, n: seq, ct: b64u(sealed) }; }

/** The record in a payload, null where there is none. */
export function recordOf({ g: generation, n: seq, ct }) {
    const sealed = fromB64u(ct);
    return sealed && Number.isInteger(generation) && generation >= 0 && generation < 2 ** 32 && Number.isSafeInteger(seq) && seq >= 0 ? { generation, seq, sealed } : null;
}

/** A compact record, with a route of zeros that the connection fills in. */
export function compactRecord({ generation, seq, sealed }) {
    const header = new Uint8Array(HEADER);
    header[0] = 1;
    header[1] = generation & 255;
    const view = new DataView(header.buffer);
    view.setUint32(6, Math.floor(seq / 2 ** 32));
    view.setUint32(10, seq % 2 ** 32);
    return concat(header, sealed);
}

/** The record in a frame of which the kind is known. */
export function compactRecordOf(frame) {
    const view = new DataView(frame.buffer, frame.byteOffset);
    return { generation: frame[1], seq: view.getUint32(6) * 2 ** 32 + view.getUint32(10), sealed: frame.subarray(HEADER) };
}
