/**
 * A search for messages by their words.
 *
 * @typedef {import('../../client/chat.js').Message} Message
 * @typedef {import('../../client/client.js').Failure} Failure
 * @typedef {Object} Search
 * @property {string} words Without spaces around them; empty for no search.
 * @property {'idle' | 'asking' | 'answered' | 'failed'} phase
 * @property {Message[]} messages The newest first.
 * @property {string | null} next Where the next answer begins; null for none.
 * @property {boolean} isAskingMore
 * @property {number} turn
 * @property {Failure | null} trouble
 *
 * @typedef {{kind: 'typed', text: string} | {kind: 'retried'} | {kind: 'neared'} | {kind: 'answered', turn: number, messages: Message[], next: string | null}
 *   | {kind: 'failed', turn: number, error: Failure}} SearchEvent
 * @typedef {{do: 'ask', turn: number, words: string, before: string | null}} SearchEffect
 */

/** @type {Search} */
export const initial = { words: '', phase: 'idle', messages: [], next: null, isAskingMore: false, turn: 0, trouble: null };

/**
 * @param {Search} state
 * @param {SearchEvent} event
 * @returns {[Search, ...SearchEffect[]]}
 */
export function change(state, event) {
    switch (event.kind) {
        case 'typed': {
            const words = event.text.trim();
            if (words === state.words) return [state];
            if (words === '') return [{ ...initial, turn: state.turn + 1 }];
            return ask({ ...state, words });
        }
        case 'retried': return state.words ? ask(state) : [state];
        case 'neared':
            if (state.phase !== 'answered' || state.next === null || state.isAskingMore) return [state];
            return [{ ...state, isAskingMore: true }, { do: 'ask', turn: state.turn, words: state.words, before: state.next }];
        case 'answered': {
            if (event.turn !== state.turn) return [state];
            const known = state.isAskingMore ? state.messages : [];
            return [{ ...state, phase: 'answered', messages: [...known, ...event.messages], next: event.next, isAskingMore: false, trouble: null }];
        }
        case 'failed':
            if (event.turn !== state.turn || event.error.code === 'cancelled') return [state];
            // What was found stays; there is no more of it.
            if (state.isAskingMore) return [{ ...state, isAskingMore: false, next: null, trouble: event.error }];
            return [{ ...state, phase: 'failed', trouble: event.error }];
        default: throw new TypeError(Object(event).kind);
    }
}

/**
 * What another search found stays until this one is answered.
 *
 * @param {Search} state
 * @returns {[Search, SearchEffect]}
 */
function ask(state) {
    const turn = state.turn + 1;
    return [{ ...state, phase: 'asking', isAskingMore: false, turn, trouble: null }, { do: 'ask', turn, words: state.words, before: null }];
}
