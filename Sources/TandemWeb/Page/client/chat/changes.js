import { byteCountOf } from '../../wire/bytes.js';
import { deleteAt, destroy, recall } from './arrivals.js';
import { LIMITS, conversationOf, isMessageId, isPerson, peerOf, whole } from './ids.js';
import { hide, note } from './transaction.js';

/** @typedef {import('./transaction.js').Transaction} Transaction */

const REQUESTS = new Set(['incoming', 'outgoing']);

/**
 * Applies the changes of the person's log that follow the last one that is here; earlier ones are passed over.
 *
 * @param {Transaction} transaction
 * @param {any[]} events
 * @param {{isAnswer?: boolean}} options They answer the question for all that follows: a number that is missing there is missing at the hub.
 * @returns {Promise<boolean>} False where some are missing before these. Source: invariant I4.
 */
export async function applyEvents(transaction, events, { isAnswer = false }) {
    let last = transaction.event ?? 0;
    const before = last;
    let isWhole = true;
    for (const event of events) {
        const number = whole(event?.useq);
        if (number <= last) continue;
        if (number !== last + 1 && !isAnswer) { isWhole = false; break; }
        await apply(transaction, event);
        last = number;
    }
    if (last !== before) transaction.setEvent(last);
    return isWhole;
}

async function apply(transaction, event) {
    const { me } = transaction;
    if (event.event === 'blocked' || event.event === 'unblocked') {
        if (isPerson(event.userID) && event.userID !== me) transaction.conversation(conversationOf(me, event.userID)).isBlocked = event.event === 'blocked';
        return;
    }
    const id = event.conversationID;
    const change = CHANGES[event.event];
    // A change that this version does not know counts, and changes nothing.
    if (!change || !peerOf(id, me)) return;
    await change(transaction, transaction.conversation(id), event, whole(event.seq));
}

/** What each change of a conversation does. */
const CHANGES = {
    recalled: async (transaction, record, event, seq) => {
        const isKnown = isMessageId(event.clientMsgID) && isPerson(event.userID);
        await recall(transaction, { conversation: record.id, from: isKnown ? event.userID : null, id: isKnown ? event.clientMsgID : null, seq });
        const isOlder = seq > record.readUpTo && seq < (record.oldest ?? Infinity);
        if (isOlder && event.userID !== transaction.me) record.olderUnread = Math.max(0, record.olderUnread - 1);
    },
    destroyed: async (transaction, record, event, seq) => {
        // The event names no sender: whose it was its place tells, or it is early for both.
        const known = await transaction.messageAt(record.id, seq);
        const people = known && known.id === event.clientMsgID ? [known.from] : [transaction.me, record.peer];
        for (const from of people) await destroy(transaction, record.id, from, String(event.clientMsgID));
    },
    read: (transaction, record, event, seq) => {
        record.readUpTo = Math.max(record.readUpTo, seq);
        record.readTold = Math.max(record.readTold, seq);
    },
    peerRead: (transaction, record, event, seq) => {
        record.peerRead = Math.max(record.peerRead, seq);
        record.peerReceived = Math.max(record.peerReceived, seq);
    },
    settings: (transaction, record, event) => takeSettings(record, event),
    cleared: (transaction, record, event, seq) => transaction.clear(record, seq),
    hidden: (transaction, record, event, seq) => hide(record, seq),
    deleted: (transaction, record, event) => deleteAt(transaction, record.id, (Array.isArray(event.seqs) ? event.seqs : []).slice(0, LIMITS.pull).map(whole).filter(Boolean)),
    requestAccepted: (transaction, record) => { record.request = null; },
    requestDeclined: (transaction, record) => {
        record.request = null;
        hide(record, Math.max(record.newest, record.applied));
    },
    peerDeleted: (transaction, record) => { record.isPeerDeleted = true; },
};

/** Settings of another device of the person. */
export function takeSettings(record, { isPinned, recvMsgOpt, draftText }) {
    if (typeof isPinned === 'boolean') record.isPinned = isPinned;
    if (Number.isInteger(recvMsgOpt)) record.isMuted = recvMsgOpt !== 0;
    // What is written here and not told yet is newer.
    if (typeof draftText === 'string' && record.isDraftTold) record.draft = keptDraft(draftText);
}

/** A draft as it is kept; null for none. */
export function keptDraft(text) { return text.trim() && byteCountOf(text) <= LIMITS.text ? text : null; }

/** Where the person stands everywhere, as an answer to `/chat/sync` says. */
export async function applyPlaces(transaction, places) {
    for (const [id, place] of Object.entries(places)) {
        if (!peerOf(id, transaction.me)) continue;
        const [newest, read, lowest] = [whole(place?.maxSeq), whole(place?.hasReadSeq), whole(place?.minSeq)];
        const known = transaction.known(id);
        if (known && known.newest >= newest && known.readTold >= read && known.lowest >= lowest) continue;
        const record = transaction.conversation(id);
        note(record, newest);
        record.readTold = Math.max(record.readTold, read);
        record.readUpTo = Math.max(record.readUpTo, read);
        if (lowest > record.lowest) await transaction.clear(record, lowest);
    }
}

/**
 * Takes rows of the hub's list.
 *
 * @param {Transaction} transaction
 * @param {any[]} elements
 * @param {Map<string, number>} asked The conversations that were asked for, with their newest places before. Those without a row are off the list.
 */
export async function takeElements(transaction, elements, asked) {
    const mine = elements.filter((element) => peerOf(element?.conversationID, transaction.me));
    for (const element of mine) {
        const record = transaction.conversation(element.conversationID);
        record.isMuted = Number.isInteger(element.recvMsgOpt) && element.recvMsgOpt !== 0;
        record.isPinned = element.IsPinned === true;
        if (element.standing) await takeStanding(transaction, record, element.standing, whole(element.unreadCount));
        else record.preview = Math.max(record.preview, whole(element.msgInfo?.seq));
        takePerson(transaction, record.peer, element.msgInfo);
    }
    const listed = new Set(mine.map(({ conversationID }) => conversationID));
    for (const [id, newest] of asked) {
        const known = transaction.known(id);
        if (newest > 0 && !listed.has(id) && known && known.preview > known.hiddenUpTo) hide(transaction.conversation(id), newest);
    }
}

/** A row tells the other person's name. It is kept where nothing is known yet, and asked for anew like any other. */
function takePerson(transaction, user, info) {
    if (transaction.knowsPerson(user) || typeof info?.senderName !== 'string' || !info.senderName || info.senderName.length > LIMITS.name) return;
    transaction.keepPerson(user, { name: info.senderName, avatar: '', at: 0 });
}

async function takeStanding(transaction, record, standing, unread) {
    const told = { newest: whole(standing.maxSeq), lowest: whole(standing.minSeq), read: whole(standing.hasReadSeq) };
    note(record, told.newest);
    if (told.lowest > record.lowest) await transaction.clear(record, told.lowest);
    record.readTold = Math.max(record.readTold, told.read);
    record.readUpTo = Math.max(record.readUpTo, told.read);
    record.peerRead = Math.max(record.peerRead, whole(standing.peerReadSeq));
    record.peerReceived = Math.max(record.peerReceived, whole(standing.peerReceivedSeq));
    record.request = REQUESTS.has(standing.request) ? standing.request : null;
    record.isBlocked = standing.isBlocked === true;
    record.isPeerDeleted = standing.isPeerDeleted === true;
    if (record.isDraftTold) record.draft = keptDraft(typeof standing.draftText === 'string' ? standing.draftText : '');
    // It is on the list: something with a bubble is behind what was hidden.
    if (told.newest > 0) record.preview = Math.max(record.preview, told.newest);
    if (record.preview <= record.hiddenUpTo && !standing.draftText) record.hiddenUpTo = record.preview - 1;
    const here = record.oldest === null ? 0 : await transaction.unread(record.id, told.read, told.newest);
    record.olderUnread = record.readUpTo > told.read ? record.olderUnread : Math.max(0, unread - here);
}

/** Brings the blocks to what the hub lists. */
export function setBlocks(transaction, people) {
    for (const record of transaction.conversations) if (record.isBlocked && !people.has(record.peer)) transaction.conversation(record.id).isBlocked = false;
    for (const user of people) transaction.conversation(conversationOf(transaction.me, user)).isBlocked = true;
}

/** Lets go of what is known to be whole: changes were missed, so all is asked for again. The rows stay, and are merged with what comes. */
export function forgetPlaces(transaction) {
    for (const known of transaction.conversations) {
        if (known.oldest === null) continue;
        const record = transaction.conversation(known.id);
        record.oldest = null;
        record.applied = record.lowest - 1;
    }
}
