/** So many rows are asked for at a time. */
const PAGE = 50;
/** As many as one answer may hold. */
const MOST = 500;

/**
 * A computer's notifications, the newest first, kept up to date without jumping: while nothing may move, new ones are counted and held back.
 * What the person marks or deletes shows at once, and goes back where it fails.
 */
export class History {
    total = 0;
    unreadCount = 0;
    /** A search that went only through what this phone has. */
    isAway = false;
    #ask;
    #changed;
    #mayMove;
    #filter = {};
    #rows = [];
    #hasMore = false;
    #upTo;
    #held = [];
    #marks = new Set();
    #asRead = new WeakMap();
    #turn = 0;
    #loading = null;
    #refreshing = null;
    #isStale = false;

    /** @param {{ask: (query: Object) => Promise<Object>, changed: () => void, mayMove: () => boolean}} options */
    constructor({ ask, changed, mayMove }) {
        this.#ask = ask;
        this.#changed = changed;
        this.#mayMove = mayMove;
    }

    /** As the person sees them. */
    get rows() {
        const marked = this.#rows.map((row) => this.#marked(row)).filter(Boolean);
        return this.#filter.unread ? marked.filter(({ read }) => !read) : marked;
    }

    /** How many came while nothing may move. */
    get held() { return this.#held.length; }

    /** The last change that the list has; what is held back was not seen. */
    get seen() {
        const held = this.#held.map(({ sequence }) => sequence).filter(Number.isInteger);
        return held.length > 0 ? held.reduce((least, each) => Math.min(least, each)) - 1 : this.#upTo;
    }

    /** @param {{unread?: boolean, words?: string, app?: string}} filter */
    async open(filter) {
        const turn = ++this.#turn;
        const page = await this.#ask({ ...filter, limit: PAGE });
        if (turn !== this.#turn) return;
        this.#filter = filter;
        this.#held = [];
        this.#take(page, PAGE);
        this.#rows = page.notifications ?? [];
        this.#changed();
    }

    async more() {
        if (!this.#hasMore || this.#loading === this.#turn || this.#rows.length === 0) return;
        const turn = this.#turn;
        this.#loading = turn;
        try {
            const page = await this.#ask({ ...this.#filter, limit: PAGE * 2, before: this.#rows.at(-1).id });
            if (turn !== this.#turn) return;
            const known = new Set(this.#rows.map(({ id }) => id));
            this.#rows = [...this.#rows, ...(page.notifications ?? []).filter(({ id }) => !known.has(id))];
            this.#hasMore = (page.notifications ?? []).length >= PAGE * 2;
            this.#changed();
        } finally {
            this.#loading = null;
        }
    }

    /** Something changed: asks again for what is shown, once at a time. */
    async refresh() {
        if (this.#refreshing) { this.#isStale = true; return this.#refreshing; }
        this.#refreshing = (async () => {
            try {
                do {
                    this.#isStale = false;
                    await this.#again();
                } while (this.#isStale);
            } finally {
                this.#refreshing = null;
            }
        })();
        return this.#refreshing;
    }

    /** Shows what was held back. */
    settle() {
        if (this.#held.length === 0) return;
        const held = new Set(this.#held.map(({ id }) => id));
        this.#rows = [...this.#held, ...this.#rows.filter(({ id }) => !held.has(id))];
        this.#held = [];
        this.#changed();
    }

    /**
     * Shows at once what `work` makes of some rows, or of all of them.
     *
     * @param {{ids?: string[], kind: 'read' | 'removed'}} mark Without ids: all.
     * @param {() => Promise<Object>} work
     */
    async mark({ ids, kind }, work) {
        const mark = { ids: new Set(ids ?? this.#rows.map(({ id }) => id)), kind };
        this.#marks.add(mark);
        this.#changed();
        try {
            const answer = await work();
            await this.refresh().catch(() => {});
            return answer;
        } finally {
            this.#marks.delete(mark);
            this.#changed();
        }
    }

    async #again() {
        const turn = this.#turn;
        const limit = Math.max(PAGE, Math.min(MOST, this.#rows.length));
        const page = await this.#ask({ ...this.#filter, limit });
        if (turn !== this.#turn) return;
        const former = new Map([...this.#rows, ...this.#held].map((row) => [row.id, row]));
        const now = (page.notifications ?? []).map((row) => (isSame(former.get(row.id), row) ? former.get(row.id) : row));
        const ids = new Set(now.map(({ id }) => id));
        const older = now.length < limit ? [] : this.#rows.slice(limit).filter(({ id }) => !ids.has(id));
        const hadMore = this.#hasMore;
        this.#take(page, limit);
        if (older.length > 0) this.#hasMore = hadMore;
        if (this.#mayMove()) {
            this.#held = [];
            this.#rows = [...now, ...older];
        } else {
            const byId = new Map(now.map((row) => [row.id, row]));
            const shown = new Set(this.#rows.map(({ id }) => id));
            this.#rows = [...this.#rows.filter(({ id }) => ids.has(id)).map(({ id }) => byId.get(id)), ...older];
            this.#held = now.filter(({ id }) => !shown.has(id));
        }
        this.#changed();
    }

    #take(page, limit) {
        this.total = page.total ?? 0;
        this.unreadCount = page.unreadCount ?? 0;
        this.isAway = page.isAway === true;
        this.#upTo = upToOf(page);
        this.#hasMore = !this.isAway && (page.notifications ?? []).length >= limit;
    }

    #marked(row) {
        for (const { ids, kind } of this.#marks) {
            if (!ids.has(row.id)) continue;
            if (kind === 'removed') return null;
            if (row.read) continue;
            // The same each time: what did not change is not drawn again.
            if (!this.#asRead.has(row)) this.#asRead.set(row, { ...row, read: true });
            row = this.#asRead.get(row);
        }
        return row;
    }
}

/** The last change that a list has; of an older program's answer, the newest of its rows. None where nothing is counted. */
export function upToOf({ upTo, notifications = [] }) {
    if (Number.isInteger(upTo)) return upTo;
    const numbers = notifications.map(({ sequence }) => sequence).filter(Number.isInteger);
    return numbers.length > 0 ? numbers.reduce((most, each) => Math.max(most, each)) : undefined;
}

/** Whether nothing changed: by its number, which each change raises; by all of it from programs that count nothing. */
function isSame(former, row) {
    if (!former) return false;
    if (Number.isInteger(row.sequence)) return former.sequence === row.sequence && former.read === row.read;
    return JSON.stringify(former) === JSON.stringify(row);
}
