import { errorBanner, find, h, skeleton } from '../../kit/index.js';
import { Store, doneBy } from '../../kit/store.js';
import { t } from '../../i18n/index.js';
import { Life } from '../../life.js';
import { agreeingView } from './agree.js';
import { exportView, receiveView, restoreView, sendView } from './begin.js';
import { chooseView } from './choose.js';
import { change, initial, standOf } from './flow-state.js';
import { enteringView, showingView } from './linking.js';
import { restingNotice } from './notice.js';
import { progressView } from './progress.js';
import { placedView, placingView } from './placing.js';
import { doneView, failedView, offeredView, restartView } from './result.js';

/** Between two questions while a transfer tells of itself, in milliseconds. */
const REST = 250;
/** The end that was put away, for when the screen is opened again. */
const seenAt = new WeakMap();
/** What is shown, by where the move stands. Each is `{element, draw}`, made of the screen's context. */
const VIEWS = {
    choose: chooseView, receive: receiveView, send: sendView, export: exportView, restore: restoreView,
    showing: showingView, entering: enteringView, agreeing: agreeingView, progress: progressView,
    offered: offeredView, restart: restartView, placing: placingView, placed: placedView, done: doneView, failed: failedView,
};

/** Moving to a new phone: the wizard of both phones and of a file. What is shown is what the program says; it goes on without the page. */
export function movingScreen(context) {
    const screen = new MovingScreen(context);
    return {
        title: t('moving.title'), back: '#/settings', element: screen.element,
        update: (route) => { screen.goTo(route); return true; },
    };
}

class MovingScreen {
    #body = h('div', { class: 'moving-body' }, skeleton(4, { height: 72 }));
    element = h('div', { class: 'moving' }, this.#body);
    #context;
    #store;
    #way;
    #stand = 'asking';
    /** @type {HTMLElement | null} Why the phone rests, above all else, once that is known. */
    #notice = null;
    #view = null;
    /** @type {Life | null} Of the view. */
    #life = null;

    constructor(context) {
        const { client, life, route } = context;
        this.#context = context;
        this.#way = route.query.get('way');
        this.#store = new Store({
            initial: { ...initial, seen: seenAt.get(client) ?? null }, change, run: doneBy(() => ({
                ask: ({ turn }) => { this.#ask(turn); },
                rest: () => life.after(REST, () => this.#store.send({ kind: 'rested' })),
            })),
        });
        this.#store.watch((state) => {
            seenAt.set(client, state.seen);
            this.#draw();
        });
        const told = () => this.#store.send({ kind: 'told' });
        for (const topic of ['migrate', 'reset']) life.add(client.events(topic, told));
        told();
        restingNotice({ client, life }).catch(() => h('div', { hidden: true })).then((notice) => {
            this.#notice = notice;
            if (!life.hasEnded) this.#draw();
        });
    }

    /** @param {import('../../router.js').Route} route */
    goTo(route) {
        this.#way = route.query.get('way');
        this.#draw();
    }

    async #ask(turn) {
        const { client, life } = this.#context;
        try {
            const flow = await client.call('migrate.state', {}, { signal: life.signal });
            if (!life.hasEnded) this.#store.send({ kind: 'answered', turn, flow, at: performance.now() });
        } catch (error) {
            if (!life.hasEnded) this.#store.send({ kind: 'failed', turn, error });
        }
    }

    /** What a button asks for; the answer is the state from then on. */
    async #act(method, params) {
        const { client, life, go, link } = this.#context;
        const flow = await client.call(method, params);
        if (life.hasEnded) return;
        // The address of a form is not the one to come back to once it is sent.
        const hadWay = this.#way !== null;
        this.#way = null;
        this.#store.send({ kind: 'changed', flow, at: performance.now() });
        if (hadWay) go(link('/moving'), { replace: true });
    }

    #draw() {
        const { state } = this.#store;
        const stand = standOf(state, this.#way);
        // Both at once, so that nothing that was read moves down.
        if (!this.#notice || stand === 'asking') return;
        if (stand !== this.#stand || stand === 'failedToAsk') this.#change(stand, state);
        this.#view?.draw(state);
    }

    #change(stand, state) {
        const hadFocus = this.#body.contains(document.activeElement);
        this.#life?.end();
        this.#life = new Life(this.#context.life);
        this.#stand = stand;
        this.#view = VIEWS[stand]?.({
            ...this.#context, life: this.#life, act: (method, params) => this.#act(method, params),
            agreed: () => this.#store.send({ kind: 'agreed' }), putAway: () => this.#store.send({ kind: 'putAway' }),
        }) ?? null;
        this.#place(this.#view?.element ?? errorBanner(state.error, { retry: () => this.#store.send({ kind: 'told' }) }));
        if (hadFocus) find(this.#body, '.stage-title')?.focus({ preventScroll: true });
    }

    /** In a place of its own: what stood there has not moved when something comes above it. */
    #place(content) {
        const body = h('div', { class: 'moving-body' }, content);
        if (!this.#notice.isConnected) this.element.prepend(this.#notice);
        this.#body.replaceWith(body);
        this.#body = body;
    }
}
