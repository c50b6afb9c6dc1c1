/**
 * The clock and the timers of the wire, so that tests have their own.
 *
 * @typedef {{now(): number, after(milliseconds: number, action: () => void): () => void}} Time `after` gives what stops it.
 */

/** @type {Time} */
export const systemTime = {
    now: () => Date.now(),
    after: (milliseconds, action) => {
        const timer = setTimeout(action, milliseconds);
        return () => clearTimeout(timer);
    },
};

/** One timer that can be set again: what was set before does not ring. */
export class Alarm {
    #time;
    #stop = null;
    /** When it rings, null where it is not set. @type {number | null} */
    at = null;

    /** @param {Time} time */
    constructor(time) { this.#time = time; }

    set(milliseconds, action) {
        this.clear();
        this.at = this.#time.now() + milliseconds;
        this.#stop = this.#time.after(milliseconds, () => {
            this.#stop = null;
            this.at = null;
            action();
        });
    }

    clear() {
        this.#stop?.();
        this.#stop = null;
        this.at = null;
    }
}
