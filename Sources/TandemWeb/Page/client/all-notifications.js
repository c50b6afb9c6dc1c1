import { followed, isMark, notificationsOf } from './notifications.js';

/** Rows that a search looks through. */
const MOST_SEARCHED = 2000;
const PAGE = 500;

/**
 * The notifications of all computers of a phone, as `notificationsOf` gives those of one: from this phone's own copy of them. A row's `id` names
 * its computer, too; `at(item)` is its computer's own.
 *
 * @param {import('./client.js').Client} client
 */
export function allNotificationsOf(client) { return new AllNotifications(client); }

class AllNotifications {
    device = null;
    isAll = true;
    #client;
    /** Where a list goes on behind a row, by its id. */
    #places = new Map();

    constructor(client) { this.#client = client; }

    /** As the list of one; a search goes through what this phone has, and is one page. */
    async list({ unread = false, limit = 50, before, words }, options) {
        if (words) return before ? { notifications: [], total: 0, unreadCount: 0 } : this.#search(words, unread, options);
        const place = before && this.#places.get(before);
        if (before && !place) return { notifications: [], total: 0, unreadCount: 0 };
        return this.#page({ limit, ...(unread && { unread }), ...(place && { before: place }) }, options);
    }

    refresh(options) { return this.#client.call('notifications.refresh', {}, options); }

    read(ids) { return this.#each(ids, (own, some) => own.read(some)); }

    remove(ids) { return this.#each(ids, (own, some) => own.remove(some)); }

    /** All that this phone has by now. */
    async readAll() {
        const { devices = {} } = await this.#client.call('notifications.unread');
        return together(Object.keys(devices).map((device) => this.#of(device).readAll()));
    }

    /** What a sheet asks of a row's own computer. */
    at({ device }) {
        const own = this.#of(device);
        return {
            device,
            image: (id, options) => own.image(split(id)[1], options),
            act: (id, press, options) => own.act(split(id)[1], press, options),
        };
    }

    follow(tell) {
        // How many are unread is told of one computer.
        return followed(this.#client, { ...tell, unread: () => {} }, { device: null, rowOf: (row) => this.#row(row), idOf: named, topics: ['reset', 'devices'] });
    }

    async waiting(options) {
        const { commands } = await this.#client.call('queue.list', {}, options);
        return commands.filter(({ method }) => isMark(method)).length;
    }

    async #page(query, options) {
        const page = await this.#client.call('notifications.list', query, options);
        return { ...page, notifications: (page.notifications ?? []).map((row) => this.#row(row)) };
    }

    #row(row) {
        const id = named(row);
        if (row.place) this.#places.set(id, row.place);
        return { ...row, id, computerName: row.deviceName ?? '' };
    }

    async #search(words, unread, options) {
        const found = [];
        const wanted = words.toLocaleLowerCase();
        let before;
        for (let seen = 0; seen < MOST_SEARCHED; seen += PAGE) {
            const page = await this.#page({ limit: PAGE, ...(unread && { unread }), ...(before && { before }) }, options);
            found.push(...page.notifications.filter(({ title, body, app, computerName }) => [title, body, app, computerName]
                .some((text) => String(text ?? '').toLocaleLowerCase().includes(wanted))));
            before = page.before;
            if (!before) break;
        }
        return { notifications: found, total: found.length, unreadCount: found.filter(({ read }) => !read).length };
    }

    #of(device) { return notificationsOf(this.#client, device); }

    #each(ids, work) {
        const byDevice = new Map();
        for (const [device, id] of ids.map(split)) byDevice.set(device, [...(byDevice.get(device) ?? []), id]);
        return together([...byDevice].map(([device, some]) => work(this.#of(device), some)));
    }
}

function named({ device, id }) { return `${device} ${id}`; }

/** A computer's id has no space. */
function split(id) {
    const at = id.indexOf(' ');
    return [id.slice(0, at), id.slice(at + 1)];
}

/** Queued where one of them is. */
async function together(work) {
    const answers = await Promise.all(work);
    return { queued: answers.some((answer) => answer?.queued) };
}
