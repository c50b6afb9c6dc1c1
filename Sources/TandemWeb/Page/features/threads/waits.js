import { threadsOf } from '../../client/threads.js';
import { Users } from '../../client/users.js';
import { isWaiting, keyOf } from './states.js';

const known = new WeakMap();
/** Threads of one computer that are asked for. */
const MOST = 100;

/**
 * What waits for the person, on all computers that are reached: approvals, and threads whose agent asks something. One for the page, at work
 * while a screen uses it.
 *
 * @param {import('../../client/client.js').Client} client
 * @returns {Waits}
 */
export function waitsOf(client) {
    if (!known.has(client)) known.set(client, new Waits(client));
    return known.get(client);
}

class Waits {
    #client;
    #places = new Map();
    #users = new Users(() => this.#begin(), () => this.#end());
    #stops = [];
    #listeners = new Set();

    constructor(client) { this.#client = client; }

    /** @returns {{place: string, device: Object | null, thread: Object, approvals: Object[], at: number}[]} The one that waits longest first. */
    get all() {
        return [...this.#places.values()].flatMap((place) => place.entries).sort((a, b) => a.at - b.at);
    }

    /** @param {string} place A computer's id, empty for this one. */
    countAt(place) { return this.#places.get(place)?.entries.length ?? 0; }

    /**
     * Follows it as long as the life lasts.
     *
     * @param {() => void} changed Called at each change, and once at first.
     */
    use(life, changed) { this.#users.use(life, changed); }

    /**
     * What the computers tell of their threads, while something uses this: `told(place, event)`, with null for what has to be asked for again.
     *
     * @param {(place: string, event: Object | null) => void} told
     */
    listen(life, told) {
        this.#listeners.add(told);
        life.add(() => this.#listeners.delete(told));
    }

    /** Keeps how many wait at this computer on the navigation, whatever screen is shown. */
    badge(chrome, life) { this.use(life, () => chrome.badge('/threads', this.countAt(''))); }

    /** Once every computer that is reached was asked. */
    ready = Promise.resolve();

    #begin() {
        if (this.#client.role !== 'phone') {
            this.#watch('', null);
            this.ready = this.#places.get('').ready;
            return;
        }
        const look = async () => {
            const devices = await this.#client.devices.list().catch(() => null);
            if (!devices || this.#users.size === 0) return;
            const reached = devices.filter(({ path, allowed }) => path && path !== 'failed' && path !== 'connecting' && (!Array.isArray(allowed) || allowed.includes('threads.read')));
            for (const id of this.#places.keys()) if (!reached.some((device) => device.id === id)) this.#leave(id);
            for (const device of reached) this.#watch(device.id, device);
            this.#tell();
            await Promise.all([...this.#places.values()].map(({ ready }) => ready));
        };
        this.#stops = [this.#client.devices.onChange(look), this.#client.events('reach', look), this.#client.events('rights', look)];
        this.ready = look();
    }

    #end() {
        this.#stops.splice(0).forEach((stop) => stop());
        for (const id of [...this.#places.keys()]) this.#leave(id);
    }

    #watch(id, device) {
        const former = this.#places.get(id);
        if (former) {
            former.device = device;
            former.retry();
            return;
        }
        const place = new Place(threadsOf(this.#client, id ? this.#client.computer(id) : null), device, () => this.#tell(), (event) => {
            for (const told of this.#listeners) told(id, event);
        });
        this.#places.set(id, place);
    }

    #leave(id) {
        this.#places.get(id).stop();
        this.#places.delete(id);
    }

    #tell() { this.#users.tell(); }
}

/** What waits at one computer. */
class Place {
    #threads;
    #changed;
    #approvals = new Map();
    #waiting = new Map();
    #stream;
    #isOver = false;

    constructor(threads, device, changed, told) {
        this.#threads = threads;
        this.device = device;
        this.#changed = changed;
        this.#stream = threads.follow({
            onAnswer: () => { this.#load(); told(null); }, onEvent: (event) => { this.#receive(event); told(event); },
        });
        this.ready = this.#load();
    }

    get entries() {
        const byThread = new Map();
        const entry = (thread, at) => {
            const key = keyOf(thread);
            if (!byThread.has(key)) byThread.set(key, { place: this.#threads.place, device: this.device, thread, approvals: [], at });
            return byThread.get(key);
        };
        for (const thread of this.#waiting.values()) entry(thread, thread.last_message_ts ?? thread.updated_at ?? 0);
        for (const approval of this.#approvals.values()) {
            const found = entry({ id: approval.thread_id, source: approval.source }, approval.at ?? 0);
            found.approvals.push(approval);
            found.at = Math.min(found.at, approval.at ?? found.at);
        }
        return [...byThread.values()];
    }

    retry() { this.#stream.retry(); }

    stop() {
        this.#isOver = true;
        this.#stream.stop();
    }

    async #load() {
        try {
            const [approvals, ...lists] = await Promise.all([
                this.#threads.approvals(), ...['approval', 'input'].map((state) => this.#threads.list({ state, all: true, limit: MOST })),
            ]);
            if (this.#isOver) return;
            this.#approvals = new Map((approvals.items ?? []).map((each) => [each.id, each]));
            this.#waiting = new Map(lists.flatMap(({ items = [] }) => items).filter(({ state }) => isWaiting(state)).map((each) => [keyOf(each), each]));
            this.#changed();
        } catch {
            // Not allowed, not known there, or away: its own screens say which. It is asked again once it is followed.
        }
    }

    #receive(event) {
        if (event.event === 'threads.approval' && event.approval) this.#approvals.set(event.approval.id, event.approval);
        else if (event.event === 'threads.approval.closed') this.#approvals.delete(event.approval);
        else if (event.event === 'threads.changed' && event.thread) {
            if (isWaiting(event.thread.state)) this.#waiting.set(keyOf(event.thread), event.thread);
            else this.#waiting.delete(keyOf(event.thread));
        } else if (event.event === 'threads.removed') this.#waiting.delete(keyOf(event));
        else return;
        this.#changed();
    }
}
