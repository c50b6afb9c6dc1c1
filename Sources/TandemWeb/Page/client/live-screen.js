import { ClientError } from './client.js';

/** The kinds of a frame. Source: `docs/protocol.md`, “Screen”. */
const PART = 1;
const WHOLE = 2;
const SHOWN = 3;
const ENDED = 4;
const HEADER = 15;
const AREA = 9;
/** The most bytes of one part's picture. */
const PIECE = 262_144;
/** The largest picture of a view, in pixels. */
const [WIDEST, HIGHEST] = [4096, 16_384];
/** The most frames that wait for whoever follows a view: it follows at once, and a picture has far fewer. */
const EARLY = 1024;
/** Why the computer ended a view, by number; others are failures. */
const REASONS = ['closed', 'not-allowed', 'changed', 'failed', 'silence', 'replaced', 'changed'];

/**
 * What a frame of the computer says.
 *
 * @param {Uint8Array} bytes
 * @returns {{view: string, picture: number, area?: {x: number, y: number, width: number, height: number}, jpeg?: Uint8Array, isWhole?: boolean, reason?: string} | null} `jpeg`
 *   for a part, `isWhole` where a picture is complete, `reason` at the end; null for anything else.
 */
export function screenFrameOf(bytes) {
    if (bytes.length < HEADER || bytes[0] !== 5 || bytes[1] !== 1) return null;
    const numbers = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const view = Array.from(bytes.subarray(3, 11), (byte) => byte.toString(16).padStart(2, '0')).join('');
    const frame = { view, picture: numbers.getUint32(11) };
    const rest = bytes.length - HEADER;
    if (bytes[2] === WHOLE) return rest === 0 ? { ...frame, isWhole: true } : null;
    if (bytes[2] === ENDED) return rest === 1 ? { ...frame, reason: REASONS[bytes[HEADER]] ?? 'failed' } : null;
    if (bytes[2] !== PART || rest <= AREA || rest > AREA + PIECE || bytes[HEADER + 8] !== 1) return null;
    const [x, y, width, height] = [0, 2, 4, 6].map((at) => numbers.getUint16(HEADER + at));
    const jpeg = bytes.subarray(HEADER + AREA);
    // What a picture says of its size is what takes memory when it is drawn.
    const size = jpegSize(jpeg);
    return width > 0 && height > 0 && size?.width === width && size.height === height ? { ...frame, area: { x, y, width, height }, jpeg } : null;
}

/** Says that a picture is shown; `all`: that the next one is to have every part. */
export function shownFrame(view, picture, all) {
    const bytes = new Uint8Array(HEADER + 1);
    bytes.set([5, 1, SHOWN]);
    bytes.set(view.match(/../g).map((digits) => Number.parseInt(digits, 16)), 3);
    new DataView(bytes.buffer).setUint32(11, picture);
    bytes[HEADER] = all ? 1 : 0;
    return bytes;
}

/** The size in a JPEG's frame header, null where it has none. */
function jpegSize(bytes) {
    if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
    for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff;) {
        const marker = bytes[at + 1];
        // Every SOF but the marks of tables that lie between them.
        if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
            return { width: bytes[at + 7] << 8 | bytes[at + 8], height: bytes[at + 5] << 8 | bytes[at + 6] };
        }
        at += 2 + (bytes[at + 2] << 8 | bytes[at + 3]);
    }
    return null;
}

/** A live view of a display, whichever way its frames come. */
export class LiveScreen {
    /** The size of its pictures, in pixels. */
    width = 0;
    height = 0;
    #send;
    #close;
    #early = [];
    #follower = null;
    #end = null;

    /** @param {{send: (picture: number, all: boolean) => void, close: () => void}} options */
    constructor({ send, close }) {
        this.#send = send;
        this.#close = close;
    }

    /**
     * The computer answered.
     *
     * @throws {ClientError} Where its pictures have no size that it could be asked for.
     */
    opened({ width, height }) {
        const isSize = (value, most) => Number.isInteger(value) && value > 0 && value <= most;
        if (!isSize(width, WIDEST) || !isSize(height, HIGHEST)) throw new ClientError('internal', 'The computer’s picture could not be read.');
        [this.width, this.height] = [width, height];
    }

    /** @param {{frame: (frame: NonNullable<ReturnType<typeof screenFrameOf>>) => void, ended: (end: {reason?: string, error?: ClientError}) => void}} follower */
    follow(follower) {
        this.#follower = follower;
        for (const frame of this.#early.splice(0)) follower.frame(frame);
        if (this.#end) follower.ended(this.#end);
    }

    /** A picture is shown, or 0 for none: the computer sends the next one. */
    shown(picture, all = false) { if (!this.#end) this.#send(picture, all); }

    close() {
        if (this.#end) return;
        this.#end = { reason: 'closed' };
        this.#close();
    }

    /** Whoever brings the frames hands them over. */
    take(frame) {
        if (this.#end) return;
        if (this.#follower) this.#follower.frame(frame);
        else if (this.#early.length < EARLY) this.#early.push(frame);
        else this.ended({ reason: 'failed' });
    }

    /** @param {{reason?: string, error?: ClientError}} end */
    ended(end) {
        if (this.#end) return;
        this.#end = end.reason === 'not-allowed' ? { error: new ClientError('not-allowed', '', { right: 'display' }) } : end;
        this.#follower?.ended(this.#end);
    }
}
