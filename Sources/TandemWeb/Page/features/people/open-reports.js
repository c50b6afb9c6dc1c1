const MINUTE = 60_000;
const known = new WeakMap();

/**
 * How many reports are open, one for the page.
 *
 * @param {import('../../client/client.js').Client} client
 * @returns {OpenReports}
 */
export function openReportsOf(client) {
    if (!known.has(client)) known.set(client, new OpenReports(client));
    return known.get(client);
}

class OpenReports {
    #client;
    #watchers = new Set();
    /** The largest page; more is shown as that many. */
    count = 0;

    constructor(client) { this.#client = client; }

    /** Calls `draw` with the number, now and at each change. */
    watch(life, draw) {
        this.#watchers.add(draw);
        life.add(() => this.#watchers.delete(draw));
        draw(this.count);
    }

    /** Shows the number on the navigation, and asks for it every minute while the page is seen. */
    badge(chrome, life) {
        this.watch(life, (count) => chrome.badge('/people', count));
        life.every(MINUTE, () => this.ask());
        life.add(this.#client.events('reset', () => this.ask()));
        return this.ask();
    }

    async ask() {
        try {
            this.count = (await this.#client.call('chat.reports')).reports.length;
        } catch {
            // A hub without conversations has no reports; of any other failure the screen itself says more.
            return;
        }
        for (const draw of this.#watchers) draw(this.count);
    }
}
