/** The session between the page's end and a computer's: under faults, forgeries and restarts. */
import { concat, integer } from '../../../Sources/TandemWeb/Page/wire/bytes.js';
import { makeIdentity } from '../../../Sources/TandemWeb/Page/wire/keys.js';
import { Session } from '../../../Sources/TandemWeb/Page/wire/session.js';
import { memoryStore } from './memory-store.mjs';
import { Responder, TestConnection, TestTime } from './responder.mjs';
import { randomOf } from './tools.mjs';

const number = (value) => new Uint8Array(new Uint32Array([value]).buffer);
const valueOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
const [phoneKeys, computerKeys] = await Promise.all([makeIdentity(), makeIdentity()]);

/** Two ends with a network of faults between them. */
async function scene({ seed = 1, faults = {}, onSent = () => {}, store = memoryStore(), time = new TestTime(), ...options } = {}) {
    const chance = randomOf(seed);
    const got = { phone: [], computer: [], states: [], ended: 0, restarted: 0, sent: [] };
    const session = new Session({
        identity: phoneKeys, store, time, peer: { id: 'pc', did: computerKeys.did, key: computerKeys.agreement.bytes },
        onMessage: (bytes) => { got.phone.push(valueOf(bytes)); }, onState: (state) => got.states.push(state), onReached: () => {}, onRestarted: () => { got.restarted += 1; }, onLeft: () => {}, onEnded: () => { got.ended += 1; },
        ...options.session,
    });
    const up = new TestConnection(time, chance, faults, (item) => { got.sent.push(item); onSent(item); responder.take(item); });
    const down = new TestConnection(time, chance, faults, (item) => (item.payload ? session.receive(up, item.payload) : session.receiveRecord(up, item.frame)));
    const responder = new Responder({ identity: computerKeys, time, connection: down, onMessage: (bytes) => { got.computer.push(valueOf(bytes)); }, ...options.responder });
    responder.isCompact = options.isCompact ?? false;
    await session.load();
    return { session, responder, up, down, time, got, store };
}

const isCount = (values, count) => values.length === count && values.every((value, at) => value === at);

async function lossy(seed, count, faults) {
    const { session, responder, up, time, got } = await scene({ seed, faults, isCompact: true });
    session.connection(up);
    let sent = 0;
    const feed = async () => {
        while (sent < count) {
            responder.send(number(sent));
            sent += 1;
            await session.send(number(sent - 1));
        }
    };
    const fed = feed();
    await time.run(() => got.phone.length >= count && got.computer.length >= count);
    await fed;
    session.close();
    return { phone: isCount(got.phone, count), computer: isCount(got.computer, count), carried: up.sent };
}

/** Cuts the connection many times while messages go both ways. */
async function cuts() {
    const { session, responder, up, down, time, got } = await scene({ seed: 5, faults: { delay: 2, spread: 4 }, isCompact: true });
    session.connection(up);
    const feed = Promise.all(Array.from({ length: 2000 }, (_, at) => { responder.send(number(at)); return session.send(number(at)); }));
    for (let cut = 1; cut <= 10; cut += 1) {
        await time.run(() => got.computer.length >= cut * 150);
        up.state = down.state = 'lost';
        session.connection(up);
        let isLater = false;
        time.after(700, () => { isLater = true; });
        await time.run(() => isLater);
        up.state = down.state = 'registered';
        session.connection(up);
    }
    await time.run(() => got.phone.length >= 2000 && got.computer.length >= 2000);
    await feed;
    return { phone: isCount(got.phone, 2000), computer: isCount(got.computer, 2000), handshakes: responder.handshakes.length };
}

/** The computer's program starts anew: what it had not acknowledged comes again, what it had does not. */
async function restart() {
    const { session, responder, up, time, got } = await scene({ seed: 2 });
    session.connection(up);
    for (let at = 0; at < 5; at += 1) await session.send(number(at));
    await time.run(() => got.computer.length === 5 && session.state === 'ready');
    let isSettled = false;
    session.settled().then((settled) => { isSettled = settled; });
    await time.run(() => isSettled);
    responder.restart();
    responder.send(number(0));
    await session.send(number(5));
    await time.run(() => got.computer.length === 6 && got.phone.length === 1);
    return { computer: got.computer, phone: got.phone, restarted: got.restarted, patterns: responder.handshakes.map(({ p }) => p) };
}

/** A page that is loaded again resumes; one that the computer knows nothing to resume with begins from the beginning. */
async function reload() {
    const first = await scene({ seed: 3 });
    first.session.connection(first.up);
    await first.time.run(() => first.session.state === 'ready');
    first.session.close();
    const patterns = [];
    for (const isForgotten of [false, true]) {
        const again = await scene({ seed: 4, store: first.store, time: first.time });
        if (!isForgotten) again.responder.kept = first.responder.kept;
        again.session.connection(again.up);
        await again.time.run(() => again.session.state === 'ready');
        patterns.push(again.got.sent.filter(({ payload }) => payload?.m === 1).map(({ payload }) => payload.p).join(' '));
        first.responder.kept = again.responder.kept;
        again.session.close();
    }
    return patterns;
}

/** Frames that nobody in between may make believe. */
async function forgeries() {
    const { session, up, down, time, got, responder } = await scene({ seed: 6 });
    session.connection(up);
    await time.run(() => session.state === 'ready');
    const kept = [];
    const carry = down.deliver;
    down.deliver = (item) => { kept.push(item); carry(item); };
    responder.send(number(0));
    await time.run(() => got.phone.length === 1);
    const [record] = kept.filter(({ payload }) => payload?.ct);
    for (let at = 0; at < 3; at += 1) carry(record);
    const change = (members) => carry({ payload: { ...record.payload, ...members } });
    change({ n: record.payload.n + 1 });
    change({ n: record.payload.n + 1, g: 1 });
    change({ n: 2 ** 53, ct: record.payload.ct });
    change({ n: -1 });
    change({ n: 1.5 });
    change({ n: '7' });
    change({ n: record.payload.n + 2, ct: '' });
    change({ n: record.payload.n + 2, ct: 'AAAA' });
    change({ n: record.payload.n + 2, ct: 5 });
    change({ n: record.payload.n + 2, ct: record.payload.ct.slice(4) });
    change({ sid: 'AAAAAAAAAAAAAAAAAAAAAA' });
    for (const payload of [{ err: 'unknown-session' }, { err: 5 }, { m: 2 }, { m: 2, sid: record.payload.sid, p: 'IK', hs: 'AAAA' }, { sid: null }, { m: 1, hs: '' }]) carry({ payload: { type: 'e2e', ...payload } });
    for (const frame of [new Uint8Array(15), new Uint8Array(14), new Uint8Array(4000).fill(1)]) carry({ frame });
    responder.send(number(1));
    await time.run(() => got.phone.length === 2);
    return { got: got.phone, state: session.state, ended: got.ended, handshakes: responder.handshakes.length };
}

/** A session that its computer does not know any more ends, and only its own word does that. */
async function notPaired() {
    const { session, up, time, got } = await scene({ seed: 7, responder: { known: () => false } });
    session.connection(up);
    await time.run(() => got.ended === 1);
    return { states: got.states, ended: got.ended };
}

/** Answers of others, and answers that are no answer. */
async function otherAnswers() {
    const found = [];
    for (const answer of [{ did: phoneKeys.did }, { sig: 'AAAA' }, { ep: 'short' }, { ep: null }, { status: 'ok', ack: { ep: 5, n: -1 } }]) {
        const { session, up, time, got } = await scene({ seed: 8, responder: { answer } });
        session.connection(up);
        let isOver = false;
        time.after(20_000, () => { isOver = true; });
        await time.run(() => isOver || session.state === 'ready');
        found.push([session.state, got.ended]);
        session.close();
    }
    const stranger = await makeIdentity();
    const { session, up, time } = await scene({ seed: 9, responder: { identity: stranger } });
    session.connection(up);
    let isOver = false;
    time.after(20_000, () => { isOver = true; });
    await time.run(() => isOver || session.state === 'ready');
    found.push([session.state, 0]);
    return found;
}

/** An answer comes while the next try goes out: the session of the later one is used at both ends. */
async function overlap() {
    const { session, up, down, time, got, responder } = await scene({ seed: 11 });
    const carry = down.deliver;
    let answers = 0;
    down.deliver = (item) => {
        carry(item);
        if (item.payload?.m !== 2) return;
        answers += 1;
        if (answers > 1) return;
        session.presence(up, false);
        session.presence(up, true);
    };
    session.connection(up);
    await time.run(() => answers === 2 && session.state === 'ready');
    responder.send(number(0));
    await session.send(number(0));
    await time.run(() => got.phone.length === 1 && got.computer.length === 1, 1500);
    return [got.phone, got.computer, responder.handshakes.length];
}

/** Messages that the computer keeps are acknowledged once they are handled, and are handled once, also by the next page. */
async function kept() {
    const done = [];
    let finish = null;
    const session = { onMessage: (bytes) => { done.push(valueOf(bytes)); return new Promise((resolve) => { finish = resolve; }); } };
    const first = await scene({ seed: 12, session });
    first.session.connection(first.up);
    await first.time.run(() => first.session.state === 'ready');
    const message = (number_, durable, value) => concat([1], integer(number_, 8), integer(durable, 8), integer(0, 8), number(value));
    await first.responder.sendBody(message(1, 1, 10));
    await first.responder.sendBody(message(2, 0, 11));
    await first.time.run(() => done.length === 1);
    const before = { done: [...done], kept: (await first.store.get('sessions', computerKeys.did)).lastKept };
    finish();
    await first.time.run(() => done.length === 2);
    const after = { done: [...done], kept: (await first.store.get('sessions', computerKeys.did)).lastKept };
    first.session.close();
    done.length = 0;
    const next = await scene({ seed: 13, session, store: first.store, time: first.time, responder: { kept: first.responder.kept } });
    next.session.connection(next.up);
    await next.time.run(() => next.session.state === 'ready');
    await next.responder.sendBody(message(1, 1, 10));
    await next.responder.sendBody(message(2, 2, 12));
    await next.time.run(() => done.length === 1);
    return { before, after, next: done };
}

/** Counters grow although the clock goes back. */
async function clocks() {
    const store = memoryStore();
    await store.put('sessions', computerKeys.did, { counter: 1_800_000_000_000, lastKept: 0 });
    const { session, up, time, responder } = await scene({ store });
    session.connection(up);
    await time.run(() => session.state === 'ready');
    return responder.handshakes[0].t;
}

const tests = { lossy: (seed, count) => lossy(seed, count, { loss: 0.08, doubling: 0.05, delay: 3, spread: 25 }), cuts, restart, reload, forgeries, notPaired, otherAnswers, clocks, overlap, kept };

export function run(name, ...values) { return tests[name](...values); }
