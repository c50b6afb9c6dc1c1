import { notificationsOf } from '../../client/notifications.js';
import { loadArea, t } from '../../i18n/index.js';
import { Questions } from '../../kit/feed.js';
import { errorText, h, plainText, toast } from '../../kit/index.js';
import { outcomeOf, pressIn } from './press.js';

/** Where the worker keeps what was pressed: `sw-push.js`. */
const PRESSED = 'tandem-pressed';
/** One that is not among so many of the newest is not there any more. */
const SEARCHED = 500;
const SHOWN_FOR = 8000;
/** So long a computer that came back is let settle, in milliseconds. */
const SETTLING = 500;
/** What a computer that is not reached fails with. */
const AWAY = new Set(['away', 'offline', 'gone', 'lost']);

/** Does what was pressed on the browser's notifications, each once, when its computer is reached. Of several pages the one that leads does it. */
export class Presses {
    #client;
    #life;
    #doing = new Questions(() => this.#doAll());
    /** Computers that are waited for. */
    #waiting = new Map();

    /**
     * @param {import('../../client/client.js').Client} client
     * @param {import('../../life.js').Life} life
     */
    constructor(client, life) {
        this.#client = client;
        this.#life = life;
        life.add(client.onState((state) => { if (state === 'live') this.look(); }));
        life.add(() => { for (const stop of this.#waiting.values()) stop(); });
    }

    /** Something may have been pressed. */
    look() { this.#doing.ask().catch(() => {}); }

    async #doAll() {
        // A browser gives no such place to a page in the clear, and shows no notifications for it.
        if (!globalThis.caches || this.#life.hasEnded) return;
        const cache = await caches.open(PRESSED);
        for (const address of await cache.keys()) {
            const press = pressIn(await cache.match(address).then((kept) => kept?.json()).catch(() => null));
            const isOver = press === null || await this.#do(press, () => cache.put(address, new Response(JSON.stringify(wordsOf(press)))));
            if (isOver) await cache.delete(address);
        }
    }

    /**
     * @param {import('./press.js').Press} press
     * @param {() => Promise<void>} note Keeps that it was sent.
     * @returns {Promise<boolean>} False where it waits.
     */
    async #do(press, note) {
        const { device, id, action } = press;
        await loadArea('notifications');
        const notifications = notificationsOf(this.#client, device);
        try {
            await notifications.refresh({ signal: this.#life.signal });
            const { notifications: newest } = await notifications.list({ limit: SEARCHED }, { signal: this.#life.signal });
            const outcome = outcomeOf(press, newest.find((each) => each.id === id) ?? null, Date.now());
            if (outcome === 'act') {
                press.wasSent = true;
                await note();
                await notifications.act(id, { action });
                say(press, t('notifications.pressed'), 'good');
                notifications.read([id]).catch(() => {});
            } else if (outcome === 'done' || outcome === 'over') {
                say(press, t(outcome === 'done' ? 'notifications.answered' : 'notifications.takesNone'));
            }
            if (outcome === 'read') await notifications.read([id]);
        } catch (error) {
            if (this.#life.hasEnded) return false;
            if (AWAY.has(error.code)) { this.#wait(press); return false; }
            if (action !== null) say(press, error.code === 'not-allowed' ? t('notifications.mayNotAct') : errorText(error), 'bad');
        }
        return true;
    }

    /** Its computer is not reached: it is done once it is. */
    #wait(press) {
        const { device, action } = press;
        if (this.#waiting.has(device)) return;
        this.#waiting.set(device, () => {});
        if (action !== null) say(press, t('notifications.pressWaits'));
        const again = () => { this.#waiting.get(device)?.(); this.#waiting.delete(device); this.look(); };
        // It may be back already.
        const stop = this.#client.computer(device).reachability((path) => {
            if (path && path !== 'failed' && path !== 'connecting') this.#life.after(SETTLING, again);
        });
        this.#waiting.set(device, stop);
    }
}

/** As the worker writes it. */
function wordsOf({ action, ...press }) { return { ...press, action: action === null ? 'read' : `act ${action}` }; }

/** @param {import('./press.js').Press} press @param {string} words @param {'info' | 'good' | 'bad'} [kind] */
function say({ title }, words, kind = 'info') { toast([h('strong', { dir: 'auto', data: { peer: '' } }, plainText(title, 120)), h('div', { class: 'small' }, words)], kind, SHOWN_FOR); }
