import { ClientError, Listeners, devicesOver, pairingOver } from './client.js';
import { jpegOf, readLocally } from './barcode.js';
import { apiPath, request, requestJSON } from './local-http.js';
import { EventSocket } from './local-socket.js';

const SHORTEST_WAIT = 250;
const LONGEST_WAIT = 5000;

/** @returns {import('./client.js').Client & {start(): Promise<void>, retry(): Promise<void>}} The client over the local API. */
export function openClient() { return new LocalClient(); }

/** What the role says over its local API, on the same device. The only file besides its `local-*.js` that knows HTTP. */
class LocalClient {
    /** @type {import('./client.js').Self | null} */
    self = null;
    /** @type {import('./client.js').Role | null} */
    role = null;
    /** @type {import('./client.js').ClientState} */
    state = 'connecting';
    #states = new Listeners();
    #topics = new Map();
    #wait = SHORTEST_WAIT;
    #timer = null;
    #connecting = null;
    #computerKind = null;
    #socket = new EventSocket({
        onEvent: (topic, data, seq) => this.#tell(topic, data, seq),
        onReset: () => this.#tell('reset', {}, 0),
        onLost: () => this.#lost(),
    });

    constructor() {
        this.devices = devicesOver(this);
        this.pairing = pairingOver(this, {
            matrix: (text) => this.ask('/api/qr', { method: 'POST', ...json({ text }) }),
            read: (picture) => this.#read(picture),
        });
        this.routes = {
            address: apiPath,
            post: (path, query, body, options) =>
                this.ask(apiPath(path, query), { method: 'POST', body, headers: { 'Content-Type': body.type || 'application/octet-stream' }, signal: options?.signal }),
            bytes: (path, query, options) => this.#bytes(apiPath(path, query), options?.signal),
        };
        // Somebody looks again, or the machine woke up: no reason to wait any longer.
        document.addEventListener('visibilitychange', () => { if (!document.hidden && this.#timer !== null) this.retry(); });
        window.addEventListener('online', () => { if (this.#timer !== null) this.retry(); });
    }

    /** Finds out who runs and connects; goes on trying for as long as nobody answers. */
    async start() { await this.#connect(); }

    /** Tries again now. */
    async retry() {
        this.#wait = SHORTEST_WAIT;
        await this.#connect();
    }

    onState(listener) { return this.#states.add(listener); }

    events(topic, listener) {
        if (!this.#topics.has(topic)) this.#topics.set(topic, new Listeners());
        return this.#topics.get(topic).add(listener);
    }

    async call(method, params = {}, options = {}) {
        const { result } = await this.ask('/api/call', { method: 'POST', ...json({ method, params }), ...options });
        return result ?? null;
    }

    follow(method, params, options) {
        if (this.state === 'gone' && options?.once) return failed(new ClientError('gone'));
        return this.#socket.follow(method, params, options);
    }

    computer(id) { return new this.#computerKind(this, id); }

    async signOut() {
        await request('/api/sign-out', { method: 'POST' });
        this.signedOut();
    }

    /** Asks the local API for JSON, and notes when it says that this browser is signed out. */
    async ask(path, options) {
        try {
            return await requestJSON(path, options);
        } catch (error) {
            this.note(error);
            throw error;
        }
    }

    async #bytes(path, signal) {
        try {
            return await (await request(path, { signal })).blob();
        } catch (error) {
            const failed = ClientError.from(error);
            this.note(failed);
            throw failed;
        }
    }

    /** What a failure says about the connection. */
    note(error) {
        if (error.code === 'signed-out') this.signedOut();
    }

    signedOut() {
        this.#stopWaiting();
        this.#socket.close();
        this.#enter('signed-out');
    }

    // MARK: Connection

    #connect() {
        this.#connecting ??= this.#tryOnce().finally(() => { this.#connecting = null; });
        return this.#connecting;
    }

    async #tryOnce() {
        this.#stopWaiting();
        try {
            const hello = await requestJSON('/api/hello', { timeout: LONGEST_WAIT });
            if (this.self && this.self.version !== hello.version) this.#tell('updated', { version: hello.version }, 0);
            // Only a phone has computers: the other roles' pages do without that part.
            if (hello.role === 'phone') this.#computerKind ??= (await import('./local-computer.js')).LocalComputer;
            this.self = hello;
            this.role = hello.role;
            if (hello.events) this.#socket.startAfter(hello.events);
            // A screen may be drawn at once; only what comes by itself needs the socket.
            if (this.state === 'connecting' || this.state === 'signed-out') this.#enter('live');
            if (!this.#socket.isOpen) await this.#socket.open();
            this.#wait = SHORTEST_WAIT;
            this.#enter('live');
        } catch (error) {
            const { code, detail } = ClientError.from(error);
            if (code === 'signed-out') {
                this.role ??= detail.values?.role ?? null;
                this.signedOut();
                return;
            }
            // The socket tells of its own loss.
            if (code !== 'lost') {
                this.#enter('gone');
                this.#again();
            }
        }
    }

    #lost() {
        if (this.state === 'signed-out') return;
        if (this.state !== 'gone') this.#enter('lost');
        this.#again();
    }

    #again() {
        if (this.#timer !== null) return;
        // Not all pages of a browser at the same moment.
        const wait = this.#wait * (0.8 + Math.random() * 0.4);
        this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
        this.#timer = setTimeout(() => { this.#timer = null; this.#connect(); }, wait);
    }

    #stopWaiting() {
        clearTimeout(this.#timer);
        this.#timer = null;
    }

    #enter(state) {
        if (this.state === state) return;
        this.state = state;
        this.#states.tell(state);
    }

    #tell(topic, data, seq) {
        for (const name of [topic, '*']) this.#topics.get(name)?.tell(data, { seq, topic });
    }

    // MARK: Pictures

    /** What a code in a picture says: read by the browser where it can, else by the program. */
    async #read(picture) {
        const text = await readLocally(picture);
        if (text !== undefined) return text;
        const body = picture instanceof Blob ? picture : await jpegOf(picture);
        try {
            return (await this.ask('/api/scan', { method: 'POST', body, headers: { 'Content-Type': body.type } })).text;
        } catch (error) {
            // There is no code in it: a camera looks on.
            if (error.code === 'not-found' || error.detail.status === 422) return null;
            throw error;
        }
    }
}

function json(value) {
    return { body: JSON.stringify(value), headers: { 'Content-Type': 'application/json' } };
}

function failed(error) {
    const result = Promise.reject(error);
    result.catch(() => {});
    return { result, send: () => {}, end: () => {}, cancel: () => {} };
}
