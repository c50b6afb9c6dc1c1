/** A computer's side of pairing, as far as tests need one: each takes a message and answers messages, and `record` is the phone that it paired with. */
import { areEqual, b64u, concat, fromB64u, labelled, lv, random, utf8 } from '../../../Sources/TandemWeb/Page/wire/bytes.js';
import { claim, proven } from '../../../Sources/TandemWeb/Page/wire/claim.js';
import { readCode } from '../../../Sources/TandemWeb/Page/wire/code.js';
import { generator } from '../../../Sources/TandemWeb/Page/wire/cpace.js';
import { hkdf, hmac, sha256, sha512 } from '../../../Sources/TandemWeb/Page/wire/hash.js';
import { canonical } from '../../../Sources/TandemWeb/Page/wire/json.js';
import { agree, makeAgreementKey } from '../../../Sources/TandemWeb/Page/wire/keys.js';
import { Handshake, nonceOf, seal } from '../../../Sources/TandemWeb/Page/wire/noise.js';
import { codePrologue } from '../../../Sources/TandemWeb/Page/wire/pairing-message.js';
import { codeSecret } from '../../../Sources/TandemWeb/Page/wire/pairing-scan.js';

export const NOW = 1_790_000_000_000;
export const PC = { id: '9f0c6a1be2d34775a1c0ffee00d15ea5', name: 'studio-pc', platform: 'linux', version: '1' };

/** The code that a computer shows. */
export function codeOf(identity, secret, digits) {
    const json = {
        type: 'desktop-pairing', code: digits, pcPeerId: PC.id, deviceInfo: { name: PC.name, platform: PC.platform }, timestamp: NOW, signalingUrl: null, relayUrl: 'wss://hub.example',
        e2e: { v: 1, pk: b64u(identity.agreement.bytes), psk: b64u(secret) },
    };
    return readCode(JSON.stringify(json), NOW);
}

/** The phone that a handshake's message is of. */
async function phoneIn(handshake, message, part) {
    const { payload, hash } = await handshake.read(message);
    const { did, device } = await proven(payload, part, hash, handshake.remote);
    return { did, key: b64u(handshake.remote), name: device.name };
}

function confirmation(digits, members) {
    return { type: 'pairing:confirmation', pairingCode: digits, pcPeerId: PC.id, deviceInfo: { name: PC.name, platform: PC.platform }, timestamp: NOW, e2e: { v: 1, ...members } };
}

/** Shows a code that the phone scans: it is used once, and a repeat gets the same answer. */
export class ShowingComputer {
    record = null;
    #answered = null;

    constructor(identity, code, secret = code.offer.secret) { Object.assign(this, { identity, code, secret }); }

    async receive(payload) {
        const { code, identity } = this;
        if (payload?.type !== 'pair-ack' || payload.pairingCode !== code.digits) return [];
        if (this.#answered) return this.#answered.asked === canonical(payload) ? this.#answered.messages : [];
        try {
            const handshake = await Handshake.begin({ pattern: 'IKpsk1', isInitiator: false, prologue: await codePrologue(code.json, code.digits), own: identity.agreement, psk: await codeSecret(this.secret) });
            const phone = await phoneIn(handshake, fromB64u(payload.e2e.hs), 'initiator');
            const hs = await handshake.write((own) => claim(identity, 'responder', own, { device: PC, t: NOW }));
            this.record = phone;
            this.#answered = { asked: canonical(payload), messages: [{ to: phone.did, payload: confirmation(code.digits, { hs: b64u(hs) }) }] };
            return this.#answered.messages;
        } catch {
            return [];
        }
    }
}

/** Scans a code that a phone shows. */
export class ScanningComputer {
    record = null;
    #handshake = null;

    /** @returns What scanned a code; `secret` is another one where it never saw the code. */
    static async begin(identity, json, secret = fromB64u(json.e2e.psk)) {
        const computer = new ScanningComputer();
        computer.digits = json.code;
        computer.phone = json.did;
        computer.#handshake = await Handshake.begin({
            pattern: 'IKpsk1', isInitiator: true, prologue: await codePrologue(json, json.code), own: identity.agreement, remote: fromB64u(json.e2e.pk), psk: await codeSecret(secret),
        });
        const hs = await computer.#handshake.write((hash) => claim(identity, 'initiator', hash, { device: PC, t: NOW }));
        computer.outgoing = confirmation(json.code, { hs: b64u(hs) });
        return computer;
    }

    async receive(payload) {
        if (payload?.type !== 'pair-ack' || payload.pairingCode !== this.digits || this.record) return [];
        try {
            this.record = await phoneIn(this.#handshake, fromB64u(payload.e2e.hs), 'responder');
        } catch {
            // A stranger may have made it.
        }
        return [];
    }
}

/** Shows digits that are typed. `isSame` is the person, who is asked whether the phone shows the number. */
export class TypedComputer {
    record = null;
    /** By the DID that asks. */
    #askers = new Map();
    #isBurnt = false;

    constructor(identity, digits, isSame = () => true) { Object.assign(this, { identity, digits, isSame }); }

    get code() { return this.digits.slice(0, 6); }

    async receive(payload, from) {
        if (payload?.pairingCode !== this.code || this.#isBurnt) return [];
        const asker = payload.type === 'pair-ack' ? this.#asker(payload) : this.#askers.get(from);
        if (!asker) return [];
        // What was lost on the way is sent again as it was.
        if (asker.asked === canonical(payload)) return asker.messages;
        try {
            const answer = await this.#next(asker, payload);
            if (!answer) return [];
            asker.asked = canonical(payload);
            asker.messages = [{ to: asker.did, payload: answer }];
        } catch {
            return [{ to: asker.did, payload: this.#reject('handshake-failed') }];
        }
        return asker.messages;
    }

    #asker({ mobileDid, e2e }) {
        if (typeof mobileDid !== 'string' || !fromB64u(e2e?.cp?.n, 16)) return null;
        if (!this.#askers.has(mobileDid)) this.#askers.set(mobileDid, { did: mobileDid, step: 1 });
        return this.#askers.get(mobileDid);
    }

    async #next(asker, { e2e }) {
        const { cp = {}, hs } = e2e ?? {};
        if (asker.step === 1) return this.#commit(asker, cp);
        if (asker.step === 3 && cp.c) return this.#share(asker, fromB64u(cp.c, 32));
        if (asker.step === 5 && cp.t) return this.#agree(asker, cp, fromB64u(hs));
        return asker.step === 7 && hs && !cp.t ? this.#decide(asker, fromB64u(hs)) : null;
    }

    #commit(asker, { n, digits }) {
        if (digits !== this.digits.length) return this.#reject('ten-digits');
        const nonce = random(16);
        asker.step = 3;
        asker.options = {
            password: utf8(this.digits), channel: concat(lv('tandem-code-v1'), lv('phone'), lv('desktop'), lv(`pairing-code:${this.code}`)), sessionId: concat(fromB64u(n, 16), nonce),
        };
        return this.#step({ cp: { n: b64u(nonce) } });
    }

    async #share(asker, commitment) {
        const { secret } = await makeAgreementKey();
        Object.assign(asker, { step: 5, commitment, secret, blind: random(16), share: await agree(secret, await generator(asker.options)) });
        return commitment && this.#step({ cp: { y: b64u(asker.share), r: b64u(asker.blind) } });
    }

    async #agree(asker, { y, r, t }, message) {
        const [share, blind] = [fromB64u(y, 32), fromB64u(r, 16)];
        if (!areEqual(await sha256(share, blind), asker.commitment)) throw new Error('another share than it was committed to');
        const { sessionId } = asker.options;
        const [theirs, own] = [concat(lv(share), lv(asker.did)), concat(lv(asker.share), lv(PC.id))];
        const key = await sha512(lv('CPace255_ISK'), lv(sessionId), lv(await agree(asker.secret, share)), theirs, own);
        const tagKey = await sha512(utf8('CPaceMac'), sessionId, key);
        if (!areEqual(fromB64u(t, 64), await hmac('SHA-512', tagKey, theirs))) {
            this.#isBurnt = true;
            return this.#reject('wrong-code');
        }
        const handshake = await Handshake.begin({
            pattern: 'XXpsk0', isInitiator: false, prologue: labelled('tandem-code-v1', lv(await sha256(theirs, own))), own: this.identity.agreement,
            psk: await hkdf(key, 32, { info: utf8('tandem-code-psk-v1') }),
        });
        await handshake.read(message);
        const hs = await handshake.write((hash) => claim(this.identity, 'responder', hash, { device: PC, t: NOW }));
        const bytes = await hkdf(key, 8, { info: concat(utf8('tandem-sas-v1'), lv(blind), lv(asker.blind)) });
        const number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) % 1_000_000n;
        Object.assign(asker, { step: 7, handshake, number: String(number).padStart(6, '0') });
        return this.#step({ cp: { t: b64u(await hmac('SHA-512', tagKey, own)) }, hs: b64u(hs) });
    }

    async #decide(asker, message) {
        const phone = await phoneIn(asker.handshake, message, 'initiator');
        if (phone.did !== asker.did) throw new Error('another key than it began with');
        if (this.record || this.digits.length === 6 && !this.isSame(asker.number)) return this.#reject('declined');
        asker.step = 0;
        this.record = phone;
        const { sending } = await asker.handshake.finish();
        return confirmation(this.code, { ct: b64u(await seal(sending, nonceOf(0), new Uint8Array(), new Uint8Array())) });
    }

    #step(members) { return { type: 'pairing:e2e', pairingCode: this.code, e2e: { v: 1, ...members } }; }
    #reject(reason) { return { type: 'pairing:reject', pairingCode: this.code, reason }; }
}
