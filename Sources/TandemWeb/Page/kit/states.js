import { t } from '../i18n/index.js';
import { h, part as withMembers } from './h.js';
import { icon } from './icon.js';

/** @param {{size?: number, label?: string}} options With a label it is announced. */
export function spinner({ size = 22, label } = {}) {
    const element = h('span', { class: 'spinner', vars: { '--size': `${size}px` } });
    if (label) {
        element.setAttribute('role', 'status');
        element.append(h('span', { class: 'visually-hidden' }, label));
    } else {
        element.setAttribute('aria-hidden', 'true');
    }
    return element;
}

/**
 * Grey lines in the shape of what comes.
 *
 * @param {number} rows
 * @param {{height?: number}} options
 */
export function skeleton(rows = 3, { height = 56 } = {}) {
    const lines = Array.from({ length: rows }, () => h('div', { class: 'skeleton-row', vars: { '--height': `${height}px` } }));
    return h('div', { class: 'skeleton', role: 'status' }, h('span', { class: 'visually-hidden' }, t('common.loading')), lines);
}

/**
 * Says that there is nothing, and what to do.
 *
 * @param {{icon: string, title: string, text?: import('./h.js').Child, actions?: Node[]}} options
 */
export function emptyState({ icon: symbol, title, text, actions = [] }) {
    return h('div', { class: 'empty' },
        h('div', { class: 'empty-symbol' }, icon(symbol, { size: 36 })),
        h('h2', { class: 'empty-title' }, title),
        text && h('p', { class: 'empty-text' }, text),
        actions.length > 0 && h('div', { class: 'empty-actions' }, actions));
}

/**
 * How far something is. A part of null moves without an end.
 *
 * @param {{label: string, part?: number | null}} options
 * @returns {HTMLElement & {update(part: number | null): void}}
 */
export function progress({ label, part = null }) {
    const bar = h('div', { class: 'progress-bar' });
    const element = h('div', { class: 'progress', role: 'progressbar', aria: { label, valuemin: 0, valuemax: 100 } }, bar);
    const update = (next) => {
        element.classList.toggle('endless', next === null);
        if (next === null) { element.removeAttribute('aria-valuenow'); return; }
        const percent = Math.round(Math.min(1, Math.max(0, next)) * 100);
        element.setAttribute('aria-valuenow', String(percent));
        bar.style.setProperty('--part', String(Math.min(1, Math.max(0, next))));
    };
    update(part);
    return withMembers(element, { update });
}
