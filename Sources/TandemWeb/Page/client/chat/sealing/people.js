import { refusal } from './failures.js';

/** The id of a person's number: `tb_7`. */
export function userIdOf(uid) { return `tb_${uid}`; }

/** The number of a person's id; null for what is no such id. */
export function numberOf(userId) {
    const digits = /^tb_([1-9]\d{0,15})$/.exec(userId)?.[1];
    return digits && Number.isSafeInteger(Number(digits)) ? Number(digits) : null;
}

/** The conversation of two people, by their numbers: the ids stand in the order of their bytes. */
export function conversationOf(one, other) {
    const ids = [userIdOf(one), userIdOf(other)].sort();
    return `si_${ids[0]}_${ids[1]}`;
}

/** The other person's number in a conversation; null for any text that names none with this person. */
export function peerOf(conversation, uid) {
    const [, one, other] = /^si_(tb_\d{1,16})_(tb_\d{1,16})$/.exec(conversation) ?? [];
    const numbers = [numberOf(one), numberOf(other)];
    const peer = numbers.find((number) => number !== uid);
    return numbers.includes(uid) && peer && conversationOf(uid, peer) === conversation ? peer : null;
}

/** As ``peerOf``, throws where there is none. */
export function requirePeer(conversation, uid) {
    const peer = peerOf(conversation, uid);
    if (peer === null) throw refusal('notYours');
    return peer;
}
