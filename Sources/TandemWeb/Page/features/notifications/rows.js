import { button, emptyState, find, h, icon, iconButton, relativeTime, rowOf, safeText, virtualList } from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';
import { swipes } from '../../kit/swipe.js';
import { isLoud, momentOf, previewOf, sourceMark, sourceName, titleOf } from './words.js';

/** What a row probably has: a line each of title, text and source. Each takes its own height. */
export const ROW = 84;
/** Rows that Tab stops at, one after the other. */
const MOST_STOPS = 30;

/** The rows of a list of notifications, those of one conversation as one, and the keyboard among them. */
export class NoticeRows {
    #element;
    #acts;
    #stacks = new Stacks();
    #list = null;
    #items = [];
    #isSearch = false;
    /** What is drawn of them: those of one conversation are one row. */
    #drawn = [];

    /**
     * @param {HTMLElement} element
     * @param {{open: (item: Object) => void, marks: Object, more: () => void, notifications: Object, showAll: () => void}} acts `marks` as `marksOf`
     *   makes them; `more` asks for older ones.
     */
    constructor(element, acts) {
        this.#element = element;
        this.#acts = acts;
        element.addEventListener('keydown', (event) => this.#press(event));
    }

    /** @param {Object[]} items @param {import('./list-state.js').Filter} filter */
    show(items, filter) {
        this.#items = items;
        // Who looks for something sees each that was found.
        this.#isSearch = Boolean(filter.words);
        this.#drawn = this.#isSearch ? items : this.#stacks.of(items);
        if (items.length > 0) this.#draw();
        else this.replaceBy(noNotices(filter, this.#acts));
    }

    /** Puts something else in the place of the rows. */
    replaceBy(node) {
        this.#list = null;
        this.#element.replaceChildren(node);
    }

    /** One that is shown. */
    find(id) { return this.#items.find((each) => each.id === id); }

    placeOf(id) { return placeIn(this.#drawn, id); }

    /** The row that has the keyboard. */
    get focused() {
        const row = this.#element.contains(document.activeElement) ? rowOf(document.activeElement) : null;
        return row && { id: find(row, '.notice-main')?.dataset.id, at: placeOfRow(row) };
    }

    /** Brings the keyboard to the row of one, or to what stands in its place now; nowhere where it had none. */
    focus(id, at = -1) {
        const found = this.placeOf(id);
        this.#list?.focusRow(found >= 0 ? found : Math.min(at, this.#drawn.length - 1));
    }

    #draw() {
        const kept = this.focused;
        if (this.#list) {
            this.#list.show(this.#drawn);
        } else {
            this.#list = virtualList({
                label: t('notifications.listOf'), rowHeight: ROW, isMeasured: true, items: this.#drawn, render: (item, index) => this.#render(item, index),
            });
            this.#element.replaceChildren(h('div', { class: 'card rows notice-card' }, this.#list));
        }
        // Tab passes a long list by; arrows walk in it.
        if (this.#drawn.length > MOST_STOPS) this.#list.tabIndex = 0;
        else this.#list.removeAttribute('tabindex');
        if (kept && !this.#element.contains(document.activeElement)) this.focus(kept.id, kept.at);
    }

    #render(item, index) {
        const { open, marks, more } = this.#acts;
        if (index > this.#drawn.length - 20) queueMicrotask(more);
        const row = item.items
            ? stackRow(item, { open: () => this.#toggle(item), read: () => marks.readSome(item.items), remove: () => { marks.removeSome(item.items); } })
            : noticeRow(item, { open, read: marks.markRead, remove: marks.remove, isInside: !this.#isSearch && this.#stacks.isInside(item) });
        if (this.#drawn.length > MOST_STOPS) for (const control of row.querySelectorAll('button')) control.tabIndex = -1;
        return row;
    }

    #toggle(stack) {
        const at = this.#drawn.indexOf(stack);
        this.#stacks.toggle(stack);
        this.#drawn = this.#stacks.of(this.#items);
        this.#draw();
        this.#list?.focusRow(at);
    }

    #press(event) {
        const row = rowOf(event.target);
        const at = row ? placeOfRow(row) : -1;
        if (event.key === 'Delete' && row) {
            // A key that is held down deletes one, not a dozen on every device.
            if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
            event.preventDefault();
            const { marks } = this.#acts;
            const item = this.#drawn[at];
            if (item.items) marks.removeSome(item.items);
            else marks.remove(item);
            return;
        }
        const last = this.#drawn.length - 1;
        const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last }[event.key];
        if (next === undefined || !this.#list?.contains(event.target)) return;
        event.preventDefault();
        this.#list.focusRow(Math.max(0, Math.min(last, next)));
    }
}

function placeOfRow(row) { return Number(row.getAttribute('aria-posinset')) - 1; }

/** Why a list of notifications is empty. */
function noNotices(filter, { notifications, showAll }) {
    if (filter.words) return emptyState({ icon: 'search', title: t('notifications.nothingFound'), text: t('notifications.nothingFoundText') });
    if (filter.unread || filter.app) {
        return emptyState({
            icon: 'check', title: t(filter.unread ? 'notifications.allRead' : 'notifications.noneSuch'),
            actions: [button({ label: t('notifications.showAll'), press: showAll })],
        });
    }
    const text = notifications.isAll ? t('notifications.noneAll') : notifications.device ? t('notifications.noneText') : t('notifications.noneHere');
    return emptyState({ icon: 'bell', title: t('notifications.none'), text });
}

/**
 * A notification in the list.
 *
 * @param {Object} item
 * @param {{open: (item: Object) => void, read: (item: Object) => void, remove: (item: Object) => void, isInside?: boolean}} acts `isInside`: below
 *   the stack that it belongs to.
 */
function noticeRow(item, { open, read, remove, isInside = false }) {
    return framed(item, {
        main: mainOf(item, { press: () => open(item), isUnread: !item.read, body: previewOf(item) }), isUnread: !item.read, isInside,
        read: () => read(item), remove: () => remove(item),
    });
}

/**
 * Several notifications of one conversation as one row: the newest, and how many there are.
 *
 * @param {{items: Object[], isOpen: boolean}} stack
 * @param {{open: () => void, read: () => void, remove: () => void}} acts
 */
function stackRow({ items, isOpen }, { open, read, remove }) {
    const [newest] = items;
    const isUnread = items.some((each) => !each.read);
    const count = h('span', { class: 'notice-count' }, h('span', { class: 'number', aria: { hidden: true } }, `×${format.number(items.length)}`),
        h('span', { class: 'visually-hidden' }, t('notifications.several', { count: items.length })), icon('chevron-down', { size: 16 }));
    const main = mainOf(newest, { press: open, isUnread, body: isOpen ? '' : previewOf(newest), count });
    main.setAttribute('aria-expanded', String(isOpen));
    return framed(newest, { main, isUnread, isStack: true, isOpen, read, remove });
}

/** @param {Object} item @param {{press: () => any, isUnread: boolean, body: string, count?: Node}} options */
function mainOf(item, { press, isUnread, body, count }) {
    return h('button', { type: 'button', class: 'row-main notice-main', data: { id: item.id }, on: { click: press } },
        sourceMark(item),
        h('span', { class: 'row-words' },
            h('span', { class: 'notice-top' },
                isUnread && h('span', { class: 'notice-dot' }, h('span', { class: 'visually-hidden' }, t('notifications.unreadOne'))),
                safeText(item.title, { limit: 200, class: 'notice-title' }),
                isLoud(item.priority) && mark(item.priority === 'urgent' ? 'warning' : 'arrow-up', t(`notifications.${item.priority}`), item.priority),
                item.silenced && mark('moon', t('notifications.silenced'), 'silenced'),
                count,
                h('span', { class: 'notice-time' }, relativeTime(momentOf(item.createdAt), { isShort: true }))),
            body && h('span', { class: 'notice-body', dir: 'auto', data: { peer: '' } }, body),
            h('span', { class: 'notice-source' }, item.computerName && [safeText(item.computerName, { limit: 60 }), ' · '], sourceName(item),
                Number.isInteger(item.progress) && [' · ', h('span', { class: 'number' }, format.percent(item.progress / 100))])));
}

function framed(item, { main, isUnread, isInside = false, isStack = false, isOpen = false, read, remove }) {
    const title = titleOf(item);
    const element = h('div', { class: ['notice', isUnread && 'is-unread', isInside && 'is-inside', isStack && 'is-stack', isOpen && 'is-open'] },
        h('span', { class: 'notice-under read', aria: { hidden: true } }, icon('check')),
        h('span', { class: 'notice-under remove', aria: { hidden: true } }, icon('trash')),
        h('div', { class: 'notice-over' }, main,
            h('div', { class: 'notice-acts' }, isUnread && act('read', 'check', t('notifications.readOne', { title }), read), act('remove', 'trash', t('notifications.removeOne', { title }), remove))));
    swipes(element, { left: remove, right: isUnread ? read : null });
    return element;
}

function mark(symbol, words, kind) {
    return h('span', { class: ['notice-flag', kind], title: words }, icon(symbol, { size: 16 }), h('span', { class: 'visually-hidden' }, words));
}

function act(name, symbol, label, press) {
    const element = iconButton({ label, icon: symbol, press });
    // The name holds the title, which is a peer's.
    Object.assign(element.dataset, { act: name, peer: '' });
    return element;
}

/**
 * Puts notifications of one conversation, or of one kind of one program, together as one row at the place of the newest, until the person
 * opens it: then they stand below it.
 */
class Stacks {
    #open = new Set();
    #former = new Map();

    /**
     * @param {Object[]} rows The newest first.
     * @returns {Object[]} What a list draws: notifications and stacks, `{key, items, isOpen}`. A stack that did not change is the same object.
     */
    of(rows) {
        const groups = new Map();
        for (const row of rows) {
            const key = keyOf(row);
            if (groups.has(key)) groups.get(key).push(row);
            else groups.set(key, [row]);
        }
        const former = this.#former;
        this.#former = new Map();
        return [...groups].flatMap(([key, items]) => {
            if (items.length === 1) return items;
            const isOpen = this.#open.has(key);
            const before = former.get(key);
            const isSame = before?.isOpen === isOpen && before.items.length === items.length && items.every((item, at) => item === before.items[at]);
            const stack = isSame ? before : { key, items, isOpen };
            this.#former.set(key, stack);
            return isOpen ? [stack, ...items] : [stack];
        });
    }

    toggle({ key }) {
        if (!this.#open.delete(key)) this.#open.add(key);
    }

    /** Whether a notification stands below its open stack. */
    isInside(item) { return this.#former.get(keyOf(item))?.isOpen === true; }
}

/** Where a notification stands among rows: itself, else the closed stack that holds it. */
function placeIn(rows, id) {
    const own = rows.findIndex((each) => !each.items && each.id === id);
    return own >= 0 ? own : rows.findIndex((each) => each.items?.some((item) => item.id === id));
}

/** A conversation has the name of who speaks for its title. One without a program or a title is alone. */
function keyOf({ id, device, app, title, source }) {
    return app && title ? JSON.stringify([device ?? '', source ?? '', app, title]) : id;
}
