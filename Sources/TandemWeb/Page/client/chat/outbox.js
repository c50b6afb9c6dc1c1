import { Alarm } from '../../wire/time.js';
import { chatFailure, isSignedOut, isTransport, refusedCode } from './failures.js';
import { addOutgoing, contentToSend, discard, noteFailed, noteResent, noteSent, noteUploaded } from './outgoing.js';

const WAITS = [1000, 2000, 4000, 8000, 16_000];
const MOST = 1000;
/** Of what answers, this often; a hub that does not answer is waited for. */
const ATTEMPTS = 6;

/**
 * Own messages: on the disk first, then sent one after the other in each conversation, under the same id at every attempt. What the hub refuses waits for its person;
 * a hub that does not answer is asked again. Source: rules Q1 to Q8.
 *
 * @typedef {import('./outgoing.js').Waiting} Waiting
 */
export class Outbox {
    #options;
    /** By conversations. @type {Map<string, {waiting: Waiting[], isRunning: boolean}>} */
    #lanes = new Map();
    /** Those that are in a request at the moment. */
    #posting = new Set();
    #gone = new Set();
    #count = 0;
    #position = 0;
    #isEnded = false;
    #sleepers = new Set();

    /**
     * @param {Object} options
     * @param {import('./book.js').Book} options.book
     * @param {import('../../wire/time.js').Time} options.time
     * @param {(waiting: Waiting, message: {contentType: number, content: string}) => Promise<{answer: any, isSealed: boolean}>} options.send
     * @param {(waiting: Waiting, index: number) => Promise<import('./outgoing.js').OutgoingFile>} options.upload
     * @param {(conversation: string, hasGap: boolean) => void} options.sent
     * @param {(waiting: Waiting, part: number | null) => void} [options.progressed]
     */
    constructor(options) { this.#options = options; }

    /** Goes on with what was left, in its order. */
    async load() {
        const { book } = this.#options;
        for (const { value } of await book.range('chat-outbox', ...book.keys(''))) {
            this.#position = Math.max(this.#position, value.position);
            if (!value.isFailed) this.#enqueue(value);
            else this.#count += 1;
        }
    }

    /**
     * Keeps a message, with its files, and sends it in its turn. One of the same id is the same message.
     *
     * @param {Omit<Waiting, 'position' | 'isFailed'>} message
     * @param {Blob[]} [files]
     */
    async add(message, files = []) {
        if (this.#count >= MOST) throw chatFailure('queueFull', { limit: MOST });
        const waiting = this.#placed({ ...message, isFailed: false });
        this.#count += 1;
        try {
            const isNew = await this.#options.book.change(async (transaction) => {
                if (!await addOutgoing(transaction, waiting)) return false;
                files.forEach((blob, at) => transaction.write('chat-files', transaction.key(waiting.media.files[at].file), blob));
                return true;
            });
            if (isNew) this.#enqueue(waiting, false);
            else this.#count -= 1;
        } catch (error) {
            this.#count -= 1;
            throw error;
        }
    }

    async resend(conversation, id) {
        const position = this.#position += 1;
        this.#enqueue(await this.#options.book.change((transaction) => noteResent(transaction, conversation, id, position)), false);
    }

    /** Throws one away. One that is in a request may be at the hub already. */
    async discard(conversation, id) {
        if (this.#posting.has(id)) throw chatFailure('illegalStatus');
        this.#gone.add(id);
        try {
            if (await this.#options.book.change((transaction) => discard(transaction, conversation, id))) this.#count -= 1;
        } catch (error) {
            this.#gone.delete(id);
            throw error;
        }
    }

    /** The hub is reached: what waits for it need not wait longer. */
    wake() { for (const wake of [...this.#sleepers]) wake(); }

    /** Stops everything; what waits is on the disk. */
    end() {
        this.#isEnded = true;
        this.wake();
    }

    /** @template T @param {T} message @returns {T & {position: number}} */
    #placed(message) { return { ...message, position: this.#position += 1 }; }

    #enqueue(waiting, isCounted = true) {
        if (isCounted) this.#count += 1;
        this.#gone.delete(waiting.id);
        const lane = this.#lanes.get(waiting.conversation) ?? { waiting: [], isRunning: false };
        this.#lanes.set(waiting.conversation, lane);
        lane.waiting.push(waiting);
        lane.waiting.sort((one, other) => one.position - other.position);
        if (!lane.isRunning) this.#drain(lane);
    }

    async #drain(lane) {
        lane.isRunning = true;
        for (let next = lane.waiting.shift(); next && !this.#isEnded; next = lane.waiting.shift()) {
            if (this.#gone.delete(next.id)) continue;
            await this.#deliver(next).catch(() => {});
        }
        lane.isRunning = false;
    }

    async #deliver(first) {
        const { book, sent, progressed } = this.#options;
        let waiting = first;
        try {
            const { answer, isSealed } = await this.#tried(waiting, (next) => { waiting = next; });
            if (answer === null) return;
            const { hasGap } = await book.change((transaction) => noteSent(transaction, waiting, answer, isSealed));
            this.#count -= 1;
            sent(waiting.conversation, hasGap);
        } catch (error) {
            if (!this.#isEnded && !this.#gone.has(waiting.id)) await book.change((transaction) => noteFailed(transaction, waiting, error.message));
        } finally {
            progressed?.(waiting, null);
        }
    }

    /** Tries until it is there. `{answer: null}` where it is not wanted any more. */
    async #tried(first, changed) {
        let waiting = first;
        let answered = 0;
        for (let attempt = 0; ; attempt += 1) {
            if (this.#isEnded || this.#gone.delete(first.id)) return { answer: null, isSealed: false };
            try {
                waiting = await this.#uploaded(waiting, changed);
                return await this.#posted(waiting);
            } catch (error) {
                // Nobody is signed in any more: it waits on the disk for the same account.
                if (isSignedOut(error)) return { answer: null, isSealed: false };
                if (!isTransport(error)) throw error;
                if (refusedCode(error) !== null) answered += 1;
                if (answered >= ATTEMPTS) throw error;
                await this.#sleep(WAITS[Math.min(attempt, WAITS.length - 1)]);
            }
        }
    }

    async #posted(waiting) {
        if (this.#gone.has(waiting.id)) return { answer: null, isSealed: false };
        this.#posting.add(waiting.id);
        try {
            const { answer, isSealed } = await this.#options.send(waiting, contentToSend(waiting));
            // Another id would make a second row of the same message. Source: rule B2.
            if (answer.clientMsgID !== waiting.id) throw chatFailure('wrongAnswer');
            return { answer, isSealed };
        } finally {
            this.#posting.delete(waiting.id);
        }
    }

    /** Each file's key is kept, so that no later attempt uploads it again. */
    async #uploaded(first, changed) {
        let waiting = first;
        const { book, upload, progressed } = this.#options;
        for (let at = 0; at < (first.media?.files.length ?? 0); at += 1) {
            if (waiting.media.files[at].objectKey !== null) continue;
            progressed?.(waiting, (at + 0.1) / waiting.media.files.length);
            const file = await upload(waiting, at);
            waiting = { ...waiting, media: { ...waiting.media, files: waiting.media.files.map((each, index) => (index === at ? file : each)) } };
            changed(waiting);
            if (this.#gone.has(waiting.id)) return waiting;
            await book.change((transaction) => noteUploaded(transaction, waiting));
        }
        return waiting;
    }

    #sleep(milliseconds) {
        return new Promise((resolve) => {
            const alarm = new Alarm(this.#options.time);
            const wake = () => {
                alarm.clear();
                this.#sleepers.delete(wake);
                resolve();
            };
            this.#sleepers.add(wake);
            alarm.set(milliseconds * (0.8 + 0.4 * Math.random()), wake);
        });
    }
}
