/** Pairings by a scanned code with a relay in between that changes what it carries: the phone pairs with the computer that showed the code, or with none. */
import { b64u, fromB64u, random } from '../../../Sources/TandemWeb/Page/wire/bytes.js';
import { claim } from '../../../Sources/TandemWeb/Page/wire/claim.js';
import { makeIdentity } from '../../../Sources/TandemWeb/Page/wire/keys.js';
import { Handshake } from '../../../Sources/TandemWeb/Page/wire/noise.js';
import { codePrologue } from '../../../Sources/TandemWeb/Page/wire/pairing-message.js';
import { codeSecret, ScanExchange } from '../../../Sources/TandemWeb/Page/wire/pairing-scan.js';
import { ShownExchange } from '../../../Sources/TandemWeb/Page/wire/pairing-show.js';
import { TypedExchange } from '../../../Sources/TandemWeb/Page/wire/pairing-type.js';
import { codeOf, NOW, PC, ShowingComputer } from './pairing-computers.mjs';
import { ATTACKS as RELAY_ATTACKS, HostileRelay, WAYS } from './relay.mjs';
import { randomOf } from './tools.mjs';

const [phone, computer, relay] = await Promise.all([makeIdentity(), makeIdentity(), makeIdentity()]);
const DEVICE = { id: 'b1d6c3a2-1111-4000-8000-000000000001', name: 'Ada\'s phone', platform: 'ios', version: '1' };

/** A computer's answer to an ack; null where the ack is not for its code. */
async function answer(identity, code, ack, secret = code.offer.secret) {
    const [message] = await new ShowingComputer(identity, code, secret).receive(ack);
    return message?.payload ?? null;
}

function flipped(text, chance) {
    const bytes = fromB64u(text).slice();
    bytes[Math.floor(chance() * bytes.length)] ^= 1 << Math.floor(chance() * 8);
    return b64u(bytes);
}

/** What a relay may do with an answer. Each gives the frames that arrive in its place. */
const ATTACKS = [
    async ({ real }) => [real],
    async ({ real, chance }) => [{ ...real, e2e: { v: 1, hs: flipped(real.e2e.hs, chance) } }, real],
    async ({ real, chance }) => [{ ...real, e2e: { v: 1, hs: real.e2e.hs.slice(0, Math.floor(chance() * real.e2e.hs.length)) } }],
    async ({ code, ack }) => [await answer(relay, code, ack, random(16))],
    async ({ code, own }) => [await answer(relay, code, own)],
    async ({ real, earlier }) => [earlier, real],
    async ({ real }) => [{ ...real, pairingCode: '111111' }, { ...real, e2e: undefined }, { ...real, e2e: { v: 1, hs: 5 } }, { ...real, e2e: { v: 1, hs: 'A'.repeat(6000) } }, real, real],
    async ({ code, ack }) => [{ type: 'pairing:confirmation', pairingCode: code.digits, pcPeerId: PC.id, e2e: { v: 1, hs: ack.e2e.hs } }],
    async () => [{ type: 'pairing:reject', pairingCode: '111111', reason: 'declined' }, { type: 'pair-ack' }, { type: 'pairing:confirmation' }, { type: 'pairing:confirmation', pairingCode: {}, e2e: [] }],
];

async function scans(count, seed) {
    const chance = randomOf(seed);
    const found = { right: 0, none: 0, wrong: 0, untyped: 0 };
    let earlier = null;
    for (let at = 0; at < count; at += 1) {
        const code = codeOf(computer, random(16), String(100_000 + Math.floor(chance() * 900_000)));
        const exchange = await ScanExchange.begin(code, phone, DEVICE, NOW);
        const real = await answer(computer, code, exchange.outgoing);
        const own = (await ScanExchange.begin(codeOf(relay, random(16), code.digits), relay, DEVICE, NOW)).outgoing;
        const frames = await ATTACKS[at % ATTACKS.length]({ real, code, ack: exchange.outgoing, own, earlier: earlier ?? real, chance });
        earlier = { ...real, pairingCode: code.digits };
        let outcome = 'none';
        for (const frame of frames.filter(Boolean)) {
            try {
                const step = await exchange.receive(JSON.parse(JSON.stringify(frame)));
                if (step?.paired) outcome = step.paired.did === computer.did && b64u(step.paired.key) === b64u(computer.agreement.bytes) ? 'right' : 'wrong';
            } catch {
                outcome = 'untyped';
            }
        }
        found[outcome] += 1;
    }
    return found;
}

/** A code of the phone's own, scanned by its computer, and guessed at by the relay, which knows the six digits. */
async function shown() {
    const exchange = new ShownExchange(phone, DEVICE, NOW);
    const json = JSON.parse(exchange.text);
    const scan = async (identity, secret) => {
        const handshake = await Handshake.begin({
            pattern: 'IKpsk1', isInitiator: true, prologue: await codePrologue(json, json.code), own: identity.agreement, remote: fromB64u(json.e2e.pk), psk: await codeSecret(secret),
        });
        const hs = await handshake.write((hash) => claim(identity, 'initiator', hash, { device: PC, t: NOW }));
        return { type: 'pairing:confirmation', pairingCode: json.code, pcPeerId: PC.id, e2e: { v: 1, hs: b64u(hs) } };
    };
    const said = [];
    for (let at = 0; at < 7; at += 1) said.push((await exchange.receive(await scan(relay, random(16)), NOW))?.reply?.reason ?? null);
    said.push((await exchange.receive({ type: 'pairing:confirmation', pairingCode: json.code, pcPeerId: PC.id }, NOW)).reply.reason);
    const real = await scan(computer, fromB64u(json.e2e.psk));
    const found = await exchange.receive(real, NOW);
    said.push(found.proven.did === computer.did);
    const { reply } = await exchange.accept(NOW);
    said.push(JSON.stringify((await exchange.receive(real, NOW)).reply) === JSON.stringify(reply), await exchange.receive(await scan(computer, fromB64u(json.e2e.psk)), NOW));
    const old = new ShownExchange(phone, DEVICE, NOW);
    said.push((await old.receive({ ...real, pairingCode: JSON.parse(old.text).code }, NOW + 300_001)).reply.reason);
    return said;
}

/** Frames of a relay to a phone whose digits were typed: it knows six of them and may send anything. */
async function typed() {
    const digits = '4829137306';
    const step = (cp, more = {}) => ({ type: 'pairing:e2e', pairingCode: '482913', e2e: { v: 1, cp, ...more } });
    const outcome = async (...frames) => {
        const exchange = new TypedExchange(digits, phone, DEVICE, NOW);
        const said = [];
        for (const [frame, sender = PC.id] of frames) {
            const found = await exchange.receive(frame, sender, NOW);
            said.push(found?.failed?.detail.reason ?? (found?.send ? 'send' : found?.paired ? 'paired' : null));
        }
        return said.join(' ');
    };
    const nonce = step({ n: b64u(random(16)) });
    const share = step({ y: b64u((await makeIdentity()).agreement.bytes), r: b64u(random(16)) });
    return [
        await outcome([nonce], [nonce], [share], [step({ t: b64u(random(64)) }, { hs: b64u(random(96)) })], [share]),
        await outcome([step({ n: b64u(random(15)) })], [nonce]),
        await outcome([nonce], [step({ y: b64u(new Uint8Array(32)), r: b64u(random(16)) })], [share]),
        await outcome([nonce], [share, 'another'], [step({ y: 'AAAA', r: b64u(random(16)) })]),
        await outcome([share], [step({ t: b64u(random(64)) }, { hs: 'AAAA' })], [nonce, 'not an id'], [nonce]),
        await outcome([{ type: 'pairing:confirmation', pairingCode: '482913', pcPeerId: PC.id }], [{ type: 'pairing:confirmation', pairingCode: '482913', e2e: { v: 1, ct: b64u(random(16)) } }]),
        await outcome([{ type: 'pairing:reject', pairingCode: '482913', reason: 'locked' }]),
        await outcome([{ type: 'pairing:reject', pairingCode: 482913, reason: 'x'.repeat(500) }]),
    ];
}

/** Pairings in all four ways, over the relay that makes every attack it knows, one after the other with what it remembers of them. */
async function relayed(count, seed) {
    const hostile = new HostileRelay(randomOf(seed));
    const found = { paired: {}, wrong: 0, alone: 0, untyped: [] };
    for (let at = 0; at < count; at += 1) {
        const way = WAYS[at % WAYS.length];
        const outcome = await hostile.pair(way);
        if ([outcome.phone, outcome.computer].includes('wrong')) found.wrong += 1;
        // A phone that shows a code writes its record before the computer is told, for five minutes.
        if (outcome.phone && !outcome.computer && way !== 'show') found.alone += 1;
        if (outcome.untyped) found.untyped.push(outcome.untyped);
        if (outcome.phone && outcome.computer) found.paired[way] = (found.paired[way] ?? 0) + 1;
    }
    return { ...found, played: hostile.played, never: RELAY_ATTACKS.filter((name) => !hostile.played[name]) };
}

/** Over a relay that carries, and over one that is the computer for the phone from the beginning to the end. */
async function carried() {
    const [honest, impersonated] = [{}, {}];
    const hostile = new HostileRelay(randomOf(1));
    for (const way of WAYS) {
        honest[way] = await hostile.pair(way, { isHonest: true });
        impersonated[way] = await hostile.pair(way, { impersonates: true });
    }
    return { honest, impersonated };
}

export async function run(count, seed = 1) {
    return { scans: await scans(count, seed), shown: await shown(), typed: await typed(), relayed: await relayed(count, seed), carried: await carried() };
}
