import { hex, random } from './bytes.js';
import { throwIfAborted, WireError } from './error.js';
import { FileDigest } from './file-digest.js';
import { FILE_DATA, PIECE, transferBytes, wantFrame } from './file-frames.js';
import { Questions } from './questions.js';

/**
 * @typedef {Object} DownloadOptions
 * @property {number} [from] Where it goes on, if the file is still the one of `version`.
 * @property {string} [version]
 * @property {AbortSignal} [signal]
 * @property {(done: number, total: number) => void} [onProgress]
 *
 * @typedef {{name: string, size: number, from: number, version: string, modified: number | null, permissions: number | null, stream: ReadableStream<Uint8Array>}} Download Its
 *   stream begins at `from`: 0 where the file is another one by now. The end comes once the checksum of the whole file is right; of one that goes on
 *   the bytes before are not here, so that the version alone is compared.
 */

const NO_TRANSFER = -32020;
const CHANGED = -32021;
const TRIES = 3;

/**
 * A file of the computer as it arrives.
 *
 * @param {import('./computer.js').Computer} computer
 * @param {import('./frame-desk.js').FrameDesk} desk
 * @param {string} path
 * @param {DownloadOptions} options
 * @returns {Promise<Download>}
 */
export async function download(computer, desk, path, options = {}) {
    const { from = 0, version, signal, onProgress = () => {} } = options;
    const key = random(32);
    const run = new DownloadRun(computer, desk, path, key, signal);
    const answer = await run.beginAt(version);
    const start = from > 0 && answer.version === version && from <= answer.fileSize ? from : 0;
    run.aim(start, onProgress);
    return {
        name: answer.fileName, size: answer.fileSize, from: start, version: answer.version, modified: answer.modified ?? null, permissions: answer.permissions ?? null,
        stream: run.stream(),
    };
}

/** One download: asks for pieces ahead of whoever reads, gives them in their order, and begins again where the computer lost it. */
class DownloadRun {
    #options;
    #transfer = null;
    #id = '';
    #stopFrames = null;
    #questions;
    #digest = null;
    #size = 0;
    #version = '';
    #asked = 0;
    #given = 0;
    #onProgress = null;
    /** Pieces that were asked for, in their order. @type {Promise<Uint8Array>[]} */
    #pieces = [];
    #isOver = false;
    #beginning = null;

    constructor(computer, desk, path, key, signal) {
        this.#options = { computer, desk, path, key, signal };
        this.#questions = new Questions(computer);
    }

    /** Begins with what there is now, where the file is not the one of this version any more. */
    async beginAt(version) {
        try {
            return await this.begin(version);
        } catch (error) {
            if (version === undefined || error.detail?.rpc !== CHANGED) throw error;
            return this.begin(undefined);
        }
    }

    async begin(version) {
        const { computer, desk, path, key, signal } = this.#options;
        throwIfAborted(signal);
        const answer = await computer.call('file.requestDownload', { filePath: path, checksumKey: hex(key), ...(version === undefined ? {} : { version }) }, { signal });
        const transfer = transferBytes(answer.transferId);
        if (!transfer || answer.frames !== true || !Number.isSafeInteger(answer.fileSize) || answer.fileSize < 0 || typeof answer.version !== 'string' || typeof answer.fileName !== 'string') {
            throw new WireError('unknown-method', 'The computer cannot send files in frames. Update its program.');
        }
        this.#stopFrames?.();
        [this.#transfer, this.#id, this.#size, this.#version] = [transfer, answer.transferId, answer.fileSize, answer.version];
        this.#stopFrames = desk.open(transfer, (frame) => this.#questions.take(frame));
        return answer;
    }

    /** Where it begins. */
    aim(start, onProgress) {
        this.#asked = this.#given = start;
        this.#onProgress = onProgress;
        this.#digest = start === 0 ? new FileDigest(this.#options.key, this.#size) : null;
    }

    stream() {
        const { signal } = this.#options;
        let onAbort = null;
        return new ReadableStream({
            start: (controller) => {
                onAbort = () => {
                    controller.error(new WireError('cancelled', 'The download was cancelled.'));
                    this.#leave();
                };
                signal?.addEventListener('abort', onAbort);
            },
            pull: async (controller) => {
                try {
                    const piece = await this.#next();
                    if (piece) return void controller.enqueue(piece);
                    await this.#finish();
                    controller.close();
                } catch (error) {
                    this.#leave();
                    controller.error(error);
                }
                signal?.removeEventListener('abort', onAbort);
                return undefined;
            },
            cancel: () => {
                signal?.removeEventListener('abort', onAbort);
                this.#leave();
            },
        }, { highWaterMark: 0 });
    }

    /** The next piece; null at the end. */
    async #next() {
        this.#askAhead();
        const next = this.#pieces.shift();
        if (!next) return null;
        const piece = await next;
        await this.#digest?.take(this.#given, piece);
        this.#given += piece.length;
        this.#onProgress(this.#given, this.#size);
        this.#askAhead();
        return piece;
    }

    #askAhead() {
        while (this.#asked < this.#size && this.#pieces.length < 4 && !this.#isOver) {
            const offset = this.#asked;
            // Pieces end at the blocks of the checksum, also where the first one does not begin at one.
            const count = Math.min(PIECE - offset % PIECE, this.#size - offset);
            this.#asked += count;
            const piece = this.#piece(offset, count);
            piece.catch(() => {});
            this.#pieces.push(piece);
        }
    }

    async #piece(offset, count) {
        const { desk } = this.#options;
        await desk.acquire(count);
        try {
            for (let tries = 1; ; tries += 1) {
                const transfer = this.#transfer;
                try {
                    const frame = await this.#questions.ask(offset, wantFrame(transfer, offset, count));
                    if (frame.kind !== FILE_DATA || frame.bytes.length !== count) throw new WireError('internal', 'The computer sent another part of the file than it was asked for.');
                    return frame.bytes;
                } catch (error) {
                    if (error.detail?.rpc !== NO_TRANSFER || tries === TRIES || this.#isOver) throw error;
                    if (transfer === this.#transfer) await this.#again();
                }
            }
        } finally {
            desk.release(count);
        }
    }

    /** Begins it again at the computer, whose program was started anew or ended with it. */
    #again() {
        const [size, version] = [this.#size, this.#version];
        this.#beginning ??= this.begin(version).then((answer) => {
            // Answers about the earlier one are not heard any more.
            this.#questions.abandon(new WireError('not-found', 'The computer began this file again.', { rpc: NO_TRANSFER }));
            return answer;
        }).finally(() => { this.#beginning = null; });
        return this.#beginning.then((answer) => {
            if (answer.version !== version || answer.fileSize !== size) throw new WireError('refused', 'The file was changed on the computer while it was fetched. Try again.', { reason: 'fileChanged', rpc: CHANGED });
        });
    }

    async #finish() {
        const { checksum } = await this.#options.computer.call('file.completeDownload', { transferId: this.#id });
        const own = await this.#digest?.finish();
        this.#end();
        if (own && checksum !== own) throw new WireError('internal', 'The file arrived damaged. Try again.', { reason: 'wrongChecksum' });
    }

    /** Leaves it unfinished: the computer is told. */
    #leave() {
        if (this.#isOver) return;
        this.#end();
        this.#options.computer.call('file.cancelTransfer', { transferId: this.#id }).catch(() => {});
    }

    #end() {
        this.#isOver = true;
        this.#stopFrames?.();
        this.#questions.end(new WireError('cancelled', 'The download was cancelled.'));
    }
}
