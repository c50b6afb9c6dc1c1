import { Listeners } from '../client.js';

/** The commands that wait for computers, and how each of them ended. */
export class Queue {
    #phone;
    #known = new Map();
    /** Those that a person took out: they are not done. */
    #removed = new Set();
    #ends = new Listeners();

    /** @param {any} phone */
    constructor(phone) {
        this.#phone = phone;
        this.#look();
        phone.on('queue', () => this.#look());
    }

    list() { return this.#phone.queue.list(); }

    /** Calls a method now, or once the computer is there. */
    call(computer, method, params, options) { return this.#phone.queue.call(computer, method, params, options); }

    retry(id) { return this.#phone.queue.retry(id); }

    remove(id) {
        this.#removed.add(id);
        return this.#phone.queue.remove(id);
    }

    /** @param {string} [computer] Without one of all. */
    clear(computer) {
        for (const entry of this.list()) if (computer === undefined || entry.desktopId === computer) this.#removed.add(entry.id);
        return this.#phone.queue.clear(computer);
    }

    /** One is over: `{entry, isDone}`; also one that failed, which waits for its person. */
    onEnded(listener) { return this.#ends.add(listener); }

    #look() {
        const now = new Map(this.list().map((entry) => [entry.id, entry]));
        const before = this.#known;
        this.#known = now;
        for (const [id, entry] of before) {
            if (now.has(id)) continue;
            const isDone = !this.#removed.delete(id) && entry.status === 'sending';
            this.#ends.tell({ entry, isDone });
        }
        for (const [id, entry] of now) if (entry.status === 'failed' && before.get(id)?.status !== 'failed') this.#ends.tell({ entry, isDone: false });
    }
}
