import { byteCountOf } from '../../wire/bytes.js';
import { incoming, isShown, rowOf, wordsOf } from './message.js';
import { chatFailure, isTransport } from './failures.js';
import { timeOf } from './entries.js';
import { peerOf } from './ids.js';

const LONGEST = 512;
const PART = 500;
/** Requests of one search for older messages at the hub. */
const MOST_ASKED = 5;

/**
 * Finds messages by all of their words: on this device first, sealed ones too, the newest first; then at the hub, where some history is not here.
 *
 * @param {import('./session.js').ChatSession} session
 * @param {import('./hub.js').Hub} hub
 * @param {{text: string, conversation?: string, before?: string, limit?: number}} query
 */
export async function search(session, hub, { text, conversation, before, limit = 20 }) {
    if (byteCountOf(text) > LONGEST) throw chatFailure('tooLong', { what: 'text', limit: LONGEST });
    if (conversation !== undefined) session.check(conversation);
    const words = folded(text).split(/\s+/).filter(Boolean);
    if (words.length === 0) return { messages: [], next: null };
    const most = Math.min(Math.max(1, limit), 100);
    const place = placeOf(before);
    if (!place.hub) {
        const rows = await here(session.book, words, { conversation, place, limit: most });
        if (rows.length >= most) return { messages: rows.map((row) => session.feed.message(row)), next: JSON.stringify({ time: timeOf(rows.at(-1)), id: rows.at(-1).id }) };
        if (!isPartial(session.book, conversation)) return { messages: rows.map((row) => session.feed.message(row)), next: null };
        if (rows.length > 0) return { messages: rows.map((row) => session.feed.message(row)), next: JSON.stringify({ hub: {} }) };
    }
    return there(session, hub, { text, conversation, next: place.hub });
}

/** Case, accents and width put aside. */
function folded(text) { return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(); }

function placeOf(before) {
    if (before === undefined || before === null) return { time: Infinity, id: '', hub: null };
    try {
        const { time = Infinity, id = '', hub = null } = JSON.parse(before);
        return { time: Number(time), id: String(id), hub };
    } catch {
        throw chatFailure('malformed', { what: 'before' });
    }
}

/** Whether some of what was said is not on this device. */
function isPartial(book, conversation) {
    return [...book.conversations.values()].some(({ id, oldest, lowest, newest }) => (conversation === undefined || id === conversation) && newest >= lowest && (oldest === null || oldest > lowest));
}

async function here(book, words, { conversation, place, limit }) {
    const [from, to] = book.keys(conversation === undefined ? '' : `${conversation}/`);
    let found = [];
    for (let next = from; ;) {
        const part = await book.range('chat-messages', next, to, { limit: PART });
        for (const { value: row } of part) {
            const isOlder = timeOf(row) < place.time || timeOf(row) === place.time && row.id < place.id;
            const text = isOlder ? folded(wordsOf(row)) : '';
            if (text && words.every((word) => text.includes(word))) found.push(row);
        }
        found = found.sort((one, other) => timeOf(other) - timeOf(one) || (one.id < other.id ? 1 : -1)).slice(0, limit);
        if (part.length < PART) return found;
        next = `${part.at(-1).key}\u0000`;
    }
}

async function there(session, hub, { text, conversation, next }) {
    const { book } = session;
    let mark = next && Object.keys(next).length > 0 ? next : undefined;
    for (let turn = 0; turn < MOST_ASKED; turn += 1) {
        let answer;
        try {
            answer = await hub.ask('/chat/search', { query: text, ...(conversation !== undefined && { conversation_id: conversation }), ...(mark && { next: mark }) });
        } catch (error) {
            // What is here was shown.
            if (isTransport(error)) return { messages: [], next: null };
            throw error;
        }
        const rows = (Array.isArray(answer.msgs) ? answer.msgs : []).map((data) => older(data, book)).filter(Boolean);
        mark = answer.next;
        if (rows.length > 0 || !mark) return { messages: rows.map((row) => session.feed.message(row)), next: mark ? JSON.stringify({ hub: mark }) : null };
    }
    return { messages: [], next: mark ? JSON.stringify({ hub: mark }) : null };
}

/** A message that the hub found and this device does not have. */
function older(data, book) {
    const record = [...book.conversations.values()].find(({ peer }) => [data?.sendID, data?.recvID].includes(peer));
    const message = record && peerOf(record.id, book.me) ? incoming(data, record.id, book.me) : null;
    if (!message || record.oldest !== null && message.seq >= record.oldest) return null;
    const row = rowOf(message, { contentType: message.type, content: message.content, isSealed: false, trouble: null, isUnexpectedlyClear: false });
    return isShown(row) ? row : null;
}
