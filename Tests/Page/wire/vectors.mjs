/** Vectors of docs/protocol.md 4 and of the fixtures beside the tests of Sealing: what the modules compute, for test_wire.py to compare. */
import { b64u, fromB64u, integer, integerOf, lv, labelled, concat, utf8, Reader } from '../../../Sources/TandemWeb/Page/wire/bytes.js';
import { bytesOf, CPace, elligator, generator, numberOf } from '../../../Sources/TandemWeb/Page/wire/cpace.js';
import { hkdf, sha256 } from '../../../Sources/TandemWeb/Page/wire/hash.js';
import { canonical, parse } from '../../../Sources/TandemWeb/Page/wire/json.js';
import { agree, agreementKeyOf, certifiedId, registrationProof, sign, signingKeyOf, verifies, words } from '../../../Sources/TandemWeb/Page/wire/keys.js';
import { Handshake, nonceOf, seal, open } from '../../../Sources/TandemWeb/Page/wire/noise.js';
import { bytes, fixture, hex, thrown } from './tools.mjs';

async function noise(vector) {
    const pattern = vector.protocol_name.split('_')[1];
    const [own, other] = await Promise.all([agreementKeyOf(bytes(vector.init_static)), agreementKeyOf(bytes(vector.resp_static))]);
    const psk = vector.init_psks ? bytes(vector.init_psks[0]) : undefined;
    const ends = [
        await Handshake.begin({
            pattern, isInitiator: true, prologue: bytes(vector.init_prologue), own, remote: pattern.startsWith('IK') ? other.bytes : undefined, psk,
            ephemeral: await agreementKeyOf(bytes(vector.init_ephemeral)),
        }),
        await Handshake.begin({ pattern, isInitiator: false, prologue: bytes(vector.resp_prologue), own: other, psk, ephemeral: await agreementKeyOf(bytes(vector.resp_ephemeral)) }),
    ];
    const said = [];
    const read = [];
    const count = pattern.startsWith('XX') ? 3 : 2;
    for (let at = 0; at < count; at += 1) {
        const message = await ends[at % 2].write(() => bytes(vector.messages[at].payload));
        said.push(hex(message));
        const damaged = message.slice();
        damaged[damaged.length - 1] ^= 1;
        await thrown(() => ends[1 - at % 2].read(damaged));
        read.push(hex((await ends[1 - at % 2].read(message)).payload));
    }
    const keys = await Promise.all(ends.map((end) => end.finish()));
    const counters = [[0, 0], [0, 0]];
    for (let at = count; at < vector.messages.length; at += 1) {
        const from = at % 2;
        const counter = counters[from][0];
        counters[from][0] += 1;
        const sealed = await seal(keys[from].sending, nonceOf(counter), bytes(vector.messages[at].payload), new Uint8Array());
        said.push(hex(sealed));
        read.push(hex(await open(keys[1 - from].receiving, nonceOf(counter), sealed, new Uint8Array())));
    }
    return { said, read, hash: hex(keys[0].hash), same: hex(keys[1].hash), exporter: hex(await keys[0].derive('tandem-resume-v1', 32)) === hex(await keys[1].derive('tandem-resume-v1', 32)) };
}

async function cpace() {
    const vector = await fixture('SealingTests/Fixtures/cpace-vectors.json');
    const options = { password: bytes(vector.PRS), channel: bytes(vector.CI), sessionId: bytes(vector.sid) };
    const own = await CPace.begin({ ...options, associatedData: bytes(vector.ADa) }, await agreementKeyOf(bytes(vector.ya)));
    const agreed = await own.agree(bytes(vector.Yb), bytes(vector.ADb));
    const scalar = (await agreementKeyOf(bytes(vector.scalar))).secret;
    const points = [];
    for (const point of vector.points) {
        const found = await agree(scalar, bytes(point.u)).then(hex, () => null);
        points.push(point.aborts ? found === null : found === point.q);
    }
    return {
        generator: hex(await generator(options)), Ya: hex(own.share), ISK: hex(agreed.key), Ta: hex(agreed.tag), confirmed: agreed.isConfirmedBy(bytes(vector.Tb)),
        wrong: agreed.isConfirmedBy(bytes(vector.Ta)), points,
    };
}

async function proof() {
    const { signing, did } = await signingKeyOf(Uint8Array.from({ length: 32 }, (_, at) => (at === 31 ? 1 : 0)));
    const signed = labelled('tandem-register-v1', lv(did), lv(new Uint8Array(32).fill(8)), lv('hub.example:9001'));
    const signature = fromB64u(await registrationProof({ signing, did }, did, new Uint8Array(32).fill(8), 'hub.example:9001'), 64);
    return {
        did, length: signed.length, signature: b64u(signature), id: await certifiedId(did), words: await words(did), holds: await verifies(did, signature, signed),
        other: await verifies(did, signature, concat(signed, [0])), cut: await verifies(did, signature.subarray(1), signed),
        http: b64u(await sign({ signing }, labelled('tandem-http-v1', lv('GET'), lv('/turn-credentials?uid=9f0c6a1be2d34775'), lv('hub.example:9001'), lv('1790000000000')))),
    };
}

async function code() {
    const text = '{"code":"482915","e2e":{"pk":"CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk","psk":"AAECAwQFBgcICQoLDA0ODw","v":1},"pcPeerId":"9f0c6a1be2d34775","timestamp":1790000000000,"type":"desktop-pairing"}';
    return {
        canonical: canonical(parse(text)) === text, hash: hex(await sha256(utf8(text))), psk: hex(await hkdf(bytes('000102030405060708090a0b0c0d0e0f'), 32, { info: utf8('tandem-qr-psk-v1') })),
        channel: hex(concat(lv('tandem-code-v1'), lv('phone'), lv('desktop'), lv('pairing-code:482913'))),
    };
}

/** Texts and what the canonical form makes of them; null for what is no JSON. */
function canonicals() {
    return [
        '{"b":1,"a":[1.0,1e3,0.5,1e20,0.00005,-0,9007199254740993,9223372036854775807,9223372036854775808]}', '"\\u0008\\u000c\\n\\r\\t\\u001f\\/\\u00e9\\\\b"', '{"\\ud83d\\ude00":1,"\\uffee":2}',
        '{"a":1,"a":2}', '[1,]', '01', '{"a":1}x', '"\u0001"', `${'['.repeat(70)}${']'.repeat(70)}`, '1e999', 'nul', '', '{"__proto__":1}',
    ].map((text) => {
        const value = parse(text);
        return value === undefined ? null : canonical(value);
    });
}

async function field() {
    const vectors = (await fixture('SealingTests/Fixtures/field-vectors.json')).values;
    return vectors.every(({ a }) => hex(bytesOf(numberOf(bytes(a)))).length === 64) && hex(bytesOf(elligator(0n))) === hex(bytesOf(0n));
}

function lengths() {
    const encoded = [0, 127, 128, 16384].map((count) => hex(lv(new Uint8Array(count)).subarray(0, 3)));
    const read = ['00', '7f', '8000', '808000', '0561', 'ffffffffff7f', '80'].map((text) => {
        const reader = new Reader(bytes(text));
        const found = reader.lv(100);
        return found === null || reader.isBroken ? null : found.length;
    });
    return { encoded, read, integers: [hex(integer(1790000000000, 8)), integerOf(bytes('001fffffffffffff')), integerOf(bytes('0020000000000000')) === Infinity] };
}

function base64urls() { return ['', 'AA', 'AB', 'A', 'AAA', 'AAE', 'AA==', 'A/A', 'AAAA', 'AA\n'].map((text) => (fromB64u(text) === null ? null : hex(fromB64u(text)))); }

export async function run() {
    const { vectors } = await fixture('SealingTests/Fixtures/noise-vectors.json');
    return {
        noise: await Promise.all(vectors.map(noise)), cpace: await cpace(), proof: await proof(), code: await code(), canonicals: canonicals(), field: await field(), lengths: lengths(),
        base64urls: base64urls(),
    };
}
