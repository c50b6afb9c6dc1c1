// Pushes, for the worker of any page: what computers and the hub send while no page is open, and what is pressed of it.
/** How this device shows notifications, which a page tells: a worker has no other place for it that outlasts it. */
const SHOWING = 'tandem-showing';
/** What was pressed of them, until a page does it: `features/notifications/presses.js`. */
const PRESSED = 'tandem-pressed';
/** The button of this phone's own, beside those of a notification's program. */
const READ = 'read';
const LABEL = 40;
const LONGEST_ID = 256;
/** Letters of a push. */
const MOST = 16384;
/** Ends each text, as in `features/notifications/banners.js`, which says why. */
const MARK = '\u2063\u2064\u2063';
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g;
/** Beside the page, wherever that is. */
const ICON = new URL('icons/tandem-192.png', self.registration.scope).href;

// A computer woke this browser while no page was open. The browser shows something for every push, so one that says nothing is shown, too.
self.addEventListener('push', (event) => event.waitUntil(showPush(event.data?.text() ?? '')));
self.addEventListener('notificationclick', (event) => {
    const { notification, action } = event;
    notification.close();
    event.waitUntil(action ? keepPress(notification, action) : openPage(notification.data?.go));
});
self.addEventListener('message', (event) => { if (event.data?.showing) event.waitUntil(keepShowing(event.data.showing)); });

/** As `features/notifications/banners.js` shows one: under the same tag, so that both show it once. */
async function showPush(text) {
    /** @type {any} */
    let sent = {};
    try {
        if (text.length <= MOST) sent = Object(JSON.parse(text));
    } catch {
        // Not one of ours: the name of the app says where it is from.
    }
    if (sent.type === 'chat.message') { await showMessage(sent); return; }
    const { device, id, silent, timestamp } = sent;
    // As a page tells one call from another, also where the computer numbers none.
    const alert = [sent.alert, timestamp].find(Number.isFinite);
    const showing = await keptShowing();
    const { title, body } = showing.preview === false ? hidden(sent, showing) : sent;
    const name = word(device, 128);
    const tag = word(id, 256) ? `${name} ${word(id, 256)}` : 'tandem';
    const query = word(id, 256) ? `?${new URLSearchParams({ show: id })}` : '';
    // Chromium forgets one that is shown while a page asks for those that are there.
    await navigator.locks.request('tandem-banners', async () => {
        // One that is there already is replaced without a sound: where the program called again, so must this.
        const [former] = query ? await self.registration.getNotifications({ tag }) : [];
        const isNew = Boolean(former) && alert !== undefined && (former.data?.alert ?? alert) !== alert;
        await self.registration.showNotification(word(title, 120) || 'Tandem', {
            body: word(body, 300) + MARK, tag, renotify: isNew, silent: silent === true || showing.sound === false, icon: ICON,
            ...(Number.isFinite(timestamp) && { timestamp }), ...(query && name && { actions: buttons(showing.preview === false ? [] : sent.actions, showing) }),
            data: { device: name, id, alert, go: name ? `#/computers/${encodeURIComponent(name)}/notifications${query}` : '#/computers' },
        });
    });
    await markApp();
}

/** The buttons of its program, and of this phone, as many as the browser shows. A press on the notification itself opens it. */
function buttons(actions, { readWord }) {
    const own = word(readWord, LABEL);
    const found = (Array.isArray(actions) ? actions : []).slice(0, 16).filter((each) => typeof each?.id === 'string' && each.id !== 'default' && each.id.length <= LONGEST_ID)
        .map(({ id, label }) => ({ action: `act ${id}`, title: word(label, LABEL) })).filter(({ title }) => title !== '');
    return [...found, ...(own ? [{ action: READ, title: own }] : [])].slice(0, /** @type {any} */ (self.Notification).maxActions);
}

/**
 * Keeps what was pressed until a page does it, which is told so by no address, since anybody can make one. One notification is answered once: the last press
 * counts. What is only marked as read waits until a page is opened for something else.
 */
async function keepPress({ tag, title, data }, action) {
    const { device, id, alert, go } = data;
    const cache = await caches.open(PRESSED);
    await cache.put(`/${encodeURIComponent(`${tag} ${alert}`)}`, self.Response.json({ device, id, alert, action, title, at: Date.now() }));
    const pages = await self.clients.matchAll({ type: 'window' });
    for (const page of pages) page.postMessage({ pressed: true });
    if (action === READ) return;
    if (pages.length === 0) await openPage(go);
    else if (!pages.some(({ visibilityState }) => visibilityState === 'visible')) await pages[0].focus().catch(() => {});
}

/** A mark on the app's icon. How many are unread, a page counts; without one it is known only that something is. */
async function markApp() {
    if ((await self.clients.matchAll({ type: 'window' })).length === 0) await self.navigator.setAppBadge?.().catch(() => {});
}

/** A message of a conversation, which the hub told: one banner for each conversation. Of a sealed one the hub knows no words. */
async function showMessage({ title, body, conversationID, seq, request, timestamp }) {
    const showing = await keptShowing();
    const name = word(conversationID, 256);
    const isHidden = showing.preview === false;
    const words = isHidden ? '' : word(body, 300);
    const tag = `chat ${name}`;
    await navigator.locks.request('tandem-banners', async () => {
        const [former] = await self.registration.getNotifications({ tag });
        await self.registration.showNotification((isHidden ? '' : word(title, 120)) || 'Tandem', {
            body: (words || word(showing.words, 300)) + MARK, tag, renotify: Boolean(former) && former.data?.alert !== seq, silent: showing.sound === false, icon: ICON,
            ...(Number.isFinite(timestamp) && { timestamp }),
            data: { alert: seq, go: name && request !== true ? `#/chats/${encodeURIComponent(name)}` : '#/chats' },
        });
    });
    await markApp();
}

/** Says which program it is, and not what it says. Where the computer left that out already, it names no `app`, and its title is the program. */
function hidden({ app, title, body }, { words }) { return { title: app || (body ? '' : title), body: words }; }

/** @param {{sound?: boolean, preview?: boolean, words?: string, readWord?: string}} showing `words` stand for those that are hidden, `readWord` on a button, both in the page's language. */
async function keepShowing({ sound, preview, words, readWord }) {
    const cache = await caches.open(SHOWING);
    await cache.put('/', self.Response.json({ sound: sound !== false, preview: preview !== false, words: word(words, 300), readWord: word(readWord, LABEL) }));
}

/** Where it cannot be read, nothing is shown that the person may want hidden. */
async function keptShowing() {
    try {
        const kept = await (await caches.open(SHOWING)).match('/');
        return kept ? await kept.json() : {};
    } catch {
        return { preview: false };
    }
}

/** A text of a push, in one line, without what hides or turns around other letters. */
function word(text, limit) {
    return typeof text === 'string' ? text.replace(HIDDEN, ' ').slice(0, limit).trim() : '';
}

/** Brings a page to an address: one that is open, else a new one. */
async function openPage(go) {
    const address = typeof go === 'string' && go.startsWith('#/') ? go : '#/';
    const [page] = await self.clients.matchAll({ type: 'window' });
    if (!page) { await self.clients.openWindow(self.registration.scope + address); return; }
    page.postMessage({ go: address });
    await page.focus().catch(() => {});
}
