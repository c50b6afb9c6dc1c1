import { chip, h, icon, safeText } from '../../kit/first.js';
import { hasText, t } from '../../i18n/index.js';

const SYMBOLS = { codex: 'codex', claude_code: 'claude' };
const STATES = {
    running: { kind: 'busy', symbol: 'activity' }, approval: { kind: 'warn', symbol: 'shield' }, input: { kind: 'warn', symbol: 'question' },
    done: { kind: 'good', symbol: 'check' }, failed: { kind: 'bad', symbol: 'warning' },
};

/**
 * The name of an agent: of those that are known the page's, else what the computer calls it.
 *
 * @returns {string | Node}
 */
export function agentName(source, name) {
    const key = `threads.agent.${source}`;
    if (hasText(key)) return t(key);
    return safeText(name || String(source ?? '').replace(/^acp:/, ''), { limit: 60 });
}

export function agentIcon(source, options) { return icon(SYMBOLS[source] ?? 'agent', options); }

/** An agent's symbol with the thread's state as a dot. */
export function agentMark(source, state) {
    return h('span', { class: ['agent-mark', `is-${STATES[state] ? state : 'idle'}`] }, agentIcon(source, { size: 20 }), h('span', { class: 'agent-dot' }));
}

/** The state of a thread in a word; none for one that rests. */
export function stateChip(state) {
    const known = STATES[state];
    return known ? chip(t(`threads.state.${state}`), known.kind, known.symbol) : null;
}

/** The same where there is little room: the colour and the word. */
export function stateWord(state) {
    const known = STATES[state];
    return known ? h('span', { class: `state-word ${known.kind}` }, t(`threads.state.${state}`)) : null;
}

/** The last part of a path. */
export function folderName(path) {
    return String(path ?? '').split(/[\\/]/).filter(Boolean).at(-1) ?? String(path ?? '');
}

/** A thread's title, which may be missing. */
export function titleOf(thread, { class: own = '' } = {}) {
    return thread?.title ? safeText(thread.title, { limit: 200, class: own }) : h('span', { class: ['soft', own] }, t('threads.untitled'));
}
