import { hex, random } from './bytes.js';
import { throwIfAborted, WireError } from './error.js';
import { FileDigest } from './file-digest.js';
import { dataFrame, FILE_TAKEN, PIECE, transferBytes } from './file-frames.js';
import { Questions } from './questions.js';

/**
 * @typedef {Object} UploadOptions
 * @property {string} [name] Instead of the file's own.
 * @property {string} [resume] Names this version of the file: an upload of the same name goes on, also after days.
 * @property {boolean} [overwrite] Takes the place of a file of that name; else that fails with `exists`.
 * @property {AbortSignal} [signal]
 * @property {(done: number, total: number) => void} [onProgress]
 *
 * What is sent: a Blob, or what stands for one.
 *
 * @typedef {{size: number, name?: string, lastModified?: number, slice(from: number, to: number): {arrayBuffer(): Promise<ArrayBuffer>}}} Source
 */

const NO_TRANSFER = -32020;
const TRIES = 3;
const AT_A_TIME = 4;

function requestOf(folder, { name, size, resume, overwrite = false, modified }, key) {
    return {
        fileName: name, fileSize: size, metadata: { targetDir: folder }, overwrite, checksumKey: hex(key),
        ...(resume ? { source: resume, resumable: true } : {}), ...(Number.isFinite(modified) ? { modified } : {}),
    };
}

async function begin(computer, params, signal) {
    const answer = await computer.call('file.requestUpload', params, { signal });
    const transfer = transferBytes(answer.transferId);
    if (!transfer || answer.frames !== true) throw new WireError('unknown-method', 'The computer cannot take files in frames. Update its program.');
    const received = (Array.isArray(answer.received) ? answer.received : []).filter((range) => Array.isArray(range) && range.every(Number.isSafeInteger));
    return { id: answer.transferId, transfer, received, path: answer.path, isKeyed: answer.checksumMethod === 'gmac-256k' };
}

/**
 * Sends a file to the computer.
 *
 * @param {import('./computer.js').Computer} computer
 * @param {import('./frame-desk.js').FrameDesk} desk
 * @param {string} folder
 * @param {Source} source
 * @param {UploadOptions} [options]
 * @returns {Promise<{path: string}>}
 */
export async function upload(computer, desk, folder, source, options = {}) {
    const { resume, overwrite, signal, onProgress = () => {} } = options;
    throwIfAborted(signal);
    const key = random(32);
    const name = options.name ?? source.name ?? 'file';
    const params = requestOf(folder, { name, size: source.size, resume, overwrite, modified: source.lastModified }, key);
    for (let tries = 1; ; tries += 1) {
        const begun = await begin(computer, params, signal);
        const run = new UploadRun(computer, desk, source, begun, new FileDigest(key, source.size), onProgress);
        const onAbort = () => run.stop(new WireError('cancelled', 'The upload was cancelled.'));
        signal?.addEventListener('abort', onAbort);
        let isRestarted = false;
        const stopWatching = computer.on('restarted', () => {
            isRestarted = true;
            run.stop(new WireError('away', 'The computer was started anew while the file was sent.'));
        });
        try {
            const checksum = await run.send();
            const answer = await computer.call('file.completeUpload', { transferId: begun.id, ...(begun.isKeyed && checksum ? { checksum } : {}) }, { signal, isRepeatable: true, timeout: 120 });
            return { ...answer, path: answer.path ?? begun.path };
        } catch (error) {
            // The computer's program was started anew: what it wrote down of the file is there, and not all that it had taken.
            if ((isRestarted || error.detail?.rpc === NO_TRANSFER) && !signal?.aborted && tries < TRIES) continue;
            if (error.code === 'cancelled' && !resume) computer.call('file.cancelTransfer', { transferId: begun.id }).catch(() => {});
            throw error;
        } finally {
            signal?.removeEventListener('abort', onAbort);
            stopWatching();
            run.stop(new WireError('cancelled', 'The upload was cancelled.'));
        }
    }
}

/** Throws away what the computer has of an upload. */
export async function cancelUpload(computer, folder, { name, size, resume }) {
    const { transfers } = await computer.call('file.listTransfers');
    // One that never began would be begun by asking for it.
    const isThere = Array.isArray(transfers) && transfers.some((each) => each.direction === 'upload' && each.fileName === name && each.fileSize === size && each.status !== 'done');
    if (!isThere) return;
    const { id } = await begin(computer, requestOf(folder, { name, size, resume, overwrite: true, modified: undefined }, random(32)), undefined);
    await computer.call('file.cancelTransfer', { transferId: id });
}

/** Sends what the computer does not have yet, and makes the checksum of all of it. */
class UploadRun {
    #options;
    #questions;
    #stopFrames;
    #done = 0;
    #error = null;

    constructor(computer, desk, source, begun, digest, onProgress) {
        this.#options = { desk, source, begun, digest, onProgress };
        this.#questions = new Questions(computer);
        this.#stopFrames = desk.open(begun.transfer, (frame) => this.#questions.take(frame));
    }

    stop(error) {
        this.#error ??= error;
        this.#stopFrames();
        this.#questions.end(error);
    }

    async send() {
        const { source, digest } = this.#options;
        const running = new Set();
        for (let offset = 0; offset < source.size; offset += PIECE) {
            if (this.#error) throw this.#error;
            const piece = this.#piece(offset, Math.min(source.size, offset + PIECE)).finally(() => running.delete(piece));
            piece.catch((error) => { this.#error ??= error; });
            running.add(piece);
            if (running.size >= AT_A_TIME) await Promise.race(running);
        }
        await Promise.all(running);
        if (this.#error) throw this.#error;
        return digest.finish();
    }

    async #piece(from, to) {
        const { desk, source, begun, digest, onProgress } = this.#options;
        const count = to - from;
        await desk.acquire(count);
        try {
            const bytes = new Uint8Array(await source.slice(from, to).arrayBuffer());
            if (bytes.length !== count) throw new WireError('lost', 'The file was changed while it was sent. Choose it again.', { reason: 'fileChanged' });
            await digest.take(from, bytes);
            const isThere = begun.received.some(([first, last]) => first <= from && to <= last);
            if (!isThere) {
                const answer = await this.#questions.ask(from, dataFrame(begun.transfer, from, bytes));
                if (answer.kind !== FILE_TAKEN || answer.count !== count) throw new WireError('internal', 'The computer took another part of the file than it was sent.');
            }
            this.#done += count;
            onProgress(this.#done, source.size);
        } finally {
            desk.release(count);
        }
    }
}
