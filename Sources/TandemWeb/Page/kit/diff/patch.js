/**
 * Patches as plain values: `[{path, to, kind, hunks: [{head, lines: [{mark: ' ' | '+' | '-', text, old, now}]}], added, removed}]`, of the
 * unified form (`diff --git`, `---`, `+++`, `@@`), of Codex's own (`*** Begin Patch`), and of the one in which a computer puts together what
 * an agent says of its files. Empty where a text is none of them.
 *
 * @typedef {{mark: string, text: string, old: number | null, now: number | null}} Line
 * @typedef {{head: string, lines: Line[]}} Hunk
 * @typedef {{path: string, to: string | null, kind: string, hunks: Hunk[], added?: number, removed?: number}} Changed
 */

/** Lines of one patch that are read: more than a text that is sent has. */
const MOST_LINES = 66_000;
const HUNK = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)$/;
const CODEX = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const CODEX_KINDS = { Add: 'added', Update: 'updated', Delete: 'deleted' };

/**
 * @param {string} text
 * @param {{path: string, kind: string, to?: string}[]} [named] The files that are changed, where they are told beside the text: each of them
 *   is among the answer.
 * @param {boolean} [isAsked] A person is to allow it: the text is of the files that are named, whatever it says of others, and none of it is
 *   left out. Empty where it cannot be told whose it is.
 * @returns {Changed[]}
 */
export function parsePatch(text, named = [], isAsked = false) {
    const all = String(text ?? '').split('\n', MOST_LINES + 1);
    const lines = all.slice(0, MOST_LINES).map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
    if (lines.at(-1) === '') lines.pop();
    const files = isAsked ? sections(lines, named, true) ?? []
        : lines.some((line) => CODEX.test(line)) ? codex(lines) : sections(lines, named) ?? unified(lines);
    for (const file of files) {
        const marks = file.hunks.flatMap((hunk) => hunk.lines.map(({ mark }) => mark));
        file.added = marks.filter((mark) => mark === '+').length;
        file.removed = marks.filter((mark) => mark === '-').length;
    }
    return files.filter((file) => file.hunks.length > 0 || file.to || file.kind !== 'updated' || named.some(({ path }) => path === file.path));
}

function codex(lines) {
    const files = [];
    /** @type {Changed | null} */
    let file = null;
    /** @type {Hunk | null} */
    let hunk = null;
    for (const line of lines) {
        const head = CODEX.exec(line);
        if (head) {
            file = { path: head[2], to: null, kind: CODEX_KINDS[head[1]], hunks: [] };
            files.push(file);
            hunk = null;
        } else if (!file || /^\*\*\* (Begin|End) /.test(line)) {
            continue;
        } else if (line.startsWith('*** Move to: ')) {
            file.to = line.slice(13);
            file.kind = 'moved';
        } else if (line.startsWith('@@')) {
            hunk = { head: line.replace(/^@@ ?/, '').replace(/ ?@@$/, ''), lines: [] };
            file.hunks.push(hunk);
        } else if (/^[ +-]/.test(line) || line === '') {
            if (!hunk) file.hunks.push(hunk = { head: '', lines: [] });
            const mark = line[0] ?? ' ';
            // Its places have no numbers: but for a new file's, which begin at one.
            const now = file.kind === 'added' && mark === '+' ? hunk.lines.length + 1 : null;
            hunk.lines.push({ mark, text: line.slice(1), old: null, now });
        }
    }
    return files;
}

/**
 * `*** PATH` before what is said of each file; without such lines all of it is of the only file. Null where the text names its files itself.
 */
function sections(lines, named, isAsked = false) {
    const places = new Map(named.map((file) => [file.path, file]));
    const heads = lines.flatMap((line, at) => (line.startsWith('*** ') && places.has(line.slice(4)) ? [at] : []));
    const isLone = heads.length === 0 && named.length === 1
        && (isAsked || isMarked(lines) || !lines.some((line, at) => line.startsWith('diff --git ') || (line.startsWith('--- ') && lines[at + 1]?.startsWith('+++ '))));
    if (heads.length === 0 && !isLone) return null;
    const parts = isLone ? [[named[0], lines]] : heads.map((at, index) => [places.get(lines[at].slice(4)), lines.slice(at + 1, heads[index + 1])]);
    // What stands before the first of them is shown, too.
    if (heads[0] > 0) parts.unshift([{ path: '', kind: 'updated' }, lines.slice(0, heads[0])]);
    const told = new Set(parts.map(([{ path }]) => path));
    return [
        ...parts.map(([{ path, kind, to }, part]) => ({ path, to: to ?? null, kind, hunks: part.some((line) => line !== '') ? hunksOf(part, kind) : [] })),
        ...named.filter(({ path }) => !told.has(path)).map(({ path, kind, to }) => ({ path, to: to ?? null, kind, hunks: [] })),
    ];
}

/** Of hunks, of lines with marks alone, or of all of a file. Nothing is left out: what is none of these stands there as it is. */
function hunksOf(lines, kind) {
    if (isMarked(lines)) return marked(lines);
    const body = lines.slice(lines.findIndex((line) => line !== ''), lines.findLastIndex((line) => line !== '' && !(kind === 'moved' && line.startsWith('Moved to: '))) + 1)
        .filter((line) => !line.startsWith('\\ ')).map((line) => line || ' ');
    const hunks = unified(body).flatMap((file) => file.hunks);
    const heads = body[0]?.startsWith('--- ') && body[1]?.startsWith('+++ ') ? 2 : 0;
    // A new file may hold what looks like hunks: they are some only where they are all of it.
    if (hunks.length > 0 && hunks.reduce((sum, hunk) => sum + 1 + hunk.lines.length, heads) === body.length) return hunks;
    const mark = { added: '+', written: '+', deleted: '-' }[kind] ?? ' ';
    const whole = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
    return [{ head: '', lines: whole.map((text, at) => ({ mark, text, old: mark === '-' ? at + 1 : null, now: mark === '+' ? at + 1 : null })) }];
}

function isMarked(lines) { return lines.every((line) => line === '' || line[0] === '+' || line[0] === '-'); }

/** What goes and what comes, without places; a blank line parts two changes. What both begin and end with did not change. */
function marked(lines) {
    const hunks = [];
    let found = null;
    for (const line of lines) {
        if (line === '') { found = null; continue; }
        if (!found) hunks.push(found = { head: '', lines: [] });
        found.lines.push({ mark: line[0], text: line.slice(1), old: null, now: null });
    }
    for (const hunk of hunks) {
        const gone = hunk.lines.findIndex(({ mark }) => mark === '+');
        const [old, now] = gone < 0 ? [hunk.lines, []] : [hunk.lines.slice(0, gone), hunk.lines.slice(gone)];
        if (old.length === 0 || now.length === 0 || now.some(({ mark }) => mark === '-')) continue;
        const most = Math.min(old.length, now.length);
        let start = 0;
        while (start < most && old[start].text === now[start].text) start += 1;
        let end = 0;
        while (end < most - start && old.at(-1 - end).text === now.at(-1 - end).text) end += 1;
        const same = (line) => ({ ...line, mark: ' ' });
        hunk.lines = [...now.slice(0, start).map(same), ...old.slice(start, old.length - end), ...now.slice(start, now.length - end), ...now.slice(now.length - end).map(same)];
    }
    return hunks;
}

function unified(lines) {
    const files = [];
    /** @type {Changed | null} */
    let file = null;
    /** @type {Hunk | null} */
    let hunk = null;
    let [old, now] = [0, 0];
    // Where a hunk ends: until then what looks like another file's head is a line of it.
    let [oldEnd, newEnd] = [0, 0];
    const begin = (path) => {
        file = { path, to: null, kind: 'updated', hunks: [] };
        files.push(file);
        hunk = null;
    };
    const add = (line) => {
        const mark = line[0];
        hunk.lines.push({ mark, text: line.slice(1), old: mark === '+' ? null : old, now: mark === '-' ? null : now });
        if (mark !== '+') old += 1;
        if (mark !== '-') now += 1;
    };
    for (let at = 0; at < lines.length; at += 1) {
        const line = lines[at];
        const place = HUNK.exec(line);
        if (place) {
            if (!file) begin('');
            [old, now] = [Number(place[1]), Number(place[3])];
            [oldEnd, newEnd] = [old + Number(place[2] ?? 1), now + Number(place[4] ?? 1)];
            hunk = { head: place[5], lines: [] };
            file.hunks.push(hunk);
        } else if (hunk && (old < oldEnd || now < newEnd) && /^[ +-]/.test(line)) {
            add(line);
        } else if (line.startsWith('diff --git ')) {
            begin(line.slice(11).split(' b/').at(-1));
        } else if (line.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ')) {
            const [from, to] = [name(line), name(lines[at + 1])];
            if (!file || file.hunks.length > 0) begin(to ?? from);
            file.path = from ?? to;
            if (from === null) file.kind = 'added';
            else if (to === null) file.kind = 'deleted';
            else if (from !== to) [file.to, file.kind] = [to, 'moved'];
            at += 1;
        } else if (file && !hunk && line.startsWith('rename from ')) {
            [file.path, file.kind] = [line.slice(12), 'moved'];
        } else if (file && !hunk && line.startsWith('rename to ')) {
            file.to = line.slice(10);
        } else if (hunk && /^[ +-]/.test(line)) {
            add(line);
        } else if (hunk && line === '') {
            // A blank line that lost its mark on the way.
            hunk.lines.push({ mark: ' ', text: '', old: old++, now: now++ });
        }
    }
    return files;
}

/** The path behind `--- ` or `+++ `; null for no file. */
function name(line) {
    const path = line.slice(4).split('\t')[0].trim();
    return path === '/dev/null' ? null : path.replace(/^[ab]\//, '');
}

/**
 * Lines of a hunk as pairs for two columns: what was taken away stands beside what came in its place.
 *
 * @param {Line[]} lines
 * @returns {[left: Line | null, right: Line | null][]}
 */
export function sideBySide(lines) {
    /** @type {[left: Line | null, right: Line | null][]} */
    const pairs = [];
    for (let at = 0; at < lines.length;) {
        if (lines[at].mark === ' ') {
            pairs.push([lines[at], lines[at]]);
            at += 1;
            continue;
        }
        const [left, right] = [[], []];
        for (; at < lines.length && lines[at].mark === '-'; at += 1) left.push(lines[at]);
        for (; at < lines.length && lines[at].mark === '+'; at += 1) right.push(lines[at]);
        for (let row = 0; row < Math.max(left.length, right.length); row += 1) pairs.push([left[row] ?? null, right[row] ?? null]);
    }
    return pairs;
}

/**
 * What differs between two lines: how much they have in common at their beginnings and ends.
 *
 * @returns {{start: number, oldEnd: number, newEnd: number} | null} Null where nearly everything differs.
 */
export function changed(before, after) {
    const most = Math.min(before.length, after.length, 2000);
    let start = 0;
    while (start < most && before[start] === after[start]) start += 1;
    let end = 0;
    while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
    if (start + end < Math.max(before.length, after.length) * 0.3 || start + end === 0) return null;
    return { start, oldEnd: before.length - end, newEnd: after.length - end };
}
