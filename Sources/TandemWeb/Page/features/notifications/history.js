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
    /** Of the rows that are there; another than `#wanted` while they are asked for, and where that failed. */
    #filter = {};
    #wanted = this.#filter;
    #rows = [];
    #hasMore = false;
    #upTo;
    #held = [];
    #marks = new Set();
    /** The ids of the last answer that began at the newest. */
    #asked = new Set();
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
        this.#wanted = filter;
        const page = await this.#ask({ ...filter, limit: PAGE });
        if (turn !== this.#turn) return;
        this.#filter = filter;
        this.#held = [];
        this.#take(page, PAGE);
        this.#rows = page.notifications ?? [];
        this.#changed();
    }

    async more() {
        if (!this.#hasMore || this.#loading === this.#turn || this.#rows.length === 0 || this.#wanted !== this.#filter) return;
        const turn = this.#turn;
        this.#loading = turn;
        try {
            const page = await this.#ask({ ...this.#filter, limit: PAGE * 2, before: this.#rows.at(-1).id });
            if (turn !== this.#turn) return;
            const known = new Set(this.#rows.map(({ id }) => id));
            this.#rows = [...this.#rows, ...(page.notifications ?? []).filter(({ id }) => !known.has(id))];
            this.#hasMore = isFull(page, PAGE * 2);
            this.#changed();
        } finally {
            this.#loading = null;
        }
    }

    /** Something changed: asks again for what is shown, or is to be, once at a time. */
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
            // What lies behind the last answer was not asked for again, and would come back as it was.
            this.#rows = this.#rows.map((row) => (this.#asked.has(row.id) ? row : this.#with(mark, row))).filter(Boolean);
            return answer;
        } finally {
            this.#marks.delete(mark);
            this.#changed();
        }
    }

    async #again() {
        if (this.#wanted !== this.#filter) { await this.open(this.#wanted); return; }
        const turn = this.#turn;
        // What is held back is in the answer, too, and must not take the place of the last rows that are shown.
        const limit = Math.max(PAGE, Math.min(MOST, this.#rows.length + this.#held.length));
        const page = await this.#ask({ ...this.#filter, limit });
        if (turn !== this.#turn) return;
        const former = new Map([...this.#rows, ...this.#held].map((row) => [row.id, row]));
        const now = (page.notifications ?? []).map((row) => (isSame(former.get(row.id), row) ? former.get(row.id) : row));
        const hadMore = this.#hasMore;
        this.#take(page, limit);
        const older = this.#hasMore ? behind(this.#rows, now) : [];
        if (older.length > 0) this.#hasMore = hadMore;
        if (this.#mayMove()) {
            this.#held = [];
            this.#rows = [...now, ...older];
        } else {
            const stays = new Map([...now, ...older].map((row) => [row.id, row]));
            const shown = new Set(this.#rows.map(({ id }) => id));
            // Behind the last row that is shown nothing is moved by what comes.
            const end = now.findLastIndex(({ id }) => shown.has(id)) + 1;
            const further = end > 0 && older.length === 0 ? now.slice(end) : [];
            this.#rows = [...this.#rows.filter(({ id }) => stays.has(id)).map(({ id }) => stays.get(id)), ...further];
            this.#held = now.slice(0, now.length - further.length).filter(({ id }) => !shown.has(id));
        }
        this.#changed();
    }

    #take(page, limit) {
        const rows = page.notifications ?? [];
        this.total = page.total ?? 0;
        this.unreadCount = page.unreadCount ?? 0;
        this.isAway = page.isAway === true;
        this.#upTo = upToOf(page);
        this.#asked = new Set(rows.map(({ id }) => id));
        this.#hasMore = !this.isAway && isFull(page, limit);
    }

    #marked(row) {
        for (const mark of this.#marks) {
            row = this.#with(mark, row);
            if (!row) return null;
        }
        return row;
    }

    /** A row as a mark makes it; null for one that it removes. */
    #with({ ids, kind }, row) {
        if (!ids.has(row.id)) return row;
        if (kind === 'removed') return null;
        if (row.read) return row;
        // The same each time: what did not change is not drawn again.
        if (!this.#asRead.has(row)) this.#asRead.set(row, { ...row, read: true });
        return this.#asRead.get(row);
    }
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
