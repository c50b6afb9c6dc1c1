import { ClientError } from '../client.js';
import { clientErrorOf } from './failures.js';

/**
 * A paired computer, over the session that is sealed between it and this browser.
 */
export class SealedComputer {
    #client;
    #phone;

    /** @param {import('../client.js').Client} client @param {any} phone @param {string} id */
    constructor(client, phone, id) {
        this.#client = client;
        this.#phone = phone;
        this.id = id;
    }

    /** @param {string} method @param {Object} params @param {{signal?: AbortSignal, timeout?: number}} options @returns {Promise<any>} */
    call(method, params = {}, { timeout, signal } = {}) { return this.#do((computer) => computer.call(method, params, { timeout, signal })); }

    /** @returns {Promise<any>} */
    queue(method, params = {}) { return this.#client.call('queue.call', { device: this.id, method, params }); }

    events(name, listener) {
        return this.#client.events('remote', ({ device, event, members }) => {
            if (device !== this.id) return;
            if (name === '*') listener({ event, members });
            else if (event === name) listener(members);
        });
    }

    reachability(listener) {
        let known;
        const tell = (path) => {
            if (path === known) return;
            known = path;
            listener(path);
        };
        const stop = this.#client.events('reach', ({ device, path }) => { if (device === this.id) tell(path); });
        const computer = this.#found();
        tell(computer?.state === 'ready' ? computer.path : null);
        return stop;
    }

    /** @param {string} folder @param {File} file @param {import('../client.js').TransferOptions} options @returns {Promise<{path: string}>} */
    upload(folder, file, { onProgress, signal, resume, name = file.name, overwrite } = {}) {
        return this.#do((computer) => computer.upload(folder, file, { name, resume, overwrite, onProgress, signal }));
    }

    cancelUpload(folder, upload) { return this.#do((computer) => computer.cancelUpload(folder, upload)); }

    /**
     * @param {string} path
     * @param {import('../client.js').DownloadOptions} options
     * @returns {Promise<import('../client.js').Download>}
     */
    async download(path, { onProgress, signal, from = 0, version } = {}) {
        const { stream, ...about } = await this.#do((computer) => computer.download(path, { from, version, signal, onProgress }));
        return { ...about, stream: withErrors(stream) };
    }

    /**
     * A browser downloads by itself only what a server gives it, and here none has the file: the page collects it.
     *
     * @returns {Promise<import('../client.js').Save>}
     */
    async save() { throw new ClientError('refused', '', { reason: 'tooManyDownloads' }); }
    /** @returns {Promise<import('../client.js').Save>} */
    async saved() { throw new ClientError('not-found'); }
    /** @returns {Promise<import('../client.js').Save>} */
    async holdSave() { throw new ClientError('not-found'); }
    async cancelSave() {}

    terminal(options) { return this.#do(async (computer) => new SealedTerminal(await computer.terminal(options))); }

    /** @param {import('../client.js').ScreenOptions} options */
    async screen({ display, format, quality, maxWidth, signal } = {}) {
        const asked = { displayId: display, format, quality, maxWidth, compact: true };
        const params = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
        const { imageBase64, format: kind, width, height, timestamp } = await this.call('display.screenshot', params, { signal });
        const bytes = bytesOf(imageBase64);
        if (!bytes) throw new ClientError('internal', 'The computer’s picture could not be read.');
        return { blob: new Blob([bytes], { type: kind === 'png' ? 'image/png' : 'image/jpeg' }), width, height, at: timestamp };
    }

    /** @param {import('../client.js').LiveScreenOptions} options */
    live(options) { return this.#do(async (computer) => (await import('./screen.js')).openScreen(computer, options)); }

    #found() {
        try {
            return this.#phone.computer(this.id);
        } catch {
            return null;
        }
    }

    async #do(work) {
        try {
            return await work(this.#phone.computer(this.id));
        } catch (error) {
            throw clientErrorOf(error);
        }
    }
}

/** A terminal whose end says why in the page's own failures. */
class SealedTerminal {
    #terminal;

    constructor(terminal) { this.#terminal = terminal; }

    get sessionId() { return this.#terminal.sessionId; }
    onData(listener) { return this.#terminal.onData(listener); }
    onLive(listener) { return this.#terminal.onLive(listener); }
    onSize(listener) { return this.#terminal.onSize(listener); }
    onNotice(listener) { return this.#terminal.onNotice(listener); }
    onExit(listener) { return this.#terminal.onExit(({ error, ...exit }) => listener({ ...exit, ...(error && { error: clientErrorOf(error) }) })); }
    write(data) { this.#terminal.write(data); }
    resize(cols, rows) { this.#terminal.resize(cols, rows); }
    detach() { this.#terminal.detach(); }
}

/** A stream that fails with the page's own failures. */
function withErrors(stream) {
    const reader = stream.getReader();
    return new ReadableStream({
        async pull(controller) {
            try {
                const { done, value } = await reader.read();
                if (done) controller.close();
                else controller.enqueue(value);
            } catch (error) {
                controller.error(clientErrorOf(error));
            }
        },
        cancel: (reason) => reader.cancel(reason),
    });
}

function bytesOf(base64) {
    if (typeof base64 !== 'string') return null;
    try {
        return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    } catch {
        return null;
    }
}
