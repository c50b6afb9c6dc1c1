import { uncounted } from './item.js';
import { concerns, heldOf } from './mark.js';
import { EVERYTHING, RowTable, newestFirst } from './row-table.js';

/** @typedef {import('./row-table.js').News} News */

/** The notifications of one computer, without I/O: what answers, events and marks make of them. Source: `docs/notifications.md`. */
export class Rows extends RowTable {
    // MARK: Answers and events

    /**
     * Takes an answer to `notification.sync`.
     *
     * @param {{epoch: string, changes: any[], reached: number, more: boolean, fromStart: boolean, unreadCount: number, history?: number}} answer
     * @param {{epoch: string | null, after: number}} asked Where the phone stood when it asked. Events may have come since.
     * @returns {{news: News, isBehind: boolean}}
     */
    applyAnswer(answer, asked) {
        const cursor = this.begin();
        const isFirst = cursor.epoch === null;
        const isHere = cursor.epoch === asked.epoch && cursor.after === asked.after;
        if (answer.fromStart || isFirst) {
            if (!isHere) return { news: this.news(), isBehind: true };
            this.#beginAnew(answer);
        } else if (cursor.epoch !== answer.epoch || asked.epoch !== answer.epoch) {
            // It counts otherwise and does not say so, or answers an older question: ask from the beginning, or again.
            if (isHere) Object.assign(cursor, { epoch: null, after: 0 });
            return { news: this.news(), isBehind: true };
        } else if (answer.history !== undefined) {
            // This phone was put back to an earlier state: up to here it dealt with everything before.
            cursor.settled = Math.max(cursor.settled, answer.history);
        }
        const known = cursor.after;
        const isWhole = known === asked.after || answer.fromStart || isFirst;
        for (const change of answer.changes) {
            if ((change.sequence ?? 0) > known || answer.fromStart) this.#apply(change, change.alert ?? change.sequence ?? null);
        }
        cursor.after = Math.max(known, answer.reached);
        // An answer that has more and reaches no further would be asked for without end.
        const isBehind = answer.more && answer.reached > (isWhole && !answer.fromStart ? known : -1);
        const isSettled = !isBehind && (answer.reached >= known || answer.fromStart);
        if (isSettled) {
            this.#endRebuilding();
            cursor.settled = cursor.after;
            if (isWhole) this.#follow(answer.unreadCount);
        }
        this.trim(!isSettled);
        return { news: this.news(), isBehind };
    }

    /**
     * Takes events of a computer that counts, in their order: those that go on from where this phone stands.
     *
     * @param {{kind: 'received' | 'changed' | 'deleted', item: any, epoch: string, sequence: number}[]} events
     */
    applyEvents(events) {
        const cursor = this.begin();
        let isBehind = false;
        for (const { kind, item, epoch, sequence } of events) {
            if (cursor.epoch !== epoch || cursor.isRebuilding || sequence > cursor.after + 1) { isBehind = true; continue; }
            if (sequence <= cursor.after) continue;
            const isSettled = cursor.settled === cursor.after;
            this.#apply(kind === 'deleted' ? { id: item.id, deleted: true } : { ...item, sequence }, kind === 'received' ? item.alert ?? sequence : item.alert ?? null);
            cursor.after = sequence;
            if (isSettled) cursor.settled = sequence;
        }
        this.trim(cursor.settled < cursor.after);
        return { news: this.news(), isBehind };
    }

    /** Takes an event of a computer that does not count: each that gets here wants to be noticed. */
    applyUncounted({ kind, item }) {
        const cursor = this.begin();
        if (kind === 'deleted') {
            this.remove(item.id);
        } else {
            if (kind === 'received') cursor.alerts += 1;
            this.put(uncounted(item), kind === 'received' ? cursor.alerts : null);
        }
        this.trim(false);
        return { news: this.news(), isBehind: false };
    }

    /**
     * Takes the newest page of a history, of a computer that does not count.
     *
     * @param {{notifications: any[], total: number}} history
     * @param {number} newest The newest position from before it was asked for: what came since is not in it.
     */
    applyHistory({ notifications, total }, newest) {
        const cursor = this.begin();
        const isHistory = this.isFirst;
        cursor.generation = Math.max(1, cursor.generation);
        for (const item of [...notifications].reverse()) {
            const isKnown = this.all.has(item.id);
            if (!isKnown) cursor.alerts += 1;
            this.put(uncounted(item), isKnown ? null : cursor.alerts, isHistory);
        }
        // Those that it has no more were deleted there. It says nothing about those that are older than this page.
        const oldest = total > notifications.length ? Math.min(...notifications.map(({ createdAt }) => createdAt)) : -Infinity;
        const ids = new Set(notifications.map(({ id }) => id));
        this.removeAll((row) => row.position <= newest && row.createdAt >= oldest && !ids.has(row.id));
        this.trim(false);
        return { news: this.news(), isBehind: false };
    }

    // MARK: Marks

    /**
     * Shows a mark, which a command carries to the computer.
     *
     * @param {import('./mark.js').Mark} mark
     * @param {string} command
     * @returns {{news: News, mark: import('./mark.js').Mark}} Also the mark as it goes to the computer: with the last change that was here.
     */
    mark(mark, command) {
        this.begin();
        const numbered = mark.ids && mark.upTo === undefined && this.seen !== undefined ? { ...mark, upTo: this.seen } : mark;
        const held = heldOf(command, numbered);
        for (const row of this.all.values()) {
            if (row.deletedBy || !concerns(mark, row)) continue;
            if (mark.kind === 'deleted') {
                this.write({ ...row, deletedBy: held });
                this.gone.push(row.id);
            } else {
                this.write({ ...row, readBy: held });
                this.changes.set(row.id, false);
            }
        }
        return { news: this.news(), mark: numbered };
    }

    /** Ends the marks of a command that is done, or will not be done: then it is as if the person had not marked anything. Null where it carries none. */
    endMark(command, isDone) {
        this.begin();
        const rows = [...this.all.values()].filter(({ readBy, deletedBy }) => readBy?.command === command || deletedBy?.command === command);
        for (const row of rows) {
            const isReadBy = row.readBy?.command === command;
            const next = { ...row };
            if (isReadBy) Object.assign(next, { readBy: null, item: isDone ? { ...row.item, read: true } : row.item });
            if (row.deletedBy?.command === command) {
                if (isDone && row.item.sequence === undefined) { this.drop(row.id); continue; }
                // The row goes when the computer tells of it, so that nothing that was told earlier brings it back.
                next.deletedBy = isDone ? { ...row.deletedBy, command: null } : null;
            }
            this.write(next);
            if (!next.deletedBy) this.changes.set(row.id, false);
        }
        return rows.length > 0 ? this.news() : null;
    }

    /** Moves the marks of one command to another that carries them too. */
    join(command, other) {
        const moved = (held) => (held?.command === command ? { ...held, command: other } : held);
        for (const row of this.all.values()) {
            if (row.readBy?.command === command || row.deletedBy?.command === command) this.write({ ...row, readBy: moved(row.readBy), deletedBy: moved(row.deletedBy) });
        }
    }

    #apply(change, alert) {
        if (change.deleted) this.remove(change.id);
        else this.put(change, alert);
    }

    /** The list comes anew, from the beginning. */
    #beginAnew(answer) {
        const { epoch, history } = answer;
        const cursor = this.cursor;
        // A computer that was put back to an earlier state counts its old numbers once more, in the same epoch: it names a history, too.
        const countsOtherwise = cursor.epoch !== epoch || history !== undefined;
        cursor.isForeign = countsOtherwise || (cursor.isForeign && cursor.isRebuilding);
        // Where it does not say what is history, all of the first list is: it counts as settled until it is whole.
        if (countsOtherwise) cursor.settled = history ?? (this.isFirst || cursor.settled === EVERYTHING ? EVERYTHING : 0);
        Object.assign(cursor, { epoch, after: 0, generation: cursor.generation + 1, isRebuilding: true });
    }

    #endRebuilding() {
        const cursor = this.cursor;
        if (!cursor.isRebuilding) return;
        this.removeAll((row) => row.generation < cursor.generation);
        Object.assign(cursor, { isRebuilding: false, isForeign: false });
    }

    /** Rows that left the computer's lists by age or number are told by no change: where it counts fewer unread ones, the oldest here count as read. */
    #follow(count) {
        const unread = [...this.all.values()].filter(({ item }) => !item.read).sort(newestFirst).reverse();
        for (const row of unread.slice(0, Math.max(0, unread.length - count))) {
            this.write({ ...row, item: { ...row.item, read: true } });
            this.changes.set(row.id, false);
            this.banners.delete(row.id);
        }
    }
}
