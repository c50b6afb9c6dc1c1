import { ClientError, Listeners, devicesOver, pairingOver } from '/client/client.js';
import { comparing } from '/fake/conforms.js';

/**
 * A client that answers by script, with the same interface as the real one. An area's file installs its answers:
 *
 *     fake.answer('devices.list', () => ({ devices }));                      // a control method
 *     fake.serve('pair.watch', async ({ params, item, input, signal }) => result);   // one that reports items
 *     fake.remote('system.getInfo', (params, { id }) => info);               // a method of a computer
 *     fake.emit('requests', {});                                             // an event
 *
 * What it is asked and answers is compared with `contract.json`; what does not fit stands on the console as an error.
 */
export class FakeClient {
    #methods = new Map();
    #follows = new Map();
    #remotes = new Map();
    #topics = new Map();
    #remoteEvents = new Map();
    #paths = new Map();
    #states = new Listeners();
    #seq = 0;

    // What areas put here, for each other and for tests.

    /** @type {import('/client/client.js').ClientState | undefined} What it starts in; else `live`. */
    startState;
    /** @type {any} The phones of a computer: `phones.js`, `activity.js`, `pairing-desktop.js`. */
    host;
    /** @type {(id: string, name: string) => void} A phone takes its request back. */
    takeBack;
    /** @type {any} Lets notifications come, change and go. */
    notices;
    /** @type {Map<string, any>} */
    shells;
    /** @type {any} The conversations of a phone, and what tests let happen in them. */
    chat;
    /** @type {any} The journal of a phone, and what tests let happen in it. */
    journal;
    /** @type {any} A phone's move, and what tests let become of it. */
    moving;
    /** @type {string} This page's name, and how pages of one browser hear of answers. */
    page;
    /** @type {BroadcastChannel} */
    channel;
    /** @type {number} Bytes of a transfer every few milliseconds. */
    transferStep;
    /** @type {string | null} The code that what is under way is cut with. */
    cut;
    /** @type {Promise<any> | null} Downloads wait for it. */
    held;
    /** @type {{name: string, from: number}[]} */
    uploadedFrom;
    /** @type {{where: string, name: string, size: number}[]} */
    cancelledUploads;
    /** @type {{path: string, from: number}[]} */
    downloadedFrom;
    /** @type {number} Bytes of a download of the browser's own every few milliseconds. */
    saveStep;
    /** @type {{path: string, name: string}[]} */
    begunSaves;
    write;
    textOf;
    /** @type {number} How often it was asked how one stands. */
    savedAsked;
    /** @type {boolean} Whether the browser comes for what it is told to download. */
    browserComes;
    /** @type {(change: Object) => void} Changes every download of the browser's own that is open. */
    eachSave;
    /** @type {() => void} */
    forgetSaves;

    constructor({ self, scenario, latency = 0 }) {
        this.self = self;
        this.role = self.role;
        this.scenario = scenario;
        this.latency = latency;
        /** @type {import('/client/client.js').ClientState} */
        this.state = 'connecting';
        this.calls = [];
        /** Calls that are not answered yet. */
        this.pending = 0;
        /**
         * What areas replace: terminal, screen, upload, cancelUpload, download, save, saved, holdSave, cancelSave, matrix, read.
         *
         * @type {Object<string, (id: string, ...values: any[]) => any>}
         */
        this.computerParts = {};
        /** @type {(device: string | null) => any} What a computer's threads are, for tests. */
        this.threadParts = () => null;
        /** @type {Pick<import('/client/client.js').Pairing, 'matrix' | 'read'>} */
        this.pictures = { matrix: async () => ({ size: 21, rows: [] }), read: async () => null };
        /** @type {import('/client/client.js').Routes} */
        this.routes = { address: (path) => `/fake/${path}`, post: async () => ({}), bytes: async () => new Blob([]) };
        this.devices = devicesOver(this);
        this.pairing = pairingOver(this, {
            matrix: (text) => this.pictures.matrix(text), read: (picture) => this.pictures.read(picture),
        });
    }

    // The script

    /**
     * @template {keyof Control} M
     * @param {M} method
     * @param {(params: Control[M]['params'], fake: FakeClient) => Control[M]['answer'] | Promise<Control[M]['answer']>} work
     */
    answer(method, work) { this.#methods.set(method, work); }

    /**
     * @template {keyof Control} M
     * @param {M} method
     * @param {(call: {params: Control[M]['params'], item: (value: Control[M]['item']) => void, onInput: Function, signal: AbortSignal, fake: FakeClient}) => Promise<Control[M]['answer']>} work
     */
    serve(method, work) { this.#follows.set(method, work); }

    /**
     * @template {keyof Remote} M
     * @param {M} method
     * @param {(params: Remote[M]['params'], at: {id: string, fake: FakeClient}) => Remote[M]['answer'] | Promise<Remote[M]['answer']>} work
     */
    remote(method, work) { this.#remotes.set(method, work); }

    /** What a computer answers a method with, so that a test can answer otherwise now and then. */
    remoteMethod(method) { return this.#remotes.get(method); }
    /** A moment that passes before something is told; the page is not drawn whole before. */
    async wait(milliseconds) {
        this.pending += 1;
        await new Promise((resolve) => setTimeout(resolve, milliseconds));
        this.pending -= 1;
    }

    /**
     * @param {string} code
     * @param {string} message
     * @param {import('/client/client.js').Detail} [detail]
     * @returns {never}
     */
    fail(code, message, detail) { throw new ClientError(code, message, detail); }

    emit(topic, data) {
        this.#seq += 1;
        for (const name of [topic, '*']) this.#topics.get(name)?.tell(data, { seq: this.#seq, topic });
    }

    emitRemote(id, event, members) {
        this.#remoteEvents.get(`${id} ${event}`)?.tell(members);
        this.#remoteEvents.get(`${id} *`)?.tell({ event, members });
    }

    setPath(id, path) {
        this.#paths.set(id, path);
        this.#reach(id).tell(path);
        this.emit('reach', { device: id, path });
    }

    enter(state) {
        this.state = state;
        this.#states.tell(state);
    }

    // The client

    async start() { this.enter(this.startState ?? 'live'); }
    async retry() { this.enter('live'); }
    onState(listener) { return this.#states.add(listener); }
    events(topic, listener) { return this.#listeners(this.#topics, topic).add(listener); }
    async signOut() { this.enter('signed-out'); }

    /**
     * @template {keyof Control} M
     * @param {M} method
     * @param {Control[M]['params']} [params]
     * @param {{signal?: AbortSignal, timeout?: number}} options
     * @returns {Promise<Control[M]['answer']>}
     */
    async call(method, params = {}, { signal } = {}) {
        this.calls.push({ method, params });
        const compared = comparing(this, 'control', method, params);
        const work = this.#methods.get(method);
        if (!work) throw new ClientError('unknown-method', `The fake has no ${method}.`);
        return compared.answer(await this.#answered(() => work(params, this), signal));
    }

    /**
     * @template {keyof Control} M
     * @param {M} method
     * @param {Control[M]['params']} [params]
     * @param {import('/client/client.js').FollowOptions} options
     * @returns {import('/client/client.js').Follow}
     */
    follow(method, params = {}, { onItem = () => {}, signal } = {}) {
        this.calls.push({ method, params, follow: true });
        const compared = comparing(this, 'control', method, params);
        const work = this.#follows.get(method);
        const controller = new AbortController();
        signal?.addEventListener('abort', () => controller.abort());
        const inputs = new Listeners();
        const cancelled = new Promise((_, reject) => {
            controller.signal.addEventListener('abort', () => reject(new ClientError('cancelled')));
        });
        const run = async () => {
            if (!work) throw new ClientError('unknown-method', `The fake has no ${method}.`);
            const item = (value) => { if (!controller.signal.aborted) onItem(compared.item(value)); };
            return compared.answer(await work({ params, item, onInput: (listener) => inputs.add(listener), signal: controller.signal, fake: this }));
        };
        const result = Promise.race([run(), cancelled]);
        result.catch(() => {});
        return { result, send: (value) => inputs.tell(value), end: () => inputs.tell(null), cancel: () => controller.abort() };
    }

    /** @returns {import('/client/client.js').Computer} */
    computer(id) {
        const fake = this;
        /** @type {any} Most of it areas put there. */
        const computer = {
            id,
            /** @param {string} method @param {Object} params @param {{signal?: AbortSignal}} options */
            call: (method, params = {}, { signal } = {}) => {
                fake.calls.push({ method, params, id });
                const compared = comparing(fake, 'methods', method, params);
                const work = fake.#remotes.get(method);
                if (!work) return Promise.reject(new ClientError('unknown-method', `The fake computer has no ${method}.`));
                return fake.#answered(() => work(params, { id, fake }), signal).then(compared.answer);
            },
            queue: (method, params = {}) => fake.call('queue.call', { device: id, method, params }),
            events: (name, listener) => fake.#listeners(fake.#remoteEvents, `${id} ${name}`).add(listener),
            reachability: (listener) => {
                listener(fake.#paths.get(id) ?? null);
                return fake.#reach(id).add(listener);
            },
            ...Object.fromEntries(['upload', 'cancelUpload', 'download', 'save', 'saved', 'holdSave', 'cancelSave', 'terminal', 'screen', 'live'].map((part) => [
                part, (...values) => fake.computerParts[part](id, ...values),
            ])),
        };
        return computer;
    }

    #reach(id) { return this.#listeners(this.#remoteEvents, `reach ${id}`); }

    #listeners(map, key) {
        if (!map.has(key)) map.set(key, new Listeners());
        return map.get(key);
    }

    async #answered(work, signal) {
        if (this.latency === Infinity) return new Promise(() => {});
        this.pending += 1;
        try {
            if (this.latency > 0) await new Promise((resolve) => setTimeout(resolve, this.latency));
            if (signal?.aborted) throw new ClientError('cancelled');
            return structuredClone(await work());
        } finally {
            this.pending -= 1;
        }
    }
}
