import { banner, button, errorBanner, errorToast, h, skeleton, toast } from '../../kit/index.js';
import { draftFor } from '../../kit/drafts.js';
import { pickByField } from '../../kit/pick.js';
import { plainText } from '../../kit/first.js';
import { Store, doneBy } from '../../kit/store.js';
import { journalOf } from '../../client/journal.js';
import { format, t } from '../../i18n/index.js';
import { StoryFields } from './fields.js';
import { draftOf, textOf } from './draft.js';
import { change, initial, isBlank, isChanged, withMedium } from './editor-state.js';

/** How often at most what is typed is written down in the browser, in milliseconds. */
const PAUSE = 400;
/** Files that are given at a time. */
const MOST_FILES = 50;

/** Writes a new story, or changes one. What is typed and not kept is there again at the next visit. */
export function editorScreen({ client, life, route, link, go }) {
    const journal = journalOf(client);
    const known = route.params.id ?? null;
    const store = new Store({ initial, change, run: doneBy(() => works({ store, journal, life, link, go, drafts, fields, attaching })) });
    const drafts = new Drafts(store, life, known);
    const fields = new StoryFields({ journal, life, typed: (some) => store.send({ kind: 'typed', fields: some }), save: () => ask(true), take: (files) => attaching.take(files) });
    const attaching = new Attaching({ store, journal, life, fields });
    const notes = h('div', { class: 'editor-notes' });
    const keep = button({ label: t('journal.keep'), icon: 'check', kind: 'primary', press: () => ask(true) });
    const body = h('div', { class: 'editor' }, skeleton(4));
    const screen = { title: t(known ? 'journal.editTitle' : 'journal.newTitle'), element: body, back: known ? link('/journal', known) : link('/journal'), actions: [keep] };

    const ask = (leaves) => { store.send({ kind: 'asked', leaves }); };

    function draw(state, before) {
        if (state.phase === 'refused') { body.replaceChildren(errorBanner(state.trouble, { retry: load })); return; }
        if (state.phase === 'loading') return;
        if (notes.parentElement !== body) body.replaceChildren(notes, fields.element);
        keep.disabled = state.phase === 'keeping' || isBlank(state) || (state.id !== null && !isChanged(state));
        fields.draw(state);
        if (['trouble', 'wasKept', 'elsewhere', 'isCut'].some((name) => state[name] !== before?.[name]) || notes.childElementCount === 0) notes.replaceChildren(...notesOf(state, store));
    }

    async function load() {
        if (!known) { store.send({ kind: 'begun', now: Date.now(), draft: drafts.found }); return; }
        try {
            const story = await journal.show(known, { signal: life.signal });
            if (!life.hasEnded) store.send({ kind: 'loaded', story, draft: drafts.found });
        } catch (error) {
            if (!life.hasEnded && error.code !== 'cancelled') store.send({ kind: 'refused', error });
        }
    }

    async function look() {
        const { id, phase } = store.state;
        if (id === null || phase !== 'writing') return;
        // What fails here is said when the story is kept.
        const story = await journal.show(id, { signal: life.signal }).catch(() => null);
        if (story && !life.hasEnded) store.send({ kind: 'told', story });
    }

    store.watch(draw);
    life.add(journal.onChange(look));
    life.listen(window, 'beforeunload', (event) => { drafts.now(); if (attaching.isBusy) event.preventDefault(); });
    keep.disabled = true;
    load();
    return screen;
}

/** What the state asks for. */
function works({ store, journal, life, link, go, drafts, fields, attaching }) {
    const keeping = async (work, leaves) => {
        try {
            const story = await work;
            if (!life.hasEnded) store.send({ kind: 'kept', story, leaves });
        } catch (error) {
            if (!life.hasEnded) store.send({ kind: 'failed', error });
            attaching.give(null);
        }
    };
    return {
        add: ({ draft, leaves }) => { keeping(journal.add(draft), leaves); },
        edit: ({ id, change: changed, leaves }) => { keeping(journal.edit(id, changed), leaves); },
        remember: () => drafts.soon(),
        forget: () => drafts.forget(),
        fill: () => fields.fill(store.state),
        stay: ({ id }) => attaching.give(id),
        leave: ({ id }) => { toast(t('journal.wasKept')); go(link('/journal', id), { replace: true }); },
    };
}

function notesOf({ trouble, wasKept, elsewhere, isCut }, store) {
    return [
        trouble && errorBanner(trouble, { text: t('journal.notKept') }),
        elsewhere && banner({ kind: 'warn', text: t('journal.elsewhere'), detail: t('journal.elsewhereText'), actions: [
            button({ label: t('journal.takeTheirs'), press: () => store.send({ kind: 'tookTheirs' }) }),
            button({ label: t('journal.keepOwn'), press: () => store.send({ kind: 'keptOwn' }) }),
        ] }),
        wasKept && banner({ kind: 'info', text: t('journal.draftBack'), actions: [button({ label: t('journal.discard'), press: () => store.send({ kind: 'discarded' }) })] }),
        isCut && banner({ kind: 'info', text: t('journal.cut'), detail: t('journal.cutEdit') }),
    ].filter(Boolean);
}

/** What was typed, in the browser until it is kept. */
class Drafts {
    #store;
    #known;
    #timer = null;

    /** @param {Store<import('./editor-state.js').Writing, any, any>} store @param {import('../../life.js').Life} life @param {string | null} known */
    constructor(store, life, known) {
        [this.#store, this.#known] = [store, known];
        life.add(() => this.now());
    }

    /** @returns {import('./editor-state.js').Draft | null} */
    get found() { return draftOf(this.#place.text); }

    get #place() { return draftFor('journal', this.#store.state.id ?? this.#known ?? 'new'); }

    soon() { this.#timer ??= setTimeout(() => this.now(), PAUSE); }

    /** What waits to be written down. */
    now() {
        if (this.#timer === null) return;
        clearTimeout(this.#timer);
        this.#timer = null;
        const { state } = this.#store;
        this.#place.keep(isChanged(state) ? textOf({ version: state.version, fields: state.fields }) : '');
    }

    forget() {
        clearTimeout(this.#timer);
        this.#timer = null;
        this.#place.keep('');
        // A story that was new is one of the journal's by now.
        if (!this.#known) draftFor('journal', 'new').keep('');
        if (isChanged(this.#store.state)) this.soon();
    }
}

/** Files that go into the story. A story that is new is kept first, since a file needs one that it belongs to. */
class Attaching {
    isBusy = false;
    #options;
    /** @type {((id: string | null) => void)[]} Those who wait for the story's id. */
    #waiting = [];

    /** @param {{store: Store<import('./editor-state.js').Writing, any, any>, journal: import('../../client/journal.js').Journal, life: import('../../life.js').Life, fields: StoryFields}} options */
    constructor(options) { this.#options = options; }

    /** @param {Iterable<File> | null} [given] Else the browser asks for them. */
    async take(given = null) {
        const files = [...(given ?? await pickByField({ multiple: true }))];
        if (files.length > MOST_FILES) { toast(t('journal.tooManyFiles', { count: MOST_FILES }), 'bad'); return; }
        if (files.length === 0 || this.isBusy) return;
        this.isBusy = true;
        this.#options.fields.busy(files.length);
        try {
            const id = await this.#story();
            if (id !== null) for (const file of files) await this.#one(id, file);
        } finally {
            this.isBusy = false;
            this.#options.fields.busy(0);
        }
    }

    /** The story's id, once it is kept; null where it could not be. @param {string | null} id */
    give(id) { for (const take of this.#waiting.splice(0)) take(id); }

    /** @returns {Promise<string | null>} */
    #story() {
        const { store, fields } = this.#options;
        if (store.state.id !== null) return Promise.resolve(store.state.id);
        // A story has a word at least.
        if (isBlank(store.state)) {
            store.send({ kind: 'typed', fields: { title: format.date(store.state.fields.timestamp) } });
            fields.fill(store.state);
        }
        return new Promise((resolve) => { this.#waiting.push(resolve); store.send({ kind: 'asked', leaves: false }); });
    }

    async #one(id, file) {
        const { store, journal, life, fields } = this.#options;
        try {
            const medium = await journal.attach(id, file, { signal: life.signal });
            if (life.hasEnded) return;
            store.send({ kind: 'attached', medium });
            if (store.state.isCut) return;
            const { content, at } = withMedium(store.state.fields.content, fields.at, medium);
            store.send({ kind: 'typed', fields: { content } });
            fields.fill(store.state, at);
        } catch (error) {
            if (life.hasEnded || error.code === 'cancelled') return;
            errorToast(error);
            toast(t('journal.notAttached', { name: plainText(file.name, 60) }), 'bad');
        }
    }
}
