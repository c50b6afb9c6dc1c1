/** The computer's end of a session, as far as tests need one, and a network between two ends that loses, doubles and delays on a seed. */
import { b64u, fromB64u, labelled, lv, random } from '../../../Sources/TandemWeb/Page/wire/bytes.js';
import { ACK, ackBody, bodyOf, DATA, dataBody, PING, PONG, tokenBody } from '../../../Sources/TandemWeb/Page/wire/bodies.js';
import { claim, proven } from '../../../Sources/TandemWeb/Page/wire/claim.js';
import { secretKey } from '../../../Sources/TandemWeb/Page/wire/hash.js';
import { Inbox } from '../../../Sources/TandemWeb/Page/wire/inbox.js';
import { Handshake } from '../../../Sources/TandemWeb/Page/wire/noise.js';
import { Outbox } from '../../../Sources/TandemWeb/Page/wire/outbox.js';
import { NO_EPOCH } from '../../../Sources/TandemWeb/Page/wire/session-handshake.js';
import { compactRecord, compactRecordOf, jsonRecord, Opener, recordOf, Sealer } from '../../../Sources/TandemWeb/Page/wire/records.js';
import { turn } from './tools.mjs';

/** What ciphers work on at this moment. */
let working = 0;
for (const name of ['encrypt', 'decrypt', 'deriveBits', 'digest', 'exportKey', 'generateKey', 'importKey', 'sign', 'verify']) {
    const method = SubtleCrypto.prototype[name];
    SubtleCrypto.prototype[name] = async function counted(...values) {
        working += 1;
        try {
            return await method.apply(this, values);
        } finally {
            working -= 1;
        }
    };
}

/** Waits until ciphers have done all that follows from one another. */
async function rest() {
    for (let quiet = 0; quiet < 3; quiet += 1) {
        await turn();
        if (working) quiet = -1;
    }
}

/** Time that passes only where nothing is left to do at one moment. */
export class TestTime {
    #now = 1_790_000_000_000;
    #timers = new Set();

    now() { return this.#now; }

    after(milliseconds, action) {
        const timer = { at: this.#now + milliseconds, action };
        this.#timers.add(timer);
        return () => this.#timers.delete(timer);
    }

    /** Goes from timer to timer until something is so. */
    async run(isDone, limit = 3_600_000) {
        const end = this.#now + limit;
        while (!isDone()) {
            await rest();
            if (isDone()) return;
            let next = null;
            for (const timer of this.#timers) if (!next || timer.at < next.at) next = timer;
            if (!next || next.at > end) throw new Error('nothing comes any more');
            this.#timers.delete(next);
            this.#now = Math.max(this.#now, next.at);
            next.action();
        }
    }
}

/** One end's connection to a server: what it sends arrives at the other end, or does not. */
export class TestConnection {
    state = 'registered';
    url = 'wss://hub.example/';
    isLocal = false;
    isBinary = true;
    sent = 0;

    constructor(time, chance, faults, deliver) {
        Object.assign(this, { time, chance, faults, deliver });
    }

    send(_, payload) { return this.#carry({ payload: JSON.parse(JSON.stringify(payload)) }); }
    sendRecord(_, frame) { return this.#carry({ frame: frame.slice() }); }
    probe() {}

    #carry(item) {
        if (this.state !== 'registered') return false;
        this.sent += 1;
        const { loss = 0, doubling = 0, delay = 1, spread = 0 } = this.faults;
        const copies = this.chance() < loss ? 0 : this.chance() < doubling ? 2 : 1;
        for (let copy = 0; copy < copies; copy += 1) this.time.after(delay + spread * this.chance(), () => this.deliver(item));
        return true;
    }
}

export class Responder {
    handshakes = [];
    #session = null;
    #reading = Promise.resolve();

    /** `known` says whether a phone's key is paired; `answer` changes the members of message 2. */
    constructor({ identity, time, connection, onMessage, known = () => true, answer = {} }) {
        Object.assign(this, { identity, time, connection, onMessage, known, answer });
        this.restart();
    }

    /** The program is started anew: it knows no session and no numbers. */
    restart() {
        this.epoch = b64u(random(16));
        this.peerEpoch = null;
        this.outbox = new Outbox();
        this.inbox = new Inbox({ lastKept: 0, deliver: (bytes) => this.onMessage(bytes), keep: async () => {}, progress: () => this.#acknowledge() });
        this.#session = null;
        this.kept ??= new Map();
    }

    send(bytes) {
        this.outbox.add(bytes);
        this.#pump();
    }

    /** A message whose numbers the test writes. */
    sendBody(body) { return this.#transmit(body); }

    take(item) {
        // What cannot be read is dropped, as every computer does.
        this.#reading = this.#reading.then(() => (item.payload ? this.#takePayload(item.payload) : this.#takeRecord(item.frame))).catch(() => {});
    }

    async #takePayload(payload) {
        if (payload.m === 1) return this.#answer(payload);
        if (payload.sid !== this.#session?.id) return void this.connection.send('', { type: 'e2e', sid: payload.sid, err: 'unknown-session' });
        const body = await this.#session.opener.open(recordOf(payload), false);
        return body && this.#takeBody(body);
    }

    async #takeRecord(frame) {
        const body = await this.#session?.opener.open(compactRecordOf(frame), true);
        if (body) this.#takeBody(body);
        else if (!this.#session) this.connection.send('', { type: 'e2e', sid: b64u(new Uint8Array(16)), err: 'unknown-session' });
    }

    async #answer(payload) {
        const { identity, time } = this;
        const sid = fromB64u(payload.sid, 16);
        const psk = this.kept.get(payload.rid);
        if (payload.p === 'IKpsk2' && !psk) return void this.connection.send('', { type: 'e2e', sid: payload.sid, err: 'no-resumption' });
        const handshake = await Handshake.begin({ pattern: payload.p, isInitiator: false, prologue: labelled('tandem-session-v1', sid, lv(payload.p)), own: identity.agreement, psk });
        const { payload: contents, hash } = await handshake.read(fromB64u(payload.hs));
        const members = await proven(contents, 'initiator', hash, handshake.remote);
        this.handshakes.push({ p: payload.p, t: members.t });
        const isNew = members.ep !== this.peerEpoch;
        if (isNew) this.inbox.restart();
        this.peerEpoch = members.ep;
        if (members.ack.ep === this.epoch) this.outbox.acknowledge(members.ack.n, time.now());
        else this.outbox.renumber();
        const status = this.known(members.did) ? 'ok' : 'not-paired';
        // A program that was started anew knows nothing of the phone's messages.
        const ack = isNew ? { ep: NO_EPOCH, n: 0 } : { ep: members.ep, n: this.inbox.handled };
        const hs = await handshake.write((own) => claim(identity, 'responder', own, { t: members.t, ep: this.epoch, ack, status, ...this.answer }));
        const { sending, receiving, derive } = await handshake.finish();
        this.kept.set(b64u(await derive('tandem-rid-v1', 16)), await secretKey(await derive('tandem-resume-v1', 32)));
        this.#session = { id: payload.sid, sid, sealer: new Sealer({ key: sending, sid, time, isInitiator: false }), opener: new Opener({ key: receiving, sid, time, isInitiator: false }), isHeard: false };
        this.connection.send('', { type: 'e2e', sid: payload.sid, p: payload.p, m: 2, hs: b64u(hs) });
    }

    #takeBody(contents) {
        const body = bodyOf(contents);
        if (!this.#session.isHeard) {
            this.#session.isHeard = true;
            for (const sent of this.outbox.due(this.time.now(), true)) this.#sendMessage(sent);
        }
        if (body.kind === DATA || body.kind === ACK) this.outbox.acknowledge(body.ack, this.time.now());
        if (body.kind === DATA) this.inbox.receive(body);
        if (body.kind === PING) this.#transmit(tokenBody(PONG, body.token));
        this.#pump();
    }

    #acknowledge() {
        if (this.inbox.isOwed) this.time.after(this.inbox.isUrgent ? 0 : 20, () => { if (this.inbox.isOwed) this.#transmit(ackBody(this.inbox.takeAck())); });
    }

    #pump() {
        if (!this.#session?.isHeard) return;
        for (let sent = this.outbox.next(this.time.now()); sent; sent = this.outbox.next(this.time.now())) this.#sendMessage(sent);
        this.stop?.();
        if (this.outbox.dueAt === null) return;
        this.stop = this.time.after(Math.max(1, this.outbox.dueAt - this.time.now()), () => {
            for (const sent of this.outbox.due(this.time.now())) this.#sendMessage(sent);
            this.#pump();
        });
    }

    #sendMessage({ number, bytes }) { this.#transmit(dataBody(number, this.inbox.takeAck(), bytes)); }

    async #transmit(body) {
        const session = this.#session;
        const record = await session?.sealer.seal(body);
        if (session !== this.#session || !session) return;
        if (this.isCompact) this.connection.sendRecord('', compactRecord(record));
        else this.connection.send('', jsonRecord(session.sid, record));
    }
}
