import { CommandQueue } from '../../../Sources/TandemWeb/Page/wire/queue.js';
import { WireError } from '../../../Sources/TandemWeb/Page/wire/error.js';
import { memoryStore } from '../wire/memory-store.mjs';

/** Listeners by name, as the wire has them. */
class Told {
    #all = new Map();

    on(name, listener) {
        if (!this.#all.has(name)) this.#all.set(name, new Set());
        this.#all.get(name).add(listener);
        return () => this.#all.get(name).delete(listener);
    }

    tell(name, ...values) { for (const listener of [...this.#all.get(name) ?? []]) listener(...values); }
}

/** A computer that answers by script: `answers` has a function for each method that it serves. */
export class ScriptedComputer extends Told {
    state = 'ready';
    path = 'relay';
    asked = [];
    answers = {};

    constructor(id) { super(); this.id = id; }

    async call(method, params, options) {
        this.asked.push({ method, params, ...(options?.durable && { durable: true }) });
        if (this.state !== 'ready') throw new WireError('away', 'The computer is not connected right now.');
        const answer = this.answers[method];
        if (!answer) throw new WireError('unknown-method', `No ${method} here.`, { rpc: -32601 });
        return answer(params);
    }

    events(name, listener) { return this.on(`event ${name}`, listener); }

    emit(event, members) {
        this.tell(`event ${event}`, members);
        this.tell('event *', { event, members });
        this.phone.tell('event', { id: this.id, event, members });
    }

    stand(state) {
        this.state = state;
        this.tell('state', state);
        this.phone.tell('computer', { id: this.id, state });
        if (state === 'ready') this.phone.queue.run(this.id);
    }
}

/** What stands for `wire/phone.js`, with two computers. */
export async function scriptedPhone(store = memoryStore()) {
    const phone = Object.assign(new Told(), {
        did: 'did:key:z6MkvDqGT54cXesYGvABpF1UapVNwjCqRcafi4Px6Thv5T3Z', words: 'amber-falcon-drift-mellow', home: 'wss://hub.example', state: 'registered',
        device: { id: 'b1d6c3a2', name: 'Firefox Android', platform: 'android', version: '1' }, started: 0,
        start() { phone.started += 1; }, resume() {}, close() {},
        computers: () => [...phone.records.values()],
        computer(id) {
            if (!phone.machines.has(id)) throw new WireError('not-found', 'No such computer is paired.');
            return phone.machines.get(id);
        },
        async label(id, label) { phone.records.set(id, { ...phone.records.get(id), label }); phone.tell('computers'); },
        async forget(id) {
            const wasThere = phone.machines.get(id).state === 'ready';
            phone.records.delete(id);
            phone.machines.delete(id);
            phone.tell('ended', { id, reason: 'here' });
            phone.tell('computers');
            return wasThere;
        },
        pairing: {
            read: (text) => ({ name: 'studio', ageDoubt: text.includes('old') ? new WireError('expired', 'Old.', { reason: 'codeExpired', values: { ageSeconds: 400 } }) : null }),
            async scan(text, { onProgress }) {
                if (text.includes('unsealed')) throw new WireError('refused', 'It cannot seal.', { reason: 'notEndToEnd', values: { name: 'studio' } });
                onProgress({ state: 'identified', words: phone.words });
                onProgress({ state: 'waiting', until: 1790000000000 });
                return phone.records.get('pc-1');
            },
            async type(digits, { onProgress, confirm }) {
                onProgress({ state: 'waiting', until: 1790000000000 });
                onProgress({ state: 'compare', number: '604281' });
                onProgress({ state: 'confirm', number: '604281' });
                if (!await confirm('604281')) throw new WireError('refused', 'This phone keeps nothing.', { reason: 'numberUnconfirmed' });
                return phone.records.get('pc-1');
            },
            async show() {
                let end;
                const done = new Promise((resolve, reject) => { end = { resolve, reject }; });
                done.catch(() => {});
                phone.shown = { paired: () => end.resolve(phone.records.get('pc-1')) };
                return { text: '{}', code: '482915', expiresAt: 1790000000000, done, hide: () => end.reject(new WireError('expired', 'Taken back.', { reason: 'codeWithdrawn' })) };
            },
        },
    });
    phone.machines = new Map();
    phone.records = new Map();
    for (const [id, name] of [['pc-1', 'studio'], ['pc-2', 'Büro']]) {
        const machine = new ScriptedComputer(id);
        machine.phone = phone;
        phone.machines.set(id, machine);
        phone.records.set(id, {
            id, did: `did:key:${id}`, words: 'cobalt-heron', name, platform: 'linux', pairedAt: 1, lastSeenAt: 2, isConfirmed: true, lan: null, relay: 'wss://hub.example',
            rights: id === 'pc-1' ? ['notification'] : ['file.read'], rightsAt: 3, label: null,
        });
    }
    phone.queue = new CommandQueue({
        store, time: { now: () => Date.now(), after: () => () => {} }, computer: (id) => phone.machines.get(id) ?? null, onChange: () => phone.tell('queue'),
    });
    await phone.queue.load();
    return { phone, store };
}

/** Waits until something is so, for a second at most. */
export async function until(is) {
    for (let tries = 0; tries < 1000; tries += 1) {
        if (is()) return;
        await new Promise((resolve) => setImmediate(resolve));
    }
    throw new Error('what was waited for did not come');
}
