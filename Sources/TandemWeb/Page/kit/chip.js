import { hasText, t } from '../i18n/index.js';
import { h, part } from './h.js';
import { icon } from './icon.js';

const PATHS = {
    none: { kind: 'idle', icon: 'offline' },
    connecting: { kind: 'busy', icon: 'refresh' },
    direct: { kind: 'good', icon: 'link' },
    relay: { kind: 'warn', icon: 'relay' },
    failed: { kind: 'bad', icon: 'warning' },
};

/** Ways that programs tell apart and people do not: nobody stands in between. */
const DIRECT = new Set(['lan', 'webRTC']);

/**
 * By which way a device is reached.
 *
 * @param {string | null} path `none`, `connecting`, `direct`, `lan`, `webRTC`, `relay` or `failed`; null is not connected.
 * @param {{reason?: string}} [options] Why it failed, in the program's words.
 * @returns {HTMLElement & {update(path: string | null, options?: {reason?: string}): void}}
 */
export function pathChip(path, options = {}) {
    const element = h('span', { class: 'chip path-chip', role: 'status' });
    /** @param {string | null} next @param {{reason?: string}} options */
    const update = (next, { reason } = {}) => {
        const way = DIRECT.has(next) ? 'direct' : next ?? 'none';
        const known = PATHS[way] ? way : 'relay';
        element.className = `chip path-chip ${PATHS[known].kind}`;
        const words = [icon(PATHS[known].icon, { size: 16 }), h('span', null, t(`path.${known}`))];
        if (reason) words.push(h('span', { class: 'chip-reason', data: { peer: '' }, dir: 'auto' }, reason));
        element.replaceChildren(...words);
    };
    update(path, options);
    return part(element, { update });
}

/**
 * A small label in a state's colour.
 *
 * @param {import('./h.js').Child} text
 * @param {'idle' | 'busy' | 'good' | 'warn' | 'bad' | 'accent'} [kind]
 * @param {string} [symbol]
 */
export function chip(text, kind = 'idle', symbol) {
    return h('span', { class: `chip ${kind}` }, symbol && icon(symbol, { size: 16 }), h('span', null, text));
}

const RISKS = { safe: 'good', mutating: 'warn', privileged: 'bad' };

/** How much harm something can do, in words: `safe`, `mutating`, `privileged`. */
export function riskChip(risk) {
    const key = `risk.${risk}`;
    return chip(t(hasText(key) ? key : 'risk.privileged'), RISKS[risk] ?? 'bad', 'shield');
}

/**
 * A count on something.
 *
 * @param {string} [words] What is counted, read out after the number.
 */
export function badge(count, words) {
    return h('span', { class: 'badge' }, count > 99 ? '99+' : String(count), words && h('span', { class: 'visually-hidden' }, ` ${words}`));
}
