import { ClientError } from '../client.js';

/** How long the browser has to come for a file. */
const COLLECTED = 60_000;

/**
 * A file that the person keeps: where they choose, written as it is made; in a browser without such a choice among its downloads, once it is whole.
 *
 * @type {import('./export.js').Saving}
 */
export async function savedFile(name) {
    const choose = /** @type {any} */ (window).showSaveFilePicker;
    return typeof choose === 'function' ? chosen(await asked(() => choose.call(window, { suggestedName: name }))) : downloaded(name);
}

async function asked(choose) {
    try {
        return await choose();
    } catch (error) {
        if (error?.name === 'AbortError') throw new ClientError('cancelled');
        throw new ClientError('refused', 'The browser may not write there. Choose another place.');
    }
}

/** @returns {Promise<import('./export.js').Saved>} */
async function chosen(handle) {
    const stream = await handle.createWritable();
    return { name: handle.name, write: (bytes) => stream.write(bytes), close: () => stream.close(), abort: () => stream.abort() };
}

/** @returns {import('./export.js').Saved} */
function downloaded(name) {
    // A browser keeps the bytes of a blob on its disk where they are many; a blob of blobs refers to them.
    const parts = [];
    return {
        name,
        write: async (bytes) => { parts.push(bytes instanceof Blob ? bytes : new Blob([/** @type {any} */ (bytes)])); },
        close: async () => {
            const url = URL.createObjectURL(new Blob(parts, { type: 'application/zip' }));
            const link = document.createElement('a');
            link.href = url;
            link.download = name;
            link.click();
            setTimeout(() => URL.revokeObjectURL(url), COLLECTED);
        },
        abort: async () => { parts.length = 0; },
    };
}
