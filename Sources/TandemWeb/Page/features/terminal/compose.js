import { h, icon, uniqueId } from '../../kit/index.js';
import { t } from '../../i18n/index.js';

/**
 * The other way to type: a line as in a messenger, where autocorrect, swiping and input methods work. Return sends it, as does the button;
 * the other button types it without a Return.
 *
 * @param {{send: (text: string) => Promise<boolean>, insert: (text: string) => Promise<boolean>}} options False: it was not taken, and stays.
 * @returns {HTMLElement & {focus(): void}}
 */
export function composeLine({ send, insert }) {
    const id = uniqueId('compose');
    const text = h('textarea', {
        id, class: 'input compose-text', rows: 1, placeholder: t('terminal.compose'), autocapitalize: 'none', spellcheck: true, autocomplete: 'on',
    });
    text.setAttribute('autocorrect', 'on');
    text.setAttribute('enterkeyhint', 'send');
    const grow = () => {
        text.style.height = 'auto';
        text.style.height = `${Math.min(text.scrollHeight + 2, 132)}px`;
    };
    const write = (written) => {
        text.value = written;
        grow();
    };
    const take = async (work) => {
        const written = text.value;
        write('');
        if (!await work(written)) write(written);
        text.focus();
    };
    text.addEventListener('input', grow);
    text.addEventListener('keydown', (event) => {
        // An input method's Return chooses a word; Shift and Return begins a line.
        if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
        event.preventDefault();
        take(send);
    });
    const keyLike = (label, symbol, kind, press) => {
        const element = h('button', { type: 'button', class: ['icon-button', kind], title: label, aria: { label }, on: { click: press } }, icon(symbol));
        // The keyboard stays open.
        element.addEventListener('pointerdown', (event) => event.preventDefault());
        return element;
    };
    const element = h('div', { class: 'compose' },
        h('label', { htmlFor: id, class: 'visually-hidden' }, t('terminal.compose')), text,
        keyLike(t('terminal.insert'), 'keyboard', 'quiet', () => take(insert)),
        keyLike(t('terminal.send'), 'arrow-up', 'primary', () => take(send)));
    element.focus = () => text.focus();
    return element;
}
