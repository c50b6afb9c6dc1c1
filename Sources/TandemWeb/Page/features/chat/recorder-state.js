/**
 * A voice note while it is spoken: held, or begun by a short press and ended by another. Source: rule C10.
 *
 * @typedef {Object} Recording
 * @property {'idle' | 'asking' | 'recording'} phase `asking`: the browser asks for the microphone.
 * @property {boolean} isHeld
 * @property {boolean} willCancel The finger is so far away that letting go throws it away.
 * @property {number} pressedAt In milliseconds.
 * @property {number} turn
 *
 * @typedef {{kind: 'pressed', now: number} | {kind: 'moved', by: number} | {kind: 'released', now: number} | {kind: 'began', turn: number}
 *   | {kind: 'refused', turn: number, error: Error} | {kind: 'cancelled'} | {kind: 'finished'} | {kind: 'left'}} RecordingEvent `moved`: so far
 *   to the side where it is cancelled, in pixels; `finished`: by a press, or because it is as long as one may be.
 * @typedef {{do: 'begin', turn: number} | {do: 'end', isKept: boolean} | {do: 'say', error: Error}} RecordingEffect
 */

/** A press that is shorter begins a recording that goes on without being held, in milliseconds. */
const SHORT = 400;
/** In pixels. */
const AWAY = 90;

/** @type {Recording} */
export const initial = { phase: 'idle', isHeld: false, willCancel: false, pressedAt: 0, turn: 0 };

/**
 * @param {Recording} state
 * @param {RecordingEvent} event
 * @returns {[Recording, ...(RecordingEffect | false)[]]}
 */
export function change(state, event) {
    switch (event.kind) {
        case 'pressed': {
            // One that goes on by itself is ended by the next press.
            if (state.phase === 'recording') return ended(state, true);
            if (state.phase !== 'idle') return [state];
            const turn = state.turn + 1;
            return [{ phase: 'asking', isHeld: true, willCancel: false, pressedAt: event.now, turn }, { do: 'begin', turn }];
        }
        case 'moved': return [state.isHeld ? { ...state, willCancel: event.by > AWAY } : state];
        case 'released':
            if (!state.isHeld) return [state];
            if (state.willCancel) return ended(state, false);
            if (event.now - state.pressedAt < SHORT) return [{ ...state, isHeld: false }];
            // The browser's question took the finger away: nothing was said yet.
            return state.phase === 'asking' ? ended(state, false) : ended(state, true);
        case 'began': return event.turn === state.turn && state.phase === 'asking' ? [{ ...state, phase: 'recording' }] : [state, { do: 'end', isKept: false }];
        case 'refused': return event.turn === state.turn ? [{ ...initial, turn: state.turn }, { do: 'say', error: event.error }] : [state];
        case 'finished': return state.phase === 'recording' ? ended(state, true) : [state];
        case 'cancelled':
        case 'left': return state.phase === 'idle' ? [state] : ended(state, false);
        default: throw new TypeError(Object(event).kind);
    }
}

/** @returns {[Recording, RecordingEffect]} */
function ended(state, isKept) { return [{ ...initial, turn: state.turn }, { do: 'end', isKept }]; }

/**
 * The heights of a recording, of 0 to 100, as many as a voice note may have.
 *
 * @param {number[]} levels The loudest of each moment, of 0 to 1.
 * @param {number} [most]
 */
export function waveformOf(levels, most = 64) {
    const bars = Math.min(most, levels.length);
    const loudest = Math.max(0.05, ...levels);
    return Array.from({ length: bars }, (_, at) => {
        const part = levels.slice(Math.floor((at * levels.length) / bars), Math.max(Math.floor(((at + 1) * levels.length) / bars), Math.floor((at * levels.length) / bars) + 1));
        return Math.round((Math.max(...part) / loudest) * 100);
    });
}
