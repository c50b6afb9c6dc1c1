const SHORTEST_WAIT = 250;
const LONGEST_WAIT = 8000;
/** Failures that another try does not change: they are told, and `retry` begins again. */
const FINAL = new Set(['not-allowed', 'unknown-method', 'not-found', 'bad-request', 'signed-out']);

/**
 * The threads of coding agents: those of a computer on a phone's page, this computer's own on its page. The one place that knows which.
 *
 * @param {import('./client.js').Client} client
 * @param {import('./client.js').Computer | null} [computer] None: this computer's own.
 */
export function threadsOf(client, computer = null) { return new Threads(client, computer); }

class Threads {
    #client;
    #computer;

    constructor(client, computer) {
        this.#client = client;
        this.#computer = computer;
    }

    /** Names the computer on this device; empty for this one's own. */
    get place() { return this.#computer?.id ?? ''; }

    list(params, options) { return this.#call('threads.list', params, options); }
    folders(params, options) { return this.#call('threads.folders', params, options); }
    agents(options) { return this.#call('threads.agents', {}, options); }
    get(params, options) { return this.#call('threads.get', params, options); }
    item(params, options) { return this.#call('threads.item', params, options); }
    search(params, options) { return this.#call('threads.search', params, options); }
    /** All pages; a computer keeps 256 approvals. */
    async approvals(options) {
        const items = [];
        for (let cursor, page = 0; page < 256; page += 1) {
            const got = await this.#call('threads.approvals', cursor ? { cursor } : {}, options);
            items.push(...(got.items ?? []));
            cursor = got.next;
            if (!cursor) break;
        }
        return { items };
    }

    post(params, options) { return this.#call('threads.post', params, options); }
    start(params, options) { return this.#call('threads.start', params, options); }
    cancel(params, options) { return this.#call('threads.cancel', params, options); }
    approve(params, options) { return this.#call('threads.approve', params, options); }

    /**
     * Follows a thread, or the list where none is named: comes back by itself after a lost connection, with the cursor of then.
     *
     * @param {Object} options
     * @param {{id: string, source: string}} [options.thread]
     * @param {() => string | null} [options.after] The cursor that is reached.
     * @param {(answer: Object, after: string | null) => void} [options.onAnswer] Of each `threads.subscribe`, with the cursor it was asked with.
     * @param {(event: Object) => void} options.onEvent `{event, …}`.
     * @param {(error: import('./client.js').ClientError) => void} [options.onFailed] Nothing follows until `retry`.
     * @returns {{stop(): void, retry(): void}}
     */
    follow(options) { return new Follow(this.#client, this.#computer?.id ?? null, options); }

    #call(method, params, options) {
        return this.#computer ? this.#computer.call(method, params, options) : this.#client.call('threads.call', { method, params }, options);
    }
}

class Follow {
    #client;
    #device;
    #options;
    /** @type {import('./client.js').Follow | null} */
    #stream = null;
    #timer = null;
    #wait = SHORTEST_WAIT;
    #isOver = false;

    constructor(client, device, options) {
        this.#client = client;
        this.#device = device;
        this.#options = options;
        this.#begin();
    }

    stop() {
        this.#isOver = true;
        clearTimeout(this.#timer);
        const stream = this.#stream;
        this.#stream = null;
        stream?.cancel();
    }

    /** Tries again now, where nothing is followed. */
    retry() {
        if (this.#isOver || this.#stream) return;
        clearTimeout(this.#timer);
        this.#wait = SHORTEST_WAIT;
        this.#begin();
    }

    #begin() {
        const { thread, after, onAnswer, onEvent, onFailed } = this.#options;
        const asked = (thread && after?.()) ?? null;
        const params = {
            ...(this.#device !== null && { device: this.#device }),
            ...(thread && { id: thread.id, source: thread.source }),
            ...(asked !== null && { after: asked }),
        };
        const stream = this.#client.follow('threads.follow', params, {
            // Begun again here, with the cursor of then.
            once: true,
            onItem: (item) => {
                if (this.#stream !== stream || item === null || typeof item !== 'object') return;
                if (item.subscribed !== undefined) {
                    this.#wait = SHORTEST_WAIT;
                    onAnswer?.(item.subscribed ?? {}, asked);
                } else if (typeof item.event === 'string') {
                    onEvent(item);
                }
            },
        });
        this.#stream = stream;
        const ended = (error) => {
            if (this.#stream !== stream) return;
            this.#stream = null;
            if (FINAL.has(error?.code)) onFailed?.(error);
            else this.#later();
        };
        // It ends without a failure where the computer is not paired any more, which the next one says.
        stream.result.then(() => ended(null), ended);
    }

    #later() {
        if (this.#isOver) return;
        const wait = this.#wait * (0.8 + Math.random() * 0.4);
        this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
        this.#timer = setTimeout(() => this.#begin(), wait);
    }
}
