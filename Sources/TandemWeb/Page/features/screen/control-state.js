/**
 * Whether this page controls a computer.
 *
 * @typedef {Object} Controlling
 * @property {'off' | 'opening' | 'on'} phase
 * @property {string | null} session Of the control that is open.
 *
 * @typedef {{kind: 'switched', isOn: boolean, takeOver?: boolean} | {kind: 'opened', answer: Object} | {kind: 'failed', error: Object} | {kind: 'ended', session: string, cause: string, by?: string}
 *   | {kind: 'lost', error: Object} | {kind: 'asked', seconds: number} | {kind: 'left'}} ControllingEvent `asked`: the person at the computer has to say yes first. `lost`: the right was taken back.
 * @typedef {{do: 'open', takeOver: boolean} | {do: 'close', session: string} | {do: 'begin', facts: Object} | {do: 'end'} | {do: 'offerTakeOver', by: string}
 *   | {do: 'sayAsked', seconds: number} | {do: 'sayFailed', error: Object} | {do: 'sayEnded', cause: string, by?: string}} ControllingEffect
 */

/** @type {Controlling} */
export const initial = { phase: 'off', session: null };
const off = initial;

/**
 * @param {Controlling} state
 * @param {ControllingEvent} event
 * @returns {[Controlling, ...(ControllingEffect | false)[]]}
 */
export function change(state, event) {
    const isOn = state.phase === 'on';
    switch (event.kind) {
        case 'switched':
            if (event.isOn) return state.phase === 'off' ? [{ phase: 'opening', session: null }, { do: 'open', takeOver: event.takeOver === true }] : [state];
            return [off, { do: 'end' }, isOn && { do: 'close', session: state.session }];
        case 'opened':
            // It came after the person had turned it off, or left: nobody may be left with a control that no one holds.
            if (state.phase !== 'opening') return [state, event.answer.sessionId && { do: 'close', session: event.answer.sessionId }];
            if (!event.answer.sessionId) return [off, { do: 'end' }, { do: 'offerTakeOver', by: event.answer.by ?? '' }];
            return [{ phase: 'on', session: event.answer.sessionId }, { do: 'begin', facts: event.answer }];
        case 'asked': return [state, state.phase === 'opening' && { do: 'sayAsked', seconds: event.seconds }];
        case 'failed': case 'lost':
            if (state.phase === 'off') return [state];
            return [off, { do: 'end' }, event.error.code !== 'cancelled' && { do: 'sayFailed', error: event.error }];
        case 'ended':
            if (!isOn || event.session !== state.session) return [state];
            return [off, { do: 'end' }, { do: 'sayEnded', cause: event.cause, by: event.by }];
        case 'left':
            return [off, isOn && { do: 'close', session: state.session }];
        default: throw new TypeError(Object(event).kind);
    }
}
