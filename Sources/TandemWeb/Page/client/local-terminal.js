import { ClientError, Listeners } from './client.js';
import { apiPath, clientError } from './local-http.js';

/** Told to the program once so many bytes are drawn: a quarter of what it sends ahead. */
const TAKEN_STEP = 32 * 1024;
/** A long paste goes in pieces, so that Ctrl-C does not wait behind all of it. */
const PIECE = 32 * 1024;

/**
 * Shows a terminal of a computer.
 *
 * @param {Object} client
 * @param {string} device
 * @param {import('./client.js').TerminalOptions} options
 * @returns {Promise<import('./client.js').Terminal>}
 */
export function openTerminal(client, device, { sessionId, shell, cwd, cols, rows, signal }) {
    const address = new URL(apiPath('terminal', { device, sessionId, shell, cwd, cols, rows }), location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    const socket = new WebSocket(address);
    socket.binaryType = 'arraybuffer';
    const terminal = new LocalTerminal(socket);
    return new Promise((resolve, reject) => {
        // For the opening alone: a sheet that started a terminal may close, and the terminal goes on until it is left.
        const giveUp = () => { terminal.detach(); reject(new ClientError('cancelled')); };
        const isSettled = () => signal?.removeEventListener('abort', giveUp);
        terminal.opened = (opened) => { isSettled(); resolve(opened); };
        terminal.failed = (error) => { isSettled(); client.note(error); reject(error); };
        if (signal?.aborted) giveUp();
        else signal?.addEventListener('abort', giveUp);
    });
}

class LocalTerminal {
    sessionId = null;
    /** @type {(opened: LocalTerminal) => void} */
    opened;
    /** @type {(error: ClientError) => void} */
    failed;
    #socket;
    #data = new Listeners();
    #lives = new Listeners();
    #isLive = false;
    #notices = new Listeners();
    #sizes = new Listeners();
    #size = null;
    #exits = new Listeners();
    #exit = null;
    #early = [];
    #isHeard = false;
    #isOver = false;
    #taken = 0;
    #encoder = new TextEncoder();

    constructor(socket) {
        this.#socket = socket;
        socket.onmessage = ({ data }) => {
            if (typeof data === 'string') this.#receive(JSON.parse(data));
            else this.#show(new Uint8Array(data));
        };
        socket.onclose = () => this.#end({ code: null, error: new ClientError('lost') });
    }

    /** What came before anybody listened is kept for the first listener. */
    onData(listener) {
        const stop = this.#data.add(listener);
        this.#isHeard = true;
        for (const bytes of this.#early.splice(0)) this.#show(bytes);
        return stop;
    }

    /** At once where it has happened already; behind the data that came before. */
    onLive(listener) {
        if (this.#isLive) queueMicrotask(listener);
        return this.#lives.add(listener);
    }

    /** The terminal's size, which is that of the window where somebody looked or typed last. At once where it is known. */
    onSize(listener) {
        if (this.#size) { const size = this.#size; queueMicrotask(() => listener(size)); }
        return this.#sizes.add(listener);
    }

    onNotice(listener) { return this.#notices.add(listener); }

    /** At once where it has ended already. */
    onExit(listener) {
        if (this.#exit) queueMicrotask(() => listener(this.#exit));
        return this.#exits.add(listener);
    }

    write(data) {
        const bytes = typeof data === 'string' ? this.#encoder.encode(data) : data;
        for (let at = 0; at < bytes.length; at += PIECE) this.#send(bytes.subarray(at, at + PIECE));
    }

    /** This window's size; the terminal takes it. */
    resize(cols, rows) { this.#send(JSON.stringify({ resize: [cols, rows] })); }

    /** Leaves it running. */
    detach() {
        this.#isOver = true;
        this.#send(JSON.stringify({ detach: true }));
        this.#socket.close();
    }

    #show(bytes) {
        if (!this.#isHeard) { this.#early.push(bytes); return; }
        let isTaken = false;
        this.#data.tell(bytes, () => {
            if (isTaken) return;
            isTaken = true;
            this.#take(bytes.byteLength);
        });
    }

    #take(count) {
        this.#taken += count;
        if (this.#taken < TAKEN_STEP) return;
        this.#send(JSON.stringify({ ack: this.#taken }));
        this.#taken = 0;
    }

    #receive(message) {
        if (message.session !== undefined) {
            this.sessionId = message.session;
            this.opened(this);
        } else if (message.live) {
            this.#isLive = true;
            this.#lives.tell();
        } else if (message.size) {
            const [cols, rows] = message.size;
            this.#size = { cols, rows };
            this.#sizes.tell(this.#size);
        } else if (message.notice !== undefined) {
            this.#notices.tell(message.notice);
        } else if (message.exit) {
            this.#end(message.exit);
        } else if (message.error) {
            this.#end({ code: null, error: clientError(message.error) });
        }
    }

    #end(exit) {
        if (this.#isOver) return;
        this.#isOver = true;
        this.#exit = exit;
        if (this.sessionId === null) this.failed(exit.error ?? new ClientError('refused'));
        else this.#exits.tell(exit);
        this.#socket.close();
    }

    #send(message) {
        if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(message);
    }
}
