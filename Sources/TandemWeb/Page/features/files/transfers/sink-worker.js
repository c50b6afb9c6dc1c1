import { Checksum } from './checksum.js';

/**
 * Writes downloads into the browser's own file system, in place, so that what has arrived survives a reload. Only a worker may do that.
 * Asked with `{seq, work, …}`, answers `{seq, value}` or `{seq, error}`.
 */
const files = new Map();

const works = {
    async open({ id }) {
        const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('downloads', { create: true });
        const handle = await (await folder.getFileHandle(id, { create: true })).createSyncAccessHandle();
        files.set(id, { handle, checksum: new Checksum() });
        return handle.getSize();
    },
    write({ id, at, bytes, counts }) {
        const file = files.get(id);
        // Pieces that were sent behind one that failed would leave a hole.
        if (file.failure) throw file.failure;
        try {
            if (counts) file.checksum.add(bytes);
            let written = 0;
            while (written < bytes.length) {
                const count = file.handle.write(bytes.subarray(written), { at: at + written });
                // A full disk may write a part and say nothing.
                if (count === 0) throw new DOMException('Nothing more fits.', 'QuotaExceededError');
                written += count;
            }
            return written;
        } catch (error) {
            file.failure = error;
            throw error;
        }
    },
    /** The checksum of what was counted, which begins anew. */
    checksum({ id }) {
        const file = files.get(id);
        const { value } = file.checksum;
        file.checksum = new Checksum();
        return value;
    },
    truncate({ id, size }) { files.get(id).handle.truncate(size); },
    close({ id }) {
        const file = files.get(id);
        files.delete(id);
        file?.handle.flush();
        file?.handle.close();
    },
    async remove({ id }) {
        works.close({ id });
        const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('downloads', { create: true });
        await folder.removeEntry(id).catch(() => {});
    },
};

self.onmessage = async ({ data }) => {
    try {
        self.postMessage({ seq: data.seq, value: await works[data.work](data) });
    } catch (error) {
        self.postMessage({ seq: data.seq, error: { name: error.name, message: error.message } });
    }
};
