import { chatFailure } from './failures.js';
import { previewOf } from './entries.js';
import { forgetHandedBefore } from './handed.js';
import { LIMITS, peerOf } from './ids.js';
import { blank, counts, isShown, keysOf } from './message.js';

/** @typedef {import('./message.js').Row} Row @typedef {import('./book.js').Conversation} Conversation */

const LOOKED_AT = 32;

/** A change of a book that is on its way: it reads what it wrote itself. */
export class Transaction {
    #book;
    /** By table and key. @type {Map<string, import('../../wire/store.js').Write>} */
    #writes = new Map();
    /** @type {Map<string, Conversation>} */
    #changed = new Map();
    #people = new Map();
    #event;
    /** @type {Map<string, Row>} */
    #told = new Map();
    /** @type {import('./book.js').News} */
    news = { messages: [], conversations: [], removed: [], cleared: [], notices: [] };

    /** @param {import('./book.js').Book} book */
    constructor(book) {
        this.#book = book;
        this.#event = book.event;
        this.me = book.me;
        this.early = book.early;
    }

    get writes() { return [...this.#writes.values()]; }
    get event() { return this.#event; }
    get conversations() { return [...new Set([...this.#book.conversations.keys(), ...this.#changed.keys()])].map((id) => this.known(id)); }

    setEvent(number) {
        this.#event = number;
        this.write('chat-events', String(this.#book.uid), number);
    }

    // MARK: Rows of tables

    write(table, key, value) { this.#writes.set(`${table} ${key}`, { table, key, value }); }
    remove(table, key) { this.#writes.set(`${table} ${key}`, { table, key, remove: true }); }
    key(...parts) { return this.#book.key(...parts); }
    placeKey(conversation, seq) { return this.#book.placeKey(conversation, seq); }

    async get(table, key) {
        const written = this.#writes.get(`${table} ${key}`);
        return written ? written.value : this.#book.get(table, key);
    }

    async range(table, from, to, { limit = Infinity, isBack = false } = {}) {
        const own = [...this.#writes.values()].filter((each) => each.table === table && each.key >= from && each.key <= to);
        const found = new Map((await this.#book.range(table, from, to, { limit: limit + own.length, isBack })).map(({ key, value }) => [key, value]));
        for (const { key, value, remove } of own) {
            if (remove) found.delete(key);
            else found.set(key, value);
        }
        const rows = [...found].map(([key, value]) => ({ key, value })).sort((one, other) => (one.key < other.key ? -1 : 1));
        return (isBack ? rows.reverse() : rows).slice(0, limit);
    }

    // MARK: Conversations

    /** @returns {Conversation | undefined} */
    known(id) { return this.#changed.get(id) ?? this.#book.conversations.get(id); }

    /** A conversation that may be changed; made where it is new. @returns {Conversation} */
    conversation(id) {
        const changing = this.#changed.get(id);
        if (changing) return changing;
        const peer = peerOf(id, this.me);
        if (!peer) throw chatFailure('notYours');
        const record = { ...(this.#book.conversations.get(id) ?? fresh(id, peer)) };
        this.#changed.set(id, record);
        return record;
    }

    knowsPerson(user) { return this.#people.has(user) || this.#book.people.has(user); }

    /** Keeps who somebody is. */
    keepPerson(user, profile) {
        this.#people.set(user, profile);
        this.write('chat-people', this.key(user), profile);
    }

    // MARK: Messages

    /** @returns {Promise<Row | undefined>} */
    message(conversation, from, id) { return this.get('chat-messages', this.key(conversation, from, id)); }

    /** @returns {Promise<Row | undefined>} */
    async messageAt(conversation, seq) {
        const place = await this.get('chat-places', this.#book.placeKey(conversation, seq));
        return place && this.message(conversation, place.from, place.id);
    }

    async isFree(conversation, seq) { return seq === null || await this.get('chat-places', this.#book.placeKey(conversation, seq)) === undefined; }

    /** @param {Row} row */
    put(row, { tells = true } = {}) {
        const { conversation, from, id, seq } = row;
        this.write('chat-messages', this.key(conversation, from, id), row);
        if (seq !== null) this.write('chat-places', this.#book.placeKey(conversation, seq), { from, id, seq, counts: counts(row, this.me), isShown: isShown(row) });
        if (tells) this.#told.set(this.key(conversation, from, id), row);
        this.conversation(conversation);
    }

    /** @param {Row} row */
    delete(row) {
        const { conversation, from, id, seq } = row;
        this.remove('chat-messages', this.key(conversation, from, id));
        if (seq !== null) this.remove('chat-places', this.#book.placeKey(conversation, seq));
        this.#told.delete(this.key(conversation, from, id));
        this.news.removed.push({ conversation, id });
        this.conversation(conversation);
    }

    /** @param {Row} row @param {'isRecalled' | 'isDeleted' | 'isDestroyed'} reason */
    blank(row, reason) {
        this.dropFiles(row);
        this.put(blank(row, reason));
    }

    /** Nothing of a message stays that was taken back or deleted. @param {Row} row */
    dropFiles(row) { for (const key of keysOf(row)) this.remove('chat-media', this.key('file', key)); }

    /** How many count behind a cursor. */
    async unread(id, after, upTo = LIMITS.place) {
        if (after >= upTo) return 0;
        const found = await this.range('chat-places', this.#book.placeKey(id, after + 1), this.#book.placeKey(id, upTo));
        return found.filter(({ value }) => value.counts).length;
    }

    /** Everything up to a place was seen, and what is there behind it without a gap: own messages whose answers were quicker. */
    async advance(record, through) {
        record.applied = Math.max(record.applied, Math.min(through, LIMITS.place));
        while (!await this.isFree(record.id, record.applied + 1)) record.applied += 1;
        note(record, record.applied);
    }

    /** Hides everything before a place from this person. Own messages that wait stay. Source: rule C9, invariant I9. */
    async clear(record, before) {
        if (before <= record.lowest) return;
        record.lowest = before;
        for (const name of ['readUpTo', 'readTold', 'newest']) record[name] = Math.max(record[name], before - 1);
        if (record.oldest !== null) {
            record.applied = Math.max(record.applied, before - 1);
            record.oldest = Math.max(record.oldest, before);
        }
        record.olderUnread = 0;
        for (const { key, value } of await this.range('chat-places', this.#book.placeKey(record.id, 0), this.#book.placeKey(record.id, before - 1))) {
            const row = await this.message(record.id, value.from, value.id);
            if (row) this.dropFiles(row);
            this.remove('chat-places', key);
            this.remove('chat-messages', this.key(record.id, value.from, value.id));
        }
        await forgetHandedBefore(this, record.id, before);
        for (const { key, value } of await this.range('chat-notices', ...this.#book.keys(`${record.id}/`))) if (value.after < before) this.remove('chat-notices', key);
        this.news.cleared.push(record.id);
    }

    // MARK: The end

    /** Counts what changed anew, and writes it. */
    async finish() {
        for (const record of this.#changed.values()) {
            if (record.readUpTo >= (record.oldest ?? Infinity) - 1) record.olderUnread = 0;
            record.unread = record.olderUnread + (record.oldest === null ? 0 : await this.unread(record.id, Math.max(record.readUpTo, record.oldest - 1)));
            record.last = await this.#last(record);
            this.write('chat-conversations', this.key(record.id), record);
            this.news.conversations.push(record.id);
        }
        for (const row of this.#told.values()) {
            if (row.isDeleted) this.news.removed.push({ conversation: row.conversation, id: row.id });
            else if (isShown(row)) this.news.messages.push(row);
        }
    }

    /** What the list shows of a conversation: an own message that waits, else the newest. */
    async #last(record) {
        const waiting = (await this.range('chat-outbox', ...this.#book.keys(''))).filter(({ value }) => value.conversation === record.id).at(-1)?.value;
        const own = waiting && await this.message(record.id, this.me, waiting.id);
        if (own) return previewOf(own, this.me);
        let end = LIMITS.place;
        for (;;) {
            const rows = await this.range('chat-places', this.#book.placeKey(record.id, record.lowest), this.#book.placeKey(record.id, end), { limit: LOOKED_AT, isBack: true });
            const shown = rows.find(({ value }) => value.isShown);
            if (shown) return previewOf(await this.message(record.id, shown.value.from, shown.value.id), this.me);
            if (rows.length < LOOKED_AT) return null;
            end = rows.at(-1).value.seq - 1;
        }
    }

    /** It is on the disk. */
    commit() {
        this.#book.event = this.#event;
        for (const [id, record] of this.#changed) this.#book.conversations.set(id, record);
        for (const [user, profile] of this.#people) {
            this.#book.people.set(user, profile);
        }
    }
}

/** @returns {Conversation} */
function fresh(id, peer) {
    return {
        id, peer, newest: 0, lowest: 1, oldest: null, applied: 0, preview: 0, hiddenUpTo: 0, readUpTo: 0, readTold: 0, receivedTold: 0, peerRead: 0, peerReceived: 0, unread: 0, olderUnread: 0,
        isPinned: false, isMuted: false, draft: null, isDraftTold: true, isBlocked: false, isPeerDeleted: false, request: null, isSealed: false, isVerified: false, trouble: null, last: null, devicePlace: null,
    };
}

/** The hub has messages up to there. */
export function note(record, place) { record.newest = Math.max(record.newest, Math.min(place, LIMITS.place)); }

/** Takes a conversation off the list until something new is written, as the hub does it: read, unpinned, without its draft. */
export function hide(record, upTo) {
    for (const name of ['hiddenUpTo', 'readUpTo', 'readTold']) record[name] = Math.max(record[name], upTo);
    Object.assign(record, { isPinned: false, draft: null, isDraftTold: true });
}

/** Whether the list has it. */
export function isListed(record) { return record.preview > record.hiddenUpTo || record.draft !== null || record.last?.status !== 'sent' && record.last !== null; }

/** The order of the list. Source: rule L1. */
export function inOrder(one, other) {
    return Number(other.isPinned) - Number(one.isPinned) || (other.last?.time ?? 0) - (one.last?.time ?? 0) || (one.id < other.id ? -1 : 1);
}
