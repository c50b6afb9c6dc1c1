import { ClientError } from '/client/client.js';
import { NOW, days, hours, minutes } from './common.js';

const encoder = new TextEncoder();
const README = [
    '# Tandem', '', 'A phone and a **computer** that work as one. ![A picture](https://example.org/x.png) <b onclick=alert(1)>bold</b> [here](javascript:alert(1))', '', '```sh', 'bin/up', '```', '', '你好，世界。Grüße aus München.',
    'if access_level != "user\u202e \u2066// admin\u2069 \u2066" {', '',
].join('\n');

const file = (name, size, age, more = {}) => ({ kind: 'f', name, size, modified: NOW - age, ...more });
const folder = (name, age, children = []) => ({ kind: 'd', name, size: 4096, modified: NOW - age, children });

/** A picture drawn here: a PNG of a canvas. */
async function picture() {
    const canvas = new OffscreenCanvas(640, 400);
    const pen = canvas.getContext('2d');
    const sky = pen.createLinearGradient(0, 0, 0, 400);
    sky.addColorStop(0, '#7cc4d6');
    sky.addColorStop(1, '#f3d9a4');
    pen.fillStyle = sky;
    pen.fillRect(0, 0, 640, 400);
    pen.fillStyle = '#35606b';
    pen.beginPath();
    pen.moveTo(0, 400);
    for (const [x, y] of [[120, 220], [220, 300], [360, 150], [500, 290], [640, 240], [640, 400]]) pen.lineTo(x, y);
    pen.fill();
    return new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
}

function home() {
    return folder('ada', 0, [
        folder('Documents', days(2), [
            file('Quarterly figures.pdf', 482_113, days(4)), file('notes.md', README.length, hours(2), { text: README }), file('dos.txt', 14, hours(2), { text: 'one\r\ntwo\r\nend' }), file('empty.txt', 0, days(9), { text: '' }),
            file('long.log', 3_400_000, minutes(5), { text: Array.from({ length: 40_000 }, (_, at) => `2026-11-22T09:${String(at % 60).padStart(2, '0')} line ${at} of the log`).join('\n').slice(0, 3_400_000) }),
        ]),
        folder('Pictures', days(12), [file('Berge am Morgen.png', 48_210, days(30), { picture: true }), file('broken.jpg', 900, days(30), { text: 'not a picture' })]),
        folder('work', hours(3), [folder('src', hours(3), [file('main.swift', 5120, hours(3), { text: 'print("hello")\n' }), folder('empty', days(1))]), file('README.md', README.length, hours(20), { text: README })]),
        folder('空文件夹', days(1)),
        folder('many', days(1), Array.from({ length: 10_000 }, (_, at) => file(`item ${at + 1}.txt`, at * 37, minutes(at)))),
        folder('.config', days(100), [file('settings.json', 12, days(100), { text: '{"a": true}\n' })]),
        file('Bewerbung_final_v2.docx', 88_123, days(1)), file('clip.mp4', 184_000_000, days(3)), file('song.flac', 28_400_000, days(40)), file('backup.tar.zst', 4_912_000_000, days(6)),
        file('报告.txt', 9120, minutes(40), { text: '季度报告\n' }), file('big.bin', 3_000_000, days(1), { binary: true }), file('.bashrc', 3771, days(300), { text: '# ~/.bashrc\n' }),
        file('photo\u202egpj.exe', 4411, days(1)), file('<img src=x onerror=alert(1)>.txt', 66, days(1), { text: '<script>alert(1)</script>' }),
        file('line\nbreak\u0007bell.txt', 5, days(1), { text: 'x' }), file(`bytes \uef80\uefff.dat`, 5, days(1)), file(`${'very long '.repeat(23)}.txt`, 5, days(1), { text: 'x' }),
        { kind: 'l', name: 'link to work', size: 4, modified: NOW - days(5) }, { kind: 'p', name: 'pipe', size: 0, modified: NOW - days(5) },
    ]);
}

const windows = () => folder('Ada', 0, [folder('Documents', days(1), [file('Bericht.docx', 1200, days(1))]), folder('Desktop', days(1)), file('notes.txt', 20, days(1), { text: 'Windows\r\n' })]);

/** Each visit begins without transfers and drafts; a reload is the same visit. */
function forgetOfOthers() {
    const visit = new URLSearchParams(location.search).get('visit') ?? '';
    if (sessionStorage.getItem('visit') === visit) return;
    sessionStorage.clear();
    sessionStorage.setItem('visit', visit);
    indexedDB.deleteDatabase('tandem-transfers');
    indexedDB.deleteDatabase('tandem-edits');
}

/** @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario */
export function install(fake, scenario) {
    if (fake.role !== 'phone') return;
    forgetOfOthers();
    const trees = new Map();
    const grown = (id) => {
        const tree = isWindows(id) ? windows() : home();
        // Only what a person would keep, for a picture.
        if (scenario.has('tidy')) tree.children = tree.children.filter(({ kind, name }) => kind !== 'p' && name !== 'many' && /^[\p{L}\p{N} ._-]{1,40}$/u.test(name));
        return tree;
    };
    const isWindows = (id) => id.startsWith('41d7');
    const rootOf = (id) => (isWindows(id) ? 'C:\\Users\\Ada' : '/home/ada');
    const treeOf = (id) => { if (!trees.has(id)) trees.set(id, grown(id)); return trees.get(id); };
    const full = (id, path) => (!path || path === '~' ? rootOf(id) : path);
    const find = (id, path) => {
        const rest = full(id, path).slice(rootOf(id).length).split(/[\\/]/).filter(Boolean);
        if (!full(id, path).startsWith(rootOf(id))) fake.fail('not-found', `${path} is not in a shared folder.`);
        let at = treeOf(id);
        for (const name of rest) {
            at = at?.children?.find((each) => each.name === name);
            if (!at) fake.fail('not-found', `${path} is not there.`);
        }
        return at;
    };
    const parts = (path) => { const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')); return [path.slice(0, at), path.slice(at + 1)]; };
    const check = (right) => {
        if (scenario.has('not-allowed')) fake.fail('not-allowed', 'The owner has not allowed file.read.', { right: 'file.read' });
        if (scenario.has('read-only') && right === 'file.write') fake.fail('not-allowed', 'The owner has not allowed file.write.', { right });
        if (scenario.has('away')) fake.fail('away', 'The computer did not answer within 15 seconds.');
    };
    const bytesOf = async (entry) => {
        if (entry.bytes) return entry.bytes;
        if (entry.picture) return picture();
        if (entry.text !== undefined) return encoder.encode(entry.text);
        return new Uint8Array(Math.min(entry.size, 20_000_000)).map((_, at) => at & 0xff);
    };

    fake.remote('file.listDirectory', ({ path, showHidden, offset = 0, compact }, { id }) => {
        check('file.read');
        const found = find(id, path);
        const all = (scenario.has('empty-folder') ? [] : found.children ?? []).filter((each) => showHidden || !each.name.startsWith('.'))
            .sort((a, b) => Number(b.kind === 'd') - Number(a.kind === 'd') || (a.name < b.name ? -1 : 1));
        const some = all.slice(offset, offset + 4000);
        const nextOffset = offset + some.length < all.length ? offset + some.length : undefined;
        const about = { success: true, path: full(id, path), total: all.length, offset, nextOffset };
        if (compact && !isWindows(id)) return { ...about, compact: some.map((each) => `${each.kind} 644 ${each.size} ${each.modified} ${each.name}/`).join('') };
        return { ...about, entries: some.map((each) => wire(each, `${about.path}${isWindows(id) ? '\\' : '/'}${each.name}`)) };
    });
    const wire = (each, path) => ({ name: each.name, path, type: each.kind === 'd' ? 'directory' : 'file', isDirectory: each.kind === 'd', size: each.size, modified: each.modified });
    fake.remote('file.search', ({ path, pattern }, { id }) => {
        check('file.read');
        const results = [];
        const walk = (at, where) => {
            for (const each of at.children ?? []) {
                const here = `${where}/${each.name}`;
                if (each.name.toLowerCase().includes(pattern.toLowerCase()) && results.length < 200) results.push(wire(each, here));
                walk(each, here);
            }
        };
        walk(find(id, path), full(id, path));
        return { results, total: results.length, truncated: results.length === 200 };
    });
    fake.remote('file.getFileInfo', ({ path }, { id }) => ({ exists: true, file: wire(find(id, path), path) }));
    fake.remote('file.readFile', async ({ path = '', offset = 0, length = 1 << 20 }, { id }) => {
        check('file.read');
        const entry = find(id, path);
        const bytes = await bytesOf(entry);
        const part = bytes.subarray(offset, offset + length);
        return { content: btoa(Array.from(part, (byte) => String.fromCharCode(byte)).join('')), encoding: 'base64', size: bytes.length, offset, length: part.length, isLast: offset + part.length >= bytes.length, modified: isWindows(id) ? undefined : entry.modified };
    });
    fake.remote('file.exists', ({ path = '' }, { id }) => {
        const [above, name] = parts(path);
        const found = find(id, above).children.find((each) => each.name === name);
        return { exists: Boolean(found), type: found && (found.kind === 'd' ? 'directory' : 'file') };
    });

    // What is edited comes in parts, and is looked at before it takes its place.
    const arriving = new Map();
    const sum = async (bytes) => Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');
    const isStill = async (entry, { checksum }) => entry !== undefined && await sum(await bytesOf(entry)) === checksum;
    fake.remote('file.requestUpload', ({ fileName, metadata, basedOn, overwrite }, { id }) => {
        check('file.write');
        const folder = metadata?.targetDir ?? '';
        if (!basedOn && !overwrite && find(id, folder).children.some(({ name }) => name === fileName)) fake.fail('exists', `${fileName} is there already.`);
        const transferId = `up_${String(arriving.size).padStart(32, '0')}`;
        arriving.set(transferId, { fileName, folder, basedOn, parts: [] });
        return { transferId, chunkSize: 393_216, received: [], path: `${folder}/${fileName}`, ...(basedOn && { guarded: true }) };
    });
    fake.remote('file.uploadChunk', ({ transferId, chunkIndex = 0, chunkData }) => {
        arriving.get(transferId).parts[chunkIndex] = Uint8Array.from(atob(chunkData), (letter) => letter.charCodeAt(0));
        return { progress: 100 };
    });
    fake.remote('file.completeUpload', async ({ transferId }, { id }) => {
        const { fileName, folder, basedOn, parts: came } = arriving.get(transferId);
        if (fake.cut) { const error = fake.cut; fake.cut = null; fake.fail(error, 'The computer went away.'); }
        const into = find(id, folder).children;
        const at = into.findIndex(({ name }) => name === fileName);
        if (basedOn && !await isStill(into[at], basedOn)) fake.fail('refused', `${fileName} was changed by somebody else meanwhile, and was left as it is.`);
        const bytes = new Uint8Array(await new Blob(came).arrayBuffer());
        into.splice(at < 0 ? into.length : at, 1, { kind: 'f', name: fileName, size: bytes.length, modified: NOW, bytes });
        return { path: `${folder}/${fileName}`, fileName, fileSize: bytes.length };
    });
    fake.remote('file.cancelTransfer', ({ transferId }) => { arriving.delete(transferId); return { transferId }; });
    /** Somebody else writes a file, or takes it away. */
    fake.write = (id, path, text) => {
        const [above, name] = parts(path);
        const into = find(id, above).children;
        const at = into.findIndex((each) => each.name === name);
        into.splice(at, 1, ...(text === null ? [] : [file(name, text.length, 0, { text })]));
    };
    fake.textOf = async (id, path) => new TextDecoder().decode(await bytesOf(find(id, path)));

    fake.remote('file.getThumbnails', async ({ paths = [] }, { id }) => {
        check('file.read');
        if (scenario.has('old')) fake.fail('unknown-method', 'Unknown method.');
        return { files: await Promise.all(paths.map(async (path) => {
            const entry = find(id, path);
            if (!entry.picture) return { code: -32006 };
            return { content: btoa(Array.from(await picture(), (byte) => String.fromCharCode(byte)).join('')) };
        })) };
    });
    fake.remote('file.createDirectory', ({ path, recursive }, { id }) => {
        check('file.write');
        const rest = path.slice(rootOf(id).length).split(/[\\/]/).filter(Boolean);
        let at = treeOf(id);
        rest.forEach((name, index) => {
            let next = at.children.find((each) => each.name === name);
            if (next && !recursive && index === rest.length - 1) fake.fail('exists', `${name} is there already.`);
            if (!next) { next = folder(name, 0); at.children.push(next); }
            at = next;
        });
        return { path, created: true };
    });
    fake.remote('file.rename', ({ path, newName }, { id }) => {
        check('file.write');
        const [above] = parts(path);
        if (find(id, above).children.some((each) => each.name === newName)) fake.fail('exists', `${newName} is there already.`);
        find(id, path).name = newName;
        return { oldPath: path, newPath: `${above}/${newName}`, path: `${above}/${newName}` };
    });
    fake.remote('file.delete', ({ path }, { id }) => {
        check('file.write');
        const [above, name] = parts(path);
        const list = find(id, above).children;
        list.splice(list.findIndex((each) => each.name === name), 1);
        return { path, trashed: true };
    });

    // Transfers: in steps, as fast as `fake.transferStep` bytes every few milliseconds; over a reload in the session's storage.
    fake.transferStep = scenario.has('slow-transfers') ? 2_000 : 4_000_000;
    fake.cut = null;
    const received = (id) => Number(sessionStorage.getItem(`upload ${id}`) ?? 0);
    const begunAt = (size) => (scenario.has('slow-transfers') ? Math.round(size * 0.35) : 0);
    const pause = (signal) => new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, 20);
        signal?.addEventListener('abort', () => { clearTimeout(timer); reject(Object.assign(new Error('cancelled'), { name: 'AbortError' })); }, { once: true });
    });
    // Downloads wait while it is a promise.
    fake.held = null;
    const left = (signal) => new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(Object.assign(new Error('cancelled'), { name: 'AbortError' })), { once: true });
    });
    fake.uploadedFrom = [];
    fake.computerParts.upload = async (id, where, given, { onProgress = () => {}, signal, resume, name = given.name, overwrite } = {}) => {
        check('file.write');
        const into = find(id, where);
        const known = into.children.find((each) => each.name === name);
        if (known && !overwrite) fake.fail('exists', `${name} is there already.`);
        let done = received(resume) || begunAt(given.size);
        fake.uploadedFrom.push({ name, from: done });
        if (scenario.has('full')) fake.fail('full', 'There is no room for it: 1.2 GB are free.');
        while (done < given.size) {
            if (signal?.aborted) throw Object.assign(new Error('cancelled'), { name: 'AbortError' });
            await pause(signal);
            if (fake.cut) { const error = fake.cut; fake.cut = null; fake.fail(error, 'The computer went away.'); }
            done = Math.min(given.size, done + fake.transferStep);
            sessionStorage.setItem(`upload ${resume}`, String(done));
            onProgress(done, given.size);
        }
        if (known) into.children.splice(into.children.indexOf(known), 1);
        into.children.push({ kind: 'f', name, size: given.size, modified: NOW, bytes: given.size < 4_000_000 ? new Uint8Array(await given.arrayBuffer()) : undefined });
        return { path: `${where}/${name}` };
    };
    fake.cancelledUploads = [];
    fake.computerParts.cancelUpload = async (id, where, { name, size }) => { fake.cancelledUploads.push({ where, name, size }); };
    fake.downloadedFrom = [];
    fake.computerParts.download = async (id, path, { onProgress = () => {}, signal, from = 0, version } = {}) => {
        check('file.read');
        const entry = find(id, path);
        const bytes = await bytesOf(entry);
        if (version && version !== 'v1') from = 0;
        fake.downloadedFrom.push({ path, from });
        let at = from;
        const stream = new ReadableStream({
            async pull(controller) {
                if (at >= bytes.length) { controller.close(); return; }
                if (fake.held) await Promise.race([fake.held, left(signal)]);
                if (bytes.length > 100_000) await pause(signal);
                if (fake.cut) { const error = fake.cut; fake.cut = null; fake.fail(error, 'The computer went away.'); }
                const part = bytes.slice(at, at + fake.transferStep);
                at += part.length;
                onProgress(at, bytes.length);
                controller.enqueue(part);
            },
        });
        return { name: entry.name, size: bytes.length, from, version: 'v1', stream };
    };

    // What the browser downloads itself goes on without the page: `fake.saveStep` bytes every few milliseconds, over a reload as if it had not been.
    fake.saveStep = scenario.has('slow-transfers') ? 200_000 : 40_000_000;
    fake.begunSaves = [];
    fake.savedAsked = 0;
    // Where it is not to come for what it is told to download.
    fake.browserComes = true;
    const saves = () => JSON.parse(sessionStorage.getItem('saves') ?? '{}');
    const save = (id, change) => sessionStorage.setItem('saves', JSON.stringify({ ...saves(), [id]: { ...saves()[id], ...change } }));
    const saveOf = (id) => saves()[id] ?? fake.fail('not-found', 'This download is not known here (any more).', { reason: 'unknownDownload' });
    const stands = ({ state, done, size, error }) => ({ state, done, size, error: error ? new ClientError(error.code, error.message, error.detail) : null });
    setInterval(() => {
        for (const [id, { state, done, size }] of Object.entries(saves())) {
            if (state === 'running') save(id, done < size ? { done: Math.min(size, done + fake.saveStep) } : { state: 'done' });
        }
    }, 20);
    /** Changes every one that is open, as the program or the browser does. */
    fake.eachSave = (change) => { for (const [id, { state }] of Object.entries(saves())) if (!['done', 'failed', 'cancelled'].includes(state)) save(id, change); };
    fake.forgetSaves = () => sessionStorage.removeItem('saves');
    fake.computerParts.save = async (id, path, { id: name }) => {
        check('file.read');
        const { size } = find(id, path);
        if (!saves()[name]) {
            if (Object.values(saves()).filter(({ state }) => !['done', 'failed', 'cancelled'].includes(state)).length >= 3) {
                fake.fail('refused', '3 downloads are open already.', { reason: 'tooManyDownloads' });
            }
            save(name, { state: 'ready', done: scenario.has('slow-transfers') ? Math.round(size * 0.35) : 0, size });
        }
        const held = stands(saveOf(name));
        if (held.state === 'ready') {
            fake.begunSaves.push({ path, name });
            if (fake.browserComes) save(name, { state: 'running' });
        }
        return held;
    };
    fake.computerParts.saved = async (id, name) => { fake.savedAsked += 1; return stands(saveOf(name)); };
    fake.computerParts.holdSave = async (id, name, isPaused) => {
        const { state } = saveOf(name);
        if (isPaused && state === 'running') save(name, { state: 'paused' });
        if (!isPaused && state === 'paused') save(name, { state: 'running' });
        return stands(saveOf(name));
    };
    fake.computerParts.cancelSave = async (id, name) => { saveOf(name); save(name, { state: 'cancelled' }); };
}
