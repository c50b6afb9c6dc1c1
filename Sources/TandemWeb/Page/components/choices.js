import { h, uniqueId } from './h.js';
import { icon } from './icon.js';

/**
 * A switch with its words. `change` may return a promise: until it is done the switch cannot be changed, and it goes back when it fails.
 *
 * @param {Object} options
 * @param {string} options.label
 * @param {string | Node} [options.detail]
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
    element.control = control;
    return element;
}

/**
 * One of a few, side by side. Left and right choose.
 *
 * @param {Object} options
 * @param {string} options.label What is chosen.
 * @param {{id: string, label: string, icon?: string}[]} options.options
 * @param {string} options.value
 * @param {(id: string) => void} options.change
 * @returns {HTMLElement & {select(id: string): void}}
 */
export function segmented({ label, options, value, change }) {
    const name = uniqueId('choice');
    const element = h('div', { class: 'segmented', role: 'radiogroup', aria: { label } }, options.map((option) => {
        const id = uniqueId('option');
        const input = h('input', {
            type: 'radio', name, id, value: option.id, checked: option.id === value, on: { change: () => change(option.id) },
        });
        return [input, h('label', { htmlFor: id }, option.icon && icon(option.icon, { size: 18 }), h('span', null, option.label))];
    }));
    element.select = (id) => {
        for (const input of element.querySelectorAll('input')) input.checked = input.value === id;
    };
    return element;
}

/**
 * A strip of tabs that scrolls sideways; each may wear a badge. The tabs are links, so that back and bookmarks work.
 *
 * @param {Object} options
 * @param {string} options.label
 * @param {{id: string, label: string, icon?: string, href: string}[]} options.tabs
 * @param {string} options.current
 * @returns {HTMLElement & {select(id: string): void, badge(id: string, count: number, words?: string): void}}
 */
export function tabStrip({ label, tabs, current }) {
    const links = new Map(tabs.map((tab) => [tab.id, h('a', { class: 'tab', href: tab.href },
        tab.icon && icon(tab.icon, { size: 20 }), h('span', null, tab.label))]));
    const element = h('nav', { class: 'tabs', aria: { label } }, ...links.values());
    // The place is known only once the strip is drawn.
    const intoSight = (link) => requestAnimationFrame(() => {
        if (!link) return;
        const [tab, strip] = [link, element].map((each) => each.getBoundingClientRect());
        element.scrollLeft += Math.max(0, tab.right - strip.right) + Math.min(0, tab.left - strip.left);
    });
    element.select = (id) => {
        for (const [key, link] of links) {
            if (key === id) link.setAttribute('aria-current', 'page');
            else link.removeAttribute('aria-current');
        }
        intoSight(links.get(id));
    };
    element.badge = (id, count, words) => {
        const link = links.get(id);
        link?.querySelector('.badge')?.remove();
        if (link && count > 0) link.append(badge(count, words));
        if (link?.hasAttribute('aria-current')) intoSight(link);
    };
    element.select(current);
    element.addEventListener('keydown', (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        const all = [...links.values()];
        const at = all.indexOf(document.activeElement);
        if (step && at >= 0) all[(at + step + all.length) % all.length].focus();
    });
    return element;
}

/** A count on something. @param {string} [words] What is counted, read out after the number. */
export function badge(count, words) {
    return h('span', { class: 'badge' }, count > 99 ? '99+' : String(count), words && h('span', { class: 'visually-hidden' }, ` ${words}`));
}
