/** Counts that are remembered as missing. */
const MISSING_LIMIT = 256;

/**
 * What a reader remembers of a conversation's sealed messages, to say what the hub does with them: each is noted once it was opened, in the order of the
 * hub's places. `counts` has of each device the greatest count that was seen and those below it that did not come, the greatest ones of them; `lists` the
 * newest numbers of lists, the smaller person's first.
 *
 * @typedef {{counts: Object<string, {newest: number, missing: number[]}>, lists: number[] | null}} SealedHistory
 *
 * @typedef {'missing' | 'late' | 'repeated' | 'oldLists'} Finding Something that an honest hub does not do, or seldom.
 */

/** @returns {SealedHistory} */
export function emptyHistory() { return { counts: {}, lists: null }; }

/**
 * Notes a message that was opened for the first time.
 *
 * @param {SealedHistory} history
 * @param {import('./message.js').Envelope} envelope
 * @param {number | null} count
 * @param {import('./message.js').Binding} binding
 * @returns {{history: SealedHistory, findings: Finding[]}}
 */
export function noted(history, envelope, count, { senders, receivers }) {
    const counted = count === null ? null : countedOnce(history.counts[envelope.from] ?? { newest: 0, missing: [] }, count);
    const numbers = senders.uid < receivers.uid ? [envelope.senderList, envelope.receiverList] : [envelope.receiverList, envelope.senderList];
    const before = history.lists ?? numbers;
    /** @type {Finding[]} */
    const findings = counted?.finding ? [counted.finding] : [];
    if (numbers.some((number, at) => number < before[at])) findings.push('oldLists');
    const lists = numbers.map((number, at) => Math.max(number, before[at]));
    return { history: { counts: counted ? { ...history.counts, [envelope.from]: counted.entry } : history.counts, lists }, findings };
}

/** @returns {{entry: {newest: number, missing: number[]}, finding: Finding | null}} */
function countedOnce(entry, count) {
    const { newest, missing } = entry;
    if (count <= newest) {
        // One that was missing came later than its place says; any other was there already.
        const isLate = missing.includes(count);
        return { entry: isLate ? { newest, missing: missing.filter((number) => number !== count) } : entry, finding: isLate ? 'late' : 'repeated' };
    }
    // What was sent before this device took part is nothing that it misses.
    if (!newest || count === newest + 1) return { entry: { newest: count, missing }, finding: null };
    const first = Math.max(newest + 1, count - MISSING_LIMIT);
    const added = Array.from({ length: count - first }, (_, at) => first + at);
    return { entry: { newest: count, missing: [...missing, ...added].slice(-MISSING_LIMIT) }, finding: 'missing' };
}
