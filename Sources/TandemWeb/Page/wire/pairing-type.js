import { b64u, concat, labelled, lv, random, utf8 } from './bytes.js';
import { claim, deviceOf, proven } from './claim.js';
import { CPace } from './cpace.js';
import { failure, unproven, WireError } from './error.js';
import { hkdf, sha256 } from './hash.js';
import { Handshake, nonceOf, open } from './noise.js';
import { ack, concerns, exchange, sealed } from './pairing-message.js';
import { isIdentifier } from './peer-text.js';
import { refusal } from './refusals.js';

/** The number that both screens show where only six digits were typed. */
async function shortNumber(key, blind, otherBlind) {
    const bytes = await hkdf(key, 8, { info: concat(utf8('tandem-sas-v1'), lv(blind), lv(otherBlind)) });
    const number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) % 1_000_000n;
    return String(number).padStart(6, '0');
}

/** The phone's side after digits were typed: it has no I/O of its own. Source: `docs/protocol.md` 2.3.5. */
export class TypedExchange {
    #options;
    /** The message that is awaited: 2, 4, 6, or 8; 0 once this is over. */
    #awaits = 2;
    #nonce = random(16);
    #blind = random(16);
    #cpace = null;
    #agreement = null;
    #handshake = null;
    #keys = null;
    /** @type {import('./pairing-scan.js').Proven | null} */
    #proven = null;
    #question = null;
    /**
     * What is sent, and sent again byte for byte where it may have been lost.
     *
     * @type {Object<string, any>}
     */
    outgoing;
    /** The number to compare with the computer's screen, where six digits were typed. @type {string | null} */
    comparisonNumber = null;
    /** The computer's id, as the sender of message 2. The key agreement fails where a relay made it up. @type {string | null} */
    computerId = null;

    /**
     * @param {string} typed Ten digits, or six.
     * @param {import('./keys.js').Identity} identity
     * @param {{id: string, name: string, platform: string, version: string}} device
     * @param {number} now
     */
    constructor(typed, identity, device, now) {
        this.#options = { typed, identity, device };
        this.digits = typed.slice(0, 6);
        this.alias = `pairing-code:${this.digits}`;
        this.recipient = this.alias;
        this.outgoing = ack({ digits: this.digits, identity, device, seal: { cp: { n: b64u(this.#nonce), digits: typed.length } }, now });
    }

    /** A repeat of the first message would go to the next computer that shows these digits. */
    get mayRepeat() { return this.computerId !== null; }
    get question() { return this.#question; }
    get offline() { return failure('not-found', 'codeNotShown', 'No computer shows this code. Check the digits, and that the code is still on its screen.'); }
    get gone() { return failure('expired', 'codeTakenDown', 'The computer took the code from its screen and did not answer. Look there.'); }

    /** The code leaves the computer's screen once this phone proved itself, while the person there decides. */
    recipientLeft() {
        if (!this.computerId || this.recipient === this.computerId) return false;
        this.recipient = this.computerId;
        return true;
    }

    /** @returns {Promise<import('./pairing-scan.js').Step>} */
    async receive(payload, sender, now) {
        if (concerns(payload, 'pairing:reject', this.digits)) return { failed: refusal(payload.reason, 'the computer') };
        if (concerns(payload, 'pairing:confirmation', this.digits)) return this.#finish(payload, sender);
        if (!concerns(payload, 'pairing:e2e', this.digits)) return null;
        const awaited = this.#awaits;
        try {
            return await this.#advance(payload, sender, now);
        } catch (error) {
            // One guess for each code: what was refused is not tried again. What came meanwhile is a repeat.
            if (this.#awaits === awaited) this.#awaits = 0;
            return { failed: error instanceof WireError ? error : unproven('its answer') };
        }
    }

    async #advance(payload, sender, now) {
        const [nonce, share, blind, tag, message] = [sealed(payload, 'cp', 'n'), sealed(payload, 'cp', 'y'), sealed(payload, 'cp', 'r'), sealed(payload, 'cp', 't'), sealed(payload, 'hs')];
        if (nonce) return this.#awaits === 2 && isIdentifier(sender) ? this.#commit(nonce, sender) : null;
        if (sender !== this.computerId) return null;
        if (share && blind) return this.#awaits === 4 ? this.#reveal(share, blind) : null;
        if (tag && message) return this.#awaits === 6 ? this.#prove(tag, message, now) : null;
        return null;
    }

    async #commit(nonce, sender) {
        if (nonce.length !== 16) throw unproven('a nonce of another length');
        this.#awaits = 0;
        const { typed, identity } = this.#options;
        this.#cpace = await CPace.begin({
            password: utf8(typed), channel: concat(lv('tandem-code-v1'), lv('phone'), lv('desktop'), lv(this.alias)), sessionId: concat(this.#nonce, nonce),
            associatedData: utf8(identity.did),
        });
        this.computerId = sender;
        return this.#send(4, { cp: { c: b64u(await sha256(this.#cpace.share, this.#blind)) } });
    }

    async #reveal(share, blind) {
        if (blind.length !== 16 || share.length !== 32) throw unproven('a share of another length');
        this.#awaits = 0;
        this.#agreement = await this.#cpace.agree(share, utf8(this.computerId));
        const { typed, identity } = this.#options;
        this.#handshake = await Handshake.begin({
            pattern: 'XXpsk0', isInitiator: true, prologue: labelled('tandem-code-v1', lv(await sha256(this.#agreement.transcript))), own: identity.agreement,
            psk: await hkdf(this.#agreement.key, 32, { info: utf8('tandem-code-psk-v1') }),
        });
        const message = await this.#handshake.write();
        if (typed.length === 6) this.comparisonNumber = await shortNumber(this.#agreement.key, this.#blind, blind);
        return this.#send(6, { cp: { y: b64u(this.#cpace.share), r: b64u(this.#blind), t: b64u(this.#agreement.tag) }, hs: b64u(message) });
    }

    async #prove(tag, message, now) {
        if (!this.#agreement.isConfirmedBy(tag)) throw refusal('wrong-code', 'the computer');
        this.#awaits = 0;
        const { identity, device } = this.#options;
        const { payload, hash } = await this.#handshake.read(message);
        const key = this.#handshake.remote;
        const members = await proven(payload, 'responder', hash, key);
        this.#proven = { did: members.did, key, device: deviceOf(members) };
        if (this.#proven.device.id !== this.computerId) throw unproven('its id');
        const answer = await this.#handshake.write((own) => claim(identity, 'initiator', own, { device, t: now }));
        this.#keys = await this.#handshake.finish();
        const step = this.#send(8, { hs: b64u(answer) });
        // To the computer's own id, because the alias may be gone by then.
        this.#question = { payload: this.outgoing, recipient: this.computerId };
        return step;
    }

    /** Message 8: the person at the computer said yes. A forgery changes nothing, and an unsealed one says nothing. */
    async #finish(payload, sender) {
        const confirmation = sealed(payload, 'ct');
        if (this.#awaits !== 8 || !confirmation || sender !== this.computerId) return null;
        const opened = await open(this.#keys.receiving, nonceOf(0), confirmation, new Uint8Array());
        if (opened?.length !== 0) return null;
        this.#awaits = 0;
        return { paired: this.#proven };
    }

    #send(awaits, seal) {
        this.outgoing = exchange(this.digits, seal);
        this.#awaits = awaits;
        return { send: /** @type {const} */ (true) };
    }
}
