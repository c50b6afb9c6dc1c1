import { ClientError } from '../client.js';

/** The phone's own note that somebody is signed in here. */
const SIGNED_IN = 'account';
/** Where this browser is woken, as the hub is told. */
const PUSH = 'chatPush';
/** Where the conversations are kept: a database of their own. */
export const CHAT_DATABASE = 'tandem-chat';
const METHODS = ['account.', 'chat.'];

/**
 * The account and the conversations, which come when they are first asked for. While nobody is signed in the questions that every page asks are answered without them.
 *
 * @param {import('./method-table.js').MethodTable} table
 * @param {Object} context
 * @param {any} context.phone
 * @param {import('../../wire/store.js').Store} context.store
 * @param {import('./topics.js').Topics} context.topics
 * @returns {{routes: import('../client.js').Routes, end(): void}}
 */
export function chatDoor(table, { phone, store, topics }) {
    let isEnded = false;
    /** @type {Promise<import('../chat/chat.js').PhoneChat> | null} */
    let opening = null;
    const open = () => {
        opening ??= begun({ table, phone, store, topics }).then((chat) => {
            if (isEnded) chat.end();
            return chat;
        });
        opening.catch(() => { opening = null; });
        return opening;
    };
    const isSignedIn = async () => opening !== null || await store.get('settings', SIGNED_IN) === true;
    table.later(METHODS, open);
    table.answer('account.show', async () => (await isSignedIn() ? (await open(), table.ask('account.show')) : { account: null }));
    table.answer('chat.list', async () => (await isSignedIn() ? (await open(), table.ask('chat.list')) : { state: 'signedOut', me: null, conversations: [], unread: 0, requests: 0 }));
    table.answer('chat.push', async ({ subscription = null, previews = false }) => {
        await store.put('settings', PUSH, { subscription, previews });
        if (await isSignedIn()) await (await open()).tellPush().catch(() => {});
        return null;
    });
    table.serve('chat.follow', async (params, report) => {
        if (!await isSignedIn()) throw new ClientError('signed-out', 'Nobody is signed in on this phone. Sign in first.', { reason: 'noAccount' });
        await open();
        return table.begin('chat.follow', params, { onItem: report.item, signal: report.signal }).result;
    });
    return {
        routes: {
            address: (path, query = {}) => `api/${path}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`,
            post: async (path, query, body) => (await open()).take(path, body),
            bytes: async (path, query) => (await open()).bytes(path, query),
        },
        end: () => {
            isEnded = true;
            opening?.then((chat) => chat.end(), () => {});
        },
    };
}

async function begun({ table, phone, store, topics }) {
    const [{ PhoneChat }, { CHAT_TABLES }, { MessageSealing, SEALING_TABLES }, { photoOf }, { savedFile }, { openStore }, { ownIdentity }] = await Promise.all([
        import('../chat/chat.js'), import('../chat/book.js'), import('../chat/sealing/sealing.js'), import('../chat/pictures.js'), import('../chat/saved-file.js'), import('../../wire/store-indexeddb.js'), import('../../wire/keys.js'),
    ]);
    const [kept, identity] = await Promise.all([openStore(indexedDB, { name: CHAT_DATABASE, tables: [...CHAT_TABLES, ...SEALING_TABLES] }), ownIdentity(store)]);
    const { systemTime } = await import('../../wire/time.js');
    /** @type {import('../chat/chat.js').PhoneChat} */
    let chat = null;
    const seal = (account, told) => new MessageSealing({ store: kept, hub: chat.hub, identity, uid: account.uid, name: phone.device.name, time: systemTime, ...told });
    chat = new PhoneChat({
        table, store: kept, identity, seal, origin: location.origin, device: () => phone.device, tell: (topic) => topics.tell(topic, {}), signed: (isIn) => store.put('settings', SIGNED_IN, isIn),
        push: () => store.get('settings', PUSH), pictures: { photo: photoOf }, saving: savedFile, dial: (url) => new WebSocket(url), watch: watchPage,
    });
    await chat.start();
    answerWorker(chat);
    return chat;
}

/** The connection sleeps with the page, and is back as soon as somebody looks. */
function watchPage({ nudge, pause }) {
    const ends = new AbortController();
    const { signal } = ends;
    document.addEventListener('visibilitychange', () => { if (!document.hidden) nudge(); }, { signal });
    for (const name of ['online', 'pageshow']) window.addEventListener(name, nudge, { signal });
    window.addEventListener('pagehide', pause, { signal });
    document.addEventListener('freeze', pause, { signal });
    document.addEventListener('resume', nudge, { signal });
    return () => ends.abort();
}

/** What elements of the page show comes through its worker, which asks the page. */
function answerWorker(chat) {
    navigator.serviceWorker?.addEventListener('message', async ({ data, ports: [port] }) => {
        if (typeof data?.bytesOf !== 'string' || !port) return;
        try {
            port.postMessage({ blob: await chat.bytes(data.bytesOf, data.query) });
        } catch (error) {
            port.postMessage({ failed: String(error?.message ?? error) });
        }
    });
}
