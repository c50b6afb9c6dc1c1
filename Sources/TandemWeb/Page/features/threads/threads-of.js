import { keyOf } from './states.js';

/** So many rows are asked for at a time. */
const PAGE = 100;

/**
 * The threads of a list, the newest message first, kept up to date without jumping: while the reader is somewhere below, changed threads stay
 * in their places, and new ones are counted until the reader comes back to the top.
 */
export class ThreadList {
    threads = [];
    total = null;
    next = null;
    indexing = null;
    /** Threads that came while nothing may move. */
    held = 0;
    #filter;
    #load;
    #changed;
    #turn = 0;
    #byKey = new Map();
    #isLoading = false;
    #isStale = false;

    /** @param {{load: (params: Object) => Promise<Object>, changed: () => void, mayMove: () => boolean}} options */
    constructor({ load, changed, mayMove }) {
        this.#load = load;
        this.#changed = changed;
        this.mayMove = mayMove;
    }

    /** @param {{source?: string, cwd?: string, archived?: boolean, all?: boolean}} filter */
    async open(filter) {
        const turn = ++this.#turn;
        this.#filter = filter;
        const page = await this.#load({ ...filter, limit: Math.max(PAGE, Math.min(200, this.threads.length)) });
        if (turn !== this.#turn) return;
        this.#byKey = new Map();
        this.#take(page);
        this.#isStale = false;
        this.settle();
    }

    async more() {
        if (!this.next || this.#isLoading) return;
        this.#isLoading = true;
        const turn = this.#turn;
        try {
            const page = await this.#load({ ...this.#filter, limit: PAGE, cursor: this.next });
            if (turn !== this.#turn) return;
            this.#take(page);
            this.threads = [...this.#byKey.values()];
            this.#changed();
        } finally {
            this.#isLoading = false;
        }
    }

    /** After an absence: what changed meanwhile, without taking away what is shown. */
    async refresh() {
        // While a computer reads its files for the first time, most of the list may be new.
        if (this.indexing && this.mayMove()) { await this.open(this.#filter); return; }
        const turn = this.#turn;
        const page = await this.#load({ ...this.#filter, limit: PAGE });
        if (turn !== this.#turn) return;
        for (const thread of page.items ?? []) this.#put(thread);
        this.total = page.total ?? this.total;
        this.indexing = page.indexing ?? null;
        this.#changed();
    }

    receive(event) {
        if (event.event === 'threads.changed' && event.thread) this.#put(event.thread);
        if (event.event === 'threads.removed') this.#remove(keyOf(event));
    }

    /** Puts everything where it belongs: the reader is at the top, or asked for it. */
    settle() {
        this.held = 0;
        const sorted = [...this.#byKey.values()].sort((a, b) => timeOf(b) - timeOf(a));
        this.#byKey = new Map(sorted.map((thread) => [keyOf(thread), thread]));
        this.threads = sorted;
        this.#changed();
    }

    get isUnsettled() { return this.held > 0 || this.#isStale; }

    #take(page) {
        for (const thread of page.items ?? []) this.#byKey.set(keyOf(thread), thread);
        this.next = page.next ?? null;
        this.total = page.total ?? null;
        this.indexing = page.indexing ?? null;
    }

    #put(thread) {
        const key = keyOf(thread);
        const isKnown = this.#byKey.has(key);
        if (!this.#fits(thread)) { if (isKnown) this.#remove(key); return; }
        // An older one than all that are shown comes with its page.
        if (!isKnown && this.next && this.threads.length > 0 && timeOf(thread) < timeOf(this.threads.at(-1))) return;
        this.#byKey.set(key, thread);
        if (!isKnown && this.total !== null) this.total += 1;
        if (this.mayMove()) { this.settle(); return; }
        this.#isStale = true;
        if (!isKnown) this.held += 1;
        this.threads = this.threads.map((each) => (keyOf(each) === key ? thread : each));
        this.#changed();
    }

    #remove(key) {
        if (!this.#byKey.delete(key)) return;
        if (this.total !== null) this.total -= 1;
        this.threads = this.threads.filter((each) => keyOf(each) !== key);
        this.#changed();
    }

    #fits(thread) {
        const { source, cwd, archived = false, all = false } = this.#filter ?? {};
        return (!source || thread.source === source) && (!cwd || thread.cwd === cwd) && Boolean(thread.is_archived) === archived
            && (all || thread.is_interactive !== false);
    }
}

function timeOf(thread) { return thread.last_message_ts ?? thread.updated_at ?? thread.created_at ?? 0; }
