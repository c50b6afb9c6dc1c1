import { h, icon, part } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { missingAgent } from './missing.js';
import { beginning, said } from '../../kit/said.js';

/** How often a missing agent is looked for, in milliseconds. */
const LOOK = 10_000;

/**
 * Whether a thread's agent can be written to. A computer finds its agents only after it said what it has of the thread, and one may be installed
 * meanwhile: while the thread says no, its agents are asked for.
 *
 * @param {{threads: Object, thread: {source: string}, life: import('../../life.js').Life, about: () => Object | null, changed: () => void}} context
 */
export function agentThere({ threads, thread, life, about, changed }) {
    let agent = null;
    /** Kept while it says the same, so that what a person opened in it stays open. */
    let line = null;
    const missing = () => {
        if (line?.reason !== agent.reason) line = { reason: agent.reason, element: missingAgent(agent) };
        return line.element;
    };
    const isThere = () => about()?.can_post !== false || agent?.can_post === true;
    const look = async () => {
        if (isThere()) return;
        const { agents = [] } = await threads.agents({ signal: life.signal }).catch(() => ({}));
        if (life.hasEnded) return;
        agent = agents.find(({ source }) => source === thread.source) ?? null;
        changed();
    };
    life.every(LOOK, look);
    return {
        look,
        /** Why nothing can be written, where it cannot. */
        note: () => (isThere() ? null : agent?.is_installed === false ? missing() : h('div', { class: 'small soft composer-note' }, icon('info', { size: 18 }),
            h('div', null, h('p', null, t('threads.cannotPost')), typeof agent?.reason === 'string' && said(beginning(agent.reason, 500), { tag: 'p' })))),
    };
}

/**
 * Why the last turn of a thread failed, where the thread itself does not say it.
 *
 * @returns {HTMLElement & {update(thread: Object | null, last: Object | undefined): void}}
 */
export function endedNote() {
    const element = h('div', { class: 'ended', role: 'status', hidden: true });
    let drawn = '';
    const update = (thread, last) => {
        const reason = thread?.state === 'failed' && typeof thread.reason === 'string' ? thread.reason : '';
        element.hidden = !reason || (last?.kind === 'notice' && last.notice === 'error' && last.text === reason);
        if (element.hidden || drawn === reason) return;
        drawn = reason;
        element.replaceChildren(h('div', { class: 'notice is-bad' }, icon('warning', { size: 18 }),
            h('div', { class: 'notice-words' }, h('span', { class: 'notice-name' }, t('threads.state.failed')), said(beginning(reason, 2000), { tag: 'div', class: 'notice-text' }))));
    };
    return part(element, { update });
}
