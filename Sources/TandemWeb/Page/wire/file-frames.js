import { concat, fromHex, hex, integer, integerOf, textOf } from './bytes.js';

/** The kinds of a frame. Source: `docs/protocol.md` 3.2.5. */
export const FILE_DATA = 1;
export const FILE_TAKEN = 2;
export const FILE_WANT = 3;
export const FILE_REFUSED = 4;
/** The most bytes of one frame. */
export const PIECE = 524_288;

const HEADER = 27;
const LONGEST_SENTENCE = 1024;

/** The 16 bytes of a transfer's id, null where it is none. */
export function transferBytes(id) {
    const found = typeof id === 'string' && /^(?:up|dn)_([0-9a-f]{32})$/.exec(id);
    return found ? fromHex(found[1]) : null;
}

function frame(kind, transfer, offset, rest) { return concat([1, 1, kind], transfer, integer(offset, 8), rest); }

/** A part of a file. */
export function dataFrame(transfer, offset, bytes) { return frame(FILE_DATA, transfer, offset, bytes); }

/** Asks for a part. */
export function wantFrame(transfer, offset, count) { return frame(FILE_WANT, transfer, offset, integer(count, 4)); }

/**
 * What a frame of the computer says.
 *
 * @param {Uint8Array} bytes
 * @returns {{kind: number, transfer: string, offset: number, bytes?: Uint8Array, count?: number, code?: number, sentence?: string} | null} Its transfer as hexadecimal
 *   digits; null for anything else.
 */
export function frameOf(bytes) {
    if (bytes.length < HEADER || bytes[0] !== 1 || bytes[1] !== 1) return null;
    const [kind, transfer, offset, rest] = [bytes[2], hex(bytes.subarray(3, 19)), integerOf(bytes.subarray(19, HEADER)), bytes.subarray(HEADER)];
    if (!Number.isFinite(offset)) return null;
    if (kind === FILE_DATA) return rest.length > 0 && rest.length <= PIECE ? { kind, transfer, offset, bytes: rest } : null;
    if (kind === FILE_TAKEN) return rest.length === 4 ? { kind, transfer, offset, count: integerOf(rest) } : null;
    if (kind !== FILE_REFUSED || rest.length < 4 || rest.length > 4 + LONGEST_SENTENCE) return null;
    return { kind, transfer, offset, code: integerOf(rest.subarray(0, 4)) | 0, sentence: textOf(rest.subarray(4)) };
}
