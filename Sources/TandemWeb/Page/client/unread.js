import { unreadCounts } from './notifications.js';
import { Users } from './users.js';

/** Changes that come together are counted once, in milliseconds. */
const PAUSE = 120;
const known = new WeakMap();

/**
 * How many notifications were not read. One for the page, at work while something uses it.
 *
 * @param {import('./client.js').Client} client
 * @returns {Unread}
 */
export function unreadOf(client) {
    if (!known.has(client)) known.set(client, new Unread(client));
    return known.get(client);
}

class Unread {
    total = 0;
    #client;
    #devices = {};
    #users = new Users(() => this.#begin(), () => this.#end());
    #stops = [];
    #timer = null;
    #turn = 0;

    constructor(client) { this.#client = client; }

    /** @param {string} device A computer's id, empty for this one. */
    countAt(device) { return this.#devices[device] ?? 0; }

    /**
     * Follows it as long as the life lasts.
     *
     * @param {() => void} changed Called at each change, and once at first.
     */
    use(life, changed) { this.#users.use(life, changed); }

    #begin() {
        this.#stops = ['notifications', 'devices', 'reset'].map((topic) => this.#client.events(topic, () => this.#soon()));
        this.#count();
    }

    #end() {
        this.#stops.splice(0).forEach((stop) => stop());
        clearTimeout(this.#timer);
        this.#timer = null;
    }

    #soon() {
        this.#timer ??= setTimeout(() => { this.#timer = null; this.#count(); }, PAUSE);
    }

    async #count() {
        const turn = ++this.#turn;
        // Without an answer the numbers stay what they were: the screens say what is the matter.
        const answer = await unreadCounts(this.#client).catch(() => null);
        if (!answer || turn !== this.#turn) return;
        this.#devices = answer.devices ?? {};
        this.total = Number.isSafeInteger(answer.total) ? Math.max(0, answer.total) : 0;
        this.#users.tell();
    }
}
