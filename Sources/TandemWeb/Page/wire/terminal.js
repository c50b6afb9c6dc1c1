import { randomId, textOf, utf8 } from './bytes.js';
import { throwIfAborted, WireError } from './error.js';
import { Listeners } from './listeners.js';
import { TerminalInput } from './terminal-input.js';

/**
 * @typedef {{sessionId?: string, shell?: string, cwd?: string, cols: number, rows: number, signal?: AbortSignal}} TerminalOptions Without a session a new one
 *   begins.
 */

/** Bytes after whose drawing the computer is told. */
const TOLD_AFTER = 32 * 1024;
const TRUNCATED = 'truncated';
/** Events for sessions that are not known yet, while one is made. */
const EARLY_EVENTS = 256;

/**
 * Opens a window onto a terminal of the computer.
 *
 * @param {import('./computer.js').Computer} computer
 * @param {TerminalOptions} options
 * @returns {Promise<Terminal>}
 */
export async function openTerminal(computer, { sessionId, shell, cwd, cols, rows, signal }) {
    throwIfAborted(signal);
    const viewerId = randomId();
    const early = [];
    // Output may come before the answer that names its session.
    const stop = computer.events('*', (each) => { if (each.event.startsWith('terminal.') && early.length < EARLY_EVENTS) early.push(each); });
    try {
        if (sessionId) return await Terminal.join(computer, { sessionId, viewerId, cols, rows, signal });
        const created = await computer.call('terminal.create', { cols, rows, acknowledges: true, viewerId, ...(shell ? { shell } : {}), ...(cwd ? { cwd } : {}) }, { signal });
        if (typeof created.sessionId !== 'string') throw new WireError('internal', 'The computer did not say which terminal it opened.');
        const terminal = new Terminal(computer, { sessionId: created.sessionId, viewerId, cols, rows, next: 1 });
        terminal.begin(early);
        return terminal;
    } finally {
        stop();
    }
}

/** A window onto a terminal: its output in order, each byte once, also across breaks. Source: `docs/protocol.md` 3.1. */
export class Terminal {
    #computer;
    #viewerId;
    #listeners = new Listeners();
    #stops = [];
    #input;
    /** The number of the next chunk. */
    #next;
    #isRepairing = false;
    /** Something came that did not follow, or might have been lost. */
    #isBehind = false;
    #exit = null;
    #pendingExit = null;
    #isLive = false;
    #isOver = false;
    #isHeard = false;
    #early = [];
    #size;
    /** Chunks that were given and are not drawn, and bytes drawn since the computer was told. */
    #undrawn = [];
    #drawn = 0;
    #told = 0;
    #isTelling = false;

    /** Joins a session that runs: what it wrote before comes first. */
    static async join(computer, { sessionId, viewerId, cols, rows, signal }) {
        const terminal = new Terminal(computer, { sessionId, viewerId, cols, rows, next: 0 });
        try {
            await terminal.#subscribe(signal);
        } catch (error) {
            terminal.#leave();
            throw error;
        }
        terminal.resize(cols, rows);
        terminal.begin([]);
        return terminal;
    }

    constructor(computer, { sessionId, viewerId, cols, rows, next }) {
        this.#computer = computer;
        this.sessionId = sessionId;
        this.#viewerId = viewerId;
        this.#next = next;
        this.#size = { cols, rows };
        this.#input = new TerminalInput(computer, sessionId, viewerId);
        this.#stops = [
            computer.events('*', ({ event, members }) => this.#take(event, members)),
            computer.on('state', (state) => {
                if (state === 'ready') this.#reattach();
                else if (state === 'ended') this.#end({ code: null, error: new WireError('refused', 'The computer does not know this phone any more.', { reason: 'notPaired' }) });
            }),
        ];
    }

    /** Shows what came before; then what the session wrote before, where it was joined. */
    begin(events) {
        for (const { event, members } of events) this.#take(event, members);
        if (this.#next === 0 || this.#isBehind) this.#repair();
        else this.#live();
    }

    /** What came before anybody listened is kept for the first listener. */
    onData(listener) {
        const stop = this.#listeners.on('data', listener);
        this.#isHeard = true;
        for (const chunk of this.#early.splice(0)) this.#give(chunk);
        return stop;
    }

    onLive(listener) { return this.#tellOr('live', listener, this.#isLive ? [] : null); }
    onSize(listener) { return this.#tellOr('size', listener, this.#isLive ? [this.#size] : null); }
    onNotice(listener) { return this.#listeners.on('notice', listener); }
    onExit(listener) { return this.#tellOr('exit', listener, this.#exit ? [this.#exit] : null); }

    /** @param {string | Uint8Array} data */
    write(data) {
        if (!this.#isOver) this.#input.write(typeof data === 'string' ? data : textOf(data));
    }

    /** This window's size; the terminal takes it. */
    resize(cols, rows) {
        if (this.#isOver) return;
        this.#computer.call('terminal.resize', { sessionId: this.sessionId, cols, rows, viewerId: this.#viewerId }).catch(() => {});
    }

    /** Leaves it running. */
    detach() {
        if (this.#isOver) return;
        this.#leave();
        if (this.#computer.state === 'ready') this.#computer.call('terminal.unsubscribe', { sessionId: this.sessionId, viewerId: this.#viewerId }).catch(() => {});
    }

    /** Listens, and is told at once where it has happened already. */
    #tellOr(name, listener, values) {
        if (values) queueMicrotask(() => listener(...values));
        return this.#listeners.on(name, listener);
    }

    #take(event, members) {
        if (members.sessionId !== this.sessionId || this.#isOver) return;
        if (event === 'terminal.stdout') this.#takeOutput(members);
        else if (event === 'terminal.resized') this.#takeSize(members);
        else if (event === 'terminal.exit') this.#takeExit(members);
    }

    #takeOutput({ seq, data }) {
        if (!Number.isSafeInteger(seq) || typeof data !== 'string') return;
        if (seq === this.#next && !this.#isRepairing) this.#show(seq, data);
        else if (seq >= this.#next || this.#next === 0) this.#fallBehind();
    }

    #takeSize({ cols, rows }) {
        if (!Number.isInteger(cols) || !Number.isInteger(rows)) return;
        this.#size = { cols, rows };
        this.#listeners.tell('size', this.#size);
    }

    #takeExit({ exitCode, signal }) {
        this.#pendingExit = { code: Number.isInteger(exitCode) ? exitCode : null, ...(Number.isInteger(signal) ? { signal } : {}) };
        if (!this.#isRepairing && !this.#isBehind) this.#end(this.#pendingExit);
    }

    #show(seq, data) {
        this.#next = seq + 1;
        const bytes = utf8(data);
        const chunk = { seq, bytes };
        this.#undrawn.push(chunk);
        if (this.#isHeard) this.#give(chunk);
        else this.#early.push(chunk);
    }

    #give(chunk) {
        let isTaken = false;
        this.#listeners.tell('data', chunk.bytes, () => {
            if (isTaken) return;
            isTaken = true;
            chunk.isDrawn = true;
            this.#drawn += chunk.bytes.length;
            this.#tellDrawn();
        });
    }

    /** Says up to which chunk everything is drawn: the computer sends so much ahead, and no more. */
    #tellDrawn() {
        while (this.#undrawn[0]?.isDrawn) this.#told = this.#undrawn.shift().seq;
        if (this.#drawn < TOLD_AFTER || this.#isTelling || this.#isOver || !this.#told) return;
        this.#drawn = 0;
        this.#isTelling = true;
        this.#computer.call('terminal.ack', { sessionId: this.sessionId, seq: this.#told }).catch(() => {}).then(() => {
            this.#isTelling = false;
            this.#tellDrawn();
        });
    }

    #live() {
        this.#isLive = true;
        this.#listeners.tell('live');
    }

    #fallBehind() {
        this.#isBehind = true;
        if (this.#isLive && !this.#isRepairing) this.#repair();
    }

    /** Asks for what was written since the last chunk that was shown, until nothing is missing. */
    async #repair() {
        if (this.#isRepairing) return;
        this.#isRepairing = true;
        try {
            let isMore = true;
            while (isMore && !this.#isOver) {
                this.#isBehind = false;
                isMore = this.#takeHistory(await this.#computer.call('terminal.history', { sessionId: this.sessionId, fromSeq: this.#next }, { isRepeatable: true })) || this.#isBehind;
            }
        } catch (error) {
            // Where the computer is away, this is done again when it is back.
            if (error.code !== 'away') this.#end({ code: null, error });
            this.#isBehind = true;
            return;
        } finally {
            this.#isRepairing = false;
        }
        if (this.#isOver) return;
        if (this.#next === 0) this.#next = 1;
        if (!this.#isLive) this.#live();
        if (this.#pendingExit) this.#end(this.#pendingExit);
    }

    /** @returns {boolean} Whether there is more. */
    #takeHistory({ chunks, truncated, more, state }) {
        if (!Array.isArray(chunks)) throw new WireError('internal', 'The terminal\'s history could not be read.');
        if (truncated === true) this.#listeners.tell('notice', TRUNCATED);
        const known = chunks.filter((chunk) => Number.isSafeInteger(chunk?.seq) && chunk.seq >= this.#next && typeof chunk.data === 'string');
        const before = typeof state === 'string' && known.length ? state : '';
        known.forEach(({ seq, data }, at) => { if (seq >= this.#next) this.#show(seq, at === 0 ? before + data : data); });
        return more === true && known.length > 0;
    }

    /** @returns {Promise<void>} Fails where there is no such session any more. */
    async #subscribe(signal) {
        const { sessions } = await this.#computer.call('terminal.list', { sessionId: this.sessionId, acknowledges: true }, { signal, isRepeatable: true });
        const found = Array.isArray(sessions) ? sessions.find(({ id }) => id === this.sessionId) : undefined;
        if (!found) throw new WireError('not-found', 'The terminal has ended.', { reason: 'session_not_found' });
        if (found.alive === false) this.#pendingExit = { code: Number.isInteger(found.exitCode) ? found.exitCode : null, ...(Number.isInteger(found.signal) ? { signal: found.signal } : {}) };
        else if (Number.isInteger(found.cols) && Number.isInteger(found.rows)) this.#size = { cols: found.cols, rows: found.rows };
    }

    /** A device that was away is told nothing any more, until it asks. */
    async #reattach() {
        try {
            await this.#subscribe();
            await this.#repair();
        } catch (error) {
            if (error.code !== 'away') this.#end({ code: null, error });
        }
    }

    #end(exit) {
        if (this.#isOver) return;
        this.#leave();
        this.#exit = exit;
        this.#listeners.tell('exit', exit);
    }

    #leave() {
        this.#isOver = true;
        this.#input.close();
        for (const stop of this.#stops) stop();
    }
}
