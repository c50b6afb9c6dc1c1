import { button, emptyState, findAll, h, icon, skeleton } from '../../kit/index.js';
import { quoted } from '../../kit/shell.js';
import { Life } from '../../life.js';
import { t } from '../../i18n/index.js';
import { Store, doneBy } from '../../kit/store.js';
import { conversation } from './conversation.js';
import { threadList } from './list.js';
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
    const listPane = h('div', { class: 'thread-pane' });
    const mainPane = h('div', { class: 'thread-main' });
    const element = h('div', { class: 'threads' }, listPane, mainPane);
    const store = new Store({ initial, change, run: doneBy(() => effects) });
    const query = (name) => store.state.query[name] ?? null;
    let list = null;
    /** The thread in the main pane, with its life. */
    let shown = null;
    let agents = [];
    const strip = h('div', { class: 'strip-place' });

    const filters = () => keptOf(store.state.query);
    const create = () => newThread({
        threads, folder: query('folder'), trouble,
        started: (thread) => { if (thread?.id) go(threadLink(threads.place, thread, filters())); },
    });
    const makeList = () => threadList({ threads, life, query: store.state.query, address, go, create, trouble, agents: () => agents });
    const late = new Promise((resolve) => { life.after(PATIENCE, resolve); });
    const waiting = waitingStrip({ client, life }).then((made) => { if (!life.hasEnded) strip.replaceChildren(made); }).catch(() => {});

    const effects = {
        layOut({ hasBoth, hasThread, showsList, showsMain, isNarrowed }) {
            strip.hidden = isNarrowed;
            element.classList.toggle('has-both', hasBoth);
            element.classList.toggle('has-thread', hasThread);
            listPane.hidden = !showsList;
            mainPane.hidden = !showsMain;
        },
        makeList() {
            list = makeList();
            const made = list;
            listPane.replaceChildren(skeleton(7, { height: 70 }));
            Promise.race([Promise.all([list.ready, waiting]), late]).then(() => { if (list === made) listPane.replaceChildren(strip, list.element); });
        },
        updateList: () => list?.update(store.state.query),
        comeBack: ({ thread }) => comeBack(thread),
        choose() {
            show(null);
            mainPane.replaceChildren(emptyState({
                icon: 'threads', title: t('threads.choose'), text: t('threads.chooseText'),
                actions: [button({ label: t('threads.new'), icon: 'plus', press: create })],
            }));
        },
        open({ thread: { id, source }, takesFocus }) {
            show((own) => conversation({
                client, threads, life: own, thread: { id, source: source ?? '' }, back: address(filters()), trouble, rights,
                moved: (next) => go(threadLink(threads.place, next, filters()), { replace: true }),
                hit: { at: query('at'), item: query('item'), words: query('find') },
            }));
            mainPane.replaceChildren(shown.view.element);
            if (takesFocus) shown.view.element.querySelector('.thread-title').focus({ preventScroll: true });
        },
    };

    /** Ends what was shown, and makes what is shown from now on. */
    const show = (make) => {
        shown?.life.end();
        shown = { life: new Life(life), view: null };
        shown.view = make?.(shown.life) ?? null;
    };

    const comeBack = (thread) => requestAnimationFrame(() => {
        if (life.hasEnded) return;
        window.scrollTo(0, store.state.scrolled);
        // Its row is drawn once the list has scrolled.
        requestAnimationFrame(() => requestAnimationFrame(() => {
            if (!thread || document.activeElement !== document.body) return;
            const isIt = (row) => {
                const of = new URLSearchParams(row.hash?.split('?')[1]);
                return of.get('thread') === thread.id && of.get('source') === thread.source;
            };
            findAll(listPane, '.thread-row').find(isIt)?.focus({ preventScroll: true });
        }));
    });

    const stream = threads.follow({
        // After an absence: what changed meanwhile.
        onAnswer: (() => { let isFirst = true; return () => { if (!isFirst) list?.refresh(); isFirst = false; }; })(),
        onEvent: (event) => list?.receive(event),
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
            list?.open();
            shown?.view?.retry();
        },
        /** This device may not read them any more. */
        lost: () => {
            list?.open();
            shown?.view?.lost();
        },
        mayChanged: () => shown?.view?.mayChanged(),
    };
}

/** Why nothing can be written here, and what the owner can do. */
export function mayNotWrite({ phone }) {
    return h('div', { class: 'may-not' }, icon('lock', { size: 20 }),
        h('div', null, h('p', { class: 'may-not-title' }, t('threads.mayNotWrite')),
            h('p', { class: 'small soft' }, t('threads.mayNotWriteHow', { right: t('rights.threads.write') })),
            h('code', { class: 'small may-not-command', data: { peer: '' } }, `tandem devices allow ${quoted(phone)} threads.write`)));
}
