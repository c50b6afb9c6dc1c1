import { ClientError } from './client.js';
import { apiPath, clientError, request } from './local-http.js';

/** A paired computer, through the phone's process. */
export class LocalComputer {
    #client;

    constructor(client, id) {
        this.#client = client;
        this.id = id;
    }

    /**
     * @param {string} method
     * @param {Object} params
     * @param {{signal?: AbortSignal, timeout?: number}} options
     */
    call(method, params = {}, { timeout, signal } = {}) {
        return this.#client.call('call', { device: this.id, method, params, ...(timeout && { timeout }) }, { signal });
    }

    queue(method, params = {}) { return this.#client.call('queue.call', { device: this.id, method, params }); }

    events(name, listener) {
        return this.#client.events('remote', ({ device, event, members }) => {
            if (device !== this.id) return;
            if (name === '*') listener({ event, members });
            else if (event === name) listener(members);
        });
    }

    reachability(listener) {
        let isOver = false;
        let known;
        const tell = (path) => {
            if (isOver || path === known) return;
            known = path;
            listener(path);
        };
        let hasNews = false;
        const ask = async () => {
            hasNews = false;
            const device = await this.#client.devices.show(this.id).catch(() => null);
            // An event that came while it was asked is newer than the answer.
            if (device && !hasNews) tell(device.path);
        };
        const stops = [
            this.#client.events('reach', ({ device, path }) => {
                if (device !== this.id) return;
                hasNews = true;
                tell(path);
            }),
            this.#client.events('reset', ask),
            () => { isOver = true; },
        ];
        ask();
        return () => stops.forEach((stop) => stop());
    }

    async upload(folder, file, options) {
        const { upload } = await import('./local-upload.js');
        return upload(this.#client, this.id, folder, file, options);
    }

    async cancelUpload(folder, { name, size, resume }) {
        await this.#fetch(apiPath('uploads', { device: this.id, folder, name, size, upload: resume }), { method: 'DELETE' });
    }

    /**
     * @param {string} path
     * @param {import('./client.js').DownloadOptions} options
     * @returns {Promise<import('./client.js').Download>}
     */
    async download(path, { onProgress, signal, from = 0, version } = {}) {
        const response = await this.#fetch(apiPath('files', { device: this.id, path }), {
            signal, headers: from > 0 ? { Range: `bytes=${from}-`, ...(version && { 'If-Range': version }) } : {},
        });
        // All of it: the file is another one by now.
        if (response.status !== 206) from = 0;
        const length = response.headers.get('Content-Length');
        const size = length === null ? null : Number(length) + from;
        let done = from;
        const counted = new TransformStream({
            transform(chunk, controller) {
                done += chunk.byteLength;
                onProgress?.(done, size);
                controller.enqueue(chunk);
            },
        });
        return {
            name: nameIn(response.headers.get('Content-Disposition')) ?? lastPart(path), size, from, version: response.headers.get('ETag'),
            stream: response.body.pipeThrough(counted),
        };
    }

    /**
     * @param {string} path
     * @param {{id?: string, signal?: AbortSignal}} options
     */
    async save(path, { id, signal } = {}) {
        const held = await this.#held('POST', { id, device: this.id, path }, signal);
        if (held.state === 'ready') {
            const anchor = document.createElement('a');
            anchor.href = apiPath('files', { device: this.id, path, download: id });
            anchor.download = lastPart(path);
            anchor.hidden = true;
            document.body.append(anchor);
            anchor.click();
            anchor.remove();
        }
        return held;
    }

    /**
     * @param {string} id
     * @param {{signal?: AbortSignal}} options
     */
    saved(id, { signal } = {}) { return this.#held('GET', { id }, signal); }

    holdSave(id, isPaused) { return this.#held('POST', { id, state: isPaused ? 'paused' : 'running' }); }

    async cancelSave(id) { await this.#held('DELETE', { id }); }

    async #held(method, query, signal) {
        const response = await this.#fetch(apiPath('downloads', query), { method, signal });
        const { error, ...held } = await response.json().catch((error) => { throw ClientError.from(error); });
        return { ...held, error: error ? clientError(error) : null };
    }

    async terminal(options) {
        const { openTerminal } = await import('./local-terminal.js');
        return openTerminal(this.#client, this.id, options);
    }

    /**
     * @param {import('./client.js').ScreenOptions} options
     */
    async screen({ display, format, quality, maxWidth, signal } = {}) {
        const response = await this.#fetch(apiPath('screen', { device: this.id, display, format, quality, maxWidth }), { signal });
        const number = (name) => Number(response.headers.get(name));
        return {
            blob: await response.blob().catch((error) => { throw ClientError.from(error); }),
            width: number('Tandem-Width'), height: number('Tandem-Height'), at: number('Tandem-Time'),
        };
    }

    /** @param {import('./client.js').LiveScreenOptions} options */
    async live(options) { return (await import('./local-screen.js')).openScreen(this.#client, this.id, options); }

    async #fetch(path, options) {
        try {
            return await request(path, options);
        } catch (error) {
            this.#client.note(error);
            throw error;
        }
    }
}

/** The name in `attachment; filename*=UTF-8''…`. */
function nameIn(disposition) {
    const coded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
    try {
        return coded ? decodeURIComponent(coded) : /filename="([^"]*)"/i.exec(disposition ?? '')?.[1] ?? null;
    } catch {
        return null;
    }
}

function lastPart(path) {
    return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
}
