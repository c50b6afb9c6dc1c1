/**
 * What this computer is, and what on it does not work.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const thisComputer = {
    routes: {
        desktop: [
            {
                path: '/settings', section: '/settings', nav: { icon: 'computer', label: 'nav.computer', order: 90 },
                load: async () => (await import('./screen.js')).thisComputerScreen,
            },
        ],
    },
    later: { texts: ['doctor', 'settings', 'checks', 'phones'], styles: ['/styles/screens/desktop.css', '/styles/screens/settings.css'], symbols: ['/icons/more.svg'] },
    words: {
        en: { 'nav.computer': 'Computer' },
        zh: { 'nav.computer': '本机' },
    },
};
