import { scriptAddress, fileAddress } from './kit/address.js';
import { Features } from './kit/feature.js';
import { isolated } from './kit/isolated.js';
import { giveTexts, loadArea, loadLanguage, t } from './i18n/index.js';
import { SealedClient, TABLES } from './client/sealed.js';
import { CHAT_DATABASE } from './client/sealed/chat-door.js';
import * as all from './features/phone.js';
import { put, showPage } from './frame.js';
import { deviceOf } from './phone-device.js';
import { otherTabPage, troublePage } from './phone-outside.js';
import { becomeThePhone } from './tab-lock.js';
import { applyTheme } from './theme.js';
import { WireError } from './wire/error.js';
import { openPhone } from './wire/phone.js';
import { openStore } from './wire/store-indexeddb.js';

const DATABASE = 'tandem-phone';
const TAKE = 'tandem.phone.take';
const LONGEST_VERSION = 64;
/** How long a hidden page's connection counts as good when the page is looked at again. */
const GOOD_FOR = 30_000;
const LOOK_EVERY = 3_600_000;
/** A computer's code as a link: what follows the `#`, which is no address of the page. */
const CODE = /^#[\w-]{80,4096}$/;

/** An invitation to this hub as a link. */
const INVITATION = /^#join=\d{12}$/;

/** Reads what the page was opened with, and takes it out of the address at once: the history of the browser keeps no code. */
function take(what, place) {
    if (!what.test(location.hash)) return null;
    const { href } = location;
    history.replaceState(null, '', `${location.pathname}#${place}`);
    return href;
}
const takeCode = () => take(CODE, '/pair/scan');
const takeInvitation = () => take(INVITATION, '/account');

const features = new Features(Object.values(all));
let offered = takeCode();
let invitation = takeInvitation();

async function start() {
    applyTheme();
    giveTexts(features);
    // Who opens a computer's code or an invitation means this tab.
    await tryToBegin(offered !== null || invitation !== null || sessionStorage.getItem(TAKE) !== null);
}

/** The texts of what is shown where there is no phone; they come beside the phone's own beginning. */
const words = Promise.all([loadLanguage(), loadArea('/features/this-phone/texts')]);

async function tryToBegin(mayTake) {
    sessionStorage.removeItem(TAKE);
    try {
        await begin(mayTake);
    } catch (error) {
        console.error(error);
        await words;
        put(troublePage(error));
    }
}

/** @param {boolean} mayTake Whether this tab becomes the phone although another is. */
async function begin(mayTake) {
    // Before anything is asked of it: without cryptography there is nothing to show.
    if (!globalThis.isSecureContext || !crypto.subtle) throw new WireError('unknown-method', 'The browser has no cryptography here.', { reason: 'insecure' });
    if (!navigator.locks) throw new WireError('unknown-method', 'The browser has no locks.', { reason: 'browserTooOld' });
    let end = null;
    let isLost = false;
    const lose = () => {
        isLost = true;
        end?.();
        if (end) put(otherTabPage(takeBack));
    };
    const isOurs = await becomeThePhone({ mayTake, onLost: lose });
    if (!isOurs) {
        await words;
        put(otherTabPage(() => tryToBegin(true)));
        return;
    }
    const store = await openStore(indexedDB, { name: DATABASE, tables: TABLES });
    const device = deviceOf(navigator);
    const [name, version] = await Promise.all([store.get('settings', 'name'), store.get('settings', 'version')]);
    const phone = await openPhone({
        store, home: location.origin.replace(/^http/, 'ws'), device: { ...device, name: name ?? device.name, version: version ?? '' },
        dial: (url) => Object.assign(new WebSocket(url), { binaryType: 'arraybuffer' }),
        // The page's policy allows its own server alone.
        mayDial: (url) => new URL(url).host === location.host,
    });
    // Beside the page's own beginning, which takes longer.
    phone.start();
    const client = new SealedClient({ phone, store, version: version ?? '', offered, invitation, onPaired: () => { navigator.storage?.persist?.().catch(() => {}); } });
    [offered, invitation] = [null, null];
    const stopWatching = watchPage(phone, client);
    client.erase = () => erase(client, stopWatching);
    client.renameSelf = async (text) => {
        await store.put('settings', 'name', text);
        phone.rename(text);
        client.self = { ...client.self, name: text };
    };
    const leave = await showPage(client, features);
    end = () => { leave(); stopWatching(); client.end(); };
    // Another tab took it while this one began.
    if (isLost) { lose(); return; }
    keepVersion(client, store).catch(() => {});
}

/** Takes the phone from the other tab, which took it from this one. */
function takeBack() {
    sessionStorage.setItem(TAKE, '1');
    location.reload();
}

/** Notes the page's version, as its list of files says it. */
async function noteVersion(client, store) {
    const answer = await fetch(fileAddress('/bundle.json?here'));
    const { version } = await answer.json();
    if (typeof version !== 'string') return;
    await store.put('settings', 'version', version.slice(0, LONGEST_VERSION));
    client.self = { ...client.self, version: version.slice(0, LONGEST_VERSION) };
}

/** A browser takes the connection from a page that nobody sees: it is back as soon as somebody looks, and a code in a new address is taken. */
function watchPage(phone, client) {
    const ends = new AbortController();
    const { signal } = ends;
    let hiddenSince = 0;
    const back = () => {
        // What was said to a connection that died meanwhile would wait for its end.
        if (Date.now() - hiddenSince > GOOD_FOR) phone.pause();
        phone.resume();
    };
    document.addEventListener('visibilitychange', () => {
        if (document.hidden) hiddenSince = Date.now();
        else back();
    }, { signal });
    window.addEventListener('online', () => phone.resume(), { signal });
    window.addEventListener('pagehide', () => phone.pause(), { signal });
    window.addEventListener('pageshow', ({ persisted }) => { if (persisted) phone.resume(); }, { signal });
    document.addEventListener('freeze', () => phone.pause(), { signal });
    document.addEventListener('resume', () => phone.resume(), { signal });
    window.addEventListener('hashchange', () => {
        const code = takeCode();
        if (code) client.offer(code);
        const invited = takeInvitation();
        if (invited) client.invite(invited);
    }, { signal });
    return () => ends.abort();
}

/** Forgets this phone: its keys, its computers and what it kept of them. Computers that are reached are told. */
async function erase(client, stopWatching) {
    for (const { id } of await client.devices.list()) await client.devices.forget(id).catch(() => {});
    await features.signOut();
    stopWatching();
    client.end();
    const databases = [DATABASE, CHAT_DATABASE, 'tandem-transfers'];
    await Promise.all(databases.map((each) => new Promise((resolve) => {
        const request = indexedDB.deleteDatabase(each);
        request.onsuccess = resolve;
        request.onerror = resolve;
        // This page's own connections end with it.
        request.onblocked = resolve;
    })));
    localStorage.clear();
    // What downloads left, what another app shared, and how banners were shown; the page's own files stay.
    await navigator.storage?.getDirectory?.().then((folder) => folder.removeEntry('downloads', { recursive: true })).catch(() => {});
    await Promise.all(['tandem-showing', 'tandem-phone-shared'].map((name) => caches.delete(name)));
    location.replace(location.pathname);
}

/** @param {import('./client/sealed/confirmed.js').Confirmation} said */
function updateWords({ confirmedBy, differsAt }) {
    if (differsAt !== null) return t('thisPhone.updateDiffers', { name: isolated(differsAt) });
    return confirmedBy !== null ? t('thisPhone.updateConfirmed', { name: isolated(confirmedBy) }) : t('thisPhone.updateUnconfirmed');
}

/** Keeps the version that this browser has, and says when the server has another. */
async function keepVersion(client, store) {
    await noteVersion(client, store).catch(() => {});
    if (!('serviceWorker' in navigator)) return;
    await navigator.serviceWorker.register(scriptAddress('/phone-sw.js'));
    const { active } = await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller) active.postMessage({ claim: true });
    const ask = async (question) => {
        const worker = (await navigator.serviceWorker.ready).active;
        const { port1, port2 } = new MessageChannel();
        const ends = new AbortController();
        try {
            return await new Promise((resolve, reject) => {
                port1.onmessage = ({ data }) => (data.failed ? reject(new Error(data.failed)) : resolve(data));
                // A worker that another one replaced answers nothing more, whatever it was asked before.
                worker.addEventListener('statechange', () => { if (worker.state === 'redundant') ask(question).then(resolve, reject); }, { signal: ends.signal });
                worker.postMessage(question, [port2]);
            });
        } finally {
            ends.abort();
            port1.close();
        }
    };
    const look = async () => {
        const { isOther, version, sha256 } = await ask({ look: true });
        if (isOther) await client.updated({ version, sha256 }, () => ask({ take: sha256 }), updateWords);
    };
    setInterval(() => { if (!document.hidden) look().catch(() => {}); }, LOOK_EVERY);
    await look();
}

start();
