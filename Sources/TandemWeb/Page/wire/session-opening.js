import { NO_EPOCH, SessionHandshake } from './session-handshake.js';
import { Alarm } from './time.js';

/** How long an answer to a handshake may take, each time; the last one also where the computer is away. */
const ANSWER_WAITS = [2000, 4000, 8000, 15_000, 30_000];
const NOTICE_WAIT = 1000;
/** What a notice about a compact record names: sixteen zero bytes, too. */
const NO_SESSION = NO_EPOCH;

/**
 * The tries to open a session, one after the other, and what notices of the computer lead to. Source: `docs/protocol.md` 2.4.
 *
 * @typedef {Object} OpeningOptions
 * @property {import('./keys.js').Identity} identity
 * @property {import('./session-handshake.js').Peer} peer
 * @property {import('./time.js').Time} time
 * @property {import('./session-memory.js').SessionMemory} memory
 * @property {() => {epoch: string, ack: {ep: string, n: number}}} numbers What the handshake says of messages.
 * @property {(payload: Object<string, any>) => void} send Over every way.
 */
export class SessionOpening {
    #options;
    #alarm;
    /** @type {SessionHandshake | null} */
    #attempt = null;
    #isBeginning = false;
    #isOver = false;
    #tries = 0;
    #noticedAt = new Map();

    /** @param {OpeningOptions} options */
    constructor(options) {
        this.#options = options;
        this.#alarm = new Alarm(options.time);
    }

    /** Whether an answer is awaited. */
    get isUnderWay() { return this.#attempt !== null; }

    end() {
        this.#isOver = true;
        this.#attempt = null;
        this.#alarm.clear();
    }

    /** Begins a new try, and the next one where this is not answered. */
    async begin() {
        if (this.#isBeginning || this.#isOver) return;
        this.#isBeginning = true;
        try {
            const { identity, peer, time, memory, numbers, send } = this.#options;
            // On the disk before it is used: a counter that comes again is a replay.
            await memory.keep({ counter: Math.max(time.now(), memory.kept.counter + 1) });
            const attempt = await SessionHandshake.begin({ identity, peer, kept: memory.kept, ...numbers() });
            if (this.#isOver) return;
            this.#attempt = attempt;
            send(attempt.payload);
            this.#alarm.set(ANSWER_WAITS[Math.min(this.#tries, ANSWER_WAITS.length - 1)], () => this.begin());
            this.#tries += 1;
        } finally {
            this.#isBeginning = false;
        }
    }

    /** What an answer agrees on; null where the payload is none, or the computer did not make it. */
    async read(payload) {
        const attempt = this.#attempt;
        if (payload.m !== 2 || !attempt?.isAnsweredBy(payload)) return null;
        try {
            const agreed = await attempt.finish(payload);
            // A later try that went out meanwhile has an answer of its own, which the computer goes by.
            if (attempt === this.#attempt) {
                this.#attempt = null;
                this.#alarm.clear();
            }
            this.#tries = 0;
            return agreed;
        } catch {
            return null;
        }
    }

    /**
     * A notice of the computer.
     *
     * @param {Object<string, any>} payload
     * @param {string | undefined} sid The session's, where there is one.
     * @param {() => void} showSession Shows the computer which session this is.
     */
    notice({ err, sid: about }, sid, showSession) {
        if (err === 'no-resumption' && about === this.#attempt?.payload.sid) {
            this.#follow(err, async () => {
                await this.#options.memory.keep({ secret: undefined, rid: undefined });
                await this.begin();
            });
        } else if (err === 'unknown-session' && sid !== undefined) {
            if (about === sid) this.#follow(err, () => this.begin());
            else if (about === NO_SESSION) this.#follow('unknown-route', showSession);
        }
    }

    /** Follows a notice, which anybody on the way could have made: at most once a second for each kind. */
    #follow(kind, action) {
        const { time } = this.#options;
        const since = time.now() - (this.#noticedAt.get(kind) ?? -Infinity);
        this.#noticedAt.set(kind, time.now() + Math.max(0, NOTICE_WAIT - since));
        if (since >= NOTICE_WAIT) action();
        else if (since >= 0) time.after(NOTICE_WAIT - since, () => { if (!this.#isOver) action(); });
    }
}
