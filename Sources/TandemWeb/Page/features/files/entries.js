import { joinPath } from './paths.js';

/**
 * @typedef {Object} Entry
 * @property {string} name
 * @property {string} path
 * @property {'file' | 'directory' | 'symlink' | 'other'} kind
 * @property {boolean} isFolder
 * @property {number | null} size
 * @property {number | null} modified
 */

const KINDS = { f: 'file', d: 'directory', l: 'symlink', p: 'other', s: 'other', c: 'other', b: 'other', k: 'other' };
const DEEPEST = 64;
const MOST = 100_000;

/**
 * Lists a folder, page after page.
 *
 * @param {import('../../client/client.js').Computer} computer
 * @param {string} path
 * @param {Object} options
 * @param {boolean} options.showHidden
 * @param {AbortSignal} [options.signal]
 * @param {(entries: Entry[], about: {path: string, total: number | null}) => void} [options.came] Told of all so far, after each page.
 * @returns {Promise<Entry[]>}
 */
export async function listFolder(computer, path, { showHidden, signal, came = () => {} }) {
    const entries = [];
    let offset = 0;
    for (;;) {
        const answer = await computer.call('file.listDirectory', { path, showHidden, compact: true, offset }, { signal });
        const folder = answer.path || path;
        entries.push(...read(answer, folder));
        came(entries, { path: folder, total: answer.total ?? null });
        // One that leads back would be asked for ever.
        if (!Number.isInteger(answer.nextOffset) || answer.nextOffset <= offset || entries.length >= MOST) return entries;
        offset = answer.nextOffset;
    }
}

/**
 * What is found by name below a folder.
 *
 * @returns {Promise<{entries: Entry[], isTruncated: boolean}>}
 */
export async function searchFolder(computer, path, pattern, { showHidden, signal }) {
    const answer = await computer.call('file.search', { path, pattern, showHidden, maxResults: 1000 }, { signal, timeout: 60 });
    return { entries: (answer.results ?? []).map((each) => entry(each, path)).filter(Boolean), isTruncated: answer.truncated === true };
}

/** Every file below a folder, as parts of a download; empty folders too. Links to folders are not followed. */
export async function walkFolder(computer, path, { signal, found }) {
    const parts = [];
    const waiting = [{ path, sub: '', depth: 0 }];
    while (waiting.length > 0) {
        const { path: folder, sub, depth } = waiting.shift();
        const entries = await listFolder(computer, folder, { showHidden: true, signal });
        if (entries.length === 0 && sub) {
            const [name, ...above] = sub.split('/').reverse();
            parts.push({ kind: 'folder', name, sub: above.reverse().join('/'), path: folder, size: 0, modified: null });
        }
        for (const each of entries) {
            if (each.kind === 'directory' && depth < DEEPEST) waiting.push({ path: each.path, sub: sub ? `${sub}/${each.name}` : each.name, depth: depth + 1 });
            else if (each.kind === 'file') parts.push({ kind: 'file', name: each.name, sub, path: each.path, size: each.size ?? 0, modified: each.modified });
            if (parts.length >= MOST) return parts;
        }
        found?.(parts.length);
    }
    return parts;
}

/** The pictures among entries that are looked at one after another. */
export function picturesOf(entries) { return entries.filter((each) => !each.isFolder && pictureKind(each.name)); }

function read(answer, folder) {
    if (typeof answer.compact === 'string') return compact(answer.compact, folder);
    return (answer.entries ?? []).map((each) => entry(each, folder)).filter(Boolean);
}

/** `f 644 1024 1790000000000 name/` each. */
function compact(text, folder) {
    return text.split('/').filter(Boolean).map((record) => {
        const [letter, , size, modified, ...rest] = record.split(' ');
        const name = rest.join(' ');
        const kind = KINDS[letter] ?? 'other';
        return { name, path: joinPath(folder, name), kind, isFolder: kind === 'directory', size: Number(size), modified: Number(modified) };
    });
}

function entry(each, folder) {
    const name = typeof each?.name === 'string' ? each.name : null;
    if (!name) return null;
    const said = each.kind ?? each.type ?? 'file';
    const isFolder = each.isDirectory === true || said === 'directory' || said === 'folder';
    return {
        name, path: each.path || joinPath(folder, name), isFolder,
        kind: said === 'symlink' ? 'symlink' : isFolder ? 'directory' : said === 'file' ? 'file' : 'other',
        size: Number.isFinite(each.size) ? each.size : null, modified: each.modified ?? each.modifiedTime ?? null,
    };
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/**
 * Folders first, then by what is chosen.
 *
 * @param {'name' | 'size' | 'modified' | 'type'} by
 */
export function sorted(entries, by, isDescending) {
    const compare = {
        name: (a, b) => collator.compare(a.name, b.name),
        size: (a, b) => (a.size ?? 0) - (b.size ?? 0),
        modified: (a, b) => (a.modified ?? 0) - (b.modified ?? 0),
        type: (a, b) => collator.compare(extension(a.name), extension(b.name)),
    }[by];
    const sign = isDescending ? -1 : 1;
    return [...entries].sort((a, b) => b.isFolder - a.isFolder || sign * compare(a, b) || collator.compare(a.name, b.name));
}

export function extension(name) {
    const at = name.lastIndexOf('.');
    return at > 0 ? name.slice(at + 1).toLowerCase() : '';
}

const TYPES = {
    image: 'png jpg jpeg gif webp avif bmp ico tif tiff heic svg', video: 'mp4 mkv mov avi webm m4v', audio: 'mp3 wav flac ogg opus m4a aac',
    archive: 'zip gz xz bz2 zst tar 7z rar tgz deb rpm jar',
    text: 'txt md log json xml yaml yml toml ini conf csv tsv html css js ts swift py c h cpp hpp rs go java kt rb sh bash zsh fish sql tex rst diff patch',
};
const BY_EXTENSION = new Map(Object.entries(TYPES).flatMap(([type, all]) => all.split(' ').map((name) => [name, type])));

/** `folder`, `image`, `text`, …: for the symbol. */
export function typeOf(entry) {
    if (entry.isFolder) return 'folder';
    return BY_EXTENSION.get(extension(entry.name)) ?? 'file';
}

const PICTURES = { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp', avif: 'image/avif', bmp: 'image/bmp' };

/** The kind of a picture that a browser shows; null for others. Drawings in SVG are text. */
export function pictureKind(name) { return PICTURES[extension(name)] ?? null; }
