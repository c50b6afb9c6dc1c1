import { signalingAddress } from './address.js';
import { randomId } from './bytes.js';
import { Computer } from './computer.js';
import { addressesIn, Computers } from './computers.js';
import { failure, WireError } from './error.js';
import { ownIdentity, words } from './keys.js';
import { Listeners } from './listeners.js';
import { Pairing } from './pairing.js';
import { Signaling } from './signaling.js';
import { CommandQueue } from './queue.js';
import { systemTime } from './time.js';
import { waysTo } from './ways.js';

/**
 * @typedef {Object} PhoneOptions
 * @property {import('./store.js').Store} store
 * @property {(url: string) => WebSocket} dial
 * @property {string | null} home The server that the page came from, as `wss:` or `ws:`.
 * @property {(url: string) => boolean} [mayDial] Whether another address may be used, as the page's policy allows it.
 * @property {import('./time.js').Time} [time]
 * @property {{name: string, platform: string, version: string}} device
 */

const REGISTERED_WITHIN = 10_000;

/** @param {PhoneOptions} options */
export async function openPhone(options) {
    const identity = await ownIdentity(options.store);
    let id = await options.store.get('keys', 'device');
    if (!id) {
        id = randomId();
        await options.store.put('keys', 'device', id);
    }
    const phone = new Phone(options, identity, id, await words(identity.did));
    await phone.load();
    return phone;
}

/** This browser as a phone: its identity, its servers, and its paired computers. */
export class Phone {
    #options;
    #identity;
    #time;
    #listeners = new Listeners();
    /** @type {Map<string, Signaling>} */
    #servers = new Map();
    /** @type {Map<string, Computer>} */
    #computers = new Map();
    #records;
    #isRunning = false;
    /** @type {Pairing} */
    pairing;
    /** @type {CommandQueue} */
    queue;

    /** Made by ``openPhone``. */
    constructor(options, identity, deviceId, ownWords) {
        this.#options = options;
        this.#identity = identity;
        this.#time = options.time ?? systemTime;
        this.#records = new Computers(options.store);
        this.home = options.home;
        this.mayDial = options.mayDial ?? (() => false);
        this.did = identity.did;
        this.words = ownWords;
        this.device = { id: deviceId, ...options.device };
        this.queue = new CommandQueue({ store: options.store, time: this.#time, computer: (id) => this.#computers.get(id) ?? null, onChange: () => this.#listeners.tell('queue') });
        this.pairing = new Pairing({
            identity, time: this.#time, words: ownWords, home: this.home, mayDial: this.mayDial, computers: this.#records, device: () => this.device,
            server: (url) => this.#server(url), registered: (signaling) => this.#registered(signaling), add: (paired) => this.#add(paired),
        });
    }

    async load() {
        await this.queue.load();
        await this.#records.load(this.#time.now());
        for (const record of this.#records.all) await this.#meet(record);
    }

    /** How this phone stands at the server that the page came from. */
    get state() { return (this.home && this.#servers.get(this.home)?.state) ?? 'stopped'; }

    /** @returns {() => void} What ends it. */
    on(name, listener) { return this.#listeners.on(name, listener); }

    /** Connects, and stays connected. */
    start() {
        this.#isRunning = true;
        if (this.home) this.#server(this.home);
        for (const record of this.#records.all) this.#reach(record);
        for (const signaling of this.#servers.values()) signaling.start();
    }

    /** Leaves the servers, as a hidden page has to. */
    pause() {
        this.#isRunning = false;
        for (const signaling of this.#servers.values()) signaling.stop();
    }

    /** Comes back at once. */
    resume() {
        if (!this.#isRunning) this.start();
        for (const signaling of this.#servers.values()) signaling.poke();
    }

    close() {
        this.pause();
        for (const computer of this.#computers.values()) computer.close();
    }

    rename(name) {
        this.device = { ...this.device, name };
        for (const computer of this.#computers.values()) computer.tellName(name);
    }

    /** @returns {import('./computers.js').ComputerRecord[]} */
    computers() { return this.#records.all; }

    /** @throws {WireError} Where no such computer is paired. */
    computer(id) {
        const computer = this.#computers.get(id);
        if (!computer) throw failure('not-found', 'unknownComputer', 'No such computer is paired.');
        return computer;
    }

    record(id) { return this.#records.get(id); }

    /** Names a computer for this phone alone. */
    async label(id, label) {
        await this.#records.update(id, { label });
        this.#listeners.tell('computers');
    }

    /** Forgets a computer. @returns {Promise<boolean>} Whether it was told. */
    async forget(id) {
        const computer = this.computer(id);
        const isTold = await computer.tellForgotten();
        await this.#end(id, 'here');
        return isTold;
    }

    // Servers

    #server(url) {
        const known = this.#servers.get(url);
        if (known) return known;
        const signaling = new Signaling({
            url, identity: this.#identity, dial: this.#options.dial, time: this.#time,
            device: () => ({ deviceId: this.device.id, name: this.device.name, platform: this.device.platform }),
            events: {
                onState: () => this.#onState(signaling),
                onMessage: (from, payload) => this.#onMessage(signaling, from, payload),
                onRecord: (from, frame) => this.#computers.get(from)?.session.receiveRecord(signaling, frame),
                onPeer: (id, isOnline) => this.#onPeer(signaling, id, isOnline),
                onRouteRefused: (id) => this.#computers.get(id)?.session.routeRefused(signaling),
            },
        });
        this.#servers.set(url, signaling);
        if (this.#isRunning) signaling.start();
        return signaling;
    }

    /** Waits until a server knows this phone. */
    #registered(signaling) {
        signaling.start();
        signaling.poke();
        if (signaling.state === 'registered') return Promise.resolve();
        return new Promise((resolve, reject) => {
            const end = (settle) => {
                stop();
                stopTimer();
                settle();
            };
            const stop = this.on('server', () => { if (signaling.state === 'registered') end(() => resolve(undefined)); });
            const stopTimer = this.#time.after(REGISTERED_WITHIN, () => end(() => reject(unreachable(signaling))));
        });
    }

    #onState(signaling) {
        this.#listeners.tell('server', signaling);
        for (const computer of this.#computers.values()) if (this.#isMetAt(computer.id, signaling)) computer.session.connection(signaling);
        if (signaling.state === 'registered') this.pairing.reconnected(signaling);
        if (signaling.url === this.home) this.#listeners.tell('state', this.state);
    }

    #onMessage(signaling, from, payload) {
        if (payload.type === 'e2e') this.#computers.get(from)?.session.receive(signaling, payload);
        else if (payload.type.startsWith('pair')) this.pairing.receive(signaling, from, payload);
    }

    #onPeer(signaling, id, isOnline) {
        if (!isOnline) this.pairing.peerOffline(signaling, id);
        this.#computers.get(id)?.session.presence(signaling, isOnline);
    }

    // Computers

    #urls(record) {
        const found = new Set(this.home ? [this.home] : []);
        for (const address of [record.lan, record.relay]) {
            try {
                if (address) waysTo([address], this).forEach((url) => found.add(url));
            } catch {
                // This page may not dial it: the computer is met elsewhere, or not at all.
            }
        }
        return found;
    }

    #isMetAt(id, signaling) {
        const record = this.#records.get(id);
        return record !== null && this.#urls(record).has(signaling.url);
    }

    #reach(record) {
        const computer = this.#computers.get(record.id);
        for (const url of this.#urls(record)) computer.session.connection(this.#server(url));
    }

    async #meet(record) {
        this.#computers.get(record.id)?.close();
        const { id } = record;
        const computer = new Computer({
            record, identity: this.#identity, store: this.#options.store, time: this.#time,
            current: () => this.#records.get(id),
            update: (members) => this.#update(id, members),
            onAddresses: (payload) => this.#takeAddresses(id, payload),
            onEnded: () => this.#end(id, 'forgotten'),
        });
        this.#computers.set(id, computer);
        computer.on('state', (state) => {
            this.#listeners.tell('computer', { id, state });
            if (state === 'ready') this.queue.run(id);
            if (state === 'ready') computer.tellName(this.device.name);
        });
        computer.events('*', ({ event, members }) => this.#listeners.tell('event', { id, event, members }));
        await computer.session.load();
        return computer;
    }

    async #add(paired) {
        const record = await this.#records.add({ ...paired, now: this.#time.now() });
        await this.#meet(record);
        this.#listeners.tell('computers');
        if (record.until !== null) this.#time.after(record.until - this.#time.now(), () => this.#sweep(record));
        this.#reach(record);
        return record;
    }

    /** The computer never came: it did not hear the last word of the pairing. */
    async #sweep({ id, pairedAt }) {
        const record = this.#records.get(id);
        if (record && record.until !== null && record.pairedAt === pairedAt && record.until <= this.#time.now()) await this.#end(id, 'never confirmed');
    }

    async #update(id, members) {
        const record = await this.#records.update(id, members);
        if (!record) return;
        this.#listeners.tell('computers');
        if (members.rights) this.#listeners.tell('rights', { id, rights: record.rights, at: record.rightsAt });
    }

    /** A computer tells where it is met from now on. */
    async #takeAddresses(id, payload) {
        const isUsable = (address) => {
            try {
                return signalingAddress(address).url !== '';
            } catch {
                return false;
            }
        };
        const { lan, relay } = addressesIn(payload, isUsable);
        const record = this.#records.get(id);
        // The server at which it is met right now stays known, whatever it says.
        const isMetByRelay = record?.relay && this.#computers.get(id)?.session.way?.signaling.url === record.relay;
        await this.#update(id, { ...(lan ? { lan } : {}), ...(relay && !isMetByRelay ? { relay } : {}) });
        if (record && this.#isRunning) this.#reachNew(this.#records.get(id));
    }

    #reachNew(record) {
        for (const url of record ? this.#urls(record) : []) {
            if (!this.#servers.has(url)) this.#computers.get(record.id).session.connection(this.#server(url));
        }
    }

    async #end(id, reason) {
        const computer = this.#computers.get(id);
        if (!computer) return;
        this.#computers.delete(id);
        await this.#records.remove(id);
        await this.queue.clear(id);
        computer.close(true);
        this.#listeners.tell('ended', { id, reason });
        this.#listeners.tell('computers');
    }
}

function unreachable({ url }) {
    return new WireError('away', `The server at ${new URL(url).host} could not be reached. Check that this phone is online, then try again.`, { reason: 'unreachable', values: { attempts: [] } });
}
