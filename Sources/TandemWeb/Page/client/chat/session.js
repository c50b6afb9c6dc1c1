import { byteCountOf, randomId } from '../../wire/bytes.js';
import { Book } from './book.js';
import { keptDraft, takeSettings } from './changes.js';
import { deleteAt, destroy, recall } from './arrivals.js';
import { EarlyStates } from './early.js';
import { chatFailure, refusal, refusedCode } from './failures.js';
import { Feed } from './feed.js';
import { LIMITS, checkedId, conversationOf, isPerson, peerOf, whole } from './ids.js';
import { MediaDesk } from './media.js';
import { CUSTOM, TEXT, isShown } from './message.js';
import { Outbox } from './outbox.js';
import { checkFiles } from './outgoing.js';
import { personLink, readPersonLink } from './person-link.js';
import { ChatSocket } from './socket.js';
import { Sync } from './sync.js';
import { hide, inOrder, isListed } from './transaction.js';

/**
 * What exists while an account is signed in: its conversations on this device, and what agrees with the hub about them.
 */
export class ChatSession {
    #options;
    #hub;
    #time;
    #outbox;
    #sync;
    #socket;
    /** @type {Feed} */
    feed;
    /** @type {Book} */
    book;
    /** @type {MediaDesk} */
    media;

    /**
     * @param {Object} options
     * @param {import('./account.js').Account} options.account
     * @param {import('./account.js').AccountDesk} options.desk
     * @param {import('./hub.js').Hub} options.hub
     * @param {import('../../wire/store.js').Store} options.store
     * @param {any} options.sealing Of `sealing/sealing.js`; null where nothing is sealed.
     * @param {import('./media.js').Pictures} options.pictures
     * @param {(url: string) => WebSocket} options.dial
     * @param {import('../../wire/time.js').Time} options.time
     * @param {() => void} options.changed Told after each change, without what changed.
     */
    constructor(options) {
        const { account, hub, store, sealing, time, changed } = options;
        this.#options = options;
        this.#hub = hub;
        this.#time = time;
        this.feed = new Feed({ book: () => this.book, time, changed });
        this.book = new Book({ store, uid: account.uid, me: account.userID, early: new EarlyStates(), tell: (news) => this.#tell(news) });
        this.media = new MediaDesk({ book: this.book, hub, sealing, pictures: options.pictures, time });
        this.#sync = new Sync({ book: this.book, hub, feed: this.feed, sealing, time, watch: (people) => this.#socket.watch(people) });
        this.#socket = new ChatSocket({
            origin: hub.origin, me: account.userID, tokens: options.desk, dial: options.dial, time, news: {
                connected: () => { this.#outbox.wake(); this.#sync.connected(); }, lost: () => this.#sync.lost(), push: (data) => this.#sync.push(data),
            },
        });
        this.#outbox = new Outbox({
            book: this.book, time, send: (waiting, message) => this.#send(waiting, message), upload: (waiting, at) => this.media.upload(waiting, at),
            sent: (conversation, hasGap) => this.#sync.noteSent(conversation, hasGap), progressed: (waiting, part) => { this.#progressed(waiting, part).catch(() => {}); },
        });
    }

    get me() { return this.book.me; }
    get sealing() { return this.#options.sealing; }
    get isSettled() { return this.#sync.isSettled; }

    async start() {
        await this.book.load();
        this.feed.begin();
        await this.#outbox.load();
        this.sealing?.start();
        for (const id of this.book.conversations.keys()) this.#sync.noteSeal(id);
        this.#socket.start();
    }

    end() {
        this.#socket.end();
        this.#sync.end();
        this.#outbox.end();
        this.media.end();
        this.sealing?.close();
        this.feed.end();
    }

    nudge() {
        this.#outbox.wake();
        this.#socket.nudge();
    }

    pause() { this.#socket.pause(); }
    noteSeal(conversation) { this.#sync.noteSeal(conversation); }

    #tell(news) {
        for (const row of news.messages) if (row.isRecalled || row.isDestroyed) this.media.forget(row).catch(() => {});
        this.feed.tell(news);
    }

    async #progressed({ conversation, id }, part) {
        const row = await this.book.message(conversation, this.me, id);
        if (row) this.feed.setProgress(row, part);
    }

    async #send({ id, conversation, receiveId }, message) {
        const post = ({ contentType, content }) => this.#hub.ask('/chat/message/send', {
            recvID: conversation, contentType, content, clientMsgId: id, ...(receiveId !== null && { receive_id: receiveId }),
        });
        const sent = this.sealing ? await this.sealing.send({ id, conversation, ...message }, post) : { answer: await post(message), isSealed: false };
        // A received signal became a conversation. Source: rule C7.
        if (/^\d{1,15}$/.test(receiveId ?? '')) this.#hub.ask('/signal/receive/open-im', { receive_id: Number(receiveId) }).catch(() => {});
        return sent;
    }

    // MARK: The list

    list() {
        const { name, nickname } = this.#options.desk.account ?? this.#options.account;
        const records = [...this.book.conversations.values()].filter(isListed).sort(inOrder);
        return {
            state: this.feed.standing, me: { user: this.me, name, nickname }, conversations: records.map((record) => this.feed.conversation(record)),
            unread: records.reduce((sum, { unread, isMuted }) => sum + (isMuted ? 0 : unread), 0), requests: records.filter(({ request }) => request === 'incoming').length,
        };
    }

    /** @throws {import('../../wire/error.js').WireError} */
    check(conversation) {
        if (!peerOf(conversation, this.me)) throw chatFailure('notYours');
        return conversation;
    }

    async conversation(id) {
        if (!this.book.conversations.has(this.check(id))) {
            await this.book.change((transaction) => { transaction.conversation(id); });
            this.#sync.noteNew(id);
            this.#sync.poke();
        }
        return this.feed.conversation(this.book.conversations.get(id));
    }

    async open(text) {
        const person = String(text ?? '').trim();
        if (byteCountOf(person) > 2048) throw chatFailure('tooLong', { what: 'person', limit: 2048 });
        if (!person) throw chatFailure('blank');
        if (peerOf(person, this.me)) return this.conversation(person);
        if (isPerson(person)) return this.#openPerson(person);
        const link = readPersonLink(person);
        if (link) {
            if (link.host !== new URL(this.#hub.origin).host) throw chatFailure('otherHub', { hub: link.host });
            const entry = await this.#openPerson(link.user);
            if (link.chain) await this.sealing?.met(link.user, link.chain);
            return entry;
        }
        const found = await this.#hub.ask('/account/find', { name: person.toLowerCase() });
        if (!isPerson(found.userID) || found.userID === this.me) throw chatFailure('notYours');
        return this.#openPerson(found.userID);
    }

    async #openPerson(user) {
        const id = conversationOf(this.me, user);
        if (!id) throw chatFailure('notYours');
        if (!this.book.conversations.has(id)) {
            const found = await this.#sync.askPeople([user]);
            if (!found.has(user)) throw refusal(1101);
        }
        return this.conversation(id);
    }

    async #set(id, settings) {
        await this.#hub.ask('/conversation/set_conversations', { userIDs: [this.me], conversation: { conversationID: this.check(id), ...settings } });
        await this.book.change((transaction) => takeSettings(transaction.conversation(id), settings));
        this.#sync.acted();
        return this.conversation(id);
    }

    pin(id, isPinned) { return this.#set(id, { isPinned }); }
    mute(id, isMuted) { return this.#set(id, { recvMsgOpt: isMuted ? 2 : 0 }); }

    async hide(id) {
        const last = this.#newest(id);
        await this.#unlessUnwritten('/conversation/delete_conversations', { conversationIDs: [id] });
        for (const { value } of await this.book.range('chat-outbox', ...this.book.keys(''))) if (value.conversation === id && value.isFailed) await this.#outbox.discard(id, value.id);
        await this.book.change((transaction) => hide(transaction.conversation(id), last));
        this.#sync.acted();
    }

    async clear(id) {
        const last = this.#newest(id);
        await this.#unlessUnwritten('/msg/clear_conversation_msg', { conversationIDs: [id] });
        // The hub cleared up to the newest message that it had, which may be one that is not here: its event tells.
        await this.book.change((transaction) => transaction.clear(transaction.conversation(id), last + 1));
        this.#sync.acted();
    }

    #newest(id) {
        const record = this.book.conversations.get(this.check(id));
        return record ? Math.max(record.newest, record.applied) : 0;
    }

    /** Where nothing was written yet the hub knows no conversation. */
    async #unlessUnwritten(path, body) {
        try {
            await this.#hub.ask(path, { userID: this.me, ...body });
        } catch (error) {
            if (refusedCode(error) !== 1004) throw error;
        }
    }

    async draft(id, text) {
        if (byteCountOf(text) > LIMITS.text) throw chatFailure('tooLong', { what: 'text', limit: LIMITS.text });
        if ((this.book.conversations.get(this.check(id))?.draft ?? null) === keptDraft(text)) return;
        await this.book.change((transaction) => { Object.assign(transaction.conversation(id), { draft: keptDraft(text), isDraftTold: false }); });
        this.#sync.noteUntold();
    }

    async block(id, isBlocked) {
        await this.#hub.ask(isBlocked ? '/friend/add_black' : '/friend/remove_black', { ownerUserID: this.me, blackUserID: peerOf(this.check(id), this.me) });
        await this.book.change((transaction) => { transaction.conversation(id).isBlocked = isBlocked; });
        this.#sync.acted();
        return this.conversation(id);
    }

    async report(id, message, reason) {
        if (byteCountOf(reason) > 2048) throw chatFailure('tooLong', { what: 'reason', limit: 2048 });
        await this.#hub.ask('/chat/report', { conversation_id: this.check(id), ...(message !== undefined && { client_msg_id: message }), reason });
    }

    async answer(id, accept) {
        const last = this.#newest(id);
        await this.#hub.ask('/chat/request/answer', { conversation_id: id, accept });
        await this.book.change((transaction) => {
            const record = transaction.conversation(id);
            record.request = null;
            if (!accept) hide(record, last);
        });
        this.#sync.notePresence();
        this.#sync.acted();
        return this.conversation(id);
    }

    async read(id, upTo) {
        const known = this.book.conversations.get(this.check(id));
        if (!known) return;
        const place = Math.min(upTo === undefined ? known.applied : whole(upTo), known.newest);
        if (place <= known.readUpTo) return;
        await this.book.change((transaction) => { transaction.conversation(id).readUpTo = place; });
        this.#sync.noteUntold();
    }

    contacts() {
        const people = [...this.book.conversations.values()].filter(({ newest, isBlocked, last }) => newest > 0 || isBlocked || last).map((record) => {
            const { id, user, name, request, isBlocked, isVerified } = this.feed.conversation(record);
            return { conversation: id, user, name, request, isBlocked, isVerified };
        });
        return { people: people.sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : one.user < other.user ? -1 : 1)) };
    }

    async link() {
        const { name, nickname } = this.#options.desk.account ?? this.#options.account;
        const shown = nickname || name;
        return { link: personLink({ origin: this.#hub.origin, user: this.me, name: shown, chain: await this.sealing?.ownChain() ?? null }), user: this.me, name: shown };
    }

    // MARK: Messages

    /** A page of history; each turn has more of it here, down to the beginning. */
    async history(id, before, limit) {
        const record = () => this.book.conversations.get(id);
        if (!this.book.conversations.has(this.check(id))) return { messages: [], notices: [], isEnd: true };
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
        const rows = await this.book.page(record.id, { first, last: Math.min(before === null ? record.applied : before - 1, record.applied), limit: limit + 1 });
        return { rows: rows.slice(0, limit), waiting, isEnd: rows.length <= limit && record.oldest <= record.lowest };
    }

    async #reachBack(id) {
        if (this.book.conversations.get(id).oldest !== null) return this.#sync.pullOlder(id);
        await this.#sync.load(id);
        return this.book.conversations.get(id).oldest !== null;
    }

    /** Own messages without a place. */
    async #waiting(id) {
        const found = (await this.book.range('chat-outbox', ...this.book.keys(''))).filter(({ value }) => value.conversation === id);
        const rows = await Promise.all(found.map(({ value }) => this.book.message(id, this.me, value.id)));
        return rows.filter((row) => row && row.seq === null);
    }

    async #shown(record, { rows, waiting, isEnd }, before) {
        const messages = [...rows].reverse();
        const first = isEnd ? 0 : messages[0]?.seq ?? 0;
        const notices = (await this.book.range('chat-notices', ...this.book.keys(`${record.id}/`))).map(({ value }) => value);
        return {
            messages: [...messages, ...waiting].map((row) => this.feed.message(row)), isEnd,
            notices: notices.filter(({ after }) => after >= first && (before === null || after < before)).slice(-LIMITS.pull),
        };
    }

    /** @returns {Promise<import('./message.js').Row>} */
    async row(conversation, id) {
        const row = await this.book.find(this.check(conversation), id);
        if (!row || !isShown(row)) throw chatFailure('unknownMessage');
        return row;
    }

    async message(conversation, id) { return this.feed.message(await this.row(conversation, id)); }

    async send(conversation, text, id) {
        const words = String(text ?? '').trim();
        if (!words) throw chatFailure('blank');
        if (byteCountOf(words) > LIMITS.text) throw chatFailure('tooLong', { what: 'text', limit: LIMITS.text });
        return this.#add({ conversation, id, type: TEXT, content: words });
    }

    async #add({ conversation, id = undefined, type, content, media = null, receiveId = null }, files = []) {
        const name = id === undefined ? randomId() : checkedId(id);
        await this.#outbox.add({ id: name, conversation: this.check(conversation), created: this.#time.now(), type, content, media, receiveId }, files);
        return this.message(conversation, name);
    }

    async sendMedia({ conversation, kind, files, id = randomId(), seconds, waveform }) {
        checkedId(id);
        const known = await this.book.message(this.check(conversation), this.me, id);
        if (known) return this.feed.message(known);
        if (!['image', 'flash', 'voice'].includes(kind)) throw chatFailure('malformed', { what: 'kind' });
        checkFiles(files);
        if (kind !== 'image' && files.length > 1) throw chatFailure('tooMany', { what: 'files', limit: 1 });
        if (kind === 'voice' && Number(seconds) > LIMITS.voiceSeconds) throw chatFailure('recordingTooLong');
        const { files: blobs, sizes } = await this.media.prepared(kind, files.map((name) => this.media.attachment(name)));
        const media = {
            kind, seconds: kind === 'voice' ? Math.max(1, whole(seconds)) : null, waveform: (waveform ?? []).slice(0, LIMITS.waveform).map((height) => Math.min(100, whole(height))),
            files: sizes.map((size, at) => ({ file: `${id}/${at}`, ...size, objectKey: null, sealed: null })),
        };
        const entry = await this.#add({ conversation, id, type: CUSTOM, content: null, media }, blobs);
        this.media.release(files);
        return entry;
    }

    async quote({ conversation, signal, reply, content = '', receive }) {
        const payload = { type: 'signal_quote', signalId: String(signal), replyContent: String(reply), signalContent: String(content) };
        if (!payload.replyContent.trim() || !payload.signalId) throw chatFailure('blank');
        if (byteCountOf(JSON.stringify(payload)) > LIMITS.content) throw chatFailure('tooLong', { what: 'reply', limit: LIMITS.content });
        const { quoteId } = await import('./quote-id.js');
        return this.#add({ conversation, id: await quoteId(this.check(conversation), payload.signalId), type: CUSTOM, content: payload, receiveId: receive ?? null });
    }

    async resend(conversation, id) {
        await this.row(conversation, id);
        await this.#outbox.resend(conversation, id);
        return this.message(conversation, id);
    }

    async discard(conversation, id) {
        await this.row(conversation, id);
        await this.#outbox.discard(conversation, id);
    }

    async recall(conversation, id) {
        const row = await this.row(conversation, id);
        if (row.from !== this.me || row.isRecalled) throw chatFailure('notRecallable');
        if (row.status !== 'sent') {
            await this.#outbox.discard(conversation, id);
            return this.feed.message(row);
        }
        try {
            await this.#hub.ask('/chat/message/revoke', { conversation_id: conversation, client_msg_id: id });
        } catch (error) {
            // By another device of the person.
            if (refusedCode(error) !== 1404) throw error;
        }
        await this.media.forget(row);
        await this.book.change((transaction) => recall(transaction, { conversation, from: this.me, id, seq: row.seq }));
        this.#sync.acted();
        return this.message(conversation, id);
    }

    async remove(conversation, id) {
        const row = await this.row(conversation, id);
        if (row.seq === null) { await this.#outbox.discard(conversation, id); return; }
        await this.#hub.ask('/msg/delete_msgs', { userID: this.me, conversationID: conversation, seqs: [row.seq] });
        await this.media.forget(row);
        await this.book.change((transaction) => deleteAt(transaction, conversation, [row.seq]));
        this.#sync.acted();
    }

    /** The other side lets it end by itself. What fails is lost. */
    async type(conversation, isTyping) {
        this.check(conversation);
        if (!isTyping || this.feed.standing !== 'live') return;
        await this.#hub.ask('/chat/message/send', { recvID: conversation, contentType: 113, content: '{"msgTips":"yes"}', clientMsgId: randomId() }).catch(() => {});
    }

    /** @returns {Promise<Blob>} */
    async flash(conversation, id) {
        const row = await this.row(conversation, id);
        const picture = await this.media.flash(row);
        await this.book.change((transaction) => destroy(transaction, conversation, row.from, id));
        return picture;
    }

    /** @returns {Promise<Blob>} */
    async face(user) {
        if (!isPerson(user)) throw chatFailure('malformed', { what: 'user' });
        // Of oneself no conversation tells.
        if (user === this.me || !this.book.people.has(user)) await this.#sync.askPeople([user]);
        const key = this.book.people.get(user)?.avatar;
        if (!key) throw chatFailure('unknownMessage');
        return this.media.object(key, 'image');
    }
}
