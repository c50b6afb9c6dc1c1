/**
 * A transfer: one file, or a folder with what is in it.
 *
 * @typedef {Object} Part A file of it.
 * @property {string} name
 * @property {string} sub The folder below the job's own, with `/` between names; empty for none.
 * @property {string} [path] At the computer, of a download.
 * @property {number} size
 * @property {number | null} modified
 * @property {'file' | 'folder'} kind An empty folder is a part of its own.
 * @property {string} [upload] The name under which an upload is gone on with.
 * @property {number} [top] Which handle it was found under.
 * @property {boolean} [isDone]
 * @property {boolean} [isSkipped] It was there already.
 *
 * @typedef {'waiting' | 'running' | 'paused' | 'away' | 'asking' | 'done' | 'failed'} JobState `away`: goes on when the computer is back;
 *   `asking`: needs the person to give the file, or the permission for it, again.
 *
 * A download that the browser makes itself has `isSaved` in what is kept, `saveID` once it is begun, `hasBegun` once that was answered,
 * and `isAgain` where a person wants it once more.
 */

const RATE_OVER = 5000;

export class Job {
    /** @param {Object} kept What is stored. */
    constructor(kept) {
        this.kept = { state: 'waiting', done: 0, entries: [], at: 0, overwrite: false, created: Date.now(), error: null, ...kept };
        this.kept.total ??= this.kept.parts.reduce((sum, part) => sum + (part.size ?? 0), 0);
        /** Files given in this page's life, by part. */
        this.files = new Map();
        this.controller = null;
        /**
         * Where a download collects.
         *
         * @type {Awaited<ReturnType<typeof import('./sink.js').openSink>> | null}
         */
        this.sink = null;
        /** How often it failed although its computer seemed to be there, since something came through. */
        this.tries = 0;
        /** Whether the browser was told in this page's life to make the download. */
        this.isAsked = false;
        this.#samples = [];
    }

    #samples;
    #most = 0;

    get id() { return this.kept.id; }
    get state() { return this.kept.state; }
    get isUpload() { return this.kept.kind === 'upload'; }
    get isOver() { return this.state === 'done' || this.state === 'failed'; }
    get parts() { return this.kept.parts; }
    get doneParts() { return this.parts.filter((part) => part.isDone).length; }
    get skipped() { return this.parts.filter((part) => part.isSkipped).length; }

    /** 0 to 1; null while the size is not known. */
    get part() {
        if (this.state === 'done') return 1;
        if (this.kept.total > 0) return Math.min(1, this.kept.done / this.kept.total);
        return this.parts.length > 1 ? this.doneParts / this.parts.length : null;
    }

    progressed(done, now = performance.now()) {
        if (done > this.#most) [this.#most, this.tries] = [done, 0];
        this.kept.done = done;
        this.#samples.push({ done, now });
        while (this.#samples.length > 2 && now - this.#samples[0].now > RATE_OVER) this.#samples.shift();
    }

    /** Bytes a second over the last seconds; null while it is not known. */
    get rate() {
        const [first, last] = [this.#samples[0], this.#samples.at(-1)];
        if (this.state !== 'running' || !first || last.now - first.now < 400) return null;
        return Math.max(0, (last.done - first.done) * 1000 / (last.now - first.now));
    }

    /** Milliseconds; null while it is not known. */
    get timeLeft() {
        const rate = this.rate;
        return rate > 0 && this.kept.total > 0 ? (this.kept.total - this.kept.done) * 1000 / rate : null;
    }

    forgetRate() { this.#samples = []; }
}
