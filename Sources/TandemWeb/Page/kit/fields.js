import { t } from '../i18n/index.js';
import { h, part, uniqueId } from './h.js';

/**
 * A field with its label, a hint and a place for what is wrong.
 *
 * @param {Object} options
 * @param {string} options.label
 * @param {string} [options.value]
 * @param {string} [options.hint]
 * @param {string} [options.placeholder]
 * @param {string} [options.type]
 * @param {boolean} [options.labelHidden] Read out but not shown.
 * @param {boolean} [options.mono]
 * @param {number} [options.rows] More than one: a text area.
 * @param {Object} [options.attributes] Further properties of the input.
 * @param {string[]} [options.suggestions] Offered while typing.
 * @param {(value: string) => void} [options.input]
 * @param {(value: string) => void} [options.enter] On Return; in a text area on Ctrl or Command and Return.
 * @typedef {HTMLElement & {input: HTMLInputElement | HTMLTextAreaElement, value: string, fail(text: string | null): void}} TextField
 * @returns {TextField}
 */
export function textField({
    label, value = '', hint, placeholder, type = 'text', labelHidden = false, mono = false, rows = 1, attributes = {}, suggestions,
    input, enter,
}) {
    const id = uniqueId('field');
    const properties = {
        id, value, placeholder, class: ['input', mono && 'mono'], autocomplete: 'off', spellcheck: false, ...attributes,
        aria: { describedby: `${id}-hint` },
    };
    const control = rows > 1 ? h('textarea', { ...properties, rows }) : h('input', { ...properties, type });
    const problem = h('div', { class: 'field-hint', id: `${id}-hint`, aria: { live: 'polite' } }, hint);
    const element = h('div', { class: 'field' },
        h('label', { htmlFor: id, class: labelHidden ? 'visually-hidden' : 'field-label' }, label), control, problem);
    if (suggestions) {
        control.setAttribute('list', `${id}-list`);
        element.append(h('datalist', { id: `${id}-list` }, suggestions.map((text) => h('option', { value: text }))));
    }
    const fail = (text) => {
        problem.replaceChildren(text ?? hint ?? '');
        element.classList.toggle('failed', Boolean(text));
        if (text) control.setAttribute('aria-invalid', 'true');
        else control.removeAttribute('aria-invalid');
    };
    control.addEventListener('input', () => { fail(null); input?.(control.value); });
    /** @param {KeyboardEvent} event */
    const press = (event) => {
        const isMeant = rows === 1 || event.ctrlKey || event.metaKey;
        // An input method's Return chooses a word.
        if (event.key !== 'Enter' || event.isComposing || !isMeant || !enter) return;
        event.preventDefault();
        enter(control.value);
    };
    control.addEventListener('keydown', press);
    return part(element, { input: control, get value() { return control.value; }, set value(text) { control.value = text; }, fail });
}

/**
 * A field for the digits of a code: keeps only digits, shows them in groups, and says when all are there.
 *
 * @param {Object} options
 * @param {string} options.label
 * @param {number[]} options.lengths Which lengths are whole, for example `[6, 10]`.
 * @param {(digits: string, isWhole: boolean) => void} [options.input]
 * @param {(digits: string) => void} [options.enter] On Return once it is whole.
 * @param {(digits: string) => string} [options.shown] How they are grouped.
 * @typedef {TextField & {digits: string, isWhole: boolean, clear(): void}} CodeField
 * @returns {CodeField}
 */
export function codeField({ label, lengths, input, enter, shown = grouped }) {
    const most = Math.max(...lengths);
    /** @type {CodeField} */
    const element = part(textField({
        label,
        hint: t('common.codeHint', { lengths }),
        mono: true,
        attributes: { inputMode: 'numeric', autocomplete: 'one-time-code', maxLength: most + 8 },
        input: (text) => {
            const digits = asciiDigits(text).slice(0, most);
            element.digits = digits;
            element.isWhole = lengths.includes(digits.length);
            element.value = shown(digits);
            input?.(digits, element.isWhole);
        },
        enter: () => { if (element.isWhole) enter?.(element.digits); },
    }), { digits: '', isWhole: false, clear: () => { element.value = ''; element.digits = ''; element.isWhole = false; } });
    element.classList.add('code-field');
    return element;
}

/** The digits of a text, those of full width too, as an input method may give them. */
function asciiDigits(text) {
    return [...text.normalize('NFKC')].filter((letter) => letter >= '0' && letter <= '9').join('');
}

/** `123 456`, `123 456 7890`: as the computer's screen and the command line write a code. */
export function grouped(digits) {
    return digits.match(/^(\d{1,3})(\d{1,3})?(\d+)?$/)?.slice(1).filter(Boolean).join(' ') ?? '';
}

/** `482 913 730 655`: a long code, as the command line writes it. */
export function inThrees(digits) { return digits.match(/\d{1,3}/g)?.join(' ') ?? ''; }
