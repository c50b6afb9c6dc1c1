import { banner, button, emptyState, errorBanner, h, linkButton, rowOf, skeleton, textField, virtualList } from '../../kit/index.js';
import { isolated } from '../../kit/isolated.js';
import { plainText } from '../../kit/first.js';
import { selectField } from '../../kit/select.js';
import { Store, doneBy } from '../../kit/store.js';
import { t } from '../../i18n/index.js';
import { change, initial, isEverything } from './list-state.js';
import { ROW, monthRow, storyRow } from './row.js';
import { Timeline, endOf } from './timeline.js';

/** After the last letter of a search, in milliseconds. */
const PAUSE = 220;
/** Rows before the end of what is known at which more is asked for, and the most that one answer holds. */
const NEAR = 12;
const LARGEST = 200;

/**
 * Stories by month, with a search as one types and, beside it, the choice of a category and of a last day.
 *
 * @typedef {{find: string, in: string | null, until: string | null}} Place What the address says: words, a category's id, a day.
 * @param {{journal: import('../../client/journal.js').Journal, life: import('../../life.js').Life, place: Place, link: Function,
 *   placed: (place: Place) => void}} options `placed` is told what the address is to say.
 */
export function storyList({ journal, life, place, link, placed }) {
    let now = place;
    let timer = null;
    life.add(() => clearTimeout(timer));
    const rows = new StoryRows({ journal, life, isDeleted: false, hrefOf: (id) => link('/journal', id, now), nothing: () => nothing(now, link, clear) });
    const search = textField({
        label: t('journal.search'), labelHidden: true, placeholder: t('journal.search'), type: 'search', value: now.find, attributes: { maxLength: 200 },
        input: (text) => { clearTimeout(timer); timer = setTimeout(() => take({ find: text.trim() }), text.trim() ? PAUSE : 0); },
    });
    const category = selectField({ label: t('journal.inCategory'), options: [], value: '', change: (id) => take({ in: id || null }) });
    const until = textField({
        label: t('journal.until'), labelHidden: true, type: 'date', value: now.until ?? '', attributes: { title: t('journal.until') },
        input: (day) => take({ until: endOf(day) === null ? null : day }),
    });
    const head = h('div', { class: 'journal-head' }, search, h('div', { class: 'journal-filters' }, category, until));
    const element = h('div', { class: 'journal-list' }, head, rows.element);

    function take(members) {
        now = { ...now, ...members };
        until.hidden = Boolean(now.find);
        placed(now);
        rows.ask({ words: now.find, category: now.in, until: now.find ? null : endOf(now.until), isDeleted: false });
    }

    function clear() {
        [search.value, until.value] = ['', ''];
        take({ find: '', in: null, until: null });
        offer();
        search.input.focus();
    }

    /** The address says something else by now. */
    function put(next) {
        now = next;
        [search.value, until.value] = [now.find, now.until ?? ''];
        clearTimeout(timer);
        take({});
        offer();
    }

    let known = [];
    function offer() {
        // One that is gone, or that is not known yet, stays chosen until another is.
        const gone = now.in && !known.some(({ id }) => id === now.in) ? [{ id: now.in, label: t('journal.otherCategory') }] : [];
        category.offer([{ id: '', label: t('journal.everyCategory') }, ...known.map(({ id, path }) => ({ id, label: plainText(path, 80), isPeers: true })), ...gone], now.in ?? '');
    }

    async function categories() {
        try {
            known = (await journal.categories({ signal: life.signal })).categories;
        } catch {
            // The list says what is the matter; the choice stays as it is.
        }
        if (!life.hasEnded) offer();
    }

    rows.watch(({ phase, stories, query }) => { head.hidden = phase === 'shown' && stories.length === 0 && isEverything(query); });
    life.add(journal.onChange(categories));
    offer();
    categories();
    take({});
    return { element, put, select: (id) => rows.select(id) };
}

/** The rows of one list, which are asked for as they come near and again when something changed. */
export class StoryRows {
    element = h('div', { class: 'journal-rows' });
    #options;
    #store;
    #timeline = new Timeline();
    #items = [];
    #list = null;
    #shown = null;
    #strip = h('div', { class: 'journal-strip' });

    /**
     * @param {{journal: import('../../client/journal.js').Journal, life: import('../../life.js').Life, isDeleted: boolean, hrefOf: (id: string) => string,
     *   nothing: () => Node}} options `nothing` is what stands there when there is no story.
     */
    constructor(options) {
        this.#options = options;
        const { journal, life } = options;
        this.#store = new Store({ initial, change, run: doneBy(() => ({ ask: (effect) => this.#ask(effect) })) });
        this.#store.watch((state, before) => this.#draw(state, before));
        life.add(journal.onChange(() => this.#store.send({ kind: 'told' })));
        this.element.addEventListener('keydown', (event) => this.#press(event));
        this.element.append(skeleton(6, { height: ROW - 12 }));
    }

    /** @param {import('./list-state.js').Query} query */
    ask(query) { this.#store.send({ kind: 'queried', query }); }

    /** @param {(state: import('./list-state.js').Listed) => void} draw */
    watch(draw) { this.#store.watch(draw); }

    select(id) {
        this.#shown = id;
        this.#list?.refresh();
    }

    async #ask({ turn, query, before, count }) {
        const { journal, life } = this.#options;
        try {
            const stories = [];
            let next = before;
            do {
                const answer = await journal.stories({ ...query, before: next, limit: Math.min(LARGEST, count - stories.length) }, { signal: life.signal });
                stories.push(...answer.stories);
                next = answer.next;
            } while (next !== null && stories.length < count && this.#store.state.turn === turn);
            if (!life.hasEnded) this.#store.send({ kind: 'answered', turn, isMore: before !== null, stories, next });
        } catch (error) {
            if (!life.hasEnded) this.#store.send({ kind: 'failed', turn, error });
        }
    }

    #draw({ phase, stories, trouble, query }, before) {
        const retry = () => this.#store.send({ kind: 'retried' });
        if (phase === 'failed') { this.#say(errorBanner(trouble, { retry })); return; }
        if (phase === 'asking' && stories.length === 0) { if (before.phase === 'failed') this.#say(skeleton(6, { height: ROW - 12 })); return; }
        if (phase === 'idle') return;
        this.#strip.replaceChildren(...(trouble ? [errorBanner(trouble, { text: t('journal.notUpToDate'), retry })] : []));
        if (stories.length === 0) { this.#say(this.#options.nothing()); return; }
        if (stories === before.stories && query === before.query && this.#list) return;
        this.#items = this.#timeline.of(stories);
        if (this.#list) {
            this.#list.show(this.#items);
            // The same story may be found by another word.
            if (query !== before.query) this.#list.refresh();
            return;
        }
        this.#list = virtualList({ label: t(this.#options.isDeleted ? 'journal.deletedOf' : 'journal.listOf'), rowHeight: ROW, isMeasured: true, items: this.#items, render: (item, at) => this.#render(item, at) });
        this.element.replaceChildren(this.#strip, h('div', { class: 'card rows story-card' }, this.#list));
    }

    #say(node) {
        this.#list = null;
        this.element.replaceChildren(node);
    }

    #render(item, at) {
        if (at >= this.#items.length - NEAR) queueMicrotask(() => this.#store.send({ kind: 'neared' }));
        if (item.kind === 'month') return monthRow(item);
        const { story } = item;
        return storyRow(story, { href: this.#options.hrefOf(story.id), isShown: story.id === this.#shown, words: this.#store.state.query.words });
    }

    /** Arrows walk from story to story; headings are passed by. */
    #press(event) {
        const row = rowOf(event.target);
        if (!row || !this.#list || event.ctrlKey || event.altKey || event.metaKey) return;
        const at = Number(row.getAttribute('aria-posinset')) - 1;
        const [from, step] = { ArrowDown: [at + 1, 1], ArrowUp: [at - 1, -1], Home: [0, 1], End: [this.#items.length - 1, -1] }[event.key] ?? [];
        if (step === undefined) return;
        event.preventDefault();
        let next = from;
        while (this.#items[next]?.kind === 'month') next += step;
        if (this.#items[next]) this.#list.focusRow(next);
    }
}

/** Nothing was found, nothing is in the category, or nothing was written yet. */
function nothing({ find, in: category, until }, link, clear) {
    const all = button({ label: t('journal.showAll'), press: () => clear() });
    if (find) return emptyState({ icon: 'search', title: t('journal.nothingFound'), text: t('journal.nothingFoundText', { words: isolated(find) }), actions: [all] });
    if (category || until) return emptyState({ icon: 'filter', title: t('journal.nothingHere'), text: t('journal.nothingHereText'), actions: [all] });
    return h('div', { class: 'stack' },
        emptyState({
            icon: 'journal', title: t('journal.empty'), text: t('journal.emptyText'),
            actions: [linkButton({ label: t('journal.write'), icon: 'edit', kind: 'primary', href: link('/journal', 'new') }), linkButton({ label: t('journal.bringIn'), icon: 'exchange', href: link('/journal', 'exchange') })],
        }),
        banner({ kind: 'info', text: t('journal.kept'), detail: t('journal.keptText') }));
}
