import { Transaction } from './transaction.js';

/** The tables of an account's conversations. */
export const CHAT_TABLES = [
    'chat-account', 'chat-events', 'chat-conversations', 'chat-messages', 'chat-places', 'chat-outbox', 'chat-files', 'chat-media', 'chat-people', 'chat-notices', 'chat-handed',
];
const DIGITS = 16;

/**
 * A conversation as this phone knows it. What is here of it are the places from `oldest` to `applied`, without a hole; `oldest` is null where nothing is.
 *
 * @typedef {{id: string, peer: string, newest: number, lowest: number, oldest: number | null, applied: number, preview: number, hiddenUpTo: number, readUpTo: number, readTold: number,
 *   receivedTold: number, peerRead: number, peerReceived: number, unread: number, olderUnread: number, isPinned: boolean, isMuted: boolean, draft: string | null, isDraftTold: boolean,
 *   isBlocked: boolean, isPeerDeleted: boolean, request: 'incoming' | 'outgoing' | null, isSealed: boolean, isVerified: boolean, trouble: any,
 *   last: any, devicePlace: any}} Conversation
 * @typedef {{messages: import('./message.js').Row[], conversations: string[], removed: {conversation: string, id: string}[], cleared: string[], notices: any[]}} News
 */

/** One account's conversations on the disk. Everything that changes them is a transaction: all of it or nothing, one after the other, and told behind. */
export class Book {
    #store;
    #tell;
    #turn = Promise.resolve();
    /** @type {Map<string, Conversation>} */
    conversations = new Map();
    /** @type {Map<string, {name: string, avatar: string, at: number}>} */
    people = new Map();
    /** The number of the last event that is here; null before the first list. */
    event = null;

    /**
     * @param {{store: import('../../wire/store.js').Store, uid: number, me: string, early: import('./early.js').EarlyStates, tell: (news: News) => void}} options
     */
    constructor({ store, uid, me, early, tell }) {
        this.#store = store;
        this.uid = uid;
        this.me = me;
        this.early = early;
        this.#tell = tell;
    }

    async load() {
        const all = this.keys('');
        const [event, conversations, people] = await Promise.all([
            this.#store.get('chat-events', String(this.uid)), this.#store.range('chat-conversations', ...all), this.#store.range('chat-people', ...all),
        ]);
        this.event = event ?? null;
        this.conversations = new Map(conversations.map(({ value }) => [value.id, value]));
        this.people = new Map(people.map(({ key, value }) => [key.slice(key.indexOf('/') + 1), value]));
    }

    // MARK: Keys

    /** The first and the last key below a part of this account's. */
    keys(part) { return /** @type {[string, string]} */ ([`${this.uid}/${part}`, `${this.uid}/${part}\uffff`]); }
    key(...parts) { return [this.uid, ...parts].join('/'); }
    placeKey(conversation, seq) { return this.key(conversation, String(seq).padStart(DIGITS, '0')); }

    // MARK: Reading

    get(table, key) { return this.#store.get(table, key); }
    range(table, from, to, options) { return this.#store.range(table, from, to, options); }

    /** @returns {Promise<import('./message.js').Row | undefined>} */
    message(conversation, from, id) { return this.#store.get('chat-messages', this.key(conversation, from, id)); }

    /** One message by its id, an own one first. */
    async find(conversation, id) {
        const record = this.conversations.get(conversation);
        if (!record) return undefined;
        return await this.message(conversation, this.me, id) ?? this.message(conversation, record.peer, id);
    }

    /**
     * Messages that are shown, the newest first.
     *
     * @param {string} conversation
     * @param {{first: number, last: number, limit: number}} part
     * @returns {Promise<import('./message.js').Row[]>}
     */
    async page(conversation, { first, last, limit }) {
        const found = [];
        let end = last;
        while (found.length < limit && first <= end) {
            const rows = await this.#store.range('chat-places', this.placeKey(conversation, first), this.placeKey(conversation, end), { limit: limit + 1, isBack: true });
            if (rows.length === 0) break;
            found.push(...rows.filter(({ value }) => value.isShown));
            end = rows.at(-1).value.seq - 1;
        }
        const rows = await Promise.all(found.slice(0, limit).map(({ value }) => this.message(conversation, value.from, value.id)));
        return rows.filter(Boolean);
    }

    // MARK: Changing

    /**
     * Does all of a change, or nothing.
     *
     * @template T
     * @param {(transaction: Transaction) => Promise<T> | T} work
     * @returns {Promise<T>}
     */
    change(work) {
        const done = this.#turn.then(async () => {
            const transaction = new Transaction(this);
            const answer = await work(transaction);
            await transaction.finish();
            if (transaction.writes.length > 0) await this.#store.write(transaction.writes);
            transaction.commit();
            this.#tell(transaction.news);
            return answer;
        });
        this.#turn = done.then(() => {}, () => {});
        return done;
    }

    /** Removes everything of this account, which was deleted. */
    async forget() {
        await this.#turn;
        const writes = [];
        for (const table of CHAT_TABLES.filter((name) => name !== 'chat-account')) {
            for (const { key } of await this.#store.range(table, ...this.keys(''))) writes.push({ table, key, remove: true });
        }
        writes.push({ table: 'chat-events', key: String(this.uid), remove: true });
        await this.#store.write(writes);
    }
}
