import { chip, h, icon, peer, platformIcon, relativeTime, safeText } from './first.js';
import { hasText, t } from '../i18n/index.js';

/** The kinds of links as the program names them, and what the page shows of them. */
const WAYS = { lan: 'direct', webRTC: 'direct' };

/** A phone's way as `pathChip` knows it; null while it is away. */
export function pathOf(phone) { return WAYS[phone.path] ?? phone.path ?? null; }

/** A phone's system in words; an unknown one as the phone calls it. */
export function systemName(platform) {
    const key = `phones.system.${platform}`;
    return hasText(key) ? t(key) : platform ? safeText(platform) : t('phones.system.other');
}

/** A name, or words in its place for a phone that told none. */
export function phoneName(name) { return name?.trim() ? safeText(name) : h('span', { class: 'soft' }, t('phones.unnamed')); }

/** Its symbol, with a mark while it is here. */
export function phoneSymbol(phone) {
    const element = h('span', { class: 'phone-symbol' }, platformIcon(Object.hasOwn(SYSTEMS, phone.platform) ? phone.platform : 'phone'));
    if (phone.path) element.append(h('span', { class: 'online-mark' }));
    return element;
}
const SYSTEMS = { ios: 1, android: 1, darwin: 1, win32: 1, linux: 1 };

/** "Connected directly", "Last seen 3 days ago". */
export function whereabouts(phone) {
    if (phone.path) return t(pathOf(phone) === 'direct' ? 'phones.here' : 'phones.hereByRelay');
    return [t('phones.seen'), ' ', relativeTime(phone.lastSeenAt || null)];
}

/** A mark for a phone that does not seal what it sends; null for all others. */
export function clearChip(device) {
    return device.endToEnd ? null : chip(t('phones.notSealed'), 'bad', 'unlock');
}

/** Words of a key with a frame: what is compared on two screens. */
export function comparedWords(label, words) {
    return h('div', { class: 'compared' },
        icon('key', { size: 20 }),
        h('div', { class: 'row-words' }, h('span', { class: 'row-detail' }, label), peer(words, 'span', { class: 'key-words' })));
}
