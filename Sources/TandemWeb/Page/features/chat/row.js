import { badge, h, icon, menuButton, openMenu, safeText } from '../../kit/index.js';
import { swipes } from '../../kit/swipe.js';
import { t } from '../../i18n/index.js';
import { avatar } from './avatar.js';
import { longPress } from '../../kit/long-press.js';
import { rowMoment } from './moment.js';
import { timeOf } from './standing-state.js';
import { isWritten, lineOf, nameOf } from './words.js';

/** Of each row, in pixels. */
export const ROW = 76;

/**
 * A conversation in the list.
 *
 * @param {import('../../client/chat.js').Conversation} row
 * @param {{chat: import('../../client/chat.js').Chat, href: string, isShown: boolean, isTyping: boolean, acts: {pin: () => any, mute: () => any, hide: () => any}}} options
 */
export function chatRow(row, { chat, href, isShown, isTyping, acts }) {
    const items = () => [
        { label: t(row.isPinned ? 'chat.unpin' : 'chat.pin'), icon: row.isPinned ? 'pin-off' : 'pin', press: acts.pin },
        { label: t(row.isMuted ? 'chat.unmute' : 'chat.mute'), icon: row.isMuted ? 'bell' : 'mute', press: acts.mute },
        { label: t('chat.hide'), icon: 'eye-off', press: acts.hide },
    ];
    const main = h('a', { class: 'row-main chat-link', href, draggable: false }, avatar(chat, row), h('span', { class: 'row-words' }, topLine(row), lowLine(row, isTyping)));
    if (isShown) main.setAttribute('aria-current', 'true');
    const label = t('chat.actsOf', { name: nameOf(row) });
    const menu = menuButton({ label, items });
    menu.dataset.peer = '';
    const element = h('div', { class: ['chat-row', row.isPinned && 'is-pinned', isShown && 'is-shown'] },
        h('span', { class: 'chat-under pin', aria: { hidden: true } }, icon(row.isPinned ? 'pin-off' : 'pin')),
        h('span', { class: 'chat-under hide', aria: { hidden: true } }, icon('eye-off')),
        h('div', { class: 'chat-over' }, main, h('div', { class: 'chat-acts' }, menu)));
    swipes(element, { left: acts.hide, right: acts.pin });
    longPress(element, (point) => openMenu({ label, anchor: main, point, items: items() }));
    return element;
}

function topLine(row) {
    const time = timeOf(row);
    return h('span', { class: 'chat-top' },
        safeText(row.name, { limit: 80, class: 'chat-name' }),
        row.isOnline && h('span', { class: 'visually-hidden' }, t('chat.online')),
        row.isPinned && mark('pin', t('chat.pinned')),
        row.isMuted && mark('mute', t('chat.muted')),
        mark(row.isSealed ? 'lock' : 'unlock', t(row.isSealed ? 'chat.sealed' : 'chat.clear'), row.isSealed ? 'is-sealed' : 'is-clear'),
        time > 0 && rowMoment(time));
}

function lowLine(row, isTyping) {
    return h('span', { class: 'chat-low' }, preview(row, isTyping),
        row.unread > 0 && h('span', { class: row.isMuted ? 'chat-unread is-muted' : 'chat-unread' }, badge(row.unread, t('chat.unread'))));
}

/** A draft comes first. Source: rule L5. */
function preview({ draft, last, trouble, request }, isTyping) {
    if (isTyping) return h('span', { class: 'chat-preview is-typing' }, t('chat.typing'));
    if (draft?.trim()) return h('span', { class: 'chat-preview' }, h('span', { class: 'chat-draft' }, t('chat.draft')), ' ', written(lineOf({ kind: 'text', text: draft })));
    if (trouble) return h('span', { class: 'chat-preview is-bad' }, t('chat.stopped'));
    if (!last) return h('span', { class: 'chat-preview' }, t(request === 'outgoing' ? 'chat.asked' : 'chat.nothingSaid'));
    const line = lineOf(last);
    return h('span', { class: 'chat-preview' },
        last.isMine && last.status === 'failed' && mark('warning', t('chat.failed'), 'is-bad'),
        last.isMine && last.status === 'sending' && mark('clock', t('chat.sending')),
        isWritten(last) ? written(line) : line);
}

function written(text) { return h('span', { dir: 'auto', data: { peer: '' } }, text); }

function mark(symbol, words, kind) {
    return h('span', { class: ['chat-mark', kind], title: words }, icon(symbol, { size: 14 }), h('span', { class: 'visually-hidden' }, words));
}
