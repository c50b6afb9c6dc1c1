import { chatFailure } from './failures.js';
import { LIMITS, whole } from './ids.js';
import { CUSTOM, ownRow } from './message.js';
import { note } from './transaction.js';

/**
 * An own message that waits or failed, in the order of the calls.
 *
 * @typedef {{id: string, conversation: string, position: number, created: number, type: number, content: any, media: Media | null, receiveId: string | null, isFailed: boolean}} Waiting
 *   `content` is a text's words or a payload; of media it is made once all files are there.
 * @typedef {{kind: 'image' | 'flash' | 'voice', seconds: number | null, waveform: number[], files: OutgoingFile[]}} Media
 * @typedef {{file: string, width: number | null, height: number | null, objectKey: string | null, sealed: any}} OutgoingFile `file` names it among the files that are here.
 */

/** Keys of files that were not uploaded yet begin so. */
const HERE = 'outbox/';
const DIGITS = 12;

export function outboxKey(transaction, { position }) { return transaction.key(String(position).padStart(DIGITS, '0')); }

/** What an own message shows, also before its files are there. @param {Media} media */
export function payloadOfMedia({ kind, seconds, waveform, files }) {
    const keys = files.map(({ objectKey, file }) => objectKey ?? HERE + file);
    const sealed = files.map((each) => each.sealed);
    const isSealed = sealed.every(Boolean);
    const [{ width, height }] = files;
    switch (kind) {
        case 'voice': return { type: 'audio', objectKey: keys[0], durationSec: seconds, ...(waveform.length > 0 && { waveform }), ...(isSealed && { sealed: sealed[0] }) };
        case 'flash': return { type: 'flash_image', objectKey: keys[0], ...(isSealed && { sealed: sealed[0] }) };
        default: return files.length === 1 ? { type: 'image', objectKey: keys[0], ...(width && { w: width, h: height }), ...(isSealed && { sealed: sealed[0] }) }
            : { type: 'multi_image', multiObjectKeys: keys, ...(isSealed && { sealed }) };
    }
}

/** What the own row of a view-once picture holds: its key is told to nobody. */
function shownContent({ media, content }) {
    if (!media) return content;
    return media.kind === 'flash' ? { type: 'flash_image', objectKey: '' } : payloadOfMedia(media);
}

/**
 * Gives a message its place in the outbox and its row.
 *
 * @param {import('./transaction.js').Transaction} transaction
 * @param {Waiting} waiting
 * @returns {Promise<boolean>} False where one of this id is here already.
 */
export async function addOutgoing(transaction, waiting) {
    const { conversation, id } = waiting;
    if (await transaction.message(conversation, transaction.me, id)) return false;
    const record = transaction.conversation(conversation);
    transaction.put(ownRow({ conversation, me: transaction.me, id, type: waiting.media ? CUSTOM : waiting.type, content: shownContent(waiting), created: waiting.created, isSealed: record.isSealed }));
    transaction.write('chat-outbox', outboxKey(transaction, waiting), waiting);
    // Sent: what was written is no draft any more. Source: rule B21.
    if (!waiting.media && record.draft !== null) Object.assign(record, { draft: null, isDraftTold: false });
    return true;
}

/** A file of it is at the hub now. @param {Waiting} waiting */
export async function noteUploaded(transaction, waiting) {
    const row = await transaction.message(waiting.conversation, transaction.me, waiting.id);
    if (!row || row.status === 'sent') return;
    transaction.write('chat-outbox', outboxKey(transaction, waiting), waiting);
    transaction.put({ ...row, content: shownContent(waiting) });
}

/**
 * The hub has it.
 *
 * @param {import('./transaction.js').Transaction} transaction
 * @param {Waiting} waiting
 * @param {{serverMsgID: string, sendTime: number, seq: number}} answer
 * @returns {Promise<{hasGap: boolean}>}
 */
export async function noteSent(transaction, waiting, answer, isSealed) {
    leave(transaction, waiting);
    const known = await transaction.message(waiting.conversation, transaction.me, waiting.id);
    if (!known) return { hasGap: false };
    const record = transaction.conversation(waiting.conversation);
    const place = whole(answer.seq) || null;
    /** @type {import('./message.js').Row} */
    const row = { ...known, status: 'sent', error: null, sent: whole(answer.sendTime) || known.sent, isSealed: isSealed ?? known.isSealed };
    if (place && row.seq === null && await transaction.isFree(record.id, place)) row.seq = place;
    transaction.put(row);
    if (!place) return { hasGap: false };
    note(record, place);
    record.preview = Math.max(record.preview, place);
    if (record.oldest === null && place === record.lowest) record.oldest = place;
    if (record.oldest === null) return { hasGap: true };
    if (place <= record.applied + 1) await transaction.advance(record, Math.max(record.applied, place));
    return { hasGap: place > record.applied };
}

/** It waits for its person. @param {Waiting} waiting */
export async function noteFailed(transaction, waiting, reason) {
    const known = await transaction.message(waiting.conversation, transaction.me, waiting.id);
    // Its echo was quicker than the failure.
    if (!known || known.status === 'sent') { leave(transaction, waiting); return; }
    transaction.write('chat-outbox', outboxKey(transaction, waiting), { ...waiting, isFailed: true });
    transaction.put({ ...known, status: 'failed', error: reason });
}

/** It goes to the end of the outbox once more. @returns {Promise<Waiting>} */
export async function noteResent(transaction, conversation, id, position) {
    const found = await waitingOf(transaction, id);
    const known = await transaction.message(conversation, transaction.me, id);
    if (!found || !known) throw chatFailure('unknownMessage');
    if (!found.isFailed || known.status !== 'failed') throw chatFailure('illegalStatus');
    leave(transaction, found);
    const waiting = { ...found, isFailed: false, position };
    transaction.write('chat-outbox', outboxKey(transaction, waiting), waiting);
    transaction.put({ ...known, status: 'sending', error: null });
    return waiting;
}

/** Throws one away that the hub does not have. @returns {Promise<Waiting | null>} */
export async function discard(transaction, conversation, id) {
    const found = await waitingOf(transaction, id);
    const known = await transaction.message(conversation, transaction.me, id);
    if (!known || known.status === 'sent') return null;
    if (found) leave(transaction, found);
    transaction.delete(known);
    return found;
}

/** @returns {Promise<Waiting | null>} */
async function waitingOf(transaction, id) {
    const found = await transaction.range('chat-outbox', transaction.key(''), transaction.key('\uffff'));
    return found.find(({ value }) => value.id === id)?.value ?? null;
}

/** @param {Waiting} waiting */
function leave(transaction, waiting) {
    transaction.remove('chat-outbox', outboxKey(transaction, waiting));
    for (const { file } of waiting.media?.files ?? []) transaction.remove('chat-files', transaction.key(file));
}

/** Whether an object's key stands for a file that is here. */
export function isHere(key) { return key.startsWith(HERE); }

/** Its name among the files that are here. */
export function fileOf(key) { return key.slice(HERE.length); }

/** The request by which a message goes to the hub. @param {Waiting} waiting */
export function contentToSend({ type, content, media }) {
    if (media) return { contentType: CUSTOM, content: JSON.stringify(payloadOfMedia(media)) };
    return { contentType: type, content: type === CUSTOM ? JSON.stringify(content) : content };
}

/** @throws {import('../../wire/error.js').WireError} */
export function checkFiles(files) {
    if (files.length === 0) throw chatFailure('blank');
    if (files.length > LIMITS.pictures) throw chatFailure('tooMany', { what: 'files', limit: LIMITS.pictures });
}
