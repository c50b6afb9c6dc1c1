import { Pace, digest } from './pace.js';

/** Asks for one picture after the other, as fast as it pays, while they are wanted. */
export class Live {
    #pace = new Pace();
    #options;
    #running = null;

    /**
     * @param {Object} options
     * @param {() => boolean} options.isWanted
     * @param {() => Promise<Object>} options.ask
     * @param {(picture: Object, isSame: boolean) => Promise<void>} options.show
     * @param {(error: Object) => void} options.failed Called with what ends it.
     * @param {import('../../life.js').Life} options.life
     */
    constructor(options) { this.#options = options; }

    /** How long a picture takes, on average of the last ones, in milliseconds. */
    get average() { return this.#pace.average; }

    /** The person did something: what follows from it should be seen soon. */
    hurry() { this.#pace.hurry(); }

    /** One that still runs goes on. */
    start() { this.#running ??= this.#run().finally(() => { this.#running = null; }); }

    async #run() {
        const { isWanted, ask, show, failed, life } = this.#options;
        let former = null;
        while (isWanted()) {
            if (document.hidden) await untilVisible(life);
            const start = performance.now();
            let picture;
            try {
                picture = await ask();
            } catch (error) {
                // The computer is taking as many pictures as it may: a little later there is room.
                if (error.code === 'refused' && error.detail.retryAfter) { await pause(1000 * error.detail.retryAfter); continue; }
                failed(error);
                return;
            }
            const took = performance.now() - start;
            const print = await digest(picture.blob);
            const isSame = print === former;
            former = print;
            const rest = this.#pace.next(isSame, took);
            if (!isWanted()) return;
            await show(picture, isSame);
            await pause(rest);
        }
    }
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function untilVisible(life) {
    return new Promise((resolve) => {
        life.listen(document, 'visibilitychange', () => { if (!document.hidden) resolve(); });
        life.add(resolve);
    });
}
