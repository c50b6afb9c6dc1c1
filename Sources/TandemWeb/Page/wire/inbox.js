/** What may wait for a message before it. */
const MESSAGES = 4352;
const BYTES = 16 * 1024 * 1024;
/** How long an acknowledgement may wait, and for how many messages. */
export const ACK_WITHIN = 20;
const ACK_AT = 32;

/**
 * Brings the computer's messages into their order, each once. Source: `docs/protocol.md` 2.5.
 *
 * A message that outlives the computer's program (a kept one) is acknowledged once it was handled and its number is on disk, and what comes behind
 * it waits for that.
 */
export class Inbox {
    /** The number up to which everything was handled. */
    handled = 0;
    #arrived = 0;
    #early = new Map();
    #earlyBytes = 0;
    #options;
    #isHandling = false;
    #ready = [];
    /** Messages that no acknowledgement was sent for. */
    #owed = 0;

    /**
     * @param {Object} options
     * @param {(bytes: Uint8Array) => void | Promise<void>} options.deliver
     * @param {number} options.lastKept The number of the last kept message that was handled.
     * @param {(number: number) => Promise<void>} options.keep Writes that number down.
     * @param {() => void} options.progress There is something to acknowledge.
     */
    constructor(options) {
        this.#options = options;
        this.lastKept = options.lastKept;
    }

    /** Whether an acknowledgement is owed, and now. */
    get isOwed() { return this.#owed > 0; }
    get isUrgent() { return this.#owed >= ACK_AT; }

    /** The number to acknowledge, which is acknowledged by that. */
    takeAck() {
        this.#owed = 0;
        return this.handled;
    }

    /**
     * Takes a message.
     *
     * @param {import('./bodies.js').Body} body
     */
    receive({ number, durable, bytes }) {
        if (number <= this.#arrived || this.#early.has(number)) {
            this.#owed += ACK_AT;
        } else if (number > this.#arrived + 1) {
            if (number > this.#arrived + MESSAGES || this.#earlyBytes + bytes.length > BYTES) return;
            this.#early.set(number, { durable, bytes });
            this.#earlyBytes += bytes.length;
            this.#owed += ACK_AT;
        } else {
            this.#arrive({ durable, bytes });
            for (let next = this.#early.get(this.#arrived + 1); next; next = this.#early.get(this.#arrived + 1)) {
                this.#early.delete(this.#arrived + 1);
                this.#earlyBytes -= next.bytes.length;
                this.#arrive(next);
            }
        }
        this.#options.progress();
    }

    /** The computer's program was started anew, and numbers its messages from 1. */
    restart() {
        this.#arrived = this.handled = this.#earlyBytes = this.#owed = 0;
        this.#early.clear();
        this.#ready = [];
        this.#isHandling = false;
    }

    #arrive(message) {
        this.#arrived += 1;
        if (message.durable || this.#isHandling) {
            this.#ready.push(message);
            if (!this.#isHandling) this.#handle(this.#ready);
        } else {
            this.#deliver(message.bytes);
            this.#done();
        }
    }

    /** Handles what came since a kept message, in its order. */
    async #handle(queue) {
        this.#isHandling = true;
        while (queue.length) {
            const { durable, bytes } = queue[0];
            if (!durable) {
                this.#deliver(bytes);
            } else if (durable > this.lastKept) {
                await this.#deliver(bytes);
                this.lastKept = durable;
                // Where its number cannot be written, the message was handled all the same, and is not told again once it is acknowledged.
                await this.#options.keep(durable).catch(() => {});
            }
            // What was begun before the computer's program ended is not counted among the messages of the new one.
            if (queue !== this.#ready) return;
            queue.shift();
            this.#done();
        }
        this.#isHandling = false;
        this.#options.progress();
    }

    /** One message that cannot be handled spoils none that comes behind it. */
    async #deliver(bytes) {
        try {
            await this.#options.deliver(bytes);
        } catch (error) {
            queueMicrotask(() => { throw error; });
        }
    }

    #done() {
        this.handled += 1;
        this.#owed += 1;
    }
}
