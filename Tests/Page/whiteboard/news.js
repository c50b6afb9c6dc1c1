const known = new WeakMap();

/**
 * How many lines came to boards that were not looked at. One for the page.
 *
 * @param {import('/client/client.js').Client} client
 * @returns {News}
 */
export function newsOf(client) {
    if (!known.has(client)) known.set(client, new News(client));
    return known.get(client);
}

class News {
    /** New lines by the computer's id. */
    #counts = new Map();
    #users = new Set();
    /** The computers whose boards are on the screen. */
    #looked = new Set();
    #client;

    constructor(client) { this.#client = client; }

    get total() { return [...this.#counts.values()].reduce((sum, count) => sum + count, 0); }

    countAt(device) { return this.#counts.get(device) ?? 0; }

    /** Keeps the number on the navigation, and counts from now on. */
    badge(chrome, life) {
        life.add(this.#client.events('remote', ({ device, event, members }) => {
            if (event !== 'whiteboard.stroke' || members?.artist === this.#client.self.id || this.#looked.has(device)) return;
            this.#set(device, this.countAt(device) + 1);
        }));
        this.use(life, () => chrome.badge('/whiteboard', this.total));
    }

    /** Calls `changed` at each change, and once at first. */
    use(life, changed) {
        this.#users.add(changed);
        life.add(() => this.#users.delete(changed));
        changed();
    }

    /** A board that is looked at has nothing new. */
    look(device, life) {
        this.#looked.add(device);
        life.add(() => this.#looked.delete(device));
        this.#set(device, 0);
    }

    #set(device, count) {
        this.#counts.set(device, count);
        for (const changed of this.#users) changed();
    }
}
