import { failure, WireError } from './error.js';
import { withdrawal } from './pairing-message.js';
import { Alarm } from './time.js';

/** Waiting for the person at the computer, for the first sign of it, between repeats, and until silence means that it was there. */
const DECISION = 300_000;
const REPEAT = 15_000;
const WAS_THERE = 1000;

/**
 * One try to pair at one server: carries an exchange's messages until it is over.
 *
 * @typedef {Object} TryOptions
 * @property {any} exchange A ScanExchange or a TypedExchange.
 * @property {import('./keys.js').Identity} identity
 * @property {import('./time.js').Time} time
 * @property {(to: string, payload: any) => boolean} send
 * @property {(item: Object<string, any>) => void} onProgress
 * @property {(number: string) => Promise<boolean>} confirm The person's word that the computer asked for this number, where there is one; asked for once the computer's yes is there.
 * @property {number} patience How long the first sign may take.
 * @property {AbortSignal} [signal]
 */
export class PairingTry {
    #options;
    #settle;
    #work = Promise.resolve();
    #began;
    #deadline;
    #isOver = false;
    #heard = false;
    /** The computer's yes, while the person's word is waited for. */
    #paired = null;
    #isAsked = false;
    /** Ends with the computer that proved itself. @type {Promise<import('./pairing-scan.js').Proven>} */
    done;

    /** @param {TryOptions} options */
    constructor(options) {
        this.#options = options;
        this.#deadline = new Alarm(options.time);
        this.#repeats = new Alarm(options.time);
        this.done = new Promise((resolve, reject) => { this.#settle = { resolve, reject }; });
        // Whoever began it waits for it; it may end before.
        this.done.catch(() => {});
    }

    #repeats;

    start() {
        const { time, patience, signal } = this.#options;
        this.#began = time.now();
        signal?.addEventListener('abort', this.#aborted);
        if (signal?.aborted) return this.#aborted();
        this.#wait(patience);
        return this.#send();
    }

    /** A message for this phone. Messages are taken one after the other. */
    receive(from, payload) {
        this.#work = this.#work.then(() => this.#take(from, payload));
        return this.#work;
    }

    /** The server says that somebody is away. */
    peerOffline(id) {
        const { exchange, time } = this.#options;
        if (this.#isOver || this.#paired || id !== exchange.recipient) return;
        if (exchange.recipientLeft()) return void this.#send();
        // Said at once, it was not there; later, it was and has left.
        const left = time.now() - this.#began >= WAS_THERE ? exchange.gone : null;
        this.#fail(left ?? exchange.offline);
    }

    /** The connection is back: what was sent may have been lost. */
    reconnected() {
        if (!this.#isOver && !this.#paired && this.#options.exchange.mayRepeat) this.#send();
    }

    #aborted = () => this.#fail(new WireError('cancelled', 'Pairing was cancelled.'));

    async #take(from, payload) {
        const { exchange, time, onProgress } = this.#options;
        if (this.#isOver) return;
        const step = await exchange.receive(payload, from, time.now());
        if (this.#isOver || !step) return;
        if (step.failed) return this.#fail(step.failed);
        if (step.paired) {
            this.#paired = step.paired;
            this.#repeats.clear();
            return exchange.comparisonNumber ? this.#confirm(exchange.comparisonNumber) : this.#keep();
        }
        this.#send();
        if (!this.#heard) this.#wait(DECISION);
        this.#heard = true;
        if (exchange.comparisonNumber) onProgress({ state: 'compare', number: exchange.comparisonNumber });
    }

    /** Who knows six digits can be the computer from the beginning to the end: only the person sees whether its screen asked for the number. */
    #confirm(number) {
        const { onProgress, confirm } = this.#options;
        if (this.#isAsked) return;
        this.#isAsked = true;
        this.#wait(DECISION);
        onProgress({ state: 'confirm', number });
        confirm(number).then((isSame) => (isSame ? this.#keep() : this.#fail(unconfirmed())), (error) => this.#fail(error));
    }

    #keep() {
        if (!this.#isOver) this.#end(() => this.#settle.resolve(this.#paired));
    }

    #send() {
        const { exchange, send } = this.#options;
        send(exchange.recipient, exchange.outgoing);
        this.#repeats.set(REPEAT, () => { if (exchange.mayRepeat) this.#send(); });
    }

    #wait(milliseconds) {
        const { time, onProgress } = this.#options;
        onProgress({ state: 'waiting', until: time.now() + milliseconds });
        const seconds = Math.round(milliseconds / 1000);
        this.#deadline.set(milliseconds, () => this.#fail(this.#paired
            ? unconfirmed()
            : failure('expired', 'noAnswer', `The other device did not answer within ${seconds} s. Look at its screen, then try again.`, { afterSeconds: seconds })));
    }

    /** Ends the try, and takes the question back where a person at the computer may be deciding. */
    #fail(error) {
        if (this.#isOver) return;
        this.#end(() => this.#settle.reject(error));
        const { exchange, identity, send } = this.#options;
        const { question, digits } = exchange;
        if (!question || error.code === 'away' || error.detail?.reason === 'declined') return;
        withdrawal({ digits, identity, question: question.payload }).then((payload) => send(question.recipient, payload), () => {});
    }

    #end(settle) {
        this.#isOver = true;
        this.#deadline.clear();
        this.#repeats.clear();
        this.#options.signal?.removeEventListener('abort', this.#aborted);
        settle();
    }
}

function unconfirmed() { return failure('refused', 'numberUnconfirmed', 'Nobody said here that the computer asked for this number, so this phone keeps nothing.'); }
