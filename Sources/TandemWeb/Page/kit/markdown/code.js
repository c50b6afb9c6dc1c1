import { button, copyText, h, iconButton } from '../index.js';
import { format, t } from '../../i18n/index.js';
import { highlighted } from './highlight.js';
import { firstLines, visible } from '../said.js';

/** Lines of a block that are shown before "more", and letters where lines are long. */
const SHOWN = { lines: 24, letters: 6000 };

/** Code in colours, as nodes. */
export function coloured(text, language) {
    return highlighted(visible(text), language).map(([kind, piece]) => (kind ? h('span', { class: `code-${kind}` }, piece) : piece));
}

/**
 * A block of code or output: with a head where it has a language, its end behind "more", and a button that copies all of it.
 *
 * @param {{text: string, language?: string, label?: string, shown?: {lines: number, letters: number}, wraps?: boolean}} options
 */
export function codeBlock({ text, language = '', label = t('kit.code'), shown = SHOWN, wraps = false }) {
    const { text: begin, isCut } = firstLines(text, shown.lines, shown.letters);
    const code = h('code', null, coloured(begin, language));
    const pre = h('pre', { class: ['code', wraps && 'wraps'], tabIndex: 0, dir: 'ltr', role: 'group', aria: { label } }, code);
    const element = h('div', { class: 'code-block', data: { peer: '' } },
        h('div', { class: 'code-tools' },
            language && h('span', { class: 'code-language' }, visible(language)),
            iconButton({ label: t('kit.copyCode'), icon: 'copy', press: () => copyText(text) })),
        pre);
    if (isCut) {
        const lines = text.split('\n').length;
        const more = button({
            label: lines > shown.lines ? t('kit.allLines', { count: lines }) : t('kit.allOfIt', { size: format.bytes(text.length) }),
            icon: 'chevron-down', kind: 'quiet',
            press: () => { code.replaceChildren(...coloured(text, language)); more.remove(); pre.focus({ preventScroll: true }); },
        });
        more.classList.add('more-lines');
        element.append(more);
    }
    return element;
}
