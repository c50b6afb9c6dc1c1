import { button, confirm, h, openDialog, safeText, textField } from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';
import { pasted } from './pasted.js';

/** Letters of a paste that the question shows. */
const PREVIEW = 600;

/**
 * Pastes this device's clipboard into a terminal. Where the browser does not let the page read it, a field takes it by hand.
 *
 * @param {import('./view.js').TerminalView} view
 */
export async function pasteClipboard(view) {
    let text;
    try {
        text = await navigator.clipboard.readText();
    } catch {
        text = await askByHand();
    }
    if (text) await pasteInto(view, text);
}

/**
 * Pastes a text. Asked first are several lines for a program that does not mark what is pasted, because they would run one by one, and
 * several lines with control characters, because those are seldom what a person thinks to have copied.
 *
 * @param {import('./view.js').TerminalView} view
 * @param {string} text
 * @param {{isWritten?: boolean}} options `isWritten`: a person wrote it on the page, so that its lines are meant.
 * @returns {Promise<boolean>} Whether it was pasted.
 */
export async function pasteInto(view, text, { isWritten = false } = {}) {
    const { text: clean, lines, hasControls } = pasted(text);
    if (lines > 1 && (hasControls || !(isWritten || view.marksPaste))) {
        const preview = safeText(clean.replaceAll('\r', '\n').slice(0, PREVIEW)).textContent.replaceAll('⟨0A⟩', '\n');
        const isMeant = await confirm({
            title: t('terminal.pasteTitle', { lines: format.number(lines) }),
            text: h('span', null, t(hasControls ? 'terminal.pasteControls' : 'terminal.pasteText'), h('pre', { class: 'terminal-preview' }, preview)),
            action: t('terminal.paste'), kind: 'primary',
        });
        if (!isMeant) return false;
    }
    view.paste(text);
    return true;
}

/**
 * Hands over what the browser would insert by itself (its own paste, a drop, a keyboard's clipboard), before xterm.js sees it.
 *
 * @param {HTMLElement} element
 * @param {import('../../life.js').Life} life
 * @param {(text: string) => void} heard
 */
export function watchInsertions(element, life, heard) {
    const take = (event, text) => {
        event.preventDefault();
        event.stopPropagation();
        if (text) heard(text);
    };
    life.listen(element, 'paste', (event) => take(event, event.clipboardData?.getData('text/plain')), { capture: true });
    let before = '';
    life.listen(element, 'beforeinput', (event) => {
        before = event.target.value ?? '';
        const text = inserted(event);
        if (text && event.cancelable) take(event, text);
    }, { capture: true });
    // Some keyboards of phones do not let it be prevented: what they have inserted is taken out again.
    life.listen(element, 'input', (event) => {
        const text = inserted(event);
        if (!text) return;
        event.target.value = before;
        take(event, text);
    }, { capture: true });
}

const INSERTIONS = new Set(['insertFromPaste', 'insertFromDrop', 'insertFromYank', 'insertReplacementText']);

/** The text of an event that inserts more than a key gives; null for any other. */
function inserted(event) {
    const text = event.data ?? event.dataTransfer?.getData('text/plain') ?? '';
    if (text.length < 2) return null;
    const hasLines = text.includes('\n') || text.includes('\r');
    return INSERTIONS.has(event.inputType) || hasLines || pasted(text).hasControls ? text : null;
}

function askByHand() {
    return new Promise((resolve) => {
        let taken = null;
        const take = () => { taken = field.value; dialog.close(); };
        const field = textField({ label: t('terminal.pasteHere'), hint: t('terminal.pasteHint'), rows: 5, mono: true, enter: take });
        const dialog = openDialog({
            title: t('terminal.paste'), content: field,
            actions: [
                button({ label: t('common.cancel'), press: () => { dialog.close(); } }),
                button({ label: t('terminal.paste'), kind: 'primary', press: take }),
            ],
            closed: () => resolve(taken),
        });
        field.input.focus();
    });
}
