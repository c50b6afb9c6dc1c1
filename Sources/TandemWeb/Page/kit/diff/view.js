import { button, h, icon } from '../index.js';
import { hasText, t } from '../../i18n/index.js';
import { codeBlock } from '../markdown/code.js';
import { highlighted, languageOf } from '../markdown/highlight.js';
import { changed, parsePatch, sideBySide } from './patch.js';
import { visible } from '../said.js';

/** Lines that stand there at first, and by each press of "more". */
const FIRST = 120;
const STEP = 1000;

/** Whether two columns have room: from 1200 px on the list stands beside them. */
export const wide = matchMedia('(min-width: 1000px) and (max-width: 1199.9px), (min-width: 1360px)');

/**
 * How much a patch changes.
 *
 * @typedef {import('./patch.js').Changed} Changed
 * @returns {{files: Changed[], added: number, removed: number, lines: number}}
 */
export function patchOf({ files = [], text = '' }, isAsked = false) {
    const told = (Array.isArray(files) ? files : []).filter((file) => typeof file?.path === 'string');
    const parsed = parsePatch(text, told, isAsked);
    /** @type {Changed[]} */
    const named = parsed.length > 0 ? parsed : told.map(({ path, kind, to }) => ({ path, kind, to, hunks: [], added: 0, removed: 0 }));
    const sum = (key) => named.reduce((all, file) => all + file[key], 0);
    return { files: named, added: sum('added'), removed: sum('removed'), lines: named.reduce((all, file) => all + file.hunks.reduce((lines, hunk) => lines + hunk.lines.length, 0), 0) };
}

/** `+12 −4`, for readers too. */
export function counts(added, removed) {
    if (!added && !removed) return null;
    return h('span', { class: 'diff-counts', role: 'img', aria: { label: t('kit.changedLines', { added, removed }) } },
        h('span', { class: 'is-added' }, `+${added}`), h('span', { class: 'is-removed' }, `−${removed}`));
}

/**
 * A file's name and what becomes of it.
 *
 * @param {Changed} file
 */
export function fileHead({ path, kind, to, added, removed }) {
    const key = `kit.file.${kind}`;
    return h('div', { class: 'diff-head' },
        icon('file', { size: 18 }),
        h('span', { class: 'diff-path', data: { peer: '' } }, visible(path), to && [' → ', visible(to)]),
        kind !== 'updated' && h('span', { class: 'diff-kind' }, hasText(key) ? t(key) : null),
        counts(added, removed));
}

/**
 * The change of files: side by side where there is room, else one line below the other.
 *
 * @param {{files?: Object[], text?: string}} change
 * @param {boolean} [isAsked] As in `parsePatch`.
 */
export function diffView(change, isAsked = false) {
    const { files } = patchOf(change, isAsked);
    if (files.every((file) => file.hunks.length === 0)) {
        return h('div', { class: 'diffs' }, files.map((file) => h('div', { class: 'diff' }, fileHead(file))),
            change.text && codeBlock({ text: change.text, language: languageOf(files[0]?.path) }));
    }
    const budget = { left: FIRST };
    return h('div', { class: 'diffs' }, files.map((file) => fileView(file, budget)));
}

function fileView(file, budget) {
    const rows = rowsOf(file, languageOf(file.to ?? file.path), wide.matches);
    const shown = Math.max(Math.min(rows.length, 12), Math.min(rows.length, budget.left));
    budget.left = Math.max(0, budget.left - shown);
    const body = h('div', { class: ['diff-lines', wide.matches ? 'is-split' : 'is-unified'], tabIndex: 0, role: 'group', dir: 'ltr', data: { peer: '' }, aria: { label: visible(file.path) } });
    const element = h('div', { class: 'diff' }, fileHead(file), body);
    let at = 0;
    const draw = (count) => {
        body.append(...rows.slice(at, at + count).map((make) => make()));
        at += count;
        element.querySelector('.more-lines')?.remove();
        if (at >= rows.length) return;
        const more = button({ label: t('kit.moreLines', { count: rows.length - at }), icon: 'chevron-down', kind: 'quiet', press: () => { draw(STEP); body.focus({ preventScroll: true }); } });
        more.classList.add('more-lines');
        element.append(more);
    };
    draw(shown);
    return element;
}

/** What makes each row, in the order they are shown. */
function rowsOf(file, language, isSplit) {
    const rows = [];
    for (const [index, hunk] of file.hunks.entries()) {
        if (hunk.head || index > 0) rows.push(() => h('div', { class: 'diff-hunk' }, visible(hunk.head) || '⋯'));
        const pairs = sideBySide(hunk.lines);
        if (isSplit) {
            for (const [left, right] of pairs) {
                rows.push(() => {
                    const both = left && right && left !== right ? changed(left.text, right.text) : null;
                    return h('div', { class: 'diff-pair' },
                        ...half(left, left?.old, left?.mark === '-' ? 'removed' : null, language, both && [both.start, both.oldEnd]),
                        ...half(right, right?.now, right?.mark === '+' ? 'added' : null, language, both && [both.start, both.newEnd]));
                });
            }
            continue;
        }
        const words = new Map();
        for (const [left, right] of pairs) {
            const both = left && right && left !== right ? changed(left.text, right.text) : null;
            if (both) { words.set(left, [both.start, both.oldEnd]); words.set(right, [both.start, both.newEnd]); }
        }
        for (const line of hunk.lines) {
            rows.push(() => h('div', { class: ['diff-line', kindOf(line.mark)] },
                h('span', { class: 'diff-number' }, line.now ?? line.old ?? ''), h('span', { class: 'diff-mark' }, line.mark),
                h('span', { class: 'diff-text' }, textOf(line.text, language, words.get(line)))));
        }
    }
    return rows;
}

function kindOf(mark) { return { '+': 'added', '-': 'removed' }[mark] ?? null; }

function half(line, number, kind, language, words) {
    if (!line) return [h('span', { class: 'diff-number none' }), h('span', { class: 'diff-text none' })];
    return [
        h('span', { class: ['diff-number', kind] }, number ?? ''),
        h('span', { class: ['diff-text', kind] }, kind && h('span', { class: 'visually-hidden' }, line.mark), textOf(line.text, language, words)),
    ];
}

/** A line in colours, with what differs from the other marked. */
function textOf(text, language, words) {
    const nodes = [];
    let at = 0;
    for (const [kind, piece] of highlighted(text, language)) {
        for (const [from, to] of cuts(piece.length, at, words)) {
            const isWord = words && at + from >= words[0] && at + to <= words[1];
            const part = visible(piece.slice(from, to));
            const name = [kind && `code-${kind}`, isWord && 'diff-word'].filter(Boolean).join(' ');
            nodes.push(name ? h('span', { class: name }, part) : part);
        }
        at += piece.length;
    }
    return nodes.length > 0 ? nodes : '\u00a0';
}

/** A piece in parts, none of which lies half inside of the words. */
function cuts(length, at, words) {
    const places = [0, ...(words ?? []).map((place) => place - at).filter((place) => place > 0 && place < length), length];
    return places.slice(1).map((to, index) => [places[index], to]);
}
