import { byteCountOf, randomId } from '../../wire/bytes.js';
import { deleteAt, destroy, recall } from './arrivals.js';
import { chatFailure, refusedCode } from './failures.js';
import { LIMITS, checkedId, isPerson, whole } from './ids.js';
import { CUSTOM, TEXT, isShown } from './message.js';
import { checkFiles } from './outgoing.js';
import { quoteId } from './quote-id.js';

/** What a person does with messages. */
export class Messages {
    #session;

    /** @param {import('./session.js').ChatSession} session */
    constructor(session) { this.#session = session; }

    /** A page of history; each turn has more of it here, down to the beginning. */
    async history(id, before, limit) {
        const record = () => this.#session.book.conversations.get(id);
        if (!this.#session.book.conversations.has(this.#session.check(id))) return { messages: [], notices: [], isEnd: true };
        let isTried = false;
        for (;;) {
            const page = await this.#page(record(), before, limit);
            if (page.isEnd || page.rows.length >= limit || isTried) return this.#shown(record(), page, before);
            try {
                isTried = !await this.#reachBack(id);
            } catch (error) {
                // Without the hub what is here is shown, and the rest asked for again with the next page.
                if (page.rows.length === 0 && page.waiting.length === 0) throw error;
                return this.#shown(record(), { ...page, isEnd: false }, before);
            }
        }
    }

    async #page(record, before, limit) {
        const waiting = before === null ? await this.#waiting(record.id) : [];
        if (record.newest < record.lowest) return { rows: [], waiting, isEnd: true };
        if (record.oldest === null) return { rows: [], waiting, isEnd: false };
        const first = Math.max(record.oldest, record.lowest);
        const rows = await this.#session.book.page(record.id, { first, last: Math.min(before === null ? record.applied : before - 1, record.applied), limit: limit + 1 });
        return { rows: rows.slice(0, limit), waiting, isEnd: rows.length <= limit && record.oldest <= record.lowest };
    }

    async #reachBack(id) {
        if (this.#session.book.conversations.get(id).oldest !== null) return this.#session.sync.pullOlder(id);
        await this.#session.sync.load(id);
        return this.#session.book.conversations.get(id).oldest !== null;
    }

    /** Own messages without a place. */
    async #waiting(id) {
        const found = (await this.#session.book.range('chat-outbox', ...this.#session.book.keys(''))).filter(({ value }) => value.conversation === id);
        const rows = await Promise.all(found.map(({ value }) => this.#session.book.message(id, this.#session.me, value.id)));
        return rows.filter((row) => row && row.seq === null);
    }

    async #shown(record, { rows, waiting, isEnd }, before) {
        const messages = [...rows].reverse();
        const first = isEnd ? 0 : messages[0]?.seq ?? 0;
        const notices = (await this.#session.book.range('chat-notices', ...this.#session.book.keys(`${record.id}/`))).map(({ value }) => value);
        return {
            messages: [...messages, ...waiting].map((row) => this.#session.feed.message(row)), isEnd,
            notices: notices.filter(({ after }) => after >= first && (before === null || after < before)).slice(-LIMITS.pull),
        };
    }

    /** @returns {Promise<import('./message.js').Row>} */
    async row(conversation, id) {
        const row = await this.#session.book.find(this.#session.check(conversation), id);
        if (!row || !isShown(row)) throw chatFailure('unknownMessage');
        return row;
    }

    async message(conversation, id) { return this.#session.feed.message(await this.row(conversation, id)); }

    async send(conversation, text, id) {
        const words = String(text ?? '').trim();
        if (!words) throw chatFailure('blank');
        if (byteCountOf(words) > LIMITS.text) throw chatFailure('tooLong', { what: 'text', limit: LIMITS.text });
        return this.#add({ conversation, id, type: TEXT, content: words });
    }

    async #add({ conversation, id = undefined, type, content, media = null, receiveId = null }, files = []) {
        const name = id === undefined ? randomId() : checkedId(id);
        await this.#session.outbox.add({ id: name, conversation: this.#session.check(conversation), created: this.#session.time.now(), type, content, media, receiveId }, files);
        return this.message(conversation, name);
    }

    async sendMedia({ conversation, kind, files, id = randomId(), seconds, waveform }) {
        checkedId(id);
        const known = await this.#session.book.message(this.#session.check(conversation), this.#session.me, id);
        if (known) return this.#session.feed.message(known);
        if (!['image', 'flash', 'voice'].includes(kind)) throw chatFailure('malformed', { what: 'kind' });
        checkFiles(files);
        if (kind !== 'image' && files.length > 1) throw chatFailure('tooMany', { what: 'files', limit: 1 });
        if (kind === 'voice' && Number(seconds) > LIMITS.voiceSeconds) throw chatFailure('recordingTooLong');
        const { files: blobs, sizes } = await this.#session.media.prepared(kind, files.map((name) => this.#session.media.attachment(name)));
        const media = {
            kind, seconds: kind === 'voice' ? Math.max(1, whole(seconds)) : null, waveform: (waveform ?? []).slice(0, LIMITS.waveform).map((height) => Math.min(100, whole(height))),
            files: sizes.map((size, at) => ({ file: `${id}/${at}`, ...size, objectKey: null, sealed: null })),
        };
        const entry = await this.#add({ conversation, id, type: CUSTOM, content: null, media }, blobs);
        this.#session.media.release(files);
        return entry;
    }

    async quote({ conversation, signal, reply, content = '', receive }) {
        const payload = { type: 'signal_quote', signalId: String(signal), replyContent: String(reply), signalContent: String(content) };
        if (!payload.replyContent.trim() || !payload.signalId) throw chatFailure('blank');
        if (byteCountOf(JSON.stringify(payload)) > LIMITS.content) throw chatFailure('tooLong', { what: 'reply', limit: LIMITS.content });
        return this.#add({ conversation, id: await quoteId(this.#session.check(conversation), payload.signalId), type: CUSTOM, content: payload, receiveId: receive ?? null });
    }

    async resend(conversation, id) {
        await this.row(conversation, id);
        await this.#session.outbox.resend(conversation, id);
        return this.message(conversation, id);
    }

    async discard(conversation, id) {
        await this.row(conversation, id);
        await this.#session.outbox.discard(conversation, id);
    }

    async recall(conversation, id) {
        const row = await this.row(conversation, id);
        if (row.from !== this.#session.me || row.isRecalled) throw chatFailure('notRecallable');
        if (row.status !== 'sent') {
            await this.#session.outbox.discard(conversation, id);
            return this.#session.feed.message(row);
        }
        try {
            await this.#session.hub.ask('/chat/message/revoke', { conversation_id: conversation, client_msg_id: id });
        } catch (error) {
            // By another device of the person.
            if (refusedCode(error) !== 1404) throw error;
        }
        await this.#session.book.change((transaction) => recall(transaction, { conversation, from: this.#session.me, id, seq: row.seq }));
        this.#session.sync.acted();
        return this.message(conversation, id);
    }

    async remove(conversation, id) {
        const row = await this.row(conversation, id);
        if (row.seq === null) { await this.#session.outbox.discard(conversation, id); return; }
        await this.#session.hub.ask('/msg/delete_msgs', { userID: this.#session.me, conversationID: conversation, seqs: [row.seq] });
        await this.#session.book.change((transaction) => deleteAt(transaction, conversation, [row.seq]));
        this.#session.sync.acted();
    }

    /** The other side lets it end by itself. What fails is lost. */
    async type(conversation, isTyping) {
        this.#session.check(conversation);
        if (!isTyping || this.#session.feed.standing !== 'live') return;
        await this.#session.hub.ask('/chat/message/send', { recvID: conversation, contentType: 113, content: '{"msgTips":"yes"}', clientMsgId: randomId() }).catch(() => {});
    }

    /** @returns {Promise<Blob>} */
    async flash(conversation, id) {
        const row = await this.row(conversation, id);
        const picture = await this.#session.media.flash(row);
        await this.#session.book.change((transaction) => destroy(transaction, conversation, row.from, id));
        return picture;
    }

    /** @returns {Promise<Blob>} */
    async face(user) {
        if (!isPerson(user)) throw chatFailure('malformed', { what: 'user' });
        // Of oneself no conversation tells.
        if (user === this.#session.me || !this.#session.book.people.has(user)) await this.#session.sync.askPeople([user]);
        const key = this.#session.book.people.get(user)?.avatar;
        if (!key) throw chatFailure('unknownMessage');
        return this.#session.media.object(key, 'image');
    }
}
