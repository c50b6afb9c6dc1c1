/**
 * The output of one run as it is looked at: it is asked for part by part, once at a time, until the run has ended.
 *
 * @typedef {{text: string, next: number, run: any, isAsking: boolean, isBehind: boolean, isOver: boolean, isCut: boolean, error: any}} RunState
 */

/** Letters that stay on the screen; the oldest go. */
export const MOST = 256 << 10;

/** @returns {RunState} */
export function initialOf(run) {
    return { text: '', next: 0, run, isAsking: false, isBehind: false, isOver: false, isCut: false, error: null };
}

/**
 * `look`: there may be more. `part`: the computer's answer. `failed`: it could not be asked.
 *
 * @param {RunState} state
 * @param {{kind: 'look'} | {kind: 'part', part: any} | {kind: 'failed', error: any}} event
 * @returns {[RunState, ...any[]]}
 */
export function change(state, event) {
    switch (event.kind) {
        case 'look':
            if (state.isOver) return [state];
            if (state.isAsking) return [{ ...state, isBehind: true }];
            return [{ ...state, isAsking: true, isBehind: false, error: null }, { do: 'ask', offset: state.next }];
        case 'part': return taken(state, event.part);
        case 'failed': return [{ ...state, isAsking: false, isBehind: false, error: event.error }];
        default: return [state];
    }
}

/** @returns {[RunState, ...any[]]} */
function taken(state, part) {
    const offset = Number.isSafeInteger(part?.offset) ? part.offset : state.next;
    const next = Number.isSafeInteger(part?.next) ? Math.max(part.next, state.next) : state.next;
    const whole = state.text + (typeof part?.text === 'string' ? part.text : '');
    const isOver = part?.complete === true;
    // What one answer had no room for is asked for at once, else at the next sign of more.
    const isMore = !isOver && (next > state.next || state.isBehind);
    const now = {
        ...state, text: whole.slice(-MOST), next, run: part?.state ?? state.run, isOver, isBehind: false, isAsking: isMore, error: null,
        isCut: state.isCut || offset > state.next || whole.length > MOST,
    };
    return isMore ? [now, { do: 'ask', offset: next }] : [now];
}
