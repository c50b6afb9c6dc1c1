import { chatFailure } from './failures.js';
import { conversationEntry, messageEntry } from './entries.js';
import { isListed } from './transaction.js';

/** A notice that somebody writes counts so long, in milliseconds. */
const TYPING = 6000;

/** Who follows the conversations, and what is in memory alone: who is there, who writes, how far files are sent. */
export class Feed {
    #followers = new Set();
    #online = new Set();
    #progress = new Map();
    #typing = new Map();
    #listed = new Set();
    #book;
    #time;
    #changed;
    /** @type {'connecting' | 'live' | 'away'} */
    standing = 'connecting';

    /** @param {{book: () => import('./book.js').Book, time: import('../../wire/time.js').Time, changed: () => void}} options */
    constructor({ book, time, changed }) {
        this.#book = book;
        this.#time = time;
        this.#changed = changed;
    }

    /** Tells what happens until the follower goes, or the account does. */
    follow(conversation, { item, signal }) {
        return new Promise((resolve, reject) => {
            const follower = { conversation, item, end: () => { this.#followers.delete(follower); reject(chatFailure('noAccount')); } };
            this.#followers.add(follower);
            signal.addEventListener('abort', () => { this.#followers.delete(follower); resolve(null); }, { once: true });
            item({ state: this.standing });
        });
    }

    end() {
        for (const follower of [...this.#followers]) follower.end();
        for (const stop of this.#typing.values()) stop();
        this.#typing.clear();
    }

    // MARK: From the book

    /** The conversations that the list has at the beginning. */
    begin() { this.#listed = new Set([...this.#book().conversations.values()].filter(isListed).map(({ id }) => id)); }

    /** @param {import('./book.js').News} news */
    tell(news) {
        for (const id of news.cleared) this.#tell({ cleared: id }, id);
        for (const removed of news.removed) this.#tell({ removed }, removed.conversation);
        for (const row of news.messages) {
            if (row.from !== this.#book().me) this.#quiet(row.conversation);
            this.#tell({ message: this.message(row) }, row.conversation);
        }
        for (const notice of news.notices) this.#tell({ notice }, notice.conversation);
        for (const id of new Set(news.conversations)) this.#tellRow(id);
        if (news.conversations.length > 0) this.#changed();
    }

    #tellRow(id) {
        const record = this.#book().conversations.get(id);
        const was = this.#listed.has(id);
        const is = isListed(record);
        if (is) this.#listed.add(id);
        else this.#listed.delete(id);
        if (was && !is) this.#tell({ hidden: id }, id);
        else this.#tell({ conversation: this.conversation(record) }, id, is);
    }

    /** @param {boolean} [isListedNow] Otherwise only who follows this conversation is told. */
    #tell(item, conversation = null, isListedNow = true) {
        for (const follower of [...this.#followers]) {
            if (conversation === null || (follower.conversation ? follower.conversation === conversation : isListedNow)) follower.item(item);
        }
    }

    // MARK: Entries

    message(row) { return messageEntry(row, { me: this.#book().me, progress: this.#progress.get(row.id) ?? 0 }); }

    conversation(record) {
        return conversationEntry(record, { profile: this.#book().people.get(record.peer), isOnline: this.standing !== 'away' && this.#online.has(record.peer) });
    }

    // MARK: Live

    setStanding(standing) {
        if (standing === this.standing) return;
        this.standing = standing;
        // Nobody is known to be there while the hub is not reached.
        if (standing === 'away') this.#online.clear();
        this.#tell({ state: standing });
        this.#changed();
    }

    /** @param {string} user @param {string} conversation */
    setOnline(user, conversation, isOnline) {
        if (this.#online.has(user) === isOnline) return;
        if (isOnline) this.#online.add(user);
        else this.#online.delete(user);
        if (this.#book().conversations.has(conversation)) this.#tellRow(conversation);
    }

    setTyping(conversation) {
        const stop = this.#typing.get(conversation);
        stop?.();
        this.#typing.set(conversation, this.#time.after(TYPING, () => this.#quiet(conversation)));
        if (!stop) this.#tell({ typing: { conversation, isTyping: true } }, conversation);
    }

    #quiet(conversation) {
        const stop = this.#typing.get(conversation);
        if (!stop) return;
        stop();
        this.#typing.delete(conversation);
        this.#tell({ typing: { conversation, isTyping: false } }, conversation);
    }

    /** @param {import('./message.js').Row} row @param {number | null} part */
    setProgress(row, part) {
        if (part === null) { this.#progress.delete(row.id); return; }
        this.#progress.set(row.id, part);
        this.#tell({ message: this.message(row) }, row.conversation);
    }
}
