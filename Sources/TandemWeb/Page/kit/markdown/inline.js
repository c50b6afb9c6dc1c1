/**
 * What stands inside of a line of Markdown, as a tree of plain values:
 * `string | {kind: 'strong' | 'em' | 'del', children} | {kind: 'code', text} | {kind: 'link', href, children} | {kind: 'medium', id, words, text} |
 * {kind: 'break'}`. A medium is what the text's own store keeps, `![words](media://ID)` or the same without the mark; `text` is as it was written.
 * HTML is text. One pass over the letters: each mark is put on a stack once and taken from it once.
 */

/** Marks that are open at a time; what is deeper is text. */
const DEEPEST = 24;
/** Links of other kinds lead into scripts, files or other programs. */
const SAFE = /^(?:https?:\/\/|mailto:)[^\s\u0000-\u0020]+$/i;
const MEDIUM = /^media:\/\/([A-Za-z0-9._-]{1,128})$/;
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

/**
 * What may begin with a letter: it is put into the tree, and the place behind it answered. Null where the letter is text after all.
 *
 * @type {Object<string, (line: Line, at: number, tree: Tree) => number | null>}
 */
const RULES = {
    '\\': escaped, '\x60': code, '!': medium, '[': link, '<': addressInBrackets, h: bareAddress, H: bareAddress, '*': emphasis, '_': emphasis, '~': emphasis, '\n': lineEnd,
};

/**
 * A text that is read, with where its brackets and its runs of backticks are closed.
 *
 * @typedef {{text: string, brackets: Map<number, number>, ticks: Map<number, {length: number, close: number | null}>}} Line
 */

/** @param {string} text @returns {Array} */
export function parseInline(text) {
    const line = { text, brackets: pairs(text, '[', ']'), ticks: backticks(text) };
    const tree = new Tree();
    let at = 0;
    while (at < text.length) {
        const next = at === tree.link?.end ? tree.closeLink() : RULES[text[at]]?.(line, at, tree) ?? null;
        if (next === null) tree.plain += text[at];
        at = next ?? at + 1;
    }
    return tree.whole();
}

/** What was read, and the marks that are open. */
class Tree {
    #root = { children: [] };
    #open = [];
    /** What was read last, as far as it is text. */
    plain = '';
    /** @type {{end: number, after: number, entry: Object} | null} The link whose text is read: where that ends, and where the link does. */
    link = null;

    get depth() { return this.#open.length; }
    get #top() { return this.#open.at(-1)?.node ?? this.#root; }

    add(node) {
        this.#flush();
        this.#top.children.push(node);
    }

    open(mark, node) {
        this.#flush();
        this.#open.push({ mark, node });
        return this.#open.at(-1);
    }

    /** @returns {Object | undefined} */
    opened(mark) {
        // Not through the beginning of a link: at most DEEPEST are open.
        const entry = [...this.#open].reverse().find(({ mark: each, node }) => each === mark || node.kind === 'link');
        return entry?.mark === mark ? entry : undefined;
    }

    close(entry) {
        this.#flush();
        while (this.#open.at(-1) !== entry) this.#dissolve();
        this.#open.pop();
        this.#top.children.push(entry.node);
    }

    closeLink() {
        const { entry, after } = this.link;
        this.close(entry);
        this.link = null;
        return after;
    }

    whole() {
        this.#flush();
        while (this.#open.length > 0) this.#dissolve();
        return this.#root.children;
    }

    #flush() {
        if (this.plain) this.#top.children.push(this.plain);
        this.plain = '';
    }

    /** What was opened and is not closed is text again. */
    #dissolve() {
        const { node, mark } = this.#open.pop();
        this.#top.children.push(mark, ...node.children);
    }
}

function escaped({ text }, at, tree) {
    if (at + 1 === text.length) return null;
    const next = text[at + 1];
    if (next === '\n') tree.add({ kind: 'break' });
    else tree.plain += ESCAPED.test(next) ? next : text[at] + next;
    return at + 2;
}

function code({ text, ticks }, at, tree) {
    const { length, close } = ticks.get(at);
    if (close === null || close > tree.link?.end) {
        tree.plain += text.slice(at, at + length);
        return at + length;
    }
    tree.add({ kind: 'code', text: trimmedCode(text.slice(at + length, close)) });
    return close + length;
}

/** At its mark, or at its bracket where it has none. */
function medium({ text, brackets }, at, tree) {
    const opening = text[at] === '!' ? at + 1 : at;
    const end = text[opening] === '[' ? brackets.get(opening) : undefined;
    if (tree.link || end === undefined || !text.startsWith('(media://', end + 1)) return null;
    const target = linkTarget(text, end + 2);
    const found = target && MEDIUM.exec(target.address);
    if (!found) return null;
    tree.add({ kind: 'medium', id: found[1], words: text.slice(opening + 1, end), text: text.slice(at, target.after) });
    return target.after;
}

function link(line, at, tree) {
    const { text, brackets } = line;
    const inPlace = medium(line, at, tree);
    if (inPlace !== null) return inPlace;
    const end = brackets.get(at);
    if (tree.link || tree.depth === DEEPEST || end === undefined || text[end + 1] !== '(') return null;
    const target = linkTarget(text, end + 2);
    const href = target && safeAddress(target.address);
    if (!href) return null;
    tree.link = { end, after: target.after, entry: tree.open('', { kind: 'link', href, children: [] }) };
    return at + 1;
}

function addressInBrackets({ text }, at, tree) {
    const found = /^<((?:https?:\/\/|mailto:)[^\s<>]{1,2000})>/i.exec(text.slice(at, at + 2100));
    const href = found && safeAddress(found[1]);
    if (!href || tree.link) return null;
    tree.add({ kind: 'link', href, children: [found[1]] });
    return at + found[0].length;
}

function bareAddress({ text }, at, tree) {
    if (tree.link || WORD.test(text[at - 1] ?? ' ') || !BARE.test(text.slice(at, at + 9))) return null;
    const address = trimmedAddress(BARE.exec(text.slice(at, at + 2000))[0]);
    const href = safeAddress(address);
    if (href) tree.add({ kind: 'link', href, children: [address] });
    else tree.plain += address;
    return at + address.length;
}

function emphasis({ text }, at, tree) {
    const letter = text[at];
    let length = 1;
    while (text[at + length] === letter) length += 1;
    const [before, after] = [text[at - 1] ?? ' ', text[at + length] ?? ' '];
    const isInsideWord = letter === '_' && WORD.test(before) && WORD.test(after);
    const sizes = isInsideWord || (letter === '~' && length !== 2) || length > 3 ? [] : length === 3 ? [2, 1] : [length];
    const marks = sizes.map((size) => letter.repeat(size));
    if (!/\s/.test(before) && marks.some((mark) => tree.opened(mark))) closeAll(marks, tree);
    else if (!/\s/.test(after) && marks.length > 0 && tree.depth + marks.length <= DEEPEST) {
        for (const mark of marks) tree.open(mark, { kind: letter === '~' ? 'del' : mark.length === 2 ? 'strong' : 'em', children: [] });
    } else tree.plain += letter.repeat(length);
    return at + length;
}

/** From the inside out: what is opened by three is closed by three. */
function closeAll(marks, tree) {
    for (const mark of marks.reverse()) {
        const entry = tree.opened(mark);
        if (entry) tree.close(entry);
        else tree.plain += mark;
    }
}

function lineEnd(line, at, tree) {
    // Two spaces before a line's end break it; another line's end is a space.
    if (!tree.plain.endsWith('  ')) return null;
    tree.plain = tree.plain.trimEnd();
    tree.add({ kind: 'break' });
    return at + 1;
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
        for (let inside = 1; inside < length; inside += 1) found.set(at + inside, { length: length - inside, close: null });
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
