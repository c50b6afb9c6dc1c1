import { banner, button, errorBanner, errorToast, h, iconButton, menuButton, plainText, segmented, skeleton, textField } from '../../kit/index.js';
import { selectField } from '../../kit/select.js';
import { Store, doneBy } from '../../kit/store.js';
import { t } from '../../i18n/index.js';
import { History } from './history.js';
import { change, filterOf, initialOf, isFiltered, keptOf } from './list-state.js';
import { marksOf } from './marks.js';
import { pullToRefresh } from './pull.js';
import { NoticeRows, ROW } from './rows.js';
import { followTold } from './told.js';

/** After the last letter, in milliseconds. */
const PAUSE = 220;

/**
 * The list of a computer's notifications, or of all computers', with its search, its filter and what can be done with all of them.
 *
 * @param {Object} options
 * @param {Object} options.notifications `notificationsOf(…)`.
 * @param {import('../../life.js').Life} options.life
 * @param {URLSearchParams} options.query What the address says of it: `find`, `unread`, `app`.
 * @param {() => void} options.chosen Another filter: see `kept`.
 * @param {(item: Object) => void} options.open Shows one.
 * @param {(isTold: boolean) => void} [options.drawn] Called each time that the rows were drawn; of what was told where it says so.
 * @param {Object[]} options.menu Further items of the menu.
 * @param {(error: Object, retry: () => any) => Node} options.trouble Why nothing can be shown.
 * @param {() => Object | null} [options.refusal] Why nothing may be seen now, as a failure.
 * @param {boolean} [options.withPrograms] A filter by program.
 */
export function noticeList({ notifications, life, query, chosen, open, drawn = () => {}, menu, trouble, refusal = () => null, withPrograms = false }) {
    const store = new Store({ initial: initialOf(filterOf(query)), change, run: doneBy(() => effects) });
    const narrow = (filter) => store.send({ kind: 'narrowed', filter });
    const showAll = () => {
        narrow({ unread: false, app: '' });
        filters.show(store.state.filter);
    };
    const filters = new Filters({ filter: store.state.filter, withPrograms, narrow, life });
    // Not under the finger or the keyboard of somebody who reads further down, nor under a menu: “mark all read” means what was seen before it.
    const mayMove = () => window.scrollY < 40 && !body.matches(':has(:focus-visible)') && !document.querySelector('dialog:modal, .menu:popover-open');
    const strips = noticeStrips(['error', 'missed', 'mark', 'queued', 'away']);
    const history = new History({
        ask: (query) => notifications.list({ ...query, words: query.words || undefined, app: query.app || undefined }, { signal: life.signal }),
        changed: (isTold) => { if (!life.hasEnded) store.send({ kind: 'changed', isTold }); },
        mayMove,
    });
    const body = h('div', { class: 'notice-body-of-list' }, skeleton(6, { height: ROW - 10 }));
    const feed = feedOf({ notifications, history, life, strips, store, refusal, body });
    const marks = marksOf({ notifications, history, life, strips, countQueued: feed.countQueued, failed: feed.failed, isFiltered: () => isFiltered(store.state.filter) });
    const rows = new NoticeRows(body, { open, marks, notifications, showAll, more: () => { history.more().catch(feed.failed); } });
    const newer = button({ label: '', icon: 'arrow-up', kind: 'primary', press: () => { window.scrollTo({ top: 0 }); history.settle(); } });
    newer.classList.add('notice-newer');
    newer.hidden = true;
    const more = menuButton({ label: t('notifications.more'), items: () => [
        { label: t('notifications.readAll'), icon: 'check', disabled: history.unreadCount === 0, press: marks.readAll },
        // Of several computers each has its own: too much would be gone by one press.
        ...(notifications.isAll ? [] : [{ label: t('notifications.clear'), icon: 'trash', kind: 'danger', disabled: history.total === 0 && !isFiltered(store.state.filter), press: marks.clear }]),
        ...menu,
    ] });
    const element = h('div', { class: 'notice-list' },
        h('div', { class: 'notice-tools' }, filters.search, iconButton({ label: t('notifications.refresh'), icon: 'refresh', press: feed.refresh }), more),
        h('div', { class: 'notice-filters' }, filters.which, filters.programs), strips.element, h('div', { class: 'notice-newer-place' }, newer), body);
    element.prepend(pullToRefresh(element, feed.refresh));

    const effects = {
        ask: feed.ask,
        goTo: chosen,
        showFilter: () => filters.show(store.state.filter),
        sayUpToDate: () => strips.put('error', null),
        draw({ isNews, isTold = false }) {
            element.classList.remove('is-refused');
            newer.hidden = history.held === 0;
            newer.querySelector('.button-label').textContent = t('notifications.newer', { count: history.held });
            strips.put('away', history.isAway ? strips.get('away') ?? banner({ kind: 'offline', text: t('notifications.searchedHere') }) : null);
            rows.show(history.rows, store.state.filter);
            if (isNews) drawn(isTold);
        },
        sayStale: feed.sayStale,
        refuse({ error }) {
            // Nothing can be searched where nothing may be seen.
            element.classList.toggle('is-refused', ['not-allowed', 'unknown-method'].includes(error.code));
            rows.replaceBy(trouble(error, feed.load));
        },
    };
    const settle = () => { if (history.held > 0 && mayMove()) history.settle(); };

    life.listen(document, 'scroll', settle, { capture: true, passive: true });
    life.listen(document, 'toggle', settle, { capture: true });
    const ready = feed.load();
    feed.countQueued();
    return {
        element, ready, countQueued: feed.countQueued, markRead: marks.markRead, remove: marks.remove, settle, placeOf: (id) => rows.placeOf(id),
        /** Brings the keyboard back from a sheet, unless it is in the list already. */
        focus: (id, at) => { if (!rows.focused) rows.focus(id, at); },
        /** The item of an id, of those that are shown. */
        find: (id) => rows.find(id) ?? history.said(id),
        /** The computer is there again, or allows it again. */
        refresh: () => { strips.put('missed', null); return feed.again(); },
        kept: () => keptOf(store.state.filter),
        update: (next) => store.send({ kind: 'addressed', filter: filterOf(next) }),
        offerPrograms: (names) => filters.offer(names, store.state.filter),
    };
}

/** How a list is narrowed down: by words, to those that were not read, and to one program. */
class Filters {
    /** @param {{filter: import('./list-state.js').Filter, withPrograms: boolean, narrow: (filter: Object) => void, life: import('../../life.js').Life}} options */
    constructor({ filter, withPrograms, narrow, life }) {
        let timer = null;
        life.add(() => clearTimeout(timer));
        this.search = textField({
            label: t('notifications.search'), labelHidden: true, placeholder: t('notifications.search'), type: 'search', value: filter.words, attributes: { maxLength: 200 },
            input: (text) => { clearTimeout(timer); timer = setTimeout(() => narrow({ words: text.trim() }), PAUSE); },
        });
        this.which = segmented({
            label: t('notifications.which'), value: whichOf(filter), change: (id) => narrow({ unread: id === 'unread' }),
            options: [{ id: 'all', label: t('notifications.all') }, { id: 'unread', label: t('notifications.unread') }],
        });
        this.programs = selectField({ label: t('notifications.program'), options: [], value: '', change: (app) => narrow({ app }) });
        this.programs.hidden = !withPrograms;
        this.offer(filter.app ? [{ id: filter.app, label: plainText(filter.app, 60) }] : [], filter);
    }

    show(filter) {
        if (document.activeElement !== this.search.input) this.search.value = filter.words;
        this.which.select(whichOf(filter));
        this.programs.querySelector('select').value = filter.app;
    }

    /** Offers programs beside all of them. */
    offer(names, { app }) {
        this.programs.offer([{ id: '', label: t('notifications.everyProgram') }, ...names.map((name) => ({ ...name, isPeers: true }))], app);
    }
}

function whichOf({ unread }) { return unread ? 'unread' : 'all'; }

/**
 * Asks for a list of notifications and keeps it up to date; strips say where it is not.
 *
 * @param {{notifications: Object, history: import('./history.js').History, life: import('../../life.js').Life, strips: Object,
 *   store: import('../../kit/store.js').Store<import('./list-state.js').List, any, any>, refusal: () => Object | null,
 *   body: HTMLElement}} list `body` is busy while it is asked for.
 */
function feedOf({ notifications, history, life, strips, store, refusal, body }) {
    let asking = null;
    const stale = (error, retry) => errorBanner(error, { text: t('notifications.notUpToDate'), retry, dismissable: true });
    const failed = (error, turn) => { if (!life.hasEnded) store.send({ kind: 'failed', error, turn }); };

    /** Asks for what the address says. */
    function load() {
        store.send({ kind: 'asked' });
        return asking;
    }

    async function ask({ turn }) {
        body.setAttribute('aria-busy', 'true');
        try {
            const refused = refusal();
            if (refused) throw refused;
            await history.open({ ...store.state.filter });
            store.send({ kind: 'answered', turn });
        } catch (error) {
            failed(error, turn);
        }
        if (turn === store.state.turn) body.removeAttribute('aria-busy');
    }

    /** Asks again for what is shown; where nothing is shown yet, for all of it. */
    async function again() {
        if (refusal()) store.send({ kind: 'refused' });
        if (!store.state.isOpen) { await load(); return; }
        try {
            await history.refresh();
            strips.put('error', null);
        } catch (error) {
            failed(error);
        }
        countQueued();
    }

    /** What a person asks for: the computer first, and then what is here by then. */
    async function refresh() {
        const missed = await (refusal() ? null : notifications.refresh({ signal: life.signal }).then(() => null, (error) => error));
        await again();
        // A strip of its own: that what is kept here could be read again does not make it what the computer has.
        strips.put('missed', missed && missed.code !== 'cancelled' && store.state.isOpen && !strips.get('error') ? stale(missed, refresh) : null);
    }

    async function countQueued() {
        const count = await notifications.waiting({ signal: life.signal }).catch(() => 0);
        if (!life.hasEnded) strips.put('queued', count > 0 ? banner({ kind: 'offline', text: t('notifications.queued', { count }) }) : null);
    }

    life.add(followTold({
        notifications, history, isLacking: () => !store.state.isOpen && !body.hasAttribute('aria-busy'),
        ask: () => { again().catch(errorToast); }, done: countQueued,
    }));
    return {
        load, again, refresh, countQueued, failed, ask: (effect) => { asking = ask(effect); },
        sayStale: ({ error }) => strips.put('error', stale(error, again)),
    };
}

/**
 * What a list says above itself, each kind in its own place.
 *
 * @param {string[]} kinds In their order.
 * @returns {{element: HTMLElement, get(kind: string): HTMLElement | null, put(kind: string, strip: HTMLElement | null): void}} `get` is null for
 *   one that the person dismissed.
 */
function noticeStrips(kinds) {
    const element = h('div', { class: 'notice-strips' });
    const parts = Object.fromEntries(kinds.map((kind) => [kind, null]));
    const get = (kind) => (element.contains(parts[kind]) ? parts[kind] : null);
    return {
        element, get,
        put: (kind, strip) => {
            if (parts[kind] === strip) return;
            // A strip that was dismissed does not come back with the next one.
            for (const each of kinds) parts[each] = each === kind ? strip : get(each);
            element.replaceChildren(...Object.values(parts).filter(Boolean));
        },
    };
}
