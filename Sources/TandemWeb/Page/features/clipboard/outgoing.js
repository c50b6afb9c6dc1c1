import {
    banner, button, card, errorBanner, h, iconButton, textField,
} from '../../kit/index.js';
import { byteCount, fittedPicture, toBase64 } from '../../kit/bytes.js';
import { fileButton } from '../../kit/choose.js';
import { takesPictures } from '../../kit/drop.js';
import { format, t } from '../../i18n/index.js';

const TEXT_LIMIT = 512 << 10;
const PICTURE_LIMIT = 5 << 20;
const QUEUE_LIMIT = 200 << 10;

/** What is to be put on the computer's clipboard: a text, a text with its formatting, or a picture. */
export function outgoing({ computer, device, life, refused }) {
    const news = h('div', { class: 'clip-trouble' });
    /** `{html, plain}` while the text is what was pasted, unchanged; `picture` instead of a text. */
    let pasted = null;
    let picture = null;
    let isAway = false;

    const field = textField({
        label: t('clipboard.text'), labelHidden: true, rows: 7, placeholder: t('clipboard.placeholder'), hint: ' ',
        input: () => { if (pasted && pasted.plain !== field.value) pasted = null; draw(); },
        enter: () => {
            const shown = send.hidden ? later : send;
            if (!shown.disabled) shown.click();
        },
    });
    const keepBox = h('input', { type: 'checkbox', class: 'check', checked: true, on: { change: () => draw() } });
    const keep = h('label', { class: 'clip-keep' }, keepBox, h('span', null, t('clipboard.keepFormat')));
    const preview = h('div', { class: 'clip-preview' });
    const send = button({ label: t('clipboard.send'), icon: 'arrow-up', kind: 'primary', press: () => submit() });
    const later = button({ label: t('clipboard.later'), icon: 'clock', press: () => queue() });

    const withFormat = () => pasted?.html && keepBox.checked;
    const content = () => {
        if (withFormat()) return { type: 'html', content: pasted.html };
        return { type: 'text', content: field.value };
    };

    const draw = () => {
        keep.hidden = !pasted?.html || picture !== null;
        field.hidden = picture !== null;
        preview.hidden = picture === null;
        const size = picture ? picture.size : byteCount(content().content);
        const limit = picture ? PICTURE_LIMIT : TEXT_LIMIT;
        field.fail(size > limit && !picture ? t('clipboard.tooLong', { limit: format.bytes(limit) }) : null);
        if (size <= limit && !picture) field.querySelector('.field-hint').textContent = size ? t('clipboard.size', { size: format.bytes(size) }) : ' ';
        // What may wait has one button while the computer is away. A computer that cannot seal would do it once for every try.
        const mayWait = isAway && !picture && device.endToEnd;
        send.hidden = mayWait;
        later.hidden = !mayWait;
        send.disabled = size === 0 || size > limit;
        later.disabled = size === 0 || size > QUEUE_LIMIT;
        if (mayWait && size > QUEUE_LIMIT && size <= limit) field.fail(t('clipboard.tooLongToWait', { limit: format.bytes(QUEUE_LIMIT) }));
    };

    const say = (element) => news.replaceChildren(element);
    const sent = (text) => {
        if (picture) showPicture(null);
        else takeText('', '');
        say(banner({ kind: 'good', text, dismissable: true }));
    };

    async function submit() {
        news.replaceChildren();
        const count = picture ? picture.size : byteCount(content().content);
        try {
            const params = picture ? { type: 'image', content: await toBase64(picture) } : content();
            const written = await computer.call('clipboard.set', params, { signal: life.signal });
            if (!life.hasEnded) sent(t('clipboard.sent', { size: format.bytes(written?.bytesWritten ?? count) }));
        } catch (error) {
            if (life.hasEnded || error.code === 'cancelled') return;
            if (error.code === 'not-allowed') { refused(error); return; }
            if (error.code === 'away') isAway = true;
            draw();
            say(errorBanner(error, { dismissable: true }));
        }
    }

    async function queue() {
        try {
            const answer = await computer.queue('clipboard.set', content());
            sent(t(answer?.queued === false ? 'clipboard.sentNow' : 'clipboard.queued'));
        } catch (error) {
            say(errorBanner(error, { dismissable: true }));
        }
    }

    async function takePicture(file) {
        news.replaceChildren();
        const fitted = await fittedPicture(file, PICTURE_LIMIT);
        if (life.hasEnded) return;
        if (!fitted) { say(banner({ kind: 'warn', text: t('clipboard.noPicture'), dismissable: true })); return; }
        showPicture(fitted);
    }

    const showPicture = (next) => {
        picture = next;
        for (const image of preview.querySelectorAll('img')) URL.revokeObjectURL(image.src);
        preview.replaceChildren(...(picture ? [
            h('img', { class: 'clip-picture', src: URL.createObjectURL(picture), alt: t('clipboard.kind.image') }),
            h('div', { class: 'line small soft' }, t('clipboard.size', { size: format.bytes(picture.size) }),
                iconButton({ label: t('clipboard.remove'), icon: 'x', press: () => showPicture(null) })),
        ] : []));
        draw();
    };

    /** Asks the browser for this device's clipboard, which it may refuse. */
    async function paste() {
        try {
            for (const item of await navigator.clipboard.read()) {
                const image = item.types.find((type) => type.startsWith('image/'));
                if (image) { await takePicture(await item.getType(image)); return; }
                const read = async (type) => (item.types.includes(type) ? (await item.getType(type)).text() : '');
                takeText(await read('text/plain'), await read('text/html'));
            }
        } catch {
            say(banner({ kind: 'warn', text: t('clipboard.pasteRefused'), detail: t('clipboard.pasteRefusedText'), dismissable: true }));
        }
    }

    const takeText = (plain, html) => {
        if (picture) showPicture(null);
        field.value = plain || html;
        pasted = html ? { html, plain: field.value } : null;
        draw();
    };

    takesFormat(field, takeText);
    const element = card({ title: t('clipboard.here'), icon: 'phone' }, news, field, preview, keep,
        h('div', { class: 'clip-actions' },
            h('div', { class: 'clip-choices' },
                button({ label: t('clipboard.paste'), icon: 'paste', press: paste }),
                fileButton({ label: t('clipboard.picture'), icon: 'image', accept: 'image/*', take: takePicture })),
            h('div', { class: 'clip-choices' }, later, send)));
    element.classList.add('clip-card', 'way');
    takesPictures(element, { take: takePicture, signal: life.signal });
    life.add(() => showPicture(null));
    draw();
    life.add(computer.reachability((path) => { isAway = path === null; draw(); }));
    return element;
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
