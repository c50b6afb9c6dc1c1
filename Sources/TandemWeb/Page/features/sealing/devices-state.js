/**
 * The list of devices that read sealed conversations, as the screen knows it.
 *
 * @typedef {Control['chat.devices']['answer']} DeviceList
 * @typedef {DeviceList['devices'][number]} Device
 * @typedef {{phase: 'asking' | 'failed' | 'shown', turn: number, list: DeviceList | null, error: Object | null}} State
 * @typedef {{kind: 'asked'} | {kind: 'answered', turn: number, list: DeviceList} | {kind: 'failed', turn: number, error: Object}
 *   | {kind: 'changed', list: DeviceList}} Event
 */

/** @type {State} */
export const initial = { phase: 'asking', turn: 0, list: null, error: null };

/**
 * @param {State} state
 * @param {Event} event
 * @returns {[State, ...any[]]}
 */
export function change(state, event) {
    switch (event.kind) {
        case 'asked': return [{ ...state, turn: state.turn + 1 }, { do: 'ask', turn: state.turn + 1 }];
        // An answer to a question from before a change says nothing new.
        case 'answered': return [event.turn === state.turn ? shown(state, event.list) : state];
        case 'failed': return [event.turn !== state.turn ? state : state.list ? { ...state, error: event.error } : { ...state, phase: 'failed', error: event.error }];
        case 'changed': return [shown({ ...state, turn: state.turn + 1 }, event.list)];
        default: throw new TypeError(Object(event).kind);
    }
}

/** @returns {State} */
function shown(state, list) { return { ...state, phase: 'shown', list, error: null }; }

/**
 * What stands where: this device, the others of the list, and those that wait. One that is not in the list waits, too, and adds nobody.
 *
 * @param {DeviceList} list
 * @returns {{own: Device | null, listed: Device[], waiting: Device[], standing: 'listed' | 'waits' | 'other'}}
 */
export function partsOf({ devices, isListed, trouble }) {
    return {
        own: devices.find(({ state }) => state === 'this') ?? null,
        listed: devices.filter(({ state }) => state === 'listed'),
        waiting: devices.filter(({ state }) => state === 'waiting'),
        standing: trouble ? 'other' : isListed ? 'listed' : 'waits',
    };
}

/** Words of a key as somebody types them: with spaces or hyphens between, in any case. */
export function typedWords(text) { return text.trim().toLowerCase().split(/[\s-]+/).filter(Boolean).join('-'); }
