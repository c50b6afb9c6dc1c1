import { Pace, digest } from './pace.js';
import { play } from './player.js';

/** What ends watching; after any other failure whole pictures are asked for, one after the other. */
const FATAL = ['away', 'offline', 'gone', 'signed-out', 'not-allowed', 'cancelled', 'lost'];
/** Views that end by themselves so soon, in milliseconds, are no views. */
const SHORT = 2000;

/** Shows what changes as the computer sends it; where it cannot, asks for one picture after the other, as fast as it pays. While it is wanted. */
export class Live {
    #pace = new Pace();
    #options;
    #running = null;
    #hasViews = true;
    #stop = null;
    /** Whether a view is shown, by a fast or a slow way; null where pictures are asked for. @type {'fast' | 'slow' | null} */
    way = null;

    /**
     * @param {Object} options
     * @param {() => boolean} options.isWanted
     * @param {() => Promise<import('../../client/live-screen.js').LiveScreen>} options.watch Opens a view.
     * @param {(view: import('../../client/live-screen.js').LiveScreen) => (parts: Object[]) => void} options.begin Answers what draws the parts of a view's pictures.
     * @param {() => Promise<Object>} options.ask
     * @param {(picture: Object, isSame: boolean) => Promise<void>} options.show
     * @param {() => void} options.told Called after each picture of a view.
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

    /** What is looked at is another part now, or nothing is wanted any more. */
    again() { this.#stop?.(); }

    async #run() {
        const { isWanted, failed, life } = this.#options;
        while (isWanted() && this.#hasViews) {
            if (document.hidden) await untilVisible(life);
            if (!isWanted()) return;
            try {
                await this.#view();
            } catch (error) {
                if (FATAL.includes(error.code)) { failed(error); return; }
                this.#hasViews = false;
            } finally {
                this.way = null;
            }
        }
        await this.#pictures();
    }

    /** Shows one view until it ends. */
    async #view() {
        const { isWanted, watch, begin, told, life } = this.#options;
        const view = await watch();
        if (!isWanted()) { view.close(); return; }
        const start = performance.now();
        const playing = play(view, { draw: begin(view), told: (isSlow) => { this.way = isSlow ? 'slow' : 'fast'; told(); } });
        // A page that nobody sees looks at nothing.
        const hide = () => { if (document.hidden) playing.stop(); };
        document.addEventListener('visibilitychange', hide);
        this.#stop = playing.stop;
        life.add(playing.stop);
        const { reason, error } = await playing.ended;
        document.removeEventListener('visibilitychange', hide);
        this.#stop = null;
        if (error) throw error;
        if (reason !== 'closed' && performance.now() - start < SHORT) throw new TypeError(reason);
    }

    async #pictures() {
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
