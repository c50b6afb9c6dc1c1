import { followNotifications, localSettings } from '../../client/notifications.js';
import { onLanguage, t } from '../../i18n/index.js';
import { go } from '../../router.js';
import { Banners } from './banners.js';
import { Presses } from './presses.js';
import { unreadOf } from '../../client/unread.js';

const LOCK = 'tandem-notifications';
const CHANNEL = 'tandem-notifications';

/**
 * Keeps the number of unread notifications on the page's title, on the app and on the navigation; on a phone's page it shows what is new.
 * Of several pages one shows it: the one that holds the lock.
 *
 * @param {import('../../client/client.js').Client} client
 * @param {{unread(count: number): void, badge(path: string, count: number): void}} chrome
 * @param {import('../../life.js').Life} life
 */
export function notify(client, chrome, life) {
    const unread = unreadOf(client);
    unread.use(life, () => {
        chrome.unread(unread.total);
        chrome.badge('/notifications', unread.total);
        const told = unread.total > 0 ? navigator.setAppBadge?.(unread.total) : navigator.clearAppBadge?.();
        told?.catch(() => {});
    });
    if (client.role !== 'phone') return;
    let presses = null;
    const channel = new BroadcastChannel(CHANNEL);
    const banners = new Banners(client, channel);
    life.add(() => { banners.end(); channel.close(); });
    life.listen(channel, 'message', ({ data }) => banners.toastOnce(data));
    if (navigator.serviceWorker) {
        life.listen(navigator.serviceWorker, 'message', ({ data }) => {
            if (data?.pressed) presses?.look();
            // Only addresses of the page itself.
            if (typeof data?.go === 'string' && data.go.startsWith('#/')) go(data.go);
        });
    }
    lead(life, () => {
        // What was pressed while no page was there, too.
        presses = new Presses(client, life);
        presses.look();
        const learn = async () => {
            banners.local = await localSettings(client).catch(() => banners.local);
            tellWorker(banners.local);
        };
        learn();
        life.add(onLanguage(() => tellWorker(banners.local)));
        life.add(client.events('notifications', (data) => { if (data?.local) learn(); }));
        // What was read elsewhere while no page followed: it stays until the next time where it cannot be asked for.
        const tidy = () => { banners.tidy().catch(() => {}); };
        followNotifications(client, { signal: life.signal, onItem: (item) => { if (item?.missed) banners.missed(); else banners.receive(item); } });
        // After a loss the following has begun again by then.
        life.add(client.onState((state) => { if (state === 'live') tidy(); }));
        tidy();
    });
}

/** While no page is open, the worker shows what a push brings as the person wants it here. */
async function tellWorker(local) {
    const registration = local && await navigator.serviceWorker?.ready;
    registration?.active.postMessage({ showing: { sound: local.sound !== false, preview: local.preview !== false, words: t('common.newHidden'), readWord: t('common.markRead') } });
}

/** Calls `begin` once no other page leads; without locks each does, and the tags of banners keep them single. */
function lead(life, begin) {
    if (!navigator.locks) { begin(); return; }
    const held = new Promise((resolve) => life.add(resolve));
    navigator.locks.request(LOCK, { signal: life.signal }, () => {
        if (life.hasEnded) return null;
        begin();
        return held;
    }).catch(() => {});
}
