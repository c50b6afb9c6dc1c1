import { h, icon, spinner } from '../../kit/index.js';
import { format, hasText, t } from '../../i18n/index.js';
import { codeBlock } from '../../kit/markdown/code.js';
import { counts, diffView, patchOf } from '../../kit/diff/view.js';
import { askedOf, outcomeOf } from './entries.js';
import { languageOf } from '../../kit/markdown/highlight.js';
import { textFoot, textOf } from './long-text.js';
import { beginning, visible } from '../../kit/said.js';
import { folderName } from './words.js';

/** A change of so many lines stands open. */
const SMALL_CHANGE = 60;
const OUTPUT = { lines: 14, letters: 4000 };
/** What is laid out of arguments. */
const MOST_ASKED = 16_384;

/** A tool that was used: its call, what it answered and what it changed, folded to one line. */
export function toolView(entry, context) {
    const { call, output, change } = entry;
    const outcome = outcomeOf(entry, context.isLast(entry) && context.isRunning());
    const patch = change ? patchOf({ ...change, text: textOf(change, context.view).text }) : null;
    const head = patch ? changeHead(patch) : callHead(call ?? { name: t('threads.tool') });
    return foldable({
        key: entry.key, context, isOpen: Boolean(patch && patch.lines > 0 && patch.lines <= SMALL_CHANGE && outcome !== 'failed'),
        head: [...head, outcomeMark(outcome, output?.code)], kind: `tool is-${outcome}`,
        body: () => [
            change && [diffView({ ...change, text: textOf(change, context.view).text }), textFoot(change, context)],
            call && !change && asked(call, context),
            output && answered(output, Boolean(change), context),
            !output && !change && outcome !== 'running' && h('p', { class: 'small soft tool-none' }, t('threads.noOutput')),
        ],
    });
}

/**
 * A line that opens to what is behind it; whether it is open outlives its being drawn.
 *
 * @param {{key: string, context: Object, isOpen?: boolean, head: Node[], kind: string, body: () => any}} options
 */
export function foldable({ key, context, isOpen: isOpenAtFirst = false, head, kind, body }) {
    const inside = h('div', { class: 'fold-body' });
    const toggle = h('button', { type: 'button', class: 'fold-head' }, head, icon('chevron-right', { size: 18 }));
    const element = h('div', { class: `fold ${kind}` }, toggle, inside);
    const draw = () => {
        const isOpen = context.view.open.get(key) ?? isOpenAtFirst;
        toggle.setAttribute('aria-expanded', String(isOpen));
        element.classList.toggle('is-open', isOpen);
        inside.hidden = !isOpen;
        if (isOpen && inside.childElementCount === 0) inside.append(h('div', { class: 'fold-parts' }, body()));
    };
    toggle.addEventListener('click', () => {
        context.view.open.set(key, !(context.view.open.get(key) ?? isOpenAtFirst));
        draw();
    });
    draw();
    return element;
}

function callHead({ name, text }) {
    const { title, isCommand } = askedOf({ name, text: beginning(text, MOST_ASKED) });
    const key = `threads.tool.${String(name).toLowerCase()}`;
    return [
        icon(isCommand ? 'terminal' : 'tool', { size: 18 }),
        h('span', { class: 'fold-name', data: { peer: '' } }, hasText(key) ? t(key) : visible(beginning(name, 80))),
        title && h('span', { class: ['fold-words', 'mono'], dir: 'ltr', data: { peer: '' } }, visible(beginning(title.replace(/\s+/g, ' '), 300))),
    ];
}

function changeHead({ files, added, removed }) {
    const one = files.length === 1 ? files[0] : null;
    const key = `threads.changed.${one?.kind}`;
    return [
        icon('diff', { size: 18 }),
        h('span', { class: 'fold-name' }, one ? t(hasText(key) ? key : 'threads.changed.updated') : t('threads.changedFiles', { count: files.length })),
        h('span', { class: 'fold-words mono', dir: 'ltr', data: { peer: '' } }, visible(beginning(one ? folderName(one.to ?? one.path) : files.slice(0, 4).map(({ path }) => folderName(path)).join(', '), 300))),
        counts(added, removed),
    ];
}

function outcomeMark(outcome, code) {
    if (outcome === 'running') return h('span', { class: 'outcome is-running' }, spinner({ size: 16, label: t('threads.runs') }));
    if (outcome === 'failed') {
        const words = Number.isFinite(code) ? t('threads.exit', { code: format.number(code) }) : t('threads.failed');
        return h('span', { class: 'outcome is-failed' }, icon('x', { size: 16 }), h('span', null, words));
    }
    if (outcome === 'ok') return h('span', { class: 'outcome is-ok' }, icon('check', { size: 16 }), h('span', { class: 'visually-hidden' }, t('threads.ok')));
    return h('span', { class: 'outcome' });
}

function asked(call, context) {
    const { text: raw } = textOf(call, context.view);
    const { text, language, isCommand, title } = askedOf({ name: call.name, text: beginning(raw) });
    if (!text) return null;
    return [
        codeBlock({ text: text || title, language, label: t(isCommand ? 'threads.command' : 'threads.arguments'), shown: OUTPUT, wraps: true }),
        textFoot(call, context),
    ];
}

/** What a tool answered; what it says of a change that stands above it is worth little. */
function answered(output, isOfChange, context) {
    const { text } = textOf(output, context.view);
    const clean = visible(beginning(text)).replace(/\n+$/, '');
    if (isOfChange && output.outcome !== 'failed') return null;
    if (!clean.trim()) return h('p', { class: 'small soft tool-none' }, t('threads.emptyOutput'));
    const block = codeBlock({ text: clean, language: languageOf(''), label: t('threads.output'), shown: OUTPUT, wraps: true });
    block.classList.add('is-output');
    return [block, textFoot(output, context)];
}
