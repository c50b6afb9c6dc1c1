import { Book } from './book.js';
import { Conversations } from './conversations.js';
import { EarlyStates } from './early.js';
import { chatFailure } from './failures.js';
import { Feed } from './feed.js';
import { HandingOver } from './handing-over.js';
import { peerOf } from './ids.js';
import { MediaDesk } from './media.js';
import { Messages } from './messages.js';
import { Outbox } from './outbox.js';
import { ChatSocket } from './socket.js';
import { Sync } from './sync.js';

/**
 * What exists while an account is signed in: its conversations on this device, and what agrees with the hub about them.
 */
export class ChatSession {
    #options;
    #socket;
    /** @type {Outbox} */
    outbox;
    /** @type {Sync} */
    sync;
    /** @type {Feed} */
    feed;
    /** @type {Book} */
    book;
    /** @type {MediaDesk} */
    media;
    /** Null where nothing is sealed. @type {HandingOver | null} */
    handingOver;

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
     * @param {() => void} [options.connected] Told whenever the hub is reached anew.
     * @param {() => void} options.changed Told after each change, without what changed.
     */
    constructor(options) {
        const { account, hub, store, sealing, time, changed } = options;
        this.#options = options;
        this.hub = hub;
        this.time = time;
        this.conversations = new Conversations(this);
        this.messages = new Messages(this);
        this.feed = new Feed({ book: () => this.book, time, changed });
        this.book = new Book({ store, uid: account.uid, me: account.userID, early: new EarlyStates(), tell: (news) => this.feed.tell(news) });
        this.media = new MediaDesk({ book: this.book, hub, sealing, pictures: options.pictures, time });
        this.handingOver = sealing ? new HandingOver({ book: this.book, hub, sealing, changed }) : null;
        this.sync = new Sync({ book: this.book, hub, feed: this.feed, sealing, time, watch: (people) => this.#socket.watch(people) });
        this.#socket = new ChatSocket({
            origin: hub.origin, me: account.userID, tokens: options.desk, dial: options.dial, time, news: {
                connected: () => { this.outbox.wake(); this.sync.connected(); options.connected?.(); }, lost: () => this.sync.lost(), push: (data) => this.sync.push(data),
            },
        });
        this.outbox = new Outbox({
            book: this.book, time, send: (waiting, message) => this.#send(waiting, message), upload: (waiting, at) => this.media.upload(waiting, at),
            sent: (conversation, hasGap) => this.sync.noteSent(conversation, hasGap), progressed: (waiting, part) => { this.#progressed(waiting, part).catch(() => {}); },
        });
    }

    get me() { return this.book.me; }
    /** Who it is, by the names of now. */
    get account() { return this.#options.desk.account ?? this.#options.account; }
    get sealing() { return this.#options.sealing; }
    get isSettled() { return this.sync.isSettled; }

    async start() {
        await this.book.load();
        this.feed.begin();
        await this.outbox.load();
        this.sealing?.start();
        for (const id of this.book.conversations.keys()) this.sync.noteSeal(id);
        this.#socket.start();
    }

    end() {
        this.#socket.end();
        this.sync.end();
        this.outbox.end();
        this.media.end();
        this.sealing?.close();
        this.handingOver?.end();
        this.feed.end();
    }

    nudge() {
        this.outbox.wake();
        this.#socket.nudge();
    }

    pause() { this.#socket.pause(); }
    noteSeal(conversation) { this.sync.noteSeal(conversation); }

    async #progressed({ conversation, id }, part) {
        const row = await this.book.message(conversation, this.me, id);
        if (row) this.feed.setProgress(row, part);
    }

    async #send({ id, conversation, receiveId }, message) {
        const post = ({ contentType, content }) => this.hub.ask('/chat/message/send', {
            recvID: conversation, contentType, content, clientMsgId: id, ...(receiveId !== null && { receive_id: receiveId }),
        });
        const sent = this.sealing ? await this.sealing.send({ id, conversation, ...message }, post) : { answer: await post(message), isSealed: false };
        // A received signal became a conversation. Source: rule C7.
        if (/^\d{1,15}$/.test(receiveId ?? '')) this.hub.ask('/signal/receive/open-im', { receive_id: Number(receiveId) }).catch(() => {});
        return sent;
    }

    /** @throws {import('../../wire/error.js').WireError} */
    check(conversation) {
        if (!peerOf(conversation, this.me)) throw chatFailure('notYours');
        return conversation;
    }
}
