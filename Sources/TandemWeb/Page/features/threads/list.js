import { banner, button, emptyState, errorBanner, h, iconButton, menuButton, progress, rowOf, segmented, skeleton, textField, virtualList } from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';
import { isolated } from '../../kit/isolated.js';
import { Store, doneBy } from '../../kit/store.js';
import { change as changed, filterOf, initialOf, keptOf, showsThreads } from './list-state.js';
import { threadLink } from './strip.js';
import { ThreadList } from './threads-of.js';
import { FOLDER_ROW, FOUND_ROW, ROW, folderRow, foundRow, threadRow, usualBranches } from './row.js';
import { agentName, folderName } from './words.js';

/** After the last letter, in milliseconds. */
const PAUSE = 220;
/** Between two looks at a list that is being made, in milliseconds. */
const LOOK = 2000;
/** Rows that Tab stops at, one after the other. */
const MOST_STOPS = 50;

/**
 * The threads of a computer: by date, by folder, or those in which a search finds something.
 *
 * @param {{threads: Object, life: Object, query: Object<string, string>, address: (query: Object) => string, go: Function, create: () => void,
 *   trouble: (error: Object, retry: () => any) => Node, agents: () => Object[]}} options
 */
export function threadList({ threads, life, query: firstQuery, address, go, create, trouble, agents }) {
    const store = new Store({ initial: initialOf(firstQuery), change: changed, run: doneBy(() => effects) });
    let timer = null;
    let asking = null;
    let list = null;
    let count = 0;
    let kind = '';
    const place = threads.place;
    const query = (name) => store.state.query[name] ?? null;
    const view = () => (query('view') === 'folders' ? 'folders' : 'recent');
    const filter = () => filterOf(store.state.query);
    const kept = () => keptOf(store.state.query);
    const change = (members, { replace = true } = {}) => go(address({ ...kept(), ...Object.fromEntries(['source', 'thread'].map((name) => [name, query(name)])), ...members }), { replace });

    const search = textField({
        label: t('threads.search'), labelHidden: true, placeholder: t('threads.search'), type: 'search', value: query('find') ?? '',
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
        load: (params) => threads.list(params, { signal: life.signal }), changed: () => { if (!life.hasEnded) store.send({ kind: 'changed' }); },
        // Not under the finger or the keyboard of somebody who reads further down.
        mayMove: () => element.getBoundingClientRect().top >= listTop() - 40 && !body.matches(':focus-within'),
    });

    function filters() {
        const is = (name) => (query(name) ? 'check' : undefined);
        return [
            { label: t('threads.everyAgent'), icon: query('agent') ? undefined : 'check', press: () => change({ agent: null }) },
            ...agents().map(({ source, name }) => ({ label: agentName(source, name), icon: query('agent') === source ? 'check' : undefined, press: () => change({ agent: source }) })),
            { label: t('threads.archived'), icon: is('archived'), press: () => change({ archived: query('archived') ? null : '1' }) },
            { label: t('threads.automatic'), icon: is('all'), press: () => change({ all: query('all') ? null : '1' }) },
        ];
    }

    const effects = {
        ask: (effect) => { asking = ask(effect); },
        draw({ lists, answer }) {
            if (lists === 'found') drawFound(answer);
            else if (lists === 'folders') drawFolders(answer.folders ?? []);
            else drawThreads();
        },
        mark: () => { for (const row of body.querySelectorAll('.thread-row')) markShown(row); },
        refresh: () => { all.refresh().catch(() => {}); },
        sayFailed({ error, isRefused }) {
            kind = '';
            body.replaceChildren(['not-allowed', 'away', 'offline', 'unknown-method'].includes(error.code) ? trouble(error, open) : errorBanner(error, { retry: open }));
            element.classList.toggle('is-refused', isRefused);
        },
    };

    /** Asks again for what the address says. */
    function open() {
        store.send({ kind: 'asked' });
        return asking;
    }

    async function ask({ lists, turn }) {
        drawChosen();
        views.hidden = Boolean(query('find')) || Boolean(query('folder'));
        if (lists === 'found') body.setAttribute('aria-busy', 'true');
        try {
            store.send({ kind: 'answered', turn, lists, answer: await answerOf(lists) });
        } catch (error) {
            if (!life.hasEnded) store.send({ kind: 'failed', turn, error });
        }
        if (turn === store.state.turn && !life.hasEnded) body.removeAttribute('aria-busy');
    }

    async function answerOf(lists) {
        const { source, cwd } = filter();
        const options = { signal: life.signal };
        if (lists === 'found') return threads.search({ query: query('find'), limit: 100, ...(source && { source }), ...(cwd && { cwd }) }, options);
        if (lists === 'folders') return threads.folders({ ...(source && { source }) }, options);
        return all.open(filter());
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
        const row = rowOf(event.target);
        const at = row ? Number(row.getAttribute('aria-posinset')) - 1 : -1;
        const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 }[event.key];
        if (next === undefined || !list?.contains(event.target)) return;
        event.preventDefault();
        list.focusRow(Math.max(0, Math.min(count - 1, next)));
    });

    /** No event tells what a computer finds while it reads its files for the first time. */
    function lookAgain() {
        clearTimeout(looking);
        if (all.indexing) looking = setTimeout(() => { if (showsThreads(store.state)) effects.refresh(); }, LOOK);
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

    function drawFolders(folders) {
        drawIndexing(null);
        newer.hidden = true;
        if (folders.length === 0) { nothing(); return; }
        put('folders', FOLDER_ROW, folders, (folder) => folderRow(folder, { press: () => change({ folder: folder.cwd }, { replace: false }), words: (count) => t('threads.count', { count }) }), t('threads.folders'));
    }

    function drawFound(found) {
        drawIndexing(found.indexing);
        newer.hidden = true;
        const items = found.items ?? [];
        if (items.length === 0) {
            kind = '';
            body.replaceChildren(emptyState({ icon: 'search', title: t('threads.nothingFound'), text: t('threads.nothingFoundText', { words: isolated(query('find')) }) }));
            return;
        }
        kind = '';
        put('found', FOUND_ROW, items, (each) => foundRow(each, { href: threadLink(place, each.thread ?? {}, { ...kept(), at: each.at, item: each.item }), isShown: query('item') === each.item && isShown(each.thread ?? {}) }), t('threads.found', { count: items.length }));
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
        const one = (name, words, isPeers = false) => query(name) && h('button', { type: 'button', class: 'chosen-one', on: { click: () => change({ [name]: null }) } },
            h('span', { class: 'visually-hidden' }, t('threads.without')), h('span', isPeers ? { data: { peer: '' }, dir: 'auto' } : null, words), h('span', { class: 'chosen-x', aria: { hidden: true } }, '×'));
        chosen.replaceChildren(...[
            one('agent', agentName(query('agent'))), one('folder', folderName(query('folder') ?? ''), true), one('archived', t('threads.archived')), one('all', t('threads.automatic')),
        ].filter(Boolean));
        chosen.hidden = chosen.childElementCount === 0;
    }

    function markShown(row) {
        const of = new URLSearchParams(row.hash?.split('?')[1] ?? '');
        const isIt = of.get('thread') === query('thread') && of.get('source') === query('source') && (!query('find') || of.get('item') === query('item'));
        if (isIt) row.setAttribute('aria-current', 'true');
        else row.removeAttribute('aria-current');
    }

    function isShown(thread) { return query('thread') === thread.id && query('source') === thread.source; }
    function listTop() { return element.parentElement?.getBoundingClientRect().top ?? 0; }
    function scrollUp() { (element.closest('.thread-pane') ?? document.scrollingElement).scrollTo({ top: 0 }); window.scrollTo({ top: 0 }); }
    life.listen(document, 'scroll', () => { if (all.isUnsettled && all.mayMove()) all.settle(); }, { capture: true, passive: true });

    const ready = open();
    return {
        element, ready, open, receive: (event) => all.receive(event),
        /** After a lost connection. */
        refresh: () => store.send({ kind: 'reconnected' }),
        update: (next) => {
            store.send({ kind: 'addressed', query: next });
            views.select(view());
            if (document.activeElement !== search.input) search.value = query('find') ?? '';
        },
    };
}
