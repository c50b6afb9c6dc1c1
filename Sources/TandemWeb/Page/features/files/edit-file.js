import { ClientError } from '../../client/client.js';
import { fromBase64, toBase64 } from '../../kit/bytes.js';
import { joinPath, lastName, parentPath } from './paths.js';

export const MOST_BYTES = 1024 * 1024;
/** Bytes of a part that an answer, and a request, have room for. */
const PART = 393_216;
/** Names of copies that are tried. */
const MOST_COPIES = 100;

/**
 * A text as it was read, and by what its computer knows it again.
 *
 * @typedef {{text: string, base: {size: number, modified?: number, checksum: string}}} Read
 */

/**
 * Reads a text to be edited.
 *
 * @param {import('../../client/client.js').Computer} computer
 * @param {string} path
 * @param {{signal?: AbortSignal}} options
 * @returns {Promise<Read>} Fails with the reason `editLarge`, `editNotText` or `editOld`.
 */
export async function readText(computer, path, { signal } = {}) {
    const parts = [];
    let [offset, modified] = [0, null];
    for (;;) {
        const answer = await computer.call('file.readFile', { path, encoding: 'base64', offset, length: PART }, { signal });
        const bytes = fromBase64(answer.content ?? '') ?? new Uint8Array();
        if ((answer.size ?? 0) > MOST_BYTES || offset + bytes.length > MOST_BYTES) throw refused('editLarge');
        if (!Number.isFinite(answer.modified)) throw refused('editOld');
        // Written while it is read: it is read anew.
        if (modified !== null && answer.modified !== modified) return readText(computer, path, { signal });
        modified = answer.modified;
        parts.push(bytes);
        offset += bytes.length;
        if (answer.isLast === true || bytes.length === 0) break;
    }
    const whole = new Uint8Array(await new Blob(parts).arrayBuffer());
    if (whole.includes(0)) throw refused('editNotText');
    const text = decoded(whole);
    return { text, base: { size: whole.length, modified, checksum: await sha256(whole) } };
}

function decoded(bytes) {
    try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
        throw refused('editNotText');
    }
}

function refused(reason) { return new ClientError('refused', '', { reason }); }

/** Whether it was said here, and the file itself says no more. */
function isOurs(error) { return ['editLarge', 'editNotText', 'editOld'].includes(error.detail?.reason); }

async function sha256(bytes) {
    const sum = await crypto.subtle.digest('SHA-256', bytes);
    return Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Puts a text into the place of the one that it was made from.
 *
 * @param {import('../../client/client.js').Computer} computer
 * @param {string} path
 * @param {string} text
 * @param {Read} read
 * @returns {Promise<{saved: Read | null, theirs: Read | null}>} Not saved, `theirs` where the file is another by now, and was left as it is; null where
 *   it is gone, or no text any more.
 */
export async function saveText(computer, path, text, read) {
    try {
        return { saved: await send(computer, path, text, read.base), theirs: null };
    } catch (error) {
        if (isOurs(error)) throw error;
        // Whatever the answer was, if one came: the file says how it stands.
        const now = await current(computer, path).catch(() => { throw error; });
        if (now?.text === text) return { saved: now, theirs: null };
        if (now?.base.checksum === read.base.checksum) throw error;
        return { saved: null, theirs: now };
    }
}

/** Null where nothing is there that could be edited. */
async function current(computer, path) {
    const { exists } = await computer.call('file.exists', { path });
    if (!exists) return null;
    return readText(computer, path).catch((error) => {
        if (isOurs(error)) return null;
        throw error;
    });
}

/** Writes a file that is not there any more. */
export function writeAnew(computer, path, text) { return send(computer, path, text, null); }

/**
 * Saves a text under a free name beside its file: `notes (2).md`.
 *
 * @returns {Promise<string>} Its path.
 */
export async function saveCopy(computer, path, text) {
    const [folder, name] = [parentPath(path) ?? '', lastName(path)];
    const at = name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length;
    for (let number = 2; number < MOST_COPIES; number += 1) {
        const copy = joinPath(folder, `${name.slice(0, at)} (${number})${name.slice(at)}`);
        try {
            await send(computer, copy, text, null);
            return copy;
        } catch (error) {
            if (error.code !== 'exists') throw error;
        }
    }
    throw new ClientError('exists');
}

/** @param {Read['base'] | null} basedOn @returns {Promise<Read>} What the file is from now on. */
async function send(computer, path, text, basedOn) {
    const bytes = new TextEncoder().encode(text);
    if (bytes.length > MOST_BYTES) throw refused('editLarge');
    const checksum = await sha256(bytes);
    const { transferId = '', guarded, chunkSize = PART } = await computer.call('file.requestUpload', {
        fileName: lastName(path), fileSize: bytes.length, metadata: { targetDir: parentPath(path) ?? '' }, checksum,
        source: crypto.randomUUID(), chunkSize: PART, ...(basedOn && { basedOn }),
    });
    try {
        // It would replace whatever is there.
        if (basedOn && guarded !== true) throw refused('editOld');
        for (let at = 0; at < bytes.length; at += chunkSize) {
            const chunkData = await toBase64(new Blob([bytes.subarray(at, at + chunkSize)]));
            await computer.call('file.uploadChunk', { transferId, chunkIndex: at / chunkSize, chunkData });
        }
        await computer.call('file.completeUpload', { transferId, checksum });
        return { text, base: { size: bytes.length, checksum } };
    } catch (error) {
        // It ends there by itself as well, only later.
        computer.call('file.cancelTransfer', { transferId }).catch(() => {});
        throw error;
    }
}
