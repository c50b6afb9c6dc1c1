import { ClientError, Listeners } from '../../../client/client.js';
import { runDownload } from './download.js';
import { Job } from './job.js';
import { isSaved, runSave } from './save.js';
import { collected, removeCollected } from './sink.js';
import { TransferStore } from './store.js';
import { NeedsFile, askPermission, discardUpload, giveAgain, runUpload } from './upload.js';

const AT_A_TIME = 2;
const SAVE_EVERY = 1000;
const CHANGE_EVERY = 250;
/** Until a transfer tries again by itself that failed although its computer is reached: then twice as long, up to the longest. */
const [SHORTEST_WAIT, LONGEST_WAIT] = [1000, 60_000];
/** How long the browser has to copy a finished download out of the page's own storage. */
const KEPT_AFTER = 10 * 60_000;

/** Set while there may be something to take up. */
const MARK = 'tandem.transfers';

const instances = new WeakMap();

/** The transfers of a client: one list for the whole page, that goes on from screen to screen and over a reload. */
export function transfersOf(client) {
    if (!instances.has(client)) instances.set(client, new Transfers(client));
    return instances.get(client);
}

class Transfers {
    #client;
    #store = new TransferStore();
    #jobs = new Map();
    #changes = new Listeners();
    #ends = new Listeners();
    #isChanging = false;
    #saving = new Map();
    #watched = new Map();
    #begun = null;

    constructor(client) { this.#client = client; }

    /** Takes up what was under way when the page was left. Once; later calls wait for the same. */
    begin() {
        this.#begun ??= this.#begin();
        return this.#begun;
    }

    get jobs() { return [...this.#jobs.values()].sort((a, b) => a.kept.created - b.kept.created); }

    onChange(listener) { return this.#changes.add(listener); }

    /** Told of each job that is done. */
    onDone(listener) { return this.#ends.add(listener); }

    /** @param {Object} kept What ``Job`` keeps. @param {Map<number, File>} [files] By part. */
    add(kept, files = new Map()) {
        const job = new Job({ id: crypto.randomUUID(), isSaved: isSaved(kept), ...kept });
        job.files = files;
        this.#jobs.set(job.id, job);
        this.#save(job, true);
        this.#turn();
        return job;
    }

    async pause(job) {
        if (job.isOver) return;
        if (job.kept.hasBegun) await this.#client.computer(job.kept.device).holdSave(job.kept.saveID, true);
        // It may have ended meanwhile.
        if (job.isOver) return;
        this.#enter(job, 'paused');
        job.controller?.abort();
    }

    /** Goes on, also after a failure. In answer to a press: the browser may ask for a permission. */
    async resume(job) {
        if (job.state === 'asking' && job.isUpload && job.files.size === 0 && !await askPermission(job)) return;
        if (job.state === 'failed') job.kept.isAgain = true;
        job.kept.error = null;
        this.#enter(job, 'waiting');
        this.#turn();
    }

    /**
     * Takes files that were given again.
     *
     * @returns {boolean} Whether all are there.
     */
    give(job, files) {
        if (giveAgain(job, files) > 0) return false;
        job.kept.error = null;
        this.#enter(job, 'waiting');
        this.#turn();
        return true;
    }

    /** Ends it and forgets what came of it so far. */
    async cancel(job) {
        this.#jobs.delete(job.id);
        job.kept.state = 'failed';
        job.controller?.abort();
        await job.running?.catch(() => {});
        // Where the program does not know it, or is gone, nothing is left to cancel.
        if (job.kept.saveID) await this.#client.computer(job.kept.device).cancelSave(job.kept.saveID).catch(() => {});
        await this.#store.delete(job.id);
        if (!job.isUpload) await removeCollected(job.id);
        this.#changed();
        this.#turn();
        // A computer that is away throws it away by itself, when nothing more comes.
        if (job.isUpload) await discardUpload(job, this.#client.computer(job.kept.device)).catch(() => {});
    }

    /** Forgets those that are over. */
    async clear() {
        for (const job of this.jobs) {
            if (!job.isOver) continue;
            this.#jobs.delete(job.id);
            this.#forgetLater(job);
        }
        this.#changed();
    }

    async #begin() {
        await this.#store.open();
        for (const kept of await this.#store.all()) {
            if (!await this.#take(kept.id)) continue;
            const job = new Job(kept);
            if (job.isOver) { this.#forgetLater(job); continue; }
            if (job.state !== 'paused') kept.state = 'waiting';
            this.#jobs.set(job.id, new Job(kept));
        }
        if (this.#jobs.size === 0) localStorage.removeItem(MARK);
        this.#changed();
        this.#turn();
    }

    /** Forgets a job that is over, once the browser has had the time to copy what it left. */
    #forgetLater(job) {
        const forget = async () => {
            if (!job.isUpload) await removeCollected(job.id);
            await this.#store.delete(job.id);
        };
        const left = job.isUpload || job.kept.isSaved || job.state === 'failed' ? 0 : (job.kept.ended ?? 0) + KEPT_AFTER - Date.now();
        if (left <= 0) forget();
        else setTimeout(forget, left);
    }

    /** Whether this page has the job: another window may have it. Held until the page is left. */
    #take(id) {
        if (!navigator.locks) return Promise.resolve(true);
        return new Promise((resolve) => {
            navigator.locks.request(`tandem-transfer-${id}`, { ifAvailable: true }, (lock) => {
                resolve(lock !== null);
                return lock === null ? undefined : new Promise(() => {});
            });
        });
    }

    #turn() {
        const all = this.jobs;
        let free = AT_A_TIME - all.filter((job) => job.state === 'running').length;
        for (const job of all) {
            if (free <= 0) break;
            if (job.state !== 'waiting' || job.running) continue;
            free -= 1;
            job.running = this.#run(job).finally(() => { job.running = null; this.#turn(); });
        }
    }

    async #run(job) {
        const controller = new AbortController();
        job.controller = controller;
        job.forgetRate();
        this.#enter(job, 'running');
        this.#take(job.id);
        const timer = setInterval(() => this.#changed(), 500);
        const options = {
            computer: this.#client.computer(job.kept.device), signal: controller.signal, save: (isUrgent) => this.#save(job, isUrgent),
            enter: (state) => { if (job.state !== state) this.#enter(job, state); },
            pause: () => { this.#enter(job, 'paused'); controller.abort(); },
            isAwaited: () => this.jobs.some((other) => other.state === 'waiting'),
        };
        try {
            if (job.isUpload) {
                await runUpload(job, options);
            } else if (!job.kept.isSaved || !await runSave(job, options)) {
                hand(await runDownload(job, options), job.kept.zip ? `${job.kept.name}.zip` : job.kept.name);
            }
            job.kept.done = job.kept.total;
            job.kept.ended = Date.now();
            this.#enter(job, 'done');
            this.#ends.tell(job);
        } catch (error) {
            this.#failed(job, error, controller.signal);
        } finally {
            clearInterval(timer);
            job.controller = null;
        }
    }

    #failed(job, error, signal) {
        if (signal.aborted) { this.#save(job, true); return; }
        if (error instanceof NeedsFile) { this.#enter(job, 'asking'); return; }
        const { code, message, detail } = ClientError.from(error);
        job.kept.error = { code, message, right: detail.right ?? null, reason: detail.reason ?? null };
        if (['away', 'lost', 'gone', 'offline'].includes(code)) {
            this.#enter(job, 'away');
            this.#watch(job.kept.device);
            this.#later(job);
        } else {
            this.#enter(job, 'failed');
        }
    }

    /** Goes on with what waits for a computer when it is back. */
    #watch(device) {
        if (this.#watched.has(device)) return;
        const watch = { isReached: false };
        this.#watched.set(device, watch);
        const again = () => {
            for (const job of this.jobs) if (job.state === 'away' && job.kept.device === device) this.#enter(job, 'waiting');
            this.#turn();
        };
        let isFirst = true;
        this.#client.computer(device).reachability((path) => {
            watch.isReached = Boolean(path);
            if (path && !isFirst) again();
            isFirst = false;
        });
        this.#client.onState((state) => { if (state === 'live') again(); });
    }

    /** The failure may come after the news that the computer is back, and that news comes once: then the time tells. */
    #later(job) {
        const wait = Math.min(LONGEST_WAIT, SHORTEST_WAIT * 2 ** job.tries);
        job.tries += 1;
        setTimeout(() => {
            if (job.state !== 'away' || !this.#jobs.has(job.id)) return;
            if (!this.#watched.get(job.kept.device).isReached) { this.#later(job); return; }
            this.#enter(job, 'waiting');
            this.#turn();
        }, wait);
    }

    #enter(job, state) {
        job.kept.state = state;
        if (this.#jobs.has(job.id)) this.#save(job, true);
        this.#changed();
    }

    /** At once, or within a second: a job's progress changes often. */
    #save(job, isUrgent = false) {
        const waiting = this.#saving.get(job.id);
        if (waiting && !isUrgent) return;
        clearTimeout(waiting);
        const write = () => {
            this.#saving.delete(job.id);
            if (!this.#jobs.has(job.id)) return;
            this.#store.put(job.kept);
            localStorage.setItem(MARK, 'on');
        };
        if (isUrgent) write();
        else this.#saving.set(job.id, setTimeout(write, SAVE_EVERY));
    }

    #changed() {
        if (this.#isChanging) return;
        this.#isChanging = true;
        setTimeout(() => { this.#isChanging = false; this.#changes.tell(); }, CHANGE_EVERY / 4);
    }
}

/** Hands what was collected to the browser's downloads. */
function hand(file, name) {
    const address = URL.createObjectURL(file);
    const anchor = document.createElement('a');
    anchor.href = address;
    anchor.download = name;
    anchor.hidden = true;
    document.body.append(anchor);
    anchor.click();
    anchor.remove();
    setTimeout(() => URL.revokeObjectURL(address), KEPT_AFTER);
}

/**
 * What a finished download left, handed over once more.
 *
 * @returns {Promise<boolean>}
 */
export async function handAgain(job) {
    const file = await collected(job.id);
    if (file) hand(file, job.kept.zip ? `${job.kept.name}.zip` : job.kept.name);
    return file !== null;
}
