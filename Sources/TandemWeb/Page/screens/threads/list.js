import { banner, button, emptyState, errorBanner, h, iconButton, menuButton, progress, segmented, skeleton, textField, virtualList } from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';
import { isolated } from '../../kit/isolated.js';
import { threadLink } from './strip.js';
import { ThreadList } from './threads-of.js';
import { FOLDER_ROW, FOUND_ROW, ROW, folderRow, foundRow, threadRow, usualBranches } from './row.js';
import { agentName, folderName } from './words.js';

/** After the last letter, in milliseconds. */
const PAUSE = 220;
/** Between two looks at a list that is being made, in milliseconds. */
const LOOK = 2000;
/** What the address says of the list. */
export const FILTERS = ['view', 'agent', 'folder', 'archived', 'all', 'find'];
/** Rows that Tab stops at, one after the other. */
const MOST_STOPS = 50;

/**
 * The threads of a computer: by date, by folder, or those in which a search finds something.
 *
 * @param {{threads: Object, life: Object, query: URLSearchParams, address: (query: Object) => string, go: Function, create: () => void,
 *   trouble: (error: Object, retry: Function) => Node, agents: () => Object[]}} options
 */
export function threadList({ threads, life, query: firstQuery, address, go, create, trouble, agents }) {
    let query = firstQuery;
    let found = null;
    let folders = null;
    let asked = 0;
    let timer = null;
    let list = null;
    let count = 0;
    let kind = '';
    let isOpen = false;
    const place = threads.place;
    const view = () => (query.get('view') === 'folders' ? 'folders' : 'recent');
    /** Whether threads themselves are listed: neither folders nor places that a search found. */
    const showsThreads = () => isOpen && !found && (view() === 'recent' || query.has('folder'));
    const filter = () => ({
        ...(query.get('agent') && { source: query.get('agent') }), ...(query.get('folder') && { cwd: query.get('folder') }),
        ...(query.get('archived') && { archived: true }), ...(query.get('all') && { all: true }),
    });
    const kept = () => Object.fromEntries([...query].filter(([name]) => FILTERS.includes(name)));
    const change = (members, { replace = true } = {}) => go(address({ ...kept(), ...Object.fromEntries(['source', 'thread'].map((name) => [name, query.get(name)])), ...members }), { replace });

    const search = textField({
        label: t('threads.search'), labelHidden: true, placeholder: t('threads.search'), type: 'search', value: query.get('find') ?? '',
        attributes: { maxLength: 500 },
        input: (text) => { clearTimeout(timer); timer = setTimeout(() => change({ find: text.trim() || null }), PAUSE); },
    });
    const menu = menuButton({ label: t('threads.filter'), icon: 'filter', items: () => filters() });
    const views = segmented({ label: t('threads.view'), value: view(), options: [{ id: 'recent', label: t('threads.recent') }, { id: 'folders', label: t('threads.folders') }], change: (id) => change({ view: id === 'folders' ? id : null }) });
    const chosen = h('div', { class: 'chosen' });
    const strip = h('div', { class: 'list-strip' });
    const body = h('div', { class: 'list-body' }, skeleton(6, { height: ROW - 8 }));
    const newer = button({ label: '', icon: 'arrow-up', kind: 'primary', press: () => { scrollUp(); all.settle(); } });
    newer.classList.add('newer-above');
    newer.hidden = true;
    const element = h('div', { class: 'thread-list' }, h('div', { class: 'list-tools' }, search, menu, iconButton({ label: t('threads.new'), icon: 'plus', kind: 'primary', press: create })), views, chosen, strip, newer, body);
    let looking = null;
    life.add(() => { clearTimeout(timer); clearTimeout(looking); });

    const all = new ThreadList({
        load: (params) => threads.list(params, { signal: life.signal }), changed: () => { if (!life.hasEnded && showsThreads()) drawThreads(); },
        // Not under the finger or the keyboard of somebody who reads further down.
        mayMove: () => element.getBoundingClientRect().top >= listTop() - 40 && !body.matches(':focus-within'),
    });

    function filters() {
        const is = (name) => (query.get(name) ? 'check' : undefined);
        return [
            { label: t('threads.everyAgent'), icon: query.get('agent') ? undefined : 'check', press: () => change({ agent: null }) },
            ...agents().map(({ source, name }) => ({ label: agentName(source, name), icon: query.get('agent') === source ? 'check' : undefined, press: () => change({ agent: source }) })),
            { label: t('threads.archived'), icon: is('archived'), press: () => change({ archived: query.get('archived') ? null : '1' }) },
            { label: t('threads.automatic'), icon: is('all'), press: () => change({ all: query.get('all') ? null : '1' }) },
        ];
    }

    async function open() {
        const turn = ++asked;
        const find = query.get('find') ?? '';
        drawChosen();
        views.hidden = Boolean(find) || Boolean(query.get('folder'));
        try {
            if (find) {
                body.setAttribute('aria-busy', 'true');
                const answer = await threads.search({ query: find, limit: 100, ...(query.get('agent') && { source: query.get('agent') }), ...(query.get('folder') && { cwd: query.get('folder') }) }, { signal: life.signal });
                // The last answer counts, not the slowest.
                if (turn !== asked) return;
                found = answer;
                drawFound();
            } else if (view() === 'folders' && !query.get('folder')) {
                found = null;
                folders = (await threads.folders({ ...(query.get('agent') && { source: query.get('agent') }) }, { signal: life.signal })).folders ?? [];
                if (turn === asked) drawFolders();
            } else {
                found = null;
                await all.open(filter());
                if (turn === asked) drawThreads();
            }
            isOpen = true;
            body.removeAttribute('aria-busy');
        } catch (error) {
            if (life.hasEnded || turn !== asked || error.code === 'cancelled') return;
            body.removeAttribute('aria-busy');
            kind = '';
            body.replaceChildren(['not-allowed', 'away', 'offline', 'unknown-method'].includes(error.code) ? trouble(error, open) : errorBanner(error, { retry: open }));
            element.classList.toggle('is-refused', !isOpen);
        }
    }

    function put(next, rowHeight, items, render, label) {
        count = items.length;
        element.classList.remove('is-refused');
        if (kind !== next) {
            kind = next;
            list = virtualList({ label, rowHeight, items, render: (item, index) => stop(render(item, index)) });
            body.replaceChildren(h('div', { class: 'card rows list-card' }, list));
        } else {
            list.show(items);
        }
        // Tab passes a long list by; arrows walk in it.
        if (count > MOST_STOPS) list.tabIndex = 0;
        else list.removeAttribute('tabindex');
    }

    function stop(row) {
        if (count > MOST_STOPS) row.tabIndex = -1;
        return row;
    }

    body.addEventListener('keydown', (event) => {
        const row = event.target.closest('.virtual-row');
        const at = row ? Number(row.getAttribute('aria-posinset')) - 1 : -1;
        const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 }[event.key];
        if (next === undefined || !list?.contains(event.target)) return;
        event.preventDefault();
        list.focusRow(Math.max(0, Math.min(count - 1, next)));
    });

    /** No event tells what a computer finds while it reads its files for the first time. */
    function lookAgain() {
        clearTimeout(looking);
        if (all.indexing) looking = setTimeout(() => { if (showsThreads()) all.refresh().catch(() => {}); }, LOOK);
    }

    function drawThreads() {
        drawIndexing(all.indexing);
        lookAgain();
        newer.hidden = !all.isUnsettled || all.held === 0;
        newer.querySelector('.button-label').textContent = t('threads.newer', { count: all.held });
        if (all.threads.length === 0) { nothing(); return; }
        const usual = usualBranches(all.threads);
        put('threads', ROW, all.threads, (thread, index) => {
            if (index > all.threads.length - 30) queueMicrotask(() => all.more().catch((error) => { if (error.code !== 'cancelled') strip.replaceChildren(errorBanner(error, { dismissable: true })); }));
            return threadRow(thread, { href: threadLink(place, thread, kept()), isShown: isShown(thread), usual: usual.get(thread.cwd) });
        }, t('threads.listOf', { count: all.total ?? all.threads.length }));
    }

    function drawFolders() {
        drawIndexing(null);
        newer.hidden = true;
        if (folders.length === 0) { nothing(); return; }
        put('folders', FOLDER_ROW, folders, (folder) => folderRow(folder, { press: () => change({ folder: folder.cwd }, { replace: false }), words: (count) => t('threads.count', { count }) }), t('threads.folders'));
    }

    function drawFound() {
        drawIndexing(found.indexing);
        newer.hidden = true;
        const items = found.items ?? [];
        if (items.length === 0) {
            kind = '';
            body.replaceChildren(emptyState({ icon: 'search', title: t('threads.nothingFound'), text: t('threads.nothingFoundText', { words: isolated(query.get('find')) }) }));
            return;
        }
        kind = '';
        put('found', FOUND_ROW, items, (each) => foundRow(each, { href: threadLink(place, each.thread ?? {}, { ...kept(), at: each.at, item: each.item }), isShown: query.get('item') === each.item && isShown(each.thread ?? {}) }), t('threads.found', { count: items.length }));
    }

    function nothing() {
        kind = '';
        const isFiltered = Object.keys(filter()).length > 0;
        body.replaceChildren(emptyState(isFiltered
            ? { icon: 'filter', title: t('threads.noneSuch'), actions: [button({ label: t('threads.showAll'), press: () => change({ agent: null, folder: null, archived: null, all: null }) })] }
            : { icon: 'threads', title: t('threads.none'), text: t('threads.noneText'), actions: [button({ label: t('threads.new'), icon: 'plus', kind: 'primary', press: create })] }));
    }

    function drawIndexing(indexing) {
        if (!indexing || !(indexing.total > indexing.done)) { strip.replaceChildren(); return; }
        const words = banner({ kind: 'info', text: t('threads.indexing', { done: format.number(indexing.done), count: format.number(indexing.total) }), detail: t('threads.indexingText') });
        const bar = progress({ label: t('threads.indexingName'), part: indexing.done / indexing.total });
        strip.replaceChildren(h('div', { class: 'indexing' }, words, bar));
    }

    function drawChosen() {
        const one = (name, words, isPeers = false) => query.get(name) && h('button', { type: 'button', class: 'chosen-one', on: { click: () => change({ [name]: null }) } },
            h('span', { class: 'visually-hidden' }, t('threads.without')), h('span', isPeers ? { data: { peer: '' }, dir: 'auto' } : null, words), h('span', { class: 'chosen-x', aria: { hidden: true } }, '×'));
        chosen.replaceChildren(...[
            one('agent', agentName(query.get('agent'))), one('folder', folderName(query.get('folder') ?? ''), true), one('archived', t('threads.archived')), one('all', t('threads.automatic')),
        ].filter(Boolean));
        chosen.hidden = chosen.childElementCount === 0;
    }

    function markShown(row) {
        const of = new URLSearchParams(row.hash?.split('?')[1] ?? '');
        const isIt = of.get('thread') === query.get('thread') && of.get('source') === query.get('source') && (!query.get('find') || of.get('item') === query.get('item'));
        if (isIt) row.setAttribute('aria-current', 'true');
        else row.removeAttribute('aria-current');
    }

    function isShown(thread) { return query.get('thread') === thread.id && query.get('source') === thread.source; }
    function listTop() { return element.parentElement?.getBoundingClientRect().top ?? 0; }
    function scrollUp() { (element.closest('.thread-pane') ?? document.scrollingElement).scrollTo({ top: 0 }); window.scrollTo({ top: 0 }); }
    life.listen(document, 'scroll', () => { if (all.isUnsettled && all.mayMove()) all.settle(); }, { capture: true, passive: true });

    const ready = open();
    return {
        element, ready, open, receive: (event) => all.receive(event),
        /** After a lost connection. */
        refresh: () => { if (showsThreads()) all.refresh().catch(() => {}); else if (!isOpen) open(); },
        update: (next) => {
            const before = JSON.stringify(FILTERS.map((name) => query.get(name)));
            query = next;
            views.select(view());
            if (document.activeElement !== search.input) search.value = query.get('find') ?? '';
            if (JSON.stringify(FILTERS.map((name) => query.get(name))) !== before) open();
            else for (const row of body.querySelectorAll('.thread-row')) markShown(row);
        },
    };
}
