import { banner, errorBanner, h, spinner } from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';
import { extension, typeOf } from './entries.js';
import { unshown } from './unshown.js';

const RANGE = 128 * 1024;
export const MOST_TEXT = 1024 * 1024;
/** Bytes of Markdown that are shown formatted. */
const MOST_MARKDOWN = 256 * 1024;
const MARKDOWN_KEY = 'tandem.files.markdown';

/**
 * Shows a text in ranges as it is read on, up to 1 MiB; Markdown formatted, once all of it is there.
 *
 * @param {import('./entries.js').Entry} entry
 * @param {{body: HTMLElement, computer: Object, life: Object, came: (about: {text: HTMLElement, isWhole: boolean, canGuard: boolean}) => void}} options
 *   `came` is told after each range; `canGuard`: the computer looks for changes before an edited text replaces this one.
 */
export async function showText(entry, { body, computer, life, came }) {
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
        isOver = isLast || offset >= MOST_TEXT;
        if (isOver) {
            end.replaceChildren(...(isLast ? (offset === 0 ? [h('p', { class: 'soft' }, t('files.emptyFile'))] : [])
                : [banner({ kind: 'info', text: t('files.firstPart', { shown: format.bytes(offset), size: format.bytes(answer.size ?? entry.size ?? 0) }) })]));
        }
        came({ text, isWhole: isLast, canGuard: Number.isFinite(answer.modified) });
    };
    const more = () => {
        if (isOver || reading) return reading;
        reading = readOn().catch((error) => {
            isOver = true;
            if (error.code !== 'cancelled') end.replaceChildren(errorBanner(error, { retry: () => { isOver = false; more(); } }));
        }).finally(() => {
            reading = null;
            if (isInSight(end) || isSmallMarkdown(entry)) { more(); return; }
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

/** Whether a file is Markdown that is shown formatted once all of it is there. */
export function isSmallMarkdown(entry) {
    return ['md', 'markdown', 'mdown', 'mkd'].includes(extension(entry.name)) && entry.kind !== 'other' && (entry.size ?? 0) <= MOST_MARKDOWN;
}

/** Whether Markdown is shown formatted or as it was written; remembered. */
export const formatted = {
    get isOn() { return localStorage.getItem(MARKDOWN_KEY) !== 'source'; },
    set isOn(isOn) { localStorage.setItem(MARKDOWN_KEY, isOn ? 'formatted' : 'source'); },
};

/**
 * A text's Markdown as elements, of which no picture is fetched.
 *
 * @param {string} text
 */
export async function formattedText(text) {
    const { markdown } = await import('../../kit/markdown/view.js');
    return markdown(text, { class: 'viewer-markdown', limit: MOST_MARKDOWN });
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
