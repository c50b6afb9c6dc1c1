import { h } from './h.js';
import { icon } from './icon.js';

/**
 * A group of rows on a card, with a heading and a foot in small print.
 *
 * @param {Object} options
 * @param {import('./h.js').Child} [options.title]
 * @param {import('./h.js').Child} [options.foot]
 * @param {import('./h.js').Child} options.rows
 * @param {import('./h.js').Child} [options.action] Beside the heading.
 */
export function group({ title, foot, rows, action }) {
    return h('section', { class: 'group' },
        (title || action) && h('div', { class: 'group-head' }, title && h('h2', { class: 'group-title' }, title), action),
        h('div', { class: 'card rows' }, rows),
        foot && h('p', { class: 'group-foot' }, foot));
}

/**
 * A row: symbol, title and detail, something at its end. With `href` or `press` the whole row can be pressed, and what is in `actions`
 * stands beside it as controls of their own.
 *
 * @param {Object} options
 * @param {import('./h.js').Child} [options.lead] Usually `icon('…')`.
 * @param {import('./h.js').Child} options.title
 * @param {import('./h.js').Child} [options.detail]
 * @param {import('./h.js').Child} [options.trail] At the end, as text or a chip.
 * @param {Node[]} [options.actions]
 * @param {string} [options.href]
 * @param {(event: Event) => any} [options.press]
 */
export function listRow({ lead, title, detail, trail, actions = [], href, press }) {
    const words = h('span', { class: 'row-words' },
        h('span', { class: 'row-title' }, title), detail && h('span', { class: 'row-detail' }, detail));
    const parts = [lead && h('span', { class: 'row-lead' }, lead), words, trail && h('span', { class: 'row-trail' }, trail)];
    /** @type {HTMLElement} */
    let main = h('div', { class: 'row-main' }, parts);
    if (href) main = h('a', { class: 'row-main', href }, parts, icon('chevron-right', { size: 18 }));
    else if (press) main = h('button', { type: 'button', class: 'row-main', on: { click: press } }, parts);
    return h('div', { class: 'row' }, main, actions.length > 0 && h('div', { class: 'row-actions' }, actions));
}

/**
 * A name and its value, one line each: for facts.
 *
 * @param {import('./h.js').Child[][]} pairs
 */
export function facts(pairs) {
    return h('dl', { class: 'facts' }, pairs.map(([name, value]) => h('div', { class: 'fact' }, h('dt', null, name), h('dd', null, value))));
}

/**
 * A card with a heading.
 *
 * @param {{title?: import('./h.js').Child, icon?: string, trail?: import('./h.js').Child}} options
 * @param {...import('./h.js').Child} children
 */
export function card({ title, icon: symbol, trail } = {}, ...children) {
    return h('section', { class: 'card padded' },
        title && h('div', { class: 'card-head' }, symbol && icon(symbol, { size: 20 }), h('h2', { class: 'card-title' }, title), trail),
        children);
}
