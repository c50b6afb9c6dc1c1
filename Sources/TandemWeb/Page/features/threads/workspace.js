import { button, emptyState, h, icon, skeleton } from '../../kit/index.js';
import { quoted } from '../../kit/shell.js';
import { Life } from '../../life.js';
import { t } from '../../i18n/index.js';
import { conversation } from './conversation.js';
import { threadList } from './list.js';
import { FILTERS } from './list-state.js';
import { newThread } from './new-thread.js';
import { threadLink, waitingStrip } from './strip.js';

/** Where there is room for the list beside the conversation. */
const roomy = matchMedia('(min-width: 1200px)');
/** What waits is drawn together with the list, if it is known so soon. */
const PATIENCE = 1000;

/**
 * The threads of one computer: the list, and beside it or in its place the thread of the address (`?source=…&thread=…`, at `&at=…&item=…`).
 *
 * @param {{client: Object, threads: Object, life: Object, route: Object, go: Function, address: (query: Object) => string,
 *   trouble: (error: Object, retry: Function) => Node, rights: {why: () => Node | null, explain: (error: Object) => Node}}} context
 */
export function workspace({ client, threads, life, route, go, address, trouble, rights }) {
    const listPane = h('div', { class: 'thread-pane' });
    const mainPane = h('div', { class: 'thread-main' });
    const element = h('div', { class: 'threads' }, listPane, mainPane);
    let query = route.query;
    let list = null;
    let shown = null;
    let agents = [];
    let scrolled = 0;
    const strip = h('div', { class: 'strip-place' });

    const filters = (from = query) => Object.fromEntries([...from].filter(([name]) => FILTERS.includes(name)));
    const create = () => newThread({
        threads, folder: query.get('folder'), trouble,
        started: (thread) => { if (thread?.id) go(threadLink(threads.place, thread, filters())); },
    });
    const makeList = () => threadList({ threads, life, query, address, go, create, trouble, agents: () => agents });
    const late = new Promise((resolve) => { life.after(PATIENCE, resolve); });
    const waiting = waitingStrip({ client, life }).then((made) => { if (!life.hasEnded) strip.replaceChildren(made); }).catch(() => {});

    const draw = () => {
        const id = query.get('thread');
        const [hadList, isFirst] = [list !== null && !listPane.hidden, shown === null];
        if (hadList && !element.classList.contains('has-both')) scrolled = window.scrollY;
        const isRoomy = roomy.matches;
        // Somebody who looks for something wants to see what is found.
        strip.hidden = ['find', 'folder'].some((name) => query.get(name));
        element.classList.toggle('has-both', isRoomy);
        element.classList.toggle('has-thread', Boolean(id));
        listPane.hidden = !isRoomy && Boolean(id);
        mainPane.hidden = !isRoomy && !id;
        if (!listPane.hidden && !list) {
            list = makeList();
            const made = list;
            listPane.replaceChildren(skeleton(7, { height: 70 }));
            Promise.race([Promise.all([list.ready, waiting]), late]).then(() => { if (list === made) listPane.replaceChildren(strip, list.element); });
        } else {
            list?.update(query);
        }
        // The list comes back where it was left, with the keyboard on the thread that was read.
        if (!hadList && !listPane.hidden && !isRoomy) comeBack(shown?.thread);
        const key = id ? [id, query.get('source'), query.get('at')].join(' ') : '';
        if (shown?.key === key) return;
        shown?.life.end();
        shown = { key, life: new Life(life), view: null, thread: id ? { id, source: query.get('source') } : null };
        if (!id) {
            mainPane.replaceChildren(emptyState({
                icon: 'threads', title: t('threads.choose'), text: t('threads.chooseText'),
                actions: [button({ label: t('threads.new'), icon: 'plus', press: create })],
            }));
            return;
        }
        shown.view = conversation({
            client, threads, life: shown.life, thread: { id, source: query.get('source') ?? '' }, back: address(filters()), trouble, rights,
            moved: (next) => go(threadLink(threads.place, next, filters()), { replace: true }),
            hit: { at: query.get('at'), item: query.get('item'), words: query.get('find') },
        });
        mainPane.replaceChildren(shown.view.element);
        // The list is gone, and with it what had the focus.
        if (!isRoomy && !isFirst) shown.view.element.querySelector('.thread-title').focus({ preventScroll: true });
    };

    const comeBack = (thread) => requestAnimationFrame(() => {
        if (life.hasEnded) return;
        window.scrollTo(0, scrolled);
        // Its row is drawn once the list has scrolled.
        requestAnimationFrame(() => requestAnimationFrame(() => {
            if (!thread || document.activeElement !== document.body) return;
            const isIt = (row) => {
                const of = new URLSearchParams(row.hash?.split('?')[1]);
                return of.get('thread') === thread.id && of.get('source') === thread.source;
            };
            [...listPane.querySelectorAll('.thread-row')].find(isIt)?.focus({ preventScroll: true });
        }));
    });

    const stream = threads.follow({
        // After an absence: what changed meanwhile.
        onAnswer: (() => { let isFirst = true; return () => { if (!isFirst) list?.refresh(); isFirst = false; }; })(),
        onEvent: (event) => list?.receive(event),
        onFailed: () => {},
    });
    life.add(() => stream.stop());
    life.listen(roomy, 'change', draw);
    threads.agents({ signal: life.signal }).then((answer) => { agents = answer.agents ?? []; }).catch(() => {});
    draw();
    return {
        element,
        update: (next) => { query = next.query; draw(); return true; },
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
