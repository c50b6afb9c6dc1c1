import { ClientError } from '../../../client/client.js';

/** From this size on the browser downloads a file itself: it writes it once, where what the page collects is written twice. */
const SAVED_FROM = 32 << 20;
const [EVERY, HIDDEN_EVERY] = [500, 5000];

/**
 * Whether a job's file is one that the browser downloads itself.
 *
 * @param {Object} kept What a job keeps.
 */
export function isSaved(kept) {
    return kept.kind === 'download' && !kept.zip && kept.parts.length === 1 && kept.parts[0].size >= SAVED_FROM;
}

/**
 * Follows a download that the browser makes itself, to its end. It goes on without the page, so another page takes it up by its id.
 *
 * @param {import('./job.js').Job} job
 * @param {{computer: Object, signal: AbortSignal, save: (isUrgent?: boolean) => void, enter: (state: string) => void, pause: () => void, isAwaited: () => boolean}} options
 *   `isAwaited`: whether another transfer waits for this one, also while nobody looks.
 * @returns {Promise<boolean>} False where the browser has no room for another: the page collects it then.
 */
export async function runSave(job, options) {
    const { computer, signal, enter, pause, isAwaited } = options;
    let held;
    try {
        held = await takeUp(job, options);
    } catch (error) {
        if (error.detail?.reason !== 'tooManyDownloads') throw error;
        job.kept.isSaved = false;
        return false;
    }
    for (;;) {
        if (signal.aborted) throw new ClientError('cancelled');
        job.kept.total = held.size;
        job.progressed(held.done);
        switch (held.state) {
            case 'done': return true;
            case 'failed': throw failureOf(held);
            case 'cancelled': throw new ClientError('cancelled', '', { reason: 'saveStopped' });
            case 'paused':
                pause();
                throw new ClientError('cancelled');
            default: enter(held.state === 'away' ? 'away' : 'running');
        }
        await moment(signal, isAwaited);
        held = await known(computer, job.kept.saveID, signal);
        if (!held) throw unknown();
    }
}

/** Begins it, or finds what was begun. */
async function takeUp(job, { computer, signal, save }) {
    const { kept } = job;
    let held = kept.saveID ? await known(computer, kept.saveID, signal) : null;
    if (kept.isAgain && (!held || ['failed', 'cancelled'].includes(held.state))) {
        Object.assign(kept, { saveID: null, hasBegun: false });
        job.isAsked = false;
        held = null;
    }
    kept.isAgain = false;
    if (!held && kept.hasBegun) throw unknown();
    if (held?.state === 'paused') held = await computer.holdSave(kept.saveID, false);
    // A page that was left took along what the browser had not come for.
    if (held && (held.state !== 'ready' || job.isAsked)) return held;
    kept.saveID ??= crypto.randomUUID();
    save(true);
    held = await computer.save(job.parts[0].path, { id: kept.saveID, signal });
    kept.hasBegun = true;
    job.isAsked = true;
    save(true);
    return held;
}

async function known(computer, id, signal) {
    try {
        return await computer.saved(id, { signal });
    } catch (error) {
        if (error.code === 'not-found') return null;
        throw error;
    }
}

function unknown() { return new ClientError('not-found', '', { reason: 'saveUnknown' }); }

/** The browser can go on with one that waited too long: that is its person's to decide. */
function failureOf({ error }) {
    return ['away', 'offline', 'gone'].includes(error?.code) ? new ClientError('cancelled', '', { reason: 'saveLeft' }) : error ?? new ClientError('internal');
}

/** Until it is worth asking again: not while the page is hidden, unless others wait. */
function moment(signal, isAwaited) {
    return new Promise((resolve, reject) => {
        const ends = new AbortController();
        const end = (settle) => { clearInterval(timer); ends.abort(); settle(); };
        const timer = setInterval(() => { if (!document.hidden || isAwaited()) end(resolve); }, document.hidden ? HIDDEN_EVERY : EVERY);
        document.addEventListener('visibilitychange', () => { if (!document.hidden) end(resolve); }, { signal: ends.signal });
        signal.addEventListener('abort', () => end(() => reject(new ClientError('cancelled'))), { signal: ends.signal });
    });
}
