import { banner, errorBanner, errorText, h, iconButton, uniqueId } from '../../kit/index.js';
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

/** Where a message to an agent is written. */
export class Composer {
    #draft;
    #send;
    #isRunning = false;
    #isSending = false;
    #text;
    #box;
    #attachments = new Attachments({ changed: () => this.#show() });
    #sendButton = iconButton({ label: t('threads.send'), icon: 'arrow-up', kind: 'primary', press: () => this.#submit() });
    #stopButton;
    #trouble = h('div', { class: 'composer-trouble' });
    #why = h('div', { class: 'composer-why' });
    element;

    /**
     * @param {Object} options
     * @param {{text: string, keep(text: string): void}} options.draft
     * @param {(text: string, attachments: Object[]) => Promise<any>} options.send What it fails with is said, and the text stays.
     * @param {() => Promise<any>} options.stop
     */
    constructor({ draft, send, stop }) {
        this.#draft = draft;
        this.#send = send;
        this.#stopButton = iconButton({ label: t('threads.stop'), icon: 'stop', kind: 'stop', press: () => stop() });
        const id = uniqueId('composer');
        this.#text = this.#field(id);
        this.#box = this.#boxOf(id);
        this.element = h('div', { class: 'composer' }, this.#trouble, this.#box, this.#why);
        queueMicrotask(() => requestAnimationFrame(() => this.#grow()));
        this.#show();
    }

    /** @param {{isRunning: boolean, why: Node | null}} state `why` stands in its place where nothing can be sent. */
    update({ isRunning, why }) {
        this.#isRunning = isRunning;
        this.#box.hidden = why !== null;
        this.#why.hidden = why === null;
        this.#why.replaceChildren(...[why].filter(Boolean));
        this.#show();
    }

    /** Files that are let go over a place go along. */
    takeDrops(place) {
        let leaving = null;
        // Where nothing takes it, the browser leaves the page for the file.
        place.addEventListener('dragover', (event) => {
            if (!event.dataTransfer?.types.includes('Files')) return;
            event.preventDefault();
            this.#box.classList.add('is-target');
            clearTimeout(leaving);
            leaving = setTimeout(() => this.#box.classList.remove('is-target'), 200);
        });
        place.addEventListener('drop', (event) => {
            if (!event.dataTransfer?.files.length) return;
            event.preventDefault();
            if (!this.#box.hidden) this.#attachments.add([...event.dataTransfer.files]);
        });
    }

    #field(id) {
        const text = h('textarea', {
            id, class: 'composer-text', rows: 1, value: this.#draft.text, placeholder: t('threads.write'), autocapitalize: 'sentences', spellcheck: true,
            aria: { describedby: `${id}-hint` },
            on: {
                input: () => { this.#draft.keep(text.value); this.#grow(); this.#show(); },
                keydown: (event) => {
                    if (!sends(event)) return;
                    event.preventDefault();
                    this.#submit();
                },
                paste: (event) => {
                    const files = [...event.clipboardData?.files ?? []];
                    if (files.length === 0) return;
                    event.preventDefault();
                    this.#attachments.add(files);
                },
            },
        });
        text.setAttribute('enterkeyhint', hasKeyboard.matches ? 'send' : 'enter');
        return text;
    }

    #boxOf(id) {
        const attach = iconButton({ label: t('threads.attach'), icon: 'paperclip', press: () => { this.#attachments.pick(); } });
        const hint = h('div', { id: `${id}-hint`, class: 'visually-hidden' }, hasKeyboard.matches ? t('threads.writeHint') : null);
        return h('div', { class: 'composer-box' }, this.#attachments.element, h('label', { htmlFor: id, class: 'visually-hidden' }, t('threads.write')), this.#text,
            h('div', { class: 'composer-row' }, attach, this.#attachments.trouble, this.#stopButton, this.#sendButton), hint);
    }

    get #isEmpty() { return this.#text.value.trim() === '' && this.#attachments.isEmpty; }

    #show() {
        this.#sendButton.disabled = this.#isEmpty || this.#isSending;
        this.#stopButton.hidden = !this.#isRunning;
        this.#sendButton.hidden = this.#isRunning && this.#isEmpty;
    }

    #grow() {
        this.#text.style.height = 'auto';
        this.#text.style.height = `${Math.min(this.#text.scrollHeight, TALLEST)}px`;
    }

    async #submit() {
        const text = this.#text;
        const written = text.value;
        if (this.#isSending || this.#isEmpty) return;
        if (byteCount(written) > MOST_TEXT_BYTES) {
            this.#trouble.replaceChildren(errorBanner({ code: 'too-large' }, { text: t('threads.tooLong', { limit: format.bytes(MOST_TEXT_BYTES) }) }));
            return;
        }
        this.#isSending = true;
        text.readOnly = true;
        this.#show();
        try {
            await this.#send(written, this.#attachments.values);
            this.#trouble.replaceChildren();
            // What was typed while it was on its way stays.
            if (text.value === written) text.value = '';
            this.#draft.keep(text.value);
            this.#attachments.clear();
        } catch (error) {
            if (error.code !== 'cancelled') this.#trouble.replaceChildren(notSent(error));
            if (!error.code) console.error(error);
        } finally {
            this.#isSending = false;
            text.readOnly = false;
            this.#grow();
            this.#show();
        }
    }
}

/** Whether a key sends what is written. An input method's Return chooses a word. */
function sends(event) {
    if (event.key !== 'Enter' || event.isComposing || event.keyCode === 229 || event.shiftKey) return false;
    return hasKeyboard.matches || event.ctrlKey || event.metaKey;
}
