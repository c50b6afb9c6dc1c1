const screen = {
    path: '/settings', section: '/settings', nav: { icon: 'settings', label: 'nav.settings', order: 90 },
    load: async () => (await import('./screen.js')).settingsScreen,
};

/**
 * How the page looks, what this device is, and the way out.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const settings = {
    routes: { phone: [screen], hub: [screen] },
    later: { texts: ['settings'], styles: ['/styles/screens/settings.css'], symbols: ['/icons/more.svg'] },
    words: {
        en: { 'nav.settings': 'Settings' },
        zh: { 'nav.settings': '设置' },
    },
};
