import { h } from './index.js';

/**
 * Files and folders that a person gives: chosen, or dragged in. With handles where the browser has them, so that a transfer finds its files
 * again after a reload.
 *
 * @typedef {Object} Top What was given, as one.
 * @property {string} name
 * @property {boolean} isFolder
 * @property {FileSystemHandle | null} handle
 * @property {{file: File | null, sub: string, name: string}[]} files With the folder below, that folder's own name first; no file: an empty folder.
 */

/** @returns {Promise<Top[]>} None when it was left. */
export async function pickFiles() {
    if (window.showOpenFilePicker) {
        try {
            const handles = await window.showOpenFilePicker({ multiple: true });
            return await Promise.all(handles.map(topOfHandle));
        } catch (error) {
            if (error.name === 'AbortError') return [];
        }
    }
    const files = await pickByField({ multiple: true });
    return files.map(topOfFile);
}

/** @returns {Promise<Top[]>} */
export async function pickFolder() {
    if (window.showDirectoryPicker) {
        try {
            return [await topOfHandle(await window.showDirectoryPicker({ mode: 'read' }))];
        } catch (error) {
            if (error.name === 'AbortError') return [];
        }
    }
    return topsOfPaths(await pickByField({ webkitdirectory: true, multiple: true }));
}

/**
 * What was dropped. The items must be asked at once: they are gone after the event.
 *
 * @returns {Promise<Top[]>}
 */
export async function dropped(transfer) {
    const items = [...transfer.items].filter((item) => item.kind === 'file');
    const asked = items.map((item) => ({
        handle: item.getAsFileSystemHandle?.().catch(() => null), entry: item.webkitGetAsEntry?.(), file: item.getAsFile(),
    }));
    const tops = await Promise.all(asked.map(async ({ handle, entry, file }) => {
        const found = await handle;
        if (found) return topOfHandle(found);
        if (entry?.isDirectory) return { name: entry.name, isFolder: true, handle: null, files: await filesOfEntry(entry, entry.name) };
        return file ? topOfFile(file) : null;
    }));
    return tops.filter(Boolean);
}

export async function topOfHandle(handle) {
    if (handle.kind === 'file') return { ...topOfFile(await handle.getFile()), handle };
    return { name: handle.name, isFolder: true, handle, files: await filesOfHandle(handle, handle.name) };
}

function topOfFile(file) {
    return { name: file.name, isFolder: false, handle: null, files: [{ file, sub: '', name: file.name }] };
}

/** Files of a folder that was chosen in a field, which gives them with their paths. */
function topsOfPaths(files) {
    const tops = new Map();
    for (const file of files) {
        const names = file.webkitRelativePath.split('/');
        const top = tops.get(names[0]) ?? { name: names[0], isFolder: true, handle: null, files: [] };
        tops.set(names[0], top);
        top.files.push({ file, sub: names.slice(0, -1).join('/'), name: file.name });
    }
    return [...tops.values()];
}

async function filesOfHandle(folder, sub) {
    const found = [];
    for await (const handle of folder.values()) {
        if (handle.kind === 'directory') found.push(...await filesOfHandle(handle, `${sub}/${handle.name}`));
        else found.push({ file: await handle.getFile(), sub, name: handle.name });
    }
    return found.length > 0 ? found : [emptyFolder(sub)];
}

async function filesOfEntry(folder, sub) {
    const reader = folder.createReader();
    const found = [];
    for (;;) {
        // It gives a hundred at a time.
        const some = await new Promise((resolve, reject) => { reader.readEntries(resolve, reject); });
        if (some.length === 0) return found.length > 0 ? found : [emptyFolder(sub)];
        for (const entry of some) {
            if (entry.isDirectory) found.push(...await filesOfEntry(entry, `${sub}/${entry.name}`));
            else found.push({ file: await new Promise((resolve, reject) => { entry.file(resolve, reject); }), sub, name: entry.name });
        }
    }
}

function emptyFolder(sub) {
    const names = sub.split('/');
    return { file: null, sub: names.slice(0, -1).join('/'), name: names.at(-1) };
}

/** A field for files, for browsers without a picker of handles. */
export function pickByField(properties) {
    return new Promise((resolve) => {
        const input = h('input', { type: 'file', hidden: true, ...properties });
        const end = () => { input.remove(); resolve([...input.files]); };
        input.addEventListener('change', end);
        input.addEventListener('cancel', end);
        document.body.append(input);
        input.click();
    });
}
