/** Steps of a move that is over. */
const ENDED = new Set(['done', 'failed']);
/** Steps that let a transfer wait. */
const PAUSABLE = new Set(['sending', 'receiving']);
/** The time, in milliseconds, over which a rate is a mean. */
const RATE_SPAN = 8000;
/** What a move goes through, in order, by the phone and by how the data travels. */
const PHASES = {
    'old link': ['connecting', 'preparing', 'agreeing', 'sending', 'restoring'],
    'old file': ['preparing', 'writing'],
    'new link': ['connecting', 'preparing', 'agreeing', 'receiving', 'restoring', 'ready'],
    'new file': ['restoring', 'ready'],
};
/** Steps that are a part of another one to a person. */
const WITHIN = { entering: 'connecting', showing: 'connecting' };

/**
 * What the screen of a move shows: what the program said last, and what of it the person has put away.
 *
 * @typedef {import('../../client/client.js').Failure} Failure
 * @typedef {Control['migrate.state']['answer']} Flow
 * @typedef {{step: string, doneBytes: number, at: number, perSecond: number | null}} Rate
 * @typedef {Object} State
 * @property {'asking' | 'failed' | 'shown'} phase
 * @property {Flow | null} flow
 * @property {Failure | null} error Of the last question; what was known stays.
 * @property {number} turn The question whose answer counts.
 * @property {boolean} isAsking
 * @property {boolean} isStale Something was told since the question.
 * @property {string | null} seen The end of a move that the person has put away.
 * @property {boolean} isAnswered The person agreed and the answer is looked at.
 * @property {boolean} isPlaced A start of the program that was waited for here is over, and how it ended is said until it is put away.
 * @property {Rate | null} rate
 */

/** @type {State} */
export const initial = Object.freeze({
    phase: 'asking', flow: null, error: null, turn: 0, isAsking: false, isStale: false, seen: null, isAnswered: false, isPlaced: false, rate: null,
});

/**
 * @param {State} state
 * @param {Object} event
 * @returns {[State, ...any[]]}
 */
export function change(state, event) {
    switch (event.kind) {
        case 'told': return state.isAsking ? [{ ...state, isStale: true }] : asking(state);
        case 'answered':
            if (event.turn !== state.turn) return [state];
            return settled(taken(state, event.flow, event.at));
        case 'failed':
            if (event.turn !== state.turn) return [state];
            return settled({ ...state, phase: state.flow ? 'shown' : 'failed', error: event.error });
        // What a button's call answered is newer than any question before it.
        // What a question under way would have answered may be newer still, so it is asked again.
        case 'changed': return settled(taken({ ...state, turn: state.turn + 1, isStale: state.isStale || state.isAsking }, event.flow, event.at));
        // The answer itself stands already: it is the same question still, until the program says more.
        case 'agreed': return [{ ...state, isAnswered: true }];
        case 'putAway': return [{ ...state, seen: endKey(state.flow), isPlaced: false }];
        // A pause between two questions: a transfer tells of itself many times a second.
        case 'rested': return state.isStale ? asking({ ...state, isAsking: false }) : [{ ...state, isAsking: false }];
        default: return [state];
    }
}

/**
 * @param {State} state
 * @returns {[State, ...any[]]}
 */
function asking(state) {
    const turn = state.turn + 1;
    return [{ ...state, turn, isAsking: true, isStale: false }, { do: 'ask', turn }];
}

/**
 * Until `rested`, what is told only marks that there is something to ask for.
 *
 * @param {State} state
 * @returns {[State, ...any[]]}
 */
function settled(state) { return [{ ...state, isAsking: true }, { do: 'rest' }]; }

function taken(state, flow, at) {
    const before = state.flow;
    const isAnother = before?.step !== flow.step;
    return {
        ...state, phase: 'shown', flow, error: null, rate: rated(state.rate, flow, at),
        // How a new move ends was not seen yet, also where it ends as the one before.
        seen: ENDED.has(flow.step) ? state.seen : null,
        // An offer that stands again is a question that is asked once more.
        isAnswered: state.isAnswered && !isAnother && flow.trouble === null && flow.offer === null,
        isPlaced: flow.step === 'idle' && flow.lastStart !== null && (state.isPlaced || isStarting(before)),
    };
}

/**
 * Whether the person agreed and only a start of the program is left.
 *
 * @param {Flow | null} flow
 */
function isStarting(flow) { return flow?.step === 'ready' && flow.isAgreed; }

/** What tells one end of a move from another. */
function endKey({ step, role, path, peer, failure, totalBytes }) { return JSON.stringify([step, role, path, peer, failure, totalBytes]); }

/**
 * Bytes a second, as a mean that forgets. It begins anew with each step, and after a pause.
 *
 * @param {Rate | null} rate
 * @param {Flow} flow
 * @param {number} at Milliseconds of any clock.
 * @returns {Rate | null}
 */
export function rated(rate, flow, at) {
    const { step, doneBytes, pausedHere, pausedThere } = flow;
    if (pausedHere !== null || pausedThere !== null) return null;
    if (!rate || rate.step !== step || doneBytes < rate.doneBytes) return { step, doneBytes, at, perSecond: null };
    const passed = at - rate.at;
    // Two looks at one moment say nothing about a rate, and what did not move says little: it comes in pieces.
    if (passed < 200 || (doneBytes === rate.doneBytes && passed < 3000)) return rate;
    const now = (doneBytes - rate.doneBytes) / passed * 1000;
    const weight = 1 - Math.exp(-passed / RATE_SPAN);
    return { step, doneBytes, at, perSecond: rate.perSecond === null ? now : rate.perSecond + (now - rate.perSecond) * weight };
}

/**
 * What is shown: a view of its own each.
 *
 * @param {State} state
 * @param {string | null} way What the person chose in the address, where nothing is under way.
 * @returns {'asking' | 'failedToAsk' | 'choose' | 'receive' | 'send' | 'export' | 'restore' | 'showing' | 'entering' | 'agreeing' | 'progress' | 'offered' | 'restart' | 'placing' | 'placed' | 'done' | 'failed'}
 */
export function standOf({ phase, flow, seen, isPlaced }, way) {
    if (!flow) return phase === 'failed' ? 'failedToAsk' : 'asking';
    const { step, role, pin } = flow;
    if (isPlaced) return 'placed';
    if (step === 'idle' || (ENDED.has(step) && seen === endKey(flow))) return wayOf(way);
    switch (step) {
        case 'showing': return pin ? 'showing' : 'progress';
        case 'entering': return 'entering';
        // On the old phone the other one's person is asked.
        case 'agreeing': return role === 'old' ? 'progress' : 'agreeing';
        case 'ready':
            if (!flow.isAgreed) return 'offered';
            return flow.canStartAgain ? 'placing' : 'restart';
        case 'done': case 'failed': return step;
        default: return 'progress';
    }
}

/** @returns {'receive' | 'send' | 'export' | 'restore' | 'choose'} */
function wayOf(way) { return way === 'receive' || way === 'send' || way === 'export' || way === 'restore' ? way : 'choose'; }

/**
 * What the move goes through, and where it is.
 *
 * @param {Flow} flow
 * @returns {{id: string, state: 'done' | 'now' | 'next'}[]}
 */
export function phasesOf({ role, path, step }) {
    const all = PHASES[`${role ?? 'old'} ${path === null ? 'link' : 'file'}`];
    const at = all.indexOf(WITHIN[step] ?? step);
    return all.map((id, index) => ({ id, state: index < at ? 'done' : index === at ? 'now' : 'next' }));
}

/**
 * How much of the step is done, as the bar shows it; null where nobody knows.
 *
 * @param {Flow} flow
 */
export function partOf({ step, path, fraction, totalBytes }) {
    if (step === 'writing') return fraction;
    // Reading the data is of an unknown length, and a file's fraction begins with its writing.
    if (step === 'preparing' || step === 'connecting' || step === 'showing' || step === 'agreeing') return null;
    return path === null && totalBytes === 0 ? null : fraction;
}

/** @param {Flow} flow */
export function canPause({ step, path, pausedHere }) { return path === null && pausedHere === null && PAUSABLE.has(step); }

/** @param {Flow} flow */
export function canResume({ path, pausedHere }) { return path === null && pausedHere !== null; }

/**
 * What the end of a move means here, by which its words are chosen.
 *
 * @param {Flow} flow
 * @returns {'old' | 'new' | 'file'}
 */
export function endOf({ role, path }) { return role === 'new' ? 'new' : path === null ? 'old' : 'file'; }

/**
 * The start of the program that this phone waits for: with another phone's data, or back to its own.
 *
 * @param {Flow} flow
 * @returns {'restore' | 'back'}
 */
export function startOf({ report }) { return report === null ? 'back' : 'restore'; }
