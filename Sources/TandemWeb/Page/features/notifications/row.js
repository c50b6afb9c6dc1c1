import { h, icon, iconButton, relativeTime, safeText } from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';
import { swipes } from './swipe.js';
import { isLoud, momentOf, previewOf, sourceMark, sourceName, titleOf } from './words.js';

/** What a row probably has: a line each of title, text and source. Each takes its own height. */
export const ROW = 84;

/**
 * A notification in the list.
 *
 * @param {Object} item
 * @param {{open: (item: Object) => void, read: (item: Object) => void, remove: (item: Object) => void, isInside?: boolean}} acts `isInside`: below
 *   the stack that it belongs to.
 */
export function noticeRow(item, { open, read, remove, isInside = false }) {
    return rowOf(item, {
        main: mainOf(item, { press: () => open(item), isUnread: !item.read, body: previewOf(item) }), isUnread: !item.read, isInside,
        read: { label: t('notifications.readOne', { title: titleOf(item) }), press: () => read(item) },
        remove: { label: t('notifications.removeOne', { title: titleOf(item) }), press: () => remove(item) },
    });
}

/**
 * Several notifications of one conversation as one row: the newest, and how many there are.
 *
 * @param {{items: Object[], isOpen: boolean}} stack
 * @param {{open: () => void, read: () => void, remove: () => void}} acts
 */
export function stackRow({ items, isOpen }, { open, read, remove }) {
    const [newest] = items;
    const isUnread = items.some((each) => !each.read);
    const count = h('span', { class: 'notice-count' }, h('span', { class: 'number', aria: { hidden: true } }, `×${format.number(items.length)}`),
        h('span', { class: 'visually-hidden' }, t('notifications.several', { count: items.length })), icon('chevron-down', { size: 16 }));
    const main = mainOf(newest, { press: open, isUnread, body: isOpen ? '' : previewOf(newest), count });
    main.setAttribute('aria-expanded', String(isOpen));
    return rowOf(newest, {
        main, isUnread, isStack: true, isOpen,
        read: { label: t('notifications.readOne', { title: titleOf(newest) }), press: read },
        remove: { label: t('notifications.removeOne', { title: titleOf(newest) }), press: remove },
    });
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

function rowOf(item, { main, isUnread, isInside = false, isStack = false, isOpen = false, read, remove }) {
    const element = h('div', { class: ['notice', isUnread && 'is-unread', isInside && 'is-inside', isStack && 'is-stack', isOpen && 'is-open'] },
        h('span', { class: 'notice-under read', aria: { hidden: true } }, icon('check')),
        h('span', { class: 'notice-under remove', aria: { hidden: true } }, icon('trash')),
        h('div', { class: 'notice-over' }, main,
            h('div', { class: 'notice-acts' }, isUnread && act('read', 'check', read), act('remove', 'trash', remove))));
    swipes(element, { left: remove.press, right: isUnread ? read.press : null });
    return element;
}

function mark(symbol, words, kind) {
    return h('span', { class: ['notice-flag', kind], title: words }, icon(symbol, { size: 16 }), h('span', { class: 'visually-hidden' }, words));
}

function act(name, symbol, { label, press }) {
    const element = iconButton({ label, icon: symbol, press });
    // The name holds the title, which is a peer's.
    Object.assign(element.dataset, { act: name, peer: '' });
    return element;
}
