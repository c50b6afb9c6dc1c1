import { h } from './first.js';

/** A text of an agent is drawn up to here; what is longer is cut, and said to be. */
export const MOST_TEXT = 65_536;

/** Colours of a terminal: they say nothing here. */
const COLOURS = /\u001b\[[0-9;:]{0,40}m/g;
/**
 * What can hide or turn around other letters, as in `safe.js`, but for the line feed and the tab, which a text of several
 * lines has. A joiner between two pictures makes one picture of them, and stays.
 */
const HIDDEN = new RegExp(
    '(?<!\\p{Extended_Pictographic}\\ufe0f?|[\\u{1f3fb}-\\u{1f3ff}])\\u200d|\\u200d(?!\\p{Extended_Pictographic})'
    + '|[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b\\u200c\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}]',
    'gu',
);

/** A text of several lines with everything visible that could mislead. As a string: it is set as text. */
export function visible(text) {
    return String(text ?? '').replace(COLOURS, '').replace(/\r\n?/g, '\n')
        .replace(HIDDEN, (letter) => `⟨${letter.codePointAt(0).toString(16).toUpperCase().padStart(2, '0')}⟩`);
}

/** The beginning of a text, never half a letter. */
export function beginning(text, limit = MOST_TEXT) {
    const whole = String(text ?? '');
    if (whole.length <= limit) return whole;
    const code = whole.charCodeAt(limit - 1);
    return whole.slice(0, code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit);
}

/**
 * So many lines of a text, and of a line without an end so many letters.
 *
 * @returns {{text: string, isCut: boolean}}
 */
export function firstLines(text, lines, letters) {
    let at = -1;
    for (let line = 0; line < lines; line += 1) {
        at = text.indexOf('\n', at + 1);
        if (at < 0 || at > letters) break;
    }
    const end = at < 0 || at > letters ? letters : at;
    return end >= text.length ? { text, isCut: false } : { text: beginning(text, end), isCut: true };
}

/**
 * A text of an agent as one element.
 *
 * @param {string} text
 * @param {{tag?: string, class?: string | string[]}} options
 */
export function said(text, { tag = 'span', class: name } = {}) {
    return h(tag, { class: name, dir: 'auto', data: { peer: '' } }, visible(beginning(text)));
}

/**
 * A text with parts of it marked.
 *
 * @param {[number, number][]} marks Pairs of UTF-16 offsets.
 */
export function marked(text, marks) {
    const whole = String(text ?? '');
    const parts = [];
    let at = 0;
    for (const pair of Array.isArray(marks) ? marks.slice(0, 100) : []) {
        const [from, to] = Array.isArray(pair) ? pair : [];
        if (!Number.isInteger(from) || !Number.isInteger(to) || from < at || to <= from || to > whole.length) continue;
        parts.push(visible(whole.slice(at, from)), h('mark', null, visible(whole.slice(from, to))));
        at = to;
    }
    return [...parts, visible(whole.slice(at))];
}
