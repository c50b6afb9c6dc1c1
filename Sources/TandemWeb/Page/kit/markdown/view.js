import { h } from '../index.js';
import { t } from '../../i18n/index.js';
import { codeBlock } from './code.js';
import { parseMarkdown } from './markdown.js';
import { beginning, visible } from '../said.js';

/**
 * Markdown as elements. Everything that somebody wrote is text; links open by a press only, and say where they lead; pictures are not loaded.
 *
 * @param {string} text
 * @param {Object} options
 * @param {string} [options.class]
 * @param {number} [options.limit] Letters that are shown, else those of any text.
 * @param {(medium: {id: string, words: string}) => Node | null} [options.medium] Shows what the text's own store keeps; without it, and for null,
 *   it is text.
 */
export function markdown(text, { class: name, limit, medium = () => null } = {}) {
    return h('div', { class: ['md', 'inline', name], dir: 'auto', data: { peer: '' } }, blocks(parseMarkdown(beginning(text, limit)), medium));
}

function blocks(values, medium) { return values.map((value) => block(value, medium)); }

function block(value, medium) {
    switch (value.kind) {
        // Below the thread's own; in their look they differ. An agent leaves levels out, a page may not.
        case 'heading': return h('h3', { class: `md-heading level-${value.level}` }, inline(value.children, medium));
        case 'paragraph': return h('p', null, inline(value.children, medium));
        case 'code': return codeBlock({ text: value.text, language: value.language });
        case 'quote': return h('blockquote', null, blocks(value.blocks, medium));
        case 'list': return list(value, medium);
        case 'table': return table(value, medium);
        default: return h('hr', null);
    }
}

function list({ isOrdered, start, items }, medium) {
    const isTasks = items.some(({ task }) => task !== null);
    return h(isOrdered ? 'ol' : 'ul', { class: isTasks ? 'md-tasks' : null, start: isOrdered && start !== 1 ? start : null }, items.map(({ task, blocks: inside }) => {
        const lone = inside.length > 0 && inside[0].kind === 'paragraph';
        const content = lone ? [h('span', { class: 'md-item' }, inline(inside[0].children, medium)), blocks(inside.slice(1), medium)] : blocks(inside, medium);
        return h('li', null, task !== null && h('span', { class: ['md-task', task && 'is-done'], role: 'img', aria: { label: t(task ? 'kit.taskDone' : 'kit.taskOpen') } }), content);
    }));
}

function table({ aligns, head, rows }, medium) {
    const row = (cells, tag) => h('tr', null, cells.map((cell, column) => h(tag, { class: `is-${aligns[column]}` }, inline(cell, medium))));
    return h('div', { class: 'md-table', tabIndex: 0, role: 'group', aria: { label: head.map(plain).join(', ').slice(0, 200) || '…' } },
        h('table', null, h('thead', null, row(head, 'th')), h('tbody', null, rows.map((cells) => row(cells, 'td')))));
}

function inline(children, medium) {
    return children.map((child) => {
        if (typeof child === 'string') return visible(child);
        switch (child.kind) {
            case 'code': return h('code', { class: 'md-code' }, visible(child.text));
            case 'break': return h('br', null);
            case 'link': return link(child, medium);
            case 'medium': return medium(child) ?? visible(child.text);
            default: return h(child.kind === 'strong' ? 'strong' : child.kind, null, inline(child.children, medium));
        }
    });
}

/** With the host it leads to, where its words do not say that. */
function link({ href, children }, medium) {
    const address = new URL(href);
    const host = address.protocol === 'mailto:' ? address.pathname : address.host;
    const words = plain(children);
    const saysIt = words === href || words === address.href || words === host;
    return h('a', { class: 'md-link', href, target: '_blank', rel: 'noopener noreferrer', title: visible(href) },
        inline(children, medium), !saysIt && h('span', { class: 'md-host' }, ` (${visible(host)})`));
}

function plain(children) {
    return children.map((child) => (typeof child === 'string' ? child : child.text ?? plain(child.children ?? []))).join('');
}
