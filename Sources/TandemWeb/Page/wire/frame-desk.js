import { frameOf } from './file-frames.js';

/** What may be unanswered over all transfers with one computer. */
const WINDOW = 2 * 1024 * 1024;

/** Hands the frames of one computer to their transfers, and bounds what is under way over all of them. */
export class FrameDesk {
    #computer;
    #takers = new Map();
    #underWay = 0;
    #waiting = [];
    #stop = null;

    /** @param {import('./computer.js').Computer} computer */
    constructor(computer) { this.#computer = computer; }

    /**
     * Frames of a transfer go to a taker from now on.
     *
     * @param {Uint8Array} transfer
     * @param {(frame: NonNullable<ReturnType<typeof frameOf>>) => void} taker
     * @returns {() => void} What ends it.
     */
    open(transfer, taker) {
        const key = Array.from(transfer, (byte) => byte.toString(16).padStart(2, '0')).join('');
        this.#stop ??= this.#computer.onFrame((bytes) => {
            const frame = frameOf(bytes);
            if (frame) this.#takers.get(frame.transfer)?.(frame);
        });
        this.#takers.set(key, taker);
        return () => { if (this.#takers.get(key) === taker) this.#takers.delete(key); };
    }

    /** Waits until so many bytes may be under way. Served in the order in which it is asked. */
    async acquire(count) {
        if (this.#waiting.length || this.#underWay > 0 && this.#underWay + count > WINDOW) await new Promise((resolve) => { this.#waiting.push({ count, resolve }); });
        else this.#underWay += count;
    }

    release(count) {
        this.#underWay -= count;
        while (this.#waiting.length && (this.#underWay === 0 || this.#underWay + this.#waiting[0].count <= WINDOW)) {
            const next = this.#waiting.shift();
            this.#underWay += next.count;
            next.resolve();
        }
    }
}
