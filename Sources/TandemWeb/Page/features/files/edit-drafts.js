/**
 * Texts that were changed and not saved, in the browser's database: they outlive a reload and a computer that is away. Without a database they
 * live as long as the page.
 */
export const DATABASE = 'tandem-edits';
/** Drafts that are kept: the oldest goes. */
const MOST = 20;

/**
 * @typedef {Object} Draft
 * @property {string} id
 * @property {string} text
 * @property {import('./edit-file.js').Read} read What the text was made from.
 * @property {string} like The text whose line endings are kept.
 * @property {number} at When it was typed.
 */

let opening = null;

function opened() {
    opening ??= new Promise((resolve) => {
        const request = indexedDB.open(DATABASE, 1);
        request.onupgradeneeded = () => request.result.createObjectStore('drafts', { keyPath: 'id' });
        request.onsuccess = () => {
            // Another page may take it away, as when this phone is forgotten.
            request.result.onversionchange = () => { request.result.close(); opening = null; };
            resolve(request.result);
        };
        request.onerror = () => resolve(null);
    }).catch(() => null);
    return opening;
}

async function ask(mode, work) {
    const database = await opened();
    if (!database) return null;
    return new Promise((resolve) => {
        try {
            const transaction = database.transaction('drafts', mode);
            const request = work(transaction.objectStore('drafts'));
            transaction.oncomplete = () => resolve(request.result);
            transaction.onabort = () => resolve(null);
        } catch {
            resolve(null);
        }
    });
}

const idOf = (device, path) => `${device} ${path}`;

/** @returns {Promise<Draft | null>} */
export async function draftOf(device, path) { return await ask('readonly', (drafts) => drafts.get(idOf(device, path))) ?? null; }

export async function keepDraft(device, path, { text, read, like }) {
    await ask('readwrite', (drafts) => drafts.put({ id: idOf(device, path), text, read, like, at: Date.now() }));
    const all = await ask('readonly', (drafts) => drafts.getAll()) ?? [];
    const old = all.sort((a, b) => b.at - a.at).slice(MOST);
    for (const { id } of old) await ask('readwrite', (drafts) => drafts.delete(id));
}

export async function dropDraft(device, path) { await ask('readwrite', (drafts) => drafts.delete(idOf(device, path))); }
