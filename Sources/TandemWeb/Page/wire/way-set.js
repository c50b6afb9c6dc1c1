import { Way } from './way.js';

/** How long all ways may be silent before the computer counts as away. */
const LOST_AFTER = 3000;

/** All ways to one computer, the best first. */
export class WaySet {
    #id;
    /** @type {Map<import('./signaling.js').Signaling, Way>} */
    #ways = new Map();
    #silentSince = null;

    /** @param {string} id The computer's. */
    constructor(id) { this.#id = id; }

    get #all() { return [...this.#ways.values()]; }

    /** Whether any server is reached. */
    get isUp() { return this.#all.some((way) => way.isUp); }

    /** The way that is used: the best that answers. @returns {Way | null} */
    get best() {
        const usable = this.#all.filter((way) => way.isUsable);
        return usable.find((way) => !way.isSilent) ?? usable[0] ?? null;
    }

    /** @returns {Way | null} */
    get(signaling) { return this.#ways.get(signaling) ?? null; }

    /** The connection to a server was made, lost or made anew: nothing is known of the way over it. */
    renew(signaling) {
        if (!this.#ways.has(signaling)) this.#ways.set(signaling, new Way(signaling, this.#id));
        this.#ways.get(signaling).reset();
    }

    /** Something came over a way. @returns {boolean} Whether it had been silent or away. */
    heard(way, now) {
        const wasLost = way.isSilent || way.isAway;
        way.heard(now);
        this.#silentSince = null;
        return wasLost;
    }

    writeJSON() { this.#all.forEach((way) => way.writeJSON()); }

    /** The ways on which the computer may be; where all servers say that it is away, one of them may be wrong. */
    get hopeful() {
        const up = this.#all.filter((way) => way.isUp);
        return this.best ? up.filter(({ isAway }) => !isAway) : up;
    }

    /** When there is something to do on one of them; infinite where there is none. */
    dueAt(isAwaited) { return Math.min(...this.#all.filter((way) => way.isUp).map((way) => way.dueAt(isAwaited))); }

    /** Notes what was not answered. @returns {Way[]} The ways to ping. */
    check(now, isAwaited) {
        const due = this.#all.filter((way) => way.isUp && way.dueAt(isAwaited) <= now);
        // The connection itself is asked: a silent way may be one whose socket is dead.
        for (const way of due) if (way.check(now)) way.signaling.probe();
        return due;
    }

    /** Whether nothing came for so long that the computer counts as away. */
    isLost(now) {
        if (!this.best?.isSilent) return false;
        this.#silentSince ??= now;
        return now - this.#silentSince >= LOST_AFTER;
    }
}
