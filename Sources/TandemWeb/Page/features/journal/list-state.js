/**
 * A list of stories: all of them, those of a category or of a time, those in which a search finds something, or the deleted ones.
 *
 * @typedef {import('../../client/journal.js').StoryEntry} StoryEntry
 * @typedef {import('../../client/client.js').Failure} Failure
 * @typedef {{words: string, category: string | null, until: number | null, isDeleted: boolean}} Query `until` in milliseconds since 1970.
 * @typedef {Object} Listed
 * @property {Query} query
 * @property {'idle' | 'asking' | 'shown' | 'failed'} phase What was found for another query stays while one is asked.
 * @property {StoryEntry[]} stories The newest first.
 * @property {string | null} next Where the next answer begins; null at the end.
 * @property {boolean} isAsking Also for more, and for what changed.
 * @property {boolean} isStale Something changed while it was asked.
 * @property {number} turn
 * @property {Failure | null} trouble
 *
 * @typedef {{kind: 'queried', query: Query} | {kind: 'retried'} | {kind: 'told'} | {kind: 'neared'}
 *   | {kind: 'answered', turn: number, isMore: boolean, stories: StoryEntry[], next: string | null} | {kind: 'failed', turn: number, error: Failure}} ListEvent
 * @typedef {{do: 'ask', turn: number, query: Query, before: string | null, count: number}} ListEffect `count` is how many are wanted, in as many answers as
 *   that takes.
 */

/** Stories of one answer, and so many are asked for anew where something changed; those behind come again when they are near. */
const PAGE = 50;
const MOST = 2000;

/** @type {Listed} */
export const initial = {
    query: { words: '', category: null, until: null, isDeleted: false }, phase: 'idle', stories: [], next: null, isAsking: false, isStale: false, turn: 0, trouble: null,
};

/** Whether all stories are asked for. */
export function isEverything({ words, category, until }) { return !words && !category && until === null; }

/**
 * @param {Listed} state
 * @param {ListEvent} event
 * @returns {[Listed, ...ListEffect[]]}
 */
export function change(state, event) {
    switch (event.kind) {
        case 'queried':
            if (state.phase !== 'idle' && isSame(state.query, event.query)) return [state];
            return ask({ ...state, query: event.query, phase: 'asking' }, PAGE);
        case 'retried': return ask({ ...state, phase: state.phase === 'failed' ? 'asking' : state.phase }, wanted(state));
        case 'told':
            if (state.phase === 'idle') return [state];
            if (state.isAsking) return [{ ...state, isStale: true }];
            return ask(state, wanted(state));
        case 'neared':
            if (state.phase !== 'shown' || state.isAsking || state.next === null || state.trouble) return [state];
            return [{ ...state, isAsking: true }, { do: 'ask', turn: state.turn, query: state.query, before: state.next, count: PAGE }];
        case 'answered': return answered(state, event);
        case 'failed':
            if (event.turn !== state.turn || event.error.code === 'cancelled') return [state];
            // What is shown stays, with what is the matter above it.
            return [{ ...state, phase: state.phase === 'asking' ? 'failed' : state.phase, isAsking: false, isStale: false, trouble: event.error }];
        default: throw new TypeError(Object(event).kind);
    }
}

/**
 * @param {Listed} state
 * @param {{turn: number, isMore: boolean, stories: StoryEntry[], next: string | null}} event
 * @returns {[Listed, ...ListEffect[]]}
 */
function answered(state, { turn, isMore, stories, next }) {
    if (turn !== state.turn) return [state];
    const known = new Set(isMore ? state.stories.map(({ id }) => id) : []);
    // One that was moved meanwhile may be told twice.
    const all = isMore ? [...state.stories, ...stories.filter(({ id }) => !known.has(id))] : stories;
    /** @type {Listed} */
    const shown = { ...state, phase: 'shown', stories: all, next, isAsking: false, isStale: false, trouble: null };
    return state.isStale ? ask(shown, wanted(shown)) : [shown];
}

/**
 * @param {Listed} state
 * @param {number} count
 * @returns {[Listed, ListEffect]}
 */
function ask(state, count) {
    const turn = state.turn + 1;
    return [{ ...state, turn, isAsking: true, isStale: false }, { do: 'ask', turn, query: state.query, before: null, count }];
}

function wanted({ stories }) { return Math.min(MOST, Math.max(PAGE, stories.length)); }

function isSame(one, other) {
    return one.words === other.words && one.category === other.category && one.until === other.until && one.isDeleted === other.isDeleted;
}
