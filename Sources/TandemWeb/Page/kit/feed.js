/** What is followed by a cursor: how what is told stands to where its reader is, and questions for what is missing. Without a document. */

/**
 * How a part of a feed whose cursors are opaque stands to where its reader is.
 *
 * @param {string | null} cursor Where the reader stands; null before the first answer.
 * @param {{after?: string, newer?: string}} part What it lies behind, and where it ends.
 * @returns {'next' | 'known' | 'gap'}
 */
export function relationOf(cursor, { after, newer }) {
    if (cursor === null) return 'gap';
    if (after === cursor) return 'next';
    return newer === cursor ? 'known' : 'gap';
}

/** Questions of one kind, one at a time: what makes another one needed while one is under way is asked for once, when that is answered. */
export class Questions {
    #work;
    #isStale = false;
    #running = null;

    /** @param {() => Promise<any>} work Asks. With false no other one follows, whatever came meanwhile. */
    constructor(work) { this.#work = work; }

    /** @returns {Promise<void>} Once nothing is to be asked any more; fails with the question. */
    ask() {
        this.#isStale = true;
        // Not at once: what asks may itself say that another one is needed.
        this.#running ??= Promise.resolve().then(() => this.#run());
        return this.#running;
    }

    async #run() {
        try {
            while (this.#isStale) {
                this.#isStale = false;
                if (await this.#work() === false) break;
            }
        } finally {
            this.#isStale = false;
            this.#running = null;
        }
    }
}
