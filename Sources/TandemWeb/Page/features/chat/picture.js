import { format, t } from '../../i18n/index.js';
import { errorToast, h, icon, progress } from '../../kit/index.js';
import { blurPixels } from './blurhash.js';

/** A picture alone is as large as this at most, in pixels, and as this where its size is not known. Source: the bubbles of the conversation. */
const MOST = { width: 260, height: 320 };
const UNKNOWN = { width: 180, height: 180 };
const LEAST = 96;
/** Of the blurred picture, which is stretched. */
const BLUR = 24;

/** How large a picture is shown, in pixels. */
export function sizeOf({ width, height }) {
    if (!(width > 0) || !(height > 0)) return UNKNOWN;
    const part = Math.min(1, MOST.width / width, MOST.height / height);
    return { width: Math.max(LEAST, Math.round(width * part)), height: Math.max(LEAST, Math.round(height * part)) };
}

/** The picture of a message, or several side by side, with how far they are sent. */
export function pictureGrid(message, context) {
    const { pictures, status, progress: part } = message;
    const isAlone = pictures.length === 1;
    // One without pictures would be a broken message: it has the place of one that is gone. Source: rule R3.
    const tiles = pictures.length > 0 ? pictures.map((picture, index) => tile(message, picture, index, isAlone, context)) : [gone(UNKNOWN)];
    const grid = h('div', { class: ['pictures', isAlone && 'is-alone', pictures.length === 2 || pictures.length === 4 ? 'by-two' : null] }, tiles);
    // Source: rule C8.
    if (status !== 'sending' || !(part > 0)) return grid;
    return h('div', { class: 'pictures-sent' }, grid, h('div', { class: 'pictures-progress' }, progress({ label: t('chat.uploading'), part }), h('span', { class: 'small number' }, format.percent(part))));
}

function tile(message, picture, index, isAlone, context) {
    const size = isAlone ? sizeOf(picture) : null;
    if (picture.isExpired) return gone(size);
    const image = h('img', { class: 'picture-image', alt: t('pictures.of', { number: index + 1, count: message.pictures.length }), decoding: 'async', draggable: false, src: context.chat.mediaAddress(message.conversation, message.id, index) });
    const element = h('button', { type: 'button', class: 'picture', on: { click: () => { context.look(message, index).catch(errorToast); } }, vars: size ? { '--width': `${size.width}px`, '--height': `${size.height}px` } : {} }, blurOf(picture), image);
    image.addEventListener('load', () => element.classList.add('is-there'));
    image.addEventListener('error', () => element.replaceWith(failed(size, () => tile(message, picture, index, isAlone, context))));
    return element;
}

/**
 * Shows the pictures of a conversation over the whole window.
 *
 * @param {{conversation: string, from: string, id: string, index: number, picture: Object}[]} pictures The oldest first.
 * @param {{from: string, id: string, index: number}} which
 * @param {import('../../client/chat.js').Chat} chat
 */
export async function lookAt(pictures, which, chat) {
    const { openPictures } = await import('../../kit/show.js');
    const at = pictures.findIndex(({ from, id, index }) => from === which.from && id === which.id && index === which.index);
    if (at < 0) return;
    openPictures({ at, pictures: pictures.map(({ conversation, id, index, picture }) => ({ address: chat.mediaAddress(conversation, id, index), before: () => blurOf(picture) })) });
}

/** What is shown until the picture is there. */
export function blurOf({ blurHash }) {
    const pixels = blurHash ? blurPixels(blurHash, BLUR, BLUR) : null;
    if (!pixels) return null;
    const canvas = h('canvas', { class: 'picture-blur', width: BLUR, height: BLUR, aria: { hidden: true } });
    canvas.getContext('2d').putImageData(new ImageData(pixels, BLUR, BLUR), 0, 0);
    return canvas;
}

function gone(size) {
    return h('div', { class: 'picture is-gone', vars: size ? { '--width': `${size.width}px`, '--height': `${size.height}px` } : {} }, icon('image', { size: 28 }), h('span', { class: 'small' }, t('chat.expired')));
}

/** It could not be had now. */
function failed(size, again) {
    const element = h('button', { type: 'button', class: 'picture is-gone', on: { click: () => element.replaceWith(again()) }, vars: size ? { '--width': `${size.width}px`, '--height': `${size.height}px` } : {} },
        icon('refresh', { size: 24 }), h('span', { class: 'small' }, t('pictures.failed')));
    return element;
}
