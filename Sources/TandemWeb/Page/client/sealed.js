import { readLocally } from './barcode.js';
import { ClientError, Listeners, devicesOver, pairingOver } from './client.js';
import { serveCalls, tellEvents } from './sealed/call-methods.js';
import { chatDoor } from './sealed/chat-door.js';
import { SealedComputer } from './sealed/computer.js';
import { confirmation } from './sealed/confirmed.js';
import { serveDevices } from './sealed/device-methods.js';
import { serveThreads } from './sealed/follow-threads.js';
import { MethodTable } from './sealed/method-table.js';
import { KeptNotifications } from './sealed/notifications/kept.js';
import { serveNotifications } from './sealed/notifications/methods.js';
import { Paired } from './sealed/paired.js';
import { servePairing } from './sealed/pairing-methods.js';
import { Queue } from './sealed/queue.js';
import { serveQueue } from './sealed/queue-methods.js';
import { Topics } from './sealed/topics.js';

export { TABLES } from './sealed/notifications/kept.js';

/**
 * The client of a browser that is the phone itself: it answers the control methods of a phone, and speaks with computers over its own sealed sessions.
 */
export class SealedClient {
    /** @type {import('./client.js').Role} */
    role = 'phone';
    /** @type {import('./client.js').ClientState} */
    state = 'connecting';
    /** Nobody signs in here. */
    signOut = null;
    #phone;
    #states = new Listeners();
    #topics = new Topics();
    #table = new MethodTable();
    #offered = null;
    #invitation = null;
    #stops;

    /**
     * @param {Object} options
     * @param {any} options.phone Of `wire/phone.js`.
     * @param {any} options.store Its database, with the tables that `TABLES` names.
     * @param {string} options.version The page's.
     * @param {string | null} [options.offered] A computer's code that the page was opened with.
     * @param {string | null} [options.invitation] An invitation to this hub that the page was opened with.
     * @param {() => void} [options.onPaired]
     */
    constructor({ phone, store, version, offered = null, invitation = null, onPaired = () => {} }) {
        this.#phone = phone;
        this.#offered = offered;
        this.#invitation = invitation;
        this.self = {
            role: this.role, name: phone.device.name, version, id: phone.did, fingerprint: phone.words, platform: phone.device.platform, assets: { terminal: true }, hub: phone.home,
        };
        const paired = new Paired(phone);
        const queue = new Queue(phone);
        const kept = new KeptNotifications({ store, topics: this.#topics, paired });
        const context = { phone, paired, store, kept, queue, version, onPaired };
        serveDevices(this.#table, context);
        servePairing(this.#table, context);
        serveCalls(this.#table, context);
        serveQueue(this.#table, context);
        serveThreads(this.#table, context);
        this.#stops = [serveNotifications(this.#table, context), ...tellEvents(phone, paired, this.#topics)];
        const power = () => import('./sealed/power-methods.js').then(({ servePower }) => servePower(this.#table, context));
        this.#table.later(['power.'], power);
        // What wakes a computer is told while it is there: from the first time that one is.
        const stop = phone.on('computer', ({ state }) => {
            if (state !== 'ready') return;
            stop();
            power().catch(() => {});
        });
        this.#stops.push(stop);
        this.devices = devicesOver(this);
        this.pairing = { ...pairingOver(this, { matrix, read }), takeOffered: () => this.#takeOffered() };
        const chat = chatDoor(this.#table, { phone, store, topics: this.#topics });
        this.routes = chat.routes;
        this.#stops.push(chat.end);
    }

    /** Connects to the hub. What is here can be shown before. */
    async start() {
        this.#phone.start();
        this.#enter('live');
    }

    async retry() { this.#phone.resume(); }
    onState(listener) { return this.#states.add(listener); }
    events(topic, listener) { return this.#topics.on(topic, listener); }
    /** @returns {Promise<any>} */
    call(method, params, options) { return this.#table.ask(method, params, options); }
    /** @returns {any} */
    follow(method, params, options) { return this.#table.begin(method, params, options); }
    /** @returns {import('./client.js').Computer} */
    computer(id) { return new SealedComputer(this, this.#phone, id); }

    /**
     * The server has another version of the page. One that a paired computer has, too, is taken without asking; where two of them differ, a person decides.
     *
     * @param {{version: string, sha256: string}} bundle
     * @param {() => Promise<void>} take
     * @param {(said: import('./sealed/confirmed.js').Confirmation) => string} words What of it a person reads.
     */
    async updated(bundle, take, words) {
        const said = await confirmation(this.#phone, bundle);
        const isConfirmed = said.confirmedBy !== null && said.differsAt === null;
        if (isConfirmed) await take();
        this.takeUpdate = isConfirmed ? undefined : take;
        this.#topics.tell('updated', { version: bundle.version, isDoubtful: said.differsAt !== null, words: words(said) });
    }

    /** What takes the other version; undefined while there is none. @type {(() => Promise<void>) | undefined} */
    takeUpdate = undefined;

    /** What the page's entry does for the settings of this phone. @type {() => Promise<void>} */
    erase;
    /** @type {(name: string) => Promise<void>} */
    renameSelf;

    /** Another tab is the phone now, or it is erased. */
    end() {
        this.#stops.forEach((stop) => stop());
        this.#phone.close();
        this.#enter('gone');
    }

    /** The page was opened with a computer's code. */
    offer(text) {
        this.#offered = text;
        this.#topics.tell('offered', {});
    }

    /** The page was opened with an invitation to this hub. */
    invite(text) {
        this.#invitation = text;
        this.#topics.tell('invited', {});
    }

    /** @type {import('./client.js').Client['takeInvitation']} */
    takeInvitation() {
        const text = this.#invitation;
        this.#invitation = null;
        return text;
    }

    #takeOffered() {
        const text = this.#offered;
        this.#offered = null;
        if (!text) return null;
        try {
            return { text, name: this.#phone.pairing.read(text).name };
        } catch {
            // Why it cannot be used is said when it is tried.
            return { text, name: null };
        }
    }

    #enter(state) {
        if (this.state === state) return;
        this.state = state;
        this.#states.tell(state);
    }
}

async function matrix(text) {
    const { qrMatrix } = await import('./sealed/qr.js');
    const drawn = qrMatrix(text);
    if (!drawn) throw new ClientError('too-large', 'This is too long for a code.');
    return drawn;
}

/** Reads a code by the browser, and where that reads none, or none in a chosen picture, by the page: no program is here that could. */
async function read(picture) {
    const text = await readLocally(picture);
    if (text || (text === null && !(picture instanceof Blob))) return text;
    const { readByPage } = await import('./code-reader.js');
    return readByPage(picture);
}
