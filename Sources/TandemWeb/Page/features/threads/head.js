import { h, icon } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { beginning, visible } from '../../kit/said.js';
import { agentMark, agentName, folderName, stateChip, stateWord, titleOf } from './words.js';

/** The head of a thread: the way back to the list, its title, its agent, folder, branch and state. */
export function threadHead({ back }) {
    const mark = h('span', { class: 'thread-mark' });
    const title = h('h2', { class: 'thread-title', tabIndex: -1 }, t('threads.conversation'));
    const facts = h('div', { class: 'thread-facts small soft dotted' });
    const state = h('div', { class: 'thread-state', role: 'status' });
    const element = h('header', { class: 'thread-head' },
        h('a', { class: 'icon-button quiet thread-back', href: back, title: t('threads.toList'), aria: { label: t('threads.toList') } }, icon('chevron-left')),
        mark, h('div', { class: 'thread-words' }, title, facts), state);
    let drawn = '';
    return {
        element,
        update: (thread) => {
            const now = JSON.stringify([thread?.title, thread?.source, thread?.cwd, thread?.git_branch, thread?.model, thread?.state]);
            if (!thread || now === drawn) return;
            drawn = now;
            mark.replaceChildren(agentMark(thread.source, thread.state));
            title.replaceChildren(titleOf(thread));
            const part = (symbol, text, tip = text) => text && h('span', { class: ['dotted-part', 'thread-fact', !symbol && 'only-wide'], title: visible(beginning(tip, 1000)), data: { peer: '' } }, symbol && icon(symbol, { size: 14 }), h('span', { class: 'one-line' }, visible(beginning(text, 80))));
            facts.replaceChildren(...[
                stateWord(thread.state) && h('span', { class: 'dotted-part only-narrow', aria: { hidden: true } }, stateWord(thread.state)),
                h('span', { class: 'dotted-part only-wide' }, agentName(thread.source)), part('folder', thread.cwd && folderName(thread.cwd), thread.cwd),
                part('branch', thread.git_branch), part(null, thread.model),
            ].filter(Boolean));
            state.replaceChildren(...[stateChip(thread.state)].filter(Boolean));
        },
    };
}
