import {
    banner, button, card, errorBanner, h, iconButton, textField,
} from '../../kit/index.js';
import { fittedPicture, toBase64 } from '../../kit/bytes.js';
import { fileButton } from '../../kit/choose.js';
import { takesPictures } from '../../kit/drop.js';
import { Store } from '../../kit/store.js';
import { format, t } from '../../i18n/index.js';
import { PICTURE_LIMIT, QUEUE_LIMIT, change, contentOf, initial, standingOf } from './outgoing-state.js';

/** What is to be put on the computer's clipboard: a text, a text with its formatting, or a picture. */
export function outgoing({ computer, device, life, refused }) {
    const store = new Store({ initial, change });
    const news = h('div', { class: 'clip-trouble' });
    const form = new Form({ store, send: submit, queue });
    const say = (element) => news.replaceChildren(element);
    const sent = (text) => {
        if (store.state.picture) store.send({ kind: 'pictured', picture: null });
        else form.fill('', '');
        say(banner({ kind: 'good', text, dismissable: true }));
    };

    async function submit() {
        news.replaceChildren();
        const { picture } = store.state;
        const { size } = standingOf(store.state, device.endToEnd);
        try {
            const params = picture ? { type: 'image', content: await toBase64(picture) } : contentOf(store.state);
            const written = await computer.call('clipboard.set', params, { signal: life.signal });
            if (!life.hasEnded) sent(t('clipboard.sent', { size: format.bytes(written?.bytesWritten ?? size) }));
        } catch (error) {
            if (life.hasEnded || error.code === 'cancelled') return;
            if (error.code === 'not-allowed') { refused(error); return; }
            store.send({ kind: 'failed', error });
            say(errorBanner(error, { dismissable: true }));
        }
    }

    async function queue() {
        try {
            const answer = await computer.queue('clipboard.set', contentOf(store.state));
            sent(t(answer?.queued === false ? 'clipboard.sentNow' : 'clipboard.queued'));
        } catch (error) {
            say(errorBanner(error, { dismissable: true }));
        }
    }

    async function takePicture(file) {
        news.replaceChildren();
        const picture = await fittedPicture(file, PICTURE_LIMIT);
        if (life.hasEnded) return;
        if (picture) store.send({ kind: 'pictured', picture });
        else say(banner({ kind: 'warn', text: t('clipboard.noPicture'), dismissable: true }));
    }

    /** Asks the browser for this device's clipboard, which it may refuse. */
    async function paste() {
        try {
            await readClipboard({ takePicture, takeText: (plain, html) => form.fill(plain, html) });
        } catch {
            say(banner({ kind: 'warn', text: t('clipboard.pasteRefused'), detail: t('clipboard.pasteRefusedText'), dismissable: true }));
        }
    }

    const element = card({ title: t('clipboard.here'), icon: 'phone' }, news, form.field, form.preview, form.keep,
        h('div', { class: 'clip-actions' },
            h('div', { class: 'clip-choices' },
                button({ label: t('clipboard.paste'), icon: 'paste', press: paste }),
                fileButton({ label: t('clipboard.picture'), icon: 'image', accept: 'image/*', take: takePicture })),
            h('div', { class: 'clip-choices' }, form.later, form.send)));
    element.classList.add('clip-card', 'way');
    takesPictures(element, { take: takePicture, signal: life.signal });
    const draw = (state, before) => form.show(state, before, device.endToEnd);
    store.watch(draw);
    draw(initial, initial);
    life.add(() => store.send({ kind: 'pictured', picture: null }));
    life.add(computer.reachability((path) => store.send({ kind: 'reached', isAway: path === null })));
    return element;
}

/** The text or the picture, and the buttons that send it. */
class Form {
    preview = h('div', { class: 'clip-preview' });
    #store;

    /** @param {{store: Store<import('./outgoing-state.js').Outgoing, any, any>, send: () => Promise<void>, queue: () => Promise<void>}} options */
    constructor({ store, send, queue }) {
        this.#store = store;
        this.field = textField({
            label: t('clipboard.text'), labelHidden: true, rows: 7, placeholder: t('clipboard.placeholder'), hint: ' ',
            input: (text) => store.send({ kind: 'typed', text }),
            enter: () => {
                const shown = this.send.hidden ? this.later : this.send;
                if (!shown.disabled) shown.click();
            },
        });
        const box = h('input', { type: 'checkbox', class: 'check', checked: true, on: { change: () => store.send({ kind: 'kept', keepsFormat: box.checked }) } });
        this.keep = h('label', { class: 'clip-keep' }, box, h('span', null, t('clipboard.keepFormat')));
        this.send = button({ label: t('clipboard.send'), icon: 'arrow-up', kind: 'primary', press: send });
        this.later = button({ label: t('clipboard.later'), icon: 'clock', press: queue });
        takesFormat(this.field, (plain, html) => this.fill(plain, html));
    }

    fill(plain, html) {
        this.field.value = plain || html;
        this.#store.send({ kind: 'filled', text: this.field.value, html });
    }

    show(state, before, endToEnd) {
        const { field, preview, keep, send, later } = this;
        const { picture, pasted } = state;
        const { size, limit, isTooLarge, mayWait } = standingOf(state, endToEnd);
        if (picture !== before.picture) this.#showPicture(picture);
        keep.hidden = !pasted || picture !== null;
        field.hidden = picture !== null;
        preview.hidden = picture === null;
        field.fail(isTooLarge && !picture ? t('clipboard.tooLong', { limit: format.bytes(limit) }) : null);
        if (!isTooLarge && !picture) field.querySelector('.field-hint').textContent = size ? t('clipboard.size', { size: format.bytes(size) }) : ' ';
        send.hidden = mayWait;
        later.hidden = !mayWait;
        send.disabled = size === 0 || isTooLarge;
        later.disabled = size === 0 || size > QUEUE_LIMIT;
        if (mayWait && size > QUEUE_LIMIT && !isTooLarge) field.fail(t('clipboard.tooLongToWait', { limit: format.bytes(QUEUE_LIMIT) }));
    }

    #showPicture(picture) {
        for (const image of this.preview.querySelectorAll('img')) URL.revokeObjectURL(image.src);
        this.preview.replaceChildren(...(picture ? [
            h('img', { class: 'clip-picture', src: URL.createObjectURL(picture), alt: t('clipboard.kind.image') }),
            h('div', { class: 'line small soft' }, t('clipboard.size', { size: format.bytes(picture.size) }),
                iconButton({ label: t('clipboard.remove'), icon: 'x', press: () => this.#store.send({ kind: 'pictured', picture: null }) })),
        ] : []));
    }
}

/** What this device's clipboard holds: its first picture, else its text with the formatting. */
async function readClipboard({ takePicture, takeText }) {
    for (const item of await navigator.clipboard.read()) {
        const image = item.types.find((type) => type.startsWith('image/'));
        if (image) { await takePicture(await item.getType(image)); return; }
        const read = async (type) => (item.types.includes(type) ? (await item.getType(type)).text() : '');
        takeText(await read('text/plain'), await read('text/html'));
    }
}

/** What is pasted by keyboard over an empty field may bring its formatting along. */
function takesFormat(field, takeText) {
    field.input.addEventListener('paste', (event) => {
        const html = event.clipboardData?.getData('text/html');
        const isEmpty = field.value === '' || field.input.selectionEnd - field.input.selectionStart === field.value.length;
        if (!html || !isEmpty) return;
        event.preventDefault();
        takeText(event.clipboardData.getData('text/plain'), html);
    });
}
