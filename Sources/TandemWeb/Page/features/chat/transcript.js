import { button, errorBanner, find, h, spinner } from '../../kit/index.js';
import { flow } from '../../kit/flow.js';
import { t } from '../../i18n/index.js';
import { Entries, picturesOf } from './entries.js';
import { estimate, entryView } from './entry.js';
import { keyOf, noticesOf } from './conversation-state.js';
import { Player } from './player.js';
import { messageMenu } from './message-acts.js';
import { lookAt } from './picture.js';

/** What was said, from the oldest message that was loaded to the newest, and a way down to it. */
export class Transcript {
    element = h('div', { class: 'talk-scroll' });
    #options;
    #entries = new Entries();
    #messages = [];
    /** @type {import('./conversation-state.js').Notice[]} */
    #notices = [];
    #places = '';
    #above = h('div', { class: 'flow-head' });
    #below = button({ label: '', icon: 'arrow-down', press: () => { this.#options.store.send({ kind: 'wentToEnd' }); this.#scroller.focus({ preventScroll: true }); } });
    #scroller;
    /** The reader stands where they wanted to be: no other messages are needed before. */
    #isPlaced;
    #context;
    /** Messages that stay as they are while the person holds them. */
    #held = new Map();

    /**
     * @param {{chat: import('../../client/chat.js').Chat, life: import('../../life.js').Life, row: () => import('../../client/chat.js').Conversation | null,
     *   store: import('../../kit/store.js').Store<import('./conversation-state.js').Reading, any, any>, hit: {at: number | null, item: string | null}}} options
     */
    constructor(options) {
        const { chat, life, store, row } = this.#options = options;
        this.#isPlaced = options.hit.at === null;
        const player = new Player(life);
        const context = {
            chat, life, row, player, opened: new Set(), cards: new Map(),
            hold: (message) => this.#held.set(keyOf(message), message),
            letGo: (message) => { if (this.#held.delete(keyOf(message))) this.#show(true); },
            isFound: ({ message }) => message.id === options.hit.item && options.hit.item !== null,
            told: (message) => store.send({ kind: 'told', message }),
            removed: (id) => store.send({ kind: 'removed', id }),
            look: (message, index) => lookAt(picturesOf(store.state.messages), { from: message.from, id: message.id, index }, chat),
            redraw: (key) => this.#scroller.refresh(key),
        };
        this.#context = { ...context, menu: (message, options) => messageMenu(message, { ...context, ...options }) };
        this.#scroller = flow({
            label: t('chat.conversation'), head: this.#above, estimate, render: (entry) => entryView(entry, this.#context),
            near: {
                top: () => queueMicrotask(() => { if (this.#isPlaced) store.send({ kind: 'neared', edge: 'top' }); }),
                end: () => queueMicrotask(() => { if (this.#isPlaced) store.send({ kind: 'neared', edge: 'end' }); }),
                moved: (isAtEnd) => store.send({ kind: 'moved', isAtEnd }),
            },
        });
        this.#scroller.isAtEnd = this.#isPlaced;
        this.#scroller.classList.add('talk-flow');
        this.#below.classList.add('below');
        this.#below.addEventListener('blur', () => this.#drawBelow(store.state));
        this.element.append(this.#scroller, this.#below);
        this.#below.hidden = true;
    }

    toEnd() { this.#scroller.toEnd(); }

    /** Receipts may have moved, or the name changed. */
    rowChanged() {
        if (this.#messages.length + this.#notices.length > 0) this.#show();
    }

    /** @param {import('./conversation-state.js').Reading} state @param {import('./conversation-state.js').Reading | null} before */
    draw(state, before) {
        const isOther = state.messages !== this.#messages || state.notices !== before?.notices;
        if (isOther || !before) {
            this.#messages = state.messages;
            this.#notices = noticesOf(state);
            this.#show(true);
        }
        this.#drawAbove(state, before);
        this.#drawBelow(state);
        if (!this.#isPlaced && state.messages.length > 0) requestAnimationFrame(() => this.#place());
    }

    /** @param {boolean} [isOther] Whether other messages are to be shown, and not only other marks of them. */
    #show(isOther = false) {
        const { readByPeer = 0, receivedByPeer = 0 } = this.#options.row() ?? {};
        const places = `${readByPeer} ${receivedByPeer}`;
        if (!isOther && places === this.#places) return;
        this.#places = places;
        // A feed without an article says nothing.
        find(this.#scroller, '.flow-rows').hidden = this.#messages.length + this.#notices.length === 0;
        const messages = this.#held.size === 0 ? this.#messages : this.#messages.map((message) => this.#held.get(keyOf(message)) ?? message);
        this.#scroller.show(this.#entries.of(messages, { readByPeer, receivedByPeer }, this.#notices));
    }

    /** Once: where the message stands that a search found. */
    #place() {
        if (this.#isPlaced) return;
        this.#isPlaced = true;
        const { at, item } = this.#options.hit;
        const found = this.#messages.find(({ id, seq }) => id === item || seq === at);
        if (found) this.#scroller.reveal(keyOf(found));
    }

    #drawAbove(state, before) {
        if (before && state.isEnd === before.isEnd && state.olderTrouble === before.olderTrouble && (state.messages.length === 0) === (before.messages.length === 0)) return;
        if (state.olderTrouble) this.#above.replaceChildren(errorBanner(state.olderTrouble, { retry: () => this.#options.store.send({ kind: 'retried' }) }));
        else if (!state.isEnd) this.#above.replaceChildren(h('div', { class: 'flow-more' }, spinner({ size: 20 })));
        else this.#above.replaceChildren(h('p', { class: 'flow-begin' }, t(state.messages.length === 0 ? 'chat.nothingYet' : 'chat.beginning')));
    }

    /** Source: rule C4. A button with the keyboard stays until it loses it. */
    #drawBelow({ isAtEnd, isJoined, news }) {
        const isThere = isAtEnd && isJoined;
        this.#below.hidden = isThere && document.activeElement !== this.#below;
        if (!this.#below.hidden) find(this.#below, '.button-label').textContent = news > 0 ? t('chat.newBelow', { count: news }) : t('chat.toNewest');
        this.#below.classList.toggle('primary', news > 0);
    }
}
