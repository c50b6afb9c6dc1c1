/**
 * A view-once picture on the receiver's screen: its bytes are fetched once, and shown only while the person holds it. Source: rules C6, B12.
 *
 * @typedef {'closed' | 'opening' | 'ready' | 'showing' | 'viewed'} FlashPhase `opening`: the hub is asked for it; `ready`: it came after the
 *   person had let go, and is shown at the next press.
 * @typedef {{phase: FlashPhase, isHeld: boolean, picture: any, trouble: import('../../client/client.js').Failure | null}} Flash
 * @typedef {{kind: 'pressed'} | {kind: 'released'} | {kind: 'left'} | {kind: 'arrived', picture: any} | {kind: 'failed', error: import('../../client/client.js').Failure}} FlashEvent
 *   `left`: the screen is not looked at any more.
 * @typedef {{do: 'fetch'} | {do: 'show', picture: any} | {do: 'hide'} | {do: 'forget', picture: any}} FlashEffect
 */

/** @type {Flash} */
export const initial = { phase: 'closed', isHeld: false, picture: null, trouble: null };

/**
 * @param {Flash} state
 * @param {FlashEvent} event
 * @returns {[Flash, ...(FlashEffect | false)[]]}
 */
export function change(state, event) {
    switch (event.kind) {
        case 'pressed':
            if (state.phase === 'closed') return [{ ...state, phase: 'opening', isHeld: true, trouble: null }, { do: 'fetch' }];
            if (state.phase === 'ready') return [{ ...state, phase: 'showing', isHeld: true }, { do: 'show', picture: state.picture }];
            return [{ ...state, isHeld: true }];
        case 'released':
            if (state.phase === 'showing') return over(state);
            return [{ ...state, isHeld: false }];
        case 'left':
            if (state.phase === 'showing' || state.phase === 'ready') return over(state);
            return [{ ...state, isHeld: false }];
        case 'arrived':
            if (state.phase !== 'opening') return [state, { do: 'forget', picture: event.picture }];
            if (!state.isHeld) return [{ ...state, phase: 'ready', picture: event.picture }];
            return [{ ...state, phase: 'showing', picture: event.picture }, { do: 'show', picture: event.picture }];
        case 'failed': {
            if (state.phase !== 'opening') return [state];
            // Opened elsewhere: it is gone for good.
            const isGone = ['not-found', 'expired', 'exists'].includes(event.error.code);
            return [{ ...state, phase: isGone ? 'viewed' : 'closed', isHeld: false, trouble: event.error }];
        }
        default: throw new TypeError(Object(event).kind);
    }
}

/** @returns {[Flash, ...FlashEffect[]]} */
function over(state) { return [{ ...state, phase: 'viewed', isHeld: false, picture: null }, { do: 'hide' }, { do: 'forget', picture: state.picture }]; }
