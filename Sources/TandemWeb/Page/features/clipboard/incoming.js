import {
    banner, button, card, chip, copyText, emptyState, errorBanner, h, relativeTime, riskChip, segmented, switchRow, toast,
} from '../../kit/index.js';
import { fromBase64, pictureBlob, saveBlob } from '../../kit/bytes.js';
import { format, t } from '../../i18n/index.js';
import { Life } from '../../life.js';

/** What is on the computer's clipboard: asked for, or told with every change. */
export function incoming({ client, computer, device, life, refused }) {
    const trouble = h('div', { class: 'clip-trouble' });
    const body = h('div', { class: 'clip-body' });
    let own = new Life(life);
    let following = null;

    const nothing = () => {
        own.end();
        body.replaceChildren(emptyState({
            icon: 'clipboard', title: t('clipboard.notFetched'), text: t('clipboard.notFetchedText'),
            actions: [button({ label: t('clipboard.fetch'), icon: 'refresh', kind: 'primary', press: () => fetchNow() })],
        }));
        actions.hidden = true;
    };

    const show = (reading) => {
        own.end();
        own = new Life(life);
        trouble.replaceChildren();
        actions.hidden = false;
        body.replaceChildren(...drawn(reading, own), ...others(reading, fetchNow));
    };

    const failed = (error) => {
        if (life.hasEnded || error.code === 'cancelled') return;
        if (error.code === 'not-allowed') refused(error);
        else trouble.replaceChildren(errorBanner(error, { retry: () => fetchNow(), dismissable: true }));
    };

    /** @param {string} [kind] Left out: the richest there is. */
    async function fetchNow(kind) {
        trouble.replaceChildren();
        try {
            const reading = await computer.call('clipboard.get', kind ? { type: kind } : {}, { signal: life.signal });
            if (!life.hasEnded) show(reading);
        } catch (error) {
            failed(error);
        }
    }

    const follow = async (on) => {
        following?.cancel();
        following = null;
        if (!on) return;
        const mine = client.follow('clipboard.follow', { device: device.id }, {
            signal: life.signal,
            onItem: (change) => {
                // Read once the computer watches: what is copied between the two would be missed.
                if (change.watching) fetchNow();
                // An image is never in the news itself; what a password manager copied has to be asked for by hand.
                else if (change.type === 'image') fetchNow();
                else show(change.content === undefined ? { ...change, isKept: change.type !== 'empty' } : change);
            },
        });
        following = mine;
        mine.result.catch((error) => {
            if (following !== mine) return;
            following = null;
            followRow.control.checked = false;
            failed(error);
        });
    };

    const actions = h('div', { class: 'clip-actions' },
        button({ label: t('clipboard.clear'), kind: 'quiet', press: nothing }),
        button({ label: t('clipboard.fetchAgain'), icon: 'refresh', press: () => fetchNow() }));
    const followRow = switchRow({ label: t('clipboard.follow'), detail: t('clipboard.followDetail'), on: false, change: follow });
    const element = card({ title: t('clipboard.there'), icon: 'computer', trail: riskChip('mutating') }, trouble, body,
        actions,
        h('div', { class: 'clip-follow' }, followRow));
    element.classList.add('clip-card');
    nothing();
    return element;
}

/** What was copied may be there in other forms: cells of a table as their picture. */
function others(reading, fetch) {
    const kinds = otherKinds(reading);
    return kinds.length ? [h('div', { class: 'line' }, kinds.map((kind) => button({
        label: t('clipboard.fetchKind', { kind: t(`clipboard.kind.${kind}`) }), kind: 'quiet', press: () => fetch(kind),
    })))] : [];
}

/** The kinds in which the computer has what was copied, besides the one that is shown. */
function otherKinds({ type, formats }) {
    const has = (...names) => Array.isArray(formats) && names.some((name) => formats.includes(name));
    return [
        ...(type !== 'image' && has('image/png', 'image/jpeg', 'image/webp', 'image/gif') ? ['image'] : []),
        ...(type !== 'html' && has('text/html') ? ['html'] : []),
        ...(type !== 'html' && type !== 'text' && has('text/plain') ? ['text'] : []),
    ];
}

/** A reading as elements. What was copied is text in here, whatever it is. */
function drawn(reading, life) {
    const when = reading.timestamp ? relativeTime(reading.timestamp) : null;
    const head = (kind, size) => h('div', { class: 'line small soft' }, chip(t(`clipboard.kind.${kind}`), 'accent'), size, when);
    const text = typeof reading.content === 'string' ? reading.content : '';
    const copy = (press) => button({ label: t('clipboard.copyHere'), icon: 'copy', press });
    switch (reading.type) {
        case 'text':
        case undefined:
            if (text) return [head('text', sizeOf(text)), source(text), h('div', { class: 'line' }, copy(() => copyText(text)))];
            break;
        case 'html': if (text || reading.html) return htmlParts(reading.html ?? text, reading.text, head, copy); break;
        case 'image': {
            const bytes = fromBase64(text);
            const blob = bytes && pictureBlob(bytes);
            if (blob) return imageParts(blob, reading, head, copy, life);
            break;
        }
        case 'files': {
            const files = reading.files ?? text.split('\n').filter(Boolean);
            return [head('files'), h('ul', { class: 'clip-files' }, files.slice(0, 200).map((file) => h('li', { class: 'mono small', data: { peer: '' }, dir: 'auto' }, file))),
                h('div', { class: 'line' }, copy(() => copyText(files.join('\n'))))];
        }
        case 'empty': return [emptyState({ icon: 'clipboard', title: t('clipboard.empty') })];
    }
    if (reading.isKept) return [banner({ kind: 'info', text: t('clipboard.kept'), detail: t('clipboard.keptText') })];
    const formats = reading.formats?.length ? h('span', { data: { peer: '' } }, reading.formats.slice(0, 8).join(', ')) : null;
    if (reading.type === undefined || reading.type === 'text') return [emptyState({ icon: 'clipboard', title: t('clipboard.empty') })];
    return [banner({ kind: 'info', text: t('clipboard.unknown'), detail: formats })];
}

function htmlParts(html, plain, head, copy) {
    const place = h('div', null, source(plain ?? html));
    const choice = plain && segmented({
        label: t('clipboard.view'),
        options: [{ id: 'plain', label: t('clipboard.plain') }, { id: 'source', label: t('clipboard.source') }],
        value: 'plain', change: (id) => place.replaceChildren(source(id === 'plain' ? plain : html)),
    });
    const copyBoth = async () => {
        try {
            const parts = { 'text/html': new Blob([html], { type: 'text/html' }), 'text/plain': new Blob([plain ?? html], { type: 'text/plain' }) };
            await navigator.clipboard.write([new ClipboardItem(parts)]);
            toast(t('common.copied'));
        } catch {
            toast(t('common.copyFailed'), 'bad');
        }
    };
    return [head('html', sizeOf(html)), choice, place, h('div', { class: 'line' }, copy(copyBoth))].filter(Boolean);
}

function imageParts(blob, { imageInfo, scaled }, head, copy, life) {
    const url = URL.createObjectURL(blob);
    life.add(() => URL.revokeObjectURL(url));
    const picture = h('img', { class: ['clip-picture', blob.type !== 'image/jpeg' && 'is-clear'], src: url, alt: t('clipboard.kind.image'), width: imageInfo?.width, height: imageInfo?.height });
    const copyPicture = async () => {
        try {
            const png = blob.type === 'image/png' ? blob : await asPNG(blob);
            await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
            toast(t('common.copied'));
        } catch {
            toast(t('common.copyFailed'), 'bad');
        }
    };
    const size = imageInfo && `${format.number(imageInfo.width)} × ${format.number(imageInfo.height)}, ${format.bytes(blob.size)}`;
    const name = `clipboard-${new Date().toISOString().slice(0, 19).replace(/[T:]/g, '-')}.${blob.type.split('/')[1]}`;
    return [
        head('image', h('span', { data: { peer: '' } }, size ?? format.bytes(blob.size))), picture,
        scaled && h('p', { class: 'small soft' }, t('clipboard.scaled')),
        h('div', { class: 'line' }, copy(copyPicture), button({ label: t('clipboard.save'), icon: 'download', press: () => saveBlob(blob, name) })),
    ].filter(Boolean);
}

async function asPNG(blob) {
    const bitmap = await createImageBitmap(blob);
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext('2d').drawImage(bitmap, 0, 0);
    return canvas.convertToBlob({ type: 'image/png' });
}

function source(text) {
    return h('pre', { class: 'clip-text', tabIndex: 0, dir: 'auto', data: { peer: '' }, aria: { label: t('clipboard.there') }, role: 'region' }, text);
}

function sizeOf(text) {
    return h('span', { data: { peer: '' } }, format.bytes(new Blob([text]).size));
}
