import { h, icon, iconButton, relativeTime, safeText } from '../../components/index.js';
import { format, t } from '../../i18n/index.js';
import { swipes } from './swipe.js';
import { isLoud, momentOf, previewOf, sourceMark, sourceName, titleOf } from './words.js';

export const ROW = 104;

/**
 * A notification in the list.
 *
 * @param {Object} item
 * @param {{open: (item: Object) => void, read: (item: Object) => void, remove: (item: Object) => void}} acts
 */
export function noticeRow(item, { open, read, remove }) {
    const main = h('button', { type: 'button', class: 'row-main notice-main', data: { id: item.id }, on: { click: () => open(item) } },
        sourceMark(item),
        h('span', { class: 'row-words' },
            h('span', { class: 'notice-top' },
                !item.read && h('span', { class: 'notice-dot' }, h('span', { class: 'visually-hidden' }, t('notifications.unreadOne'))),
                safeText(item.title, { limit: 200, class: 'notice-title' }),
                isLoud(item.priority) && mark(item.priority === 'urgent' ? 'warning' : 'arrow-up', t(`notifications.${item.priority}`), item.priority),
                item.silenced && mark('moon', t('notifications.silenced'), 'silenced'),
                h('span', { class: 'notice-time' }, relativeTime(momentOf(item.createdAt), { isShort: true }))),
            h('span', { class: 'notice-body', dir: 'auto', data: { peer: '' } }, previewOf(item.body)),
            h('span', { class: 'notice-source' }, sourceName(item), Number.isInteger(item.progress) && [' · ', h('span', { class: 'number' }, format.percent(item.progress / 100))])));
    const element = h('div', { class: ['notice', !item.read && 'is-unread'] },
        h('span', { class: 'notice-under read', aria: { hidden: true } }, icon('check')),
        h('span', { class: 'notice-under remove', aria: { hidden: true } }, icon('trash')),
        h('div', { class: 'notice-over' }, main,
            h('div', { class: 'notice-acts' },
                !item.read && act('read', 'check', t('notifications.readOne', { title: titleOf(item) }), () => read(item)),
                act('remove', 'trash', t('notifications.removeOne', { title: titleOf(item) }), () => remove(item)))));
    swipes(element, { left: () => remove(item), right: item.read ? null : () => read(item) });
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
