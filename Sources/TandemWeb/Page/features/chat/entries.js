import { keyOf } from './conversation-state.js';

/** A message gets a time above it when it is later than the last such time by more than this, in milliseconds. Source: rule C3. */
const GAP = 300_000;

/**
 * @typedef {import('../../client/chat.js').Message} Message
 * @typedef {import('../../client/chat.js').Notice} Notice
 * @typedef {'sending' | 'failed' | 'sent' | 'received' | 'read' | null} Tick What became of an own message.
 * @typedef {Object} TimeEntry
 * @property {string} key
 * @property {'time'} kind
 * @property {number} time In milliseconds since 1970.
 * @typedef {{key: string, kind: 'notice', notice: Notice}} NoticeEntry A line of this phone.
 * @typedef {Object} MessageEntry
 * @property {string} key
 * @property {'message'} kind
 * @property {Message} message
 * @property {Tick} tick
 * @property {boolean} isFirst Of several of one person behind one another.
 * @property {boolean} isLast
 */

/**
 * What became of an own message; null for one of the other person.
 *
 * @param {Message} message
 * @param {{readByPeer: number, receivedByPeer: number}} places
 * @returns {Tick}
 */
export function tickOf({ isMine, status, seq }, { readByPeer, receivedByPeer }) {
    if (!isMine) return null;
    if (status !== 'sent') return status === 'failed' ? 'failed' : 'sending';
    if (seq === null) return 'sent';
    return seq <= readByPeer ? 'read' : seq <= receivedByPeer ? 'received' : 'sent';
}

/**
 * Makes rows of messages: with the times between them, which are derived from the whole list. Source: rule B11. A row that did not change is the
 * same object, so that a hundred thousand are gone through in a moment.
 */
export class Entries {
    /** @type {WeakMap<Message, MessageEntry>} */
    #messages = new WeakMap();
    /** @type {Map<number, TimeEntry>} */
    #times = new Map();
    /** @type {WeakMap<Notice, NoticeEntry>} */
    #notices = new WeakMap();

    /**
     * @param {Message[]} messages The oldest first.
     * @param {{readByPeer: number, receivedByPeer: number}} places
     * @param {Notice[]} [notices] The earliest first.
     * @returns {(TimeEntry | NoticeEntry | MessageEntry)[]}
     */
    of(messages, places, notices = []) {
        /** @type {(TimeEntry | NoticeEntry | MessageEntry)[]} */
        const found = [];
        let last = 0;
        let told = 0;
        // A line stands behind the message of its place, and before own ones that wait.
        const tell = (seq) => { for (; told < notices.length && notices[told].after < (seq ?? Number.POSITIVE_INFINITY); told += 1) found.push(this.#notice(notices[told])); };
        let isMarked = messages.length > 0 && messages[0].time > GAP;
        for (let at = 0; at < messages.length; at += 1) {
            const [message, next] = [messages[at], messages[at + 1]];
            tell(message.seq);
            if (isMarked) {
                last = message.time;
                found.push(this.#time(last));
            }
            const isFirst = isMarked || messages[at - 1]?.isMine !== message.isMine;
            isMarked = next !== undefined && next.time - last > GAP;
            found.push(this.#message(message, tickOf(message, places), isFirst, isMarked || next?.isMine !== message.isMine));
        }
        tell(null);
        return found;
    }

    #notice(notice) {
        if (!this.#notices.has(notice)) this.#notices.set(notice, { key: `notice_${notice.id}`, kind: 'notice', notice });
        return this.#notices.get(notice);
    }

    #time(time) {
        if (!this.#times.has(time)) this.#times.set(time, { key: `time_${time}`, kind: 'time', time });
        return this.#times.get(time);
    }

    #message(message, tick, isFirst, isLast) {
        const former = this.#messages.get(message);
        if (former && former.tick === tick && former.isFirst === isFirst && former.isLast === isLast) return former;
        /** @type {MessageEntry} */
        const entry = { key: keyOf(message), kind: 'message', message, tick, isFirst, isLast };
        this.#messages.set(message, entry);
        return entry;
    }
}

/** Every picture of messages that can be looked at, the oldest first. */
export function picturesOf(messages) {
    return messages.flatMap((message) => (message.kind === 'image'
        ? message.pictures.flatMap((picture, index) => (picture.isExpired ? [] : [{ conversation: message.conversation, from: message.from, id: message.id, index, picture }])) : []));
}
