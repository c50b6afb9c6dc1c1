import { h, part, uniqueId } from './h.js';

/**
 * One of many, chosen from the browser's own list.
 *
 * @typedef {{id: string, label: string, isPeers?: boolean}} Option
 * @param {Object} options
 * @param {string} options.label
 * @param {Option[]} options.options
 * @param {string} options.value
 * @param {(id: string) => void} options.change
 * @returns {HTMLElement & {offer(options: Option[], value: string): void}} `offer` puts other options into it.
 */
export function selectField({ label, options, value, change }) {
    const id = uniqueId('select');
    const control = h('select', { id, class: 'input select', on: { change: () => change(control.value) } });
    const element = h('div', { class: 'field select-field' }, h('label', { htmlFor: id, class: 'visually-hidden' }, label), control);
    const offer = (offered, chosen) => {
        // A name in the list may be a peer's: it is text, and marked.
        control.replaceChildren(...offered.map((each) => h('option', { value: each.id, data: each.isPeers ? { peer: '' } : {} }, each.label)));
        control.value = chosen;
    };
    offer(options, value);
    return part(element, { offer });
}
