import { CUSTOM, TEXT, payloadOf } from './message.js';

/**
 * What another device of the account handed over, beside what the hub says: the hub's word on a message's place and state comes first always. Words of a message
 * that is not here yet wait under its place. Source: `docs/chat-sealing.md`, "Handing history over".
 *
 * @typedef {import('./transaction.js').Transaction} Transaction
 * @typedef {import('./message.js').Row} Row
 * @typedef {import('./sealing/handover-page.js').HandedMessage} HandedMessage
 */

const TABLE = 'chat-handed';

/**
 * Takes one handed message: a message that is here and was sealed for others is filled in, the words of one that is not here yet wait for it.
 *
 * @param {Transaction} transaction
 * @param {HandedMessage} message
 */
export async function takeHanded(transaction, message) {
    const { conversation, sender: from, id, seq, contentType: type } = message;
    const words = { from, id, type, content: contentOf(message) };
    // Cleared here: it was never wanted back.
    if (words.content === null || seq < (transaction.known(conversation)?.lowest ?? 1)) return;
    const known = await transaction.message(conversation, from, id);
    if (known) {
        if (known.seq === seq && canBeFilledIn(known)) transaction.put(filled(known, words));
        return;
    }
    const { early } = transaction;
    if (early.isDeleted(conversation, seq) || early.isRecalled({ conversation, from, id, seq })) return;
    const key = transaction.placeKey(conversation, seq);
    if (await transaction.isFree(conversation, seq) && !await transaction.get(TABLE, key)) transaction.write(TABLE, key, words);
}

/**
 * A message that came from the hub, with the words that waited for it; they wait no longer, whatever became of it.
 *
 * @param {Transaction} transaction
 * @param {Row} row
 * @returns {Promise<Row>}
 */
export async function withHanded(transaction, row) {
    const words = await transaction.get(TABLE, transaction.placeKey(row.conversation, row.seq));
    if (!words) return row;
    forgetHanded(transaction, row.conversation, row.seq);
    return words.from === row.from && words.id === row.id && canBeFilledIn(row) ? filled(row, words) : row;
}

/** What waits for a place waits no longer. */
export function forgetHanded(transaction, conversation, seq) { transaction.remove(TABLE, transaction.placeKey(conversation, seq)); }

/** As ``forgetHanded``, of all places before one. */
export async function forgetHandedBefore(transaction, conversation, place) {
    const waiting = await transaction.range(TABLE, transaction.placeKey(conversation, 0), transaction.placeKey(conversation, place - 1));
    for (const { key } of waiting) transaction.remove(TABLE, key);
}

/** Whether this device lacks the key alone. One whose signature or list did not hold stays closed: another device says what was inside, not that it was right. */
function canBeFilledIn({ trouble, isRecalled, isDeleted, isDestroyed, isControl }) {
    return (trouble === 'otherDevice' || trouble === 'keyGone') && !isRecalled && !isDeleted && !isDestroyed && !isControl;
}

/** @returns {Row} */
function filled(row, { type, content }) { return { ...row, type, content, trouble: null }; }

/** What a row keeps of it: a text's words, or a payload; null for what is none. */
function contentOf({ contentType, content }) {
    if (contentType === TEXT) return content;
    return contentType === CUSTOM ? payloadOf(content) : null;
}
