import { byteCountOf, randomId } from './bytes.js';
import { failure, WireError } from './error.js';
import { Alarm } from './time.js';

/**
 * A command that waits for its computer.
 *
 * @typedef {Object} QueuedCommand
 * @property {string} id The entry's own, which never changes.
 * @property {string} requestId The id by which the computer knows it: a repeat of it is the same request.
 * @property {string} desktopId
 * @property {string} method
 * @property {string} parameters JSON.
 * @property {number} timestamp
 * @property {'pending' | 'sending' | 'failed'} status
 * @property {number} retries Tries that the computer answered with a failure.
 * @property {string | null} errorMessage
 * @property {number} expiresAt
 * @property {number} order
 */

const MOST = 100;
const LARGEST = 262_144;
const LIFETIME = 7 * 24 * 3_600_000;
const TRIES = 3;
const RUN_WAITS = [5000, 10_000, 30_000, 60_000];
const MOST_MARKS = 500;
/** What may wait, and what of it may be done twice. Source: `docs/protocol.md` 3.3.3 and 3.4.3. */
const METHODS = new Set([
    'clipboard.set', 'clipboard.clearHistory', 'notification.markAsRead', 'notification.markAllAsRead', 'notification.delete', 'notification.clearAll', 'notification.clearHistory', 'file.delete',
    'file.createDirectory', 'file.rename', 'system.notify',
]);
const TWICE = new Set(['notification.markAsRead', 'notification.markAllAsRead', 'notification.delete', 'notification.clearAll', 'notification.clearHistory', 'clipboard.clearHistory']);
const MARKS = new Set(['notification.markAsRead', 'notification.delete']);
const FINAL = new Set([-32600, -32601, -32602, -32006, -32008, -32010]);
const UNKNOWN_OUTCOME = -32011;
const TOO_OFTEN = -32003;

/** Commands that wait for computers that are away, on the disk. Source: `docs/protocol.md` 3.3.3. */
export class CommandQueue {
    #options;
    /** @type {Map<string, QueuedCommand>} */
    #all = new Map();
    #last = 0;
    /** Computers whose run is under way, and how often in a row a run stopped. */
    #running = new Set();
    #stopped = new Map();
    #alarms = new Map();

    /**
     * @param {Object} options
     * @param {import('./store.js').Store} options.store
     * @param {import('./time.js').Time} options.time
     * @param {(id: string) => import('./computer.js').Computer | null} options.computer
     * @param {() => void} options.onChange
     */
    constructor(options) { this.#options = options; }

    async load() {
        for (const { value } of await this.#options.store.list('queue')) {
            this.#all.set(value.id, value);
            this.#last = Math.max(this.#last, value.order);
        }
    }

    /** All of them, the oldest first. */
    list() { return [...this.#all.values()].sort((one, other) => one.order - other.order); }

    /** Whether a method may wait. */
    mayWait(method) { return METHODS.has(method); }

    /**
     * Calls a method now, or once the computer is there.
     *
     * @returns {Promise<{queued: false, result: any} | {queued: true, command: QueuedCommand, evicted?: QueuedCommand}>}
     */
    async call(desktopId, method, params = {}, options = {}) {
        const computer = this.#options.computer(desktopId);
        // Nothing overtakes what waits.
        if (computer?.state === 'ready' && !this.#ofComputer(desktopId).length) {
            const id = randomId();
            try {
                return { queued: false, result: await computer.call(method, params, { ...options, id, durable: METHODS.has(method) }) };
            } catch (error) {
                if (error.code !== 'away' || !METHODS.has(method)) throw error;
                // It may have been done: the same request is asked again.
                return this.#add(desktopId, method, params, id);
            }
        }
        return this.add(desktopId, method, params);
    }

    /**
     * Keeps a command for its computer.
     *
     * @throws {WireError} For a method that cannot wait, or that is too large.
     */
    add(desktopId, method, params = {}) { return this.#add(desktopId, method, params, randomId()); }

    async #add(desktopId, method, params, requestId) {
        if (!METHODS.has(method)) throw failure('bad-request', 'notQueueable', `${method} cannot wait for the computer: only commands that change something can. Call it while the computer is connected.`, { method });
        const parameters = JSON.stringify(params);
        const bytes = byteCountOf(parameters);
        if (bytes > LARGEST) throw failure('too-large', 'commandTooLarge', `The parameters are ${bytes} bytes; a command that waits may have ${LARGEST}. Send it while the computer is connected.`, { bytes, limit: LARGEST });
        const joined = await this.#join(desktopId, method, params);
        if (joined) return { queued: /** @type {const} */ (true), command: joined };
        const now = this.#options.time.now();
        this.#last += 1;
        /** @type {QueuedCommand} */
        const command = { id: requestId, requestId, desktopId, method, parameters, timestamp: now, status: 'pending', retries: 0, errorMessage: null, expiresAt: now + LIFETIME, order: this.#last };
        const evicted = this.#all.size >= MOST ? this.#leastOf() : null;
        await this.#options.store.write([
            { table: 'queue', key: command.id, value: command }, ...(evicted ? [{ table: 'queue', key: evicted.id, remove: true }] : []),
        ]);
        if (evicted) this.#all.delete(evicted.id);
        this.#all.set(command.id, command);
        this.#options.onChange();
        this.run(desktopId);
        return { queued: /** @type {const} */ (true), command, ...(evicted ? { evicted } : {}) };
    }

    /** Tries a failed one again. */
    async retry(id) {
        const command = await this.#change(this.#known(id), { status: 'pending', retries: 0, errorMessage: null, requestId: randomId(), expiresAt: this.#options.time.now() + LIFETIME });
        this.run(command.desktopId);
        return command;
    }

    async remove(id) {
        const command = this.#known(id);
        await this.#drop([command]);
        return command;
    }

    /** Takes all out, or those of one computer. @returns {Promise<number>} */
    async clear(desktopId) {
        const found = this.list().filter((command) => desktopId === undefined || command.desktopId === desktopId);
        await this.#drop(found);
        return found.length;
    }

    /** Sends what waits for a computer, one after the other; called when it comes within reach. */
    async run(desktopId) {
        if (this.#running.has(desktopId)) return;
        this.#running.add(desktopId);
        this.#alarms.get(desktopId)?.clear();
        try {
            await this.#expire();
            for (let next = this.#next(desktopId); next; next = this.#next(desktopId)) {
                if (this.#options.computer(desktopId)?.state !== 'ready') return;
                if (await this.#send(next)) this.#stopped.delete(desktopId);
                else return void this.#later(desktopId);
            }
        } finally {
            this.#running.delete(desktopId);
        }
    }

    #known(id) {
        const command = this.#all.get(id);
        if (!command) throw failure('not-found', 'unknownCommand', 'No waiting command has this id. It may have been delivered.', { id });
        return command;
    }

    #ofComputer(desktopId) { return this.list().filter((command) => command.desktopId === desktopId && command.status !== 'failed'); }
    #next(desktopId) { return this.#ofComputer(desktopId)[0] ?? null; }

    /** A full queue gives up its oldest that waits, else its oldest that failed. */
    #leastOf() { return this.list().find(({ status }) => status === 'pending') ?? this.list().find(({ status }) => status === 'failed') ?? this.list()[0]; }

    async #change(command, members) {
        const changed = { ...command, ...members };
        await this.#options.store.put('queue', command.id, changed);
        this.#all.set(command.id, changed);
        this.#options.onChange();
        return changed;
    }

    async #drop(commands) {
        if (!commands.length) return;
        await this.#options.store.write(commands.map(({ id }) => ({ table: 'queue', key: id, remove: true })));
        for (const { id } of commands) this.#all.delete(id);
        this.#options.onChange();
    }

    async #expire() { await this.#drop(this.list().filter(({ status, expiresAt }) => status === 'pending' && expiresAt <= this.#options.time.now())); }

    /** Marks of notifications become part of such a mark that waits, behind which nothing but marks waits. */
    async #join(desktopId, method, params) {
        const isMark = (/** @type {any} */ value) => Array.isArray(value?.ids) && value.ids.every((/** @type {any} */ id) => typeof id === 'string');
        if (!MARKS.has(method) || !isMark(params)) return null;
        const waiting = this.#ofComputer(desktopId).reverse();
        for (const command of waiting) {
            const found = JSON.parse(command.parameters);
            if (!MARKS.has(command.method) || !isMark(found)) return null;
            const ids = [...new Set([...found.ids, ...params.ids])];
            if (command.method !== method || found.upTo !== params.upTo || command.status === 'sending' || ids.length > MOST_MARKS) continue;
            // The computer may have done the shorter one without our knowing.
            return this.#change(command, { parameters: JSON.stringify({ ...found, ids }), requestId: randomId(), expiresAt: this.#options.time.now() + LIFETIME });
        }
        return null;
    }

    /** @returns {Promise<boolean>} Whether the run goes on. */
    async #send(command) {
        const sending = await this.#change(command, { status: 'sending' });
        try {
            await this.#options.computer(command.desktopId).call(command.method, JSON.parse(command.parameters), { id: command.requestId, durable: true });
            await this.#drop([sending]);
            return true;
        } catch (error) {
            // It was taken out meanwhile.
            if (!this.#all.has(command.id)) return true;
            return this.#fail(sending, error);
        }
    }

    /** What a failure does, by its kind. */
    async #fail(command, error) {
        const rpc = error instanceof WireError ? error.detail.rpc : undefined;
        const isUnknown = rpc === UNKNOWN_OUTCOME && !TWICE.has(command.method);
        if (FINAL.has(rpc) || isUnknown) {
            await this.#change(command, { status: 'failed', errorMessage: error.message });
            return true;
        }
        if (rpc === undefined && error.code !== 'internal' && error.code !== 'too-large' || rpc === TOO_OFTEN) {
            // No answer is no try: later the same request is sent.
            await this.#change(command, { status: 'pending' });
            return false;
        }
        const retries = command.retries + 1;
        if (retries >= TRIES) {
            await this.#change(command, { status: 'failed', retries, errorMessage: error.message });
            return true;
        }
        // The computer remembers its answer to this request, so the next try is another one; but where that could not be read.
        await this.#change(command, { status: 'pending', retries, errorMessage: error.message, ...(rpc === undefined ? {} : { requestId: randomId() }) });
        return false;
    }

    #later(desktopId) {
        const count = this.#stopped.get(desktopId) ?? 0;
        this.#stopped.set(desktopId, count + 1);
        if (!this.#alarms.has(desktopId)) this.#alarms.set(desktopId, new Alarm(this.#options.time));
        this.#alarms.get(desktopId).set(RUN_WAITS[Math.min(count, RUN_WAITS.length - 1)], () => this.run(desktopId));
    }
}
