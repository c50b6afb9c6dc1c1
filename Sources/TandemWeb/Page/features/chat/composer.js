import { banner, errorText, h, iconButton, openMenu, toast, uniqueId } from '../../kit/index.js';
import { byteCount } from '../../kit/bytes.js';
import { pickByField } from '../../kit/pick.js';
import { t } from '../../i18n/index.js';
import { Store, doneBy } from '../../kit/store.js';
import { voiceRecorder } from './recorder.js';
import { dropHint, Tray } from './tray.js';
import { change, initial } from './typing-state.js';

/** As much as a message may have. */
const MOST_BYTES = 16 * 1024;
/** Of five lines, in pixels. Source: rule C10. */
const TALLEST = 5 * 23 + 22;
/** After the last letter, in milliseconds: a draft is kept, and the other person is told that nothing is written any more. */
const KEEP = 700;
const REST = 5000;
const ACCEPTED = 'image/jpeg,image/png,image/webp,image/gif,image/heic,image/avif';
/** Where there is a keyboard Return sends; on a phone it begins a line. */
const hasKeyboard = matchMedia('(hover: hover) and (pointer: fine)');

/** Where a message is written: text, pictures, a voice note. */
export class Composer {
    #options;
    #isSending = false;
    #isRecording = false;
    #hasDraft = false;
    #kept = null;
    #timers = { keep: null, rest: null };
    #typing = new Store({ initial, change, run: doneBy(() => this.#works) });
    #works = {
        tell: ({ on }) => { this.#options.chat.typing(this.#options.id, on).catch(() => {}); },
        restLater: () => { clearTimeout(this.#timers.rest); this.#timers.rest = setTimeout(() => this.#typing.send({ kind: 'rested' }), REST); },
    };
    #text;
    #tray = new Tray({ changed: () => this.#show() });
    #trouble = h('div', { class: 'write-trouble' });
    #sendButton = iconButton({ label: t('chat.send'), icon: 'paper-plane', kind: 'primary', press: () => this.#submit() });
    #pictureButton = iconButton({ label: t('chat.picture'), icon: 'image', press: () => this.#offer() });
    #recorder;
    element;

    /**
     * @param {{chat: import('../../client/chat.js').Chat, life: import('../../life.js').Life, id: string, sent: (messages: import('../../client/chat.js').Message[]) => void,
     *   row: () => import('../../client/chat.js').Conversation | null}} options
     */
    constructor(options) {
        this.#options = options;
        const { life } = options;
        this.#text = this.#field();
        this.#recorder = voiceRecorder({ life, changed: (isRecording) => { this.#isRecording = isRecording; this.#show(); }, send: (note) => this.#sendVoice(note) });
        this.element = this.#box();
        life.add(() => this.#leave());
        queueMicrotask(() => requestAnimationFrame(() => this.#grow()));
        this.#show();
    }

    /** What is known of the conversation: its draft, and whether more than a text may be sent. */
    rowChanged() {
        this.#takeDraft();
        this.#show();
    }

    /** Pictures that are let go over a place go along. */
    takeDrops(place) {
        const hint = dropHint();
        let leaving = null;
        place.addEventListener('dragover', (event) => {
            if (!event.dataTransfer?.types.includes('Files')) return;
            event.preventDefault();
            if (this.element.isConnected) place.append(hint);
            clearTimeout(leaving);
            leaving = setTimeout(() => hint.remove(), 200);
        });
        place.addEventListener('drop', (event) => {
            if (!event.dataTransfer?.files.length) return;
            event.preventDefault();
            if (this.element.isConnected) this.#add([...event.dataTransfer.files]);
        });
    }

    #field() {
        const text = h('textarea', {
            id: uniqueId('write'), class: 'write-text', rows: 1, placeholder: t('chat.write'), autocapitalize: 'sentences', spellcheck: true, aria: { label: t('chat.write') },
            on: {
                input: () => { this.#hasDraft = true; this.#typed(); },
                keydown: (event) => {
                    if (!sends(event)) return;
                    event.preventDefault();
                    this.#submit();
                },
                paste: (event) => {
                    const files = [...event.clipboardData?.files ?? []];
                    if (files.length === 0) return;
                    event.preventDefault();
                    this.#add(files);
                },
            },
        });
        text.setAttribute('enterkeyhint', hasKeyboard.matches ? 'send' : 'enter');
        return text;
    }

    #box() {
        return h('div', { class: 'write' }, this.#trouble, this.#tray.element,
            h('div', { class: 'write-line' }, this.#pictureButton, h('div', { class: 'write-box' }, this.#text), this.#recorder.strip, this.#recorder.talk, this.#sendButton));
    }

    #takeDraft() {
        const draft = this.#options.row()?.draft;
        if (this.#hasDraft || !draft || this.#text.value) return;
        this.#hasDraft = true;
        this.#text.value = this.#kept = draft;
        this.#grow();
        this.#show();
    }

    #typed() {
        this.#grow();
        this.#show();
        clearTimeout(this.#timers.keep);
        this.#timers.keep = setTimeout(() => this.#keep(), KEEP);
        this.#typing.send({ kind: 'typed', isEmpty: this.#text.value.trim() === '', now: Date.now() });
    }

    /** Source: rule B21. A draft of nothing but spaces is none. */
    #keep() {
        const text = this.#text.value.trim() === '' ? '' : this.#text.value;
        if (text === (this.#kept ?? '')) return;
        this.#kept = text;
        this.#options.chat.draft(this.#options.id, text).catch(() => { this.#kept = null; });
    }

    #leave() {
        for (const timer of Object.values(this.#timers)) clearTimeout(timer);
        if (!this.#isSending && this.#hasDraft) this.#keep();
        this.#typing.send({ kind: 'rested' });
        this.#tray.clear();
    }

    get #isEmpty() { return this.#text.value.trim() === '' && this.#tray.isEmpty; }

    #show() {
        const isEmpty = this.#isEmpty;
        // To somebody new a text goes first.
        const isFirst = this.#options.row()?.newest === 0;
        this.element.classList.toggle('is-recording', this.#isRecording);
        this.#sendButton.disabled = isEmpty || this.#isSending;
        this.#sendButton.hidden = (isEmpty && !isFirst) || this.#isRecording;
        this.#recorder.talk.hidden = !isEmpty || isFirst;
        this.#pictureButton.hidden = this.#isRecording || isFirst;
        this.#text.placeholder = t(isFirst ? 'chat.writeFirst' : 'chat.write');
        this.#text.parentElement.hidden = this.#isRecording;
    }

    #grow() {
        this.#text.style.height = 'auto';
        this.#text.style.height = `${Math.min(this.#text.scrollHeight, TALLEST)}px`;
    }

    #offer() {
        openMenu({ label: t('chat.picture'), anchor: this.#pictureButton, items: [
            { label: t('pictures.title'), icon: 'image', press: async () => this.#add(await pickByField({ accept: ACCEPTED, multiple: true })) },
            { label: t('chat.viewOncePicture'), icon: 'flash', press: async () => this.#add(await pickByField({ accept: ACCEPTED }), true) },
        ] });
    }

    #add(files, isOnce = this.#tray.isOnce) {
        const refused = this.#tray.add(files, isOnce);
        if (refused) toast(refused, 'bad');
    }

    async #submit() {
        const [text, tray, isOnce] = [this.#text.value, this.#tray.files, this.#tray.isOnce];
        if (this.#isSending || this.#isEmpty) return;
        if (byteCount(text) > MOST_BYTES) { this.#say({ code: 'too-large' }, t('chat.tooLong')); return; }
        const { chat, id } = this.#options;
        await this.#send(async (sent) => {
            if (tray.length > 0) {
                sent.push(await chat.sendMedia(id, { kind: isOnce ? 'flash' : 'image', files: tray, id: crypto.randomUUID() }));
                this.#tray.clear();
            }
            // Source: rule Q6.
            if (text.trim() === '') return;
            sent.push(await chat.send(id, text.trim(), crypto.randomUUID()));
            // What was typed while it was on its way stays.
            if (this.#text.value === text) this.#text.value = '';
            this.#hasDraft = true;
            this.#typing.send({ kind: 'sent' });
            this.#keep();
        });
        this.#grow();
        this.#text.focus({ preventScroll: true });
    }

    #sendVoice({ blob, seconds, waveform }) {
        const name = `voice.${{ 'audio/ogg': 'ogg', 'audio/webm': 'webm' }[blob.type] ?? 'm4a'}`;
        return this.#send(async (sent) => { sent.push(await this.#options.chat.sendMedia(this.#options.id, { kind: 'voice', files: [{ blob, name }], id: crypto.randomUUID(), seconds, waveform })); });
    }

    /** @param {(sent: import('../../client/chat.js').Message[]) => Promise<void>} work Puts what was taken into `sent`. */
    async #send(work) {
        const sent = [];
        this.#isSending = true;
        this.#show();
        try {
            await work(sent);
            this.#trouble.replaceChildren();
        } catch (error) {
            if (error.code !== 'cancelled') this.#say(error);
            if (!error.code) console.error(error);
        } finally {
            this.#isSending = false;
            if (sent.length > 0) this.#options.sent(sent);
            this.#show();
        }
    }

    #say(error, text = t('chat.notSent')) { this.#trouble.replaceChildren(banner({ kind: 'bad', text, detail: text === t('chat.notSent') ? errorText(error) : null, dismissable: true })); }
}

/** Whether a key sends what is written. An input method's Return chooses a word. */
function sends(event) {
    if (event.key !== 'Enter' || event.isComposing || event.keyCode === 229 || event.shiftKey) return false;
    return hasKeyboard.matches || event.ctrlKey || event.metaKey;
}
