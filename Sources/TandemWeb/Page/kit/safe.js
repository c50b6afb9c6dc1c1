import { h } from './h.js';

/** What can hide or turn around other letters: controls, marks of direction, letters without width, and the separators that break a line. */
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;
/** A byte of a name that is not text, as a computer writes it. */
const BYTE = /[\uef80-\uefff]/;
const PIECES = new RegExp(`(${HIDDEN.source}|${BYTE.source})`, 'u');

/**
 * What a peer sent with everything made visible that could mislead: `photo⟨202E⟩gpj.exe` instead of a name that reads backwards. In its own
 * direction, never HTML.
 *
 * @param {string} text
 * @param {{limit?: number, tag?: string, class?: string | null}} options Letters at most; the middle of a longer one is left out.
 */
export function safeText(text, { limit = 400, tag = 'span', class: name } = {}) {
    const shown = shortened(text ?? '', limit);
    return peer(shown, tag, { class: name, title: shown.length < (text ?? '').length ? plainText(text, 2000) : null });
}

/** What a peer sent, all of it (a version, the words of a key): marked as such, in its own direction, visible, never HTML. */
export function peer(text, tag = 'span', props = {}) {
    const parts = String(text ?? '').split(PIECES).filter(Boolean).map((part) => (isHidden(part) ? h('span', { class: 'escaped' }, escape(part)) : part));
    return h(tag, { dir: 'auto', ...props, data: { ...props.data, peer: '' } }, parts);
}

/** The same as a string: for names of controls and what is put on a line. */
export function plainText(text, limit = 400) {
    return shortened(text ?? '', limit).split(PIECES).map((part) => (isHidden(part) ? escape(part) : part)).join('');
}

function isHidden(part) {
    return (part.length === 1 || part.codePointAt(0) > 0xffff) && (HIDDEN.test(part) || BYTE.test(part));
}

function escape(letter) {
    const code = letter.codePointAt(0);
    const number = BYTE.test(letter) ? code - 0xef00 : code;
    return `⟨${number.toString(16).toUpperCase().padStart(2, '0')}⟩`;
}

function shortened(text, limit) {
    const letters = [...text];
    if (letters.length <= limit) return text;
    const tail = Math.min(24, Math.floor(limit / 3));
    return `${letters.slice(0, limit - tail - 1).join('')}…${letters.slice(-tail).join('')}`;
}
