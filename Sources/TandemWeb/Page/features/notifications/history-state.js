import { announced, answered, asked, begun, cut, heard, level, told } from '../../kit/feed-log.js';

/**
 * A list of notifications, the newest first, as a value: what was asked for, what was told since, what the person marked, and what is held
 * back while nothing may move.
 *
 * @typedef {{unread?: boolean, words?: string, app?: string}} Filter
 * @typedef {{new?: Object, changed?: Object, removed?: string}} Told A row, or the id of one that is gone.
 * @typedef {{ids: Map<string, any>, kind: 'read' | 'removed'}} Mark Of each row what it called with: one that wants to be noticed again is another.
 * @typedef {Object} History
 * @property {Filter} filter Of the rows that are there; another than `wanted` while they are asked for, and where that failed.
 * @property {Filter} wanted
 * @property {number} turn The number of the last filter that was asked for.
 * @property {Object[]} rows
 * @property {Object[]} held
 * @property {boolean} hasMore
 * @property {boolean} isAway A search that went only through what this phone has.
 * @property {number} total
 * @property {number} unreadCount
 * @property {number | undefined} upTo The last change that the list has.
 * @property {Mark[]} marks Those that are not answered.
 * @property {import('../../kit/feed-log.js').Feed} feed
 * @property {Object[]} said The rows that were told last, also those that are not in the list.
 *
 * @typedef {{kind: 'wanted', filter: Filter} | {kind: 'asked'} | {kind: 'failed', place: import('../../kit/feed-log.js').Place}
 *   | {kind: 'opened' | 'read' | 'further', page: Object, limit: number, turn: number, place: import('../../kit/feed-log.js').Place, mayMove: boolean}
 *   | {kind: 'told', changes: Told[], mayMove: boolean} | {kind: 'counted', unread: number} | {kind: 'announced' | 'heard' | 'cut' | 'level' | 'settled'}
 *   | {kind: 'marked', mark: Mark} | {kind: 'unmarked', mark: Mark, isDone: boolean}} HistoryEvent `opened`: the first page of what was wanted;
 *   `read`: all that is shown once more; `further`: the next page.
 */

/** Rows that are kept beside the list, for a sheet that shows one of them. */
const MOST_SAID = 100;

/** @type {History} */
export const initial = {
    filter: {}, wanted: {}, turn: 0, rows: [], held: [], hasMore: false, isAway: false, total: 0, unreadCount: 0, upTo: undefined, marks: [], feed: begun, said: [],
};
initial.wanted = initial.filter;

const asRead = new WeakMap();

/**
 * @param {History} state
 * @param {HistoryEvent} event
 * @returns {[History]}
 */
export function change(state, event) {
    switch (event.kind) {
        case 'wanted': return [{ ...state, wanted: event.filter, turn: state.turn + 1 }];
        case 'asked': return [{ ...state, feed: asked(state.feed) }];
        case 'failed': return [{ ...state, feed: answered(state.feed, event.place)[0] }];
        case 'opened': case 'read': case 'further': return [take(state, event)];
        case 'told': {
            const feed = event.changes.reduce(told, state.feed);
            return [apply({ ...state, feed, said: saidBy(event.changes) }, event.changes, event.mayMove)];
        }
        case 'counted': return [{ ...state, unreadCount: event.unread }];
        case 'announced': return [{ ...state, feed: announced(state.feed) }];
        case 'heard': return [{ ...state, feed: heard(state.feed) }];
        case 'cut': return [{ ...state, feed: cut(state.feed) }];
        case 'level': return [{ ...state, feed: level(state.feed) }];
        case 'settled': {
            const held = new Set(state.held.map(({ id }) => id));
            return [{ ...state, held: [], rows: [...state.held, ...state.rows.filter(({ id }) => !held.has(id))] }];
        }
        case 'marked': return [{ ...state, marks: [...state.marks, event.mark] }];
        case 'unmarked': {
            const rows = event.isDone ? state.rows.map((row) => marked(event.mark, row)).filter(Boolean) : state.rows;
            return [{ ...state, rows, marks: state.marks.filter((each) => each !== event.mark) }];
        }
        default: throw new TypeError(Object(event).kind);
    }
}

/** As the person sees them. @param {History} state @returns {Object[]} */
export function rowsOf({ rows, marks, filter }) {
    const seen = rows.map((row) => marks.reduce((one, mark) => one && marked(mark, one), row)).filter(Boolean);
    return filter.unread ? seen.filter(({ read }) => !read) : seen;
}

/** The last change that the person saw: what is held back was not seen. @param {History} state */
export function seenOf({ held, upTo }) {
    const numbers = held.map(({ sequence }) => sequence).filter(Number.isInteger);
    return numbers.length > 0 ? Math.min(upTo ?? Infinity, ...numbers.map((each) => each - 1)) : upTo;
}

/** The last change that an answer has; of an older program's, the newest of its rows. None where nothing is counted. */
export function upToOf({ upTo, notifications = [] }) {
    if (Number.isInteger(upTo)) return upTo;
    const numbers = notifications.map(({ sequence }) => sequence).filter(Number.isInteger);
    return numbers.length > 0 ? numbers.reduce((most, each) => Math.max(most, each)) : undefined;
}

/** An answer, and to it what was told while it was on its way. */
function take(state, { kind, page, limit, turn, place, mayMove }) {
    const [feed, since] = answered(state.feed, place);
    const next = { ...state, feed };
    if (turn !== state.turn) return next;
    const found = page.notifications ?? [];
    // What was lost meanwhile may be of this page, too.
    const done = (rows) => apply(rows, since ?? [], mayMove);
    if (kind === 'further') {
        const known = new Set([...state.rows, ...state.held].map(({ id }) => id));
        return done({ ...next, rows: [...state.rows, ...found.filter(({ id }) => !known.has(id))], hasMore: isFull(page, limit) });
    }
    const isAway = page.isAway === true;
    const about = { isAway, total: page.total ?? 0, unreadCount: page.unreadCount ?? 0, upTo: upToOf(page), hasMore: !isAway && isFull(page, limit) };
    if (kind === 'opened') return done({ ...next, ...about, filter: state.wanted, rows: found, held: [] });
    return done(again({ ...next, ...about }, found, state.hasMore, mayMove));
}

/** The rows that are shown, as an answer that begins at the newest has them. */
function again(state, found, hadMore, mayMove) {
    const former = new Map([...state.rows, ...state.held].map((row) => [row.id, row]));
    const now = found.map((row) => (isSame(former.get(row.id), row) ? former.get(row.id) : row));
    const older = state.hasMore ? behind(state.rows, now) : [];
    const hasMore = older.length > 0 ? hadMore : state.hasMore;
    if (mayMove) return { ...state, hasMore, held: [], rows: [...now, ...older] };
    const stays = new Map([...now, ...older].map((row) => [row.id, row]));
    const shown = new Set(state.rows.map(({ id }) => id));
    // Behind the last row that is shown nothing is moved by what comes.
    const end = now.findLastIndex(({ id }) => shown.has(id)) + 1;
    const further = end > 0 && older.length === 0 ? now.slice(end) : [];
    return {
        ...state, hasMore, rows: [...state.rows.filter(({ id }) => stays.has(id)).map(({ id }) => stays.get(id)), ...further],
        held: now.slice(0, now.length - further.length).filter(({ id }) => !shown.has(id)),
    };
}

/** The rows that are there after some changes. @param {Told[]} changes */
function saidBy(changes) {
    const rows = new Map();
    for (const { new: fresh, changed = fresh, removed } of changes) {
        if (changed) rows.set(changed.id, changed);
        else rows.delete(removed);
    }
    return [...rows.values()].slice(-MOST_SAID);
}

/** What was told, one after the other. */
function apply(state, changes, mayMove) { return changes.reduce((next, each) => applyOne(next, each, mayMove), state); }

function applyOne(state, { new: fresh, changed, removed }, mayMove) {
    const row = fresh ?? changed;
    const id = removed ?? row.id;
    const former = [...state.held, ...state.rows].find((each) => each.id === id);
    const without = { held: state.held.filter((each) => each.id !== id), rows: state.rows.filter((each) => each.id !== id) };
    if (!row) return { ...state, ...without, total: Math.max(0, state.total - 1) };
    // An answer was faster, or the computer counts anew: what is there says which.
    if (former && former.sequence > row.sequence) return { ...state, feed: cut(state.feed) };
    const upTo = Number.isInteger(row.sequence) && Number.isInteger(state.upTo) ? Math.max(state.upTo, row.sequence) : state.upTo;
    const counted = { ...state, upTo, total: state.total + (former || !fresh ? 0 : 1) };
    if (isSame(former, row)) return counted;
    // Only the computer knows what its search finds.
    if (!former && state.filter.words) return { ...counted, feed: cut(state.feed) };
    if (!isWanted(state.filter, row)) return { ...counted, ...without };
    const stays = former && (!mayMove || order(former, row) === 0);
    if (stays) return { ...counted, rows: swapped(state.rows, row), held: swapped(state.held, row) };
    const [held, rows] = mayMove ? [[], [...without.held, ...without.rows]] : [without.held, without.rows];
    const isLast = !rows.some((each) => order(row, each) >= 0);
    // Behind what was read so far: it comes with its page.
    if (isLast && rows.length > 0 && state.hasMore) return { ...counted, ...without };
    return mayMove || isLast ? { ...counted, held, rows: inserted(rows, row) } : { ...counted, rows, held: inserted(held, row) };
}

function swapped(rows, row) { return rows.map((each) => (each.id === row.id ? row : each)); }

function inserted(rows, row) {
    const at = rows.findIndex((each) => order(row, each) >= 0);
    return at < 0 ? [...rows, row] : [...rows.slice(0, at), row, ...rows.slice(at)];
}

function isWanted({ unread, app }, row) { return !(unread && row.read) && (!app || row.app === app); }

/**
 * Above zero where a row stands before another. What one computer said goes by what called last, as clocks are put back; of several computers
 * and of programs that count nothing there are only the times.
 */
function order(one, other) {
    const isCounted = one.device === other.device && Number.isInteger(one.alert) && Number.isInteger(other.alert);
    return isCounted ? one.alert - other.alert : one.createdAt - other.createdAt;
}

/** A row as a mark makes it; null for one that it removes. The same each time: what did not change is not drawn again. */
function marked({ ids, kind }, row) {
    if (!ids.has(row.id) || ids.get(row.id) !== row.alert) return row;
    if (kind === 'removed') return null;
    if (row.read) return row;
    if (!asRead.has(row)) asRead.set(row, { ...row, read: true });
    return asRead.get(row);
}

/**
 * The rows that an answer does not reach: those behind the last of its rows that was shown before, for the answer begins at the newest and
 * holds others in between by now. Where it knows none of them, all are older.
 */
function behind(rows, answer) {
    const ids = new Set(answer.map(({ id }) => id));
    const places = new Map(rows.map(({ id }, at) => [id, at]));
    const last = answer.findLast(({ id }) => places.has(id));
    return rows.slice(last ? places.get(last.id) + 1 : 0).filter(({ id }) => !ids.has(id));
}

/** Whether more stand behind an answer. Long ones fill it before its limit: then it says so itself. */
function isFull({ notifications = [], hasMore, before }, limit) { return notifications.length >= limit || hasMore === true || Boolean(before); }

/** Whether nothing changed: by its number, which each change raises; by all of it from programs that count nothing. */
function isSame(former, row) {
    if (!former) return false;
    if (Number.isInteger(row.sequence)) return former.sequence === row.sequence && former.read === row.read;
    return JSON.stringify(former) === JSON.stringify(row);
}
