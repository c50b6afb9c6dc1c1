import { b64u, random } from './bytes.js';
import { ACK, ackBody, bodyOf, CLOSE, DATA, dataBody, PING, PONG, tokenBody } from './bodies.js';
import { ACK_WITHIN, Inbox } from './inbox.js';
import { Outbox } from './outbox.js';
import { compactRecordOf, Opener, recordOf, Sealer } from './records.js';
import { NO_EPOCH } from './session-handshake.js';
import { SessionMemory } from './session-memory.js';
import { SessionOpening } from './session-opening.js';
import { Alarm } from './time.js';
import { WaySet } from './way-set.js';

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
 * @property {() => void} onLeft The computer said that it leaves.
 * @property {() => void} onEnded The computer does not know this phone any more.
 */

const FULL_AFTER = 23 * 3_600_000;

/** The sealed session with one computer, over all servers at which both are. Source: `docs/protocol.md` 2.4 and 2.5. */
export class Session {
    /** @type {SessionState} */
    state = 'offline';
    /** How many answers somebody waits for: the ways are watched closely then. */
    awaited = 0;
    /** @type {SessionOptions} */
    #options;
    #ways;
    #epoch = b64u(random(16));
    #peerEpoch = NO_EPOCH;
    #outbox = new Outbox();
    /** @type {Inbox} */
    #inbox;
    #memory;
    /** @type {{sid: Uint8Array, id: string, sealer: Sealer, opener: Opener, began: number} | null} */
    #keys = null;
    #opening;
    #reading = Promise.resolve();
    #alarm;
    #ackAlarm;

    /** @param {SessionOptions} options */
    constructor(options) {
        this.#options = options;
        const { time } = options;
        this.#ways = new WaySet(options.peer.id);
        this.#memory = new SessionMemory(options.store, options.peer.did);
        [this.#alarm, this.#ackAlarm] = [new Alarm(time), new Alarm(time)];
        this.#opening = new SessionOpening({
            identity: options.identity, peer: options.peer, time, memory: this.#memory,
            send: (payload) => this.#ways.hopeful.forEach((way) => way.signaling.send(options.peer.id, payload)),
            numbers: () => ({ epoch: this.#epoch, ack: { ep: this.#peerEpoch, n: this.#peerEpoch === NO_EPOCH ? 0 : this.#inbox.handled } }),
        });
    }

    get #now() { return this.#options.time.now(); }
    /** The way that is used. */
    get way() { return this.#ways.best; }

    /** Reads what was kept of earlier sessions. Call it before anything else. */
    async load() {
        await this.#memory.load();
        this.#inbox = new Inbox({
            lastKept: this.#memory.kept.lastKept,
            deliver: (bytes) => this.#options.onMessage(bytes),
            keep: (number) => this.#memory.keep({ lastKept: number }),
            progress: () => this.#acknowledge(),
        });
    }

    /** A server at which the computer may be met; told again whenever its connection changed. */
    connection(signaling) {
        if (this.state === 'ended') return;
        this.#ways.renew(signaling);
        this.#refresh();
    }

    /** Ends this session at this side. */
    close(state = 'offline') {
        [this.#alarm, this.#ackAlarm].forEach((alarm) => alarm.clear());
        this.#opening.end();
        this.#keys = null;
        this.#set(state);
        // A computer that forgets this phone heard it, and acknowledges nothing any more.
        this.#outbox.end(state === 'ended');
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
        await this.#outbox.room();
    }

    /** Waits until everything that was sent is acknowledged. @returns {Promise<boolean>} */
    settled() { return this.#outbox.settled(); }

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
            this.#set(this.#ways.isUp ? 'away' : 'offline');
            this.#schedule();
        } else if (!this.#keys) {
            this.#set('connecting');
            this.#opening.begin();
        } else {
            // What its connection carried may be lost. A ping in JSON shows which session this is.
            this.#transmit(way.ping(this.#now), way);
            this.#repeat(true);
        }
    }

    async #takePayload(signaling, payload) {
        if (typeof payload.err === 'string') return this.#opening.notice(payload, this.#keys?.id, () => this.#showSession(this.#ways.get(signaling)));
        const agreed = await this.#opening.read(payload);
        if (agreed) return this.#agree(signaling, agreed);
        if (payload.sid !== this.#keys?.id) return undefined;
        const record = recordOf(payload);
        const body = record && await this.#keys.opener.open(record, false);
        return body ? this.#takeBody(signaling, body) : undefined;
    }

    /** The computer does not know whose compact records come over this way. */
    #showSession(way) {
        way?.writeJSON();
        if (way?.isUsable && this.#keys) this.#transmit(way.ping(this.#now), way);
    }

    async #agree(signaling, agreed) {
        if (agreed === 'not-paired') {
            this.close('ended');
            this.#options.onEnded();
            return;
        }
        const [{ time }, { sid }] = [this.#options, agreed];
        this.#keys = { sid, id: b64u(sid), sealer: new Sealer({ key: agreed.sending, sid, time }), opener: new Opener({ key: agreed.receiving, sid, time }), began: this.#now };
        await this.#memory.keep({ rid: agreed.rid, secret: agreed.secret });
        this.#ways.writeJSON();
        const way = this.#ways.get(signaling);
        if (way?.isUp) this.#ways.heard(way, this.#now);
        this.#agreeOnNumbers(agreed);
        this.#set('ready');
        this.#options.onReached();
        // Shows that this phone has the session.
        this.#transmit(ackBody(this.#inbox.takeAck()), way ?? this.way);
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

    #takeBody(signaling, contents) {
        const way = this.#ways.get(signaling);
        if (!way) return;
        // What its connection had carried before it was lost says nothing of the way.
        if (way.isUp) {
            const wasLost = this.#ways.heard(way, this.#now);
            this.#set('ready');
            if (wasLost) this.#repeat(true);
        }
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
            this.#options.onLeft();
            this.#refresh();
            return;
        default:
        }
        this.#pump();
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
        this.#schedule();
    }

    /** Sends again what was not acknowledged. */
    #repeat(isAll) {
        if (this.#keys && this.way) for (const sent of this.#outbox.due(this.#now, isAll)) this.#sendMessage(sent);
        this.#pump();
    }

    get #isAwaited() { return this.awaited > 0 || this.#outbox.isBusy; }

    #schedule() {
        if (!this.#keys || this.state === 'ended') return;
        const first = Math.min(this.#ways.dueAt(this.#isAwaited), (this.way && this.#outbox.dueAt) ?? Infinity);
        if (first === Infinity) return;
        const at = Math.max(first, this.#now + 5);
        if (this.#alarm.at === null || at < this.#alarm.at) this.#alarm.set(at - this.#now, () => this.#tick());
    }

    #tick() {
        const now = this.#now;
        if (now - this.#keys.began > FULL_AFTER && this.way && !this.#opening.isUnderWay) this.#opening.begin();
        for (const way of this.#ways.check(now, this.#isAwaited)) this.#transmit(way.ping(now), way);
        if (this.state === 'ready' && this.#ways.isLost(now)) {
            this.#set('away');
            // The computer may be there with another session.
            if (!this.#opening.isUnderWay) this.#opening.begin();
        }
        this.#repeat(false);
    }
}
