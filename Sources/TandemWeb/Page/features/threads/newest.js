import { threadsOf } from '../../client/threads.js';
import { keyOf } from './states.js';

/** So many of each computer are asked for. */
const EACH = 30;
/** So many of all are shown; the others stand at their computers. */
const MOST = 50;

/**
 * The threads of several computers that something happened in last. What changes is taken from what the computers tell; while nothing may move,
 * threads keep their places, and new ones wait.
 */
export class NewestThreads {
    #client;
    #changed;
    #mayMove;
    /** By computer, its threads by their keys. */
    #places = new Map();
    #shown = [];
    #isStale = false;

    /** @param {{client: Object, changed: () => void, mayMove: () => boolean}} options */
    constructor({ client, changed, mayMove }) {
        this.#client = client;
        this.#changed = changed;
        this.#mayMove = mayMove;
    }

    /** @returns {{place: string, thread: Object}[]} */
    get threads() { return this.#shown; }

    /**
     * Shows the threads of these computers, and asks those that were not asked.
     *
     * @param {string[]} ids
     */
    async show(ids) {
        for (const id of [...this.#places.keys()]) if (!ids.includes(id)) this.#places.delete(id);
        await Promise.all(ids.filter((id) => !this.#places.has(id)).map((id) => this.ask(id)));
        this.#update();
    }

    /** Asks a computer again. One that fails keeps what it had: its own screen says what is the matter. */
    async ask(id) {
        const before = this.#places.get(id) ?? new Map();
        this.#places.set(id, before);
        const page = await threadsOf(this.#client, this.#client.computer(id)).list({ limit: EACH }).catch(() => null);
        if (!page || !this.#places.has(id)) return;
        this.#places.set(id, new Map((page.items ?? []).map((thread) => [keyOf(thread), thread])));
        this.#update();
    }

    /** What a computer told; null: ask again. */
    receive(id, event) {
        const threads = this.#places.get(id);
        if (!threads) return;
        if (event === null) {
            this.ask(id);
        } else if (event.event === 'threads.changed' && event.thread) {
            const key = keyOf(event.thread);
            if (event.thread.is_archived || event.thread.is_interactive === false) threads.delete(key);
            else threads.set(key, event.thread);
            this.#update();
        } else if (event.event === 'threads.removed') {
            threads.delete(keyOf(event));
            this.#update();
        }
    }

    /** Puts everything where it belongs. */
    settle() {
        this.#isStale = false;
        this.#shown = [...this.#places].flatMap(([place, threads]) => [...threads.values()].map((thread) => ({ place, thread })))
            .sort((one, other) => timeOf(other.thread) - timeOf(one.thread)).slice(0, MOST);
        this.#changed();
    }

    /** The reader may be moved again. */
    settleIfStale() { if (this.#isStale) this.settle(); }

    #update() {
        if (this.#shown.length === 0 || this.#mayMove()) { this.settle(); return; }
        this.#isStale = true;
        this.#shown = this.#shown.map(({ place, thread }) => ({ place, thread: this.#places.get(place)?.get(keyOf(thread)) })).filter(({ thread }) => thread);
        this.#changed();
    }
}

function timeOf(thread) { return thread.last_message_ts ?? thread.updated_at ?? thread.created_at ?? 0; }
