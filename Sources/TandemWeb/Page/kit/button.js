import { h } from './h.js';
import { icon } from './icon.js';
import { spinner } from './states.js';
import { errorToast } from './toast.js';

/**
 * A button. While the promise that `press` returns is open it shows that it is busy and cannot be pressed again; what it fails with is
 * said in a toast.
 *
 * @param {Object} options
 * @param {string} options.label From the catalogue.
 * @param {string} [options.icon]
 * @param {'plain' | 'primary' | 'danger' | 'quiet'} [options.kind]
 * @param {(event: Event) => any} [options.press]
 * @param {boolean} [options.disabled]
 * @param {boolean} [options.wide] As wide as what it stands in.
 */
export function button({ label, icon: symbol, kind = 'plain', press, disabled = false, wide = false }) {
    const element = h('button', { type: 'button', class: ['button', kind, wide && 'wide'], disabled },
        symbol && icon(symbol, { size: 20 }), h('span', { class: 'button-label' }, label));
    if (press) pressable(element, press);
    return element;
}

/** A button that is a symbol only; `label` is its name for screen readers and its tip. */
export function iconButton({ label, icon: symbol, press, kind = 'quiet', disabled = false }) {
    const element = h('button', { type: 'button', class: ['icon-button', kind], disabled, title: label, aria: { label } }, icon(symbol));
    if (press) pressable(element, press);
    return element;
}

/**
 * A link that looks like a button.
 *
 * @param {{label: string, href: string, icon?: string, kind?: string}} options
 */
export function linkButton({ label, href, icon: symbol, kind = 'plain' }) {
    return h('a', { class: ['button', kind], href }, symbol && icon(symbol, { size: 20 }), h('span', { class: 'button-label' }, label));
}

/** The style keeps fingers from a busy button; Return and the space bar reach it all the same. */
function pressable(element, press) {
    element.addEventListener('click', (event) => {
        if (!element.hasAttribute('aria-busy')) busyWhile(element, press(event));
    });
}

async function busyWhile(element, work) {
    if (!(work instanceof Promise)) return;
    const turning = spinner({ size: 18 });
    element.setAttribute('aria-busy', 'true');
    element.append(turning);
    try {
        await work;
    } catch (error) {
        // A mistake of the page itself is worth a line for whoever looks; to the person it is a failure like another.
        if (!error?.code) console.error(error);
        errorToast(error);
    } finally {
        element.removeAttribute('aria-busy');
        turning.remove();
    }
}
