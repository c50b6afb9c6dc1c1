/**
 * The people of a hub as the page knows them. They come page by page; a list that is asked for again takes the place of the one before once it
 * is whole, and the first one is shown as it comes.
 *
 * @typedef {Control['accounts.list']['answer']['users'][number]} User
 * @typedef {{turn: number, all: User[] | null, found: User[], total: number, wanted: string, error: Object | null}} State
 * @type {State}
 */
export const initial = { turn: 0, all: null, found: [], total: 0, wanted: '', error: null };

/**
 * @param {State} state
 * @param {Object} event
 * @returns {[State, ...any[]]}
 */
export function change(state, event) {
    switch (event.kind) {
        case 'asked': return [{ ...state, turn: state.turn + 1, found: [] }, { do: 'ask', turn: state.turn + 1, after: null }];
        case 'page': return event.turn === state.turn ? paged(state, event.answer) : [state];
        case 'failed': return [event.turn === state.turn ? { ...state, error: event.error } : state];
        case 'typed': return [{ ...state, wanted: event.text.trim().toLowerCase() }];
        default: return [state];
    }
}

/** @returns {[State, ...any[]]} */
function paged(state, { users, total, next }) {
    const found = [...state.found, ...users];
    const isShown = next === undefined || state.all === null || state.all.length < found.length;
    return [
        { ...state, found, total, error: null, all: isShown ? found : state.all },
        next !== undefined && { do: 'ask', turn: state.turn, after: next },
    ];
}

/** Those that have all wanted words in a name or the id. */
export function fitting({ all, wanted }) {
    if (!wanted) return all ?? [];
    const words = wanted.split(/\s+/);
    return (all ?? []).filter(({ nickname, name, userID }) => {
        const text = `${nickname} ${name} ${userID}`.toLowerCase();
        return words.every((word) => text.includes(word));
    });
}
