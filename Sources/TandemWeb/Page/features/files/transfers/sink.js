import { ClientError } from '../../../client/client.js';
import { scriptAddress } from '../../../kit/address.js';
import { Checksum } from './checksum.js';

let worker = null;
let seq = 0;
const waiting = new Map();

/** Where a download is collected: in the browser's own file system, or in memory where there is none. */
export async function openSink(id) {
    if (!canKeep()) return new MemorySink();
    try {
        return new FileSink(id, await ask('open', { id }));
    } catch (error) {
        // In a private window there may be the interface and no room behind it.
        if (error.code === 'full' || error.detail?.name === 'NoModificationAllowedError') throw error;
        return new MemorySink();
    }
}

/** What was collected, as a file; null where it is gone. */
export async function collected(id) {
    if (!canKeep()) return null;
    try {
        const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('downloads');
        return await (await folder.getFileHandle(id)).getFile();
    } catch {
        return null;
    }
}

export async function removeCollected(id) {
    if (canKeep()) await ask('remove', { id }).catch(() => {});
}

function canKeep() { return typeof navigator.storage?.getDirectory === 'function' && typeof FileSystemFileHandle !== 'undefined'; }

function ask(work, values, transfer = []) {
    if (!worker) {
        worker = new Worker(scriptAddress('/features/files/transfers/sink-worker.js'), { type: 'module' });
        worker.onmessage = ({ data }) => {
            const { resolve, reject } = waiting.get(data.seq);
            waiting.delete(data.seq);
            if (data.error) reject(failed(data.error));
            else resolve(data.value);
        };
        worker.onerror = () => {
            for (const { reject } of waiting.values()) reject(new ClientError('internal'));
            waiting.clear();
            worker = null;
        };
    }
    return new Promise((resolve, reject) => {
        seq += 1;
        waiting.set(seq, { resolve, reject });
        worker.postMessage({ seq, work, ...values }, transfer);
    });
}

function failed({ name, message }) {
    return new ClientError(name === 'QuotaExceededError' ? 'full' : 'internal', message, { name });
}

class FileSink {
    keeps = true;

    constructor(id, size) {
        this.id = id;
        this.size = size;
    }

    write(at, bytes, { counts = false } = {}) { return ask('write', { id: this.id, at, bytes, counts }, [bytes.buffer]); }
    checksum() { return ask('checksum', { id: this.id }); }
    truncate(size) { return ask('truncate', { id: this.id, size }); }
    close() { return ask('close', { id: this.id }); }
    file() { return collected(this.id); }
}

/** The same without a file system: lost with the page. */
class MemorySink {
    keeps = false;
    size = 0;
    #parts = [];
    #checksum = new Checksum();

    async write(at, bytes, { counts = false } = {}) {
        if (counts) this.#checksum.add(bytes);
        this.size = Math.max(this.size, at + bytes.length);
        const index = this.#parts.findIndex((part) => part.at === at);
        if (index >= 0) this.#parts[index] = { at, data: bytes };
        // A Blob each, which the browser may move to its disk.
        else this.#parts.push({ at, data: bytes.length > 65_536 ? new Blob([bytes]) : bytes });
    }

    async checksum() {
        const { value } = this.#checksum;
        this.#checksum = new Checksum();
        return value;
    }

    async truncate(size) {
        this.#parts = this.#parts.filter((part) => part.at < size);
        this.size = Math.min(this.size, size);
    }

    async close() {}
    async file() { return new Blob(this.#parts.map((part) => part.data)); }
}
