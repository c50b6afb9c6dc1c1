import { ClientError } from '../../client/client.js';
import { isMark } from '../../client/notifications.js';
import { banner, closeDialogs, emptyState, errorBanner, h, linkButton, menuButton, pathChip, plainText, relativeTime, tabStrip } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { go, link } from '../../router.js';
import { mayUse } from '../../kit/allowed.js';
import { forget, reachedBy, rename, showDetails } from './parts.js';
import { TabPlace } from './tab-place.js';

const KEY = 'tandem.tab.';

/** A paired computer: by which way it is reached, and a tab for everything that can be done with it. */
export async function computerScreen(context) {
    const { client, route, life, tabs } = context;
    const { id } = route.params;
    const last = localStorage.getItem(KEY + id);
    let device;
    try {
        device = await client.devices.show(id);
    } catch (error) {
        return ['not-found', 'bad-request'].includes(error.code) ? notPaired() : notLoaded(error, { client, life });
    }
    const first = firstTab(tabs, device, last);
    if (!route.params.tab) go(link('/computers', id, first.id), { replace: true });
    const screen = new ComputerScreen(context, device, first);
    screen.update(route);
    return screen;
}

/** The tab that was seen last; at the first visit the first that is allowed, where the computer tells. */
function firstTab(tabs, device, last) {
    // Notifications are allowed from the beginning: what the owner allowed besides comes first.
    const wanted = [...tabs.filter(({ id }) => id !== 'notifications'), ...tabs];
    return tabs.find(({ id }) => id === last) ?? wanted.find(({ right }) => right && mayUse(device, right)) ?? tabs[0];
}

class ComputerScreen {
    titleIsPeer = true;
    back = '#/computers';
    actions = [];
    #context;
    #id;
    #device;
    #first;
    #chip;
    #menu;
    #strip;
    #strips;
    #place;

    constructor(context, device, first) {
        const { client, life, chrome, route } = context;
        this.#context = context;
        this.#id = route.params.id;
        this.#device = device;
        this.#first = first;
        this.#chip = pathChip(device.path);
        this.#menu = computerMenu(client, device, (next) => this.#taken(next));
        this.#strip = this.#tabStrip();
        this.#strips = new Strips();
        const computer = client.computer(this.#id);
        this.#place = new TabPlace({
            life, given: { client, computer, device, go, link, chrome, actions: (elements) => this.#showActions(elements) },
            badge: (id, count, words) => this.#strip.badge(id, count, words),
            began: () => {
                this.#showActions();
                this.#countWaiting();
            },
        });
        this.title = titleOf(device);
        this.element = h('div', { class: 'computer' }, h('div', { class: 'computer-head' }, this.#strip), this.#strips.element, this.#place.element);
        this.#showActions();
        this.#follow(computer);
    }

    update(route) {
        if (route.params.id !== this.#id) return false;
        const tab = this.#context.tabs.find(({ id }) => id === route.params.tab) ?? this.#first;
        localStorage.setItem(KEY + this.#id, tab.id);
        this.#strip.select(tab.id);
        this.#place.show(tab, route);
        return true;
    }

    #tabStrip() {
        const { tabs, route } = this.#context;
        return tabStrip({
            label: t('tab.label'),
            tabs: tabs.map(({ id, label, icon }) => ({ id, label: t(label), icon, href: link('/computers', this.#id, id) })),
            current: route.params.tab ?? this.#first.id,
        });
    }

    #follow(computer) {
        const { client, life } = this.#context;
        let isFirst = true;
        life.add(computer.reachability((path) => {
            reachedBy(this.#device, path);
            this.#chip.update(path);
            const showAway = () => this.#strips.show({ away: this.#device.path ? null : away(this.#device) });
            // While a connection is made at the start nothing is known yet: no strip that comes and goes.
            if (isFirst && !path) life.after(1200, showAway);
            else showAway();
            isFirst = false;
        }));
        life.add(client.events('queue', () => this.#countWaiting()));
        // After the tab, which matters more than a number.
        import('../../client/unread.js').then(({ unreadOf }) => {
            const unread = unreadOf(client);
            unread.use(life, () => this.#strip.badge('notifications', unread.countAt(this.#id), t('computers.unread')));
        }).catch(() => {});
        life.add(client.devices.onChange(() => this.#ask()));
    }

    async #ask() {
        const { client, life } = this.#context;
        try {
            this.#taken(await client.devices.show(this.#id));
        } catch (error) {
            if (error.code !== 'not-found' || life.hasEnded) return;
            this.#place.end();
            // What is open over the page is of this computer, too.
            closeDialogs();
            this.element.replaceChildren(notPaired().element);
        }
    }

    async #countWaiting() {
        const { client, life } = this.#context;
        const { commands } = await client.call('queue.list', {}, { signal: life.signal }).catch(() => ({ commands: [] }));
        // The tab of notifications has a strip of its own for what waits of them.
        const isCounted = ({ desktopId, method }) => desktopId === this.#id && !(this.#place.id === 'notifications' && isMark(method));
        const count = commands.filter(isCounted).length;
        this.#strips.show({ waiting: count > 0 ? waitingStrip(this.#id, count) : null });
    }

    #taken(next) {
        Object.assign(this.#device, next);
        this.title = titleOf(next);
        this.#context.chrome.titled(this);
    }

    #showActions(elements = []) {
        this.actions = [...elements, this.#chip, this.#menu];
        this.#context.chrome.titled(this);
    }
}

/** What stands above a tab: that the computer is away, then what waits for it. */
class Strips {
    element = h('div', { class: 'computer-strips' });
    #shown = { away: null, waiting: null };

    /** @param {{away?: HTMLElement | null, waiting?: HTMLElement | null}} changed */
    show(changed) {
        Object.assign(this.#shown, changed);
        this.element.replaceChildren(...Object.values(this.#shown).filter(Boolean));
    }
}

function titleOf({ name }) { return plainText(name, 120) || t('computers.unnamed'); }

/** @param {(device: Object) => void} renamed */
function computerMenu(client, device, renamed) {
    return menuButton({
        label: t('computers.more'),
        items: () => [
            { label: t('computers.details'), icon: 'info', press: () => showDetails(device, client) },
            { label: t('computers.rename'), icon: 'edit', press: () => rename(client, device, renamed) },
            { label: t('computers.forget'), icon: 'trash', kind: 'danger', press: async () => {
                if (await forget(client, device)) go('#/computers', { replace: true });
            } },
        ],
    });
}

function away(device) {
    return banner({
        kind: 'offline', text: t('computers.away'),
        detail: h('span', null, t('computers.awaySeen'), t('common.gap'), relativeTime(device.lastSeenAt), t('common.stop'), t('computers.awayText')),
    });
}

function waitingStrip(id, count) {
    return banner({
        kind: 'info', text: t('computers.waiting', { count }),
        actions: [linkButton({ label: t('computers.showWaiting'), kind: 'quiet', href: link('/queue', { device: id }) })],
    });
}

/** The address of a computer that is none any more, or was none. */
function notPaired() {
    return {
        title: t('nav.computers'), back: '#/computers',
        element: emptyState({
            icon: 'computer', title: t('computers.gone'), text: t('computers.goneText'),
            actions: [
                linkButton({ label: t('pairing.title'), icon: 'qr', href: '#/pair', kind: 'primary' }),
                linkButton({ label: t('computers.toAll'), href: '#/computers' }),
            ],
        }),
    };
}

/** A computer that could not be asked for. The screen is made again on a press, and where this device's program was away, once it is back. */
function notLoaded(error, { client, life }) {
    const again = () => go(location.hash, { replace: true });
    life.add(client.onState((state) => { if (state === 'live') again(); }));
    return {
        title: t('nav.computers'), back: '#/computers',
        element: errorBanner(client.state === 'live' ? error : new ClientError('gone'), { retry: again }),
    };
}
