/** What hostile input makes of every parser: codes, links, envelopes, streams, frames, bodies, records, addresses. */
import { answered, resultOf } from '../../../Sources/TandemWeb/Page/wire/answers.js';
import { signalingAddress } from '../../../Sources/TandemWeb/Page/wire/address.js';
import { bodyOf } from '../../../Sources/TandemWeb/Page/wire/bodies.js';
import { b64u, concat, textOf } from '../../../Sources/TandemWeb/Page/wire/bytes.js';
import { readCode, typedDigits } from '../../../Sources/TandemWeb/Page/wire/code.js';
import { addressesIn, rightsIn } from '../../../Sources/TandemWeb/Page/wire/computers.js';
import { envelopeOf, eventIn } from '../../../Sources/TandemWeb/Page/wire/envelopes.js';
import { FileDigest } from '../../../Sources/TandemWeb/Page/wire/file-digest.js';
import { dataFrame, frameOf, transferBytes, wantFrame } from '../../../Sources/TandemWeb/Page/wire/file-frames.js';
import { keyOf } from '../../../Sources/TandemWeb/Page/wire/keys.js';
import { codeOfLink } from '../../../Sources/TandemWeb/Page/wire/link.js';
import { nameOf } from '../../../Sources/TandemWeb/Page/wire/peer-text.js';
import { rightOf } from '../../../Sources/TandemWeb/Page/wire/rights.js';
import { compactRecord, jsonRecord, padded, Sealer, Opener, unpadded } from '../../../Sources/TandemWeb/Page/wire/records.js';
import { cipherKey } from '../../../Sources/TandemWeb/Page/wire/noise.js';
import { announcementIn, ResultStream } from '../../../Sources/TandemWeb/Page/wire/streams.js';
import { bytes, hex, randomOf, thrown } from './tools.mjs';
import { linkBytes, linkOf } from './link-writer.mjs';

const NOW = 1_790_000_000_000;
const CODE = {
    type: 'desktop-pairing', code: '482915', pcPeerId: 'bb41ae6236f76793634da2d3d11256fd', deviceInfo: { name: 'studio-pc', platform: 'linux' }, timestamp: NOW, signalingUrl: null,
    relayUrl: 'wss://hub.example', e2e: { v: 1, pk: 'CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk', psk: 'AAECAwQFBgcICQoLDA0ODw' },
};
const LINK = linkOf(CODE, 'https://hub.example');
const read = (value) => thrown(() => readCode(typeof value === 'string' ? value : JSON.stringify({ ...CODE, ...value }), NOW));

async function codes() {
    return {
        good: readCode(JSON.stringify(CODE), NOW).id, link: LINK, bytes: hex(linkBytes(CODE, 'https://hub.example')), same: JSON.stringify(readCode(LINK, NOW).json) === JSON.stringify(CODE),
        refused: await Promise.all([
            '', 'x', '[]', 'null', '{}', '{"type":"device-pairing"}', `{"type":"desktop-pairing","type":"desktop-pairing"}`, ' '.repeat(5000), { code: 482915 }, { code: '048291' }, { code: '48291' }, { code: '４８２９１５' },
            { pcPeerId: '' }, { pcPeerId: 'a b' }, { pcPeerId: 'a'.repeat(257) }, { e2e: null }, { e2e: {} }, { e2e: { ...CODE.e2e, pk: 'AAAA' } }, { e2e: { ...CODE.e2e, psk: `${CODE.e2e.psk}A` } }, { e2e: { ...CODE.e2e, v: 0 } },
        ].map(read)),
        doubts: [NOW - 300_000, NOW - 300_001, NOW + 300_001, undefined].map((timestamp) => readCode(JSON.stringify({ ...CODE, timestamp }), NOW).ageDoubt?.detail.reason ?? null),
        digits: await Promise.all(['482 913 7306', '482913', '48291', '0829137306', '48291373061', '4829-13-7306', '482a13', '４８２９１３'].map((text) => thrown(() => typedDigits(text)))),
    };
}

/** Each place of a link cut off, doubled or changed is refused or means something else, and nothing is thrown without a type. */
async function links() {
    const whole = linkBytes(CODE, 'https://hub.example');
    const of = (changed) => `https://hub.example/phone/#${b64u(changed)}`;
    const untyped = [];
    let shorter = 0;
    for (let at = 0; at < whole.length; at += 1) if (await thrown(() => readCode(of(whole.subarray(0, at)), NOW))) shorter += 1;
    const chance = randomOf(7);
    for (let at = 0; at < 20_000; at += 1) {
        const changed = whole.slice();
        for (let change = 0; change < 1 + 3 * chance(); change += 1) changed[Math.floor(chance() * changed.length)] = Math.floor(chance() * 256);
        const found = await thrown(() => readCode(of(changed), NOW));
        if (found?.startsWith('not typed')) untyped.push(found);
    }
    const change = (at, value) => { const changed = whole.slice(); changed[at] = value; return of(changed); };
    const reasons = await Promise.all([
        of(concat(whole, [0])), change(0, 2), change(1, 0x20 | whole[1]), change(2, 6), change(3, 0), change(28, 200), 'https://hub.example/phone/#', 'https://hub.example/phone/#A', 'https://hub.example/#AAAA',
        'https://a@hub.example/phone/#AAAA', `${LINK}=`, `${LINK} x`, LINK.replace('/phone/', '/phone/x/'), LINK.replace('https', 'ftp'),
    ].map((text) => thrown(() => readCode(text, NOW))));
    const forms = [['https://hub.example:9001', 'wss://hub.example:9001'], ['http://127.0.0.1:9001', 'ws://127.0.0.1:9001'], ['https://[2001:db8::1]', 'wss://[2001:db8::1]']].map(([origin, relayUrl]) => codeOfLink(linkOf({ ...CODE, relayUrl }, origin)).relayUrl === relayUrl);
    const variants = [{ pcPeerId: 'b1d6c3a2-1111-4000-8000-000000000001' }, { deviceInfo: { name: 'Grüße 😀', platform: 'freebsd' } }, { signalingUrl: 'ws://192.168.7.20:9001', relayUrl: null }, { signalingUrl: undefined, relayUrl: 'wss://other.example' }, { relayUrl: undefined }]
        .map((members) => JSON.parse(JSON.stringify({ ...CODE, ...members }))).map((json) => JSON.stringify(codeOfLink(linkOf(json, 'https://hub.example'))) === JSON.stringify(json));
    return { shorter, length: whole.length, untyped, reasons, forms, variants };
}

async function envelopes() {
    const text = (value) => envelopeOf(new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value)));
    const event = (value) => eventIn(text(value));
    return {
        none: ['', '[]', 'null', '{', '{"type":5}', '"x"'].map(text), invalid: envelopeOf(bytes('7bff7d')),
        events: [
            event({ type: 'chainlesschain:event', payload: { event: 'a', x: 1 } }), event({ type: 'chainlesschain:event', payload: '{"event":"a","x":1}' }), event({ type: 'chainlesschain:event', payload: { x: 1 } }),
            event({ type: 'chainlesschain:event:notification', payload: { method: 'n', params: { y: 2 } } }), event({ type: 'chainlesschain:event:notification', payload: { method: 'chainlesschain:notification:received', params: 5 } }),
            event({ type: 'chainlesschain:notification:received', payload: { id: 1 } }), event({ type: 'other', payload: {} }),
        ],
        answers: await Promise.all([{ error: 'no', code: -32010 }, { error: { code: -32601, message: 'no' } }, { error: {} }, { error: 'session_not_found', code: -32602 }, { error: 5 }].map(async (payload) => {
            try {
                return resultOf(payload, 'terminal.create');
            } catch (error) {
                return [error.code, error.message, error.detail];
            }
        })),
        empty: [{}, { result: null, error: null }, { result: 5 }].map((payload) => resultOf(payload, 'system.ping')), refused: answered(-32008, 'not-paired: x').code,
    };
}

async function streams() {
    const steps = async (announcement, ...messages) => thrown(() => {
        const stream = new ResultStream(announcement);
        let result = null;
        for (const [type, payload] of messages) result = stream.take(`stream:${type}`, payload);
        if (!result) throw Object.assign(new Error('nothing'), { detail: { reason: 'not whole' } });
    });
    const [start, chunk, end] = [['start', { id: 'S1', bytes: 5, chunkSize: 1024 }], ['chunk', { id: 'S1', index: 0, data: 'ImFiYyI=' }], ['end', { id: 'S1' }]];
    const five = { id: 'S1', bytes: 5, chunkSize: 1024 };
    return {
        example: new ResultStream(five).take(...['stream:start', start[1]]) === null && await steps(five, start, chunk, end),
        found: [announcementIn({ stream: five })?.id, announcementIn({ stream: five, more: 1 }), announcementIn({ stream: { id: 5 } }), announcementIn({ stream: null }), announcementIn(null)],
        refused: await Promise.all([
            steps({ ...five, bytes: 2 ** 26 }), steps({ ...five, bytes: -1 }), steps({ ...five, chunkSize: 8 }), steps({ ...five, chunkSize: 2 ** 20 }), steps(five, chunk), steps(five, end), steps(five, start, start), steps(five, ['start', { bytes: 6, chunkSize: 1024 }]),
            steps(five, start, end), steps(five, start, chunk, chunk), steps(five, start, ['chunk', { index: 1, data: 'ImFiYyI=' }]), steps(five, start, ['chunk', { index: 0, data: 'ImFiYyJ4' }]), steps(five, start, ['chunk', { index: 0, data: '####eyI=' }]),
            steps(five, start, ['chunk', { index: 0, data: 5 }]), steps(five, start, ['chunk', { index: 0, data: 'YWJjZGU=' }], end), steps(five, start, ['error', { error: 'gone', code: -32002 }]),
        ]),
    };
}

async function frames() {
    const [dn, up] = [transferBytes('dn_44444444444444444444444444444444'), transferBytes(`up_${'1'.repeat(32)}`)];
    const text = (hexadecimal) => frameOf(bytes(hexadecimal));
    const data = text('01 01 01 44444444444444444444444444444444 0000000000000000 517561727465726c7920666967757265730a');
    const digest = new FileDigest(Uint8Array.from({ length: 32 }, (_, at) => at), 5);
    await digest.take(0, new TextEncoder().encode('hello'));
    return {
        want: hex(wantFrame(dn, 0, 18)), data: [data.kind, data.transfer, data.offset, textOf(data.bytes)],
        refused: text('01 01 04 44444444444444444444444444444444 0000000000000000 ffff82ec 4e6f2073756368207472616e736665722e'), taken: text('01 01 02 11111111111111111111111111111111 0000000000000000 00000005'),
        sent: hex(dataFrame(up, 2 ** 40, bytes('0908'))),
        none: ['', '0101', `010103${'44'.repeat(16)}000000000000000000000012`, `010101${'44'.repeat(16)}0000000000000000`, `010102${'44'.repeat(16)}0000000000000000000005`, `010104${'44'.repeat(16)}0000000000000000ffff`, `020101${'44'.repeat(16)}000000000000000000`, `010201${'44'.repeat(16)}000000000000000000`, `010101${'44'.repeat(16)}ffffffffffffffff00`, `010105${'44'.repeat(16)}000000000000000000`].map(text),
        large: frameOf(dataFrame(up, 0, new Uint8Array(524_289))), ids: ['dn_4', 'xx_44444444444444444444444444444444', 'dn_4444444444444444444444444444444G', null, 5].map(transferBytes), digest: await digest.finish(), part: await new FileDigest(new Uint8Array(32), 5).finish(),
    };
}

/** The record of the document's example, and what a receiver takes of others. */
async function records() {
    const sid = Uint8Array.from({ length: 16 }, (_, at) => at);
    const raw = Uint8Array.from({ length: 32 }, (_, at) => 0x40 + at);
    let now = NOW;
    const time = { now: () => now, after: () => () => {} };
    const sealer = new Sealer({ key: await cipherKey(raw), sid, time });
    const body = bytes('01 0000000000000102 0000000000000003 0000000000000004 0908');
    await sealer.seal(new Uint8Array());
    const record = await sealer.seal(body);
    const compact = compactRecord(record);
    new DataView(compact.buffer).setUint32(2, 5);
    const key = await crypto.subtle.importKey('raw', raw, 'AES-GCM', true, ['encrypt', 'decrypt']);
    const next = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv: new Uint8Array(12).fill(255, 4) }, key, new Uint8Array(32))).subarray(0, 32);
    const opener = new Opener({ key: await cipherKey(raw), sid, time, isInitiator: false });
    const opened = [hex(await opener.open(record, false)), await opener.open(record, false), await opener.open(record, true)];
    // The next key is followed when one of its records opens; the one before is good for a minute, and no third one.
    now += 16 * 60_000;
    const later = await sealer.seal(body);
    const generations = [later.generation, hex(await opener.open(later, true) ?? [])];
    const far = new Opener({ key: await cipherKey(raw), sid, time, isInitiator: false });
    const farFound = await far.open({ ...later, generation: 2 }, false);
    // The window.
    const many = [];
    const fresh = new Sealer({ key: await cipherKey(raw), sid, time });
    for (let at = 0; at < 1100; at += 1) many.push(await fresh.seal(Uint8Array.of(5)));
    const window = new Opener({ key: await cipherKey(raw), sid, time, isInitiator: false });
    await window.open(many[1099], false);
    return {
        compact: hex(compact), json: jsonRecord(sid, record), opened, next: hex(next), generations, farFound, window: [await window.open(many[75], false), (await window.open(many[76], false))?.length, await window.open(many[1099], false)],
        sizes: [60, 61, 1020, 1021].map((count) => padded(new Uint8Array(count)).length), unpadded: [unpadded(bytes('000000')), unpadded(bytes('0000000500')), unpadded(bytes('ffffffff00')), unpadded(bytes('0000000105ff')).length],
        bodies: ['', '01', `01${'00'.repeat(24)}`, `01${'00'.repeat(7)}01${'00'.repeat(16)}`, `01${'ff'.repeat(24)}`, '0200', `02${'00'.repeat(8)}`, '03', `04${'00'.repeat(8)}`, '05', '0500', '06'].map((text) => bodyOf(bytes(text))?.kind ?? null),
    };
}

async function texts() {
    return {
        names: ['', 5, null, 'Ada\u202e\u0000<b>$(x)`', 'x'.repeat(500), '😀'.repeat(200), ' ok '].map((text) => nameOf(text)),
        addresses: await Promise.all(['wss://hub.example', 'ws://hub.example', 'ws://192.168.1.2:9001', 'ws://10.evil.example', 'ws://[fd00::1]', 'ws://localhost:1', 'ws://desk.local', 'http://hub.example', 'wss://a:b@hub.example', 'wss://hub.example/#x', 'javascript:1', '', null, 'ws://192.168.1.2.evil.example', 'ws://[::1]:9', 'ws://8.8.8.8', `wss://${'a'.repeat(600)}`]
            .map((text) => thrown(() => signalingAddress(text)))),
        keys: ['did:key:z6MkjchhfUsD6mmvni8mCdXHw216Xrm9bQe2mBH1P5RDjVJG', 'did:key:z6MkjchhfUsD6mmvni8mCdXHw216Xrm9bQe2mBH1P5RDjVJg', 'did:key:z16MkjchhfUsD6mmvni8mCdXHw216Xrm9bQe2mBH1P5RDjVJG', 'did:key:z', 'did:web:x', 5, `did:key:z${'z'.repeat(80)}`].map((did) => keyOf(did)?.length ?? null),
        rights: [rightsIn({ rights: ['a', 5, 'b c'], at: 1 }), rightsIn({ rights: 'a', at: 1 }), rightsIn({ rights: [], at: 'x' }), rightsIn({ rights: Array(500).fill('r'), at: 0 }).rights.length,
            rightsIn({ rights: [], at: 1, ends: { b: 2, c: '3', 'x y': 4 }, asks: { d: { state: 'waiting', until: 3 }, e: { state: 'waiting' }, f: null } })],
        told: [addressesIn({ lan: [5, 'x', 'y'], relay: 'no' }, (text) => text === 'y'), addressesIn({ lan: ['a', 'b', 'c', 'd', 'y'] }, (text) => text === 'y')],
    };
}

/** The rights that methods need. */
const OPENS = ['system.info', 'sysinfo.getLogs', 'notification.getHistory', 'notification.act', 'notification.clearAll', 'file.readFile', 'file.delete', 'screen.capture', 'threads.post', 'threads.list', 'toString', 'constructor.x'].map(rightOf);

const tests = { rights: () => OPENS, codes, links, envelopes, streams, frames, records, texts };

export async function run() { return Object.fromEntries(await Promise.all(Object.entries(tests).map(async ([name, test]) => [name, await test()]))); }
