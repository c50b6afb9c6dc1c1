/** A phone in a browser: with its sockets and its database. */
import { openStore } from '../../../Sources/TandemWeb/Page/wire/store-indexeddb.js';
import { steered } from './steered.mjs';

const phones = new Map();

/** Does an order with the phone of that name; one that was there before the page was loaded is found again. */
export async function order(name, act, args) {
    if (!phones.has(name)) {
        const store = await openStore(indexedDB, { name, tables: [] });
        phones.set(name, steered({ store, dial: (url) => new WebSocket(url), cut: (socket) => socket.close() }));
    }
    return phones.get(name)(act, args);
}
