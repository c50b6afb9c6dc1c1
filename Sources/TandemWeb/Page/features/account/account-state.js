/**
 * How a phone's account stands, and what the screen knows of it. Answers about another account than the one that is shown are thrown away.
 *
 * @typedef {Control['account.login']['answer']} Entry
 * @typedef {Control['account.devices']['answer']['devices']} Devices
 * @typedef {Control['account.profile']['answer']} Profile
 * @typedef {{way: 'signedOut' | 'untold' | 'deleted' | 'ended', hub: string}} Farewell
 * @typedef {{phase: 'asking' | 'failed' | 'out' | 'in', turn: number, account: Entry | null, error: Object | null, devices: Devices | null, devicesError: Object | null,
 *   profile: Profile | null, profileError: Object | null, farewell: Farewell | null}} State
 * @type {State}
 */
export const initial = {
    phase: 'asking', turn: 0, account: null, error: null, devices: null, devicesError: null, profile: null, profileError: null, farewell: null,
};

/**
 * @param {State} state
 * @param {Object} event
 * @returns {[State, ...any[]]}
 */
export function change(state, event) {
    switch (event.kind) {
        case 'asked': return [{ ...state, turn: state.turn + 1 }, { do: 'ask', turn: state.turn + 1 }];
        case 'answered': return event.turn === state.turn ? answered(state, event.account) : [state];
        case 'failed':
            // What is shown stays where asking again failed.
            return [event.turn === state.turn && ['asking', 'failed'].includes(state.phase) ? { ...state, phase: 'failed', error: event.error } : state];
        case 'left': return [{ ...out(state), farewell: { way: event.way, hub: event.hub } }];
        case 'named': return [{ ...state, account: event.account, profile: state.profile && { ...state.profile, nickname: event.account.nickname } }];
        case 'passworded': return [state, { do: 'askProfile', of: state.account?.device }, { do: 'askDevices', of: state.account?.device }];
        default: return isOver(state, event) ? [{ ...out(state), farewell: { way: 'ended', hub: event.error.detail.values?.hub ?? '' } }] : about(state, event);
    }
}

/** Whether the hub said that the session was ended elsewhere: this phone has forgotten the account then. */
function isOver(state, { of, error }) {
    return error?.detail?.reason === 'signedOut' && (state.account === null || state.account.device === of);
}

/**
 * What the hub says of the account.
 *
 * @returns {[State, ...any[]]}
 */
function about(state, event) {
    if (state.account?.device !== event.of) return [state];
    switch (event.kind) {
        case 'askedDevices': return [{ ...state, devicesError: null }, { do: 'askDevices', of: event.of }];
        case 'devices': return [{ ...state, devices: event.devices, devicesError: null }];
        case 'devicesFailed': return [{ ...state, devicesError: event.error }];
        case 'ended': return [{ ...state, devices: state.devices?.filter(({ device }) => device !== event.device) ?? null }];
        case 'profile': return [{ ...state, profile: event.profile, profileError: null }];
        case 'profileFailed': return [{ ...state, profileError: event.error }];
        default: return [state];
    }
}

/** @returns {[State, ...any[]]} */
function answered(state, account) {
    if (!account) return [{ ...out(state), farewell: state.farewell }];
    const isSame = state.account?.device === account.device && state.account?.hub === account.hub;
    const known = isSame ? state : { ...out(state), farewell: null };
    return [{ ...known, phase: 'in', account, error: null, farewell: null }, { do: 'askDevices', of: account.device }, { do: 'askProfile', of: account.device }];
}

function out(state) { return { ...initial, turn: state.turn, phase: /** @type {'out'} */ ('out') }; }

/** The devices as they are listed: this phone first, then the one that was seen last. */
export function sorted(devices) {
    const seen = ({ lastSeenAt, createdAt }) => lastSeenAt ?? createdAt;
    return [...devices].sort((one, other) => Number(other.current) - Number(one.current) || seen(other) - seen(one));
}
