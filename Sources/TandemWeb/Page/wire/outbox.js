import { WireError } from './error.js';

/** What may wait for its acknowledgement. */
const MESSAGES = 4096;
const BYTES = 8 * 1024 * 1024;
const LARGEST = 700_000;
/** Messages on their way: half of what a receiver's window of records tells apart, so that repeats fit into it, too. */
const AT_A_TIME = 512;
/** What may be on its way: where it begins, and its bounds. */
const FIRST_WINDOW = 128 * 1024;
const LARGEST_WINDOW = 2 * 1024 * 1024;
const SMALLEST_WINDOW = 16 * 1024;
const QUICK = 100;
const SLOW = 300;
/** What of files may be on its way, and beside other messages. */
const BULK = 1_600_000;
const BULK_BESIDE = 512 * 1024;
const BESIDE = 1000;
const SHORTEST_REPEAT = 250;
const LONGEST_REPEAT = 10_000;

/**
 * @typedef {Object} Sent A message on its way.
 * @property {number} number
 * @property {Uint8Array} bytes
 * @property {boolean} isBulk
 * @property {number} first When it was sent first.
 * @property {number} at When it was sent last.
 * @property {number} tries
 */

/** The messages of this phone that the computer has not acknowledged: a value without I/O. Source: `docs/protocol.md` 2.5. */
export class Outbox {
    /** Messages without a number, those of files apart: others overtake them. @type {{bytes: Uint8Array, isBulk: boolean}[][]} */
    #waiting = [[], []];
    /** @type {Map<number, Sent>} In the order of their numbers. */
    #sent = new Map();
    #last = 0;
    #bytes = 0;
    #window = FIRST_WINDOW;
    #underWay = 0;
    #bulkUnderWay = 0;
    #otherAt = -Infinity;
    /** The shortest round trip lately, and how long acknowledgements took. */
    #quickest = Infinity;
    #usual = 0;
    /** Whoever waits until there is room, or until everything is acknowledged. */
    #roomWaiters = [];
    #settleWaiters = [];

    /** Whether anything is not acknowledged. */
    get isBusy() { return this.#sent.size > 0 || this.#waiting.some((each) => each.length > 0); }
    get #hasRoom() { return this.#sent.size + this.#waiting[0].length + this.#waiting[1].length < MESSAGES && this.#bytes < BYTES; }

    /** @throws {WireError} For a message that no record holds. */
    add(bytes, isBulk = false) {
        if (bytes.length > LARGEST) throw new WireError('too-large', `A message of ${bytes.length} bytes is too large; ${LARGEST} are the most.`);
        this.#bytes += bytes.length;
        this.#waiting[isBulk ? 1 : 0].push({ bytes, isBulk });
    }

    /** Waits until there is room for more. */
    room() { return this.#hasRoom ? Promise.resolve() : new Promise((resolve) => { this.#roomWaiters.push(resolve); }); }

    /** Waits until everything is acknowledged. @returns {Promise<boolean>} What ``end`` says where that came first. */
    settled() { return this.isBusy ? new Promise((resolve) => { this.#settleWaiters.push(resolve); }) : Promise.resolve(true); }

    /** Nothing is sent any more. */
    end(isSettled) {
        this.#roomWaiters.splice(0).forEach((resolve) => resolve());
        this.#settleWaiters.splice(0).forEach((resolve) => resolve(isSettled));
    }

    /** The next message to send for the first time; null where there is none, or enough is on its way. @returns {Sent | null} */
    next(now) {
        const queue = this.#waiting[0].length ? this.#waiting[0] : this.#waiting[1];
        const first = queue[0];
        if (!first || this.#sent.size >= AT_A_TIME || this.#sent.size && this.#underWay + first.bytes.length > this.#window) return null;
        const bulk = now - this.#otherAt < BESIDE ? BULK_BESIDE : BULK;
        if (first.isBulk && this.#bulkUnderWay && this.#bulkUnderWay + first.bytes.length > bulk) return null;
        queue.shift();
        this.#last += 1;
        const sent = { number: this.#last, ...first, first: now, at: now, tries: 1 };
        this.#sent.set(sent.number, sent);
        this.#count(sent, 1);
        if (!first.isBulk) this.#otherAt = now;
        return sent;
    }

    /** What arrived up to a number. */
    acknowledge(number, now) {
        for (const sent of this.#sent.values()) {
            if (sent.number > number) break;
            this.#sent.delete(sent.number);
            this.#bytes -= sent.bytes.length;
            this.#count(sent, -1);
            if (sent.tries === 1) this.#measure(now - sent.first);
        }
        if (this.#hasRoom) this.#roomWaiters.splice(0).forEach((resolve) => resolve());
        if (!this.isBusy) this.#settleWaiters.splice(0).forEach((resolve) => resolve(true));
    }

    /** The messages that were not acknowledged for too long, or all of those on their way where their connection is gone. @returns {Sent[]} */
    due(now, isAll = false) {
        const found = [];
        for (const sent of this.#sent.values()) {
            if (!isAll && now - sent.at < this.#patience(sent)) continue;
            sent.at = now;
            sent.tries += 1;
            found.push(sent);
        }
        return found;
    }

    /** When the next one is due, null where nothing is on its way. */
    get dueAt() {
        let next = null;
        for (const sent of this.#sent.values()) next = Math.min(next ?? Infinity, sent.at + this.#patience(sent));
        return next;
    }

    /** The computer knows no message of this phone: those on their way are numbered anew, in their order, and wait to be sent. */
    renumber() {
        for (const { bytes, isBulk } of [...this.#sent.values()].reverse()) this.#waiting[isBulk ? 1 : 0].unshift({ bytes, isBulk });
        this.#sent.clear();
        this.#last = this.#underWay = this.#bulkUnderWay = 0;
    }

    #count(sent, sign) {
        this.#underWay += sign * sent.bytes.length;
        if (sent.isBulk) this.#bulkUnderWay += sign * sent.bytes.length;
    }

    #patience(sent) { return Math.min(LONGEST_REPEAT, Math.max(SHORTEST_REPEAT, 1.25 * this.#usual) * 2 ** (sent.tries - 1)); }

    /** What is on its way grows while it arrives soon, and shrinks to what takes 300 ms. */
    #measure(took) {
        this.#quickest = Math.min(took, this.#quickest === Infinity ? took : this.#quickest * 1.01 + 1);
        this.#usual = Math.max(took, 0.9 * this.#usual);
        if (took - this.#quickest <= QUICK) {
            this.#window = Math.min(LARGEST_WINDOW, this.#underWay * 2 >= this.#window ? this.#window * 2 : this.#window);
        } else if (took > SLOW) {
            this.#window = Math.max(SMALLEST_WINDOW, this.#window * SLOW / took);
        }
    }
}
