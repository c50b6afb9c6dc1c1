/**
 * Whether the screen of a computer is watched, and whether it may be seen at all.
 *
 * @typedef {Object} Watching
 * @property {'off' | 'on' | 'waits'} live One picture after the other; `waits`: it was on when the computer went, and goes on by itself.
 * @property {boolean} isRefused Why nothing can be seen stands in the place of all else.
 *
 * @typedef {{kind: 'begun'} | {kind: 'switched', isOn: boolean} | {kind: 'failed', error: Object, hasPicture: boolean} | {kind: 'reached'}
 *   | {kind: 'allowed'} | {kind: 'left'}} WatchingEvent `allowed`: what this phone may do there may be more.
 * @typedef {{do: 'offer'} | {do: 'showLive', isOn: boolean} | {do: 'refuse', error: Object} | {do: 'sayFailed', error: Object}} WatchingEffect
 */

/** @type {Watching} */
export const initial = { live: 'off', isRefused: false };

/**
 * @param {Watching} state
 * @param {WatchingEvent} event
 * @returns {[Watching, ...WatchingEffect[]]}
 */
export function change(state, event) {
    switch (event.kind) {
        case 'begun': return begin(state);
        case 'switched': return turn(state, event.isOn);
        case 'failed': {
            const { error, hasPicture } = event;
            if (error.code === 'cancelled') return [state];
            const wasOn = state.live === 'on';
            const isRefused = error.code === 'not-allowed' || !hasPicture;
            return [
                { live: wasOn && error.code === 'away' ? 'waits' : 'off', isRefused: isRefused || state.isRefused },
                wasOn && { do: 'showLive', isOn: false }, { do: isRefused ? 'refuse' : 'sayFailed', error },
            ];
        }
        case 'reached': {
            if (state.isRefused) return begin(state);
            return state.live === 'waits' ? turn(state, true) : [state];
        }
        case 'allowed': return state.isRefused ? begin(state) : [state];
        case 'left': return [{ ...state, live: 'off' }];
        default: throw new TypeError(Object(event).kind);
    }
}

/** @returns {[Watching, ...WatchingEffect[]]} */
function begin(state) { return [{ ...state, isRefused: false }, { do: 'offer' }]; }

/** @returns {[Watching, ...WatchingEffect[]]} */
function turn(state, isOn) {
    if ((state.live === 'on') === isOn) return [state];
    return [{ ...state, live: isOn ? 'on' : 'off' }, { do: 'showLive', isOn }];
}
