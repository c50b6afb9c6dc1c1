import { b64u, random } from './bytes.js';
import { ACK, ackBody, bodyOf, CLOSE, DATA, dataBody, PING, PONG, tokenBody } from './bodies.js';
import { ACK_WITHIN, Inbox } from './inbox.js';
import { Outbox } from './outbox.js';
import { compactRecordOf, Opener, recordOf, Sealer } from './records.js';
import { NO_EPOCH, SessionHandshake } from './session-handshake.js';
import { Alarm } from './time.js';
import { Way } from './way.js';

/**
 * How a session stands: no server is reached; the computer is away; a handshake is under way; sealed; not paired any more.
 *
 * @typedef {'offline' | 'away' | 'connecting' | 'ready' | 'ended'} SessionState
 *
 * @typedef {Object} SessionOptions
 * @property {import('./keys.js').Identity} identity
 * @property {import('./session-handshake.js').Peer} peer
 * @property {import('./store.js').Store} store
 * @property {import('./time.js').Time} time
 * @property {(bytes: Uint8Array) => void | Promise<void>} onMessage One message of the computer, in order, once.
 * @property {(state: SessionState) => void} onState
 * @property {() => void} onReached A handshake was answered: both sides hold the pairing.
 * @property {() => void} onRestarted The computer's program was started anew.
 * @property {() => void} onEnded The computer does not know this phone any more.
 */

/** How long an answer to a handshake may take, each time. */
const ANSWER_WAITS = [2000, 4000, 8000, 15_000, 30_000];
const NOTICE_WAIT = 1000;
const FULL_AFTER = 23 * 3_600_000;
const LOST_AFTER = 3000;
const NO_SID = NO_EPOCH;

/** The sealed session with one computer, over all servers at which both are. Source: `docs/protocol.md` 2.4 and 2.5. */
export class Session {
    /** @type {SessionState} */
    state = 'offline';
    /** How many answers somebody waits for: the ways are watched closely then. */
    awaited = 0;
    /** @type {SessionOptions} */
    #options;
    /** @type {Map<import('./signaling.js').Signaling, Way>} The best first. */
    #ways = new Map();
    #epoch = b64u(random(16));
    #peerEpoch = NO_EPOCH;
    #outbox = new Outbox();
    /** @type {Inbox} */
    #inbox;
    #kept = null;
    /** @type {{sid: Uint8Array, id: string, sealer: Sealer, opener: Opener, began: number} | null} */
    #keys = null;
    /** @type {SessionHandshake | null} */
    #attempt = null;
    #isBeginning = false;
    #tries = 0;
    #noticedAt = new Map();
    #reading = Promise.resolve();
    #roomWaiters = [];
    #settleWaiters = [];
    #alarm;
    #ackAlarm;
    #attemptAlarm;
    #silentSince = null;

    /** @param {SessionOptions} options */
    constructor(options) {
        this.#options = options;
        const { time } = options;
        [this.#alarm, this.#ackAlarm, this.#attemptAlarm] = [new Alarm(time), new Alarm(time), new Alarm(time)];
    }

    get #now() { return this.#options.time.now(); }
    /** The way that is used: the best that answers. @returns {Way | null} */
    get way() {
        const usable = [...this.#ways.values()].filter((way) => way.isUsable);
        return usable.find((way) => !way.isSilent) ?? usable[0] ?? null;
    }

    /** Reads what was kept of earlier sessions. Call it before anything else. */
    async load() {
        const { store, peer } = this.#options;
        this.#kept = await store.get('sessions', peer.did) ?? { counter: 0, lastKept: 0 };
        this.#inbox = new Inbox({
            lastKept: this.#kept.lastKept,
            deliver: (bytes) => this.#options.onMessage(bytes),
            keep: (number) => this.#keep({ lastKept: number }),
            progress: () => this.#acknowledge(),
        });
    }

    /** A server at which the computer may be met; told again whenever its connection changed. */
    connection(signaling) {
        if (this.state === 'ended') return;
        if (!this.#ways.has(signaling)) this.#ways.set(signaling, new Way(signaling, this.#options.peer.id));
        this.#ways.get(signaling).reset();
        this.#refresh();
    }

    /** Ends this session at this side. */
    close(state = 'offline') {
        [this.#alarm, this.#ackAlarm, this.#attemptAlarm].forEach((alarm) => alarm.clear());
        this.#keys = this.#attempt = null;
        this.#set(state);
        this.#tellRoom();
        // A computer that forgets this phone heard it, and acknowledges nothing any more.
        this.#tellSettled(state === 'ended');
    }

    /** A server says that the computer came or went. */
    presence(signaling, isOnline) {
        const way = this.#ways.get(signaling);
        if (!way || way.isAway === !isOnline || this.state === 'ended') return;
        way.isAway = !isOnline;
        if (isOnline) way.writeJSON();
        this.#refresh();
    }

    routeRefused(signaling) { this.#ways.get(signaling)?.refuseCompact(); }

    /**
     * Sends a message, now or once the computer is reached. Messages of files let others overtake them.
     *
     * @returns {Promise<void>} Done once there is room for more.
     */
    async send(bytes, isBulk = false) {
        this.#outbox.add(bytes, isBulk);
        this.#pump();
        if (!this.#outbox.hasRoom) await new Promise((resolve) => { this.#roomWaiters.push(resolve); });
    }

    /** Waits until everything that was sent is acknowledged. @returns {Promise<boolean>} False where that takes too long. */
    settled(milliseconds) {
        if (!this.#outbox.isBusy) return Promise.resolve(true);
        return new Promise((resolve) => {
            const stop = this.#options.time.after(milliseconds, () => resolve(false));
            this.#settleWaiters.push((isSettled) => {
                stop();
                resolve(isSettled);
            });
        });
    }

    /** Somebody waits: what was put off is looked at now. */
    watch() { this.#schedule(); }

    /** A frame of this session out of a `message`. Frames are taken one after the other. */
    receive(signaling, payload) { this.#then(() => this.#takePayload(signaling, payload)); }

    /** A compact record. */
    receiveRecord(signaling, frame) {
        this.#then(async () => {
            const body = await this.#keys?.opener.open(compactRecordOf(frame), true);
            if (body) this.#takeBody(signaling, body);
        });
    }

    #then(action) {
        this.#reading = this.#reading.then(() => (this.state === 'ended' ? undefined : action()));
    }

    #set(state) {
        if (this.state === state) return;
        this.state = state;
        this.#options.onState(state);
    }

    /** Looks at what the ways allow now: begins a handshake, or goes on with the session. */
    #refresh() {
        const { way } = this;
        if (!way) {
            this.#set([...this.#ways.values()].some((each) => each.isUp) ? 'away' : 'offline');
            this.#schedule();
            return;
        }
        if (!this.#keys) {
            this.#set('connecting');
            this.#begin();
            return;
        }
        // What its connection carried may be lost. A ping in JSON shows which session this is.
        this.#transmit(way.ping(this.#now), way);
        this.#repeat(true);
    }

    // Handshakes

    async #begin() {
        if (this.#isBeginning || this.state === 'ended') return;
        this.#isBeginning = true;
        try {
            await this.#keep({ counter: Math.max(this.#now, this.#kept.counter + 1) });
            const { identity, peer } = this.#options;
            const ack = { ep: this.#peerEpoch, n: this.#peerEpoch === NO_EPOCH ? 0 : this.#inbox.handled };
            this.#attempt = await SessionHandshake.begin({ identity, peer, kept: this.#kept, epoch: this.#epoch, ack });
            for (const way of this.#ways.values()) if (way.isUsable) way.signaling.send(peer.id, this.#attempt.payload);
            this.#attemptAlarm.set(ANSWER_WAITS[Math.min(this.#tries, ANSWER_WAITS.length - 1)], () => { if (this.way) this.#begin(); });
            this.#tries += 1;
        } finally {
            this.#isBeginning = false;
        }
    }

    /** Follows a notice, which anybody on the way could have made: at most once a second for each kind. */
    #follow(kind, action) {
        const since = this.#now - (this.#noticedAt.get(kind) ?? -Infinity);
        this.#noticedAt.set(kind, this.#now + Math.max(0, NOTICE_WAIT - since));
        if (since >= NOTICE_WAIT) action();
        else if (since >= 0) this.#options.time.after(NOTICE_WAIT - since, () => { if (this.state !== 'ended') action(); });
    }

    async #takePayload(signaling, payload) {
        if (typeof payload.err === 'string') return this.#takeNotice(signaling, payload);
        if (payload.m === 2 && this.#attempt?.isAnsweredBy(payload)) return this.#takeAnswer(signaling, payload);
        if (payload.sid !== this.#keys?.id) return undefined;
        const record = recordOf(payload);
        const body = record && await this.#keys.opener.open(record, false);
        return body ? this.#takeBody(signaling, body) : undefined;
    }

    #takeNotice(signaling, { err, sid }) {
        if (err === 'no-resumption' && sid === this.#attempt?.payload.sid) {
            this.#follow(err, async () => {
                await this.#keep({ secret: undefined, rid: undefined });
                await this.#begin();
            });
        } else if (err === 'unknown-session' && sid === this.#keys?.id) {
            this.#follow(err, () => this.#begin());
        } else if (err === 'unknown-session' && sid === NO_SID && this.#keys) {
            const way = this.#ways.get(signaling);
            way?.writeJSON();
            this.#follow('unknown-route', () => { if (way?.isUsable && this.#keys) this.#transmit(way.ping(this.#now), way); });
        }
    }

    async #takeAnswer(signaling, payload) {
        let agreed;
        try {
            agreed = await this.#attempt.finish(payload);
        } catch {
            return;
        }
        if (agreed === 'not-paired') {
            this.close('ended');
            this.#options.onEnded();
            return;
        }
        this.#attempt = null;
        this.#attemptAlarm.clear();
        this.#tries = 0;
        const { time } = this.#options;
        const { sid } = agreed;
        this.#keys = { sid, id: b64u(sid), sealer: new Sealer({ key: agreed.sending, sid, time }), opener: new Opener({ key: agreed.receiving, sid, time }), began: this.#now };
        await this.#keep({ rid: agreed.rid, secret: agreed.secret });
        for (const way of this.#ways.values()) way.writeJSON();
        this.#ways.get(signaling)?.heard(this.#now);
        this.#agreeOnNumbers(agreed);
        this.#set('ready');
        this.#options.onReached();
        // Shows that this phone has the session.
        this.#transmit(ackBody(this.#inbox.takeAck()), this.#ways.get(signaling) ?? this.way);
        this.#repeat(true);
    }

    #agreeOnNumbers({ epoch, ack }) {
        const isNew = epoch !== this.#peerEpoch;
        const wasKnown = this.#peerEpoch !== NO_EPOCH;
        this.#peerEpoch = epoch;
        if (isNew) this.#inbox.restart();
        if (ack.ep === this.#epoch) this.#outbox.acknowledge(ack.n, this.#now);
        else this.#outbox.renumber();
        if (isNew && wasKnown) this.#options.onRestarted();
    }

    async #keep(members) {
        this.#kept = { ...this.#kept, ...members };
        await this.#options.store.put('sessions', this.#options.peer.did, this.#kept);
    }

    // Records

    #takeBody(signaling, contents) {
        const way = this.#ways.get(signaling);
        if (!way) return;
        // What its connection had carried before it was lost says nothing of the way.
        if (way.isUp) this.#isHeard(way);
        const body = bodyOf(contents);
        switch (body?.kind) {
        case DATA:
            this.#outbox.acknowledge(body.ack, this.#now);
            this.#inbox.receive(body);
            break;
        case ACK:
            this.#outbox.acknowledge(body.ack, this.#now);
            break;
        case PING:
            this.#transmit(tokenBody(PONG, body.token), way);
            break;
        case PONG:
            way.pong(body.token, this.#now);
            break;
        case CLOSE:
            way.isAway = true;
            this.#refresh();
            return;
        default:
        }
        this.#pump();
    }

    #isHeard(way) {
        const wasSilent = way.isSilent || way.isAway;
        way.heard(this.#now);
        this.#silentSince = null;
        this.#set('ready');
        if (wasSilent) this.#repeat(true);
    }

    #acknowledge() {
        if (!this.#inbox.isOwed || !this.#keys) return;
        if (this.#inbox.isUrgent) this.#sendAck();
        else if (this.#ackAlarm.at === null) this.#ackAlarm.set(ACK_WITHIN, () => this.#sendAck());
    }

    #sendAck() {
        this.#ackAlarm.clear();
        if (this.#inbox.isOwed && this.way) this.#transmit(ackBody(this.#inbox.takeAck()), this.way);
    }

    async #transmit(body, way) {
        const keys = this.#keys;
        if (!keys || !way) return;
        const record = await keys.sealer.seal(body);
        if (keys === this.#keys) way.send(keys.sid, record);
    }

    #sendMessage({ number, bytes }) { return this.#transmit(dataBody(number, this.#inbox.takeAck(), bytes), this.way); }

    /** Sends what may go. */
    #pump() {
        if (this.#keys && this.way && this.state === 'ready') {
            for (let sent = this.#outbox.next(this.#now); sent; sent = this.#outbox.next(this.#now)) this.#sendMessage(sent);
        }
        if (this.#outbox.hasRoom) this.#tellRoom();
        if (!this.#outbox.isBusy) this.#tellSettled(true);
        this.#schedule();
    }

    /** Sends again what was not acknowledged. */
    #repeat(isAll) {
        if (this.#keys && this.way) for (const sent of this.#outbox.due(this.#now, isAll)) this.#sendMessage(sent);
        this.#pump();
    }

    #tellSettled(isSettled) {
        for (const resolve of this.#settleWaiters.splice(0)) resolve(isSettled);
    }

    #tellRoom() {
        for (const resolve of this.#roomWaiters.splice(0)) resolve();
    }

    // Time

    get #isAwaited() { return this.awaited > 0 || this.#outbox.isBusy; }

    #schedule() {
        if (!this.#keys || this.state === 'ended') return;
        const times = [...this.#ways.values()].filter((way) => way.isUp).map((way) => way.dueAt(this.#isAwaited));
        if (this.way && this.#outbox.dueAt !== null) times.push(this.#outbox.dueAt);
        if (!times.length) return;
        const at = Math.max(Math.min(...times), this.#now + 5);
        if (this.#alarm.at === null || at < this.#alarm.at) this.#alarm.set(at - this.#now, () => this.#tick());
    }

    #tick() {
        const now = this.#now;
        if (now - this.#keys.began > FULL_AFTER && this.way && !this.#attempt) this.#begin();
        for (const way of this.#ways.values()) {
            if (!way.isUp || way.dueAt(this.#isAwaited) > now) continue;
            // The connection itself is asked: a silent way may be one whose socket is dead.
            if (way.check(now)) way.signaling.probe();
            this.#transmit(way.ping(now), way);
        }
        if (this.way?.isSilent && this.state === 'ready') {
            this.#silentSince ??= now;
            if (now - this.#silentSince >= LOST_AFTER) this.#set('away');
        }
        this.#repeat(false);
    }
}
