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
 *   trouble: (error: Object, retry: () => any) => Node, agents: () => Object[], waiting: Node}} options `waiting` stands below the search, which it moves nowhere.
 */
export function threadList({ threads, life, query: firstQuery, address, go, create, trouble, agents, waiting }) {
    const store = new Store({ initial: initialOf(firstQuery), change: changed, run: doneBy(() => effects) });
    const query = (name) => store.state.query[name] ?? null;
    const kept = () => keptOf(store.state.query);
    const change = (members, { replace = true } = {}) => go(address({ ...kept(), source: query('source'), thread: query('thread'), ...members }), { replace });
    const tools = narrowing({ query, change, create, agents, life });
    const strip = h('div', { class: 'list-strip' });
    const body = listBody();
    const newer = button({ label: '', icon: 'arrow-up', kind: 'primary', press: () => { scrollUp(element); all.settle(); } });
    newer.classList.add('newer-above');
    newer.hidden = true;
    const element = h('div', { class: 'thread-list' }, tools.elements[0], waiting, ...tools.elements.slice(1), strip, newer, body.element);
    let asking = null;
    let looking = null;
    life.add(() => clearTimeout(looking));

    const all = new ThreadList({
        load: (params) => threads.list(params, { signal: life.signal }), changed: () => { if (!life.hasEnded) store.send({ kind: 'changed' }); },
        // Not under the finger or the keyboard of somebody who reads further down.
        mayMove: () => element.getBoundingClientRect().top >= listTop(element) - 40 && !body.element.matches(':focus-within'),
    });

    const leading = (thread, at) => ({ href: threadLink(threads.place, thread, { ...kept(), ...at }), isShown: isShown(thread, query) && (!at || query('item') === at.item) });
    const listed = {
        threads: () => threadsListed(all, strip, leading),
        folders: ({ folders }) => foldersListed(folders ?? [], change),
        found: (found) => placesListed(found, leading),
    };
    const effects = {
        ask: (effect) => { asking = ask(effect); },
        draw({ lists, answer }) {
            const { indexing, items, ...rows } = listed[lists](answer);
            strip.replaceChildren(...indexingNote(indexing));
            if (lists === 'threads') lookAgain();
            newer.hidden = lists !== 'threads' || !all.isUnsettled || all.held === 0;
            newer.querySelector('.button-label').textContent = t('threads.newer', { count: all.held });
            if (items.length === 0) { body.say(lists === 'found' ? nothingFound(query('find')) : nothing(filterOf(store.state.query), change, create)); return; }
            element.classList.remove('is-refused');
            body.show(lists, items, rows);
        },
        mark: () => { for (const each of body.element.querySelectorAll('.thread-row')) mark(each, query); },
        refresh: () => { all.refresh().catch(() => {}); },
        sayFailed({ error, isRefused }) {
            body.say(['not-allowed', 'away', 'offline', 'unknown-method'].includes(error.code) ? trouble(error, open) : errorBanner(error, { retry: open }));
            element.classList.toggle('is-refused', isRefused);
        },
    };

    /** Asks again for what the address says. */
    function open() {
        store.send({ kind: 'asked' });
        return asking;
    }

    async function ask({ lists, turn }) {
        tools.draw();
        if (lists === 'found') body.element.setAttribute('aria-busy', 'true');
        try {
            store.send({ kind: 'answered', turn, lists, answer: await answerOf(lists, store.state.query, { threads, all, signal: life.signal }) });
        } catch (error) {
            if (!life.hasEnded) store.send({ kind: 'failed', turn, error });
        }
        if (turn === store.state.turn && !life.hasEnded) body.element.removeAttribute('aria-busy');
    }

    /** No event tells what a computer finds while it reads its files for the first time. */
    function lookAgain() {
        clearTimeout(looking);
        if (all.indexing) looking = setTimeout(() => { if (showsThreads(store.state)) effects.refresh(); }, LOOK);
    }

    life.listen(document, 'scroll', () => { if (all.isUnsettled && all.mayMove()) all.settle(); }, { capture: true, passive: true });
    const ready = open();
    return {
        element, ready, open, receive: (event) => all.receive(event),
        /** After a lost connection. */
        refresh: () => store.send({ kind: 'reconnected' }),
        update: (next) => { store.send({ kind: 'addressed', query: next }); tools.update(); },
    };
}

async function answerOf(lists, query, { threads, all, signal }) {
    const { source, cwd } = filterOf(query);
    if (lists === 'found') return threads.search({ query: query.find, limit: 100, ...(source && { source }), ...(cwd && { cwd }) }, { signal });
    if (lists === 'folders') return threads.folders({ ...(source && { source }) }, { signal });
    return all.open(filterOf(query));
}

function listTop(element) { return element.parentElement?.getBoundingClientRect().top ?? 0; }
function scrollUp(element) { (element.closest('.thread-pane') ?? document.scrollingElement).scrollTo({ top: 0 }); window.scrollTo({ top: 0 }); }

/**
 * What narrows the list down: the search, the filters with those that are chosen, and the two views.
 *
 * @param {{query: (name: string) => string | null, change: (members: Object) => void, create: () => void, agents: () => Object[], life: Object}} context
 */
function narrowing({ query, change, create, agents, life }) {
    let timer = null;
    life.add(() => clearTimeout(timer));
    const view = () => (query('view') === 'folders' ? 'folders' : 'recent');
    const search = textField({
        label: t('threads.search'), labelHidden: true, placeholder: t('threads.search'), type: 'search', value: query('find') ?? '',
        attributes: { maxLength: 500 },
        input: (text) => { clearTimeout(timer); timer = setTimeout(() => change({ find: text.trim() || null }), PAUSE); },
    });
    const menu = menuButton({ label: t('threads.filter'), icon: 'filter', items: () => filters(query, agents(), change) });
    const views = segmented({ label: t('threads.view'), value: view(), options: [{ id: 'recent', label: t('threads.recent') }, { id: 'folders', label: t('threads.folders') }], change: (id) => change({ view: id === 'folders' ? id : null }) });
    const chosen = h('div', { class: 'chosen' });
    return {
        elements: [h('div', { class: 'list-tools' }, search, menu, iconButton({ label: t('threads.new'), icon: 'plus', kind: 'primary', press: create })), views, chosen],
        draw: () => {
            chosen.replaceChildren(...chosenOnes(query, change));
            chosen.hidden = chosen.childElementCount === 0;
            views.hidden = Boolean(query('find')) || Boolean(query('folder'));
        },
        /** The address changed. */
        update: () => {
            views.select(view());
            if (document.activeElement !== search.input) search.value = query('find') ?? '';
        },
    };
}

function filters(query, agents, change) {
    const item = (label, isChosen, members) => ({ label, icon: isChosen ? 'check' : undefined, press: () => change(members()) });
    const turned = (name, label) => item(label, query(name), () => ({ [name]: query(name) ? null : '1' }));
    return [
        item(t('threads.everyAgent'), !query('agent'), () => ({ agent: null })),
        ...agents.map(({ source, name }) => item(agentName(source, name), query('agent') === source, () => ({ agent: source }))),
        turned('archived', t('threads.archived')), turned('all', t('threads.automatic')),
    ];
}

/** The filters that are chosen, each with its cross. */
function chosenOnes(query, change) {
    const one = (name, words, isPeers = false) => query(name) && h('button', { type: 'button', class: 'chosen-one', on: { click: () => change({ [name]: null }) } },
        h('span', { class: 'visually-hidden' }, t('threads.without')), h('span', isPeers ? { data: { peer: '' }, dir: 'auto' } : null, words), h('span', { class: 'chosen-x', aria: { hidden: true } }, '×'));
    return [
        one('agent', agentName(query('agent'))), one('folder', folderName(query('folder') ?? ''), true), one('archived', t('threads.archived')), one('all', t('threads.automatic')),
    ].filter(Boolean);
}

/** The rows of what is listed, among which arrows walk; or one thing that is said in their place. */
function listBody() {
    let list = null;
    let count = 0;
    let shown = '';
    const element = h('div', { class: 'list-body' }, skeleton(6, { height: ROW - 8 }));
    const stop = (row) => {
        if (count > MOST_STOPS) row.tabIndex = -1;
        return row;
    };
    element.addEventListener('keydown', (event) => {
        const row = rowOf(event.target);
        const at = row ? Number(row.getAttribute('aria-posinset')) - 1 : -1;
        const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 }[event.key];
        if (next === undefined || !list?.contains(event.target)) return;
        event.preventDefault();
        list.focusRow(Math.max(0, Math.min(count - 1, next)));
    });
    const show = (kind, items, { label, rowHeight, isMeasured = false, render }) => {
        count = items.length;
        // What another search found stands under another name.
        if (kind !== shown || kind === 'found') {
            shown = kind;
            list = virtualList({ label, rowHeight, isMeasured, items, render: (item, index) => stop(render(item, index)) });
            element.replaceChildren(h('div', { class: 'card rows list-card' }, list));
        } else {
            list.show(items);
        }
        // Tab passes a long list by; arrows walk in it.
        if (count > MOST_STOPS) list.tabIndex = 0;
        else list.removeAttribute('tabindex');
    };
    return { element, show, say: (said) => { shown = ''; element.replaceChildren(said); } };
}

function threadsListed(all, strip, leading) {
    const usual = usualBranches(all.threads);
    const more = () => all.more().catch((error) => { if (error.code !== 'cancelled') strip.replaceChildren(errorBanner(error, { dismissable: true })); });
    return {
        indexing: all.indexing, items: all.threads, label: t('threads.listOf', { count: all.total ?? all.threads.length }), rowHeight: ROW, isMeasured: true,
        render: (thread, index) => {
            if (index > all.threads.length - 30) queueMicrotask(more);
            return threadRow(thread, { ...leading(thread), usual: usual.get(thread.cwd) });
        },
    };
}

function foldersListed(items, change) {
    return {
        items, label: t('threads.folders'), rowHeight: FOLDER_ROW,
        render: (folder) => folderRow(folder, { press: () => change({ folder: folder.cwd }, { replace: false }), words: (count) => t('threads.count', { count }) }),
    };
}

/** The places that a search found. */
function placesListed(found, leading) {
    const items = found.items ?? [];
    return {
        indexing: found.indexing, items, label: t('threads.found', { count: items.length }), rowHeight: FOUND_ROW,
        render: (each) => foundRow(each, leading(each.thread ?? {}, { at: each.at, item: each.item })),
    };
}

function isShown({ id, source }, query) { return query('thread') === id && query('source') === source; }

/** What the address of a row names. */
export function namedBy(row) { return new URLSearchParams(row.hash?.split('?')[1]); }

function mark(row, query) {
    const of = namedBy(row);
    if (isShown({ id: of.get('thread'), source: of.get('source') }, query) && (!query('find') || of.get('item') === query('item'))) row.setAttribute('aria-current', 'true');
    else row.removeAttribute('aria-current');
}

function nothingFound(words) { return emptyState({ icon: 'search', title: t('threads.nothingFound'), text: t('threads.nothingFoundText', { words: isolated(words) }) }); }

function nothing(filter, change, create) {
    return emptyState(Object.keys(filter).length > 0
        ? { icon: 'filter', title: t('threads.noneSuch'), actions: [button({ label: t('threads.showAll'), press: () => change({ agent: null, folder: null, archived: null, all: null }) })] }
        : { icon: 'threads', title: t('threads.none'), text: t('threads.noneText'), actions: [button({ label: t('threads.new'), icon: 'plus', kind: 'primary', press: create })] });
}

/** How far a computer is that reads its files for the first time. */
function indexingNote(indexing) {
    if (!indexing || !(indexing.total > indexing.done)) return [];
    const words = banner({ kind: 'info', text: t('threads.indexing', { done: format.number(indexing.done), count: format.number(indexing.total) }), detail: t('threads.indexingText') });
    return [h('div', { class: 'indexing' }, words, progress({ label: t('threads.indexingName'), part: indexing.done / indexing.total }))];
}
