import { isBehind, placeOf } from '../../kit/feed-log.js';
import { Questions } from '../../kit/feed.js';
import { Store } from '../../kit/store.js';
import { change, initial, rowsOf, seenOf } from './history-state.js';

/** So many rows are asked for at a time. */
const PAGE = 50;
/** As many as one answer may hold. */
const MOST = 500;

/**
 * A computer's notifications, the newest first, kept up to date without jumping: while nothing may move, new ones are counted and held back.
 * What is told is taken as it is. What the person marks or deletes shows at once, and goes back where it fails.
 */
export class History {
    #store = new Store({ initial, change });
    #ask;
    #changed;
    #mayMove;
    #loading = null;
    /** What is shown, or is to be, once more. */
    #refreshing = new Questions(() => this.#again());

    /** @param {{ask: (query: Object) => Promise<Object>, changed: (isTold: boolean) => void, mayMove: () => boolean}} options `isTold`: by no answer. */
    constructor({ ask, changed, mayMove }) {
        this.#ask = ask;
        this.#changed = changed;
        this.#mayMove = mayMove;
    }

    get #state() { return this.#store.state; }
    get total() { return this.#state.total; }
    get unreadCount() { return this.#state.unreadCount; }
    get isAway() { return this.#state.isAway; }
    get rows() { return rowsOf(this.#state); }
    get seen() { return seenOf(this.#state); }
    /** How many came while nothing may move. */
    get held() { return this.#state.held.length; }
    /** Whether something has to be asked for. */
    get isBehind() { return isBehind(this.#state.feed); }

    /** One that was told last, also where it is not in the list. */
    said(id) { return this.#state.said.find((row) => row.id === id); }

    /** @param {{unread?: boolean, words?: string, app?: string}} filter */
    async open(filter) {
        this.#store.send({ kind: 'wanted', filter });
        await this.#read('opened', { ...filter, limit: PAGE });
    }

    async more() {
        const { hasMore, turn, rows, wanted, filter } = this.#state;
        if (!hasMore || this.#loading === turn || rows.length === 0 || wanted !== filter) return;
        this.#loading = turn;
        try {
            await this.#read('further', { ...filter, limit: PAGE * 2, before: rows.at(-1).id });
        } finally {
            this.#loading = null;
        }
    }

    /** Asks again for what is shown, or is to be. */
    refresh() { return this.#refreshing.ask(); }

    /** Shows what was held back. */
    settle() { if (this.held > 0) this.#show({ kind: 'settled' }); }

    /** @param {import('./history-state.js').Told[]} changes */
    tell(changes) { this.#show({ kind: 'told', changes, mayMove: this.#mayMove() }); }

    /** What the feed says of itself, which changes no row. @param {'announced' | 'heard' | 'cut' | 'level'} kind */
    note(kind) { this.#store.send({ kind }); }

    count(unread) { this.#store.send({ kind: 'counted', unread }); }

    /**
     * Shows at once what `work` makes of some rows, or of all of them.
     *
     * @param {{ids?: string[], kind: 'read' | 'removed'}} what Without ids: all.
     * @param {() => Promise<Object>} work
     */
    async mark({ ids, kind }, work) {
        const wanted = ids && new Set(ids);
        const rows = this.#state.rows.filter(({ id }) => !wanted || wanted.has(id));
        const mark = { ids: new Map(rows.map(({ id, alert }) => [id, alert])), kind };
        this.#show({ kind: 'marked', mark });
        let isDone = false;
        try {
            const answer = await work();
            // More than is shown was meant.
            if (!ids) await this.refresh().catch(() => {});
            isDone = true;
            return answer;
        } finally {
            this.#show({ kind: 'unmarked', mark, isDone });
            if (isDone && this.#state.rows.length === 0 && this.#state.hasMore) this.refresh().catch(() => {});
        }
    }

    async #again() {
        const { wanted, filter, rows, held } = this.#state;
        this.note('level');
        if (wanted !== filter) { await this.open(wanted); return; }
        // What is held back is in the answer, too, and must not take the place of the last rows that are shown.
        await this.#read('read', { ...filter, limit: Math.max(PAGE, Math.min(MOST, rows.length + held.length)) });
    }

    /** @param {'opened' | 'read' | 'further'} kind @param {Object} query */
    async #read(kind, query) {
        const { turn, feed } = this.#state;
        const place = placeOf(feed);
        this.#store.send({ kind: 'asked' });
        let page;
        try {
            page = await this.#ask(query);
        } catch (error) {
            this.#store.send({ kind: 'failed', place });
            throw error;
        }
        this.#show({ kind, page, limit: query.limit, turn, place, mayMove: this.#mayMove() });
    }

    /** @param {import('./history-state.js').HistoryEvent} event */
    #show(event) {
        const { rows, held, marks } = this.#state;
        this.#store.send(event);
        const now = this.#state;
        const isAnswer = 'page' in event && event.turn === now.turn;
        if (isAnswer || event.kind === 'told' || rows !== now.rows || held !== now.held || marks !== now.marks) this.#changed(!isAnswer);
    }
}
