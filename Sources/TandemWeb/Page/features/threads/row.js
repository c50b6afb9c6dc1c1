import { h, icon, relativeTime, safeText } from '../../kit/index.js';
import { marked, said } from '../../kit/said.js';
import { agentMark, agentName, folderName, stateWord, titleOf } from './words.js';

/** What a row probably has: a line of title, and one of facts with what became of it. Each takes its own height. */
export const ROW = 70;
export const FOLDER_ROW = 78;
export const FOUND_ROW = 96;

/** The branch that most of the threads of each folder are on: what every row would say, none does. */
export function usualBranches(threads) {
    const counts = new Map();
    for (const { cwd, git_branch: branch } of threads) {
        if (!branch) continue;
        const of = counts.get(cwd) ?? new Map();
        counts.set(cwd, of.set(branch, (of.get(branch) ?? 0) + 1));
    }
    return new Map([...counts].map(([cwd, of]) => [cwd, [...of].reduce((most, each) => (each[1] > most[1] ? each : most))[0]]));
}

/**
 * A thread in the list.
 *
 * @param {Object} thread
 * @param {Object} options
 * @param {string} options.href
 * @param {boolean} [options.isShown]
 * @param {string | null} [options.usual] The branch that most threads of its folder are on.
 * @param {string | null} [options.computer] Its computer's name where there are several.
 */
export function threadRow(thread, { href, isShown, usual = null, computer = null }) {
    return rowOf(thread, { href, isShown, kind: 'thread-row' }, [
        h('span', { class: 'row-detail dotted thread-row-facts' },
            h('span', { class: 'visually-hidden' }, agentName(thread.source)),
            computer && h('span', { class: 'dotted-part one-line' }, fact('computer', computer)),
            thread.cwd && h('span', { class: 'dotted-part one-line' }, fact('folder', folderName(thread.cwd), thread.cwd)),
            thread.git_branch && thread.git_branch !== usual && h('span', { class: 'dotted-part one-line' }, fact('branch', thread.git_branch))),
    ]);
}

/** A thread in which a search found something. */
export function foundRow(found, { href, isShown }) {
    return rowOf(found.thread ?? {}, { href, isShown, kind: 'thread-row is-found-row', withState: false }, [
        h('span', { class: 'row-detail found-text', dir: 'auto', data: { peer: '' } }, marked(found.snippet, found.marks)),
    ]);
}

function rowOf(thread, { href, isShown, kind, withState = true }, details) {
    const element = h('a', { class: ['row-main', kind], href },
        agentMark(thread.source, thread.state),
        h('span', { class: 'row-words' },
            titleOf(thread, { class: `thread-row-title ${withState ? 'two-lines' : 'one-line'}` }),
            h('span', { class: 'thread-row-low' }, details,
                h('span', { class: 'thread-row-end' }, withState && stateWord(thread.state),
                    thread.last_message_ts ? h('span', { class: 'thread-row-time small soft' }, relativeTime(thread.last_message_ts, { isShort: true })) : null))));
    if (isShown) element.setAttribute('aria-current', 'true');
    return element;
}

/** A folder with how many threads it has. */
export function folderRow({ cwd, count, updated_at: at }, { press, words }) {
    return h('button', { type: 'button', class: 'row-main thread-row folder-row', on: { click: press } },
        h('span', { class: 'row-lead' }, icon('folder', { size: 22 })),
        h('span', { class: 'row-words' },
            h('span', { class: 'thread-row-top' }, safeText(folderName(cwd), { limit: 80, class: 'thread-row-title one-line' }), at ? h('span', { class: 'thread-row-time small soft' }, relativeTime(at, { isShort: true })) : null),
            h('span', { class: 'thread-row-low' }, said(cwd, { class: 'row-detail one-line' }), h('span', { class: 'small soft number' }, words(count)))),
        icon('chevron-right', { size: 18 }));
}

function fact(symbol, text, tip = text) {
    return h('span', { class: 'fact-of-row', title: String(tip).slice(0, 1000), data: { peer: '' } }, icon(symbol, { size: 14 }), safeText(text, { limit: 60 }));
}
