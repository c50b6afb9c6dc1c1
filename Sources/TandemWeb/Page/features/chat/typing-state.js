/**
 * When the other person is told that something is being written: at the first letter, again while it goes on, and that it ended.
 *
 * @typedef {{isTold: boolean, toldAt: number}} Typing `toldAt` in milliseconds.
 * @typedef {{kind: 'typed', isEmpty: boolean, now: number} | {kind: 'rested'} | {kind: 'sent'}} TypingEvent
 * @typedef {{do: 'tell', on: boolean} | {do: 'restLater'}} TypingEffect
 */

/** It is told again after so long, in milliseconds: a receiver takes a notice to have ended a little later. */
const AGAIN = 4000;

/** @type {Typing} */
export const initial = { isTold: false, toldAt: 0 };

/**
 * @param {Typing} state
 * @param {TypingEvent} event
 * @returns {[Typing, ...(TypingEffect | false)[]]}
 */
export function change(state, event) {
    if (event.kind === 'typed' && !event.isEmpty) {
        const isDue = !state.isTold || event.now - state.toldAt >= AGAIN;
        return [isDue ? { isTold: true, toldAt: event.now } : state, isDue && { do: 'tell', on: true }, { do: 'restLater' }];
    }
    // A message says itself that it is not written any more.
    if (event.kind === 'sent') return [initial];
    return [initial, state.isTold && { do: 'tell', on: false }];
}
