const computer = { section: '/computers', load: async () => (await import('./pair-computer.js')).pairComputerScreen };

const phone = {
    section: '/pair', load: async () => (await import('./pair-phone.js')).pairPhoneScreen,
    later: { texts: ['hosting', 'asking'], styles: ['/styles/screens/desktop.css', '/styles/screens/hosting.css', '/styles/choices.css'] },
};

/**
 * Pairing, from both sides.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const pairing = {
    routes: {
        phone: [
            { path: '/pair', ...computer },
            { path: '/pair/:way', ...computer },
        ],
        desktop: [
            { path: '/pair', ...phone, nav: { icon: 'qr', label: 'nav.pair', order: 50 } },
            { path: '/pair/:way', ...phone },
        ],
    },
    later: { texts: ['pairing', 'paired', 'computers'], styles: ['/styles/screens/pairing.css'], symbols: ['/icons/more.svg'] },
    words: {
        en: { 'nav.pair': 'Pair' },
        zh: { 'nav.pair': '配对' },
    },
};
