import { sameAddress } from './address.js';
import { Calls } from './calls.js';
import { keyOfRecord, nameIn, rightsIn } from './computers.js';
import { envelopeOf, eventIn, messageOf } from './envelopes.js';
import { failure, throwIfAborted, WireError } from './error.js';
import { FrameDesk } from './frame-desk.js';
import { Listeners } from './listeners.js';
import { Session } from './session.js';

/** How long a call waits for a computer that is being reached, and for one that a server reported away. */
const REACHED_WITHIN = 10_000;
const BACK_WITHIN = 500;
const TOLD_WITHIN = 3000;
const JSON_BEGINS = 0x7b;

/** A paired computer: what it is asked, and what it tells. */
export class Computer {
    #options;
    #listeners = new Listeners();
    #calls;
    /** Whoever takes frames that are no envelopes. @type {((bytes: Uint8Array) => void)[]} */
    #frameTakers = [];
    #desk = new FrameDesk(this);
    /** @type {Session} */
    session;

    /**
     * @param {Object} options
     * @param {import('./computers.js').ComputerRecord} options.record
     * @param {import('./keys.js').Identity} options.identity
     * @param {import('./store.js').Store} options.store
     * @param {import('./time.js').Time} options.time
     * @param {() => import('./computers.js').ComputerRecord | null} options.current The record as it is now.
     * @param {(members: Object<string, any>) => Promise<any>} options.update Changes the record.
     * @param {(payload: Object<string, any>) => void} options.onAddresses
     * @param {() => void} options.onEnded The computer does not know this phone any more.
     */
    constructor(options) {
        const { record, identity, store, time } = options;
        this.#options = options;
        this.id = record.id;
        this.time = time;
        this.session = new Session({
            identity, store, time, peer: { id: record.id, did: record.did, key: keyOfRecord(record) },
            onMessage: (bytes) => this.#take(bytes),
            onState: (state) => this.#listeners.tell('state', state),
            onReached: () => options.update({ isConfirmed: true, until: null, lastSeenAt: time.now() }),
            onRestarted: () => {
                this.#calls.restarted();
                this.#listeners.tell('restarted');
            },
            onLeft: () => this.#listeners.tell('left'),
            onEnded: () => options.onEnded(),
        });
        this.#calls = new Calls({
            did: identity.did, time,
            send: (bytes) => this.session.send(bytes),
            onAwaited: (count) => {
                this.session.awaited = count;
                if (count === 1) this.session.watch();
            },
        });
    }

    get state() { return this.session.state; }

    /** How the computer is reached, null where it is not. @returns {'lan' | 'relay' | null} */
    get path() {
        const { way } = this.session;
        if (!way || this.state !== 'ready') return null;
        const { lan } = this.#options.current() ?? {};
        return lan && sameAddress(lan, way.signaling.url) ? 'lan' : 'relay';
    }

    /**
     * @param {'state' | 'restarted' | 'left'} name
     * @param {(value: any) => void} listener
     */
    on(name, listener) { return this.#listeners.on(name, listener); }

    /** What the computer tells: the members of one event, or of all as `{event, members}`. */
    events(name, listener) { return this.#listeners.on(`event ${name}`, listener); }

    /**
     * Asks the computer.
     *
     * @param {string} method
     * @param {Object<string, any>} [params]
     * @param {import('./calls.js').CallOptions} [options]
     * @returns {Promise<any>}
     * @throws {WireError}
     */
    async call(method, params, options = {}) {
        if (this.state !== 'ready') await this.reached(options);
        return this.#calls.call(method, params, options);
    }

    /**
     * Waits until the session is sealed.
     *
     * @param {{signal?: AbortSignal, timeout?: number}} [options]
     * @throws {WireError} `away` where that takes too long, `refused` where it is not paired any more.
     */
    reached(options = {}) {
        const { signal, timeout = REACHED_WITHIN / 1000 } = options;
        return new Promise((resolve, reject) => {
            if (this.state === 'ready') return void resolve(undefined);
            let stopTimer = null;
            const stops = [];
            const end = (settle) => {
                stopTimer?.();
                stops.forEach((stop) => stop());
                settle();
            };
            const look = () => {
                if (this.state === 'ready') return end(() => resolve(undefined));
                if (this.state === 'ended') return end(() => reject(notPaired()));
                stopTimer?.();
                // One that a server reported away may just be coming back.
                const within = Math.min(timeout * 1000, this.state === 'away' ? BACK_WITHIN : REACHED_WITHIN);
                stopTimer = this.time.after(within, () => end(() => reject(this.#away())));
                return undefined;
            };
            const onAbort = () => end(() => reject(new WireError('cancelled', 'This was cancelled.')));
            stops.push(this.on('state', look), () => signal?.removeEventListener('abort', onAbort));
            signal?.addEventListener('abort', onAbort);
            try {
                throwIfAborted(signal);
                look();
            } catch (error) {
                end(() => reject(error));
            }
        });
    }

    /**
     * A file of the computer as it arrives.
     *
     * @param {string} path
     * @param {import('./download.js').DownloadOptions} [options]
     */
    async download(path, options) { return (await import('./download.js')).download(this, this.#desk, path, options); }

    /**
     * Sends a file into a folder of the computer.
     *
     * @param {string} folder
     * @param {import('./upload.js').Source} source
     * @param {import('./upload.js').UploadOptions} [options]
     */
    async upload(folder, source, options) { return (await import('./upload.js')).upload(this, this.#desk, folder, source, options); }

    /** Throws away what the computer has of an upload. */
    async cancelUpload(folder, named) { return (await import('./upload.js')).cancelUpload(this, folder, named); }

    /**
     * Opens a window onto a terminal.
     *
     * @param {import('./terminal.js').TerminalOptions} options
     */
    async terminal(options) { return (await import('./terminal.js')).openTerminal(this, options); }

    /** Sends a frame that is no envelope. */
    sendFrame(bytes) { return this.session.send(bytes, true); }

    /** Frames that are no envelopes, as they come. @returns {() => void} What ends it. */
    onFrame(taker) {
        this.#frameTakers.push(taker);
        return () => { this.#frameTakers = this.#frameTakers.filter((each) => each !== taker); };
    }

    /** The round trip of a method that does nothing, in milliseconds. */
    async ping() {
        const began = performance.now();
        await this.call('system.ping');
        return performance.now() - began;
    }

    /** Tells the computer what this phone is called, where it is there. */
    async tellName(name) {
        if (this.state !== 'ready') return;
        try {
            await this.session.send(messageOf('tandem:name', { name }));
        } catch {
            // The session ended: the name is said again at the next one.
        }
    }

    /** Tells the computer that this phone forgets it. @returns {Promise<boolean>} Whether it heard. */
    async tellForgotten() {
        if (this.state !== 'ready') return false;
        const heard = new Promise((resolve) => {
            this.time.after(TOLD_WITHIN, () => resolve(false));
            // One that forgets this phone may leave before it has acknowledged that.
            this.on('left', () => resolve(true));
        });
        await this.session.send(messageOf('pairing:forget', {}));
        return Promise.race([this.session.settled(), heard]);
    }

    /** Ends what waits. */
    close(isEnded = false) {
        this.session.close(isEnded ? 'ended' : 'offline');
        this.#calls.close(isEnded ? notPaired() : this.#away());
    }

    #away() { return new WireError('away', 'The computer is not connected right now. Check that it is on and online, then try again.'); }

    /** @returns {void | Promise<void>} */
    #take(bytes) {
        if (bytes[0] !== JSON_BEGINS) {
            for (const taker of this.#frameTakers) taker(bytes);
            return undefined;
        }
        const envelope = envelopeOf(bytes);
        if (!envelope || this.#calls.receive(envelope)) return undefined;
        const event = eventIn(envelope);
        if (event) {
            this.#listeners.tell(`event ${event.event}`, event.members);
            this.#listeners.tell('event *', event);
            return undefined;
        }
        if (envelope.type === 'pairing:forget') return void this.#options.onEnded();
        if (envelope.type === 'tandem:addresses') return void this.#options.onAddresses(envelope.payload);
        if (envelope.type === 'tandem:name') return this.#renamed(nameIn(envelope.payload));
        const rights = envelope.type === 'tandem:rights' ? rightsIn(envelope.payload) : null;
        return rights ? this.#options.update(rights) : undefined;
    }

    /** The computer says its name whenever it is reached: mostly the one that is known. */
    #renamed(said) {
        return said && said.name !== this.#options.current()?.name ? this.#options.update(said) : undefined;
    }
}

function notPaired() { return failure('refused', 'notPaired', 'The computer does not know this phone any more. Pair them again.'); }
