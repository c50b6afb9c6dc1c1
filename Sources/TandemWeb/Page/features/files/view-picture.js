import { h, iconButton, spinner } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { unshown } from './unshown.js';

/** Pixels that a finger moves aside before the next picture comes. */
const SWIPE = 50;
const MOST_PICTURE = 32 * 1024 * 1024;

/**
 * @typedef {Object} Around
 * @property {() => {at: number, count: number}} place Of this picture among those of its folder: from 1 on; 0 while they are not known.
 * @property {(by: number, isPressed?: boolean) => void} turn Shows the picture before (-1) or after (1); `isPressed` where a button did it.
 */

/**
 * Shows a picture.
 *
 * @param {import('./entries.js').Entry} entry
 * @param {{body: HTMLElement, life: Object, picture: () => Promise<Blob>}} options
 */
export async function showPicture(entry, { body, life, picture }) {
    if ((entry.size ?? 0) > MOST_PICTURE) { body.replaceChildren(unshown('image', t('files.tooLargeToShow'))); return; }
    body.replaceChildren(h('div', { class: 'viewer-waiting' }, spinner({ size: 28, label: t('common.loading') })));
    const blob = await picture();
    const address = URL.createObjectURL(blob);
    life.add(() => URL.revokeObjectURL(address));
    const image = h('img', { class: ['viewer-picture', blob.type !== 'image/jpeg' && 'is-clear'], src: address, alt: t('files.pictureOf', { name: entry.name }), data: { peer: '' } });
    image.addEventListener('error', () => body.replaceChildren(unshown('image', t('files.noPicture'))));
    image.addEventListener('load', () => { image.title = `${image.naturalWidth} × ${image.naturalHeight}`; });
    // Pressed, it is shown pixel by pixel.
    const frame = h('button', { type: 'button', class: 'viewer-frame', aria: { label: t('files.zoom') }, on: { click: () => frame.classList.toggle('whole') } }, image);
    body.replaceChildren(frame);
}

/**
 * The buttons to the picture before and the next, which the arrow keys and a swipe reach too, while this one fits: what is larger than its
 * frame is moved by them.
 *
 * @param {HTMLElement} dialog
 * @param {HTMLElement} body
 * @param {Around} around
 * @param {Object} life
 */
export function turning(dialog, body, { place, turn }, life) {
    const isWhole = () => body.querySelector('.viewer-frame.whole') !== null;
    life.listen(dialog, 'keydown', (event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!by || event.altKey || event.ctrlKey || event.metaKey || isWhole()) return;
        event.preventDefault();
        turn(by);
    });
    let from = null;
    life.listen(body, 'touchstart', ({ touches }) => { from = touches.length === 1 && !isWhole() ? touches[0] : null; });
    life.listen(body, 'touchend', ({ changedTouches: [end] }) => {
        const [x, y] = from ? [end.clientX - from.clientX, end.clientY - from.clientY] : [0, 0];
        from = null;
        if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) turn(x < 0 ? 1 : -1);
    });
    const before = iconButton({ label: t('files.previous'), icon: 'chevron-left', press: () => turn(-1, true) });
    const after = iconButton({ label: t('files.next'), icon: 'chevron-right', press: () => turn(1, true) });
    const words = h('span', { class: 'soft small number' });
    const element = h('div', { class: 'viewer-turns' }, before, words, after);
    /** Its folder is known by now. */
    const listed = () => {
        const { at, count } = place();
        element.hidden = at === 0 || count < 2;
        before.disabled = at === 1;
        after.disabled = at === count;
        words.textContent = t('files.pictureAt', { at, count });
    };
    listed();
    return Object.assign(element, { listed });
}
