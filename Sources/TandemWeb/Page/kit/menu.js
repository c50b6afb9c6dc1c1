import { t } from '../i18n/index.js';
import { iconButton } from './button.js';
import { find, h } from './h.js';
import { icon } from './icon.js';
import { errorToast } from './toast.js';

/**
 * A button with three dots that opens a menu.
 *
 * @typedef {{label: string, icon?: string, kind?: 'danger', disabled?: boolean, press: () => any}} MenuItem
 * @param {Object} options
 * @param {string} [options.label]
 * @param {string} [options.icon]
 * @param {() => MenuItem[]} options.items Asked each time it opens.
 */
export function menuButton({ label = t('common.more'), icon: symbol = 'more', items }) {
    const element = iconButton({ label, icon: symbol, press: () => { openMenu({ label, anchor: element, items: items() }); } });
    element.setAttribute('aria-haspopup', 'menu');
    element.setAttribute('aria-expanded', 'false');
    return element;
}

/** What the choice fails with is told, such as a part of the page that cannot be had while the program is away. */
async function choose(item) {
    try {
        await item.press();
    } catch (error) {
        errorToast(error);
    }
}

/**
 * Opens a menu at an element, or at a point. Arrows walk, a letter jumps, Escape and a press outside close it.
 *
 * @param {{label: string, anchor: HTMLElement, point?: {x: number, y: number}, items: MenuItem[]}} options
 */
export function openMenu({ label, anchor, point, items }) {
    const menu = h('div', { class: 'menu', role: 'menu', popover: 'auto', aria: { label } }, items.map((item) =>
        h('button', {
            type: 'button', role: 'menuitem', tabIndex: -1, class: ['menu-item', item.kind], disabled: item.disabled ?? false,
            on: { click: () => { menu.hidePopover(); choose(item); } },
        }, item.icon && icon(item.icon, { size: 20 }), h('span', null, item.label))));
    // In the part of the page it belongs to, so that a screen reader knows where it is; it is drawn above everything anyway.
    (anchor.closest('dialog, main, header, nav') ?? document.body).append(menu);
    menu.addEventListener('toggle', ({ newState }) => {
        anchor.setAttribute('aria-expanded', String(newState === 'open'));
        if (newState !== 'closed') return;
        const hadFocus = menu.contains(document.activeElement) || document.activeElement === document.body;
        menu.remove();
        if (hadFocus) anchor.focus({ preventScroll: true });
    });
    menu.addEventListener('keydown', walk);
    menu.showPopover();
    place(menu, point ? { left: point.x, right: point.x, top: point.y, bottom: point.y } : anchor.getBoundingClientRect());
    find(menu, 'button:not(:disabled)')?.focus();
}

function place(menu, at) {
    const { width, height } = menu.getBoundingClientRect();
    const left = Math.min(Math.max(8, at.right - width), innerWidth - width - 8);
    const below = at.bottom + 4;
    const top = below + height > innerHeight - 8 ? Math.max(8, at.top - height - 4) : below;
    menu.style.left = `${left}px`;
    menu.style.top = `${top}px`;
}

function walk(event) {
    const items = [...event.currentTarget.querySelectorAll('button:not(:disabled)')];
    const at = items.indexOf(document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (next !== undefined) {
        event.preventDefault();
        items[(next + items.length) % items.length]?.focus();
    } else if (event.key === 'Tab') {
        event.currentTarget.hidePopover();
    } else if (event.key.length === 1) {
        const letter = event.key.toLocaleLowerCase();
        items.find((item) => item.textContent.toLocaleLowerCase().startsWith(letter))?.focus();
    }
}
