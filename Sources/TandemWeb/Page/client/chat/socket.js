import { Alarm } from '../../wire/time.js';
import { refusal } from './failures.js';

const WAITS = [500, 1000, 2000, 5000, 10_000, 30_000];
const HELD = 10_000;
const PROBE = 5000;
const ANSWER = 15_000;
const LONGEST = 4 << 20;
/** Kinds of frames. Source: `docs/protocol.md` 2.11.4. */
const FRAME = { push: 2001, over: 2002, begin: 2004, presence: 2005, refused: 3001 };
const RENEWED = new Set([1501, 1502, 1503, 1505, 1506, 1507]);

/**
 * The connection by which a hub tells what happens: opened again whenever it ends. Only what fits into a short answer is asked by it.
 *
 * @typedef {{connected(): void, lost(): void, push(data: any): Promise<void>}} News `push` is called one after the other.
 */
export class ChatSocket {
    #options;
    #alarm;
    #socket = null;
    #tries = 0;
    #number = 0;
    #pending = new Map();
    #lane = Promise.resolve();
    #isConnected = false;
    #isEnded = false;
    #isOpening = false;
    #refusedToken = null;

    /**
     * @param {{origin: string, me: string, tokens: import('./hub.js').Tokens, dial: (url: string) => WebSocket, time: import('../../wire/time.js').Time, news: News}} options
     */
    constructor(options) {
        this.#options = options;
        this.#alarm = new Alarm(options.time);
    }

    start() { this.#open(); }

    end() {
        this.#isEnded = true;
        this.#alarm.clear();
        this.#leave(this.#socket);
    }

    /** The page is looked at again, or the network is another one: an open connection has to answer, and a lost one is tried at once. */
    nudge() {
        if (this.#isEnded) return;
        const socket = this.#socket;
        if (this.#isConnected) this.#ask(FRAME.begin, {}, PROBE).catch(() => this.#leave(socket));
        else if (!this.#isOpening) { this.#tries = 0; this.#open(); }
    }

    /** The page sleeps: what is said to a connection that died meanwhile would wait for its end. */
    pause() { this.#leave(this.#socket); }

    /** Whose presence is told from now on. @returns {Promise<any>} Who of them is there. */
    watch(people) { return this.#ask(FRAME.presence, { subscribeUserID: people }, ANSWER); }

    async #open() {
        this.#alarm.clear();
        this.#isOpening = true;
        const { origin, me, tokens, dial, time } = this.#options;
        let token;
        try {
            token = await tokens.token(this.#refusedToken);
        } catch {
            // Nobody is signed in any more, or the hub is not reached.
            this.#isOpening = false;
            this.#later();
            return;
        }
        if (this.#isEnded) return;
        const socket = dial(`${origin.replace(/^http/, 'ws')}/chat/socket?token=${encodeURIComponent(token)}&sendID=${me}`);
        this.#socket = socket;
        const since = time.now();
        socket.addEventListener('message', ({ data }) => { if (socket === this.#socket) this.#take(data, token); });
        socket.addEventListener('close', () => this.#ended(socket, since));
        socket.addEventListener('open', async () => {
            try {
                // A hub takes a connection before it looks at the token.
                await this.#ask(FRAME.begin, {}, ANSWER);
                if (socket !== this.#socket) return;
                this.#isOpening = false;
                this.#isConnected = true;
                this.#options.news.connected();
            } catch {
                this.#leave(socket);
            }
        });
    }

    #leave(socket) {
        if (!socket || socket !== this.#socket) return;
        socket.close();
        // The browser tells of the end late where nobody answers.
        this.#ended(socket, this.#options.time.now());
    }

    #ended(socket, since) {
        if (socket !== this.#socket) return;
        this.#socket = null;
        this.#isOpening = false;
        for (const { fail } of this.#pending.values()) fail();
        this.#pending.clear();
        if (this.#options.time.now() - since > HELD) this.#tries = 0;
        this.#isConnected = false;
        // Said of a try that failed, too: who looks at the list wants to know.
        this.#options.news.lost();
        this.#later();
    }

    #later() {
        if (this.#isEnded) return;
        const wait = WAITS[Math.min(this.#tries, WAITS.length - 1)];
        this.#tries += 1;
        this.#alarm.set(wait * (0.8 + 0.4 * Math.random()), () => this.#open());
    }

    #take(data, token) {
        let frame = null;
        try {
            if (typeof data === 'string' && data.length <= LONGEST) frame = JSON.parse(data);
        } catch {
            // Garbage is passed over.
        }
        if (frame === null || typeof frame !== 'object') return;
        switch (frame.reqIdentifier) {
            case FRAME.push:
                this.#lane = this.#lane.then(() => this.#options.news.push(frame.data)).catch(() => {});
                break;
            case FRAME.over:
                // The word of one frame signs nobody out: another token is asked for, and that fails where the session is over.
                this.#refusedToken = token;
                break;
            case FRAME.refused:
                if (RENEWED.has(frame.errCode)) this.#refusedToken = token;
                break;
            default: this.#answered(frame);
        }
    }

    #answered({ msgIncr, errCode, errMsg, data }) {
        const waiting = this.#pending.get(msgIncr);
        if (!waiting) return;
        this.#pending.delete(msgIncr);
        if (errCode === 0) waiting.resolve(data);
        else waiting.reject(refusal(errCode, errMsg));
    }

    #ask(reqIdentifier, data, patience) {
        return new Promise((resolve, reject) => {
            const socket = this.#socket;
            if (!socket || socket.readyState !== 1) { reject(refusal(500)); return; }
            this.#number += 1;
            const msgIncr = String(this.#number);
            const fail = () => { this.#pending.delete(msgIncr); reject(refusal(500)); };
            const stop = this.#options.time.after(patience, fail);
            const settled = (then) => (value) => { stop(); then(value); };
            this.#pending.set(msgIncr, { resolve: settled(resolve), reject: settled(reject), fail: settled(fail) });
            socket.send(JSON.stringify({ reqIdentifier, msgIncr, operationID: 'page', data }));
        });
    }
}
