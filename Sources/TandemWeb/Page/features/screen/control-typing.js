import { h, uniqueId } from '../../kit/index.js';
import { t } from '../../i18n/index.js';

/** Stands in the field, so that a phone's keyboard has something to delete and says so. */
const ANCHOR = '\u200b';
const DELETIONS = { deleteContentBackward: 'Backspace', deleteWordBackward: 'Backspace', deleteContentForward: 'Delete' };
const BREAKS = new Set(['insertLineBreak', 'insertParagraph']);

/**
 * A line for a phone's own keyboard: each letter goes to the computer as it is typed, and what an input method composes once it is chosen.
 *
 * @param {{key: (name: string) => void, text: (text: string) => void}} options
 */
export function typingLine({ key, text }) {
    const id = uniqueId('typing');
    const field = h('textarea', {
        id, class: 'input control-typing', rows: 1, placeholder: t('control.typeHere'), autocapitalize: 'none', spellcheck: false, autocomplete: 'off',
    });
    field.setAttribute('autocorrect', 'off');
    let isComposing = false;
    const reset = () => {
        field.value = ANCHOR;
        field.setSelectionRange(1, 1);
    };
    field.addEventListener('focus', reset);
    field.addEventListener('blur', () => { field.value = ''; });
    field.addEventListener('compositionstart', () => { isComposing = true; });
    field.addEventListener('compositionend', (event) => {
        isComposing = false;
        if (event.data) text(event.data);
        reset();
    });
    field.addEventListener('beforeinput', (event) => {
        if (isComposing || event.isComposing) return;
        const { inputType, data } = event;
        const written = data ?? event.dataTransfer?.getData('text/plain') ?? '';
        event.preventDefault();
        if (DELETIONS[inputType]) key(DELETIONS[inputType]);
        else if (BREAKS.has(inputType)) key('Enter');
        else if (written) text(written);
    });
    // A browser that does not let its input be prevented.
    field.addEventListener('input', () => {
        if (isComposing) return;
        const written = field.value.replaceAll(ANCHOR, '');
        if (written) text(written);
        reset();
    });
    field.addEventListener('keydown', (event) => {
        if (event.isComposing || event.keyCode === 229) return;
        if (event.key === 'Escape' || event.key.startsWith('Arrow')) {
            event.preventDefault();
            key(event.key);
        }
    });
    return { element: h('div', { class: 'control-line' }, h('label', { htmlFor: id, class: 'visually-hidden' }, t('control.typing')), field), focus: () => field.focus() };
}
