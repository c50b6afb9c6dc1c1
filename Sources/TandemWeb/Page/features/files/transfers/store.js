/**
 * Transfers as they are kept over a reload, in the browser's database: what they are, how far they came, and the handles of files where the
 * browser gives any. Without a database they live as long as the page.
 */
const NAME = 'tandem-transfers';

export class TransferStore {
    #database = null;

    async open() {
        this.#database = await new Promise((resolve) => {
            const request = indexedDB.open(NAME, 1);
            request.onupgradeneeded = () => request.result.createObjectStore('jobs', { keyPath: 'id' });
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => resolve(null);
        }).catch(() => null);
    }

    all() { return this.#ask('readonly', (jobs) => jobs.getAll()).then((found) => found ?? []); }

    put(job) { return this.#ask('readwrite', (jobs) => jobs.put(job)); }

    delete(id) { return this.#ask('readwrite', (jobs) => jobs.delete(id)); }

    #ask(mode, work) {
        if (!this.#database) return Promise.resolve(null);
        return new Promise((resolve) => {
            const transaction = this.#database.transaction('jobs', mode);
            const request = work(transaction.objectStore('jobs'));
            transaction.oncomplete = () => resolve(request.result);
            transaction.onabort = () => resolve(null);
        });
    }
}
