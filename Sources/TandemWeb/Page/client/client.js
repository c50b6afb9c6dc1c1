/**
 * What a screen may ask, and how it fails. `local.js` implements it over the local API; another implementation may speak the sealed
 * session itself. Nothing here knows how it travels.
 *
 * @typedef {'desktop' | 'phone' | 'hub'} Role
 * @typedef {{role: Role, name: string, version: string, id: string, fingerprint: string, platform: string, assets: Object<string, boolean>, hub?: string | null}} Self `hub` is
 *   the one that an account of this phone is at, where it can be at no other.
 * @typedef {'connecting' | 'live' | 'lost' | 'signed-out' | 'gone'} ClientState
 * @typedef {() => void} Stop
 * @typedef {{result: Promise<any>, send(value: any): void, end(): void, cancel(): void}} Follow
 * @typedef {{right?: string, reason?: string, values?: Object<string, any>, retryAfter?: number} & Object<string, any>} Detail What else a
 *   failure says, as the program sends it.
 * @typedef {{code?: string, message?: string, detail?: Detail, right?: string | null}} Failure A ClientError, or what stands for one.
 *
 * @typedef {Object} Client
 * @property {Role} role
 * @property {Self} self
 * @property {ClientState} state
 * @property {(listener: (state: ClientState) => void) => Stop} onState
 * @property {<M extends keyof Control>(method: M, params?: Control[M]['params'], options?: {signal?: AbortSignal, timeout?: number}) =>
 *   Promise<Control[M]['answer']>} call `Control` and `Remote` are the methods of the contract: `Tests/Page/types/contract.d.ts`.
 * @property {<M extends keyof Control>(method: M, params?: Control[M]['params'], options?: FollowOptions & {onItem?: (item: Control[M]['item']) => void}) =>
 *   Follow & {result: Promise<Control[M]['answer']>}} follow
 * @property {(topic: string, listener: (data: any, info: {seq: number, topic: string}) => void) => Stop} events Topic `*` is all of
 *   them, `reset` says that some may be missing.
 * @property {Devices} devices
 * @property {Pairing} pairing
 * @property {Routes} routes Bytes that a feature serves beside its methods, by a path below the interface's own.
 * @property {(id: string) => Computer} computer Only on a phone.
 * @property {(() => Promise<void>) | null} signOut Null where nobody signs in.
 * @property {() => string | null} [takeInvitation] The invitation to its hub that the page was opened with, once; `invited` tells of another.
 * @property {() => Promise<void>} [takeUpdate] Takes the version that `updated` told of, where that does not come by a reload alone.
 * @property {() => Promise<void>} start Finds out who runs: the frame calls it.
 * @property {() => Promise<void>} retry Tries again now.
 *
 * @typedef {Object} FollowOptions
 * @property {(item: any) => void} [onItem]
 * @property {() => void} [onRestart] The connection was lost and the method begins again: forget what its items said.
 * @property {AbortSignal} [signal]
 * @property {boolean} [once] Ends with `lost` instead of beginning again: for what must not be done twice.
 *
 * @typedef {Object} Routes
 * @property {(path: string, query?: Object<string, any>) => string} address For an element that shows what is there.
 * @property {(path: string, query: Object<string, any>, body: Blob, options?: {signal?: AbortSignal}) => Promise<any>} post Answers JSON.
 * @property {(path: string, query: Object<string, any>, options?: {signal?: AbortSignal}) => Promise<Blob>} bytes
 *
 * @typedef {Object} Devices
 * @property {() => Promise<Control['devices.list']['answer']['devices']>} list
 * @property {(id: string) => Promise<Control['devices.show']['answer']>} show
 * @property {(id: string, name: string) => Promise<Control['devices.rename']['answer']>} rename
 * @property {(id: string) => Promise<Control['devices.forget']['answer']>} forget
 * @property {(id: string, rights: string[], options?: {unsigned?: boolean, seconds?: number, preset?: string, keepShells?: boolean}) =>
 *   Promise<Control['devices.allow']['answer']>} allow
 * @property {(id: string, rights: string[], options?: {keepShells?: boolean}) => Promise<Control['devices.deny']['answer']>} deny
 * @property {(listener: () => void) => Stop} onChange
 *
 * @typedef {Object} Pairing
 * @property {() => Promise<Control['status']['answer']>} status
 * @property {(options?: Control['pair.show']['params']) => Promise<Control['pair.show']['answer']>} show
 * @property {() => Promise<Control['pair.hide']['answer']>} hide Takes the shown code back.
 * @property {(text: string, options?: Omit<Control['pair.scan']['params'], 'text'>, follow?: FollowOptions) => Follow} scan
 * @property {(digits: string, options?: Omit<Control['pair.code']['params'], 'digits'>, follow?: FollowOptions) => Follow} code
 * @property {() => Promise<Control['pair.requests']['answer']>} requests
 * @property {(id: string, options?: {allow?: string[], number?: string}) => Promise<Control['pair.accept']['answer']>} accept
 * @property {(id: string) => Promise<Control['pair.reject']['answer']>} reject
 * @property {(onItem: (item: Control['pair.watch']['item']) => void, options?: Control['pair.watch']['params'], follow?: FollowOptions) => Follow} watch
 * @property {(text: string) => Promise<{size: number, rows: string[]}>} matrix
 * @property {(picture: Blob | ImageData) => Promise<string | null>} read
 * @property {() => {text: string, name: string | null} | null} [takeOffered] The code that the page was opened with, once; `offered` tells of another.
 *
 * @typedef {Object} Computer
 * @property {string} id
 * @property {<M extends keyof Remote>(method: M, params?: Remote[M]['params'], options?: {signal?: AbortSignal, timeout?: number}) =>
 *   Promise<Remote[M]['answer']>} call A remote method; the timeout is in seconds.
 * @property {<M extends keyof Remote>(method: M, params?: Remote[M]['params']) => Promise<Control['queue.call']['answer']>} queue
 * @property {(name: string, listener: (members: Object) => void) => Stop} events Name `*` is all; the listener then gets `{event, members}`.
 * @property {(listener: (path: string | null) => void) => Stop} reachability Told at once and at every change.
 * @property {(folder: string, file: File, options?: TransferOptions) => Promise<{path: string}>} upload
 * @property {(folder: string, upload: {name: string, size: number, resume: string}) => Promise<void>} cancelUpload The computer throws
 *   away what it has of it.
 * @property {(path: string, options?: DownloadOptions) => Promise<Download>} download
 * @property {(path: string, options: {id: string, signal?: AbortSignal}) => Promise<Save>} save Lets the browser download a file itself. The
 *   page names it, by 1 to 64 letters, digits and hyphens; the same once more begins it again only where the browser has not come for it.
 *   Fails with `refused` and the reason `tooManyDownloads` where as many are open as the browser can have beside the page.
 * @property {(id: string, options?: {signal?: AbortSignal}) => Promise<Save>} saved How it stands; `not-found` where it is not known any more.
 * @property {(id: string, isPaused: boolean) => Promise<Save>} holdSave
 * @property {(id: string) => Promise<void>} cancelSave
 * @property {(options: TerminalOptions) => Promise<Terminal>} terminal
 * @property {(options?: ScreenOptions) => Promise<{blob: Blob, width: number, height: number, at: number}>} screen
 * @property {(options: LiveScreenOptions) => Promise<import('./live-screen.js').LiveScreen>} live What a display shows, as it changes; fails with
 *   `unknown-method` where the computer cannot.
 *
 * @typedef {Object} TransferOptions
 * @property {(done: number, total: number | null) => void} [onProgress]
 * @property {AbortSignal} [signal]
 * @property {string} [resume] Names the upload: another with the same name goes on with it, after a pause or a reload.
 * @property {string} [name] Instead of the file's own.
 * @property {boolean} [overwrite] Takes the place of a file of that name; else that fails with `exists`.
 *
 * @typedef {{onProgress?: (done: number, total: number | null) => void, signal?: AbortSignal, from?: number, version?: string}} DownloadOptions
 *   `from` goes on there if the file is still the one of `version`.
 * @typedef {{name: string, size: number | null, from: number, version: string | null, stream: ReadableStream<Uint8Array>}} Download Its
 *   stream begins at `from`: 0 where the file is another one by now.
 *   `resume` names an upload: a later one of the same name goes on where the first was cut.
 * @typedef {{state: SaveState, done: number, size: number, error: ClientError | null}} Save What the browser downloads itself, in bytes.
 * @typedef {'ready' | 'running' | 'paused' | 'away' | 'done' | 'failed' | 'cancelled'} SaveState `ready`: the browser has not come for it;
 *   `away`: goes on when the computer is back; `cancelled`: by the page, or in the browser's downloads.
 * @typedef {{display?: number, format?: 'jpeg' | 'png', quality?: number, maxWidth?: number, signal?: AbortSignal}} ScreenOptions
 * @typedef {{display: number, maxWidth: number, signal?: AbortSignal}} LiveScreenOptions
 * @typedef {{sessionId?: string, shell?: string, cwd?: string, cols: number, rows: number, signal?: AbortSignal}} TerminalOptions
 *
 * @typedef {Object} Terminal
 * @property {string} sessionId
 * @property {(listener: (bytes: Uint8Array, taken: () => void) => void) => Stop} onData Call `taken` once they are drawn: no more than
 *   512 KiB are sent that were not.
 * @property {(listener: () => void) => Stop} onLive What it wrote before has been given; from now on comes what it writes.
 * @property {(listener: (text: string) => void) => Stop} onNotice
 * @property {(listener: (exit: {code: number | null, signal?: number, error?: ClientError}) => void) => Stop} onExit
 * @property {(data: string | Uint8Array) => void} write
 * @property {(cols: number, rows: number) => void} resize
 * @property {() => void} detach
 */

/** Every code a failure can have. */
export const CODES = [
    'signed-out', 'gone', 'offline', 'away', 'not-allowed', 'refused', 'expired', 'bad-request', 'unknown-method', 'too-large', 'full',
    'not-found', 'exists', 'cancelled', 'lost', 'internal',
];

/** A failure: decisions are taken on `code`, `message` is the program's own sentence for the person. */
export class ClientError extends Error {
    /**
     * @param {string} code One of ``CODES``; another counts as `internal`.
     * @param {string} [message]
     * @param {Detail} [detail]
     */
    constructor(code, message = '', detail = {}) {
        super(message);
        this.name = 'ClientError';
        this.code = CODES.includes(code) ? code : 'internal';
        this.detail = detail;
    }

    /** The right that is missing, for `not-allowed`. */
    get right() { return this.detail.right ?? null; }

    /** What was thrown as a ClientError: an abort is `cancelled`, a broken connection `gone`. */
    static from(error) {
        if (error instanceof ClientError) return error;
        if (error?.name === 'AbortError') return new ClientError('cancelled');
        if (error?.name === 'TimeoutError') return new ClientError('away');
        if (error instanceof TypeError) return new ClientError('gone', error.message);
        return new ClientError('internal', String(error?.message ?? error));
    }
}

/** Listeners of one kind. */
export class Listeners {
    #all = new Set();

    add(listener) {
        this.#all.add(listener);
        return () => this.#all.delete(listener);
    }

    tell(...values) {
        for (const listener of [...this.#all]) listener(...values);
    }
}

/**
 * The paired devices, over a client's `call` and `events`.
 *
 * @param {Pick<Client, 'call' | 'events'>} client
 * @returns {Devices}
 */
export function devicesOver(client) {
    return {
        list: async () => (await client.call('devices.list')).devices,
        show: (id) => client.call('devices.show', { id }),
        rename: (id, name) => client.call('devices.rename', { id, name }),
        forget: (id) => client.call('devices.forget', { id }),
        allow: (id, rights, options = {}) => client.call('devices.allow', { id, skills: rights, ...options }),
        deny: (id, rights, options = {}) => client.call('devices.deny', { id, skills: rights, ...options }),
        onChange: (listener) => {
            const stops = ['devices', 'reset'].map((topic) => client.events(topic, () => listener()));
            return () => stops.forEach((stop) => stop());
        },
    };
}

/**
 * Pairing, over a client's `call` and `follow`. Scanning and typing are done once: a lost connection ends them, for the other side may
 * have been asked already.
 *
 * @param {Client} client
 * @param {Pick<Pairing, 'matrix' | 'read'>} pictures What the implementation does with codes as pictures.
 * @returns {Pairing}
 */
export function pairingOver(client, { matrix, read }) {
    return {
        status: () => client.call('status'),
        show: (options = {}) => client.call('pair.show', options),
        hide: () => client.call('pair.hide'),
        scan: (text, options = {}, follow = {}) => client.follow('pair.scan', { text, ...options }, { once: true, ...follow }),
        code: (digits, options = {}, follow = {}) => client.follow('pair.code', { digits, ...options }, { once: true, ...follow }),
        requests: () => client.call('pair.requests'),
        accept: (id, options = {}) => client.call('pair.accept', { id, ...options }),
        reject: (id) => client.call('pair.reject', { id }),
        watch: (onItem, options = {}, follow = {}) => client.follow('pair.watch', options, { onItem, ...follow }),
        matrix,
        read,
    };
}
