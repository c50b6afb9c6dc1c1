import { scriptAddress } from '../kit/address.js';
import { ClientError } from './client.js';

/** A worker that has not answered by then never will, in milliseconds. */
const PATIENCE = 20_000;

/** @type {{worker: Worker, asked: Map<number, {resolve: (answer: any) => void, reject: (error: Error) => void}>} | null} */
let reader = null;
let seq = 0;

/**
 * What a code in a picture says, read by the page itself: for browsers that read none.
 *
 * @param {Blob | ImageData} picture A frame's points go to the worker.
 * @returns {Promise<string | null>} Null when there is none.
 */
export async function readByPage(picture) {
    const { texts, reason } = await ask(picture);
    if (reason) throw new ClientError('refused', 'The picture could not be read.', { reason });
    if (texts.length > 1) throw new ClientError('refused', 'There are several codes in the picture.', { reason: 'severalCodes' });
    return texts[0] ?? null;
}

function ask(picture) {
    const { worker, asked } = reader ??= begin();
    seq += 1;
    const mine = seq;
    return new Promise((resolve, reject) => {
        const timer = setTimeout(() => end('The reader of codes did not answer.'), PATIENCE);
        const settled = (settle) => (value) => {
            clearTimeout(timer);
            asked.delete(mine);
            settle(value);
        };
        asked.set(mine, { resolve: settled(resolve), reject: settled(reject) });
        worker.postMessage({ seq: mine, picture }, picture instanceof Blob ? [] : [picture.data.buffer]);
    });
}

function begin() {
    const asked = new Map();
    const worker = new Worker(scriptAddress('/client/qr-reader/worker.js'), { type: 'module' });
    worker.addEventListener('message', ({ data }) => { asked.get(data.seq)?.resolve(data); });
    worker.addEventListener('error', () => end('The reader of codes did not start.'));
    return { worker, asked };
}

/** Ends the worker, and all that waits for it. The next question begins another. */
function end(message) {
    const ended = reader;
    reader = null;
    if (!ended) return;
    ended.worker.terminate();
    for (const each of [...ended.asked.values()]) each.reject(new ClientError('unknown-method', message, { reason: 'cannotRead' }));
}
