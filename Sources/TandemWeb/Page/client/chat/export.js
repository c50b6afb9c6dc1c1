import { utf8 } from '../../wire/bytes.js';
import { canonical } from '../../wire/json.js';
import { chatFailure, isTransport } from './failures.js';
import { LIMITS } from './ids.js';
import { Archive } from './archive.js';

/**
 * Where a file goes that the person takes along: it is begun under a name that they may change, and has them all once it is closed.
 *
 * @typedef {{name: string, write(bytes: Uint8Array | Blob): Promise<void>, close(): Promise<void>, abort(): Promise<void>}} Saved
 * @typedef {(name: string) => Promise<Saved>} Saving
 */

const SUFFIXES = {
    'image/jpeg': 'jpg', 'image/png': 'png', 'image/gif': 'gif', 'image/webp': 'webp', 'image/heic': 'heic', 'audio/mp4': 'm4a', 'audio/aac': 'aac', 'audio/amr': 'amr', 'audio/ogg': 'ogg',
    'audio/wav': 'wav', 'audio/webm': 'webm',
};
const LONGEST_NAME = 64;

/**
 * Saves everything that the account has said and received: a file of JSON lines for each conversation and its media beside it, in the folder of an archive. It is what
 * a phone's program writes into a folder.
 *
 * @param {import('./session.js').ChatSession} session
 * @param {Saving} saving
 * @param {string} named The name of the folder; of a path its last part.
 */
export async function exportAll(session, saving, named) {
    const folder = folderOf(named);
    const saved = await saving(`${folder}.zip`);
    const archive = new Archive((bytes) => saved.write(bytes), session.time.now());
    const counts = { conversations: 0, messages: 0, files: 0 };
    try {
        const written = [...session.book.conversations.values()].filter(({ newest }) => newest > 0).map(({ id }) => id).sort();
        for (const id of written) {
            await addConversation({ session, archive, folder, counts }, id);
            counts.conversations += 1;
        }
        await archive.end();
        await saved.close();
    } catch (error) {
        await saved.abort().catch(() => {});
        throw error;
    }
    return { folder: saved.name, ...counts };
}

function folderOf(named) {
    const name = String(named ?? '').split(/[/\\]/).filter(Boolean).at(-1) ?? '';
    return name.replace(/[^\p{L}\p{N}._ -]/gu, '').replace(/^\.+/, '').slice(0, LONGEST_NAME).trim() || 'tandem-export';
}

async function addConversation({ session, archive, folder, counts }, id) {
    // The oldest first, in bounded parts: the beginnings are found from the end.
    const pages = [null];
    for (;;) {
        const page = await session.messages.history(id, pages.at(-1), LIMITS.pull);
        const first = page.messages.find(({ seq }) => seq !== null)?.seq;
        if (page.isEnd || first === undefined) break;
        pages.push(first);
    }
    // The lines of all parts as one blob, which a browser may keep on its disk: their files come before them.
    const parts = [];
    for (const before of pages.reverse()) {
        const lines = [];
        for (const entry of (await session.messages.history(id, before, LIMITS.pull)).messages) {
            const files = await addFiles({ session, archive, folder }, entry);
            lines.push(utf8(`${canonical(files.length > 0 ? { ...entry, files } : entry)}\n`));
            counts.messages += 1;
            counts.files += files.length;
        }
        parts.push(new Blob(lines));
    }
    await archive.add(`${folder}/${id}.jsonl`, new Blob(parts));
}

/** @returns {Promise<string[]>} Their names within the folder. What cannot be had any more is left out. */
async function addFiles({ session, archive, folder }, { id, conversation, kind, status, seq, pictures }) {
    const count = status !== 'sent' ? 0 : kind === 'image' ? pictures.length : kind === 'voice' ? 1 : 0;
    const names = [];
    for (let index = 0; index < count; index += 1) {
        const blob = await fileOf(session, conversation, id, index);
        if (!blob) continue;
        const name = `${conversation}-${seq ?? 0}-${index + 1}.${SUFFIXES[blob.type.split(';')[0]] ?? 'bin'}`;
        await archive.add(`${folder}/${name}`, blob);
        names.push(name);
    }
    return names;
}

async function fileOf(session, conversation, id, index) {
    try {
        return await session.media.file(await session.messages.row(conversation, id), index);
    } catch (error) {
        if (isTransport(error)) throw chatFailure('unreachable');
        return null;
    }
}
