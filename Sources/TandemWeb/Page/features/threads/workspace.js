import { button, emptyState, find, findAll, h, icon, skeleton } from '../../kit/index.js';
import { quoted } from '../../kit/shell.js';
import { Life } from '../../life.js';
import { t } from '../../i18n/index.js';
import { Store, doneBy } from '../../kit/store.js';
import { conversation } from './conversation.js';
import { namedBy, threadList } from './list.js';
import { keptOf } from './list-state.js';
import { newThread } from './new-thread.js';
import { threadLink, waitingStrip } from './strip.js';
import { change, initial } from './workspace-state.js';

/** Where there is room for the list beside the conversation. */
const roomy = matchMedia('(min-width: 1200px)');
/** What waits is drawn together with the list, if it is known so soon. */
const PATIENCE = 1000;

/**
 * The threads of one computer: the list, and beside it or in its place the thread of the address (`?source=…&thread=…`, at `&at=…&item=…`).
 *
 * @param {{client: Object, threads: Object, life: Object, route: Object, go: Function, address: (query: Object) => string,
 *   trouble: (error: Object, retry: () => any) => Node, rights: {why: () => Node | null, explain: (error: Object) => Node}}} context
 */
export function workspace({ client, threads, life, route, go, address, trouble, rights }) {
    const listPane = new ListPane(client, life);
    const mainPane = new MainPane(life);
    const element = h('div', { class: 'threads' }, listPane.element, mainPane.element);
    const store = new Store({ initial, change, run: doneBy(() => effects) });
    const query = (name) => store.state.query[name] ?? null;
    let agents = [];

    const filters = () => keptOf(store.state.query);
    const create = () => newThread({
        threads, folder: query('folder'), trouble,
        started: (thread) => { if (thread?.id) go(threadLink(threads.place, thread, filters())); },
    });

    const effects = {
        layOut({ hasBoth, hasThread, showsList, showsMain, isNarrowed }) {
            listPane.strip.hidden = isNarrowed;
            element.classList.toggle('has-both', hasBoth);
            element.classList.toggle('has-thread', hasThread);
            listPane.element.hidden = !showsList;
            mainPane.element.hidden = !showsMain;
        },
        makeList: () => listPane.show(threadList({ waiting: listPane.strip, threads, life, query: store.state.query, address, go, create, trouble, agents: () => agents })),
        updateList: () => listPane.list?.update(store.state.query),
        comeBack: ({ thread }) => requestAnimationFrame(() => {
            if (life.hasEnded) return;
            window.scrollTo(0, store.state.scrolled);
            if (thread) listPane.focusRow(thread);
        }),
        choose: () => mainPane.choose(create),
        open: ({ thread: { id, source }, takesFocus }) => mainPane.open(takesFocus, (own) => conversation({
            client, threads, life: own, thread: { id, source: source ?? '' }, back: address(filters()), trouble, rights,
            moved: (next) => go(threadLink(threads.place, next, filters()), { replace: true }),
            hit: { at: query('at'), item: query('item'), words: query('find') },
        })),
    };

    const stream = threads.follow({
        // After an absence: what changed meanwhile.
        onAnswer: (() => { let isFirst = true; return () => { if (!isFirst) listPane.list?.refresh(); isFirst = false; }; })(),
        onEvent: (event) => listPane.list?.receive(event),
        onFailed: () => {},
    });
    life.add(() => stream.stop());
    life.listen(roomy, 'change', () => store.send({ kind: 'resized', isRoomy: roomy.matches, scrolledTo: window.scrollY }));
    threads.agents({ signal: life.signal }).then((answer) => { agents = answer.agents ?? []; }).catch(() => {});
    const update = (next) => {
        store.send({ kind: 'addressed', query: Object.fromEntries(next.query), isRoomy: roomy.matches, scrolledTo: window.scrollY });
        return true;
    };
    update(route);
    return {
        element, update,
        /** Something that was refused or away may work now. */
        retry: () => {
            stream.retry();
            listPane.list?.open();
            mainPane.view?.retry();
        },
        /** This device may not read them any more. */
        lost: () => {
            listPane.list?.open();
            mainPane.view?.lost();
        },
        mayChanged: () => mainPane.view?.mayChanged(),
    };
}

/** The pane of the list, with what waits for the person in it. */
class ListPane {
    element = h('div', { class: 'thread-pane' });
    strip = h('div', { class: 'strip-place' });
    list = null;
    #late;
    #waiting;

    constructor(client, life) {
        this.#late = new Promise((resolve) => { life.after(PATIENCE, resolve); });
        this.#waiting = waitingStrip({ client, life }).then((made) => { if (!life.hasEnded) this.strip.replaceChildren(made); }).catch(() => {});
    }

    show(list) {
        this.list = list;
        this.element.replaceChildren(skeleton(7, { height: 70 }));
        Promise.race([Promise.all([list.ready, this.#waiting]), this.#late]).then(() => this.element.replaceChildren(list.element));
    }

    focusRow(thread) {
        // It is drawn once the list has scrolled.
        requestAnimationFrame(() => requestAnimationFrame(() => {
            if (document.activeElement !== document.body) return;
            const isIt = (row) => namedBy(row).get('thread') === thread.id && namedBy(row).get('source') === thread.source;
            findAll(this.element, '.thread-row').find(isIt)?.focus({ preventScroll: true });
        }));
    }
}

/** The pane of the thread that is read, which has a life of its own. */
class MainPane {
    element = h('div', { class: 'thread-main' });
    view = null;
    #parent;
    #life = null;

    constructor(life) { this.#parent = life; }

    choose(create) {
        this.#end();
        this.element.replaceChildren(emptyState({
            icon: 'threads', title: t('threads.choose'), text: t('threads.chooseText'),
            actions: [button({ label: t('threads.new'), icon: 'plus', press: create })],
        }));
    }

    open(takesFocus, make) {
        this.#end();
        this.#life = new Life(this.#parent);
        this.view = make(this.#life);
        this.element.replaceChildren(this.view.element);
        if (takesFocus) find(this.view.element, '.thread-title').focus({ preventScroll: true });
    }

    #end() {
        this.#life?.end();
        this.view = null;
    }
}

/** Why nothing can be written here, and what the owner can do. */
export function mayNotWrite({ phone }) {
    return h('div', { class: 'may-not' }, icon('lock', { size: 20 }),
        h('div', null, h('p', { class: 'may-not-title' }, t('threads.mayNotWrite')),
            h('p', { class: 'small soft' }, t('threads.mayNotWriteHow', { right: t('rights.threads.write') })),
            h('code', { class: 'small may-not-command', data: { peer: '' } }, `tandem devices allow ${quoted(phone)} threads.write`)));
}
