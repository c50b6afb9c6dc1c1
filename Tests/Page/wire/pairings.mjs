/** Pairings by a scanned code with a relay in between that changes what it carries: the phone pairs with the computer that showed the code, or with none. */
import { b64u, fromB64u, random } from '../../../Sources/TandemWeb/Page/wire/bytes.js';
import { claim, proven } from '../../../Sources/TandemWeb/Page/wire/claim.js';
import { readCode } from '../../../Sources/TandemWeb/Page/wire/code.js';
import { makeIdentity } from '../../../Sources/TandemWeb/Page/wire/keys.js';
import { Handshake } from '../../../Sources/TandemWeb/Page/wire/noise.js';
import { codePrologue } from '../../../Sources/TandemWeb/Page/wire/pairing-message.js';
import { codeSecret, ScanExchange } from '../../../Sources/TandemWeb/Page/wire/pairing-scan.js';
import { ShownExchange } from '../../../Sources/TandemWeb/Page/wire/pairing-show.js';
import { TypedExchange } from '../../../Sources/TandemWeb/Page/wire/pairing-type.js';
import { randomOf } from './tools.mjs';

const NOW = 1_790_000_000_000;
const [phone, computer, relay] = await Promise.all([makeIdentity(), makeIdentity(), makeIdentity()]);
const DEVICE = { id: 'b1d6c3a2-1111-4000-8000-000000000001', name: 'Ada\'s phone', platform: 'ios', version: '1' };
const PC = { id: '9f0c6a1be2d34775a1c0ffee00d15ea5', name: 'studio-pc', platform: 'linux', version: '1' };

function codeOf(identity, secret, digits) {
    const json = {
        type: 'desktop-pairing', code: digits, pcPeerId: PC.id, deviceInfo: { name: PC.name, platform: PC.platform }, timestamp: NOW, signalingUrl: null, relayUrl: 'wss://hub.example',
        e2e: { v: 1, pk: b64u(identity.agreement.bytes), psk: b64u(secret) },
    };
    return readCode(JSON.stringify(json), NOW);
}

/** A computer's answer to an ack; null where the ack is not for its code. */
async function answer(identity, code, ack, secret = code.offer.secret) {
    try {
        const handshake = await Handshake.begin({ pattern: 'IKpsk1', isInitiator: false, prologue: await codePrologue(code.json, code.digits), own: identity.agreement, psk: await codeSecret(secret) });
        const { payload, hash } = await handshake.read(fromB64u(ack.e2e.hs));
        await proven(payload, 'initiator', hash, handshake.remote);
        const hs = await handshake.write((own) => claim(identity, 'responder', own, { device: PC, t: NOW }));
        return { type: 'pairing:confirmation', pairingCode: code.digits, pcPeerId: PC.id, deviceInfo: {}, timestamp: NOW, e2e: { v: 1, hs: b64u(hs) } };
    } catch {
        return null;
    }
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

export async function run(count, seed = 1) { return { scans: await scans(count, seed), shown: await shown(), typed: await typed() }; }
