import { areEqual, random } from './bytes.js';
import { tokenBody, PING } from './bodies.js';
import { compactRecord, jsonRecord } from './records.js';

/** When a way is pinged: while something is awaited, after the first ping, and idle. */
const SOON = 100;
const AGAIN = 500;
const IDLE = 20_000;
const AWAY = 60_000;
const SHORTEST_PATIENCE = 250;
const FIRST_PATIENCE = 500;
const MORE_THAN_TRIP = 400;
const PINGS = 16;
const SILENT_WAITS = [250, 500, 1000, 2000, 5000];

/** One connection over which a computer may be reached: how it is written to, and whether it answers. Source: `docs/protocol.md` 2.5. */
export class Way {
    /** Whether the server said that the computer is away. */
    isAway = false;
    isSilent = false;
    /** The round trip, null before the first. @type {number | null} */
    trip = null;
    heardAt = -Infinity;
    #knows = false;
    #isRefused = false;
    /** Pings whose answer may come, the oldest first. */
    #pings = [];
    #isUnanswered = false;
    #pingedAt = -Infinity;
    #silentPings = 0;

    /**
     * @param {import('./signaling.js').Signaling} signaling
     * @param {string} id The computer's.
     */
    constructor(signaling, id) {
        this.signaling = signaling;
        this.id = id;
    }

    get isUp() { return this.signaling.state === 'registered'; }
    get isUsable() { return this.isUp && !this.isAway; }

    /** The connection was made anew: nothing is known of it. */
    reset() {
        this.isAway = this.isSilent = this.#knows = this.#isRefused = false;
        this.#pings = [];
        this.#isUnanswered = false;
        this.#pingedAt = this.heardAt = -Infinity;
        this.#silentPings = 0;
    }

    /** Sends a record: as JSON until it is known that the computer knows whose compact ones are. */
    send(sid, record) {
        if (this.#knows && !this.#isRefused && this.signaling.sendRecord(this.id, compactRecord(record))) return true;
        return this.signaling.send(this.id, jsonRecord(sid, record));
    }

    /** Records are JSON from now on, until one was heard. */
    writeJSON() { this.#knows = false; }

    /** The server does not forward compact records to this computer. */
    refuseCompact() { this.#isRefused = true; }

    /** Something came over this way. */
    heard(now) {
        this.#knows = true;
        this.isAway = this.isSilent = false;
        this.#silentPings = 0;
        this.heardAt = now;
    }

    /** The body of a new ping. */
    ping(now) {
        const ping = { token: random(8), at: now };
        this.#pings = [...this.#pings.slice(1 - PINGS), ping];
        this.#pingedAt = now;
        this.#isUnanswered = true;
        return tokenBody(PING, ping.token);
    }

    /** The answer to a ping. Which it is tells the round trip. */
    pong(token, now) {
        const at = this.#pings.findIndex((ping) => areEqual(token, ping.token));
        if (at < 0) return;
        this.trip = now - this.#pings[at].at;
        this.#pings = this.#pings.slice(at + 1);
        this.#isUnanswered = this.#pings.length > 0;
    }

    /** When there is something to do: a ping, or to note that one was not answered. */
    dueAt(isAwaited) {
        if (this.isAway) return this.#pingedAt + AWAY;
        if (this.isSilent) return this.#pingedAt + SILENT_WAITS[Math.min(this.#silentPings, SILENT_WAITS.length - 1)];
        if (this.#isUnanswered) return Math.max(this.heardAt, this.#pingedAt) + this.#patience;
        return isAwaited ? Math.max(this.heardAt + SOON, this.#pingedAt + AGAIN) : Math.max(this.heardAt, this.#pingedAt) + IDLE;
    }

    /** Notes that a ping was not answered. @returns {boolean} Whether the way just went silent. */
    check(now) {
        if (this.isSilent) this.#silentPings += 1;
        // What came meanwhile shows that the answer is on its way behind it.
        if (this.isSilent || !this.#isUnanswered || this.heardAt > this.#pingedAt) return false;
        this.isSilent = now >= this.#pingedAt + this.#patience;
        return this.isSilent;
    }

    get #patience() {
        if (this.trip === null) return FIRST_PATIENCE;
        return Math.min(Math.max(4 * this.trip, SHORTEST_PATIENCE), Math.max(SHORTEST_PATIENCE, this.trip + MORE_THAN_TRIP));
    }
}
