import { banner, button, copyText, emptyState, errorBanner, h, openDialog, safeText, spinner } from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';
import { pictureKind, typeOf } from './entries.js';

const RANGE = 128 * 1024;
/** Pixels that a finger moves aside before the next picture comes. */
const SWIPE = 50;
const MOST_TEXT = 1024 * 1024;
const MOST_PICTURE = 32 * 1024 * 1024;

/**
 * Shows a file: a text in ranges as it is read on, up to 1 MiB; a picture; of others what is known.
 *
 * @param {import('./entries.js').Entry} entry
 * @param {{computer: Object, fetchIt: () => void, closed: () => void, turn?: (by: number) => void}} options `turn` shows the picture before
 *   (-1) or after this one (1).
 */
export function openViewer(entry, { computer, fetchIt, closed, turn = () => {} }) {
    const body = h('div', { class: 'viewer' });
    // There once there is a text to copy.
    const copy = button({ label: t('files.copyText'), icon: 'copy', press: () => copyText(body.querySelector('.viewer-text').textContent) });
    copy.hidden = true;
    const about = h('span', { class: 'soft small viewer-about' }, aboutOf(entry));
    const dialog = openDialog({
        title: safeText(entry.name, { limit: 80 }), content: body, size: 'full', closed,
        actions: [about, copy, button({ label: t('files.download'), icon: 'download', kind: 'primary', press: () => { fetchIt(); dialog.close(); } })],
    });
    dialog.element.classList.add('viewer-dialog');
    const kind = pictureKind(entry.name);
    if (kind) turning(dialog.element, body, turn, dialog.life);
    const show = kind ? showPicture(entry, kind, { body, computer, life: dialog.life }) : showText(entry, { body, copy, computer, life: dialog.life });
    show.catch((error) => {
        if (error.code === 'cancelled' || dialog.life.hasEnded) return;
        body.replaceChildren(errorBanner(error));
    });
    return dialog;
}

/** The arrow keys and a swipe go to the picture before and the next, while this one fits; what is larger than its frame is moved by them. */
function turning(dialog, body, turn, life) {
    const isWhole = () => body.querySelector('.viewer-frame.whole') !== null;
    life.listen(dialog, 'keydown', (event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!by || event.altKey || event.ctrlKey || event.metaKey || isWhole()) return;
        event.preventDefault();
        turn(by);
    });
    let from = null;
    life.listen(body, 'touchstart', ({ touches }) => { from = touches.length === 1 && !isWhole() ? touches[0] : null; });
    life.listen(body, 'touchend', ({ changedTouches: [end] }) => {
        const [x, y] = from ? [end.clientX - from.clientX, end.clientY - from.clientY] : [0, 0];
        from = null;
        if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) turn(x < 0 ? 1 : -1);
    });
}

function aboutOf(entry) {
    return [entry.size === null ? null : format.bytes(entry.size), entry.modified ? format.dateTime(entry.modified) : null].filter(Boolean).join(' · ');
}

async function showPicture(entry, kind, { body, computer, life }) {
    if ((entry.size ?? 0) > MOST_PICTURE) { body.replaceChildren(unshown('image', t('files.tooLargeToShow'))); return; }
    body.replaceChildren(h('div', { class: 'viewer-waiting' }, spinner({ size: 28, label: t('common.loading') })));
    const { stream } = await computer.download(entry.path, { signal: life.signal });
    const blob = new Blob([await new Response(stream).blob()], { type: kind });
    const address = URL.createObjectURL(blob);
    life.add(() => URL.revokeObjectURL(address));
    const picture = h('img', { class: 'viewer-picture', src: address, alt: t('files.pictureOf', { name: entry.name }), data: { peer: '' } });
    picture.addEventListener('error', () => body.replaceChildren(unshown('image', t('files.noPicture'))));
    picture.addEventListener('load', () => { picture.title = `${picture.naturalWidth} × ${picture.naturalHeight}`; });
    // Pressed, it is shown pixel by pixel.
    const frame = h('button', { type: 'button', class: 'viewer-frame', aria: { label: t('files.zoom') }, on: { click: () => frame.classList.toggle('whole') } }, picture);
    body.replaceChildren(frame);
}

async function showText(entry, { body, copy, computer, life }) {
    if (entry.kind === 'other') { body.replaceChildren(unshown('file', t('files.special'))); return; }
    const text = h('pre', { class: 'viewer-text', tabIndex: 0, dir: 'auto', data: { peer: '' }, aria: { label: t('files.contentOf', { name: entry.name }) } });
    const decoder = new TextDecoder('utf-8');
    let offset = 0;
    let isOver = false;
    let reading = null;
    const end = h('div', { class: 'viewer-end' }, spinner({ size: 22, label: t('common.loading') }));
    body.replaceChildren(text, end);

    const readOn = async () => {
        const answer = await computer.call('file.readFile', {
            path: entry.path, encoding: 'base64', offset, length: Math.min(RANGE, MOST_TEXT - offset),
        }, { signal: life.signal });
        const bytes = Uint8Array.from(atob(answer.content ?? ''), (letter) => letter.charCodeAt(0));
        if (offset === 0 && isBinary(bytes)) { isOver = true; body.replaceChildren(unshown(typeOf(entry), t('files.notText'))); return; }
        const isLast = answer.isLast === true || bytes.length === 0;
        // A letter that is cut between two ranges is put together again.
        text.append(visible(decoder.decode(bytes, { stream: !isLast })));
        offset += bytes.length;
        copy.hidden = offset === 0;
        isOver = isLast || offset >= MOST_TEXT;
        if (!isOver) return;
        end.replaceChildren(...(isLast ? (offset === 0 ? [h('p', { class: 'soft' }, t('files.emptyFile'))] : [])
            : [banner({ kind: 'info', text: t('files.firstPart', { shown: format.bytes(offset), size: format.bytes(answer.size ?? entry.size ?? 0) }) })]));
    };
    const more = () => {
        if (isOver || reading) return reading;
        reading = readOn().catch((error) => {
            isOver = true;
            if (error.code !== 'cancelled') end.replaceChildren(errorBanner(error, { retry: () => { isOver = false; more(); } }));
        }).finally(() => {
            reading = null;
            if (isInSight(end)) { more(); return; }
            // Pushed out of sight and scrolled back within one frame, it would be no news to the observer; observed anew, it is told once.
            watcher.unobserve(end);
            watcher.observe(end);
        });
        return reading;
    };
    const watcher = new IntersectionObserver((seen) => { if (seen.some((each) => each.isIntersecting)) more(); }, { rootMargin: '600px' });
    watcher.observe(end);
    life.add(() => watcher.disconnect());
    await more();
}

function isInSight(element) {
    return element.isConnected && element.getBoundingClientRect().top < innerHeight + 600;
}

function isBinary(bytes) {
    return bytes.subarray(0, 8192).includes(0);
}

/** Marks of direction turn code around for the eye and not for the machine: they are shown as what they are. */
function visible(text) {
    return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, (letter) => `⟨${letter.codePointAt(0).toString(16).toUpperCase()}⟩`);
}

function unshown(symbol, text) {
    return emptyState({ icon: symbol === 'folder' ? 'file' : symbol, title: t('files.noPreview'), text });
}
