import { b64u } from '../../../wire/bytes.js';
import { malformed, tooLarge } from './failures.js';
import { PAGE_LIMIT, PAGE_MESSAGES } from './handover-page.js';
import { StrictMembers } from './strict.js';

/**
 * A sealed object at the hub as it is named to who may open it; `size` is that of what is inside.
 *
 * @typedef {{object: string, hash: Uint8Array, size: number}} Part
 *
 * A page, what opens it, and how many messages it has.
 *
 * @typedef {Part & {key: Uint8Array, count: number}} ListedPage
 *
 * The list of the pages that a device hands over, the newest messages first; cut where older ones had no room. Source: `docs/protocol.md` 2.10.7.
 *
 * @typedef {{pages: ListedPage[], isCut: boolean, messages: number}} HandoverIndex
 */

/** The canonical text of an index, in bytes. */
export const INDEX_LIMIT = 1 << 20;
export const PAGES = 1024;
export const MESSAGES = 100_000;
/** Bytes of all pages. */
export const SIZE = 256 << 20;
const OBJECT_KEY_LIMIT = 200;

function messagesOf(pages) { return pages.reduce((sum, { count }) => sum + count, 0); }

/** @returns {ListedPage} */
function readListed(json) {
    const members = new StrictMembers(json, 'pages', ['count', 'key', 'object', 'sha256', 'size']);
    return {
        object: members.text('object', OBJECT_KEY_LIMIT), hash: members.bytes('sha256', 32), size: members.integer('size', 1, PAGE_LIMIT), key: members.bytes('key', 32),
        count: members.integer('count', 1, PAGE_MESSAGES),
    };
}

/** @returns {HandoverIndex} */
export function readIndex(json) {
    const members = new StrictMembers(json, 'index', ['isCut', 'messages', 'pages', 'v']);
    members.integer('v', 1, 1);
    if (typeof json.isCut !== 'boolean') throw malformed('isCut');
    const pages = members.list('pages', PAGES).map(readListed);
    // An object that is named twice would be fetched twice for the same words.
    if (!pages.length || new Set(pages.map(({ object }) => object)).size !== pages.length) throw malformed('pages');
    if (pages.reduce((sum, { size }) => sum + size, 0) > SIZE) throw tooLarge('pages', SIZE);
    const messages = messagesOf(pages);
    if (messages > MESSAGES) throw tooLarge('messages', MESSAGES);
    members.integer('messages', messages, messages);
    return { pages, isCut: json.isCut, messages };
}

/**
 * @param {ListedPage[]} pages
 * @param {boolean} isCut
 */
export function indexJSON(pages, isCut) {
    const listed = pages.map(({ object, hash, size, key, count }) => ({ object, key: b64u(key), sha256: b64u(hash), size, count }));
    return { v: 1, messages: messagesOf(pages), isCut, pages: listed };
}
