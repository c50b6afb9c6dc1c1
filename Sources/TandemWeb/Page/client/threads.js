import { ClientError } from './client.js';

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
     * @param {(error: ClientError) => void} [options.onFailed] Nothing follows until `retry`.
     * @param {() => void} [options.onLost]
     * @returns {{stop(): void, retry(): void}}
     */
    follow(options) { return new Follow((listeners) => this.#client.threadEvents(this.#computer?.id ?? null, listeners), options); }

    #call(method, params, options) {
        return this.#computer ? this.#computer.call(method, params, options) : this.#client.call('threads.call', { method, params }, options);
    }
}

class Follow {
    #open;
    #options;
    #socket = null;
    #timer = null;
    #wait = SHORTEST_WAIT;
    #isOver = false;
    #asked = null;

    constructor(open, options) {
        this.#open = open;
        this.#options = options;
        this.#begin();
    }

    stop() {
        this.#isOver = true;
        clearTimeout(this.#timer);
        const { thread } = this.#options;
        this.#socket?.send({ unsubscribe: thread ? { id: thread.id, source: thread.source } : {} });
        this.#socket?.close();
        this.#socket = null;
    }

    /** Tries again now, where nothing is followed. */
    retry() {
        if (this.#isOver || this.#socket) return;
        clearTimeout(this.#timer);
        this.#wait = SHORTEST_WAIT;
        this.#begin();
    }

    #begin() {
        const { thread, after, onAnswer, onEvent, onFailed, onLost } = this.#options;
        const socket = this.#open({
            onOpen: () => {
                this.#asked = after?.() ?? null;
                socket.send({ subscribe: thread ? { id: thread.id, source: thread.source, ...(this.#asked !== null && { after: this.#asked }) } : {} });
            },
            onMessage: (message) => {
                if (this.#socket !== socket || message === null || typeof message !== 'object') return;
                if (message.subscribed !== undefined) {
                    this.#wait = SHORTEST_WAIT;
                    onAnswer?.(message.subscribed ?? {}, this.#asked);
                } else if (message.error) {
                    const { code, message: words, ...detail } = message.error;
                    this.#failed(new ClientError(code, words, detail), onFailed);
                } else if (typeof message.event === 'string') {
                    onEvent(message);
                }
            },
            onClose: () => {
                if (this.#socket !== socket) return;
                this.#socket = null;
                onLost?.();
                this.#later();
            },
        });
        this.#socket = socket;
    }

    #failed(error, onFailed) {
        const socket = this.#socket;
        this.#socket = null;
        socket.close();
        if (FINAL.has(error.code)) onFailed?.(error);
        else this.#later();
    }

    #later() {
        if (this.#isOver) return;
        const wait = this.#wait * (0.8 + Math.random() * 0.4);
        this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
        this.#timer = setTimeout(() => this.#begin(), wait);
    }
}
