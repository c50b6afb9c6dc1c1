/** Milliseconds between tries at a server. Source: `docs/protocol.md` 1.1. */
const WAITS = [500, 1000, 2000, 5000, 10_000];

/** How long to wait before each next try: longer each time, with 20 % of chance. */
export class Backoff {
    #tries = 0;

    /** @param {() => number} [chance] A number from 0 to 1. */
    constructor(chance = Math.random) { this.chance = chance; }

    reset() { this.#tries = 0; }

    next() {
        const wait = WAITS[Math.min(this.#tries, WAITS.length - 1)];
        this.#tries += 1;
        return wait * (0.8 + 0.4 * this.chance());
    }
}
