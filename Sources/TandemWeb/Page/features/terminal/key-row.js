import { h, icon, part } from '../../kit/index.js';
import { t } from '../../i18n/index.js';

const HOLD = 400;
const REPEAT_EVERY = 60;

/** In rows of seven on a phone, the arrows as on a keyboard. */
const FIRST = ['escape', 'tab', 'backtab', 'interrupt', 'up', 'paste', 'more', 'ctrl', 'alt', 'compose', 'left', 'down', 'right', 'enter'];
const MORE = ['home', 'end', 'pageup', 'pagedown', 'insert', 'delete', '|', '~', '/', '-', '`', '\\', '&', '$'];
const FUNCTIONS = Array.from({ length: 12 }, (_, at) => `F${at + 1}`);
const FACES = {
    escape: 'Esc', enter: '⏎', tab: 'Tab', backtab: '⇧Tab', ctrl: 'Ctrl', alt: 'Alt', interrupt: '⌃C', home: 'Home', end: 'End', pageup: 'PgUp', pagedown: 'PgDn',
    insert: 'Ins', delete: 'Del',
};
const SYMBOLS = {
    left: 'arrow-left', up: 'arrow-up', down: 'arrow-down', right: 'arrow-right', paste: 'paste', compose: 'edit', more: 'more',
};
const REPEATING = new Set(['left', 'up', 'down', 'right', 'pageup', 'pagedown', 'delete']);

/**
 * The keys that a phone's keyboard lacks. Pressing one leaves the focus, and so the keyboard, where it is.
 *
 * @param {Object} options
 * @param {() => import('./view.js').TerminalView | null} options.view The terminal that is shown.
 * @param {() => any} options.paste
 * @param {() => void} options.compose Shows or hides the line to write in.
 * @returns {HTMLElement & {update(): void, compose(on: boolean): void}}
 */
export function keyRow({ view, paste, compose }) {
    const keys = new Map();
    const press = (name) => {
        const shown = view();
        switch (name) {
            case 'paste': return paste();
            case 'compose': return compose();
            case 'more': return showMore(second.hidden);
            case 'ctrl': case 'alt': return shown?.modifiers.press(name);
            case 'interrupt': return shown?.interrupt();
            default: return name.length === 1 ? shown?.type(name) : shown?.key(name);
        }
    };
    const make = (name) => {
        const symbol = SYMBOLS[name];
        const label = t(name.length === 1 || FUNCTIONS.includes(name) ? 'terminal.key.sign' : `terminal.key.${name}`, { sign: name });
        const key = h('button', { type: 'button', class: ['key', `${name}-key`], aria: { label }, title: label, data: { ownName: '' } },
            symbol ? icon(symbol, { size: 20 }) : FACES[name] ?? name);
        if (name === 'ctrl' || name === 'alt') modifierKey(key, name, view, press);
        else if (REPEATING.has(name)) repeatingKey(key, () => press(name));
        else key.addEventListener('click', () => press(name));
        key.addEventListener('pointerdown', (event) => event.preventDefault());
        keys.set(name, key);
        return key;
    };
    const first = h('div', { class: 'key-grid' }, FIRST.map(make));
    const second = h('div', { class: 'key-grid', hidden: true }, MORE.map(make));
    const functions = h('div', { class: 'key-grid is-functions', hidden: true }, FUNCTIONS.map(make));
    const showMore = (on) => { second.hidden = functions.hidden = !on; keys.get('more').setAttribute('aria-expanded', String(on)); };
    showMore(false);
    const element = h('div', { class: 'key-row', role: 'toolbar', aria: { label: t('terminal.keys') } }, functions, second, first);
    const update = () => {
        for (const name of ['ctrl', 'alt']) {
            const state = view()?.modifiers.state(name) ?? 'off';
            const key = keys.get(name);
            key.classList.toggle('held', state === 'held');
            key.setAttribute('aria-pressed', String(state !== 'off'));
        }
    };
    update();
    return part(element, { update, compose: (on) => keys.get('compose').setAttribute('aria-pressed', String(on)) });
}

/** Armed by a press; held by a longer one, and for as long as the finger stays. */
function modifierKey(key, name, view, press) {
    let timer = null;
    let wasHeld = false;
    key.addEventListener('pointerdown', () => {
        wasHeld = false;
        timer = setTimeout(() => { wasHeld = true; navigator.vibrate?.(10); view()?.modifiers.hold(name); }, HOLD);
    });
    for (const type of ['pointerup', 'pointercancel', 'pointerleave']) key.addEventListener(type, () => clearTimeout(timer));
    key.addEventListener('click', () => { if (!wasHeld) press(name); wasHeld = false; });
    key.addEventListener('contextmenu', (event) => event.preventDefault());
}

function repeatingKey(key, press) {
    let timer = null;
    let isByPointer = false;
    const stop = () => { clearTimeout(timer); timer = null; };
    const again = () => { press(); timer = setTimeout(again, REPEAT_EVERY); };
    key.addEventListener('pointerdown', () => { isByPointer = true; press(); timer = setTimeout(again, HOLD); });
    for (const type of ['pointerup', 'pointercancel', 'pointerleave']) key.addEventListener(type, stop);
    key.addEventListener('click', () => { if (!isByPointer) press(); isByPointer = false; });
    key.addEventListener('contextmenu', (event) => event.preventDefault());
}
