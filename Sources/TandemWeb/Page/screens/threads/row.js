import { h, icon, relativeTime, safeText } from '../../components/index.js';
import { marked, said } from './text.js';
import { agentMark, agentName, folderName, stateWord, titleOf } from './words.js';

export const ROW = 78;
export const FOUND_ROW = 96;

/** A thread in the list. */
export function threadRow(thread, { href, isShown }) {
    return rowOf(thread, { href, isShown, kind: 'thread-row' }, [
        h('span', { class: 'row-detail dotted thread-row-facts' },
            h('span', { class: 'visually-hidden' }, agentName(thread.source)),
            thread.cwd && h('span', { class: 'dotted-part one-line' }, fact('folder', folderName(thread.cwd), thread.cwd)),
            thread.git_branch && h('span', { class: 'dotted-part one-line' }, fact('branch', thread.git_branch))),
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
            h('span', { class: 'thread-row-top' }, h('span', { class: 'thread-row-title one-line' }, titleOf(thread)), thread.last_message_ts ? h('span', { class: 'thread-row-time small soft' }, relativeTime(thread.last_message_ts, { isShort: true })) : null),
            h('span', { class: 'thread-row-low' }, details, withState && stateWord(thread.state))));
    if (isShown) element.setAttribute('aria-current', 'true');
    return element;
}

/** A folder with how many threads it has. */
export function folderRow({ cwd, count, updated_at: at }, { press, words }) {
    return h('button', { type: 'button', class: 'row-main thread-row folder-row', on: { click: press } },
        h('span', { class: 'row-lead' }, icon('folder', { size: 22 })),
        h('span', { class: 'row-words' },
            h('span', { class: 'thread-row-top' }, h('span', { class: 'thread-row-title one-line' }, safeText(folderName(cwd), { limit: 80 })), at ? h('span', { class: 'thread-row-time small soft' }, relativeTime(at, { isShort: true })) : null),
            h('span', { class: 'thread-row-low' }, said(cwd, { class: 'row-detail one-line' }), h('span', { class: 'small soft number' }, words(count)))),
        icon('chevron-right', { size: 18 }));
}

function fact(symbol, text, tip = text) {
    return h('span', { class: 'fact-of-row', title: String(tip).slice(0, 1000), data: { peer: '' } }, icon(symbol, { size: 14 }), safeText(text, { limit: 60 }));
}
