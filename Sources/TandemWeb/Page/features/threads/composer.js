import { banner, errorBanner, errorText, h, iconButton, part, uniqueId } from '../../kit/index.js';
import { byteCount } from '../../kit/bytes.js';
import { format, t } from '../../i18n/index.js';
import { Attachments } from '../../kit/attachments.js';

/** What a program says of a computer that is away names commands, which are of no use here. */
function notSent(error) {
    const [isAway, text] = [['away', 'offline', 'gone'].includes(error.code), t('threads.notSent')];
    if (!isAway && error.message) return errorBanner(error, { text, dismissable: true });
    return banner({ kind: isAway ? 'offline' : 'bad', text, detail: errorText(error), dismissable: true });
}

/** As much as a message may have. */
export const MOST_TEXT_BYTES = 64 * 1024;
const TALLEST = 220;
/** Where there is a keyboard Return sends; on a phone it begins a line. */
const hasKeyboard = matchMedia('(hover: hover) and (pointer: fine)');

/**
 * Where a message to an agent is written.
 *
 * @param {Object} options
 * @param {{text: string, keep(text: string): void}} options.draft
 * @param {(text: string, attachments: Object[]) => Promise<any>} options.send What it fails with is said, and the text stays.
 * @param {() => Promise<any>} options.stop
 * @returns {HTMLElement & {update(state: {isRunning: boolean, why: Node | null}): void, focus(): void, takeDrops(place: HTMLElement): void}} `why`
 *   stands in its place where nothing can be sent; files that are let go over a place go along.
 */
export function composer({ draft, send, stop }) {
    const id = uniqueId('composer');
    const text = h('textarea', {
        id, class: 'composer-text', rows: 1, value: draft.text, placeholder: t('threads.write'), autocapitalize: 'sentences', spellcheck: true,
        aria: { describedby: `${id}-hint` },
    });
    text.setAttribute('enterkeyhint', hasKeyboard.matches ? 'send' : 'enter');
    const trouble = h('div', { class: 'composer-trouble' });
    const hint = h('div', { id: `${id}-hint`, class: 'visually-hidden' }, hasKeyboard.matches ? t('threads.writeHint') : null);
    const attachments = new Attachments({ changed: () => show() });
    const attach = iconButton({ label: t('threads.attach'), icon: 'paperclip', press: () => { attachments.pick(); } });
    const sendButton = iconButton({ label: t('threads.send'), icon: 'arrow-up', kind: 'primary', press: () => submit() });
    const stopButton = iconButton({ label: t('threads.stop'), icon: 'stop', kind: 'stop', press: () => stop() });
    const box = h('div', { class: 'composer-box' }, attachments.element, h('label', { htmlFor: id, class: 'visually-hidden' }, t('threads.write')), text,
        h('div', { class: 'composer-row' }, attach, attachments.trouble, stopButton, sendButton), hint);
    const place = h('div', { class: 'composer-why' });
    const element = h('div', { class: 'composer' }, trouble, box, place);
    let isRunning = false;
    let isSending = false;

    const show = () => {
        const isEmpty = text.value.trim() === '' && attachments.isEmpty;
        sendButton.disabled = isEmpty || isSending;
        stopButton.hidden = !isRunning;
        sendButton.hidden = isRunning && isEmpty;
    };
    const grow = () => {
        text.style.height = 'auto';
        text.style.height = `${Math.min(text.scrollHeight, TALLEST)}px`;
    };
    const submit = async () => {
        const written = text.value;
        if (isSending || (written.trim() === '' && attachments.isEmpty)) return;
        if (byteCount(written) > MOST_TEXT_BYTES) {
            trouble.replaceChildren(errorBanner({ code: 'too-large' }, { text: t('threads.tooLong', { limit: format.bytes(MOST_TEXT_BYTES) }) }));
            return;
        }
        isSending = true;
        text.readOnly = true;
        show();
        try {
            await send(written, attachments.values);
            trouble.replaceChildren();
            // What was typed while it was on its way stays.
            if (text.value === written) text.value = '';
            draft.keep(text.value);
            attachments.clear();
        } catch (error) {
            if (error.code !== 'cancelled') trouble.replaceChildren(notSent(error));
            if (!error.code) console.error(error);
        } finally {
            isSending = false;
            text.readOnly = false;
            grow();
            show();
        }
    };
    text.addEventListener('input', () => { draft.keep(text.value); grow(); show(); });
    text.addEventListener('keydown', (event) => {
        // An input method's Return chooses a word.
        if (event.key !== 'Enter' || event.isComposing || event.keyCode === 229 || event.shiftKey) return;
        if (!hasKeyboard.matches && !event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        submit();
    });
    text.addEventListener('paste', (event) => {
        const files = [...event.clipboardData?.files ?? []];
        if (files.length === 0) return;
        event.preventDefault();
        attachments.add(files);
    });
    let leaving = null;
    const takeDrops = (place) => {
        // Where nothing takes it, the browser leaves the page for the file.
        place.addEventListener('dragover', (event) => {
            if (!event.dataTransfer?.types.includes('Files')) return;
            event.preventDefault();
            box.classList.add('is-target');
            clearTimeout(leaving);
            leaving = setTimeout(() => box.classList.remove('is-target'), 200);
        });
        place.addEventListener('drop', (event) => {
            if (!event.dataTransfer?.files.length) return;
            event.preventDefault();
            if (!box.hidden) attachments.add([...event.dataTransfer.files]);
        });
    };
    const update = ({ isRunning: runs, why }) => {
        isRunning = runs;
        box.hidden = why !== null;
        place.hidden = why === null;
        place.replaceChildren(...[why].filter(Boolean));
        show();
    };
    queueMicrotask(() => requestAnimationFrame(grow));
    show();
    return part(element, { takeDrops, update, focus: () => text.focus({ preventScroll: true }) });
}
