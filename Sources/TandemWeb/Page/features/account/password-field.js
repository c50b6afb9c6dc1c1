import { h, icon, part, textField } from '../../kit/index.js';
import { changeIcon } from '../../kit/icon.js';
import { t } from '../../i18n/index.js';
import { PASSWORD_BYTES, strengthOf } from './strength.js';

const PARTS = { none: 0, short: 0.12, weak: 0.33, fair: 0.66, good: 1, long: 1 };

/**
 * A field for a password, with a button that shows what was typed.
 *
 * @param {Object} options
 * @param {string} options.label
 * @param {boolean} options.isNew Says how good it is.
 * @param {(text: string) => void} options.input
 * @param {() => void} [options.enter]
 * @returns {HTMLElement & {input: HTMLInputElement | HTMLTextAreaElement, value: string, fail(text: string | null): void}}
 */
export function passwordField({ label, isNew, input, enter }) {
    const meter = isNew ? strengthMeter() : null;
    const field = textField({
        label, type: 'password', attributes: { autocomplete: isNew ? 'new-password' : 'current-password' }, enter,
        input: (text) => { meter?.update(text); input(text); },
    });
    const control = /** @type {HTMLInputElement} */ (field.input);
    const eye = h('button', { type: 'button', class: 'icon-button quiet password-eye', title: t('account.showPassword'), aria: { label: t('account.showPassword'), pressed: 'false' } }, icon('eye'));
    eye.addEventListener('click', () => {
        const isShown = control.type === 'password';
        control.type = isShown ? 'text' : 'password';
        eye.setAttribute('aria-pressed', String(isShown));
        changeIcon(eye, isShown ? 'eye-off' : 'eye');
    });
    const line = h('div', { class: 'password-line' });
    field.input.before(line);
    line.append(field.input, eye);
    const element = h('div', { class: 'password-field' }, field, meter);
    return part(element, {
        input: field.input, fail: field.fail,
        get value() { return field.value; },
        set value(text) { field.value = text; meter?.update(text); },
    });
}

/** How good a password is, as a bar and in words. */
function strengthMeter() {
    const bar = h('div', { class: 'strength-bar' });
    const words = h('div', { class: 'small soft', aria: { live: 'polite' } });
    const element = h('div', { class: 'strength' }, h('div', { class: 'strength-line' }, bar), words);
    const update = (text) => {
        const { bytes, level } = strengthOf(text);
        element.dataset.level = level;
        bar.style.setProperty('--part', String(PARTS[level]));
        const shown = t(`account.strength.${level}`, { bytes, ...PASSWORD_BYTES });
        if (words.textContent !== shown) words.textContent = shown;
    };
    update('');
    return part(element, { update });
}
