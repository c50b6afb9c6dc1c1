import { concat, integer, integerOf, strictTextOf, utf8 } from '../../../wire/bytes.js';
import { canonical, parse } from '../../../wire/json.js';
import { refusal, tooLarge } from './failures.js';
import { isWhole, LATEST, StrictMembers } from './strict.js';

/**
 * What a sealed message says: the documented payload, as it would be sent in the clear, and which message of its device it is.
 *
 * @typedef {{contentType: number, content: string, count: number | null}} Content
 */

/** Of the padded form, in bytes. */
export const CONTENT_LIMIT = 64 << 10;
const STEP = 4 << 10;

function paddedCount(count) { return count <= 256 ? 256 : count <= 1024 ? 1024 : Math.ceil(count / STEP) * STEP; }

/** Length, content, zeros: few sizes are left to see. */
function pad(content) {
    const count = content.length + 4;
    if (count > CONTENT_LIMIT) throw tooLarge('the message', CONTENT_LIMIT - 4);
    return concat(integer(content.length, 4), content, new Uint8Array(paddedCount(count) - count));
}

/** The content of a padded form; null for any other form than the one that ``pad`` makes. */
function unpadded(padded) {
    if (padded.length < 4 || padded.length > CONTENT_LIMIT) return null;
    const count = integerOf(padded.subarray(0, 4));
    if (count > padded.length - 4 || paddedCount(count + 4) !== padded.length) return null;
    return padded.subarray(4 + count).every((byte) => byte === 0) ? padded.subarray(4, 4 + count) : null;
}

/** @param {Content} content */
export function innerOf({ contentType, content, count }) { return utf8(canonical({ contentType, content, n: count ?? undefined })); }

/** @param {Content} content */
export function paddedContent(content) { return pad(innerOf(content)); }

/** @returns {Content} */
export function readContent(padded) {
    const inner = unpadded(padded);
    const text = inner && strictTextOf(inner);
    const json = text ? parse(text) : undefined;
    if (json === undefined || canonical(json) !== text) throw refusal('damaged');
    try {
        const members = new StrictMembers(json, 'inner', ['content', 'contentType'], ['n']);
        const { content } = members.values;
        if (typeof content !== 'string' || !isWhole(content)) throw refusal('damaged');
        return { contentType: members.integer('contentType', -LATEST, LATEST), content, count: members.has('n') ? members.integer('n', 1, LATEST) : null };
    } catch {
        throw refusal('damaged');
    }
}
