import {
    banner, button, errorBanner, errorToast, find, h, iconButton, menuButton, plainText, rowOf, segmented, skeleton, textField, virtualList,
} from '../../kit/index.js';
import { selectField } from '../../kit/select.js';
import { t } from '../../i18n/index.js';
import { History } from './history.js';
import { marksOf } from './marks.js';
import { noNotices } from './nothing.js';
import { pullToRefresh } from './pull.js';
import { ROW, noticeRow, stackRow } from './row.js';
import { Stacks, placeIn } from './stacks.js';
import { noticeStrips } from './strips.js';

/** After the last letter, in milliseconds. */
const PAUSE = 220;
/** Changes that come together are asked for once, in milliseconds. */
const TOGETHER = 120;
/** Rows that Tab stops at, one after the other. */
const MOST_STOPS = 30;

function filterOf(query) { return { unread: query.get('unread') === '1', words: query.get('find') ?? '', app: query.get('app') ?? '' }; }

/**
 * The list of a computer's notifications, or of all computers', with its search, its filter and what can be done with all of them.
 *
 * @param {Object} options
 * @param {Object} options.notifications `notificationsOf(…)`.
 * @param {import('../../life.js').Life} options.life
 * @param {URLSearchParams} options.query What the address says of it: `find`, `unread`, `app`.
 * @param {() => void} options.chosen Another filter: see `kept`.
 * @param {(item: Object) => void} options.open Shows one.
 * @param {() => void} [options.drawn] Called each time that the rows were drawn.
 * @param {Object[]} options.menu Further items of the menu.
 * @param {(error: Object, retry: () => any) => Node} options.trouble Why nothing can be shown.
 * @param {() => Object | null} [options.refusal] Why nothing may be seen now, as a failure.
 * @param {boolean} [options.withPrograms] A filter by program.
 */
export function noticeList({ notifications, life, query, chosen, open, drawn = () => {}, menu, trouble, refusal = () => null, withPrograms = false }) {
    const filter = filterOf(query);
    const stacks = new Stacks();
    let list = null;
    let rows = [];
    /** What is drawn of them: those of one conversation are one row. */
    let drawnRows = [];
    let turn = 0;
    let isOpen = false;
    let timer = null;
    let later = null;

    const search = textField({
        label: t('notifications.search'), labelHidden: true, placeholder: t('notifications.search'), type: 'search', value: filter.words, attributes: { maxLength: 200 },
        input: (text) => { clearTimeout(timer); timer = setTimeout(() => choose({ words: text.trim() }), PAUSE); },
    });
    const which = segmented({
        label: t('notifications.which'), value: filter.unread ? 'unread' : 'all', change: (id) => choose({ unread: id === 'unread' }),
        options: [{ id: 'all', label: t('notifications.all') }, { id: 'unread', label: t('notifications.unread') }],
    });
    const every = { id: '', label: t('notifications.everyProgram') };
    const programs = selectField({
        label: t('notifications.program'), value: filter.app, change: (app) => choose({ app }),
        options: [every, ...(filter.app ? [{ id: filter.app, label: plainText(filter.app, 60), isPeers: true }] : [])],
    });
    programs.hidden = !withPrograms;
    const strips = noticeStrips(['error', 'missed', 'mark', 'queued', 'away']);
    const { put } = strips;
    const body = h('div', { class: 'notice-body-of-list' }, skeleton(6, { height: ROW - 10 }));
    const newer = button({ label: '', icon: 'arrow-up', kind: 'primary', press: () => { window.scrollTo({ top: 0 }); history.settle(); } });
    newer.classList.add('notice-newer');
    newer.hidden = true;
    const more = menuButton({ label: t('notifications.more'), items: () => [
        { label: t('notifications.readAll'), icon: 'check', disabled: history.unreadCount === 0, press: () => marks.readAll() },
        // Of several computers each has its own: too much would be gone by one press.
        ...(notifications.isAll ? [] : [{ label: t('notifications.clear'), icon: 'trash', kind: 'danger', disabled: history.total === 0 && !isFiltered(), press: () => marks.clear() }]),
        ...menu,
    ] });
    /** What a person asks for: the computer first, and then what is here by then. */
    const refresh = async () => {
        const missed = await (refusal() ? null : notifications.refresh({ signal: life.signal }).then(() => null, (error) => error));
        await again();
        // A strip of its own: that what is kept here could be read again does not make it what the computer has.
        put('missed', missed && missed.code !== 'cancelled' && isOpen && !strips.get('error') ? notUpToDate(missed, refresh) : null);
    };
    const element = h('div', { class: 'notice-list' },
        h('div', { class: 'notice-tools' }, search, iconButton({ label: t('notifications.refresh'), icon: 'refresh', press: refresh }), more),
        h('div', { class: 'notice-filters' }, which, programs), strips.element, h('div', { class: 'notice-newer-place' }, newer), body);
    element.prepend(pullToRefresh(element, refresh));

    // Not under the finger or the keyboard of somebody who reads further down.
    const mayMove = () => window.scrollY < 40 && !body.matches(':has(:focus-visible)') && !document.querySelector('dialog:modal');
    const settle = () => { if (history.held > 0 && mayMove()) history.settle(); };

    const history = new History({
        ask: (query) => notifications.list({ ...query, words: query.words || undefined, app: query.app || undefined }, { signal: life.signal }),
        changed: () => { if (!life.hasEnded && isOpen) { draw(); drawn(); } },
        mayMove,
    });

    const isFiltered = () => filter.unread || Boolean(filter.words) || Boolean(filter.app);
    const choose = (members) => {
        Object.assign(filter, members);
        chosen();
        load();
    };
    const showFilter = () => {
        if (document.activeElement !== search.input) search.value = filter.words;
        which.select(filter.unread ? 'unread' : 'all');
        programs.querySelector('select').value = filter.app;
    };

    async function load() {
        const mine = ++turn;
        body.setAttribute('aria-busy', 'true');
        try {
            const refused = refusal();
            if (refused) throw refused;
            await history.open({ ...filter });
            if (mine !== turn) return;
            isOpen = true;
            put('error', null);
            draw();
        } catch (error) {
            failed(error, mine === turn);
        } finally {
            if (mine === turn) body.removeAttribute('aria-busy');
        }
    }

    /** Asks again for what is shown; where nothing is shown yet, for all of it. */
    async function again() {
        if (refusal()) isOpen = false;
        if (!isOpen) { await load(); return; }
        try {
            await history.refresh();
            put('error', null);
        } catch (error) {
            failed(error, true);
        }
        countQueued();
    }

    const notUpToDate = (error, retry) => errorBanner(error, { text: t('notifications.notUpToDate'), retry, dismissable: true });

    function failed(error, isLast) {
        if (life.hasEnded || !isLast || error.code === 'cancelled') return;
        if (isOpen) { put('error', notUpToDate(error, again)); return; }
        list = null;
        // Nothing can be searched where nothing may be seen.
        element.classList.toggle('is-refused', ['not-allowed', 'unknown-method'].includes(error.code));
        body.replaceChildren(trouble(error, load));
    }

    async function countQueued() {
        const count = await notifications.waiting({ signal: life.signal }).catch(() => 0);
        if (!life.hasEnded) put('queued', count > 0 ? banner({ kind: 'offline', text: t('notifications.queued', { count }) }) : null);
    }

    function draw() {
        rows = history.rows;
        // Who looks for something sees each that was found.
        drawnRows = filter.words ? rows : stacks.of(rows);
        element.classList.remove('is-refused');
        newer.hidden = history.held === 0;
        newer.querySelector('.button-label').textContent = t('notifications.newer', { count: history.held });
        put('away', history.isAway ? strips.get('away') ?? banner({ kind: 'offline', text: t('notifications.searchedHere') }) : null);
        if (rows.length === 0) { list = null; body.replaceChildren(noNotices({ filter, notifications, showAll })); return; }
        const kept = focused();
        if (list) {
            list.show(drawnRows);
        } else {
            list = virtualList({ label: t('notifications.listOf'), rowHeight: ROW, isMeasured: true, items: drawnRows, render });
            body.replaceChildren(h('div', { class: 'card rows notice-card' }, list));
        }
        // Tab passes a long list by; arrows walk in it.
        if (drawnRows.length > MOST_STOPS) list.tabIndex = 0;
        else list.removeAttribute('tabindex');
        if (kept && !body.contains(document.activeElement)) focus(kept.id, kept.at);
    }

    function render(item, index) {
        if (index > drawnRows.length - 20) queueMicrotask(() => history.more().catch((error) => failed(error, true)));
        const row = item.items
            ? stackRow(item, { open: () => toggle(item), read: () => marks.readSome(item.items), remove: () => { marks.removeSome(item.items); } })
            : noticeRow(item, { open, read: marks.markRead, remove: marks.remove, isInside: !filter.words && stacks.isInside(item) });
        if (drawnRows.length > MOST_STOPS) for (const control of row.querySelectorAll('button')) control.tabIndex = -1;
        return row;
    }

    function toggle(stack) {
        const at = drawnRows.indexOf(stack);
        stacks.toggle(stack);
        draw();
        list?.focusRow(at);
    }

    function showAll() {
        choose({ unread: false, app: '' });
        showFilter();
    }

    const marks = marksOf({ notifications, history, life, strips, countQueued, failed, isFiltered: () => isFiltered() });

    // The keyboard

    body.addEventListener('keydown', (event) => {
        const row = rowOf(event.target);
        const count = drawnRows.length;
        const at = row ? Number(row.getAttribute('aria-posinset')) - 1 : -1;
        if (event.key === 'Delete' && row) {
            // A key that is held down deletes one, not a dozen on every device.
            if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
            event.preventDefault();
            if (drawnRows[at].items) marks.removeSome(drawnRows[at].items);
            else marks.remove(drawnRows[at]);
            return;
        }
        const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 }[event.key];
        if (next === undefined || !list?.contains(event.target)) return;
        event.preventDefault();
        list.focusRow(Math.max(0, Math.min(count - 1, next)));
    });

    function focused() {
        const row = body.contains(document.activeElement) ? rowOf(document.activeElement) : null;
        return row && { id: find(row, '.notice-main')?.dataset.id, at: Number(row.getAttribute('aria-posinset')) - 1 };
    }

    function placeOf(id) { return placeIn(drawnRows, id); }

    /** The row of one, or what stands in its place now; nothing where it had none. */
    function focus(id, at = -1) {
        const found = placeOf(id);
        list?.focusRow(found >= 0 ? found : Math.min(at, drawnRows.length - 1));
    }

    const soon = () => { later ??= setTimeout(() => { later = null; again().catch(errorToast); }, TOGETHER); };
    life.add(notifications.onChange(soon));
    life.listen(document, 'scroll', settle, { capture: true, passive: true });
    life.add(() => { clearTimeout(timer); clearTimeout(later); });
    const ready = load();
    countQueued();
    return {
        element, ready, countQueued, markRead: marks.markRead, remove: marks.remove, settle, placeOf,
        /** Brings the keyboard back from a sheet, unless it is in the list already. */
        focus: (id, at) => { if (!focused()) focus(id, at); },
        /** The item of an id, of those that are shown. */
        find: (id) => rows.find((each) => each.id === id),
        /** The computer is there again, or allows it again. */
        refresh: () => { put('missed', null); return again(); },
        /** The filter, for the address. */
        kept: () => ({ find: filter.words, unread: filter.unread ? '1' : null, app: filter.app }),
        update: (next) => {
            const now = filterOf(next);
            if (JSON.stringify(now) === JSON.stringify(filter)) return;
            Object.assign(filter, now);
            showFilter();
            load();
        },
        offerPrograms: (names) => programs.offer([every, ...names.map((name) => ({ ...name, isPeers: true }))], filter.app),
    };
}
