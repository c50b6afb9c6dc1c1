import { errorText } from './failure.js';
import { h } from './h.js';
import { icon } from './icon.js';

const SHOWN_FOR = 4000;
const SYMBOLS = { info: 'info', good: 'check', bad: 'warning' };

/**
 * Says briefly what became of something; gone after four seconds, or when the pointer left it.
 *
 * @param {import('./h.js').Child} text
 * @param {'info' | 'good' | 'bad'} [kind]
 * @param {number} [shownFor] In milliseconds, where four seconds are too few to read it.
 */
export function toast(text, kind = 'good', shownFor = SHOWN_FOR) {
    const element = h('div', { class: ['toast', kind] }, icon(SYMBOLS[kind], { size: 20 }), h('span', null, text));
    const region = place();
    region.append(element);
    while (region.childElementCount > 3) region.firstElementChild.remove();
    let timer = setTimeout(() => element.remove(), shownFor);
    element.addEventListener('pointerenter', () => clearTimeout(timer));
    element.addEventListener('pointerleave', () => { timer = setTimeout(() => element.remove(), shownFor / 2); });
}

/** The same for a failure. One that was cancelled says nothing. */
export function errorToast(error) {
    if (error?.code === 'cancelled') return;
    toast(errorText(error), 'bad');
}

function place() {
    let region = document.querySelector('.toasts');
    if (!region) {
        region = h('div', { class: 'toasts', role: 'status', aria: { live: 'polite' } });
        document.body.append(region);
    }
    return region;
}
