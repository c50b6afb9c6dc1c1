import { walkFolder } from '../entries.js';
import { plainText } from '../../../kit/index.js';
import { openSink } from './sink.js';
import { directory, localRecord } from './zip.js';

const STEP = 1 << 20;
/** Pieces that are written while the next ones are read. */
const UNDER_WAY = 4;

/**
 * Collects a job's file, or its folder as a ZIP, from where it came to.
 *
 * @param {import('./job.js').Job} job
 * @param {{computer: Object, signal: AbortSignal, save: () => void}} options
 * @returns {Promise<Blob>} What was collected.
 */
export async function runDownload(job, options) {
    // What is in memory goes on there; a file is opened anew.
    if (job.sink?.keeps !== false) job.sink = await openSink(job.id);
    try {
        if (job.kept.zip) await collectFolder(job, options);
        else await collectFile(job, options);
    } finally {
        await job.sink.close();
    }
    return job.sink.file();
}

async function collectFile(job, { computer, signal, save }) {
    const [part] = job.parts;
    // Without a version it could be another file by now.
    let from = job.kept.version ? job.sink.size : 0;
    if (from > 0 && from === part.size) { job.progressed(from); return; }
    const answer = await computer.download(part.path, { from, version: job.kept.version, signal });
    from = answer.from ?? from;
    job.kept.version = answer.version ?? null;
    if (answer.size !== null) { part.size = answer.size; job.kept.total = answer.size; }
    await job.sink.truncate(from);
    job.progressed(from);
    save(true);
    const end = await pour(answer.stream, job.sink, from, { wrote: (at) => { job.progressed(at); save(); } });
    part.size = end;
    job.kept.total = end;
    part.isDone = true;
}

async function collectFolder(job, { computer, signal, save }) {
    const { kept } = job;
    if (!kept.isWalked) {
        const found = await walkFolder(computer, kept.path, { signal, found: (count) => { kept.found = count; } });
        kept.parts = found;
        kept.total = found.reduce((sum, part) => sum + part.size, 0);
        kept.isWalked = true;
        kept.entries = [];
        kept.at = 0;
        save();
    }
    if (job.sink.size < kept.at) {
        // It was in the memory of a page that is gone.
        Object.assign(kept, { at: 0, entries: [] });
        for (const part of job.parts) part.isDone = false;
    }
    await job.sink.truncate(kept.at);
    let before = job.parts.filter((part) => part.isDone).reduce((sum, part) => sum + part.size, 0);
    for (const part of job.parts) {
        if (part.isDone) continue;
        await collectPart(job, part, { computer, signal, before });
        before += part.size;
        part.isDone = true;
        job.progressed(before);
        save();
    }
    await job.sink.write(kept.at, directory(kept.entries, kept.at));
}

async function collectPart(job, part, { computer, signal, before }) {
    const { kept, sink } = job;
    const name = [job.kept.root, part.sub, part.name].filter(Boolean).map((piece) => zipName(piece)).join('/') + (part.kind === 'folder' ? '/' : '');
    const entry = { name, time: part.modified, size: 0, checksum: 0, at: kept.at };
    const head = localRecord(entry);
    const start = kept.at + head.length;
    await sink.write(kept.at, head);
    if (part.kind === 'file') {
        const { stream } = await computer.download(part.path, { signal });
        await sink.checksum();
        const end = await pour(stream, sink, start, { counts: true, wrote: (at) => job.progressed(before + at - start) });
        entry.size = end - start;
        entry.checksum = await sink.checksum();
        await sink.write(kept.at, localRecord(entry));
    }
    part.size = entry.size;
    kept.entries.push(entry);
    kept.at = start + entry.size;
}

/** Names that every system can unpack: no separators, no way up, nothing hidden. */
function zipName(path) {
    return path.split('/').map((name) => (name === '.' || name === '..' ? '_' : plainText(name).replace(/[\\:*?"<>|]/g, '_'))).join('/');
}

/**
 * Writes a stream in large pieces.
 *
 * @returns {Promise<number>} Where it ended.
 */
async function pour(stream, sink, at, { wrote, counts = false }) {
    const reader = stream.getReader();
    let buffer = new Uint8Array(STEP);
    let filled = 0;
    const writing = [];
    const flush = async () => {
        const end = at + filled;
        const written = sink.write(at, buffer.subarray(0, filled), { counts }).then(() => wrote(end));
        // Waited for below; until then its failure is not lost.
        written.catch(() => {});
        writing.push(written);
        at = end;
        buffer = new Uint8Array(STEP);
        filled = 0;
        if (writing.length >= UNDER_WAY) await writing.shift();
    };
    try {
        for (;;) {
            const { done, value } = await reader.read();
            if (done) break;
            for (let taken = 0; taken < value.length;) {
                const count = Math.min(STEP - filled, value.length - taken);
                buffer.set(value.subarray(taken, taken + count), filled);
                filled += count;
                taken += count;
                if (filled === STEP) await flush();
            }
        }
    } catch (error) {
        reader.cancel().catch(() => {});
        // A pause keeps what has come.
        if (filled > 0 && !counts) await flush();
        await Promise.all(writing);
        throw error;
    }
    if (filled > 0) await flush();
    await Promise.all(writing);
    return at;
}
