import { forgetHanded, withHanded } from './handed.js';
import { LIMITS, peerOf } from './ids.js';
import { blank } from './message.js';
import { note } from './transaction.js';

/**
 * What came from the hub, merged with what is known: states only grow, and each message is one row. Source: invariant I5, rules B6 and B14.
 *
 * @typedef {import('./transaction.js').Transaction} Transaction
 * @typedef {import('./message.js').Row} Row
 * @typedef {import('./book.js').Conversation} Conversation
 * @typedef {{row: Row, isUnopened: boolean}} Arrival `isUnopened`: still sealed, since what was inside is here already.
 */

/**
 * @param {Transaction} transaction
 * @param {Conversation} record
 * @param {Arrival} arrival
 * @param {{tells: boolean}} options Whether followers are told: not of older pages, for which somebody waits.
 */
export async function take(transaction, record, { row, isUnopened }, { tells }) {
    if (row.seq < record.lowest) {
        // An own one whose place became known only now, in what was cleared.
        const own = await transaction.message(row.conversation, row.from, row.id);
        if (own && own.seq === null) await drop(transaction, own);
        return;
    }
    const known = await transaction.message(row.conversation, row.from, row.id);
    const handed = await withHanded(transaction, row);
    if (row.isControl) return takeControl(transaction, row, known, isUnopened);
    record.preview = Math.max(record.preview, row.seq);
    const state = early(transaction, handed);
    if (!known) {
        await giveWay(transaction, state);
        if (await transaction.isFree(row.conversation, row.seq)) transaction.put(state, { tells });
        return;
    }
    if (known.isControl) return;
    const merged = mergeRows(known, state, isUnopened);
    // Another row has the place: the hub never says so, and the first one keeps it.
    if (merged.seq !== known.seq && !await transaction.isFree(row.conversation, merged.seq)) merged.seq = known.seq;
    if (JSON.stringify(merged) === JSON.stringify(known)) return;
    if (merged.content === null) transaction.dropFiles(known);
    transaction.put(merged, { tells });
    if (known.status !== 'sent') await leaveOutbox(transaction, known.id);
}

/** What was told of it before it came. */
function early(transaction, row) {
    const { early: states } = transaction;
    let found = row;
    if (states.isRecalled(row) && !row.isRecalled) found = blank(found, 'isRecalled');
    else if (states.isBurned(row) && !row.isDestroyed && !row.isRecalled && (row.content?.type === 'flash_image' || row.trouble)) found = blank(found, 'isDestroyed');
    return states.isDeleted(row.conversation, row.seq) && !found.isDeleted ? blank(found, 'isDeleted') : found;
}

/** A message without a bubble: it has its place, so that no unread count takes it for a gap. */
async function takeControl(transaction, row, known, isUnopened) {
    if (!known && await transaction.isFree(row.conversation, row.seq)) transaction.put({ ...row, content: null }, { tells: false });
    if (isUnopened || row.content?.type !== 'flash_viewed' || typeof row.content.msgId !== 'string') return;
    // Its receiver saw it, so the other one sent it: no person can burn an own picture for the other by this.
    const sender = peerOf(row.conversation, row.from);
    await destroy(transaction, row.conversation, sender, row.content.msgId);
}

/** A row that stood for a message which could not be read leaves once the message itself comes. */
async function giveWay(transaction, row) {
    if (row.trouble === 'unreadable') return;
    const standing = await transaction.messageAt(row.conversation, row.seq);
    if (standing?.trouble === 'unreadable' && standing.id === `unreadable-${row.seq}`) transaction.delete(standing);
}

/** What both copies know. @returns {Row} */
function mergeRows(known, other, keepsContent) {
    const base = {
        ...known, seq: known.seq ?? other.seq, sent: other.sent || known.sent, status: /** @type {'sent'} */ ('sent'), error: null,
        isSealed: known.isSealed || other.isSealed, isUnexpectedlyClear: known.isUnexpectedlyClear || other.isUnexpectedlyClear,
    };
    if (known.isRecalled || known.isDeleted) return other.isRecalled ? { ...base, isRecalled: true } : base;
    for (const reason of /** @type {const} */ (['isDeleted', 'isRecalled', 'isDestroyed'])) if (other[reason] || known[reason]) return blank(base, reason);
    if (keepsContent || other.trouble && !known.trouble) return base;
    return { ...base, type: other.type, content: other.content, trouble: other.trouble };
}

async function leaveOutbox(transaction, id) {
    for (const { key, value } of await transaction.range('chat-outbox', transaction.key(''), transaction.key('\uffff'))) if (value.id === id) transaction.remove('chat-outbox', key);
}

async function drop(transaction, row) {
    await leaveOutbox(transaction, row.id);
    transaction.delete(row);
}

// MARK: States

/** @param {{conversation: string, from: string | null, id: string | null, seq: number}} recall */
export async function recall(transaction, recall) {
    const { conversation, from, id, seq } = recall;
    const known = from && id ? await transaction.message(conversation, from, id) : await transaction.messageAt(conversation, seq);
    if (!known) {
        transaction.early.noteRecalled(recall);
        forgetHanded(transaction, conversation, seq);
        return;
    }
    if (known.isRecalled) return;
    if (known.isDeleted) transaction.put({ ...known, isRecalled: true });
    else transaction.blank(known, 'isRecalled');
}

/** A view-once picture is gone. */
export async function destroy(transaction, conversation, from, id) {
    const known = await transaction.message(conversation, from, id);
    if (!known) { transaction.early.noteBurned(conversation, from, id); return; }
    const isPicture = known.content?.type === 'flash_image' || known.trouble !== null;
    if (isPicture && !known.isDestroyed && !known.isRecalled && !known.isDeleted) transaction.blank(known, 'isDestroyed');
}

/** Deletes messages for this person alone, those that are not here yet when they come. */
export async function deleteAt(transaction, conversation, places) {
    for (const seq of places) {
        const known = await transaction.messageAt(conversation, seq);
        if (known && !known.isDeleted) transaction.blank(known, 'isDeleted');
        if (known) continue;
        transaction.early.noteDeleted(conversation, seq);
        forgetHanded(transaction, conversation, seq);
    }
}

// MARK: Places

/**
 * Takes messages that were pushed, and those that waited for them.
 *
 * @param {Transaction} transaction
 * @param {Arrival[]} arrivals
 * @returns {Promise<Arrival[]>} Those before which something is missing. Source: invariant I4.
 */
export async function takePushed(transaction, conversation, arrivals) {
    const record = transaction.conversation(conversation);
    const waiting = [];
    for (const arrival of [...arrivals].sort((one, other) => one.row.seq - other.row.seq)) {
        const place = arrival.row.seq;
        note(record, place);
        // The beginning of a conversation that is new to both people.
        if (record.oldest === null && place === record.lowest) record.oldest = place;
        if (record.oldest === null || place > record.applied + 1 && place !== record.lowest) { waiting.push(arrival); continue; }
        // A repeat of what lies before the loaded part comes with its page: alone it would leave a hole.
        if (place < record.oldest) continue;
        await take(transaction, record, arrival, { tells: true });
        await transaction.advance(record, Math.max(record.applied, place));
    }
    return waiting;
}

/**
 * Takes what was asked for of a range.
 *
 * @param {Transaction} transaction
 * @param {Arrival[]} arrivals
 * @param {{first: number, last: number} | null} covered The places that the answer says everything about.
 */
export async function takeCovering(transaction, conversation, arrivals, covered, { tells }) {
    const record = transaction.conversation(conversation);
    const older = () => (record.oldest === null ? 0 : transaction.unread(record.id, Math.max(record.readUpTo, record.oldest - 1)));
    const before = await older();
    for (const arrival of arrivals) await take(transaction, record, arrival, { tells });
    if (!covered) return;
    if (record.oldest === null) {
        record.oldest = Math.max(covered.first, 1);
        await transaction.advance(record, covered.last);
        record.olderUnread = Math.max(0, record.olderUnread - await older());
        return;
    }
    // Only what joins what is here: a hole would be taken for its end.
    if (covered.first <= record.applied + 1 && covered.last > record.applied) await transaction.advance(record, covered.last);
    if (covered.first < record.oldest && covered.last >= record.oldest - 1) {
        record.oldest = Math.max(covered.first, 1);
        record.olderUnread = Math.max(0, record.olderUnread - (await older() - before));
    }
}

/** The places that an answer says everything about, from the beginning of a range on: an empty one that has no end says nothing. */
export function covered(part, { first, last }) {
    if (first > last) return null;
    if (part.isEnd) return { first, last };
    const end = Math.max(0, ...part.places);
    return end < first ? null : { first, last: Math.min(end, last) };
}

/** As ``covered``, of an answer that goes back from the end. */
export function coveredBack(part, { first, last }) {
    if (part.isEnd) return { first, last };
    const begin = Math.min(LIMITS.place, ...part.places);
    return begin > last ? null : { first: Math.max(begin, first), last };
}

