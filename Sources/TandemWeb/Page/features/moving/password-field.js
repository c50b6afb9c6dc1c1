import { button, h, icon, iconButton, part, textField } from '../../kit/index.js';
import { changeIcon } from '../../kit/icon.js';
import { copyText } from '../../kit/first.js';
import { t } from '../../i18n/index.js';
import { RULES, randomDigits, strengthOf } from './password-rules.js';

const PARTS = { none: 0, weak: 0.33, fair: 0.66, good: 1, long: 1 };

/**
 * A field for a password that is there already.
 *
 * @param {{label: string, hint?: string, enter: () => void, input?: (text: string) => void, autocomplete?: string}} options
 * @returns {HTMLElement & {input: HTMLInputElement | HTMLTextAreaElement, value: string, fail(text: string | null): void, reveal(isShown: boolean): void}}
 */
export function passwordField({ label, hint, enter, input, autocomplete = 'off' }) {
    const field = textField({ label, hint, type: 'password', enter, input, attributes: { autocomplete } });
    const control = /** @type {HTMLInputElement} */ (field.input);
    const eye = h('button', { type: 'button', class: 'icon-button quiet moving-eye', title: t('moving.showPassword'), aria: { label: t('moving.showPassword'), pressed: 'false' } }, icon('eye'));
    const reveal = (isShown) => {
        control.type = isShown ? 'text' : 'password';
        eye.setAttribute('aria-pressed', String(isShown));
        changeIcon(eye, isShown ? 'eye-off' : 'eye');
    };
    const line = h('div', { class: 'moving-line' });
    field.input.before(line);
    line.append(field.input, eye);
    const made = part(h('div', { class: 'moving-password' }, field), {
        input: field.input, fail: field.fail, reveal, get value() { return field.value; }, set value(text) { field.value = text; },
    });
    eye.addEventListener('click', () => { reveal(control.type === 'password'); made.dispatchEvent(new Event('reveal')); });
    return made;
}

/**
 * Fields for a password of a new package: one is made, or one is typed, twice where nobody sees it. Whoever mistypes it in a file could never
 * open that again.
 *
 * @param {{enter: () => void}} options
 * @returns {HTMLElement & {take(): string | null}} `take` says what is wrong where it is none.
 */
export function newPassword({ enter }) {
    const meter = strengthMeter();
    const isSeen = () => /** @type {HTMLInputElement} */ (field.input).type === 'text';
    const drawn = () => { again.hidden = isSeen(); };
    const field = passwordField({ label: t('moving.password'), enter, autocomplete: 'new-password', input: (text) => { meter.update(text); made.replaceChildren(); } });
    const again = textField({ label: t('moving.passwordAgain'), type: 'password', enter, attributes: { autocomplete: 'new-password' } });
    // The field is narrower than what was made.
    const made = h('div', { class: 'moving-made', aria: { live: 'polite' } });
    field.addEventListener('reveal', drawn);
    const make = button({ label: t('moving.makePassword'), icon: 'key', press: () => {
        field.value = randomDigits();
        field.fail(null);
        field.reveal(true);
        meter.update(field.value);
        made.replaceChildren(...toWriteDown(field.value));
        drawn();
    } });
    const element = h('div', { class: 'moving-fields' }, field, meter, made, again, h('div', { class: 'line' }, make), h('p', { class: 'soft small' }, t('moving.passwordNote')));
    return part(element, { take: () => {
        const { isGood, level } = strengthOf(field.value);
        if (!isGood) { field.fail(t(`moving.strength.${level}`, RULES)); field.input.focus(); return null; }
        if (!isSeen() && again.value !== field.value) { again.fail(t('moving.passwordDiffers')); again.input.focus(); return null; }
        return field.value;
    } });
}

/** A password that was made, whole: it is typed on the other phone. */
function toWriteDown(password) {
    return [
        h('span', { class: 'small soft' }, t('moving.writeDown')),
        h('span', { class: 'moving-made-line' }, h('span', { class: 'mono', data: { peer: '' } }, password), iconButton({ label: t('common.copyWhat', { what: t('moving.password') }), icon: 'copy', press: () => copyText(password) })),
    ];
}

/** How good a password is, as a bar and in words. */
function strengthMeter() {
    const bar = h('div', { class: 'moving-strength-bar' });
    const words = h('div', { class: 'small soft', aria: { live: 'polite' } });
    const element = h('div', { class: 'moving-strength' }, h('div', { class: 'moving-strength-line' }, bar), words);
    const update = (text) => {
        const { level } = strengthOf(text);
        element.dataset.level = level;
        bar.style.setProperty('--part', String(PARTS[level]));
        const shown = t(`moving.strength.${level}`, RULES);
        if (words.textContent !== shown) words.textContent = shown;
    };
    update('');
    return part(element, { update });
}
