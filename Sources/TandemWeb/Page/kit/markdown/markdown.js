import { parseInline } from './inline.js';

/**
 * Markdown as plain values, never as HTML:
 * `{kind: 'heading', level, children} | {kind: 'paragraph', children} | {kind: 'code', language, text, isOpen} | {kind: 'quote', blocks} |
 * {kind: 'list', isOrdered, start, items: [{task: null | boolean, blocks}]} | {kind: 'table', aligns, head, rows} | {kind: 'rule'}`.
 *
 * Each line is looked at once on each level, and there are few levels: the work grows with the length of the text and no faster.
 */

/** Quotes and lists inside of each other; what is deeper is text. */
const DEEPEST = 8;
/** Blocks of one text; what comes after is one paragraph. */
const MOST_BLOCKS = 2000;
const MOST_COLUMNS = 24;

const FENCE = /^ {0,3}(\x60{3,}|~{3,})([^\x60]*)$/;
const HEADING = /^ {0,3}(#{1,6})(?:\s+(.*))?$/;
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const QUOTE = /^ {0,3}> ?/;
const BULLET = /^( {0,3})([-*+])(?:( {1,4})(?=\S)|[ \t]|$)/;
const NUMBER = /^( {0,3})(\d{1,9})[.)](?:( {1,4})(?=\S)|[ \t]|$)/;
const TASK = /^\[([ xX])\][ \t]+/;
const DIVIDER = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** @param {string} text @returns {Object[]} */
export function parseMarkdown(text) {
    const lines = text.replaceAll('\t', '    ').split('\n');
    return blocks(lines, 0, { left: MOST_BLOCKS });
}

function blocks(lines, depth, budget) {
    const found = [];
    let at = 0;
    while (at < lines.length) {
        const line = lines[at];
        if (isBlank(line)) { at += 1; continue; }
        if (budget.left <= 0) {
            found.push({ kind: 'paragraph', children: [lines.slice(at).join('\n')] });
            break;
        }
        budget.left -= 1;
        const fence = FENCE.exec(line);
        const heading = HEADING.exec(line);
        if (fence) {
            at = code(lines, at, fence, found);
        } else if (heading) {
            found.push({ kind: 'heading', level: heading[1].length, children: parseInline((heading[2] ?? '').replace(/ #+ *$/, '').trim()) });
            at += 1;
        } else if (RULE.test(line)) {
            found.push({ kind: 'rule' });
            at += 1;
        } else if (depth < DEEPEST && QUOTE.test(line)) {
            at = quote(lines, at, found, depth, budget);
        } else if (depth < DEEPEST && (BULLET.test(line) || NUMBER.test(line))) {
            at = list(lines, at, found, depth, budget);
        } else if (line.includes('|') && at + 1 < lines.length && lines[at + 1].includes('-') && DIVIDER.test(lines[at + 1])
            && cells(line).length === cells(lines[at + 1]).length) {
            at = table(lines, at, found);
        } else {
            at = paragraph(lines, at, found, depth);
        }
    }
    return found;
}

/** @param {string[]} lines @param {number} start @param {string[]} fence @param {Object[]} found */
function code(lines, start, [, fence, info], found) {
    const indent = lines[start].length - lines[start].trimStart().length;
    const kept = [];
    let at = start + 1;
    let isOpen = true;
    for (; at < lines.length; at += 1) {
        const trimmed = lines[at].trim();
        if (trimmed.length >= fence.length && trimmed[0] === fence[0] && trimmed === fence[0].repeat(trimmed.length)) {
            isOpen = false;
            at += 1;
            break;
        }
        kept.push(dedented(lines[at], indent));
    }
    found.push({ kind: 'code', language: info.trim().split(/\s/)[0].slice(0, 40).toLowerCase(), text: kept.join('\n'), isOpen });
    return at;
}

function quote(lines, start, found, depth, budget) {
    const inside = [];
    let at = start;
    // A paragraph inside of a quote may go on without its mark.
    for (; at < lines.length && (QUOTE.test(lines[at]) || (at > start && !isBlank(lines[at]) && !beginsBlock(lines[at], depth) && !isBlank(inside.at(-1)))); at += 1) {
        inside.push(lines[at].replace(QUOTE, ''));
    }
    found.push({ kind: 'quote', blocks: blocks(inside, depth + 1, budget) });
    return at;
}

function list(lines, start, found, depth, budget) {
    const isOrdered = !BULLET.test(lines[start]);
    const pattern = isOrdered ? NUMBER : BULLET;
    const first = pattern.exec(lines[start]);
    const mark = isOrdered ? null : first[2];
    const items = [];
    let at = start;
    while (at < lines.length) {
        const begins = pattern.exec(lines[at]);
        if (!begins || RULE.test(lines[at]) || (!isOrdered && begins[2] !== mark)) break;
        const indent = begins[0].length;
        const inside = [lines[at].slice(indent)];
        at += 1;
        for (; at < lines.length; at += 1) {
            if (isBlank(lines[at])) {
                const next = lines[at + 1];
                if (next === undefined || (!isBlank(next) && leading(next) < Math.min(indent, 2))) break;
                inside.push('');
            } else if (leading(lines[at]) >= Math.min(indent, 2)) {
                inside.push(dedented(lines[at], indent));
            } else if (beginsBlock(lines[at], depth) || isBlank(inside.at(-1))) {
                break;
            } else {
                inside.push(lines[at]);
            }
        }
        const task = TASK.exec(inside[0]);
        if (task) inside[0] = inside[0].slice(task[0].length);
        budget.left -= 1;
        items.push({ task: task ? task[1] !== ' ' : null, blocks: blocks(inside, depth + 1, budget) });
        const blank = at;
        while (at < lines.length && isBlank(lines[at])) at += 1;
        if (at > blank && !(at < lines.length && pattern.test(lines[at]))) break;
        if (budget.left <= 0) break;
    }
    found.push({ kind: 'list', isOrdered, start: isOrdered ? Number(first[2]) : null, items });
    return at;
}

function table(lines, start, found) {
    const columns = Math.min(MOST_COLUMNS, cells(lines[start + 1]).length);
    const aligns = cells(lines[start + 1]).slice(0, columns).map((cell) => {
        const [left, right] = [cell.startsWith(':'), cell.endsWith(':')];
        return left && right ? 'center' : right ? 'end' : 'start';
    });
    const row = (line) => {
        const found = cells(line).slice(0, columns).map((cell) => parseInline(cell));
        while (found.length < columns) found.push([]);
        return found;
    };
    const rows = [];
    let at = start + 2;
    for (; at < lines.length && !isBlank(lines[at]) && lines[at].includes('|'); at += 1) rows.push(row(lines[at]));
    found.push({ kind: 'table', aligns, head: row(lines[start]), rows });
    return at;
}

function paragraph(lines, start, found, depth) {
    let at = start + 1;
    while (at < lines.length && !isBlank(lines[at]) && !beginsBlock(lines[at], depth)) at += 1;
    const text = lines.slice(start, at).map((line) => line.replace(/^ +/, '')).join('\n').trimEnd();
    found.push({ kind: 'paragraph', children: parseInline(text) });
    return at;
}

function beginsBlock(line, depth) {
    if (FENCE.test(line) || HEADING.test(line) || RULE.test(line)) return true;
    return depth < DEEPEST && (QUOTE.test(line) || /^ {0,3}[-*+] +\S/.test(line) || /^ {0,3}\d{1,9}[.)] +\S/.test(line));
}

/** The cells of a row; a bar behind a backslash is a letter. */
function cells(line) {
    const found = [''];
    const trimmed = line.trim().replace(/^\|/, '').replace(/(^|[^\\])\|$/, '$1');
    for (let at = 0; at < trimmed.length; at += 1) {
        if (trimmed[at] === '\\' && trimmed[at + 1] === '|') { found[found.length - 1] += '|'; at += 1; }
        else if (trimmed[at] === '|') found.push('');
        else found[found.length - 1] += trimmed[at];
    }
    return found.map((cell) => cell.trim());
}

function isBlank(line) { return line === undefined || line.trim() === ''; }
function leading(line) { return line.length - line.trimStart().length; }
function dedented(line, count) { return line.slice(Math.min(count, leading(line))); }
