import { h } from '../../kit/index.js';

/**
 * What a list says above itself, each kind in its own place.
 *
 * @param {string[]} kinds In their order.
 * @returns {{element: HTMLElement, get(kind: string): HTMLElement | null, put(kind: string, strip: HTMLElement | null): void}} `get` is null for
 *   one that the person dismissed.
 */
export function noticeStrips(kinds) {
    const element = h('div', { class: 'notice-strips' });
    const parts = Object.fromEntries(kinds.map((kind) => [kind, null]));
    const get = (kind) => (element.contains(parts[kind]) ? parts[kind] : null);
    return {
        element, get,
        put: (kind, strip) => {
            if (parts[kind] === strip) return;
            // A strip that was dismissed does not come back with the next one.
            for (const each of kinds) parts[each] = each === kind ? strip : get(each);
            element.replaceChildren(...Object.values(parts).filter(Boolean));
        },
    };
}
