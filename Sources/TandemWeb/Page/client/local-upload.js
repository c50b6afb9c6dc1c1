import { ClientError } from './client.js';
import { apiPath, failure } from './local-http.js';

const TRIES_WITHOUT_PROGRESS = 5;
const WAIT = 1000;

/**
 * Sends a file into a folder of a computer. A cut on the way to the program is gone on from; `resume` names the upload, so that another
 * call with the same name goes on too, after a pause or a reload.
 *
 * @param {Object} client
 * @param {string} device
 * @param {string} folder
 * @param {File} file
 * @param {import('./client.js').TransferOptions} options
 * @returns {Promise<{path: string}>}
 */
export async function upload(
    client, device, folder, file, { onProgress = () => {}, signal, resume = crypto.randomUUID(), name = file.name, overwrite } = {},
) {
    let tries = 0;
    let best = -1;
    for (;;) {
        try {
            const named = { device, folder, name, size: file.size, upload: resume, replace: overwrite ? 1 : undefined };
            const offset = (await client.ask(apiPath('uploads', named), { signal })).offset;
            if (offset > best) [best, tries] = [offset, 0];
            onProgress(offset, file.size);
            return await put(apiPath('files', { ...named, offset, modified: file.lastModified }), file.slice(offset), signal, (sent) => onProgress(offset + sent, file.size));
        } catch (error) {
            const failed = ClientError.from(error);
            client.note(failed);
            // What was sent last may not have arrived: only what the computer said counts.
            if (best >= 0 && failed.code !== 'cancelled') onProgress(best, file.size);
            tries += 1;
            // Only a cut can be gone on from; a refusal stays one.
            if (!['gone', 'lost'].includes(failed.code) || tries > TRIES_WITHOUT_PROGRESS) throw failed;
            await pause(WAIT * tries, signal);
        }
    }
}

/** XMLHttpRequest, because `fetch` does not tell how far a body is sent. */
function put(path, body, signal, onProgress) {
    return new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        const abort = () => request.abort();
        const ended = (settle) => (value) => { signal?.removeEventListener('abort', abort); settle(value); };
        const [resolved, rejected] = [ended(resolve), ended(reject)];
        request.open('PUT', path);
        request.setRequestHeader('Content-Type', 'application/octet-stream');
        request.upload.onprogress = ({ loaded }) => onProgress(loaded);
        request.onabort = () => rejected(new ClientError('cancelled'));
        request.onerror = () => rejected(new ClientError('lost'));
        request.onload = async () => {
            const readJSON = async () => JSON.parse(request.responseText);
            if (request.status >= 200 && request.status < 300) readJSON().then(resolved, rejected);
            else rejected(await failure(request.status, readJSON));
        };
        if (signal?.aborted) { rejected(new ClientError('cancelled')); return; }
        signal?.addEventListener('abort', abort);
        request.send(body);
    });
}

function pause(milliseconds, signal) {
    return new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, milliseconds);
        signal?.addEventListener('abort', () => { clearTimeout(timer); reject(new ClientError('cancelled')); }, { once: true });
    });
}
