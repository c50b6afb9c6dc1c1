/**
 * What stands inside of a line of Markdown, as a tree of plain values:
 * `string | {kind: 'strong' | 'em' | 'del', children} | {kind: 'code', text} | {kind: 'link', href, children} | {kind: 'break'}`.
 * HTML is text. One pass over the letters: each mark is put on a stack once and taken from it once.
 */

/** Marks that are open at a time; what is deeper is text. */
const DEEPEST = 24;
/** Links of other kinds lead into scripts, files or other programs. */
const SAFE = /^(?:https?:\/\/|mailto:)[^\s\u0000-\u0020]+$/i;
const BARE = /^https?:\/\/[^\s<>"'`]+/i;
const ESCAPED = /[!-/:-@[-\x60{-~]/;
const WORD = /[\p{L}\p{N}]/u;

/** The address where it may be opened, else null. */
export function safeAddress(address) {
    const trimmed = String(address ?? '').trim();
    if (trimmed.length > 4000 || !SAFE.test(trimmed)) return null;
    try {
        const { protocol } = new URL(trimmed);
        return ['http:', 'https:', 'mailto:'].includes(protocol) ? trimmed : null;
    } catch {
        return null;
    }
}

/** @param {string} text @returns {Array} */
export function parseInline(text) {
    const brackets = pairs(text, '[', ']');
    const ticks = backticks(text);
    const root = { children: [] };
    const open = [];
    let plain = '';
    // Links that are open, by where their text ends.
    const links = [];

    const top = () => open.at(-1)?.node ?? root;
    const flush = () => { if (plain) { top().children.push(plain); plain = ''; } };
    const add = (node) => { flush(); top().children.push(node); };
    /** What was opened and is not closed is text again. */
    const dissolve = () => {
        const { node, mark } = open.pop();
        top().children.push(mark, ...node.children);
    };

    let at = 0;
    while (at < text.length) {
        const link = links.at(-1);
        if (link && at === link.end) {
            flush();
            while (open.at(-1) !== link.entry) dissolve();
            open.pop();
            links.pop();
            top().children.push(link.entry.node);
            at = link.after;
            continue;
        }
        const letter = text[at];
        if (letter === '\\' && at + 1 < text.length) {
            if (text[at + 1] === '\n') add({ kind: 'break' });
            else plain += ESCAPED.test(text[at + 1]) ? text[at + 1] : letter + text[at + 1];
            at += 2;
        } else if (letter === '\x60') {
            const { length, close } = ticks.get(at);
            if (close === null || (link && close > link.end)) {
                plain += text.slice(at, at + length);
                at += length;
            } else {
                add({ kind: 'code', text: trimmedCode(text.slice(at + length, close)) });
                at = close + length;
            }
        } else if (letter === '[' && links.length === 0 && open.length < DEEPEST && brackets.get(at) !== undefined && text[brackets.get(at) + 1] === '(') {
            const target = linkTarget(text, brackets.get(at) + 2);
            const href = target && safeAddress(target.address);
            if (href) {
                flush();
                const entry = { mark: '', node: { kind: 'link', href, children: [] } };
                open.push(entry);
                links.push({ end: brackets.get(at), after: target.after, entry });
                at += 1;
            } else {
                plain += letter;
                at += 1;
            }
        } else if (letter === '<') {
            const auto = /^<((?:https?:\/\/|mailto:)[^\s<>]{1,2000})>/i.exec(text.slice(at, at + 2100));
            const href = auto && safeAddress(auto[1]);
            if (href && links.length === 0) {
                add({ kind: 'link', href, children: [auto[1]] });
                at += auto[0].length;
            } else {
                plain += letter;
                at += 1;
            }
        } else if ((letter === 'h' || letter === 'H') && links.length === 0 && !WORD.test(text[at - 1] ?? ' ') && BARE.test(text.slice(at, at + 9))) {
            const address = trimmedAddress(BARE.exec(text.slice(at, at + 2000))[0]);
            const href = safeAddress(address);
            if (href) add({ kind: 'link', href, children: [address] });
            else plain += address;
            at += address.length;
        } else if (letter === '*' || letter === '_' || letter === '~') {
            let length = 1;
            while (text[at + length] === letter) length += 1;
            marks(letter, length);
            at += length;
        } else if (letter === '\n') {
            // Two spaces before a line's end break it; another line's end is a space.
            if (plain.endsWith('  ')) {
                plain = plain.trimEnd();
                add({ kind: 'break' });
            } else {
                plain += '\n';
            }
            at += 1;
        } else {
            plain += letter;
            at += 1;
        }
    }
    flush();
    while (open.length > 0) dissolve();
    return root.children;

    function marks(letter, length) {
        const before = text[at - 1] ?? ' ';
        const after = text[at + length] ?? ' ';
        const [opens, closes] = [!/\s/.test(after), !/\s/.test(before)];
        const isInsideWord = letter === '_' && WORD.test(before) && WORD.test(after);
        if (isInsideWord || (letter === '~' && length !== 2) || length > 3) {
            plain += letter.repeat(length);
            return;
        }
        const sizes = length === 3 ? [2, 1] : [length];
        // From the inside out where it closes: what is opened by three is closed by three.
        if (closes && sizes.some((size) => found(letter, size) >= 0)) {
            for (const size of [...sizes].reverse()) close(letter, size);
        } else if (opens && open.length + sizes.length <= DEEPEST) {
            flush();
            for (const size of sizes) {
                const kind = letter === '~' ? 'del' : size === 2 ? 'strong' : 'em';
                open.push({ mark: letter.repeat(size), node: { kind, children: [] } });
            }
        } else {
            plain += letter.repeat(length);
        }
    }

    function found(letter, size) {
        const mark = letter.repeat(size);
        // Not through the beginning of a link: at most DEEPEST are open.
        for (let index = open.length - 1; index >= 0 && open[index].node.kind !== 'link'; index -= 1) {
            if (open[index].mark === mark) return index;
        }
        return -1;
    }

    function close(letter, size) {
        const index = found(letter, size);
        if (index < 0) { plain += letter.repeat(size); return; }
        flush();
        while (open.length - 1 > index) dissolve();
        const { node } = open.pop();
        top().children.push(node);
    }
}

/** Where each bracket is closed. */
function pairs(text, opening, closing) {
    const found = new Map();
    const stack = [];
    for (let at = 0; at < text.length; at += 1) {
        if (text[at] === '\\') at += 1;
        else if (text[at] === opening) stack.push(at);
        else if (text[at] === closing && stack.length > 0) found.set(stack.pop(), at);
    }
    return found;
}

/** Runs of backticks, and where the next run of the same length begins. */
function backticks(text) {
    const runs = [];
    for (let at = text.indexOf('\x60'); at >= 0; at = text.indexOf('\x60', at)) {
        const start = at;
        while (text[at] === '\x60') at += 1;
        runs.push({ at: start, length: at - start });
    }
    const next = new Map();
    const found = new Map();
    for (const { at, length } of runs.reverse()) {
        found.set(at, { length, close: next.get(length) ?? null });
        // Read from a letter in the middle of a run, after a backslash: the rest of it.
        for (let inside = 1; inside < Math.min(length, 8); inside += 1) found.set(at + inside, { length: length - inside, close: null });
        for (let inside = 8; inside < length; inside += 1) found.set(at + inside, { length: length - inside, close: null });
        next.set(length, at);
    }
    return found;
}

function trimmedCode(text) {
    const flat = text.replaceAll('\n', ' ');
    return flat.length > 2 && flat.startsWith(' ') && flat.endsWith(' ') ? flat.slice(1, -1) : flat;
}

/** `address "title")` behind `](`. */
function linkTarget(text, start) {
    const rest = text.slice(start, start + 4200);
    const found = /^\s*(?:<([^<>\n]*)>|([^\s()]*(?:\([^\s()]*\)[^\s()]*)*))(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)/.exec(rest);
    return found ? { address: found[1] ?? found[2], after: start + found[0].length } : null;
}

/** Without the full stop or the bracket that belong to the sentence. */
function trimmedAddress(address) {
    let end = address.length;
    for (;;) {
        const last = address[end - 1];
        if (/[.,;:!?*_~]/.test(last)) end -= 1;
        else if (last === ')' && !address.slice(0, end).includes('(')) end -= 1;
        else return address.slice(0, end);
    }
}
