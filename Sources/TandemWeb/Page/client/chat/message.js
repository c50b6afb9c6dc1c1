import { byteCountOf } from '../../wire/bytes.js';
import { elementOf } from './hub.js';
import { LIMITS, isMessageId, isPerson, peerOf, short, whole } from './ids.js';

export const TEXT = 101;
export const CUSTOM = 110;
const RECALLED = 2101;
const DELETED = 2102;
/** From here on types are the hub's own, and no messages. */
const NOTICES = 1000;

/**
 * A message as it came: what is the same whether it is sealed or not.
 *
 * @typedef {{conversation: string, from: string, id: string, seq: number, created: number, sent: number, type: number, content: string, isUnreadable: boolean,
 *   isHidden: boolean}} Incoming `content` is a text's words, or the JSON of a payload.
 *
 * A message as this phone keeps it. `content` is a text's words, or a payload; null where there is none.
 *
 * @typedef {{conversation: string, from: string, id: string, seq: number | null, created: number, sent: number, type: number, content: any, status: 'sending' | 'sent' | 'failed',
 *   error: string | null, trouble: string | null, isRecalled: boolean, isDeleted: boolean, isDestroyed: boolean, isControl: boolean, isSealed: boolean, isUnexpectedlyClear: boolean}} Row
 */

/**
 * Reads a message of the hub. One that cannot be read keeps its place and says so; only one without a place is nothing.
 *
 * @param {any} data
 * @param {string} conversation
 * @param {string} me
 * @returns {Incoming | null}
 */
export function incoming(data, conversation, me) {
    const seq = whole(data?.seq);
    if (!seq) return null;
    const peer = peerOf(conversation, me);
    const from = data.sendID === me || data.sendID === peer ? data.sendID : null;
    const base = { conversation, from: from ?? peer, seq, created: whole(data.createTime) || whole(data.sendTime), sent: whole(data.sendTime), isHidden: isHidden(data.options) };
    const id = isMessageId(data.clientMsgID) ? data.clientMsgID : null;
    const type = whole(data.contentType);
    const content = id && from ? contentOf(type, data.content) : null;
    if (content === null) return { ...base, id: id ?? `unreadable-${seq}`, type, content: '', isUnreadable: true };
    return { ...base, id, type, content, isUnreadable: false };
}

/** A message whose every switch is off is never shown. */
function isHidden(options) {
    const values = options !== null && typeof options === 'object' ? Object.values(options) : [];
    return values.length > 0 && values.every((value) => value === false);
}

/** What a message says in the form of a request to send; null where that cannot be read. */
function contentOf(type, content) {
    if (type === RECALLED || type === DELETED) return '';
    const element = elementOf(content, LIMITS.sealedContent * 2);
    if (element === null) return null;
    if (type === TEXT) return typeof element.content === 'string' ? element.content : typeof element.textElem?.content === 'string' ? element.textElem.content : null;
    if (type !== CUSTOM) return '';
    const inner = element.data ?? element.customElem?.data;
    if (typeof inner === 'string') return inner;
    return typeof element.type === 'string' ? JSON.stringify(element) : null;
}

/** The payload of a JSON text; null where it is none. */
export function payloadOf(text) {
    try {
        const value = JSON.parse(text);
        return value !== null && typeof value === 'object' && typeof value.type === 'string' ? value : null;
    } catch {
        return null;
    }
}

/**
 * The row of a message that came, as it was opened.
 *
 * @param {Incoming} message
 * @param {{contentType: number, content: string, isSealed: boolean, trouble: string | null, isUnexpectedlyClear: boolean}} opened
 * @returns {Row}
 */
export function rowOf(message, { contentType, content, isSealed, trouble, isUnexpectedlyClear }) {
    const read = contentType === TEXT ? content : contentType === CUSTOM ? payloadOf(content) : null;
    const isRecalled = message.type === RECALLED;
    const isDeleted = message.type === DELETED;
    const isGone = read?.type === 'flash_image' && read.destroyed === true;
    const isControl = message.isHidden || read?.type === 'flash_viewed' || message.type >= NOTICES && !isRecalled && !isDeleted;
    return {
        conversation: message.conversation, from: message.from, id: message.id, seq: message.seq, created: message.created, sent: message.sent, status: 'sent', error: null,
        type: isRecalled || isDeleted ? 0 : contentType, content: isRecalled || isDeleted || isGone ? null : read, isRecalled, isDeleted, isDestroyed: isGone, isControl, isSealed,
        isUnexpectedlyClear: isUnexpectedlyClear && !message.isUnreadable, trouble: trouble ?? (message.isUnreadable && !isControl ? 'unreadable' : null),
    };
}

/**
 * What an own message begins as.
 *
 * @returns {Row}
 */
export function ownRow({ conversation, me, id, type, content, created, isSealed }) {
    return {
        conversation, from: me, id, seq: null, created, sent: 0, type, content, status: 'sending', error: null, trouble: null, isRecalled: false, isDeleted: false, isDestroyed: false, isControl: false,
        isSealed, isUnexpectedlyClear: false,
    };
}

/** Takes what was said out of a row. @param {'isRecalled' | 'isDeleted' | 'isDestroyed'} reason @returns {Row} */
export function blank(row, reason) { return { ...row, [reason]: true, trouble: null, type: reason === 'isDestroyed' ? CUSTOM : 0, content: null }; }

/** What a row is, for a screen. Source: `docs/chat.md`, "Payloads". */
export function kindOf(row) {
    if (row.isRecalled) return 'recalled';
    if (row.isDestroyed) return 'flash';
    if (row.type === TEXT && typeof row.content === 'string') return 'text';
    const payload = row.type === CUSTOM ? row.content : null;
    switch (payload?.type) {
        case 'image': return keysOf(row).length === 1 ? 'image' : 'unknown';
        case 'multi_image': return keysOf(row).length > 0 ? 'image' : 'unknown';
        case 'audio': return keysOf(row).length === 1 ? 'voice' : 'unknown';
        case 'flash_image': return 'flash';
        case 'signal_quote': return isText(payload.signalId, LIMITS.id) && isText(payload.replyContent, LIMITS.text) ? 'quote' : 'unknown';
        default: return 'unknown';
    }
}

/** Objects that a row names, in their order; those of an own one that waits stand for files that are here. */
export function keysOf(row) {
    const payload = row.content;
    if (payload?.type === 'image' || payload?.type === 'audio') return isText(payload.objectKey, LIMITS.key) && payload.objectKey ? [payload.objectKey] : [];
    if (payload?.type !== 'multi_image' || !Array.isArray(payload.multiObjectKeys) || payload.multiObjectKeys.length > LIMITS.pictures) return [];
    return payload.multiObjectKeys.every((key) => isText(key, LIMITS.key) && key) ? payload.multiObjectKeys : [];
}

/** Whether a row is shown at all. */
export function isShown(row) { return !row.isControl && !row.isDeleted; }

/** Whether a row counts while it is not read. Source: invariant I7. */
export function counts(row, me) { return row.from !== me && !row.isControl && !row.isRecalled; }

/** The words of a row, as a search finds them; empty for none. */
export function wordsOf(row) {
    if (!isShown(row)) return '';
    const kind = kindOf(row);
    if (kind === 'text') return row.content;
    return kind === 'quote' ? `${row.content.replyContent} ${short(row.content.signalContent, LIMITS.text)}` : '';
}

/** Whom a message is by, of the two people. */
export function isOfPeople(from, conversation, me) { return isPerson(from) && (from === me || from === peerOf(conversation, me)); }

function isText(value, most) { return typeof value === 'string' && byteCountOf(value) <= most; }
