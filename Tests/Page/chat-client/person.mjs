/** A person's phone over a hub in memory: started, killed and started again over the same disk. */
import { MethodTable } from '../../../Sources/TandemWeb/Page/client/sealed/method-table.js';
import { PhoneChat } from '../../../Sources/TandemWeb/Page/client/chat/chat.js';
import { makeIdentity } from '../../../Sources/TandemWeb/Page/wire/keys.js';
import { memoryStore } from '../wire/memory-store.mjs';
import { Network } from './hub.mjs';

/** Everything that waits does so a hundred times as fast. */
const FAST = 100;
export const time = {
    now: () => Date.now(),
    after: (milliseconds, action) => {
        const timer = setTimeout(action, milliseconds / FAST);
        return () => clearTimeout(timer);
    },
};

export class Person {
    store = memoryStore();
    told = [];
    /** What the person saved, by its names; null for what was given up. @type {Map<string, Blob | null>} */
    saved = new Map();

    static async made(hub, random, name) {
        const person = new Person();
        person.network = new Network(hub, random);
        person.identity = await makeIdentity();
        person.name = name;
        await person.start();
        person.account = await person.call('account.new', { hub: 'hub.example', name, nickname: name });
        return person;
    }

    async start() {
        this.table = new MethodTable();
        this.chat = new PhoneChat({
            table: this.table, store: this.store, origin: 'https://hub.example', identity: this.identity, device: () => ({ name: 'phone', platform: 'linux' }), tell: () => {}, signed: async () => {},
            pictures: { photo: async (blob) => ({ blob, width: 4, height: 3 }) }, dial: this.network.dial, saving: (name) => this.#saving(name), fetch: /** @type {any} */ (this.network.fetch), time,
        });
        await this.chat.start();
    }

    async #saving(name) {
        const parts = [];
        return { name, write: async (bytes) => { parts.push(bytes); }, close: async () => { this.saved.set(name, new Blob(parts)); }, abort: async () => { this.saved.set(name, null); } };
    }

    /** The page is gone from one moment to the next; what it had on its disk stays. */
    async kill() {
        const { store } = this;
        // Nothing that the old page still does reaches the disk.
        this.store = await copied(store);
        this.chat.end();
        this.network.cut();
        await this.start();
    }

    call(method, params = {}) { return this.table.ask(method, params); }

    /** Waits until the phone has nothing left to do. */
    async settled(seconds = 20) {
        const ends = Date.now() + seconds * 1000;
        for (let quiet = 0; quiet < 5;) {
            if (Date.now() > ends) throw new Error(`${this.name} does not come to rest`);
            await new Promise((done) => { setTimeout(done, 5); });
            const { session } = this.chat;
            const rows = (await this.store.list('chat-outbox')).filter(({ value }) => !value.isFailed);
            quiet = session && session.isSettled && session.feed.standing === 'live' && rows.length === 0 ? quiet + 1 : 0;
        }
    }

    /** All of a conversation, by pages. */
    async all(conversation) {
        const found = [];
        for (let before; ;) {
            const page = await this.call('chat.history', { conversation, limit: 40, ...(before && { before }) });
            found.unshift(...page.messages);
            if (page.isEnd) return found;
            before = page.messages[0].seq;
        }
    }
}

async function copied(store) {
    const copy = memoryStore();
    for (const table of store.names()) for (const { key, value } of await store.list(table)) await copy.put(table, key, value);
    return copy;
}
