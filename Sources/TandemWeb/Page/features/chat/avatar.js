import { h } from '../../kit/first.js';

const TINTS = 6;

/**
 * The picture of a person, or the first letter of the name, with a dot while they are online.
 *
 * @param {import('../../client/chat.js').Chat} chat
 * @param {{user: string, name: string, avatar?: string | null, isOnline?: boolean}} person
 * @param {{size?: number}} options In pixels.
 */
export function avatar(chat, { user, name, avatar: picture = null, isOnline = false }, { size = 52 } = {}) {
    const element = h('span', { class: ['avatar', `tint-${tintOf(user)}`], aria: { hidden: true }, data: { peer: '' }, vars: { '--avatar': `${size}px` } }, h('span', { class: 'avatar-letter' }, letterOf(name)));
    if (picture) {
        const image = h('img', { class: 'avatar-picture', alt: '', loading: 'lazy', decoding: 'async', src: chat.avatarAddress(user) });
        image.addEventListener('error', () => image.remove());
        element.append(image);
    }
    if (isOnline) element.append(h('span', { class: 'avatar-dot' }));
    return element;
}

/** The first letter that can be seen. */
function letterOf(name) {
    const [letter] = /[\p{L}\p{N}\p{Extended_Pictographic}]/u.exec(name) ?? ['?'];
    return letter.toLocaleUpperCase();
}

function tintOf(user) {
    let sum = 0;
    for (const letter of user) sum = (sum * 31 + letter.charCodeAt(0)) % 9973;
    return sum % TINTS;
}
