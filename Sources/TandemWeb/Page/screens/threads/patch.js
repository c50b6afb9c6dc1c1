/**
 * Patches as plain values: `[{path, to, kind, hunks: [{head, lines: [{mark: ' ' | '+' | '-', text, old, now}]}], added, removed}]`, of the
 * unified form (`diff --git`, `---`, `+++`, `@@`) and of Codex's own (`*** Begin Patch`). Empty where a text is neither.
 */

/** Lines of one patch that are read. */
const MOST_LINES = 20_000;
const HUNK = /^@@ -(\d{1,9})(?:,\d{1,9})? \+(\d{1,9})(?:,\d{1,9})? @@ ?(.*)$/;
const CODEX = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const CODEX_KINDS = { Add: 'added', Update: 'updated', Delete: 'deleted' };

/** @param {string} text @returns {Object[]} */
export function parsePatch(text) {
    const all = String(text ?? '').split('\n', MOST_LINES + 1);
    const lines = all.slice(0, MOST_LINES).map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
    if (lines.at(-1) === '') lines.pop();
    const files = lines.some((line) => CODEX.test(line)) ? codex(lines) : unified(lines);
    for (const file of files) {
        const marks = file.hunks.flatMap((hunk) => hunk.lines.map(({ mark }) => mark));
        file.added = marks.filter((mark) => mark === '+').length;
        file.removed = marks.filter((mark) => mark === '-').length;
    }
    return files.filter((file) => file.hunks.length > 0 || file.to || file.kind !== 'updated');
}

function codex(lines) {
    const files = [];
    let file = null;
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

function unified(lines) {
    const files = [];
    let file = null;
    let hunk = null;
    let [old, now] = [0, 0];
    const begin = (path) => {
        file = { path, to: null, kind: 'updated', hunks: [] };
        files.push(file);
        hunk = null;
    };
    for (let at = 0; at < lines.length; at += 1) {
        const line = lines[at];
        const place = HUNK.exec(line);
        if (place) {
            if (!file) begin('');
            [old, now] = [Number(place[1]), Number(place[2])];
            hunk = { head: place[3], lines: [] };
            file.hunks.push(hunk);
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
            const mark = line[0];
            hunk.lines.push({ mark, text: line.slice(1), old: mark === '+' ? null : old, now: mark === '-' ? null : now });
            if (mark !== '+') old += 1;
            if (mark !== '-') now += 1;
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
 * @returns {[left: Object | null, right: Object | null][]}
 */
export function sideBySide(lines) {
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
