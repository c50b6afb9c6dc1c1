/** What the address says of the list. */
export const FILTERS = ['view', 'agent', 'folder', 'archived', 'all', 'find'];

/**
 * The list of a computer's threads: what its address asks for, and which of the answers is shown.
 *
 * @typedef {'threads' | 'folders' | 'found'} Kind
 * @typedef {Object} List
 * @property {Object<string, string>} query Of the address: `FILTERS`, and `source`, `thread` and `item` of what is read.
 * @property {Kind} lists What is listed. Places that a search found take the place of others once they are there, the others at once.
 * @property {boolean} isOpen Something was answered: the list may be seen.
 * @property {number} turn The number of the last question.
 *
 * @typedef {{kind: 'asked'} | {kind: 'addressed', query: Object<string, string>} | {kind: 'answered', turn: number, lists: Kind, answer: any}
 *   | {kind: 'failed', turn: number, error: Object} | {kind: 'changed'} | {kind: 'reconnected'}} ListEvent `changed`: the threads did.
 * @typedef {{do: 'ask', lists: Kind, turn: number} | {do: 'draw', lists: Kind, answer?: any} | {do: 'mark'} | {do: 'refresh'}
 *   | {do: 'sayFailed', error: Object, isRefused: boolean}} ListEffect `mark`: only which of the rows is read is another.
 */

/** @returns {List} */
export function initialOf(query) { return { query, lists: 'threads', isOpen: false, turn: 0 }; }

/**
 * @param {List} state
 * @param {ListEvent} event
 * @returns {[List, ...ListEffect[]]}
 */
export function change(state, event) {
    switch (event.kind) {
        case 'asked': return ask(state);
        case 'addressed': {
            const next = { ...state, query: event.query };
            const isSame = FILTERS.every((name) => (event.query[name] ?? null) === (state.query[name] ?? null));
            return isSame ? [next, { do: 'mark' }] : ask(next);
        }
        case 'answered': {
            // The last answer counts, not the slowest.
            if (event.turn !== state.turn) return [state];
            return [{ ...state, isOpen: true, lists: event.lists }, { do: 'draw', lists: event.lists, answer: event.answer }];
        }
        case 'failed': {
            if (event.turn !== state.turn || event.error.code === 'cancelled') return [state];
            return [state, { do: 'sayFailed', error: event.error, isRefused: !state.isOpen }];
        }
        case 'changed': return [state, showsThreads(state) && { do: 'draw', lists: 'threads' }];
        case 'reconnected': {
            if (showsThreads(state)) return [state, { do: 'refresh' }];
            return state.isOpen ? [state] : ask(state);
        }
        default: throw new TypeError(Object(event).kind);
    }
}

/** Whether threads themselves are listed: neither folders nor places that a search found. */
export function showsThreads({ isOpen, lists }) { return isOpen && lists === 'threads'; }

/**
 * How the threads are narrowed down, as they are asked for.
 *
 * @param {Object<string, string>} query Of the address.
 */
export function filterOf({ agent, folder, archived, all }) {
    return { ...(agent && { source: agent }), ...(folder && { cwd: folder }), ...(archived && { archived: true }), ...(all && { all: true }) };
}

/** What of an address stays while threads are opened from the list. */
export function keptOf(query) { return Object.fromEntries(Object.entries(query).filter(([name]) => FILTERS.includes(name))); }

/**
 * @param {List} state
 * @returns {[List, ...ListEffect[]]}
 */
function ask(state) {
    const { find, view, folder } = state.query;
    const wanted = find ? 'found' : view === 'folders' && !folder ? 'folders' : 'threads';
    const turn = state.turn + 1;
    return [{ ...state, turn, lists: find ? state.lists : wanted }, { do: 'ask', lists: wanted, turn }];
}
