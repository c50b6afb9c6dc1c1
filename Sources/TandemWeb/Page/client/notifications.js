/** Rows of a computer's history that a search looks through here, while the computer is away. */
const MOST_SEARCHED = 2000;
const PAGE = 500;

/**
 * The notifications of a computer: of a paired one on a phone's page, which keeps its own copy of them; of this computer on its own page.
 * The one place that knows which, and what the methods are called.
 *
 * @param {import('./client.js').Client} client
 * @param {string | null} [device] None: this computer's own.
 */
export function notificationsOf(client, device = null) { return new Notifications(client, device); }

class Notifications {
    #client;

    constructor(client, device) {
        this.#client = client;
        this.device = device;
    }

    /**
     * The newest first.
     *
     * @param {{unread?: boolean, limit?: number, before?: string, words?: string, app?: string}} query `before` is an id.
     * @returns {Promise<{notifications: Object[], total: number, unreadCount: number, upTo?: number, isAway?: boolean}>} With `isAway` a search that went
     *   only through what this phone has.
     */
    async list({ unread = false, limit = 50, before, words, app }, options) {
        if (this.device && !words) {
            return this.#client.call('notifications.list', { device: this.device, limit, ...(unread && { unread }), ...(before && { before }) }, options);
        }
        const query = { limit, unreadOnly: unread, ...(before && { before }), ...(words && { query: words }), ...(app && { app }) };
        try {
            return await this.#call('notification.getHistory', query, options);
        } catch (error) {
            if (!this.device || !['away', 'offline', 'not-allowed', 'unknown-method'].includes(error.code)) throw error;
            return { ...await this.#searchHere(words, unread, options), isAway: true };
        }
    }

    /** Asks a paired computer for what this phone has not got yet. */
    async refresh(options) { if (this.device) await this.#here('notifications.refresh', {}, options); }

    /** @param {string[]} ids @returns {Promise<{queued?: boolean}>} Queued: done once the computer is back. */
    read(ids) { return this.device ? this.#here('notifications.mark', { ids }) : this.#call('notification.markAsRead', { ids }); }

    /** @param {number} [upTo] The newest number that the person saw. */
    readAll(upTo) { return this.device ? this.#here('notifications.mark', { all: true, ...numbered(upTo) }) : this.#call('notification.markAllAsRead', numbered(upTo)); }

    remove(ids) { return this.device ? this.#here('notifications.delete', { ids }) : this.#call('notification.delete', { ids }); }

    clear(upTo) { return this.device ? this.#here('notifications.clear', numbered(upTo)) : this.#call('notification.clearAll', numbered(upTo)); }

    /** A picture as base64. */
    async image(id, options) { return (await this.#call('notification.image', { notificationId: id }, options)).image; }

    /**
     * @param {string} id
     * @param {{action?: string, reply?: string}} press A button's id, or a reply's words.
     * @param {{signal?: AbortSignal}} [options]
     */
    act(id, { action, reply }, options) { return this.#call('notification.act', { notificationId: id, ...(action && { action }), ...(reply && { text: reply }) }, options); }

    async settings(options) { return settingsIn(await this.#call('notification.getSettings', {}, options)); }

    /** @returns {Promise<Object>} All settings as the computer has them from now on. */
    async change(members) { return settingsIn(await this.#call('notification.updateSettings', members)); }

    /** The programs of the computer's desktop: `{sources, available, reason?, canAct}`. */
    sources(options) { return this.#call('notification.sources', {}, options); }

    allow(app, allowed) { return this.#call('notification.setSource', { app, allowed }); }

    /** Which phones have one, and since when: `{device, name, at}`. Only at the computer. */
    async deliveries(id, options) { return (await this.#client.call('notifications.deliveries', { id }, options)).deliveries ?? []; }

    /** How far each phone is: `{device, name, at, behind}`. Only at the computer. */
    async phones(options) {
        const { devices = [] } = await this.#client.call('notifications.devices', {}, options);
        return devices.map(({ id, name, seenAt, waiting }) => ({ device: id, name, at: seenAt, behind: waiting }));
    }

    /** @param {{phone: string | null} & Object<string, any>} message To all phones where it names none. */
    send({ phone, ...message }) { return phone ? this.#call('notification.sendToMobile', { ...message, deviceId: phone }) : this.#call('notification.broadcast', message); }

    /**
     * Shows something at the computer.
     *
     * @returns {Promise<{success: boolean, silenced?: boolean, error?: string}>} `error`: in a sentence, why it was not kept.
     */
    show(message) { return this.#call('notification.send', message); }

    /**
     * Calls `changed` after each change of this computer's notifications.
     *
     * @returns {() => void} Stops it.
     */
    onChange(changed) {
        const stops = [
            this.#client.events('notifications', (data) => { if (!this.device || !data?.device || data.device === this.device) changed(); }),
            this.#client.events('reset', changed),
        ];
        return () => stops.forEach((stop) => stop());
    }

    /** Tells a list what changes: see `followed`. */
    follow(tell) {
        // At a computer its own list names no computer.
        const rowOf = (row) => { const { device, deviceName, place, ...own } = row; return this.device ? row : own; };
        return followed(this.#client, tell, { device: this.device, rowOf, idOf: ({ id }) => id, topics: ['reset'] });
    }

    /** How many changes wait on this phone for the computer. */
    async waiting(options) {
        if (!this.device) return 0;
        const { commands } = await this.#client.call('queue.list', {}, options);
        return commands.filter(({ desktopId, method }) => desktopId === this.device && isMark(method)).length;
    }

    async #searchHere(words, unread, options) {
        const found = [];
        const wanted = words.toLocaleLowerCase();
        let before;
        for (let seen = 0; seen < MOST_SEARCHED; seen += PAGE) {
            const page = await this.#here('notifications.list', { limit: PAGE, ...(unread && { unread }), ...(before && { before }) }, options);
            found.push(...page.notifications.filter(({ title, body, app }) => [title, body, app].some((text) => String(text ?? '').toLocaleLowerCase().includes(wanted))));
            before = page.notifications.at(-1)?.id;
            if (page.notifications.length < PAGE) break;
        }
        return { notifications: found, total: found.length, unreadCount: found.filter(({ read }) => !read).length };
    }

    #here(method, params, options) { return this.#client.call(method, { device: this.device, ...params }, options); }

    #call(method, params, options) {
        return this.#client.call('notifications.call', { method, params, ...(this.device && { device: this.device }) }, options);
    }
}

/** Whether a method that waits for a computer marks or deletes notifications. */
export function isMark(method) { return method.startsWith('notification.'); }

/** How many are unread: `{devices: {id: count}, total}`; of this computer under an empty id on its own page. */
export async function unreadCounts(client) {
    if (client.role === 'phone') return client.call('notifications.unread');
    const { count = 0 } = await client.call('notifications.call', { method: 'notification.getUnreadCount', params: {} });
    return { devices: { '': count }, total: count };
}

/** What this device does with notifications: `{enabled, sound, preview}`; with members it changes them. Only on a phone. */
export function localSettings(client, members = {}) { return client.call('notifications.local', members); }

/** What comes from now on: `{new: item}`, `{changed: item}`, `{removed: {device, id}}`, `{unread: {device, count}}` or `{missed: {device}}`. */
export function followNotifications(client, options, device = null) { return client.follow('notifications.follow', device ? { device } : {}, options); }

/**
 * Tells a list what changes. That something did comes with the events, which nothing is missed of; what it is comes beside.
 *
 * @param {import('./client.js').Client} client
 * @param {{changed: (change: {new?: Object, changed?: Object, removed?: string}) => void, unread: (count: number) => void,
 *   note: (kind: 'announced' | 'heard' | 'cut') => void}} tell `heard`: all of one announced change; `cut`: something may be missing.
 * @param {{device: string | null, rowOf: (row: Object) => Object, idOf: (row: {device: string, id: string}) => string, topics: string[]}} list
 *   Its rows and ids, and the topics that leave nothing of it certain.
 * @returns {() => void} Stops it.
 */
export function followed(client, tell, { device, rowOf, idOf, topics }) {
    const controller = new AbortController();
    let isBroken = false;
    const cut = () => tell.note('cut');
    const onItem = (item) => {
        if (item?.missed) cut();
        for (const kind of ['new', 'changed']) if (item?.[kind]) tell.changed({ [kind]: rowOf(item[kind]) });
        if (item?.removed) tell.changed({ removed: idOf(item.removed) });
        if (!item?.unread) return;
        tell.unread(item.unread.count);
        tell.note('heard');
    };
    followNotifications(client, { signal: controller.signal, onItem, onRestart: () => { isBroken = true; } }, device);
    const stops = [
        client.events('notifications', (data) => { if (!data?.local && (!device || !data?.device || data.device === device)) tell.note('announced'); }),
        ...topics.map((topic) => client.events(topic, cut)),
        // It has begun again by then.
        client.onState((state) => { if (state === 'live' && isBroken) { isBroken = false; cut(); } }),
        () => controller.abort(),
    ];
    return () => stops.forEach((stop) => stop());
}

/** Tells every computer where this phone's browser is woken; null ends that. */
export async function registerPush(client, subscription) {
    await client.call('notifications.push', { subscription });
    // Messages wake it, too. What the worker shows of their words is this browser's own choice.
    await client.call('chat.push', subscription ? { subscription, previews: true } : {}).catch((error) => {
        // A browser that is the phone has no conversations.
        if (error.code !== 'unknown-method') throw error;
    });
}

function numbered(upTo) { return Number.isInteger(upTo) ? { upTo } : {}; }

/** Flat members, also where an older program nests them. */
function settingsIn(answer) {
    const { settings, ...flat } = answer ?? {};
    const found = settings ?? flat;
    const { quietHours } = found;
    return {
        ...found,
        quietHoursEnabled: found.quietHoursEnabled ?? quietHours?.enabled ?? false,
        quietHoursStart: found.quietHoursStart ?? quietHours?.start ?? null,
        quietHoursEnd: found.quietHoursEnd ?? quietHours?.end ?? null,
    };
}
