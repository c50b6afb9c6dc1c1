import { fileAddress } from '../../kit/address.js';
import { Questions } from '../../kit/feed.js';
import { plainText, toast, h } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { mayUse } from '../../kit/allowed.js';
import { link } from '../../router.js';
import { threadLinkOf } from './thread-link.js';

/** What comes within this time is shown together, in milliseconds. */
const TOGETHER = 150;
/** More than so many at once become one. */
const MOST = 5;
/** Those that were shown, so that the same one does not call twice. */
const REMEMBERED = 256;
/** So many unread ones are asked for at a time, and looked through at most. */
const PAGE = 50;
const MOST_ASKED = 500;
/** The tag of the one that stands for several. */
const SUMMARY = 'tandem';
/** Ends each text: a computer's half on this desktop sees what the browser shows, and does not tell it to phones again. As in `sw.js`. */
const MARK = '\u2063\u2064\u2063';
const TITLE = 120;
const BODY = 300;
/** The buttons that the browser shows, as `sw-push.js` makes them of a push. */
const LABEL = 40;

/** What tells the browser's notification of one from all others. The service worker makes the same of a push. */
export function tagOf(device, id) { return `${device ?? ''} ${id}`; }

/**
 * Does something with the browser's notifications, one thing after another in all pages and the worker. Chromium forgets one that is shown
 * while it is asked for those that are there: it stays on the screen and can neither be found nor closed. `sw.js` takes the same lock.
 */
function alone(work) { return navigator.locks ? navigator.locks.request('tandem-banners', work) : work(); }

/** Whether this page shows the conversation of an address. */
function isRead(address) {
    if (document.hidden || typeof address !== 'string') return false;
    const [[path, wanted], [shownPath, shown]] = [address, location.hash].map((each) => each.split('?'));
    const [one, other] = [wanted, shown].map((query) => new URLSearchParams(query));
    return path === shownPath && ['source', 'thread'].every((name) => one.has(name) && one.get(name) === other.get(name));
}

/** What its program takes a press on. A press on the notification itself opens it here, and not there. */
function buttonsOf(actions) {
    return (Array.isArray(actions) ? actions : []).filter(({ id }) => id !== 'default').map(({ id, label }) => ({ action: `act ${id}`, title: plainText(label, LABEL) })).filter(({ title }) => title !== '');
}

/** Shows what is new: by the browser where the person allowed that, else for a moment on a page that is in sight. */
export class Banners {
    /** How this device shows notifications; until it is known nothing is shown. */
    local = null;
    #client;
    #channel;
    #waiting = new Map();
    #timer = null;
    #later = null;
    #shown = new Set();
    #tidying = new Questions(() => this.#tidy());

    constructor(client, channel) {
        this.#client = client;
        this.#channel = channel;
    }

    end() { clearTimeout(this.#timer); clearTimeout(this.#later); }

    /**
     * @param {{new?: Object, banner?: boolean, changed?: Object, removed?: {device: string, id: string}}} item With `banner` where this phone's
     *   program wants the new one noticed: it knows what is silenced, switched off here, or older than the pairing.
     */
    receive(item) {
        const gone = item?.removed ?? (item?.changed?.read ? item.changed : null);
        if (gone) {
            this.#waiting.delete(tagOf(gone.device, gone.id));
            this.#close(tagOf(gone.device, gone.id));
        }
        const one = item?.new;
        if (!one || item.banner !== true || !this.#isFirst(one)) return;
        this.#waiting.set(tagOf(one.device, one.id), one);
        this.#timer ??= setTimeout(() => { this.#timer = null; this.#show().catch(() => {}); }, TOGETHER);
    }

    /**
     * Closes what was read or deleted while no page was told of it, and the one that stands for several once nothing is unread. What a push
     * brought that this phone has not got yet stays.
     */
    tidy() { return this.#tidying.ask(); }

    /** Something was not told. That is said once of each computer, which is looked after together. */
    missed() { this.#later ??= setTimeout(() => { this.#later = null; this.tidy().catch(() => {}); }, TOGETHER); }

    async #tidy() {
        const registration = await navigator.serviceWorker?.getRegistration();
        const shown = await alone(async () => await registration?.getNotifications() ?? []);
        if (shown.length === 0) return;
        const { unreadCounts } = await import('../../client/notifications.js');
        if (shown.some(({ tag }) => tag === SUMMARY) && (await unreadCounts(this.#client)).total === 0) await this.#close(SUMMARY);
        const devices = new Set(shown.map(({ tag }) => tag.slice(0, Math.max(0, tag.indexOf(' ')))).filter(Boolean));
        for (const device of devices) {
            const own = shown.filter(({ tag }) => tag.startsWith(`${device} `)).map(({ tag }) => tag);
            const found = await this.#unread(device, own).catch(({ code }) => (code === 'not-found' ? { unread: new Set(), upTo: Infinity } : null));
            if (!found) continue;
            const isOver = ({ tag, data }) => own.includes(tag) && !found.unread.has(tag) && data?.alert <= found.upTo;
            await alone(async () => { for (const each of await registration.getNotifications()) if (isOver(each)) each.close(); });
        }
    }

    /**
     * Those of a computer that are unread, read on until all that are shown are among them; null where there are too many to know.
     *
     * @returns {Promise<{unread: Set<string>, upTo: number | undefined} | null>}
     */
    async #unread(device, tags) {
        const { notificationsOf } = await import('../../client/notifications.js');
        const unread = new Set();
        let [upTo, before] = [undefined, undefined];
        for (let asked = 0; asked < MOST_ASKED; asked += PAGE) {
            const page = await notificationsOf(this.#client, device).list({ unread: true, limit: PAGE, before });
            if (asked === 0) upTo = page.upTo;
            for (const { id } of page.notifications) unread.add(tagOf(device, id));
            if (page.notifications.length < PAGE || tags.every((tag) => unread.has(tag))) return { unread, upTo };
            before = page.notifications.at(-1).id;
        }
        return null;
    }

    /** One that another page could not show by the browser: on a page that is in sight, and on one of them. */
    async toastOnce(banner) {
        if (document.hidden || typeof banner?.tag !== 'string' || typeof banner.title !== 'string') return;
        // Where its list is in sight, it stands there.
        if (typeof banner.go === 'string' && location.hash.startsWith(banner.go.split('?')[0])) return;
        if (isRead(banner.thread)) return;
        const words = [h('strong', null, banner.title), banner.body && h('div', { class: 'small' }, banner.body)];
        // Afterwards: a link that is gone leads nowhere.
        const leave = ({ currentTarget: pressed }) => setTimeout(() => pressed.closest('.toast')?.remove());
        const show = () => toast(String(banner.go).startsWith('#/') ? h('a', { class: 'toast-link', href: banner.go, data: { peer: '' }, dir: 'auto', on: { click: leave } }, words)
            : h('span', { data: { peer: '' }, dir: 'auto' }, words), 'info');
        if (!navigator.locks) { show(); return; }
        await navigator.locks.request(`tandem-toast ${banner.tag} ${banner.alert}`, { ifAvailable: true }, async (lock) => {
            if (!lock) return;
            show();
            // As long as another page may still learn of it.
            await new Promise((resolve) => setTimeout(resolve, 2000));
        });
    }

    #isFirst({ device, id, alert, createdAt }) {
        const key = `${tagOf(device, id)} ${alert ?? createdAt}`;
        if (this.#shown.has(key)) return false;
        this.#shown.add(key);
        if (this.#shown.size > REMEMBERED) this.#shown.delete(this.#shown.values().next().value);
        return true;
    }

    async #show() {
        const all = [...this.#waiting.values()];
        this.#waiting.clear();
        this.local ??= await import('../../client/notifications.js').then(({ localSettings }) => localSettings(this.#client));
        if (all.length === 0) return;
        const banners = all.length > MOST ? [this.#summary(all)] : await Promise.all(all.map((one) => this.#banner(one)));
        const registration = globalThis.Notification?.permission === 'granted' ? await navigator.serviceWorker?.getRegistration() : null;
        for (const banner of banners) {
            // Somebody reads along in the conversation that it tells of.
            if (document.hasFocus() && isRead(banner.thread)) continue;
            // A browser that refuses one, for instance because its worker was just taken away, must not swallow it and those after it.
            const isShown = registration && await alone(() => this.#byBrowser(banner, registration)).then(() => true, () => false);
            if (isShown) continue;
            this.#channel.postMessage(banner);
            this.toastOnce(banner);
        }
    }

    async #byBrowser(banner, registration) {
        // A push may have shown it before: it calls once.
        const [former] = await registration.getNotifications({ tag: banner.tag });
        const isKnown = Boolean(former) && (former.data?.alert ?? banner.alert) === banner.alert;
        await registration.showNotification(banner.title, {
            body: banner.body + MARK, tag: banner.tag, renotify: !isKnown, silent: !this.local.sound, icon: fileAddress('/icons/tandem-192.png'), ...(Number.isFinite(banner.at) && { timestamp: banner.at }),
            ...(banner.id && { actions: banner.actions.slice(0, /** @type {any} */ (Notification).maxActions) }),
            data: { device: banner.device, id: banner.id, go: banner.go, alert: banner.alert },
        });
    }

    async #banner({ device, id, title, body, app, alert, createdAt, data, actions }) {
        const { name, allowed } = await this.#client.devices.show(device).catch(() => ({}));
        const from = plainText(app || name, 60) || t('common.app');
        const isOpen = this.local.preview !== false;
        const pressed = isOpen && mayUse({ allowed }, 'notification.act') !== false ? buttonsOf(actions) : [];
        return {
            device, id, actions: [...pressed, { action: 'read', title: t('common.markRead') }], tag: tagOf(device, id), alert: alert ?? createdAt, at: createdAt, go: link('/computers', device, 'notifications', { show: id }),
            thread: threadLinkOf(data, device),
            title: isOpen ? plainText(title, TITLE) : from, body: isOpen ? plainText(String(body ?? '').replace(/\s+/g, ' ').slice(0, 4 * BODY), BODY) : t('common.newHidden'),
        };
    }

    #summary(all) {
        const devices = new Set(all.map(({ device }) => device));
        return {
            tag: SUMMARY, alert: all.at(-1).alert ?? Date.now(), at: Date.now(), title: t('common.newSeveral', { count: all.length }),
            body: this.local.preview !== false ? all.slice(-3).map(({ title }) => plainText(title, 60)).join('\n') : '',
            go: devices.size === 1 ? link('/computers', all[0].device, 'notifications') : '#/computers',
        };
    }

    async #close(tag) {
        const registration = await navigator.serviceWorker?.getRegistration();
        await alone(async () => {
            for (const each of await registration?.getNotifications({ tag }) ?? []) each.close();
        });
    }
}
