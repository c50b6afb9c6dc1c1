import { ClientError } from '../client.js';
import { clientErrorOf } from './failures.js';

/**
 * What a method that reports items is given: `item` tells one, `heard` has what its asker sends, `signal` ends with its asker.
 *
 * @typedef {{item: (value: any) => void, heard: (listener: (value: any) => void) => void, signal: AbortSignal}} Report
 */

/** The control methods that this browser answers itself, by their names. */
export class MethodTable {
    /** @type {Map<string, (params: any, options: {signal?: AbortSignal, timeout?: number}) => any>} */
    #methods = new Map();
    /** @type {Map<string, (params: any, report: Report) => Promise<any>>} */
    #streams = new Map();
    /** @type {{prefixes: string[], open: () => Promise<any>}[]} */
    #later = [];

    /**
     * @template {keyof Control} M
     * @param {M} name
     * @param {(params: Control[M]['params'], options: {signal?: AbortSignal, timeout?: number}) => Control[M]['answer'] | Promise<Control[M]['answer']>} work
     */
    answer(name, work) { this.#methods.set(name, work); }

    /**
     * @template {keyof Control} M
     * @param {M} name
     * @param {(params: Control[M]['params'], report: Report) => Promise<Control[M]['answer']>} work
     */
    serve(name, work) { this.#streams.set(name, work); }

    /** Methods whose names begin so are served once `open` is done, which happens when one of them is asked for. @param {string[]} prefixes @param {() => Promise<any>} open */
    later(prefixes, open) { this.#later.push({ prefixes, open }); }

    /** @returns {Promise<any>} */
    async ask(name, params = {}, options = {}) {
        try {
            const work = this.#methods.get(name) ?? await this.#found(this.#methods, name);
            if (!work) throw unknown(name);
            return await untilAborted(Promise.resolve(work(params, options)), options.signal);
        } catch (error) {
            throw clientErrorOf(error);
        }
    }

    /**
     * Begins one that reports items. It ends with its asker alone: this browser's own program is never lost without the page.
     *
     * @param {string} name
     * @param {any} params
     * @param {import('../client.js').FollowOptions} options
     * @returns {import('../client.js').Follow}
     */
    begin(name, params = {}, { onItem = () => {}, signal } = {}) {
        const ends = new AbortController();
        const cancel = () => ends.abort();
        if (signal?.aborted) cancel();
        else signal?.addEventListener('abort', cancel, { once: true });
        const item = (value) => { if (!ends.signal.aborted) onItem(value); };
        let take = (_value) => {};
        const heard = (listener) => { take = listener; };
        const run = async () => {
            try {
                const work = this.#streams.get(name) ?? await this.#found(this.#streams, name);
                if (!work) throw unknown(name);
                return await untilAborted(work(params, { item, heard, signal: ends.signal }), ends.signal) ?? null;
            } catch (error) {
                throw clientErrorOf(error);
            } finally {
                signal?.removeEventListener('abort', cancel);
                // What it left to go on beside it ends with it.
                ends.abort();
            }
        };
        const result = run();
        // A caller that only listens to items need not look at the result.
        result.catch(() => {});
        return { result, cancel, send: (value) => take(value), end: () => {} };
    }

    /** @template T @param {Map<string, T>} table @returns {Promise<T | undefined>} */
    async #found(table, name) {
        await this.#later.find(({ prefixes }) => prefixes.some((prefix) => name.startsWith(prefix)))?.open();
        return table.get(name);
    }
}

function unknown(name) { return new ClientError('unknown-method', `A browser that is a phone does not serve ${name}.`); }

/** Work that is given up once its asker has gone. */
export function untilAborted(work, signal) {
    if (!signal) return work;
    return new Promise((resolve, reject) => {
        const stop = () => reject(new ClientError('cancelled'));
        if (signal.aborted) stop();
        signal.addEventListener('abort', stop, { once: true });
        work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    });
}

/** Ends when the signal does: what goes on for as long as somebody listens. */
export function aborted(signal) {
    return new Promise((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
    });
}
