import { NOW, days, hours, minutes } from './common.js';
import { computers } from './computers.js';

/**
 * Notifications of computers. Scenarios: `told` (several, unread ones among them; else none, so that no other screen has a number on it), `many-notices`
 * (10,000), `several-notices` (a second computer's, twelve of one conversation among them), `hostile`, `notices-failed`, `notices-never`, `notices-refused`, `queued-marks`, `not-act` (buttons are not allowed), `quiet-night`, `quiet-day`,
 * `quiet-all`, `no-sources`, `many-sources`, `permission-default`, `permission-denied`, `marks-fail`, `settings-fail`, `push-hangs`, `away`.
 *
 * @typedef {{id: string, title: string, body: string, priority: string, read: boolean, source: string, createdAt: number, app?: string, silenced?: boolean}} Notice
 *   With whatever else a scenario gives it.
 * @typedef {{limit?: number, before?: string, unread?: boolean, unreadOnly?: boolean, query?: string, app?: string}} Query
 * @typedef {{ids?: string[], notificationId?: string, upTo?: number}} Which
 *
 * @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario
 */
export function install(fake, scenario) {
    if (fake.role === 'hub') return;
    playPermission(scenario);
    const isPhone = fake.role === 'phone';
    const places = new Map((isPhone ? computers.map(({ id }) => id) : ['']).map((id, at) => [id, at === 0 ? listOf(scenario) : at === 1 && scenario.has('several-notices') ? chatOf() : []]));
    let sequence = 50_000;
    let settings = settingsOf(scenario);
    let local = { enabled: true, sound: true, preview: true };
    let sources = sourcesOf(scenario);
    let queued = scenario.has('queued-marks') ? 2 : 0;
    const follows = new Set();
    /**
     * Of all computers: each row names its own, and where the list goes on behind it.
     *
     * @param {{limit?: number, before?: string, unread?: boolean}} query
     */
    const whole = ({ limit = 50, before, unread }) => {
        const all = [...places].flatMap(([device, list]) => list.map((each) => ({ ...each, device, deviceName: computers.find(({ id }) => id === device).name, place: `${each.createdAt} ${device} ${each.id}` })))
            .sort((one, other) => other.createdAt - one.createdAt);
        const found = all.filter(({ read }) => !unread || !read);
        const from = before ? found.findIndex(({ place }) => place === before) + 1 : 0;
        const shown = found.slice(from, from + limit);
        return { notifications: shown, total: found.length, unreadCount: unreadOf(all), ...(from + limit < found.length && { before: shown.at(-1).place }) };
    };
    const at = (device = '') => places.get(device) ?? fake.fail('not-found', 'No such computer.');
    const isAway = (device) => Boolean(device) && scenario.has('away');
    const changed = (device) => fake.emit('notifications', device ? { device } : {});
    const tell = (item) => { for (const each of follows) each(item); };
    /** Tells what changed as one word of its computer's: rows as the list has them, and how many are unread. */
    const news = (device, items) => {
        changed(device);
        const about = { device, ...(device && { deviceName: computers.find(({ id }) => id === device).name }) };
        for (const { banner, removed, ...row } of items) {
            if (removed) { tell({ removed: { device, id: removed } }); continue; }
            const [[kind, item]] = Object.entries(row);
            tell({ [kind]: { ...item, ...about, place: `${item.createdAt} ${device} ${item.id}` }, ...(banner !== undefined && { banner }) });
        }
        tell({ unread: { device, count: unreadOf(at(device)) } });
    };
    /** @param {string | undefined} device @param {Query} query */
    const page = (device, { limit = 50, before, unread, unreadOnly, query, app }) => {
        if (scenario.has('notices-failed')) fake.fail('internal', 'The database is locked.');
        const all = at(device);
        const words = query?.toLowerCase();
        const found = all.filter((each) => (!(unread || unreadOnly) || !each.read) && (!app || each.app === app)
            && (!words || [each.title, each.body, each.app].some((text) => text?.toLowerCase().includes(words))));
        const from = before ? found.findIndex(({ id }) => id === before) + 1 : 0;
        return { notifications: found.slice(from, from + limit).map((each) => (device ? { ...each, device } : each)), total: found.length, unreadCount: unreadOf(all), upTo: sequence };
    };
    const marked = (device, work) => {
        if (scenario.has('marks-fail')) fake.fail('internal', 'The disk is full.');
        const items = work(at(device));
        const count = items.length;
        news(device ?? '', items);
        if (!isAway(device)) return { queued: false, count };
        queued += 1;
        fake.emit('queue', {});
        return { queued: true, count: 0 };
    };
    const until = (upTo) => ({ sequence: own }) => upTo === undefined || own <= upTo;
    /** @param {string | undefined} device @param {Which} which */
    const read = (device, { ids, notificationId, upTo }) => marked(device, (all) => {
        const named = ids ?? (notificationId && [notificationId]);
        const meant = all.filter((each) => (named ? named.includes(each.id) : until(upTo)(each)));
        for (const each of meant) { sequence += 1; Object.assign(each, { read: true, readAt: NOW, sequence }); }
        return meant.map((each) => ({ changed: each }));
    });
    /** @param {string | undefined} device @param {Which} which */
    const remove = (device, { ids, notificationId, upTo }) => marked(device, (all) => {
        const named = ids ?? (notificationId && [notificationId]);
        const left = all.filter((each) => !(named ? named.includes(each.id) : until(upTo)(each)));
        return all.splice(0, all.length, ...left).filter((each) => !left.includes(each)).map(({ id }) => ({ removed: id }));
    });

    const done = ({ count }) => ({ success: true, count });

    fake.answer('notifications.unread', () => {
        const counts = Object.fromEntries([...places].map(([id, all]) => [id, unreadOf(all)]).filter(([, count]) => count > 0));
        return { devices: counts, total: Object.values(counts).reduce((sum, count) => sum + count, 0) };
    });
    fake.answer('notifications.list', ({ device, ...query }) => {
        if (scenario.has('notices-never')) return new Promise(() => {});
        if (scenario.has('notices-failed')) fake.fail('internal', 'The database is locked.');
        return isPhone && !device ? whole(query) : page(device, query);
    });
    fake.answer('notifications.mark', ({ device, ...what }) => read(device, what));
    fake.answer('notifications.delete', ({ device, ...what }) => remove(device, what));
    fake.answer('notifications.clear', ({ device, ...what }) => remove(device, what));
    if (isPhone) {
        fake.answer('notifications.refresh', ({ device }) => {
            if (isAway(device)) fake.fail('away', 'studio-pc is not connected.');
            if (scenario.has('notices-late')) fake.notices.add({ title: 'Only the computer had it' }, device);
            return { total: 0, devices: {} };
        });
        fake.answer('notifications.local', (members) => {
            if (Object.keys(members).length > 0 && scenario.has('settings-fail')) fake.fail('full', 'The disk is full.');
            local = { ...local, ...members };
            return local;
        });
        fake.answer('notifications.push', () => ({ told: 1, waiting: 0 }));
    } else {
        fake.answer('notifications.devices', () => ({ devices: scenario.has('empty') ? [] : [
            { id: 'a', name: 'Ada’s iPhone', catchesUp: true, seenAt: NOW - minutes(1), waiting: 0, hasPush: true },
            { id: 'b', name: '书房平板', catchesUp: true, seenAt: NOW - hours(5), waiting: 12, hasPush: false },
            { id: 'c', name: scenario.has('hostile') ? MARKUP : 'Old work phone with a rather long name of its own', catchesUp: false, hasPush: false },
        ] }));
        fake.answer('notifications.deliveries', () => ({ deliveries: [
            { device: 'a', name: 'Ada’s iPhone', at: NOW - minutes(2), acknowledged: true }, { device: 'b', name: '书房平板', acknowledged: false },
        ] }));
    }
    fake.serve('notifications.follow', ({ item, signal }) => {
        follows.add(item);
        signal.addEventListener('abort', () => follows.delete(item));
        return new Promise(() => {});
    });
    if (isPhone) {
        const others = fake.call.bind(fake);
        // What waits is the queue's to tell.
        fake.call = async (method, params, options) => {
            const answer = await others(method, params, options);
            if (method !== 'queue.list' || queued === 0) return answer;
            const waits = Array.from({ length: queued }, (_, index) => ({
                id: `n${index}`, desktopId: computers[0].id, method: 'notification.markAsRead', parameters: '{}', status: 'pending', retries: 0, errorMessage: null, timestamp: NOW - minutes(3), expiresAt: NOW + days(1),
            }));
            return { ...answer, commands: [...answer.commands, ...waits] };
        };
    }
    fake.answer('notifications.call', async ({ method, params, device }) => {
        if (isAway(device)) fake.fail('away', 'studio-pc is not connected.');
        switch (method.replace('notification.', '')) {
        case 'getHistory': return page(device, params);
        case 'getUnreadCount': return { count: unreadOf(at(device)) };
        case 'markAsRead': case 'markAllAsRead': return done(read(device, params));
        case 'delete': case 'clearAll': return done(remove(device, params));
        case 'image': return { image: await drawing() };
        case 'act':
            if (scenario.has('act-fails')) fake.fail('refused', 'The desktop’s service takes no presses from others.');
            return { success: true };
        case 'getSettings': return settings;
        case 'updateSettings':
            if (scenario.has('settings-fail')) fake.fail('full', 'The disk is full.');
            settings = { ...settings, ...params };
            return { success: true, settings };
        case 'sources': return sources;
        case 'setSource':
            if (scenario.has('settings-fail')) fake.fail('full', 'The disk is full.');
            sources = { ...sources, sources: sources.sources.map((each) => (each.app === params.app ? { ...each, allowed: params.allowed } : each)) };
            return sources;
        case 'send': return scenario.has('send-fails') ? { success: false, silenced: false, error: 'Notifications are switched off at this computer.' } : { success: true, silenced: scenario.has('quiet-all'), id: 'sent' };
        case 'broadcast': return { deliveredCount: 3, failedCount: 0 };
        case 'sendToMobile': return scenario.has('send-fails') ? { deliveredCount: 0, failedCount: 1, error: 'That phone was never here.' } : { deliveredCount: 1, failedCount: 0 };
        default: return fake.fail('unknown-method', `The fake has no ${method}.`);
        }
    });

    /** What a test lets happen. */
    fake.notices = {
        all: (device = isPhone ? computers[0].id : '') => at(device),
        add: (members, device = isPhone ? computers[0].id : '') => {
            sequence += 1;
            const item = notice(`n${sequence}`, 0, 'New', 'Something new', { sequence, alert: sequence, createdAt: Date.now(), ...members });
            at(device).unshift(item);
            news(device, [{ new: item, banner: local.enabled && !item.read && !item.silenced }]);
            return item;
        },
        change: (id, members, device = isPhone ? computers[0].id : '') => {
            sequence += 1;
            const item = Object.assign(at(device).find((each) => each.id === id), { sequence, ...members });
            news(device, [{ changed: item }]);
        },
        remove: (id, device = isPhone ? computers[0].id : '') => {
            const all = at(device);
            all.splice(all.findIndex((each) => each.id === id), 1);
            news(device, [{ removed: id }]);
        },
        tell,
    };
}

const MARKUP = '"\'><img data-xss src=/xss onerror=__xss()><script data-xss>__xss()</script>\u202egpj.exe\u200b';

function unreadOf(all) { return all.filter(({ read }) => !read).length; }

/**
 * @param {string} id
 * @param {number} ago In milliseconds.
 * @param {string} title
 * @param {string} body
 * @param {Object<string, any>} more
 * @returns {Notice}
 */
function notice(id, ago, title, body, more = {}) {
    return { id, title, body, priority: 'normal', read: false, source: 'pc', createdAt: NOW - ago, ...more };
}

function listOf(scenario) {
    if (scenario.has('many-notices')) {
        return Array.from({ length: 10_000 }, (_, at) => notice(`m${at}`, minutes(at * 7), `Notification number ${at}`, `What it says, in a line or two: ${at}`, { read: at > 40, app: `Program ${at % 12}`, sequence: 10_000 - at }));
    }
    if (scenario.has('hostile')) {
        return [
            notice('h1', minutes(1), MARKUP, `${MARKUP}\n${'\u202E'.repeat(40)}${'W'.repeat(16_000)}`, { app: MARKUP, icon: MARKUP, priority: 'shouting', data: { [MARKUP]: MARKUP, constructor: 'x' }, actions: [{ id: MARKUP, label: MARKUP }], canReply: true, sequence: 3 }),
            notice('h2', minutes(2), 'x'.repeat(512), '', { createdAt: 'never', app: 42 + '', progress: 40, sequence: 2 }),
            notice('h3', minutes(3), '\u200b', '\n\n\n\u2028\u2029', { source: '<b>', actions: 'none', data: ['x'], sequence: 1 }),
        ];
    }
    if (!scenario.has('told')) return [];
    return [
        notice('urgent', minutes(1), 'The disk is almost full', 'Only 1.2 GB of 512 GB are left on /home. Programs may stop when nothing is left.', { priority: 'urgent', app: 'Disks', sequence: 12, actions: [{ id: 'default', label: 'default' }, { id: 'look', label: 'Look at it' }] }),
        notice('chat', minutes(4), 'Mei Lin', 'Lunch at half past twelve? The place at the corner is open again.\nI have booked a table for four; tell me if you cannot come.', { app: 'Element', canReply: true, hasImage: true, sequence: 11, actions: [{ id: 'default', label: 'Open' }, { id: 'later', label: 'Remind me later' }] }),
        notice('tests', minutes(23), '测试已完成：make test', '用时 12 分 48 秒，退出码 0。3,212 项通过，0 项失败。', { priority: 'high', app: 'notify-when', data: { command: 'make test', 'exit code': '0', duration: '768.2 s' }, sequence: 10 }),
        notice('agent', hours(1), 'Codex waits for an answer', 'Spread the relay’s reconnects: may it run “swift test --filter Relay”?', { app: 'Codex', sequence: 9 }),
        notice('copy', hours(2), 'Copying photos', '1,204 of 3,010 files', { app: 'Files', progress: 40, read: true, readAt: NOW - minutes(50), priority: 'low', sequence: 8 }),
        notice('night', hours(7), 'Build failed', 'release-linux-arm64: 2 tests failed', { app: 'Build server', silenced: true, read: true, sequence: 7 }),
        notice('phone', hours(9), 'From the tablet', 'The recipe you asked for: https://example.net/soup', { source: 'mobile', read: true, sequence: 6 }),
        ...Array.from({ length: 4 }, (_, at) => notice(`old${at}`, days(at + 1), `Updates of week ${47 - at} installed`, `${at + 3} packages were updated. No restart is needed.`, { app: 'Software', read: true, sequence: 5 - at })),
    ];
}

/** Twelve messages of one conversation, and one of another. */
function chatOf() {
    const says = ['Are you there?', 'I have the tickets.', 'We meet at seven, at the bridge.', 'Bring the blue book, please.'];
    return [
        ...Array.from({ length: 12 }, (_, at) => notice(`talk${at}`, minutes(2 + at * 3), 'Jonas Weber', says[at % 4], { app: 'Signal', sequence: 40 - at, read: at > 4 })),
        notice('other', minutes(9), 'Familie', 'Oma: Sonntag um drei?', { app: 'Signal', sequence: 20, icon: 'signal-desktop' }),
        notice('mail', minutes(50), 'Library', 'Your book is due on Friday.', { app: 'Post', icon: 'mail-unread', sequence: 19, read: true }),
    ];
}

function settingsOf(scenario) {
    const quiet = { 'quiet-night': ['22:00', '07:30'], 'quiet-day': ['09:00', '17:15'], 'quiet-all': ['08:00', '08:00'] };
    const [start, end] = Object.entries(quiet).find(([name]) => scenario.has(name))?.[1] ?? [null, null];
    return {
        enabled: true, quietHoursEnabled: start !== null, ...(start && { quietHoursStart: start, quietHoursEnd: end }), soundEnabled: true, vibrationEnabled: false, showPreview: true,
        urgentPasses: false, mirrorDesktop: true, historyLimit: 500, historyDays: 7, quietHours: { enabled: start !== null },
    };
}

function sourcesOf(scenario) {
    if (scenario.has('no-sources')) return { available: false, canAct: false, reason: 'There is no session bus: nobody is signed in at the desktop.', sources: [] };
    const names = scenario.has('many-sources') ? Array.from({ length: 300 }, (_, at) => `Program ${at}`) : ['Element', 'Software', scenario.has('hostile') ? MARKUP : 'Disks', 'Build server'];
    return { available: true, canAct: !scenario.has('hostile'), sources: names.map((app, at) => ({ app, allowed: at !== 1, count: 40 - at, ...(at !== 3 && { lastAt: NOW - minutes(at * 90 + 4) }) })) };
}

/** What the browser would say of its permission. */
function playPermission(scenario) {
    /** @type {NotificationPermission[]} */
    const refusing = ['default', 'denied'];
    const word = refusing.find((each) => scenario.has(`permission-${each}`));
    if (scenario.has('real-permission') || !('Notification' in window)) return;
    /** @type {NotificationPermission} */
    let state = word ?? 'granted';
    Object.defineProperty(Notification, 'permission', { configurable: true, get: () => state });
    Notification.requestPermission = async () => {
        if (state === 'default') state = scenario.has('says-no') ? 'denied' : 'granted';
        return state;
    };
}

async function drawing() {
    const canvas = new OffscreenCanvas(320, 180);
    const context = canvas.getContext('2d');
    const sky = context.createLinearGradient(0, 0, 320, 180);
    sky.addColorStop(0, '#0b6a77');
    sky.addColorStop(1, '#f0b25c');
    context.fillStyle = sky;
    context.fillRect(0, 0, 320, 180);
    const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
