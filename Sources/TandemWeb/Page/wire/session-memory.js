/** What outlives a session with one computer. */
export class SessionMemory {
    #store;
    #did;
    /** @type {import('./session-handshake.js').Kept} */
    kept = { counter: 0, lastKept: 0 };

    /**
     * @param {import('./store.js').Store} store
     * @param {string} did The computer's.
     */
    constructor(store, did) {
        this.#store = store;
        this.#did = did;
    }

    async load() { this.kept = await this.#store.get('sessions', this.#did) ?? this.kept; }

    /**
     * Changes it, here and in the store. Where the store has no room the change is in memory alone: the next page begins without a secret, and with a
     * counter that the clock is above.
     */
    async keep(members) {
        this.kept = { ...this.kept, ...members };
        await this.#store.put('sessions', this.#did, this.kept).catch(() => {});
    }
}
