import { authorityOf, signalingAddress } from './address.js';
import { Backoff } from './backoff.js';
import { fromB64u, strictTextOf } from './bytes.js';
import { registrationProof } from './keys.js';
import { isIdentifier } from './peer-text.js';
import { Alarm } from './time.js';

/**
 * What a connection to a server is told about: `onState()`, `onMessage(from, payload)`, `onRecord(from, frame)`, `onPeer(id, isOnline, kind)` with the kind of
 * message that did not arrive, and `onRouteRefused(id)`.
 *
 * @typedef {Object} SignalingEvents
 * @property {() => void} onState
 * @property {(from: string, payload: any) => void} onMessage
 * @property {(from: string, frame: Uint8Array) => void} onRecord
 * @property {(id: string, isOnline: boolean, kind: string | null) => void} onPeer
 * @property {(id: string) => void} onRouteRefused
 *
 * @typedef {'connecting' | 'registered' | 'lost' | 'replaced' | 'refused' | 'stopped'} SignalingState
 */

const REPLACED = 4409;
const TRY_LIMIT = 10_000;
const LOCAL_TRY_LIMIT = 4000;
const PING_AFTER = 20_000;
const PONG_LIMIT = 10_000;
const REPLACED_WAIT = 60_000;
const REFUSED_WAIT = 300_000;
const HELD = 500;
/** The state of a WebSocket that takes what is sent. */
const OPEN = 1;
const LAST_ROUTE = 1023;
/** Characters of a text, and bytes of a binary frame, that are looked at. */
const LARGEST_FRAME = 2 * 1024 * 1024;
const KINDS = 8;

/** This phone at one signaling server: registers with proof, and again whenever the connection was lost. Source: `docs/protocol.md` 1.1, 2.1 and 2.2. */
export class Signaling {
    /** @type {SignalingState} */
    state = 'stopped';
    /** Whether the server forwards records as they are. */
    isBinary = false;
    /** The members of the server's last `registered`. @type {Object<string, any>} */
    registered = {};
    #options;
    #socket = null;
    #backoff;
    #alarm;
    #keepalive;
    #heardAt = 0;
    #isProbing = false;
    #registeredAt = 0;
    /** Routes towards the server by id, and from it by number. */
    #routes = new Map();
    #senders = new Map();

    /**
     * @param {Object} options
     * @param {string} options.url
     * @param {import('./keys.js').Identity} options.identity
     * @param {() => Object<string, any>} options.device What the registration says of this device.
     * @param {(url: string) => WebSocket} options.dial
     * @param {import('./time.js').Time} options.time
     * @param {SignalingEvents} options.events
     */
    constructor(options) {
        this.#options = options;
        this.url = options.url;
        this.isLocal = signalingAddress(options.url).isLocal;
        this.#backoff = new Backoff();
        this.#alarm = new Alarm(options.time);
        this.#keepalive = new Alarm(options.time);
    }

    start() {
        if (this.state === 'stopped') this.#dial();
    }

    stop() {
        this.#drop();
        this.#alarm.clear();
        this.#set('stopped');
    }

    /** Tries now, where it waits. */
    poke() {
        if (this.state !== 'lost' && this.state !== 'refused') return;
        this.#backoff.reset();
        this.#dial();
    }

    /** Asks the server for a sign of life, and gives the connection up where none comes: a session over it got no answer. */
    probe(limit = 1500) {
        const isSoon = this.#isProbing && this.#keepalive.at !== null && this.#keepalive.at - this.#options.time.now() <= limit;
        if (this.state === 'registered' && !isSoon) this.#ping(limit);
    }

    /** @returns {boolean} Whether it went out. */
    send(to, payload) { return this.#write({ type: 'message', to, payload }); }

    /**
     * Sends a compact record.
     *
     * @param {string} to
     * @param {Uint8Array} frame Its bytes, with room for the route.
     * @returns {boolean}
     */
    sendRecord(to, frame) {
        if (!this.#canSend || !this.isBinary) return false;
        let route = this.#routes.get(to);
        if (route === undefined) {
            route = this.#routes.size % LAST_ROUTE + 1;
            this.#routes.set(to, route);
            this.#write({ type: 'route', to, route });
        }
        new DataView(frame.buffer, frame.byteOffset).setUint32(2, route);
        this.#socket.send(frame);
        return true;
    }

    #set(state) {
        if (this.state === state) return;
        this.state = state;
        this.#options.events.onState();
    }

    /** A socket that closes says so only when it is closed. */
    get #canSend() { return this.state === 'registered' && this.#socket.readyState === OPEN; }

    #write(frame) {
        if (!this.#canSend) return false;
        this.#socket.send(JSON.stringify(frame));
        return true;
    }

    #dial() {
        this.#drop();
        this.#set('connecting');
        let socket;
        try {
            socket = this.#options.dial(this.url);
        } catch {
            this.#lost(0);
            return;
        }
        socket.binaryType = 'arraybuffer';
        this.#socket = socket;
        socket.onopen = () => this.#register({ v: 1, key: this.#options.identity.did });
        socket.onmessage = ({ data }) => { if (socket === this.#socket) this.#take(data); };
        socket.onerror = () => {};
        socket.onclose = ({ code }) => { if (socket === this.#socket) this.#lost(code); };
        this.#alarm.set(this.isLocal ? LOCAL_TRY_LIMIT : TRY_LIMIT, () => this.#lost(0));
    }

    /** Leaves the socket: what still comes over it is not heard. */
    #drop() {
        const socket = this.#socket;
        this.#socket = null;
        this.#keepalive.clear();
        this.#isProbing = false;
        this.isBinary = false;
        this.#routes.clear();
        this.#senders.clear();
        if (!socket) return;
        socket.onopen = socket.onmessage = socket.onclose = null;
        // A socket that never opened says so as an error, which nobody waits for.
        socket.onerror = () => {};
        socket.close();
    }

    #lost(code) {
        const held = this.state === 'registered' && this.#options.time.now() - this.#registeredAt >= HELD;
        this.#drop();
        if (held) this.#backoff.reset();
        if (this.state === 'refused') {
            this.#alarm.set(REFUSED_WAIT, () => this.#dial());
            return;
        }
        // Another holder of this key took the id. It may be a thief, so this phone comes back, but not at once: two of them would fight.
        this.#alarm.set(code === REPLACED ? REPLACED_WAIT : this.#backoff.next(), () => this.#dial());
        this.#set(code === REPLACED ? 'replaced' : 'lost');
    }

    #register(e2e) {
        const { identity, device } = this.#options;
        this.#socket?.send(JSON.stringify({ type: 'register', peerId: identity.did, deviceType: 'mobile', deviceInfo: device(), e2e }));
    }

    /** Sends something in good time before networks forget a silent connection, and gives it up where nothing comes back. */
    #keepAlive() {
        this.#isProbing = false;
        this.#keepalive.set(PING_AFTER, () => this.#ping(PONG_LIMIT));
    }

    #ping(limit) {
        const asked = this.#options.time.now();
        this.#isProbing = true;
        this.#write({ type: 'ping' });
        this.#keepalive.set(limit, () => {
            if (this.#heardAt >= asked) {
                this.#keepAlive();
            } else {
                this.#backoff.reset();
                this.#lost(0);
                this.poke();
            }
        });
    }

    #take(data) {
        this.#heardAt = this.#options.time.now();
        if (this.#isProbing) this.#keepAlive();
        if (typeof data === 'string') {
            if (data.length <= LARGEST_FRAME) this.#takeText(data);
            return;
        }
        const bytes = new Uint8Array(data);
        if (!bytes.length || bytes.length > LARGEST_FRAME) return;
        if (bytes[0] < 1 || bytes[0] > KINDS) {
            const text = strictTextOf(bytes);
            if (text !== null) this.#takeText(text);
        } else if (bytes[0] === 1 && bytes.length > 14) {
            const from = this.#senders.get(new DataView(data).getUint32(2));
            if (from) this.#options.events.onRecord(from, bytes);
        }
    }

    #takeText(text) {
        let frame;
        try {
            frame = JSON.parse(text);
        } catch {
            return;
        }
        if (frame === null || typeof frame !== 'object') return;
        switch (frame.type) {
        case 'challenge': return void this.#prove(frame);
        case 'registered': return this.#isRegistered(frame);
        case 'message': return this.#deliver(frame);
        case 'offline-message': return this.#deliver(frame.originalMessage);
        case 'peer-offline': return this.#tellPeer(frame.peerId, false, typeof frame.messageType === 'string' ? frame.messageType : 'message');
        case 'peer-status': return this.#tellPeer(frame.peerId, frame.status === 'online', null);
        case 'route': return this.#takeRoute(frame);
        case 'error': return this.#takeError(frame);
        default:
        }
    }

    async #prove(frame) {
        const { identity } = this.#options;
        const nonce = fromB64u(frame.nonce, 32);
        if (frame.peerId !== identity.did || !nonce || this.state !== 'connecting') return;
        const socket = this.#socket;
        const sig = await registrationProof(identity, identity.did, nonce, authorityOf(this.url));
        if (socket === this.#socket) this.#register({ v: 1, key: identity.did, nonce: frame.nonce, sig });
    }

    #isRegistered(frame) {
        if (frame.peerId !== this.#options.identity.did || this.state === 'registered') return;
        this.registered = frame;
        this.isBinary = frame.e2e?.binary === true;
        this.#registeredAt = this.#options.time.now();
        this.#alarm.clear();
        this.#keepAlive();
        this.#set('registered');
    }

    #deliver(frame) {
        if (frame === null || typeof frame !== 'object' || !isIdentifier(frame.from)) return;
        let { payload } = frame;
        if (typeof payload === 'string') {
            try {
                payload = JSON.parse(payload);
            } catch {
                return;
            }
        }
        if (payload !== null && typeof payload === 'object' && typeof payload.type === 'string') this.#options.events.onMessage(frame.from, payload);
    }

    #tellPeer(id, isOnline, kind) {
        if (isIdentifier(id)) this.#options.events.onPeer(id, isOnline, kind);
    }

    #takeRoute(frame) {
        if (frame.refused === true) {
            if (isIdentifier(frame.to)) this.#options.events.onRouteRefused(frame.to);
        } else if (isIdentifier(frame.from) && Number.isInteger(frame.route) && frame.route >= 0 && frame.route < 2 ** 32 && (this.#senders.size < 4096 || this.#senders.has(frame.route))) {
            this.#senders.set(frame.route, frame.from);
        }
    }

    #takeError(frame) {
        // An id that another key holds: asking again soon changes nothing.
        if (this.state !== 'connecting' || !['proof-failed', 'proof-required', 'key-mismatch'].includes(frame.code)) return;
        this.#set('refused');
        this.#lost(0);
    }
}
