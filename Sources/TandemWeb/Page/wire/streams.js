import { concat, fromBase64, textOf } from './bytes.js';
import { WireError } from './error.js';
import { answered } from './answers.js';

const LARGEST = 33_554_432;
const SMALLEST_PIECE = 1024;
const LARGEST_PIECE = 262_144;

function unreadable() { return new WireError('internal', 'The computer\'s answer could not be read. Try again.'); }

/** The announcement of a result that comes in pieces; null for any other result. */
export function announcementIn(result) {
    const stream = result?.stream;
    return stream !== null && typeof stream === 'object' && Object.keys(result).length === 1 && typeof stream.id === 'string' ? stream : null;
}

/** A result that comes in pieces. Source: `docs/protocol.md` 3.3.2. */
export class ResultStream {
    #pieces = [];
    #isStarted = false;

    /** @throws {WireError} For an announcement beyond the bounds. */
    constructor({ id, bytes, chunkSize }) {
        if (!Number.isInteger(bytes) || bytes < 0 || !Number.isInteger(chunkSize) || chunkSize < SMALLEST_PIECE || chunkSize > LARGEST_PIECE) throw unreadable();
        if (bytes > LARGEST) throw new WireError('too-large', 'The computer\'s answer is too large.');
        this.id = id;
        this.bytes = bytes;
        this.chunkSize = chunkSize;
    }

    /**
     * Takes the next message of it.
     *
     * @returns {{result: any} | null} The result, once it is whole.
     * @throws {WireError} For anything but the messages in their order.
     */
    take(type, payload) {
        if (type === 'stream:error') throw answered(Number.isInteger(payload.code) ? payload.code : -32603, String(payload.error ?? ''));
        if (type === 'stream:start') {
            if (this.#isStarted || payload.bytes !== this.bytes || payload.chunkSize !== this.chunkSize) throw unreadable();
            this.#isStarted = true;
            return null;
        }
        if (!this.#isStarted) throw unreadable();
        if (type === 'stream:chunk') {
            this.#add(payload);
            return null;
        }
        const whole = concat(...this.#pieces);
        if (whole.length !== this.bytes) throw unreadable();
        try {
            return { result: JSON.parse(textOf(whole)) };
        } catch {
            throw unreadable();
        }
    }

    #add({ index, data }) {
        const at = this.#pieces.length * this.chunkSize;
        const length = Math.min(this.chunkSize, this.bytes - at);
        if (index !== this.#pieces.length || length <= 0 || typeof data !== 'string' || data.length !== Math.ceil(length / 3) * 4) throw unreadable();
        const piece = fromBase64(data);
        if (piece?.length !== length) throw unreadable();
        this.#pieces.push(piece);
    }
}
