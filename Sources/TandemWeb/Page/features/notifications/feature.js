/**
 * Notifications: their lists, the banners of what is new, and how many were not read.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const notifications = {
    routes: {
        phone: [
            {
                path: '/notifications', section: '/notifications', nav: { icon: 'bell', label: 'nav.notifications', order: 20 },
                load: async () => (await import('./all.js')).allNotificationsScreen,
            },
        ],
        desktop: [
            {
                path: '/notifications', section: '/notifications', nav: { icon: 'bell', label: 'nav.notifications', order: 30 },
                load: async () => (await import('./screen.js')).notificationsScreen,
            },
        ],
    },
    tabs: [{
        id: 'notifications', icon: 'bell', label: 'tab.notifications', right: 'notification', order: 20,
        load: async () => (await import('./tab.js')).notificationsTab,
    }],
    later: { texts: ['notifications'], styles: ['/styles/screens/notifications.css'], symbols: ['/icons/more.svg'] },
    background: { phone: follow, desktop: follow },
    async signOut() {
        navigator.clearAppBadge?.().catch(() => {});
        await globalThis.caches?.delete('tandem-pressed');
        const registration = await navigator.serviceWorker?.getRegistration();
        const close = async () => { for (const shown of await registration?.getNotifications() ?? []) shown.close(); };
        // As `banners.js` does it: one after the other.
        await (navigator.locks ? navigator.locks.request('tandem-banners', close) : close());
        // Its push service then refuses what computers send, and they forget it.
        await (await registration?.pushManager?.getSubscription())?.unsubscribe();
    },
    words: {
        en: { 'nav.notifications': 'Notifications', 'tab.notifications': 'Notifications' },
        zh: { 'nav.notifications': '通知', 'tab.notifications': '通知' },
    },
};

async function follow({ client, chrome, life }) { (await import('./notify.js')).notify(client, chrome, life); }
