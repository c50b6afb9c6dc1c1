import { reaches } from './mark.js';

/**
 * A notification as this phone keeps it. `createdAt` is the time by which it stands in the list; the item has its own.
 *
 * @typedef {{id: string, item: any, position: number, createdAt: number, alert: number, generation: number, bytes: number,
 *   readBy: import('./mark.js').Held | null, deletedBy: import('./mark.js').Held | null}} Row
 *
 * Where this phone stands with a computer: everything up to `settled` was dealt with, also where its row has gone since; `generation` counts the lists that
 * came anew, `isRebuilding` until such a one is whole, `isForeign` while it counts otherwise than the one before.
 *
 * @typedef {{epoch: string | null, after: number, settled: number, generation: number, isRebuilding: boolean, isForeign: boolean, alerts: number, newest: number}} Cursor
 *
 * @typedef {{new: Row[], changed: Row[], removed: string[], banners: Set<string>, unread: number}} News
 */

export const BOUNDS = { rows: 2000, bytes: 8 << 20, rowsWhileBehind: 20_000, bytesWhileBehind: 64 << 20 };
/** A first list that does not say what is history. */
export const EVERYTHING = Number.MAX_SAFE_INTEGER;

/** @returns {Cursor} */
export function freshCursor() {
    return { epoch: null, after: 0, settled: 0, generation: 0, isRebuilding: false, isForeign: false, alerts: 0, newest: 0 };
}

/** The rows of one computer, and what changed of them since somebody began to. */
export class RowTable {
    /** @type {Map<string, Row>} */
    all;
    /** @type {Cursor} */
    cursor;
    #isEnabled;
    #nextPosition;
    #bounds;
    /** Ids whose rows are to be written. */
    #dirty = new Set();
    /** What changed since the last news: whether each is new. @type {Map<string, boolean>} */
    changes = new Map();
    gone = [];
    banners = new Set();
    /** The first row of the list. */
    #first = null;

    /**
     * @param {{cursor?: Cursor, rows?: Row[], isEnabled?: () => boolean, nextPosition: () => number, bounds?: typeof BOUNDS}} options
     */
    constructor({ cursor = freshCursor(), rows = [], isEnabled = () => true, nextPosition, bounds = BOUNDS }) {
        this.cursor = { ...cursor };
        this.all = new Map(rows.map((row) => [row.id, row]));
        this.#isEnabled = isEnabled;
        this.#nextPosition = nextPosition;
        this.#bounds = bounds;
    }

    get position() { return { epoch: this.cursor.epoch, after: this.cursor.after }; }
    /** The last change that a person can have seen here; undefined of a computer that does not count, or whose list comes anew. */
    get seen() { return this.cursor.epoch === null || this.cursor.isRebuilding ? undefined : this.cursor.after; }
    get upTo() { return this.cursor.epoch === null ? undefined : this.cursor.after; }
    get isFirst() { return this.cursor.generation === 0; }

    /** Those that the person sees, the newest first. */
    get shown() { return [...this.all.values()].filter(({ deletedBy }) => !deletedBy).sort(newestFirst); }
    get unread() { return [...this.all.values()].filter((row) => !row.deletedBy && !isRead(row)).length; }
    row(id) { return this.all.get(id); }
    /** The commands that carry marks. */
    get commands() {
        return new Set([...this.all.values()].flatMap(({ readBy, deletedBy }) => [readBy?.command, deletedBy?.command]).filter(Boolean));
    }

    /** What is to be written since it was asked last. */
    takeWrites() {
        const writes = [...this.#dirty].map((id) => ({ id, row: this.all.get(id) ?? null }));
        this.#dirty.clear();
        return { cursor: { ...this.cursor }, writes };
    }

    // MARK: One row

    begin() {
        this.changes = new Map();
        this.gone = [];
        this.banners = new Set();
        this.#first = null;
        for (const row of this.all.values()) if (!this.#first || newestFirst(row, this.#first) < 0) this.#first = row;
        return this.cursor;
    }

    /**
     * Takes a notification as it stands now.
     *
     * @param {any} item
     * @param {number | null} told The number under which it wants to be noticed; null where it stays as it was.
     * @param {boolean} [isHistory] It was there before this phone asked first: no news.
     */
    put(item, told, isHistory = false) {
        const cursor = this.cursor;
        const old = this.all.get(item.id);
        const alert = Math.max(0, told ?? old?.alert ?? 0);
        // A first list that does not say what is history settles no number.
        const isAnew = old ? alert > old.alert && (alert > cursor.settled || cursor.settled === EVERYTHING) : !isHistory && this.#isNews(item, alert);
        const isForeignRow = cursor.isForeign && (old?.generation ?? cursor.generation) < cursor.generation;
        // A mark that waits is about what it said before.
        const wantsNotice = isAnew && !isForeignRow;
        const held = (mark) => (mark && !wantsNotice && reaches(mark, item) ? mark : null);
        const row = {
            id: item.id, item, alert, generation: cursor.generation, bytes: JSON.stringify(item).length, position: old?.position ?? this.#nextPosition(),
            createdAt: isForeignRow ? item.createdAt : this.#listed(item, alert, old), readBy: held(old?.readBy), deletedBy: held(old?.deletedBy),
        };
        this.write(row);
        if (!this.#first || row.createdAt >= this.#first.createdAt) this.#first = row;
        this.changes.set(item.id, !item.read && (wantsNotice || this.changes.get(item.id) === true));
        if (wantsNotice && !item.read && !item.silenced && this.#isEnabled()) this.banners.add(item.id);
        else if (wantsNotice || item.read) this.banners.delete(item.id);
    }

    /** When it was said, and behind none that wanted to be noticed before it, since the computer's clock may have been put back in between. */
    #listed(item, alert, old) {
        if (old && old.alert === alert) return Math.max(item.createdAt, old.createdAt);
        if (item.sequence === undefined || !this.#first || alert <= this.#first.alert) return item.createdAt;
        return Math.max(item.createdAt, old ? this.#first.createdAt + 1 : this.#first.createdAt);
    }

    /** Whether a notification that this phone does not hold was never held by it. */
    #isNews(item, alert) {
        if (item.sequence === undefined) return true;
        return alert > this.cursor.settled && (!this.cursor.isForeign || item.createdAt > this.cursor.newest);
    }

    remove(id) {
        const old = this.all.get(id);
        if (!old) return;
        this.drop(id);
        this.changes.delete(id);
        this.banners.delete(id);
        if (!old.deletedBy) this.gone.push(id);
    }

    write(row) {
        this.all.set(row.id, row);
        this.#dirty.add(row.id);
    }

    drop(id) {
        this.all.delete(id);
        this.#dirty.add(id);
    }

    // MARK: Many

    removeAll(is) { for (const row of [...this.all.values()]) if (is(row)) this.remove(row.id); }

    /** Keeps within the bounds: the oldest go. While this phone is behind nothing goes, so that nothing comes twice, unless a computer sends without end. */
    trim(isBehind) {
        const [rows, bytes] = isBehind ? [this.#bounds.rowsWhileBehind, this.#bounds.bytesWhileBehind] : [this.#bounds.rows, this.#bounds.bytes];
        let [count, size] = [0, 0];
        for (const row of [...this.all.values()].sort(newestFirst)) {
            count += 1;
            size += row.bytes;
            if ((count > rows || size > bytes) && (isBehind || !row.readBy)) this.remove(row.id);
        }
    }

    /** @returns {News} */
    news() {
        const cursor = this.cursor;
        if (!cursor.isForeign) for (const { createdAt } of this.all.values()) cursor.newest = Math.max(cursor.newest, createdAt);
        const [fresh, changed] = [[], []];
        for (const [id, isNew] of this.changes) {
            const row = this.all.get(id);
            if (row && !row.deletedBy) (isNew ? fresh : changed).push(row);
        }
        return { new: fresh, changed, removed: this.gone, banners: this.banners, unread: this.unread };
    }
}

/** Whether the person sees it as read: a mark that waits counts already. */
export function isRead({ item, readBy }) { return item.read || readBy !== null; }

/** The order of the list. */
export function newestFirst(one, other) { return other.createdAt - one.createdAt || other.position - one.position; }
