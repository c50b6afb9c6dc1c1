import { ClientError } from '../../../client/client.js';
import { joinPath } from '../paths.js';

/**
 * Sends a job's files one after the other, each from where it came to.
 *
 * @param {import('./job.js').Job} job
 * @param {{computer: Object, signal: AbortSignal, save: () => void}} options
 */
export async function runUpload(job, { computer, signal, save }) {
    const made = new Set();
    let before = job.parts.filter((part) => part.isDone).reduce((sum, part) => sum + part.size, 0);
    for (const [index, part] of job.parts.entries()) {
        if (part.isDone) continue;
        const folder = part.sub ? joinPath(job.kept.folder, part.sub) : job.kept.folder;
        if (part.sub && !made.has(folder)) {
            await computer.call('file.createDirectory', { path: folder, recursive: true }, { signal });
            made.add(folder);
        }
        if (part.kind === 'folder') {
            await computer.call('file.createDirectory', { path: joinPath(folder, part.name), recursive: true }, { signal });
        } else {
            await sendPart(job, part, await fileOf(job, part, index), { computer, folder, signal, before, save });
        }
        part.isDone = true;
        before += part.size;
        job.progressed(before);
        save();
    }
}

/** Lets the computer throw away what came of an upload that a person cancelled. Of several parts one at a time is under way. */
export async function discardUpload(job, computer) {
    const part = job.parts.find((each) => each.kind === 'file' && !each.isDone);
    if (!part?.upload) return;
    const folder = part.sub ? joinPath(job.kept.folder, part.sub) : job.kept.folder;
    await computer.cancelUpload(folder, { name: part.name, size: part.size, resume: part.upload });
}

async function sendPart(job, part, file, { computer, folder, signal, before, save }) {
    try {
        await computer.upload(folder, file, {
            signal, resume: part.upload, name: part.name, overwrite: job.kept.overwrite,
            // Kept now and then, so that a page that is loaded again knows how far it came.
            onProgress: (done) => { job.progressed(before + done); save(); },
        });
    } catch (error) {
        // In a folder's transfer another file of the name stays as it is, and is said.
        if (error.code !== 'exists' || job.parts.length === 1) throw error;
        part.isSkipped = true;
    }
}

/** The file of a part: given in this page's life, or found again by its handle. */
async function fileOf(job, part, index) {
    const file = job.files.get(index) ?? await fileByHandle(job, part);
    if (!file) throw new NeedsFile();
    if (file.size !== part.size) throw new ClientError('bad-request', file.name, { reason: 'changed' });
    return file;
}

async function fileByHandle(job, part) {
    let handle = job.kept.handles?.[part.top];
    if (!handle) return null;
    if (await handle.queryPermission({ mode: 'read' }) !== 'granted') throw new NeedsFile();
    try {
        if (handle.kind === 'directory') {
            // The first name of the folder below is the handle's own.
            for (const name of part.sub.split('/').slice(1)) handle = await handle.getDirectoryHandle(name);
            handle = await handle.getFileHandle(part.name);
        }
        return await handle.getFile();
    } catch {
        return null;
    }
}

/** A person must give the file again, or the permission to read it. */
export class NeedsFile extends Error {}

/** Asks for the permission to read a job's files again. Only in answer to a press. */
export async function askPermission(job) {
    for (const handle of job.kept.handles ?? []) {
        if (await handle.requestPermission({ mode: 'read' }) !== 'granted') return false;
    }
    return (job.kept.handles ?? []).length > 0;
}

/**
 * Finds a job's files among those that were given again: the same name and size.
 *
 * @returns {number} How many are still missing.
 */
export function giveAgain(job, files) {
    const open = job.parts.map((part, index) => ({ part, index })).filter(({ part, index }) =>
        part.kind === 'file' && !part.isDone && !job.files.has(index));
    for (const { file, sub } of files) {
        const found = open.findIndex(({ part }) => part.original === file.name && part.size === file.size && part.sub === sub
            && (part.modified === null || part.modified === file.lastModified));
        if (found >= 0) job.files.set(open.splice(found, 1)[0].index, file);
    }
    return open.length;
}
