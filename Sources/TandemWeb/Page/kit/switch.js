import { h, part, uniqueId } from './h.js';

/**
 * A switch with its words. `change` may return a promise: until it is done the switch cannot be changed, and it goes back when it fails.
 *
 * @param {Object} options
 * @param {import('./h.js').Child} options.label
 * @param {import('./h.js').Child} [options.detail]
 * @param {boolean} options.on
 * @param {boolean} [options.disabled]
 * @param {Node} [options.badge] Beside the label, for example a risk.
 * @param {(on: boolean) => any} options.change
 */
export function switchRow({ label, detail, on, disabled = false, badge, change }) {
    const id = uniqueId('switch');
    const control = h('input', { type: 'checkbox', role: 'switch', id, class: 'switch', checked: on, disabled });
    if (detail) control.setAttribute('aria-describedby', `${id}-detail`);
    control.addEventListener('change', async () => {
        control.disabled = true;
        try {
            await change(control.checked);
        } catch {
            control.checked = !control.checked;
        } finally {
            control.disabled = disabled;
        }
    });
    const element = h('div', { class: 'switch-row' },
        h('div', { class: 'row-words' },
            h('div', { class: 'row-title' }, h('label', { htmlFor: id }, label), badge),
            detail && h('div', { class: 'row-detail', id: `${id}-detail` }, detail)),
        control);
    return part(element, { control });
}
