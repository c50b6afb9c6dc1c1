import { format, t } from '../i18n/index.js';
import { iconButton } from './button.js';
import { h } from './h.js';
import { peer, plainText } from './safe.js';
import { toast } from './toast.js';

/** A long text whose middle gives way when there is no room; whole for screen readers and on hover. */
export function middle(text, { tail = 6, mono = true } = {}) {
    const shown = plainText(text, 4000);
    const letters = [...shown];
    const cut = Math.max(0, letters.length - tail);
    return h('span', { class: ['middle', mono && 'mono'], title: shown, dir: 'auto', data: { peer: '' } },
        h('span', { class: 'middle-head' }, letters.slice(0, cut).join('')), h('span', { class: 'middle-tail' }, letters.slice(cut).join('')));
}

/**
 * The same with a button that copies it.
 *
 * @param {string} label What it is, for the button's name.
 */
export function copyable(text, label) {
    return h('span', { class: 'copyable' }, middle(text),
        iconButton({ label: t('common.copyWhat', { what: label }), icon: 'copy', press: () => copyText(text) }));
}

/** Puts a text on this device's clipboard, and says so. */
export async function copyText(text) {
    try {
        await navigator.clipboard.writeText(text);
        toast(t('common.copied'));
    } catch {
        toast(t('common.copyFailed'), 'bad');
    }
}

const shown = new Set();
let timer = null;

/** `5 minutes ago`, kept right: one timer turns all of them, and none while none is shown. */
export class RelativeTime extends HTMLElement {
    moment = null;
    isShort = false;

    connectedCallback() {
        shown.add(this);
        timer ??= setInterval(() => { for (const element of shown) element.draw(); }, 15_000);
        this.draw();
    }

    disconnectedCallback() {
        shown.delete(this);
        if (shown.size > 0) return;
        clearInterval(timer);
        timer = null;
    }

    draw() {
        const text = this.moment === null ? t('common.never') : t('common.at', { when: this.isShort ? format.relativeShort(this.moment) : format.relative(this.moment) });
        if (this.textContent !== text) this.textContent = text;
    }
}
customElements.define('tandem-relative-time', RelativeTime);

/** @param {number | null} moment Milliseconds since 1970. @param {{isShort?: boolean}} options Short where there is little room. */
export function relativeTime(moment, { isShort = false } = {}) {
    const element = h('tandem-relative-time', null);
    element.isShort = isShort;
    element.moment = moment;
    if (moment !== null) element.title = t('common.at', { when: format.dateTime(moment) });
    return element;
}

/** The words of a key, in a form that can be compared aloud. */
export function keyWords(words) {
    return peer(words, 'span', { class: 'key-words' });
}
