/**
 * The messages of one conversation as the page has them: a part of the history without a gap, what is told from then on, and how far the
 * person has read.
 *
 * @typedef {import('../../client/chat.js').Message} Message
 * @typedef {import('../../client/client.js').Failure} Failure
 * @typedef {import('../../client/chat.js').Notice} Notice
 * @typedef {{messages: Message[], notices: Notice[], isEnd: boolean}} Page
 * @typedef {'newest' | 'around' | 'older' | 'newer'} Part
 * @typedef {Object} Reading
 * @property {'loading' | 'shown' | 'refused'} phase
 * @property {Message[]} messages The oldest first: by their places, then own ones that wait. Source: rule B7.
 * @property {Notice[]} notices Lines of the phone that are known, the earliest first; those among the messages are `noticesOf`.
 * @property {boolean} isEnd There is nothing older.
 * @property {boolean} isJoined The newest messages are among them.
 * @property {number} span So many places ahead newer ones are asked for.
 * @property {number} newest The newest place, as the list says.
 * @property {number} turn The number of the last question for the newest part, or the one around a place; older answers are for nothing.
 * @property {Part | null} asking
 * @property {ReadingEvent[]} heard What was told while the newest part was asked for, which may be newer than the answer.
 * @property {boolean} isStale Something may be missing: the newest part is asked for again when the last question is answered.
 * @property {Failure | null} trouble Why nothing could be shown, or kept up to date.
 * @property {Failure | null} olderTrouble
 * @property {number} news Messages that came while the reader was elsewhere. Source: rule C4.
 * @property {boolean} isAtEnd The reader is at the newest row.
 * @property {boolean} isSeen The screen is visible.
 * @property {boolean} mayRead False for a first message that waits for an answer.
 * @property {number} readTo Up to this place it was noted that the person read.
 *
 * @typedef {{kind: 'opened', around: number | null} | {kind: 'answered', turn: number, part: Part, page: Page}
 *   | {kind: 'failed', turn: number, part: Part, error: Failure} | {kind: 'neared', edge: 'top' | 'end'} | {kind: 'retried'}
 *   | {kind: 'told', message: Message} | {kind: 'noticed', notice: Notice} | {kind: 'removed', id: string} | {kind: 'cleared'} | {kind: 'restarted'}
 *   | {kind: 'moved', isAtEnd: boolean} | {kind: 'seen', isSeen: boolean} | {kind: 'wentToEnd'}
 *   | {kind: 'row', newest: number, read: number, mayRead: boolean}} ReadingEvent
 * @typedef {{do: 'ask', part: Part, turn: number, before: number | null, limit: number} | {do: 'read', upTo: number} | {do: 'toEnd'}
 *   | {do: 'say', message: Message}} ReadingEffect
 */

/** Rule C1. */
export const PAGE = 40;
/** As much as one answer may have. */
const MOST = 200;

/** @type {Reading} */
export const initial = {
    phase: 'loading', messages: [], notices: [], isEnd: false, isJoined: true, span: PAGE, newest: 0, turn: 0, asking: null, heard: [], isStale: false, trouble: null, olderTrouble: null,
    news: 0, isAtEnd: true, isSeen: false, mayRead: false, readTo: 0,
};

/** Two people may choose one id. */
export function keyOf({ from, id }) { return `${from}/${id}`; }

/**
 * @param {Reading} state
 * @param {ReadingEvent} event
 * @returns {[Reading, ...(ReadingEffect | false)[]]}
 */
export function change(state, event) {
    const [next, ...effects] = changed(state, event);
    const upTo = unreadPlace(next);
    return upTo === null ? [next, ...effects] : [{ ...next, readTo: upTo }, ...effects, { do: 'read', upTo }];
}

/**
 * @param {Reading} state
 * @param {ReadingEvent} event
 * @returns {[Reading, ...(ReadingEffect | false)[]]}
 */
function changed(state, event) {
    switch (event.kind) {
        case 'opened': return event.around === null ? ask(state, 'newest') : ask({ ...state, isAtEnd: false }, 'around', event.around + PAGE / 2);
        case 'answered': return answered(state, event);
        case 'failed': return failed(state, event);
        case 'neared': return event.edge === 'top' ? older(state) : newer(state);
        case 'retried': return state.phase === 'shown' && state.olderTrouble ? older({ ...state, olderTrouble: null }) : ask(state, 'newest');
        case 'told': return told(hearing(state, event), event.message);
        case 'noticed': return [{ ...state, notices: withNotices(state.notices, [event.notice]) }];
        case 'removed': return [without(hearing(state, event), event.id)];
        case 'cleared': return ask({ ...state, messages: [], notices: [], isEnd: false, isJoined: true, news: 0 }, 'newest');
        // Who reads far above goes on reading: the newest part is asked for on the way to the end.
        case 'restarted': return !state.isJoined ? [state] : state.asking ? [{ ...state, isStale: true }] : ask(state, 'newest');
        case 'moved': return [{ ...state, isAtEnd: event.isAtEnd, news: event.isAtEnd && state.isJoined ? 0 : state.news }];
        case 'seen': return [{ ...state, isSeen: event.isSeen }];
        case 'wentToEnd': return state.isJoined ? [{ ...state, news: 0, isAtEnd: true }, { do: 'toEnd' }] : ask({ ...state, messages: [], isJoined: true, isAtEnd: true }, 'newest');
        case 'row': return [{ ...state, newest: event.newest, readTo: Math.max(state.readTo, event.read), mayRead: event.mayRead }];
        default: throw new TypeError(Object(event).kind);
    }
}

/** The newest place, where one of the other person's is shown that was not read before. Source: rule L8. */
function unreadPlace({ phase, isJoined, isAtEnd, isSeen, mayRead, readTo, messages }) {
    if (phase !== 'shown' || !isJoined || !isAtEnd || !isSeen || !mayRead) return null;
    let newest = 0;
    for (let at = messages.length - 1; at >= 0; at -= 1) {
        const { seq, isMine } = messages[at];
        if (seq === null) continue;
        newest = Math.max(newest, seq);
        if (seq <= readTo) return null;
        if (!isMine) return newest;
    }
    return null;
}

/**
 * @param {Reading} state
 * @param {Part} part
 * @param {number | null} [before]
 * @param {number} [limit]
 * @returns {[Reading, ReadingEffect]}
 */
function ask(state, part, before = null, limit = PAGE) {
    const turn = state.turn + 1;
    const phase = state.phase === 'refused' ? 'loading' : state.phase;
    // After an absence all that was shown is asked for again, as far as one answer goes.
    const most = part === 'newest' ? Math.min(MOST, Math.max(limit, state.messages.length)) : limit;
    return [{ ...state, phase, turn, asking: part, heard: [], isStale: false }, { do: 'ask', part, turn, before, limit: most }];
}

/** @returns {[Reading, ...ReadingEffect[]]} */
function older(state) {
    const first = state.messages.find(({ seq }) => seq !== null);
    if (state.phase !== 'shown' || state.isEnd || state.asking || state.olderTrouble || !first) return [state];
    return ask(state, 'older', first.seq);
}

/**
 * There is no question for what is newer: the places are asked for in which it would be.
 *
 * @returns {[Reading, ...ReadingEffect[]]}
 */
function newer(state) {
    if (state.phase !== 'shown' || state.isJoined || state.asking) return [state];
    const last = lastPlace(state.messages);
    const isLast = last + state.span >= state.newest;
    return ask(state, 'newer', isLast ? null : last + 1 + state.span, Math.min(MOST, state.span));
}

function lastPlace(messages) { return messages.reduce((most, { seq }) => Math.max(most, seq ?? 0), 0); }

/** @returns {[Reading, ...(ReadingEffect | false)[]]} */
function answered(state, { turn, part, page }) {
    if (turn !== state.turn) return [state];
    const rest = { ...state, asking: null, trouble: null, olderTrouble: null, notices: withNotices(state.notices, page.notices) };
    const [next, ...effects] = taken(rest, part, page);
    if (!state.isStale) return [next, ...effects];
    const [again, effect] = ask(next, 'newest');
    return [again, ...effects, effect];
}

/** @returns {[Reading, ...(ReadingEffect | false)[]]} */
function taken(state, part, page) {
    switch (part) {
        case 'newest': {
            // What is older stays where the answer reaches as far as it does.
            const from = page.messages.find(({ seq }) => seq !== null)?.seq ?? 0;
            const kept = state.messages.filter(({ seq }) => seq !== null && seq < from);
            const joins = !page.isEnd && state.messages.some(({ seq }) => seq !== null && seq >= from);
            const messages = joins ? merged(kept, page.messages) : page.messages;
            /** @type {Reading} */
            const next = { ...state, phase: 'shown', messages, isEnd: joins ? state.isEnd : page.isEnd, isJoined: true, heard: [], news: state.isAtEnd ? 0 : state.news };
            return [state.heard.reduce(heardAgain, next), state.isAtEnd && { do: 'toEnd' }];
        }
        case 'around':
            return [{ ...state, phase: 'shown', messages: page.messages, isEnd: page.isEnd, isJoined: lastPlace(page.messages) >= state.newest }];
        case 'older':
            return [{ ...state, messages: merged(page.messages, state.messages), isEnd: page.isEnd || page.messages.length === 0 }];
        default: {
            const last = lastPlace(state.messages);
            const isEmpty = lastPlace(page.messages) <= last;
            const isLast = last + state.span >= state.newest;
            return [{ ...state, messages: merged(state.messages, page.messages), isJoined: isLast, span: isEmpty ? Math.min(state.span * 4, state.newest) : PAGE }];
        }
    }
}

/** @returns {[Reading, ...(ReadingEffect | false)[]]} */
function failed(state, { turn, part, error }) {
    if (turn !== state.turn || error.code === 'cancelled') return [state];
    const rest = { ...state, asking: null, isStale: false };
    // An end that was not reached is none. Source: rule B10.
    if (part === 'older') return [{ ...rest, olderTrouble: error }];
    return [{ ...rest, phase: state.phase === 'shown' ? 'shown' : 'refused', trouble: error }];
}

/**
 * @param {Reading} state
 * @param {Message} message
 * @returns {[Reading, ...(ReadingEffect | false)[]]}
 */
function told(state, message) {
    const isKnown = state.messages.some((each) => isSame(each, message));
    const isNews = !isKnown && !message.isMine && message.kind !== 'recalled';
    if (!isKnown && !belongs(state, message)) return [isNews ? { ...state, news: state.news + 1 } : state];
    const next = { ...state, messages: merged(state.messages, [message]), news: isNews && !state.isAtEnd ? state.news + 1 : state.news };
    // Before the first answer it is not known what else there is.
    return [next, isNews && state.phase === 'shown' && { do: 'say', message }];
}

/** @returns {Reading} */
function hearing(state, event) { return state.asking === 'newest' ? { ...state, heard: [...state.heard, event] } : state; }

/** @returns {Reading} */
function heardAgain(state, event) {
    if (event.kind === 'removed') return without(state, event.id);
    return belongs(state, event.message) ? { ...state, messages: merged(state.messages, [event.message]) } : state;
}

/** @returns {Reading} */
function without(state, removed) { return { ...state, messages: state.messages.filter(({ id }) => id !== removed) }; }

/** Lines of the phone by their numbers, each once. */
function withNotices(former, later) {
    const all = new Map([...former, ...later].map((notice) => [notice.id, notice]));
    return all.size === former.length ? former : [...all.values()].sort((one, other) => one.id - other.id);
}

/**
 * The phone's lines among the messages that are shown: others come with their pages.
 *
 * @param {Reading} state
 * @returns {Notice[]}
 */
export function noticesOf({ notices, messages, isEnd, isJoined }) {
    if (notices.length === 0) return notices;
    const first = isEnd ? 0 : messages.find(({ seq }) => seq !== null)?.seq ?? Number.POSITIVE_INFINITY;
    const last = isJoined ? Number.POSITIVE_INFINITY : lastPlace(messages);
    return notices.filter(({ after }) => after >= first && after <= last);
}

/** A change of what is older than all that was loaded comes with its page. */
function belongs(state, { seq }) {
    const first = state.messages.find((each) => each.seq !== null)?.seq ?? null;
    if (seq === null) return state.isJoined;
    if (!state.isJoined && seq > lastPlace(state.messages)) return false;
    return state.isEnd || first === null || seq > first;
}

const placeOf = ({ seq }) => seq ?? Number.POSITIVE_INFINITY;
const isSame = (one, other) => one.id === other.id && one.from === other.from;

/**
 * Messages by their places, each once, the later list's counting. Source: rules B6, B7.
 *
 * @param {Message[]} former
 * @param {Message[]} later
 * @returns {Message[]}
 */
export function merged(former, later) {
    if (later.length === 1) return withOne(former, later[0]);
    const all = new Map(former.map((message) => [keyOf(message), message]));
    for (const message of later) all.set(keyOf(message), message);
    return sorted([...all.values()]);
}

/** One that comes or changes stands near the end, mostly. */
function withOne(former, message) {
    let at = former.length - 1;
    while (at >= 0 && !isSame(former[at], message)) at -= 1;
    if (at < 0) {
        const last = former.at(-1);
        return last && placeOf(last) > placeOf(message) ? sorted([...former, message]) : [...former, message];
    }
    const next = [...former];
    next[at] = message;
    return former[at].seq === message.seq ? next : sorted(next);
}

function sorted(list) {
    const isSorted = list.every((message, at) => at === 0 || placeOf(list[at - 1]) <= placeOf(message));
    return isSorted ? list : list.sort((one, other) => (placeOf(one) === placeOf(other) ? 0 : placeOf(one) - placeOf(other)));
}
