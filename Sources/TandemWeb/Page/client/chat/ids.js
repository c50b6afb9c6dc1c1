import { chatFailure } from './failures.js';

/** Bounds of what is taken from a hub and given to it. Source: `docs/chat.md`, "Limits". */
export const LIMITS = { text: 16_384, content: 32_768, sealedContent: 131_072, id: 128, name: 256, key: 200, pictures: 9, page: 40, pull: 200, conversations: 200, people: 100, place: Number.MAX_SAFE_INTEGER, waveform: 64, voiceSeconds: 60 };

const PERSON = /^tb_([1-9]\d{0,15})$/;

/** Whether a text is a person's id. */
export function isPerson(text) {
    const found = typeof text === 'string' && PERSON.exec(text);
    return Boolean(found) && Number.isSafeInteger(Number(found[1]));
}

/** The conversation of two people; null with oneself. Source: rule F2. */
export function conversationOf(one, other) { return one === other ? null : `si_${[one, other].sort().join('_')}`; }

/** The other person of a conversation of somebody's; null for any other text. */
export function peerOf(conversation, me) {
    const found = typeof conversation === 'string' && /^si_(tb_\d+)_(tb_\d+)$/.exec(conversation);
    if (!found || !isPerson(found[1]) || !isPerson(found[2]) || !found.slice(1).includes(me)) return null;
    const peer = found[1] === me ? found[2] : found[1];
    return conversationOf(me, peer) === conversation ? peer : null;
}

/** Whether a text can be a message's id: visible ASCII. */
export function isMessageId(text) { return typeof text === 'string' && text.length <= LIMITS.id && /^[\x21-\x7E]+$/.test(text); }

/** @throws {import('../../wire/error.js').WireError} */
export function checkedId(id) {
    if (!isMessageId(id)) throw chatFailure('malformed', { what: 'id' });
    return id;
}

/** A number from a hub as it may be compared; 0 for anything else. */
export function whole(value) {
    const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
    return Number.isSafeInteger(number) && number > 0 ? number : 0;
}

/** A text from a hub of at most so many characters; empty for anything else. */
export function short(value, most) { return typeof value === 'string' && value.length <= most ? value : ''; }
