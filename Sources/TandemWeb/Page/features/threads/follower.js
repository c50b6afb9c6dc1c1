import { Questions, relationOf } from '../../kit/feed.js';

/** Items of one page. */
const PAGE = 60;
/** While catching up. */
const LONG_PAGE = 200;
/** One message that is being written, in UTF-16 units. */
const MOST_WRITTEN = 262_144;
/** Among so many items stands one that was just written. */
const LAST = 12;

/**
 * The items of a thread, in their order, kept right while it is written: nothing is lost and nothing stands twice. An event says which
 * cursor it goes on from; where that is not the own one, `threads.get` is asked with the own one. So lost events, a computer that began
 * anew and a phone that slept are the same case. What is asked with one cursor and answered when another is reached is dropped.
 */
export class Follower {
    items = [];
    thread = null;
    older = null;
    newer = null;
    /** Whether the last item is the thread's last one. */
    isAtEnd = false;
    skipped = 0;
    /** Messages that are being written and stand in no file yet: id → text. */
    writing = new Map();
    #places = new Map();
    #get;
    #changed;
    #failed;
    #turn = 0;
    #isOpening = false;
    /** Something was told while a page is read that the thread begins with. */
    #wasTold = false;
    /** From the own cursor on until the end. */
    #missing = new Questions(() => this.#askOn().catch((error) => { this.#failed(error); return false; }));
    #loading = new Map();

    /**
     * @param {Object} options
     * @param {(params: Object) => Promise<Object>} options.get `threads.get` of this thread.
     * @param {(what: {kind: 'reset' | 'newer' | 'further' | 'older' | 'writing' | 'missed', added?: Object[], count?: number, at?: Object | null}) => void} options.changed
     *   `newer`: the thread grew; `further`: it was read further on towards its end.
     * @param {(error: import('../../client/client.js').ClientError) => void} options.failed Catching up did not work; the next event tries again.
     */
    constructor({ get, changed, failed }) {
        this.#get = get;
        this.#changed = changed;
        this.#failed = failed;
    }

    /** Reads the last page, or the one that begins at a cursor. */
    async open(at = null) {
        const turn = ++this.#turn;
        this.#isOpening = true;
        try {
            const page = await this.#get(at === null ? { limit: PAGE } : { after: at, limit: PAGE });
            if (turn !== this.#turn) return;
            this.items = [];
            this.#places.clear();
            this.writing.clear();
            this.#put(page);
            this.thread = page.thread ?? this.thread;
            this.older = page.older ?? at;
            this.newer = page.newer ?? at;
            this.isAtEnd = at === null || page.is_end !== false;
            this.skipped = page.skipped?.count ?? 0;
            this.#changed({ kind: 'reset', at });
        } finally {
            if (turn === this.#turn) this.#isOpening = false;
        }
        // What was told meanwhile may be newer than the page.
        if (this.#wasTold) { this.#wasTold = false; this.catchUp(); }
    }

    /** Reads the items before the first one. */
    loadOlder() {
        return this.#once('older', async () => {
            const [turn, before] = [this.#turn, this.older];
            if (before === null) return;
            const page = await this.#get({ before, limit: PAGE });
            if (turn !== this.#turn || before !== this.older) return;
            // Another file stands in its place.
            if (page.replaces) { await this.open(); return; }
            const fresh = (page.items ?? []).filter((item) => !this.#places.has(item.id));
            this.items = [...fresh, ...this.items];
            this.items.forEach((item, index) => this.#places.set(item.id, index));
            // A page without anything that goes no further back is the beginning.
            this.older = page.older === before ? null : page.older ?? null;
            this.#changed({ kind: 'older', count: fresh.length });
        });
    }

    /** Reads on towards the end, where the thread was opened in its middle. */
    loadNewer() {
        return this.#once('newer', async () => {
            if (this.isAtEnd) return;
            const [turn, after] = [this.#turn, this.newer];
            const page = await this.#get({ after, limit: PAGE });
            if (turn === this.#turn) await this.take(page, after);
        });
    }

    /** A page that was asked for with `after`; dropped where another cursor is reached by now. */
    async take(page, after) {
        if (after === null || after !== this.newer) { this.catchUp(); return; }
        if (page.replaces) { await this.open(); return; }
        if (page.thread) this.thread = page.thread;
        const added = this.#put(page);
        const wasAtEnd = this.isAtEnd;
        this.newer = page.newer ?? this.newer;
        if (page.is_end !== false) this.isAtEnd = true;
        this.#changed({ kind: wasAtEnd ? 'newer' : 'further', added });
        // There is more, or something may have been told before the end was reached.
        if (this.isAtEnd && (page.is_end === false || !wasAtEnd)) this.catchUp();
    }

    /**
     * What is told while the thread is followed.
     *
     * @param {Object} event
     */
    receive(event) {
        switch (event.event) {
            case 'threads.items': this.#items(event); break;
            case 'threads.delta': this.#delta(event); break;
            case 'threads.changed':
                if (!event.thread) break;
                this.thread = event.thread;
                if (event.thread.state !== 'running' && this.writing.size > 0 && this.#isSettled(event.thread.state)) this.writing.clear();
                this.#changed({ kind: 'writing' });
                break;
            default:
        }
    }

    /** Asks from the own cursor on until the end; one question at a time. */
    catchUp() { return this.#missing.ask(); }

    async #askOn() {
        if (!this.isAtEnd || this.newer === null) return false;
        if (this.#isOpening) { this.#wasTold = true; return false; }
        const [turn, after] = [this.#turn, this.newer];
        const page = await this.#get({ after, limit: LONG_PAGE });
        if (turn !== this.#turn) return true;
        await this.take(page, after);
        // A page that goes no further would be asked for without end.
        return this.newer !== after || page.is_end !== false;
    }

    #items(event) {
        if (event.replaces) { this.open().catch((error) => this.#failed(error)); return; }
        const count = event.items?.length ?? 0;
        if (!this.isAtEnd) { this.#changed({ kind: 'missed', count }); return; }
        const relation = relationOf(this.newer, event);
        if (this.#isOpening || relation === 'gap') { this.catchUp(); return; }
        if (relation === 'known') return;
        const added = this.#put(event);
        this.newer = event.newer ?? this.newer;
        this.#changed({ kind: 'newer', added });
        if (event.is_end === false) this.catchUp();
    }

    #delta({ item, offset, text }) {
        if (!this.isAtEnd || typeof text !== 'string' || !Number.isInteger(offset) || offset < 0 || this.#places.has(item)) return;
        const known = this.writing.get(item);
        // The beginning is missing: it comes with the item.
        if (known === undefined && offset > 0) this.writing.set(item, { from: offset, text: '' });
        const entry = this.writing.get(item) ?? { from: 0, text: '' };
        const at = offset - entry.from;
        if (at < 0 || at > entry.text.length || at + text.length > MOST_WRITTEN) return;
        // A message is written once; at most few at a time.
        if (known === undefined && this.writing.size > 4) this.writing.delete(this.writing.keys().next().value);
        this.writing.set(item, { from: entry.from, text: entry.text.slice(0, at) + text });
        this.#changed({ kind: 'writing' });
    }

    /**
     * Messages that are being written, but for those that stand among the last items already: a file may be faster than the agent's own words,
     * and call the message otherwise.
     */
    get unwritten() {
        const last = this.items.slice(-LAST).filter(({ kind, text }) => (kind === 'agent' || kind === 'reasoning') && typeof text === 'string');
        return [...this.writing].filter(([, { from, text }]) => text && !last.some((item) => item.text.startsWith(text, from)));
    }

    #isSettled(state) { return state !== 'approval' && state !== 'input'; }

    /**
     * Adds items at the end, those that are known in their places.
     *
     * @returns {Object[]} Those that are new.
     */
    #put(page) {
        const added = [];
        for (const item of Array.isArray(page.items) ? page.items : []) {
            if (item === null || typeof item !== 'object' || typeof item.id !== 'string') continue;
            const place = this.#places.get(item.id);
            if (place === undefined) {
                this.#places.set(item.id, this.items.length);
                this.items.push(item);
                added.push(item);
            } else {
                this.items[place] = item;
            }
            this.#isWritten(item);
        }
        return added;
    }

    /** The item of a message that was shown while it was written: by its id, else by how it begins, for a file may name it otherwise. */
    #isWritten(item) {
        if (this.writing.delete(item.id) || (item.message_id && this.writing.delete(item.message_id))) return;
        if (item.kind !== 'agent' && item.kind !== 'reasoning') return;
        for (const [id, { from, text }] of this.writing) {
            const length = Math.min(200, text.length, Math.max(0, (item.text?.length ?? 0) - from));
            if (length > 0 && item.text.slice(from, from + length) === text.slice(0, length)) { this.writing.delete(id); return; }
        }
    }

    #once(name, work) {
        const running = this.#loading.get(name);
        if (running) return running;
        const made = work().finally(() => this.#loading.delete(name));
        this.#loading.set(name, made);
        return made;
    }
}
