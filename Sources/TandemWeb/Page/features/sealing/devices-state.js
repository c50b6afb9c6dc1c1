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

const STAGES = new Set(['making', 'offered', 'taken', 'lapsed', 'taking', 'done']);

/**
 * How a history stands on a row: its stage, how much of it is done where that moves, and whether it can be handed over again.
 *
 * @param {Device['handover']} handover
 * @returns {{stage: string, part: number | null} | null} Null for none, and for a stage that a later version of the program tells of.
 */
export function handoverState(handover) {
    if (!handover || !STAGES.has(handover.stage)) return null;
    const { stage, done, messages } = handover;
    const isMoving = stage === 'making' || stage === 'taking';
    return { stage, part: isMoving ? (messages > 0 ? Math.min(1, done / messages) : 0) : null };
}

/** Whether a device of the list can be handed this phone's history now. @param {Device} device */
export function canHandOver({ state, handover }) { return state === 'listed' && !(handover && ['making', 'offered'].includes(handover.stage)); }

/** Words of a key as somebody types them: with spaces or hyphens between, in any case. */
export function typedWords(text) { return text.trim().toLowerCase().split(/[\s-]+/).filter(Boolean).join('-'); }
