import { sameAddress, signalingAddress } from './address.js';
import { b64u } from './bytes.js';
import { readCode, typedDigits } from './code.js';
import { failure, WireError } from './error.js';
import { keyChanged } from './refusals.js';
import { PairingTry } from './pairing-try.js';
import { reject } from './pairing-message.js';
import { Alarm } from './time.js';
import { waysTo } from './ways.js';

/**
 * @typedef {Object} PairingOptions
 * @property {(item: Object<string, any>) => void} [onProgress]
 * @property {AbortSignal} [signal] Takes the question back.
 * @property {boolean} [acceptsNewIdentity] The person knows that the computer has another key now.
 * @property {(number: string) => Promise<boolean>} [confirm] The person's word that the computer asked for this number; where nobody can be asked, six digits do not pair.
 *
 * What pairing needs of the phone around it.
 *
 * @typedef {Object} PairingHost
 * @property {import('./keys.js').Identity} identity
 * @property {import('./time.js').Time} time
 * @property {() => {id: string, name: string, platform: string, version: string}} device
 * @property {string} words
 * @property {string | null} home
 * @property {(url: string) => boolean} mayDial
 * @property {import('./computers.js').Computers} computers
 * @property {(url: string) => import('./signaling.js').Signaling} server The connection to a server, made where there is none.
 * @property {(signaling: import('./signaling.js').Signaling) => Promise<void>} registered
 * @property {(paired: {proven: import('./pairing-scan.js').Proven, lan: string | null, relay: string | null, until: number | null}) => Promise<import('./computers.js').ComputerRecord>} add
 */

const SCAN_PATIENCE = 300_000;
const TYPED_PATIENCE = 60_000;
const PROVISIONAL = 300_000;
/** Answers about a code that is over, and how many such codes are known. */
const FAREWELLS = 5;
const ENDED_CODES = 8;

/** Pairing on the phone, in all four ways. What each is made of is fetched when it is used: most pages of a paired phone never pair again. Source: `docs/protocol.md` 1.2 and 2.3. */
export class Pairing {
    #host;
    /** @type {{tried: PairingTry, signaling: import('./signaling.js').Signaling} | null} */
    #current = null;
    #shown = null;
    #ended = new Map();

    /** @param {PairingHost} host */
    constructor(host) { this.#host = host; }

    /** What a code says. Nothing is sent. */
    read(text) { return readCode(text, this.#host.time.now()); }

    /**
     * Pairs by a code that was scanned.
     *
     * @param {string} text A link, or JSON.
     * @param {PairingOptions} [options]
     */
    async scan(text, options = {}) {
        const { identity, device, time, computers } = this.#host;
        const code = this.read(text);
        const known = computers.get(code.id);
        if (known && known.key !== b64u(code.offer.key) && !options.acceptsNewIdentity) throw keyChanged(known.name);
        const ways = waysTo([code.signalingUrl, code.relayUrl], this.#host);
        const { ScanExchange } = await import('./pairing-scan.js');
        const exchange = await ScanExchange.begin(code, identity, device(), time.now());
        try {
            return await this.#run(exchange, ways, SCAN_PATIENCE, options, (proven) => ({ proven, lan: kept(code.signalingUrl), relay: kept(code.relayUrl) }));
        } catch (error) {
            // The computer's clock decides; where the two differ, that is the reason.
            throw error.detail?.reason === 'shownCodeExpired' && code.ageDoubt ? code.ageDoubt : error;
        }
    }

    /**
     * Pairs by digits that were typed.
     *
     * @param {string} text
     * @param {PairingOptions} [options]
     */
    async type(text, options = {}) {
        const { identity, device, time } = this.#host;
        const digits = typedDigits(text);
        const { TypedExchange } = await import('./pairing-type.js');
        const exchange = new TypedExchange(digits, identity, device(), time.now());
        return this.#run(exchange, waysTo([], this.#host), TYPED_PATIENCE, options, (proven) => ({ proven, lan: null, relay: null }));
    }

    /**
     * Shows a code of this phone's own, for five minutes.
     *
     * @param {PairingOptions} [options]
     * @returns {Promise<{text: string, code: string, expiresAt: number, done: Promise<import('./computers.js').ComputerRecord>, hide(): void}>}
     */
    async show(options = {}) {
        const { identity, device, time } = this.#host;
        const [url] = waysTo([], this.#host);
        const signaling = this.#host.server(url);
        await this.#host.registered(signaling);
        this.#shown?.end(withdrawn());
        const { ShownExchange } = await import('./pairing-show.js');
        const exchange = new ShownExchange(identity, device(), time.now());
        const alarm = new Alarm(time);
        let settle;
        const done = new Promise((resolve, refuse) => { settle = { resolve, refuse }; });
        done.catch(() => {});
        const onAbort = () => shown.end(withdrawn());
        const shown = {
            exchange, signaling, options, work: Promise.resolve(), resolve: (record) => settle.resolve(record),
            end: (error) => {
                if (this.#shown === shown) this.#shown = null;
                this.#remember(exchange.digits);
                alarm.clear();
                options.signal?.removeEventListener('abort', onAbort);
                settle.refuse(error);
            },
        };
        alarm.set(exchange.expiresAt - time.now(), () => shown.end(failure('expired', 'shownCodeExpired', 'The code has expired. Make a new one.')));
        options.signal?.addEventListener('abort', onAbort);
        this.#shown = shown;
        return { text: exchange.text, code: exchange.digits, expiresAt: exchange.expiresAt, done, hide: () => shown.end(withdrawn()) };
    }

    /** A message of pairing that came over a connection. */
    receive(signaling, from, payload) {
        if (this.#current?.signaling === signaling) this.#current.tried.receive(from, payload);
        const shown = this.#shown;
        if (shown) shown.work = shown.work.then(() => this.#takeShown(shown, signaling, payload));
        else this.#sayGoodbye(signaling, payload);
    }

    peerOffline(signaling, id) {
        if (this.#current?.signaling === signaling) this.#current.tried.peerOffline(id);
    }

    reconnected(signaling) {
        if (this.#current?.signaling === signaling) this.#current.tried.reconnected();
    }

    /**
     * Tries one server after the other with one exchange: what is sent again is the same, byte for byte.
     *
     * @param {any} exchange
     * @param {string[]} ways
     * @param {number} patience
     * @param {PairingOptions} options
     * @param {(proven: import('./pairing-scan.js').Proven) => any} found
     */
    async #run(exchange, ways, patience, options, found) {
        const { onProgress = () => {}, confirm = async () => false, signal, acceptsNewIdentity = false } = options;
        if (this.#current) throw failure('refused', 'busy', 'Another pairing is under way. Wait until it is over, or cancel it.');
        const { identity, time, words } = this.#host;
        onProgress({ state: 'identified', words });
        let last = null;
        for (const url of ways) {
            const signaling = this.#host.server(url);
            const tried = new PairingTry({ exchange, identity, time, onProgress, confirm, patience, signal, send: (to, payload) => signaling.send(to, payload) });
            this.#current = { tried, signaling };
            try {
                await this.#host.registered(signaling);
                tried.start();
                const proven = await tried.done;
                this.#check(proven, acceptsNewIdentity);
                return await this.#host.add({ ...noted(found(proven), signaling), until: null });
            } catch (error) {
                if (error.code !== 'away') throw error;
                last = error;
            } finally {
                this.#current = null;
            }
        }
        throw last;
    }

    #check(proven, acceptsNewIdentity) {
        const known = this.#host.computers.get(proven.device.id);
        if (known && !acceptsNewIdentity && (known.key !== b64u(proven.key) || known.did !== proven.did)) throw keyChanged(known.name);
    }

    async #takeShown(shown, signaling, payload) {
        const { exchange, options } = shown;
        const { time } = this.#host;
        const found = await exchange.receive(payload, time.now());
        if (!found) return;
        if (found.reply) {
            signaling.send(found.to, found.reply);
            return;
        }
        try {
            this.#check(found.proven, options.acceptsNewIdentity);
            const record = await this.#host.add({ ...noted({ proven: found.proven, lan: null, relay: null }, signaling), until: time.now() + PROVISIONAL });
            // The record is written before the computer is told, so that it never holds a pairing that this phone lost.
            const { reply, to } = await exchange.accept(time.now());
            signaling.send(to, reply);
            shown.resolve(record);
        } catch (error) {
            const { reply, to } = exchange.refuse(error.detail?.reason === 'keyChanged' ? 'key-changed' : 'busy');
            signaling.send(to, reply);
            shown.end(error instanceof WireError ? error : new WireError('internal', 'The pairing could not be kept.'));
        }
    }

    #remember(digits) {
        this.#ended.set(digits, FAREWELLS);
        if (this.#ended.size > ENDED_CODES) this.#ended.delete(this.#ended.keys().next().value);
    }

    /** Tells a computer that scanned a code which is over, so that it does not wait. */
    #sayGoodbye(signaling, payload) {
        const digits = String(payload.pairingCode);
        const left = this.#ended.get(digits);
        if (payload.type !== 'pairing:confirmation' || !left || typeof payload.pcPeerId !== 'string') return;
        this.#ended.set(digits, left - 1);
        signaling.send(payload.pcPeerId, reject(digits, 'expired'));
    }
}

function withdrawn() { return failure('expired', 'codeWithdrawn', 'The code was taken back. Make a new one.'); }

/** An address of a code as it is kept: none that is not safe to use. */
function kept(address) {
    try {
        return address === null ? null : signalingAddress(address).url;
    } catch {
        return null;
    }
}

/** The server where the computer was met is kept, too. */
function noted(found, { url, isLocal }) {
    const isKnown = [found.lan, found.relay].some((each) => each !== null && sameAddress(each, url));
    if (isKnown) return found;
    return isLocal ? { ...found, lan: found.lan ?? url } : { ...found, relay: found.relay ?? url };
}
