import { failure } from './error.js';
import { TABLES } from './store.js';

/**
 * A store in this browser's database.
 *
 * @param {IDBFactory} factory
 * @param {{name: string, tables?: string[]}} options Names tables beside those of the wire. A database of an older page, which lacks some, gets them.
 * @returns {Promise<import('./store.js').Store & {close(): void}>}
 * @throws {import('./error.js').WireError} `storageDenied` where the browser keeps nothing, `storageFull` where there is no room.
 */
export async function openStore(factory, { name, tables = [] }) {
    const database = await opened(factory, name, [...TABLES, ...tables]);
    const write = (writes) => finished(database, [...new Set(writes.map(({ table }) => table))], 'readwrite', (transaction) => {
        for (const { table, key, value, remove } of writes) {
            const store = transaction.objectStore(table);
            if (remove) store.delete(key);
            else store.put(value, key);
        }
    });
    return {
        get: (table, key) => finished(database, [table], 'readonly', (transaction) => transaction.objectStore(table).get(key)),
        list: (table) => listed(database, table),
        range: (table, from, to, { limit = Infinity, isBack = false } = {}) => listed(database, table, { range: IDBKeyRange.bound(from, to), limit, direction: isBack ? 'prev' : 'next' }),
        put: (table, key, value) => write([{ table, key, value }]),
        delete: (table, key) => write([{ table, key, remove: true }]),
        write,
        close: () => database.close(),
    };
}

function denied() {
    return failure('refused', 'storageDenied', 'This browser keeps nothing for this page, so it cannot be paired. Leave the private window, or allow the page to keep data.');
}

function written(error) {
    return error?.name === 'QuotaExceededError' ? failure('full', 'storageFull', 'This browser has no room left for this page. Make room on the telephone.') : denied();
}

/** @returns {Promise<IDBDatabase>} */
async function opened(factory, name, tables) {
    const database = await asked(factory, name, tables);
    if (tables.every((table) => database.objectStoreNames.contains(table))) return database;
    const version = database.version + 1;
    database.close();
    return asked(factory, name, tables, version);
}

/**
 * @param {number} [version] The database's own unless told otherwise.
 * @returns {Promise<IDBDatabase>}
 */
function asked(factory, name, tables, version) {
    return new Promise((resolve, reject) => {
        let request;
        try {
            request = factory.open(name, version);
        } catch {
            reject(denied());
            return;
        }
        request.onupgradeneeded = () => {
            for (const table of tables) if (!request.result.objectStoreNames.contains(table)) request.result.createObjectStore(table);
        };
        request.onsuccess = () => {
            // A page of a newer version, which keeps more, waits for this one to let go.
            request.result.onversionchange = () => request.result.close();
            resolve(request.result);
        };
        request.onerror = () => reject(written(request.error));
    });
}

/** Does something in a transaction, and waits until it is on the disk. */
function finished(database, tables, mode, action) {
    return new Promise((resolve, reject) => {
        try {
            const transaction = database.transaction(tables, mode, { durability: 'strict' });
            const request = action(transaction);
            transaction.oncomplete = () => resolve(request?.result);
            transaction.onabort = () => reject(written(transaction.error));
        } catch (error) {
            reject(written(error));
        }
    });
}

/**
 * @param {IDBDatabase} database
 * @param {string} table
 * @param {{range?: IDBKeyRange, limit?: number, direction?: IDBCursorDirection}} [options]
 */
async function listed(database, table, options = {}) {
    const { range, limit = Infinity, direction = 'next' } = options;
    const keys = [];
    const values = [];
    await finished(database, [table], 'readonly', (transaction) => {
        const request = transaction.objectStore(table).openCursor(range, direction);
        request.onsuccess = () => {
            const cursor = request.result;
            if (!cursor || keys.length >= limit) return;
            keys.push(String(cursor.key));
            values.push(cursor.value);
            cursor.continue();
        };
    });
    return keys.map((key, at) => ({ key, value: values[at] }));
}
