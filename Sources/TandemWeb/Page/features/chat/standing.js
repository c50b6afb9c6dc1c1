import { chatOf } from '../../client/chat.js';
import { Listeners } from '../../client/client.js';
import { Users } from '../../client/users.js';
import { Store, doneBy } from '../../kit/store.js';
import { change, initial } from './standing-state.js';

/** A notice that somebody writes counts so long without another one, in milliseconds. */
const TYPING = 6000;
const known = new WeakMap();

/**
 * The conversations of this phone's account as the page knows them. One for the page, at work while something uses it.
 *
 * @param {import('../../client/client.js').Client} client
 * @returns {Conversations}
 */
export function standingOf(client) {
    if (!known.has(client)) known.set(client, new Conversations(client));
    return known.get(client);
}

export class Conversations {
    #chat;
    #items = new Listeners();
    #stops = [];
    /** @type {AbortController | null} Null where nothing is followed. */
    #following = null;
    /** The connection was lost: some of what happened may be missing. */
    #isBroken = false;
    #users = new Users(() => this.#begin(), () => this.#end());
    #store = new Store({ initial, change, run: doneBy(() => this.#works) });
    #works = {
        ask: async ({ turn }) => {
            try {
                this.#store.send({ kind: 'answered', turn, answer: await this.#chat.list() });
            } catch (error) {
                this.#store.send({ kind: 'failed', turn, error });
            }
        },
        quietLater: ({ conversation, notice }) => { setTimeout(() => this.#store.send({ kind: 'quieted', conversation, notice }), TYPING); },
    };

    constructor(client) {
        this.#chat = chatOf(client);
        this.#store.watch(() => this.#users.tell());
    }

    get state() { return this.#store.state; }

    /**
     * Follows them as long as the life lasts.
     *
     * @param {import('../../life.js').Life} life
     * @param {() => void} changed Called at each change, and once at first.
     */
    use(life, changed) { this.#users.use(life, changed); }

    /**
     * Tells what happens in the conversations. An item `{reset: true}` says that some of it may be missing.
     *
     * @param {import('../../life.js').Life} life
     * @param {(item: import('../../client/chat.js').Item) => void} listener
     */
    listen(life, listener) { life.add(this.#items.add(listener)); }

    ask() { this.#store.send({ kind: 'asked' }); }

    /** Takes a row as an act answers it. */
    take(conversation) { if (conversation) this.#store.send({ kind: 'told', item: { conversation } }); }

    /**
     * Shows what an act will change before the program answers, and as it was where the act fails. Source: rule L6. The answer itself is not taken:
     * what was told may be newer.
     *
     * @param {import('../../client/chat.js').Conversation} row
     * @param {Partial<import('../../client/chat.js').Conversation> | null} members Null takes it off the list.
     * @param {() => Promise<any>} work
     */
    async act(row, members, work) {
        const now = () => this.state.rows[row.id] ?? row;
        this.#store.send({ kind: 'told', item: members ? { conversation: { ...now(), ...members } } : { hidden: row.id } });
        try {
            await work();
        } catch (error) {
            // Only what was changed goes back: the row may be another one by now. Source: rule B18.
            const former = Object.fromEntries(Object.keys(members ?? {}).map((name) => [name, row[name]]));
            this.take({ ...now(), ...former });
            throw error;
        }
    }

    pin(row) { return this.act(row, { isPinned: !row.isPinned }, () => this.#chat.pin(row.id, !row.isPinned)); }

    mute(row) { return this.act(row, { isMuted: !row.isMuted }, () => this.#chat.mute(row.id, !row.isMuted)); }

    hide(row) { return this.act(row, null, () => this.#chat.hide(row.id)); }

    block(row) { return this.act(row, { isBlocked: !row.isBlocked }, () => this.#chat.block(row.id, !row.isBlocked)); }

    /** Declining takes the conversation off the list. */
    async answer(row, isAccepted) {
        await this.#chat.answer(row.id, isAccepted);
        if (isAccepted) this.take({ ...(this.state.rows[row.id] ?? row), request: null });
        else this.#store.send({ kind: 'told', item: { hidden: row.id } });
    }

    /** Keeps the number of unread messages and of requests on the navigation. */
    badge(chrome, life) { this.use(life, () => chrome.badge('/chats', this.state.unread + this.state.requests.length)); }

    #begin() {
        this.#stops = [
            // The following has begun again by then, so that nothing falls between it and the answer.
            this.#chat.onState((state) => { if (state === 'live' && this.#isBroken) { this.#isBroken = false; this.#receive({ reset: true }); } }),
            // Without an account there is nothing to follow; once there is one, it is told.
            this.#chat.onChange(() => { if (!this.#following) this.#follow(); }),
            () => this.#following?.abort(),
        ];
        this.#follow();
    }

    #end() { this.#stops.splice(0).forEach((stop) => stop()); }

    /** Follows what happens, and asks for what is. Where that ends, the account did, or there is none: the list says so. */
    async #follow() {
        const controller = new AbortController();
        this.#following = controller;
        const { result } = this.#chat.follow({ signal: controller.signal, onItem: (item) => this.#receive(item), onRestart: () => { this.#isBroken = true; } });
        this.ask();
        await result.catch(() => {});
        if (this.#following !== controller) return;
        this.#following = null;
        if (!controller.signal.aborted) this.ask();
    }

    #receive(item) {
        this.#store.send({ kind: 'told', item });
        this.#items.tell(item);
    }
}
