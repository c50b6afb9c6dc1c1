/**
 * A list of notifications: what its address asks for, and whether it may be seen.
 *
 * @typedef {{unread: boolean, words: string, app: string}} Filter
 * @typedef {Object} List
 * @property {Filter} filter
 * @property {boolean} isOpen Something was answered: the list may be seen.
 * @property {number} turn The number of the last question.
 *
 * @typedef {{kind: 'asked'} | {kind: 'narrowed', filter: Partial<Filter>} | {kind: 'addressed', filter: Filter} | {kind: 'answered', turn: number}
 *   | {kind: 'failed', error: Object, turn?: number} | {kind: 'changed', isTold?: boolean} | {kind: 'refused'}} ListEvent `narrowed`: the person did;
 *   `failed`: the question of that turn, or else what keeps the list up to date; `changed`: the notifications did, and with `isTold` by no answer; `refused`: they may not be seen.
 * @typedef {{do: 'ask', turn: number} | {do: 'goTo'} | {do: 'showFilter'} | {do: 'sayUpToDate'} | {do: 'draw', isNews: boolean, isTold?: boolean}
 *   | {do: 'sayStale', error: Object} | {do: 'refuse', error: Object}} ListEffect `goTo`: the address of the filter; `isNews`: what is shown changed by itself.
 */

/** @returns {List} */
export function initialOf(filter) { return { filter, isOpen: false, turn: 0 }; }

/**
 * @param {List} state
 * @param {ListEvent} event
 * @returns {[List, ...ListEffect[]]}
 */
export function change(state, event) {
    switch (event.kind) {
        case 'asked': return ask(state);
        case 'narrowed': return ask({ ...state, filter: { ...state.filter, ...event.filter } }, { do: 'goTo' });
        case 'addressed': {
            const isSame = JSON.stringify(event.filter) === JSON.stringify(state.filter);
            return isSame ? [state] : ask({ ...state, filter: event.filter }, { do: 'showFilter' });
        }
        // The last answer counts, not the slowest.
        case 'answered': return event.turn === state.turn ? [{ ...state, isOpen: true }, { do: 'sayUpToDate' }, { do: 'draw', isNews: false }] : [state];
        case 'failed': {
            const { error, turn = state.turn } = event;
            return [state, turn === state.turn && error.code !== 'cancelled' && { do: state.isOpen ? 'sayStale' : 'refuse', error }];
        }
        case 'changed': return state.isOpen ? [state, { do: 'draw', isNews: true, ...(event.isTold && { isTold: true }) }] : [state];
        case 'refused': return [{ ...state, isOpen: false }];
        default: throw new TypeError(Object(event).kind);
    }
}

/** What the address says of it. */
export function filterOf(query) { return { unread: query.get('unread') === '1', words: query.get('find') ?? '', app: query.get('app') ?? '' }; }

/** The filter, for the address. */
export function keptOf({ unread, words, app }) { return { find: words, unread: unread ? '1' : null, app }; }

export function isFiltered({ unread, words, app }) { return Boolean(unread || words || app); }

/**
 * @param {List} state
 * @param {ListEffect[]} before
 * @returns {[List, ...ListEffect[]]}
 */
function ask(state, ...before) {
    const turn = state.turn + 1;
    return [{ ...state, turn }, ...before, { do: 'ask', turn }];
}
