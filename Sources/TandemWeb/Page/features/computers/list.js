import {
    banner, button, chip, confirm, emptyState, errorBanner, group, h, icon, linkButton, menuButton, middle, part, pathChip, relativeTime, skeleton,
} from '../../kit/first.js';
import { t } from '../../i18n/index.js';
import { endToEndChip, nameOf, presenceIcon } from '../../kit/computer.js';
import { forget, reachedBy, rename, showDetails, toastForgotten } from './parts.js';

/** The paired computers, the one seen last first. */
export function computersScreen(context) {
    const list = new ComputerList(context);
    list.load();
    // Always in the same place; the ways that are offered below are where nothing is paired yet.
    const actions = [linkButton({ label: t('computers.pair'), icon: 'plus', href: '#/pair' })];
    return { title: t('nav.computers'), element: list.element, actions };
}

class ComputerList {
    element = h('div', { class: 'stack computers' }, skeleton(3, { height: 84 }));
    #context;
    #queued;
    #counts;
    #rows = new Map();
    #devices = [];
    #isDrawn = false;

    constructor(context) {
        const { client, life } = context;
        this.#context = context;
        this.#queued = queuedStrip(context);
        this.#counts = new Counts(context, () => this.#count());
        life.add(client.devices.onChange(() => this.load()));
        life.add(client.events('reach', ({ device, path }) => this.#reached(device, path)));
    }

    async load() {
        const { client, life } = this.#context;
        try {
            // Together, so that the strip moves nothing.
            const [devices, queue] = await Promise.all([client.devices.list(), this.#queued.ask()]);
            this.#devices = devices;
            this.#queued.show(queue);
        } catch (error) {
            // While the program does not answer, the frame says so, and what was here stays.
            if (!life.hasEnded && !(this.#isDrawn && client.state !== 'live')) {
                this.element.replaceChildren(errorBanner(error, { retry: () => this.load() }));
            }
            return;
        }
        if (life.hasEnded) return;
        this.#isDrawn = true;
        this.#draw();
        // After the list, which matters more; also where the first computer is paired while the list is seen.
        if (this.#devices.length > 0) this.#counts.follow();
    }

    #draw() {
        const sorted = [...this.#devices].sort((one, other) => (other.lastSeenAt ?? 0) - (one.lastSeenAt ?? 0));
        const isTwin = ({ id, name }) => sorted.some((other) => other.id !== id && other.name === name);
        this.#rows = new Map(sorted.map((device) => [device.id, computerRow(device, this.#context, { isTwin: isTwin(device) })]));
        if (sorted.length === 0) {
            this.element.replaceChildren(nothing(this.#context.link));
            this.#welcome().catch(() => {});
            return;
        }
        const forget = button({ label: t('computers.forgetAll'), icon: 'trash', kind: 'quiet', press: () => forgetAll(this.#context.client, this.#devices) });
        this.element.replaceChildren(...[
            this.#queued.element,
            group({ title: t('computers.count', { count: sorted.length }), rows: [...this.#rows.values()] }),
            this.#counts.waiting,
            // One has it in its own menu.
            sorted.length > 1 && h('div', { class: 'line' }, forget),
        ].filter(Boolean));
        this.#count();
    }

    /** What features say to a person who begins. */
    async #welcome() {
        const { life, parts } = this.#context;
        const said = await parts('welcome');
        if (!life.hasEnded && this.#devices.length === 0) this.element.append(...said);
    }

    #count() {
        for (const [id, row] of this.#rows) {
            row.mark(this.#counts.marksOf(id));
            row.unread(this.#counts.unreadAt(id));
        }
    }

    #reached(id, path) {
        const known = this.#devices.find((device) => device.id === id);
        if (!known) return;
        reachedBy(known, path);
        this.#rows.get(id)?.reached(path);
    }
}

/** How much waits for computers, which stands above them. */
function queuedStrip({ client, life, link }) {
    const element = h('div', { class: 'computers-queued' });
    // Without an answer the strip stays what it was: the screen of the queue says what is the matter.
    const ask = () => client.call('queue.list', {}, { signal: life.signal }).catch(() => null);
    const show = (queue) => {
        if (!queue) return;
        const count = queue.commands.length;
        element.replaceChildren(...(count === 0 ? [] : [banner({
            kind: 'info', text: t('queue.waits', { count }),
            actions: [linkButton({ label: t('computers.showWaiting'), kind: 'quiet', href: link('/queue') })],
        })]));
    };
    life.add(client.events('queue', async () => {
        const queue = await ask();
        if (!life.hasEnded) show(queue);
    }));
    return { element, ask, show };
}

/** What features show of each computer, such as what waits for the person there, and what was not read. */
class Counts {
    /** Stands below the computers, which it must not push away. */
    waiting = h('div', { class: 'computers-waiting' });
    #context;
    #changed;
    #marks = [];
    #unread = null;
    #isFollowing = false;

    constructor(context, changed) {
        this.#context = context;
        this.#changed = changed;
    }

    marksOf(id) { return this.#marks.map((mark) => mark(id)); }

    unreadAt(id) { return this.#unread?.countAt(id) ?? 0; }

    follow() {
        if (this.#isFollowing) return;
        this.#isFollowing = true;
        this.#followParts().catch(() => {});
        this.#followUnread().catch(() => {});
    }

    async #followParts() {
        const { life, parts } = this.#context;
        const [marks, strips] = await Promise.all([parts('computer'), parts('home')]);
        if (life.hasEnded) return;
        this.waiting.replaceChildren(...strips);
        this.#marks = marks;
        this.#changed();
    }

    async #followUnread() {
        const { client, life } = this.#context;
        const { unreadOf } = await import('../../client/unread.js');
        if (life.hasEnded) return;
        this.#unread = unreadOf(client);
        this.#unread.use(life, this.#changed);
    }
}

function forgetAll(client, devices) {
    const answers = [];
    return confirm({
        title: t('computers.forgetAllTitle', { count: devices.length }),
        text: t('computers.forgetAllText'),
        action: t('computers.forgetAll'),
        work: async () => {
            for (const { id } of devices) answers.push(await client.devices.forget(id));
        },
    }).then((isDone) => { if (isDone) toastForgotten(answers); });
}

/** @param {Object} device @param {Object} context @param {{isTwin: boolean}} options Whether another computer has the same name: then its id tells them apart. */
function computerRow(device, { client, link }, { isTwin }) {
    const presence = presenceIcon(device);
    const path = pathChip(device.path);
    const unread = h('span', { class: 'computer-unread' });
    const seen = h('span', { class: 'row-detail' });
    const waits = h('span', { class: 'computer-waits' });
    const main = h('a', { class: 'row-main computer-row', href: link('/computers', device.id) },
        h('span', { class: 'row-lead computer-lead' }, presence, waits),
        h('span', { class: 'row-words' },
            h('span', { class: 'row-title' }, nameOf(device)),
            seen,
            isTwin && h('span', { class: 'row-detail computer-id' }, middle(device.id))),
        h('span', { class: 'computer-chips' }, unread, path, endToEndChip(device.endToEnd)),
        icon('chevron-right', { size: 18 }));
    const menu = menuButton({
        label: t('computers.more'),
        items: () => [
            { label: t('computers.details'), icon: 'info', press: () => showDetails(device, client) },
            { label: t('computers.rename'), icon: 'edit', press: () => rename(client, device) },
            { label: t('computers.forget'), icon: 'trash', kind: 'danger', press: () => forget(client, device) },
        ],
    });
    const element = h('div', { class: 'row' }, main, h('div', { class: 'row-actions' }, menu));
    const reached = (way) => {
        presence.update(way);
        path.update(way);
        seen.replaceChildren(...(way ? [] : [t('computers.seen'), ' ', relativeTime(device.lastSeenAt), ' · ']),
            t('computers.pairedWhen'), ' ', relativeTime(device.pairedAt));
    };
    reached(device.path);
    return part(element, {
        reached,
        mark: (marks) => waits.replaceChildren(...marks),
        unread: (count) => unread.replaceChildren(...(count > 0
            ? [chip([count > 99 ? '99+' : String(count), h('span', { class: 'visually-hidden' }, ` ${t('computers.unread')}`)], 'accent', 'bell')] : [])),
    });
}

function nothing(link) {
    const way = (id, label, symbol, kind) => linkButton({ label: t(label), icon: symbol, href: link('/pair', id), kind });
    return emptyState({
        icon: 'computer', title: t('computers.none'), text: t('computers.noneText'),
        actions: [
            way('scan', 'computers.byScan', 'camera', 'primary'),
            way('show', 'computers.byShowing', 'qr'),
            way('code', 'computers.byCode', 'keyboard'),
        ],
    });
}
