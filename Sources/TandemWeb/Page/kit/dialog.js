import { t } from '../i18n/index.js';
import { Life } from '../life.js';
import { button, iconButton } from './button.js';
import { errorBanner } from './banner.js';
import { find, h, uniqueId } from './h.js';

/**
 * Opens a dialog: a window on a desktop, a sheet from below on a phone. The browser keeps the focus inside and closes it on Escape;
 * afterwards the focus is where it was.
 *
 * @param {Object} options
 * @param {import('./h.js').Child} options.title
 * @param {import('./h.js').Child} options.content
 * @param {Node[]} [options.actions] At its foot, the main one last.
 * @param {'normal' | 'wide' | 'full'} [options.size]
 * @param {() => void} [options.closed]
 * @returns {{element: HTMLDialogElement, life: Life, close(): void}} Its life ends when it closes.
 */
export function openDialog({ title, content, actions = [], size = 'normal', closed }) {
    const id = uniqueId('dialog');
    const life = new Life();
    const element = h('dialog', { class: ['dialog', size], aria: { labelledby: id } },
        h('div', { class: 'dialog-head' },
            h('h2', { class: 'dialog-title', id }, title),
            iconButton({ label: t('common.close'), icon: 'x', press: () => { element.close(); } })),
        h('div', { class: 'dialog-body' }, content),
        actions.length > 0 && h('div', { class: 'dialog-actions' }, actions));
    element.addEventListener('close', () => { life.end(); element.remove(); closed?.(); });
    // A press beside it: the dialog itself is hit only outside of what it holds.
    element.addEventListener('pointerdown', (event) => { if (event.target === element) element.close(); });
    const leave = () => element.close();
    life.listen(window, 'hashchange', leave);
    document.body.append(element);
    element.showModal();
    // Not the cross in its corner, which is the first: what is to be typed, else the choice that does no harm.
    find(element, '.dialog-body :is(input, textarea):not([type="radio"], [type="checkbox"]), .dialog-actions button')?.focus();
    return { element, life, close: leave };
}

/** Closes all that stand open: they lie above the page, and would stay. */
export function closeDialogs() {
    /** @type {NodeListOf<HTMLDialogElement>} */
    const dialogs = document.querySelectorAll('dialog[open]');
    for (const dialog of dialogs) dialog.close();
}

/**
 * Asks before something that cannot be undone. The button says what is done, not "OK".
 *
 * @param {Object} options
 * @param {import('./h.js').Child} options.title
 * @param {import('./h.js').Child} options.text
 * @param {string} options.action What the button says.
 * @param {'danger' | 'primary'} [options.kind]
 * @param {() => Promise<any>} [options.work] Done while the dialog stays open; what fails is shown in it.
 * @returns {Promise<boolean>} Whether it was confirmed, and done.
 */
export function confirm({ title, text, action, kind = 'danger', work }) {
    return new Promise((resolve) => {
        let isDone = false;
        const trouble = h('div', null);
        const dialog = openDialog({
            title,
            content: [h('p', { class: 'dialog-text' }, text), trouble],
            actions: [
                button({ label: t('common.cancel'), press: () => { dialog.close(); } }),
                button({ label: action, kind, press: async () => {
                    try {
                        await work?.();
                    } catch (error) {
                        trouble.replaceChildren(errorBanner(error));
                        return;
                    }
                    isDone = true;
                    dialog.close();
                } }),
            ],
            closed: () => resolve(isDone),
        });
    });
}
