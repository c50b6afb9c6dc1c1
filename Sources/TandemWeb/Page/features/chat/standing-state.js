/**
 * What this phone's account has: its conversations in the order of the list, requests, and how many messages were not read.
 *
 * @typedef {import('../../client/chat.js').Conversation} Conversation
 * @typedef {import('../../client/chat.js').StandingAnswer} StandingAnswer
 * @typedef {import('../../client/chat.js').Item} Item
 * @typedef {import('../../client/client.js').Failure} Failure
 * @typedef {Object} Standing
 * @property {'loading' | 'shown' | 'refused'} phase `refused`: nothing was ever answered, and `trouble` says why.
 * @property {string | null} account `signedOut`, `connecting`, `live` or `away`; null before the first answer.
 * @property {StandingAnswer['me']} me
 * @property {Object<string, Conversation>} rows By their ids, requests too.
 * @property {Conversation[]} list As it is shown: rule L1, without first messages that wait for an answer.
 * @property {Conversation[]} requests First messages of others, the newest first.
 * @property {number} unread Messages of conversations that are not muted.
 * @property {Object<string, number>} typing Conversations in which the other person writes, each with the number of the notice.
 * @property {number} notices
 * @property {number} turn The number of the last question.
 * @property {Item[] | null} heard What was told while it was asked; null while nothing is asked.
 * @property {Failure | null} trouble
 *
 * @typedef {{kind: 'asked'} | {kind: 'answered', turn: number, answer: StandingAnswer} | {kind: 'failed', turn: number, error: Failure}
 *   | {kind: 'told', item: Item} | {kind: 'quieted', conversation: string, notice: number}} StandingEvent
 * @typedef {{do: 'ask', turn: number} | {do: 'quietLater', conversation: string, notice: number}} StandingEffect
 */

/** @type {Standing} */
export const initial = {
    phase: 'loading', account: null, me: null, rows: {}, list: [], requests: [], unread: 0, typing: {}, notices: 0, turn: 0, heard: null, trouble: null,
};

/** When the newest message of a conversation came, in milliseconds since 1970. */
export function timeOf({ last }) { return last?.time ?? 0; }

/** The order of the list: pinned first, then the newest, then by id. Source: rule L1. */
export function compare(one, other) {
    return Number(other.isPinned) - Number(one.isPinned) || timeOf(other) - timeOf(one) || (one.id < other.id ? -1 : 1);
}

/**
 * @param {Standing} state
 * @param {StandingEvent} event
 * @returns {[Standing, ...(StandingEffect | false)[]]}
 */
export function change(state, event) {
    switch (event.kind) {
        case 'asked': return ask(state);
        case 'answered': return event.turn === state.turn ? answered(state, event.answer) : [state];
        case 'failed':
            if (event.turn !== state.turn || event.error.code === 'cancelled') return [state];
            return [{ ...state, phase: state.phase === 'shown' ? 'shown' : 'refused', heard: null, trouble: event.error }];
        case 'told': return told(state.heard ? { ...state, heard: [...state.heard, event.item] } : state, event.item);
        case 'quieted': return [state.typing[event.conversation] === event.notice ? quiet(state, event.conversation) : state];
        default: throw new TypeError(Object(event).kind);
    }
}

/**
 * @param {Standing} state
 * @returns {[Standing, StandingEffect]}
 */
function ask(state) {
    const turn = state.turn + 1;
    return [{ ...state, phase: state.phase === 'refused' ? 'loading' : state.phase, turn, heard: [] }, { do: 'ask', turn }];
}

/**
 * What was told meanwhile may be newer than the answer. Where it is older, what made the difference is told as well.
 *
 * @param {Standing} state
 * @param {StandingAnswer} answer
 * @returns {[Standing, ...(StandingEffect | false)[]]}
 */
function answered(state, { state: account, me, conversations }) {
    const rows = Object.fromEntries(conversations.map((row) => [row.id, row]));
    const { heard } = state;
    const next = arranged({ ...state, phase: 'shown', account, me, heard: null, trouble: null }, rows);
    return heard.reduce(([now, ...effects], item) => {
        const [after, ...more] = told(now, item);
        return [after, ...effects, ...more];
    }, [next]);
}

/**
 * @param {Standing} state
 * @param {Item} item
 * @returns {[Standing, ...(StandingEffect | false)[]]}
 */
function told(state, item) {
    if (item.reset) return ask(state);
    if (item.state) return stood(state, item.state);
    if (item.conversation) return [arranged(state, { ...state.rows, [item.conversation.id]: item.conversation })];
    if (item.hidden) return [arranged(state, without(state.rows, item.hidden))];
    if (item.typing) return typed(state, item.typing);
    // Who sent a message does not write it any more.
    if (item.message && !item.message.isMine) return [quiet(state, item.message.conversation)];
    return [state];
}

/**
 * Another account, or none, has other conversations.
 *
 * @returns {[Standing, ...(StandingEffect | false)[]]}
 */
function stood(state, account) {
    const isOther = account !== state.account && (account === 'signedOut' || state.account === 'signedOut');
    const next = { ...state, account };
    return isOther && state.phase === 'shown' ? ask(next) : [next];
}

/** @returns {[Standing, ...(StandingEffect | false)[]]} */
function typed(state, { conversation, isTyping }) {
    if (!isTyping) return [quiet(state, conversation)];
    const notice = state.notices + 1;
    return [{ ...state, notices: notice, typing: { ...state.typing, [conversation]: notice } }, { do: 'quietLater', conversation, notice }];
}

function quiet(state, conversation) {
    return state.typing[conversation] === undefined ? state : { ...state, typing: without(state.typing, conversation) };
}

function without(all, key) {
    const { [key]: _, ...others } = all;
    return others;
}

/** @returns {Standing} */
function arranged(state, rows) {
    const all = Object.values(rows);
    const isAsked = ({ request }) => request === 'incoming';
    return {
        ...state, rows,
        list: all.filter((row) => !isAsked(row)).sort(compare),
        requests: all.filter((row) => isAsked(row) && !row.isBlocked).sort((one, other) => timeOf(other) - timeOf(one) || (one.id < other.id ? -1 : 1)),
        unread: all.reduce((sum, row) => sum + (row.isMuted || isAsked(row) ? 0 : row.unread), 0),
    };
}
