/**
 * A computer's board as the page knows it: what was read of it, what is told from then on, and a line that is being written.
 *
 * @typedef {{number: number, artist: string, shape: string}} Stroke
 * @typedef {{epoch: string, after: number, strokes: Stroke[], isEnd: boolean}} Page
 * @typedef {import('/client/client.js').Failure} Failure
 * @typedef {Object} Board
 * @property {'loading' | 'shown' | 'refused'} phase `refused`: `trouble` says why nothing can be shown.
 * @property {string | null} epoch Begins anew each time that the board is wiped; null before the first answer.
 * @property {Stroke[]} strokes Numbered from 1 without a gap.
 * @property {number} turn The number of the last question.
 * @property {boolean} isAsking The last question is not answered yet.
 * @property {{epoch: string, number: number} | null} heard What was told while it was asked, and does not go on from what is known.
 * @property {Failure | null} trouble
 * @property {'idle' | 'writing' | 'failed'} line What becomes of the line that is written; `unwritten` says why it failed.
 * @property {Failure | null} unwritten
 *
 * @typedef {{kind: 'asked'} | {kind: 'answered', turn: number, page: Page} | {kind: 'failed', turn: number, error: Failure}
 *   | {kind: 'told', epoch: string, stroke: Stroke} | {kind: 'wiped', epoch: string} | {kind: 'forbidden', error: Failure}
 *   | {kind: 'entered', shape: string} | {kind: 'written', stroke: Stroke} | {kind: 'unwritten', error: Failure}} BoardEvent
 * @typedef {{do: 'ask', turn: number, epoch: string | null, after: number} | {do: 'write', shape: string} | {do: 'clear'}} BoardEffect
 */

/** Bytes of a line at most, as the computer takes them. */
const LIMIT = 200;

/** @type {Board} */
export const initial = { phase: 'loading', epoch: null, strokes: [], turn: 0, isAsking: false, heard: null, trouble: null, line: 'idle', unwritten: null };

/** Whether a line is longer than the computer takes. */
export function isTooLong(shape) { return new TextEncoder().encode(shape).length > LIMIT; }

/**
 * @param {Board} state
 * @param {BoardEvent} event
 * @returns {[Board, ...(BoardEffect | false)[]]}
 */
export function change(state, event) {
    switch (event.kind) {
        case 'asked': return ask(state);
        case 'answered': return event.turn === state.turn ? answered({ ...state, isAsking: false }, event.page) : [state];
        case 'failed': {
            if (event.turn !== state.turn || event.error.code === 'cancelled') return [state];
            const isShown = state.phase === 'shown' && event.error.code !== 'not-allowed';
            return [{ ...state, phase: isShown ? 'shown' : 'refused', isAsking: false, trouble: event.error }];
        }
        case 'told': return told(state, event.epoch, event.stroke);
        // An older wiping may be told behind a newer answer: the next answer says which board it is.
        case 'wiped': return event.epoch === state.epoch ? [state] : ask(state);
        // What is answered after this is not shown any more.
        case 'forbidden': return [{ ...state, phase: 'refused', turn: state.turn + 1, isAsking: false, trouble: event.error }];
        case 'entered': {
            const shape = event.shape.trim();
            if (state.line === 'writing' || !shape || isTooLong(shape)) return [state];
            return [{ ...state, line: 'writing', unwritten: null }, { do: 'write', shape }];
        }
        case 'written': {
            // It names no board: one that was wiped meanwhile is told to be, and asked for.
            const [next, ...effects] = told(state, state.epoch, event.stroke);
            return [{ ...next, line: 'idle' }, { do: 'clear' }, ...effects];
        }
        case 'unwritten': {
            if (event.error.code !== 'not-allowed') return [{ ...state, line: 'failed', unwritten: event.error }];
            return [{ ...state, line: 'idle', phase: 'refused', trouble: event.error }];
        }
        default: throw new TypeError(Object(event).kind);
    }
}

/**
 * @param {Board} state
 * @returns {[Board, BoardEffect]}
 */
function ask(state) {
    const turn = state.turn + 1;
    const phase = state.phase === 'refused' ? 'loading' : state.phase;
    return [{ ...state, phase, turn, isAsking: true, heard: null }, { do: 'ask', turn, epoch: state.epoch, after: state.strokes.length }];
}

/**
 * @param {Board} state
 * @param {Page} page
 * @returns {[Board, ...BoardEffect[]]}
 */
function answered(state, page) {
    const former = page.epoch === state.epoch ? state.strokes : [];
    const strokes = page.strokes.reduce((all, stroke) => (stroke.number === all.length + 1 ? [...all, stroke] : all), former);
    /** @type {Board} */
    const next = { ...state, phase: 'shown', epoch: page.epoch, strokes, trouble: null };
    const { heard } = state;
    const isBehind = heard !== null && (heard.epoch !== page.epoch || heard.number > strokes.length);
    const goesOn = !page.isEnd && page.strokes.length > 0;
    return isBehind || goesOn ? ask(next) : [next];
}

/**
 * News that go on from what is known are taken, and only behind a gap it is asked for.
 *
 * @param {Board} state
 * @param {string | null} epoch
 * @param {Stroke} stroke
 * @returns {[Board, ...BoardEffect[]]}
 */
function told(state, epoch, stroke) {
    const isSame = epoch !== null && epoch === state.epoch;
    if (isSame && stroke.number <= state.strokes.length) return [state];
    if (isSame && stroke.number === state.strokes.length + 1) return [{ ...state, strokes: [...state.strokes, stroke] }];
    return state.isAsking ? [{ ...state, heard: { epoch, number: stroke.number } }] : ask(state);
}
