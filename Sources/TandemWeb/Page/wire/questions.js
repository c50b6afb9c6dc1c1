import { answered } from './answers.js';
import { WireError } from './error.js';
import { FILE_REFUSED } from './file-frames.js';
import { Alarm } from './time.js';

const AGAIN_AFTER = 10_000;
const AGAIN_WHEN_BACK = 1000;
const SILENT_LIMIT = 30_000;
const AWAY_LIMIT = 120_000;

/**
 * Frames of one transfer that wait for their answers, by their offset. One that stays unanswered is sent again: the computer may have ended with
 * it. Source: `docs/protocol.md` 3.2.5.
 */
export class Questions {
    #computer;
    /** @type {Map<number, {frame: Uint8Array, resolve: (answer: any) => void, reject: (error: Error) => void}>} */
    #open = new Map();
    #alarm;
    #heardAt;
    #stop;
    #error = null;

    /** @param {import('./computer.js').Computer} computer */
    constructor(computer) {
        this.#computer = computer;
        this.#alarm = new Alarm(computer.time);
        this.#heardAt = computer.time.now();
        this.#stop = computer.on('state', (state) => {
            if (state === 'ready') this.#set(AGAIN_WHEN_BACK);
            if (state === 'ended') this.end(new WireError('refused', 'The computer does not know this phone any more. Pair them again.', { reason: 'notPaired' }));
        });
    }

    /** Sends a frame, and waits for the frame that answers it. */
    ask(offset, frame) {
        if (this.#error) return Promise.reject(this.#error);
        if (!this.#open.size) this.#heardAt = this.#computer.time.now();
        return new Promise((resolve, reject) => {
            this.#open.set(offset, { frame, resolve, reject });
            this.#computer.sendFrame(frame).catch((error) => this.end(error));
            if (this.#alarm.at === null) this.#set(AGAIN_AFTER);
        });
    }

    /** Takes a frame of the computer. */
    take(frame) {
        this.#heardAt = this.#computer.time.now();
        const question = this.#open.get(frame.offset);
        if (!question) return;
        this.#open.delete(frame.offset);
        if (frame.kind === FILE_REFUSED) question.reject(answered(frame.code, frame.sentence));
        else question.resolve(frame);
    }

    /** Ends the waits of now: they were for a transfer that is over. */
    abandon(error) {
        const open = [...this.#open.values()];
        this.#open.clear();
        for (const { reject } of open) reject(error);
    }

    /** Ends every wait, and all that is asked later. */
    end(error) {
        this.#error ??= error;
        this.#stop();
        this.#alarm.clear();
        this.abandon(error);
    }

    #set(milliseconds) { this.#alarm.set(milliseconds, () => this.#look()); }

    #look() {
        if (!this.#open.size) return;
        const now = this.#computer.time.now();
        const isReached = this.#computer.state === 'ready';
        if (now - this.#heardAt > (isReached ? SILENT_LIMIT : AWAY_LIMIT)) {
            this.end(new WireError('away', 'The computer does not answer any more. What arrived is kept; try again when it is back.'));
            return;
        }
        if (isReached) for (const { frame } of this.#open.values()) this.#computer.sendFrame(frame).catch((error) => this.end(error));
        this.#set(AGAIN_AFTER);
    }
}
