import { byteCountOf } from '../../wire/bytes.js';
import { keptDraft, takeSettings } from './changes.js';
import { chatFailure, refusal, refusedCode } from './failures.js';
import { LIMITS, conversationOf, isPerson, peerOf, whole } from './ids.js';
import { personLink, readPersonLink } from './person-link.js';
import { hide, inOrder, isListed } from './transaction.js';

/** What a person does with whole conversations. */
export class Conversations {
    #session;

    /** @param {import('./session.js').ChatSession} session */
    constructor(session) { this.#session = session; }

    list() {
        const { name, nickname } = this.#session.account;
        const records = [...this.#session.book.conversations.values()].filter(isListed).sort(inOrder);
        return {
            state: this.#session.feed.standing, me: { user: this.#session.me, name, nickname }, conversations: records.map((record) => this.#session.feed.conversation(record)),
            unread: records.reduce((sum, { unread, isMuted }) => sum + (isMuted ? 0 : unread), 0), requests: records.filter(({ request }) => request === 'incoming').length,
        };
    }

    async conversation(id) {
        if (!this.#session.book.conversations.has(this.#session.check(id))) {
            await this.#session.book.change((transaction) => { transaction.conversation(id); });
            this.#session.sync.noteNew(id);
            this.#session.sync.poke();
        }
        return this.#session.feed.conversation(this.#session.book.conversations.get(id));
    }

    async open(text) {
        const person = String(text ?? '').trim();
        if (byteCountOf(person) > 2048) throw chatFailure('tooLong', { what: 'person', limit: 2048 });
        if (!person) throw chatFailure('blank');
        if (peerOf(person, this.#session.me)) return this.conversation(person);
        if (isPerson(person)) return this.#openPerson(person);
        const link = readPersonLink(person);
        if (link) {
            if (link.host !== new URL(this.#session.hub.origin).host) throw chatFailure('otherHub', { hub: link.host });
            const entry = await this.#openPerson(link.user);
            if (link.chain) await this.#session.sealing?.met(link.user, link.chain);
            return entry;
        }
        const found = await this.#session.hub.ask('/account/find', { name: person.toLowerCase() });
        if (!isPerson(found.userID) || found.userID === this.#session.me) throw chatFailure('notYours');
        return this.#openPerson(found.userID);
    }

    async #openPerson(user) {
        const id = conversationOf(this.#session.me, user);
        if (!id) throw chatFailure('notYours');
        if (!this.#session.book.conversations.has(id)) {
            const found = await this.#session.sync.askPeople([user]);
            if (!found.has(user)) throw refusal(1101);
        }
        return this.conversation(id);
    }

    async #set(id, settings) {
        await this.#session.hub.ask('/conversation/set_conversations', { userIDs: [this.#session.me], conversation: { conversationID: this.#session.check(id), ...settings } });
        await this.#session.book.change((transaction) => takeSettings(transaction.conversation(id), settings));
        this.#session.sync.acted();
        return this.conversation(id);
    }

    pin(id, isPinned) { return this.#set(id, { isPinned }); }
    mute(id, isMuted) { return this.#set(id, { recvMsgOpt: isMuted ? 2 : 0 }); }

    async hide(id) {
        const last = this.#newest(id);
        await this.#unlessUnwritten('/conversation/delete_conversations', { conversationIDs: [id] });
        for (const { value } of await this.#session.book.range('chat-outbox', ...this.#session.book.keys(''))) if (value.conversation === id && value.isFailed) await this.#session.outbox.discard(id, value.id);
        await this.#session.book.change((transaction) => hide(transaction.conversation(id), last));
        this.#session.sync.acted();
    }

    async clear(id) {
        const last = this.#newest(id);
        await this.#unlessUnwritten('/msg/clear_conversation_msg', { conversationIDs: [id] });
        // The hub cleared up to the newest message that it had, which may be one that is not here: its event tells.
        await this.#session.book.change((transaction) => transaction.clear(transaction.conversation(id), last + 1));
        this.#session.sync.acted();
    }

    #newest(id) {
        const record = this.#session.book.conversations.get(this.#session.check(id));
        return record ? Math.max(record.newest, record.applied) : 0;
    }

    /** Where nothing was written yet the hub knows no conversation. */
    async #unlessUnwritten(path, body) {
        try {
            await this.#session.hub.ask(path, { userID: this.#session.me, ...body });
        } catch (error) {
            if (refusedCode(error) !== 1004) throw error;
        }
    }

    async draft(id, text) {
        if (byteCountOf(text) > LIMITS.text) throw chatFailure('tooLong', { what: 'text', limit: LIMITS.text });
        if ((this.#session.book.conversations.get(this.#session.check(id))?.draft ?? null) === keptDraft(text)) return;
        await this.#session.book.change((transaction) => { Object.assign(transaction.conversation(id), { draft: keptDraft(text), isDraftTold: false }); });
        this.#session.sync.noteUntold();
    }

    async block(id, isBlocked) {
        await this.#session.hub.ask(isBlocked ? '/friend/add_black' : '/friend/remove_black', { ownerUserID: this.#session.me, blackUserID: peerOf(this.#session.check(id), this.#session.me) });
        await this.#session.book.change((transaction) => { transaction.conversation(id).isBlocked = isBlocked; });
        this.#session.sync.acted();
        return this.conversation(id);
    }

    async report(id, message, reason) {
        if (byteCountOf(reason) > 2048) throw chatFailure('tooLong', { what: 'reason', limit: 2048 });
        await this.#session.hub.ask('/chat/report', { conversation_id: this.#session.check(id), ...(message !== undefined && { client_msg_id: message }), reason });
    }

    async answer(id, accept) {
        const last = this.#newest(id);
        await this.#session.hub.ask('/chat/request/answer', { conversation_id: id, accept });
        await this.#session.book.change((transaction) => {
            const record = transaction.conversation(id);
            record.request = null;
            if (!accept) hide(record, last);
        });
        this.#session.sync.notePresence();
        this.#session.sync.acted();
        return this.conversation(id);
    }

    async read(id, upTo) {
        const known = this.#session.book.conversations.get(this.#session.check(id));
        if (!known) return;
        const place = Math.min(upTo === undefined ? known.applied : whole(upTo), known.newest);
        if (place <= known.readUpTo) return;
        await this.#session.book.change((transaction) => { transaction.conversation(id).readUpTo = place; });
        this.#session.sync.noteUntold();
    }

    contacts() {
        const people = [...this.#session.book.conversations.values()].filter(({ newest, isBlocked, last }) => newest > 0 || isBlocked || last).map((record) => {
            const { id, user, name, request, isBlocked, isVerified } = this.#session.feed.conversation(record);
            return { conversation: id, user, name, request, isBlocked, isVerified };
        });
        return { people: people.sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : one.user < other.user ? -1 : 1)) };
    }

    async link() {
        const { name, nickname } = this.#session.account;
        const shown = nickname || name;
        return { link: personLink({ origin: this.#session.hub.origin, user: this.#session.me, name: shown, chain: await this.#session.sealing?.ownChain() ?? null }), user: this.#session.me, name: shown };
    }
}
