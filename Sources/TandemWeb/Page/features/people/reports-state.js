/** Reports of one answer. */
export const PAGE = 100;
/** Reports that are shown more at a press: each has buttons of its own. */
export const STEP = 20;

/**
 * What people reported, the open ones or those that were looked at, the newest first.
 *
 * @typedef {Control['chat.reports']['answer']['reports'][number]} Report
 * @typedef {{part: 'open' | 'closed', turn: number, reports: Report[] | null, shown: number, isEnd: boolean, isAsking: boolean, error: Object | null, names: Object<string, string | null>}} State
 *   `names` of people by their ids; null while they are asked for, and for those who are gone.
 * @type {State}
 */
export const initial = { part: 'open', turn: 0, reports: null, shown: STEP, isEnd: true, isAsking: false, error: null, names: {} };

/**
 * @param {State} state
 * @param {Object} event
 * @returns {[State, ...any[]]}
 */
export function change(state, event) {
    switch (event.kind) {
        case 'asked': return asked(state);
        case 'parted': return event.part === state.part ? [state] : asked({ ...state, part: event.part, reports: null, shown: STEP, isEnd: true });
        case 'more': return more(state);
        case 'page': return event.turn === state.turn ? paged(state, event) : [state];
        case 'failed': return [event.turn === state.turn ? { ...state, isAsking: false, error: event.error } : state];
        case 'closed': return [{ ...state, reports: state.reports?.filter(({ id }) => id !== event.id) ?? null }, { do: 'recount' }];
        case 'named': return [{ ...state, names: { ...state.names, [event.user]: event.name } }];
        default: return [state];
    }
}

/**
 * Shows those that came already, and asks for older ones once these are few.
 *
 * @returns {[State, ...any[]]}
 */
function more(state) {
    const next = { ...state, shown: state.shown + STEP };
    const last = state.reports?.at(-1);
    return state.isAsking || state.isEnd || !last || state.reports.length > next.shown ? [next] : asked(next, last.id);
}

/** Whether there are others than those that are shown. */
export function hasMore({ reports, shown, isEnd }) { return !isEnd || (reports?.length ?? 0) > shown; }

/** @returns {[State, ...any[]]} */
function asked(state, before = undefined) {
    const turn = state.turn + 1;
    const params = { ...(before !== undefined && { before }), ...(state.part === 'closed' && { all: true }) };
    return [{ ...state, turn, isAsking: true, error: null }, { do: 'ask', turn, params }];
}

/** @returns {[State, ...any[]]} */
function paged(state, { reports, before }) {
    const own = reports.filter(({ closedAt }) => (closedAt !== undefined) === (state.part === 'closed'));
    const all = before === undefined ? own : [...(state.reports ?? []), ...own];
    const people = [...new Set(own.flatMap(({ reporter, reported }) => [reporter, reported]))].filter((user) => user !== undefined && !(user in state.names));
    const names = { ...state.names, ...Object.fromEntries(people.map((user) => [user, null])) };
    return [{ ...state, isAsking: false, isEnd: reports.length < PAGE, reports: all, names }, people.length > 0 && { do: 'name', people }];
}
