import { areEqual, b64u, concat, fromB64u, integer, integerOf, random, utf8 } from '../../../wire/bytes.js';
import { hkdf, sha256 } from '../../../wire/hash.js';
import { cipherKey, open, seal } from '../../../wire/noise.js';
import { malformed, refusal, tooLarge } from './failures.js';
import { StrictMembers } from './strict.js';

/**
 * Files of sealed messages. Source: `docs/protocol.md` 2.10.4.
 *
 * What travels inside of a message about one of its files.
 *
 * @typedef {{key: string, sha256: string, size: number, type: string, preview?: string}} SealedObject
 */

const KEY_BYTES = 32;
const HEADER_BYTES = 64;
const HEAD_BYTES = 32;
const PREFIX_BYTES = 7;
const TAG_BYTES = 16;
/** Of the file in one segment: 64 KiB. */
const SEGMENT_BYTES = 1 << 16;
const SIZE_LIMIT = 2 ** 30;
const PREVIEW_LIMIT = 8 << 10;
const TYPE_LIMIT = 64;
// Version 1, AES-256-GCM, the logarithm of a segment's bytes, zeros.
const MAGIC = concat(utf8('TNDMEDIA'), [1, 1, 16, 0, 0, 0, 0, 0]);

function segmentCount(length) { return Math.max(1, Math.ceil(length / SEGMENT_BYTES)); }

/** Bytes that a file takes once it is sealed. */
export function sealedCount(length) { return HEADER_BYTES + length + segmentCount(length) * TAG_BYTES; }

/** The header of a file, and what seals its segments. */
async function fileKeys(length, key, prefix) {
    const head = concat(MAGIC, prefix, [0], integer(length, 8));
    const salt = await sha256(head);
    const [commitment, payload] = await Promise.all(['commit', 'payload'].map((name) => hkdf(key, 32, { salt, info: utf8(`tandem/media/1/${name}`) })));
    const count = segmentCount(length);
    return {
        header: concat(head, commitment), count, payload: await cipherKey(payload),
        nonce: (index) => concat(prefix, integer(index, 4), [index === count - 1 ? 1 : 0]),
    };
}

/**
 * Seals a whole file.
 *
 * @param {Uint8Array} file
 * @param {{key?: Uint8Array, prefix?: Uint8Array}} [options] Both are random; vectors have their own.
 * @returns {Promise<{bytes: Uint8Array, key: Uint8Array, hash: Uint8Array}>} `hash` is that of the sealed bytes.
 */
export async function sealFile(file, options = {}) {
    const { key = random(KEY_BYTES), prefix = random(PREFIX_BYTES) } = options;
    const keys = await fileKeys(file.length, key, prefix);
    const bytes = new Uint8Array(sealedCount(file.length));
    bytes.set(keys.header);
    for (let index = 0; index < keys.count; index += 1) {
        const from = index * SEGMENT_BYTES;
        const segment = await seal(keys.payload, keys.nonce(index), file.subarray(from, from + SEGMENT_BYTES), new Uint8Array());
        bytes.set(segment, HEADER_BYTES + index * (SEGMENT_BYTES + TAG_BYTES));
    }
    return { bytes, key, hash: await sha256(bytes) };
}

/**
 * Opens a whole file.
 *
 * @param {Uint8Array} sealed
 * @param {{key: Uint8Array, hash: Uint8Array, limit: number}} expected As its sender told; `limit` is how many bytes the file has at most.
 * @returns {Promise<Uint8Array>}
 */
export async function openFile(sealed, { key, hash, limit }) {
    if (sealed.length > sealedCount(limit)) throw tooLarge('the file', limit);
    if (!areEqual(await sha256(sealed), hash)) throw refusal('otherFile');
    if (sealed.length < HEADER_BYTES) throw refusal('wrongLength');
    if (!areEqual(sealed.subarray(0, 8), MAGIC.subarray(0, 8))) throw malformed('header');
    const length = integerOf(sealed.subarray(24, HEAD_BYTES));
    if (length > limit) throw tooLarge('the file', limit);
    const keys = await fileKeys(length, key, sealed.subarray(16, 16 + PREFIX_BYTES));
    // The commitment in it: of two keys for the same bytes one alone makes this header.
    if (!areEqual(keys.header, sealed.subarray(0, HEADER_BYTES))) throw refusal('otherFile');
    if (sealed.length !== sealedCount(length)) throw refusal('wrongLength');
    const file = new Uint8Array(length);
    for (let index = 0; index < keys.count; index += 1) {
        const from = HEADER_BYTES + index * (SEGMENT_BYTES + TAG_BYTES);
        const segment = await open(keys.payload, keys.nonce(index), sealed.subarray(from, from + SEGMENT_BYTES + TAG_BYTES), new Uint8Array());
        if (!segment) throw refusal('damaged');
        file.set(segment, index * SEGMENT_BYTES);
    }
    return file;
}

/**
 * Checks what travels inside about a file.
 *
 * @returns {SealedObject}
 */
export function readObject(json) {
    const members = new StrictMembers(json, 'sealed', ['key', 'sha256', 'size', 'type'], ['preview']);
    members.bytes('key', KEY_BYTES);
    members.bytes('sha256', 32);
    members.integer('size', 0, SIZE_LIMIT);
    members.text('type', TYPE_LIMIT);
    if (members.has('preview')) members.bytesAtMost('preview', PREVIEW_LIMIT);
    return json;
}

/**
 * What travels inside about a file that was sealed.
 *
 * @param {{key: Uint8Array, hash: Uint8Array}} sealed
 * @param {{size: number, type: string, preview?: Uint8Array}} file
 */
export function objectOf({ key, hash }, { size, type, preview }) {
    return readObject({ key: b64u(key), sha256: b64u(hash), size, type, ...preview && { preview: b64u(preview) } });
}

/**
 * The bytes of an object as its sender had them.
 *
 * @param {Uint8Array} bytes
 * @param {SealedObject} object
 */
export function openObject(bytes, object) {
    return openFile(bytes, { key: fromB64u(object.key, KEY_BYTES), hash: fromB64u(object.sha256, 32), limit: object.size });
}
