import { banner, emptyState, errorBanner, errorToast, h, icon, linkButton, rowOf, skeleton, textField, virtualList } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { foundMessages } from './found.js';
import { invitation } from './invite.js';
import { ROW, chatRow } from './row.js';
import { nameOf } from './words.js';

/** Rows of the list while nothing is known. Source: rule L7. */
const SKELETON = 8;
/** Rows that Tab stops at, one after the other. */
const MOST_STOPS = 50;

/**
 * The list of conversations with its search, what the account is like above it, and the way to requests.
 *
 * @param {{client: import('../../client/client.js').Client, chat: import('../../client/chat.js').Chat, standing: import('./standing.js').Conversations,
 *   life: import('../../life.js').Life, link: Function, find: string, searched: (words: string) => void}} options
 */
export function chatList({ client, chat, standing, life, link, find, searched }) {
    const strip = h('div', { class: 'chat-strip' });
    const requests = h('div', { class: 'chat-requests' });
    const body = h('div', { class: 'chat-rows' });
    const rows = new Rows({ chat, standing, body, link });
    const nameIn = (id) => (standing.state.rows[id] ? nameOf(standing.state.rows[id]) : id);
    const found = foundMessages({ chat, life, nameOf: nameIn, href: (message) => link('/chats', message.conversation, { at: message.seq, item: message.id }) });
    const search = textField({
        label: t('chat.search'), labelHidden: true, placeholder: t('chat.search'), type: 'search', value: find, attributes: { maxLength: 120 },
        input: (text) => { searched(text.trim()); look(text, false); },
    });
    const parts = [strip, h('div', { class: 'chat-search' }, search), requests, body, found.element];
    const element = h('div', { class: 'chat-list' }, skeleton(SKELETON, { height: ROW - 10 }));
    let invited = null;
    let words = find;

    function look(text, isNow) {
        words = text;
        found.look(text, { isNow });
        draw();
    }

    function draw() {
        const { state } = standing;
        strip.replaceChildren(...stripOf(state, standing));
        requests.replaceChildren(...(words.trim() ? [] : requestsRow(state.requests.length, link)));
        search.hidden = state.phase !== 'shown' || state.account === 'signedOut';
        if (state.phase === 'loading') return;
        // All of it at once: nothing is pushed down by what comes above it.
        if (body.parentElement !== element) element.replaceChildren(...parts);
        if (state.phase === 'refused') { rows.say(errorBanner(state.trouble, { retry: () => standing.ask() })); return; }
        if (state.account === 'signedOut') { rows.say(signedOut()); return; }
        const shown = words.trim() ? state.list.filter(({ name }) => name.toLocaleLowerCase().includes(words.trim().toLocaleLowerCase())) : state.list;
        if (shown.length > 0) rows.show(shown, state.typing);
        else if (words.trim()) rows.say(h('div', null));
        else rows.say(invited ??= nobody({ client, chat, life, link }));
    }

    standing.use(life, draw);
    // "Yesterday" begins at midnight.
    life.every(60_000, () => rows.refresh());
    if (find) look(find, true);
    return { element, select: (id) => rows.select(id) };
}

/** The rows in sight, and the keyboard among them. */
class Rows {
    #options;
    #list = null;
    #items = [];
    #shown = null;
    #said = null;

    constructor(options) {
        this.#options = options;
        options.body.addEventListener('keydown', (event) => this.#press(event));
    }

    /** @param {import('../../client/chat.js').Conversation[]} rows @param {Object<string, number>} typing */
    show(rows, typing) {
        const former = new Map(this.#items.map((item) => [item.row.id, item]));
        this.#items = rows.map((row) => {
            const [before, isTyping, isShown] = [former.get(row.id), typing[row.id] !== undefined, row.id === this.#shown];
            return before?.row === row && before.isTyping === isTyping && before.isShown === isShown ? before : { row, isTyping, isShown };
        });
        this.#said = null;
        if (this.#list) {
            const kept = this.#focusedId;
            this.#list.show(this.#items);
            if (kept && !this.#options.body.contains(document.activeElement)) this.#list.focusRow(this.#items.findIndex(({ row }) => row.id === kept));
        } else {
            this.#list = virtualList({ label: t('chat.listOf'), rowHeight: ROW, items: this.#items, render: (item) => this.#render(item) });
            this.#options.body.replaceChildren(h('div', { class: 'card rows chat-card' }, this.#list));
        }
        // Tab passes a long list by; arrows walk in it.
        if (this.#items.length > MOST_STOPS) this.#list.tabIndex = 0;
        else this.#list.removeAttribute('tabindex');
    }

    /** Puts something else in the place of the rows. */
    say(node) {
        if (this.#said === node) return;
        [this.#list, this.#said, this.#items] = [null, node, []];
        this.#options.body.replaceChildren(node);
    }

    select(id) {
        this.#shown = id;
        if (this.#list) this.show(this.#items.map(({ row }) => row), this.#options.standing.state.typing);
    }

    refresh() { this.#list?.refresh(); }

    get #focusedId() {
        const row = this.#options.body.contains(document.activeElement) ? rowOf(document.activeElement) : null;
        return row ? this.#items[Number(row.getAttribute('aria-posinset')) - 1]?.row.id : null;
    }

    #render({ row, isTyping, isShown }) {
        const { chat, link } = this.#options;
        const element = chatRow(row, { chat, isTyping, isShown, href: link('/chats', row.id), acts: this.#actsOf(row) });
        if (this.#items.length > MOST_STOPS) for (const control of element.querySelectorAll('button')) control.tabIndex = -1;
        return element;
    }

    #actsOf(row) {
        const { standing } = this.#options;
        const said = (work) => work.catch(errorToast);
        return { pin: () => said(standing.pin(row)), mute: () => said(standing.mute(row)), hide: () => said(standing.hide(row)) };
    }

    #press(event) {
        const row = rowOf(event.target);
        const at = row ? Number(row.getAttribute('aria-posinset')) - 1 : -1;
        if (event.ctrlKey || event.altKey || event.metaKey || !this.#list?.contains(event.target)) return;
        if (event.key === 'Delete' && row && !event.repeat) {
            event.preventDefault();
            this.#actsOf(this.#items[at].row).hide();
            return;
        }
        const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: this.#items.length - 1 }[event.key];
        if (next === undefined) return;
        event.preventDefault();
        this.#list.focusRow(Math.max(0, Math.min(this.#items.length - 1, next)));
    }
}

/** What the account is like, where that is worth a word. */
function stripOf({ phase, account, trouble }, standing) {
    if (phase !== 'shown') return [];
    if (trouble) return [errorBanner(trouble, { text: t('chat.notUpToDate'), retry: () => standing.ask() })];
    if (account === 'away') return [banner({ kind: 'offline', text: t('chat.away'), detail: t('chat.awayText') })];
    if (account === 'connecting') return [h('p', { class: 'chat-connecting small soft', role: 'status' }, t('chat.connecting'))];
    return [];
}

function requestsRow(count, link) {
    if (count === 0) return [];
    return [h('div', { class: 'card rows' }, h('a', { class: 'row-main requests-row', href: link('/chats/requests') },
        h('span', { class: 'row-lead' }, icon('people', { size: 22 })), h('span', { class: 'row-words' }, h('span', { class: 'row-title' }, t('chat.requests'))),
        h('span', { class: 'badge' }, count > 99 ? '99+' : String(count)), icon('chevron-right', { size: 18 })))];
}

function signedOut() {
    return emptyState({ icon: 'chat', title: t('chat.signedOut'), text: t('chat.signedOutText'), actions: [linkButton({ label: t('chat.toAccount'), icon: 'key', kind: 'primary', href: '#/account' })] });
}

/** Nobody was written to yet: how somebody is invited. */
function nobody({ client, chat, life, link }) {
    return h('div', { class: 'chat-nobody' },
        emptyState({ icon: 'chat', title: t('chat.nobody'), text: t('chat.nobodyText'), actions: [linkButton({ label: t('chat.add'), icon: 'plus', kind: 'primary', href: link('/chats/add') })] }),
        invitation({ client, chat, life }));
}
