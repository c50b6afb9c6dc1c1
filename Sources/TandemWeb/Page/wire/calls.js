import { randomId } from './bytes.js';
import { cancelEnvelope, requestEnvelope } from './envelopes.js';
import { WireError } from './error.js';
import { resultOf } from './answers.js';
import { announcementIn, ResultStream } from './streams.js';

/**
 * @typedef {Object} CallOptions
 * @property {AbortSignal} [signal] Tells the computer that nobody waits any more.
 * @property {number} [timeout] Seconds of silence; 30 unless told.
 * @property {string} [id] The request's own: one that was sent before is the same request, and is not done twice.
 * @property {boolean} [durable] It is repeated until it is answered, also after days.
 * @property {boolean} [isRepeatable] Twice is as good as once: where the computer's program ends before it answered, the next one is asked.
 */

const TIMEOUT = 30;
const MOST = 256;
const LARGEST_STREAMS = 67_108_864;

/** Requests to one computer, each with its own answer. Source: `docs/protocol.md` 1.3 and 3.3. */
export class Calls {
    /** @type {Map<string, any>} */
    #calls = new Map();
    /** Calls by the stream that answers them. */
    #streams = new Map();
    #options;

    /**
     * @param {Object} options
     * @param {string} options.did This phone's.
     * @param {import('./time.js').Time} options.time
     * @param {(bytes: Uint8Array) => Promise<void>} options.send
     * @param {(count: number) => void} options.onAwaited How many answers are awaited.
     */
    constructor(options) { this.#options = options; }

    /**
     * @param {string} method
     * @param {Object<string, any>} [params]
     * @param {CallOptions} [options]
     * @returns {Promise<any>}
     */
    call(method, params = {}, options = {}) {
        const { did, time } = this.#options;
        const { signal, timeout = TIMEOUT, id = randomId(), durable = false, isRepeatable = false } = options;
        if (signal?.aborted) return Promise.reject(new WireError('cancelled', 'This was cancelled.'));
        if (this.#calls.size >= MOST || this.#calls.has(id)) return Promise.reject(new WireError('full', 'Too much is asked of the computer at once. Try again in a moment.'));
        return new Promise((resolve, reject) => {
            const call = {
                id, method, resolve, reject, isRepeated: durable || isRepeatable, envelope: requestEnvelope({ id, method, params, did, durable }), stream: null, stop: null,
                onAbort: () => {
                    if (!durable || call.stream) this.#cancel(id, 'cancelled');
                    this.#end(call, () => reject(new WireError('cancelled', 'This was cancelled.')));
                },
                restart: () => {
                    call.stop?.();
                    call.stop = time.after(timeout * 1000, () => {
                        // It may still be done, and its answer asked for again: only pieces of one are of no use any more.
                        if (call.stream) this.#cancel(id, 'timeout');
                        this.#end(call, () => reject(new WireError('away', `The computer did not answer within ${timeout} s. Try again.`, { reason: 'noAnswerInTime', values: { seconds: timeout } })));
                    });
                },
                stopListening: () => signal?.removeEventListener('abort', call.onAbort),
            };
            this.#calls.set(id, call);
            this.#options.onAwaited(this.#calls.size);
            signal?.addEventListener('abort', call.onAbort);
            call.restart();
            this.#options.send(call.envelope).catch((error) => this.#end(call, () => reject(error)));
        });
    }

    /** Takes an envelope. @returns {boolean} Whether it was an answer or a part of one. */
    receive({ type, payload }) {
        if (type.startsWith('stream:')) {
            this.#takePiece(type, payload);
            return true;
        }
        if (type !== 'command:response') return false;
        const call = this.#calls.get(payload.id);
        // While a result comes in pieces, a repeat of its announcement adds nothing.
        if (call && !call.stream) this.#settle(call, () => this.#takeAnswer(call, payload));
        return true;
    }

    /** The computer's program was started anew. What may be done twice is asked again; of other calls it is not known whether they were done. */
    restarted() {
        for (const call of [...this.#calls.values()]) {
            if (call.isRepeated) {
                if (call.stream) this.#streams.delete(call.stream.id);
                call.stream = null;
                this.#options.send(call.envelope).catch(() => {});
            } else if (call.stream) {
                this.#end(call, () => call.reject(new WireError('lost', 'The computer\'s program was started anew before it had answered. Try again.')));
            }
        }
    }

    /** Ends every wait. */
    close(error) {
        for (const call of [...this.#calls.values()]) this.#end(call, () => call.reject(error));
    }

    #cancel(id, reason) { this.#options.send(cancelEnvelope(id, reason)).catch(() => {}); }

    #end(call, settle) {
        if (this.#calls.get(call.id) !== call) return;
        this.#calls.delete(call.id);
        if (call.stream) this.#streams.delete(call.stream.id);
        call.stop();
        call.stopListening();
        this.#options.onAwaited(this.#calls.size);
        settle();
    }

    /** What an action finds ends the call: `{result}`, an error, or nothing yet. */
    #settle(call, action) {
        try {
            const found = action();
            if (found) this.#end(call, () => call.resolve(found.result));
            else call.restart();
        } catch (error) {
            if (error.detail?.rpc === undefined) this.#cancel(call.id, 'refused');
            this.#end(call, () => call.reject(error));
        }
    }

    #takeAnswer(call, payload) {
        const result = resultOf(payload, call.method);
        const announcement = announcementIn(result);
        if (!announcement) return { result };
        const stream = new ResultStream(announcement);
        const under = [...this.#streams.values()].reduce((sum, each) => sum + each.stream.bytes, stream.bytes);
        if (this.#streams.has(stream.id) || under > LARGEST_STREAMS) throw new WireError('too-large', 'The computer\'s answer is too large.');
        call.stream = stream;
        this.#streams.set(stream.id, call);
        return null;
    }

    #takePiece(type, payload) {
        const call = this.#streams.get(payload.id);
        if (call) this.#settle(call, () => call.stream.take(type, payload));
    }
}
