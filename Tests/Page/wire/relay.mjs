/** A hostile relay between a phone and a computer that pair: it drops, repeats, reflects, replays, reorders, changes and forges what it carries, by a seed. */
import { b64u, fromB64u, random } from '../../../Sources/TandemWeb/Page/wire/bytes.js';
import { WireError } from '../../../Sources/TandemWeb/Page/wire/error.js';
import { makeIdentity } from '../../../Sources/TandemWeb/Page/wire/keys.js';
import { ScanExchange } from '../../../Sources/TandemWeb/Page/wire/pairing-scan.js';
import { ShownExchange } from '../../../Sources/TandemWeb/Page/wire/pairing-show.js';
import { PairingTry } from '../../../Sources/TandemWeb/Page/wire/pairing-try.js';
import { TypedExchange } from '../../../Sources/TandemWeb/Page/wire/pairing-type.js';
import { codeOf, NOW, PC, ScanningComputer, ShowingComputer, TypedComputer } from './pairing-computers.mjs';

const DEVICE = { id: 'b1d6c3a2-1111-4000-8000-000000000001', name: 'Ada\'s phone', platform: 'ios', version: '1' };
const MALLORY = { ...DEVICE, id: 'mallory' };
const [phone, computer, attacker, stranger] = await Promise.all([makeIdentity(), makeIdentity(), makeIdentity(), makeIdentity()]);

export const WAYS = ['scan', 'show', 'tenDigits', 'sixDigits'];

/** Points of low order, with which everybody knows the secret. */
const WEAK = [new Uint8Array(32), Uint8Array.from({ length: 32 }, (_, at) => (at ? 0 : 1)), ...[0xEC, 0xED, 0xEE].map((first) => Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? first : at === 31 ? 0x7F : 0xFF)))];

function flipped(text, chance) {
    const bytes = typeof text === 'string' ? fromB64u(text)?.slice() : null;
    if (!bytes?.length) return text;
    bytes[Math.floor(chance() * bytes.length)] ^= 1 << Math.floor(chance() * 8);
    return b64u(bytes);
}

const weak = (chance) => WEAK[Math.floor(chance() * WEAK.length)];

/** One change to one message, which is a copy. */
const CHANGES = {
    anotherPhone: (message) => { message.mobileDid = attacker.did; },
    anotherComputer: (message) => { message.pcPeerId = MALLORY.id; },
    downgraded: (message) => { delete message.e2e; },
    anotherDevice: (message) => { message.deviceInfo = { name: 'Mallory', platform: 'linux', deviceId: MALLORY.id }; },
    anotherCode: (message) => { message.pairingCode = '000000'; },
    handshakeFlipped: ({ e2e }, chance) => { if (e2e?.hs) e2e.hs = flipped(e2e.hs, chance); },
    weakEphemeral: ({ e2e }, chance) => {
        const bytes = e2e?.hs && fromB64u(e2e.hs)?.slice();
        if (!bytes || bytes.length < 32) return;
        bytes.set(weak(chance));
        e2e.hs = b64u(bytes);
    },
    weakShare: ({ e2e }, chance) => { if (e2e) e2e.cp = { ...e2e.cp, y: b64u(weak(chance)) }; },
    anotherShare: ({ e2e }) => { if (e2e) e2e.cp = { ...e2e.cp, y: b64u(stranger.agreement.bytes) }; },
    stepFlipped: ({ e2e }, chance) => { for (const name of ['n', 'c', 'r', 't']) if (e2e?.cp?.[name]) e2e.cp[name] = flipped(e2e.cp[name], chance); },
    confirmationFlipped: ({ e2e }, chance) => { if (e2e?.ct) e2e.ct = flipped(e2e.ct, chance); },
};

/** Messages that neither end sent. */
const FORGERIES = {
    unsealedConfirmation: (pairingCode) => ({ type: 'pairing:confirmation', pairingCode, pcPeerId: MALLORY.id, deviceInfo: { name: PC.name, platform: PC.platform }, timestamp: NOW }),
    unsealedAck: (pairingCode) => ({ type: 'pair-ack', pairingCode, mobileDid: attacker.did, deviceInfo: { deviceId: MALLORY.id, name: DEVICE.name, platform: 'ios' }, timestamp: NOW }),
    ackOfNoise: (pairingCode) => ({ ...FORGERIES.unsealedAck(pairingCode), e2e: { v: 1, hs: b64u(random(96)) } }),
    stepOfNoise: (pairingCode) => ({ type: 'pairing:e2e', pairingCode, e2e: { v: 1, hs: b64u(random(64)) } }),
};

/** What it does to a frame that is on its way. */
const MOVES = {
    dropped: () => null,
    repeated: (relay, frame) => { relay.flying.push(frame); return frame; },
    reflected: (_, frame) => ({ ...frame, to: frame.from ?? frame.to }),
    replayed: (relay, frame) => relay.seen[Math.floor(relay.chance() * relay.seen.length)] ?? frame,
    renamed: (_, frame) => ({ ...frame, from: attacker.did }),
    impersonated: (relay, frame) => relay.meetImpostor(frame),
};

export const ATTACKS = [...Object.keys(MOVES), 'reordered', 'guessed', ...Object.keys(CHANGES), ...Object.keys(FORGERIES)];

/** Frames of earlier pairings that it remembers. */
const REMEMBERED = 200;

export class HostileRelay {
    seen = [];
    flying = [];
    /** How often each attack was made. */
    played = Object.fromEntries(ATTACKS.map((name) => [name, 0]));

    constructor(chance) { this.chance = chance; }

    /**
     * One pairing. `isHonest` only carries; `impersonates` is the computer for the phone, and a phone for the computer, from the beginning to the end.
     *
     * @returns `{phone, computer, isEqual, untyped}`: whether each end paired with the `right` other one, a `wrong` one, or null for none; whether the person was shown equal numbers.
     */
    async pair(way, { isHonest = false, impersonates = false } = {}) {
        this.way = way;
        this.isHonest = isHonest;
        this.impersonates = impersonates;
        this.flying = [];
        this.paired = null;
        this.isOver = false;
        this.untyped = null;
        this.intruder = this.impostor = null;
        this.isEqual = false;
        this.tried = this.say = null;
        await this.#begin(way);
        // Both ends send again what may have been lost.
        for (let round = 0; round < 3; round += 1) {
            this.#sendAgain();
            for (let step = 0; this.flying.length && step < 40; step += 1) await this.#step();
        }
        // The person has looked at the computer, and answers what the phone asks. A message that is none comes behind the answer.
        this.say?.(this.isEqual);
        await this.tried?.receive(attacker.did, {});
        const kept = this.paired && { did: this.paired.did, key: b64u(this.paired.key) };
        return { phone: this.#verdict(kept, computer), computer: this.#verdict(this.computer.record, phone), isEqual: this.isEqual, untyped: this.untyped };
    }

    #verdict(record, other) {
        if (!record) return null;
        return record.did === other.did && record.key === b64u(other.agreement.bytes) ? 'right' : 'wrong';
    }

    async #begin(way) {
        const code = String(100_000 + Math.floor(this.chance() * 900_000));
        if (way === 'scan') {
            const shown = codeOf(computer, random(16), code);
            this.computer = new ShowingComputer(computer, shown);
            this.phone = await ScanExchange.begin(shown, phone, DEVICE, NOW);
            this.impostor = new ShowingComputer(attacker, shown, random(16));
        } else if (way === 'show') {
            this.phone = new ShownExchange(phone, DEVICE, NOW);
            this.computer = await ScanningComputer.begin(computer, this.phone.json);
            const { outgoing } = await ScanningComputer.begin(attacker, this.phone.json, random(16));
            this.impostor = { receive: () => [{ to: phone.did, payload: outgoing }] };
        } else {
            const isTen = way === 'tenDigits';
            const secret = String(Math.floor(this.chance() * 10_000)).padStart(4, '0');
            const guess = isTen ? code + (secret === '0000' ? '0001' : '0000') : code;
            const digits = isTen ? code + secret : code;
            this.phone = new TypedExchange(digits, phone, DEVICE, NOW);
            this.#tryTyped();
            this.computer = new TypedComputer(computer, digits, (number) => {
                const isEqual = number === this.phone.comparisonNumber;
                this.isEqual ||= isEqual;
                return isEqual;
            });
            if (this.isHonest) return;
            this.impostor = new TypedComputer(attacker, guess);
            if (this.impersonates || this.chance() < 1 / 3) {
                this.intruder = new TypedExchange(guess, attacker, MALLORY, NOW);
                this.played.guessed += 1;
            }
        }
    }

    #tryTyped() {
        const tried = new PairingTry({
            exchange: this.phone, identity: phone, time: { now: () => NOW, after: () => () => {} }, patience: 60_000, onProgress: () => {},
            send: (to, payload) => { this.#send(payload, phone.did, to); return true; },
            confirm: () => new Promise((resolve) => { this.say = resolve; }),
        });
        this.tried = tried;
        tried.done.then((proven) => { this.paired = proven; }, (error) => { if (!(error instanceof WireError)) this.untyped = error.stack; }).finally(() => { this.isOver = true; });
    }

    #sendAgain() {
        if (this.way === 'show') this.#send(this.computer.outgoing, PC.id, phone.did);
        else if (!this.isOver) this.#send(this.phone.outgoing, phone.did, this.phone.recipient);
        if (this.intruder) this.#intrude();
    }

    #send(payload, from, to) {
        const frame = { from, to, payload };
        this.seen.push(frame);
        if (this.seen.length > REMEMBERED) this.seen.shift();
        this.flying.push(frame);
    }

    #intrude() { this.flying.push({ from: attacker.did, to: PC.id, payload: this.intruder.outgoing }); }

    async #step() {
        if (this.isHonest) return this.#deliver(this.flying.shift());
        if (this.impersonates) return this.#deliver(await this.meetImpostor(this.flying.shift()));
        const at = this.chance() < 0.5 ? 0 : Math.floor(this.chance() * this.flying.length);
        if (at) this.played.reordered += 1;
        const [frame] = this.flying.splice(at, 1);
        return this.#deliver(await this.#attacked(frame));
    }

    /** Half of all frames arrive as they are, so that some pairings come about. */
    #attacked(frame) {
        const dice = Math.floor(this.chance() * 20);
        const moves = Object.keys(MOVES);
        if (dice < moves.length) return this.#play(moves[dice], () => MOVES[moves[dice]](this, frame));
        if (dice > 10) return frame;
        const [table, apply] = dice === 10
            ? [FORGERIES, (name) => FORGERIES[name](frame.payload.pairingCode)]
            : [CHANGES, (name) => { const payload = structuredClone(frame.payload); CHANGES[name](payload, this.chance); return payload; }];
        const names = Object.keys(table);
        const name = names[Math.floor(this.chance() * names.length)];
        return this.#play(name, () => ({ ...frame, payload: apply(name) }));
    }

    #play(name, action) {
        this.played[name] += 1;
        return action();
    }

    /** The attacker answers the phone in the computer's place, which never gets the frame. */
    async meetImpostor(frame) {
        if (frame.from !== phone.did && this.way !== 'show' || !this.impostor) return frame;
        for (const { to, payload } of await this.impostor.receive(frame.payload, frame.from)) this.flying.push({ from: PC.id, to, payload });
        return null;
    }

    async #deliver(frame) {
        if (!frame) return;
        const payload = JSON.parse(JSON.stringify(frame.payload));
        if (frame.to === PC.id || frame.to.startsWith('pairing-code:')) {
            for (const { to, payload: answer } of await this.computer.receive(payload, frame.from)) this.#send(answer, PC.id, to);
        } else if (frame.to === attacker.did && this.intruder) {
            if ((await this.intruder.receive(payload, frame.from, NOW))?.send) this.#intrude();
        } else if (frame.to === phone.did && !this.isOver) {
            try {
                if (this.tried) await this.tried.receive(frame.from, payload);
                else await (this.way === 'show' ? this.#takeShown(payload) : this.#take(payload, frame.from));
            } catch (error) {
                this.untyped = error.stack;
            }
        }
    }

    async #take(payload, from) {
        const step = await this.phone.receive(payload, from, NOW);
        if (step?.send) this.#send(this.phone.outgoing, phone.did, this.phone.recipient);
        if (step?.paired) this.paired = step.paired;
        this.isOver = Boolean(step?.paired || step?.failed);
    }

    async #takeShown(payload) {
        const found = await this.phone.receive(payload, NOW);
        if (found?.reply) this.#send(found.reply, phone.did, found.to);
        if (!found?.proven) return;
        this.paired = found.proven;
        const { reply, to } = await this.phone.accept(NOW);
        this.#send(reply, phone.did, to);
    }
}
