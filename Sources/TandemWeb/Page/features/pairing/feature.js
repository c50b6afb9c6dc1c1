/**
 * Pairing, from both sides.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const pairing = {
    routes: {
        phone: [
            { path: '/pair', section: '/computers', load: async () => (await import('./pair-computer.js')).pairComputerScreen },
            { path: '/pair/:way', section: '/computers', load: async () => (await import('./pair-computer.js')).pairComputerScreen },
        ],
        desktop: [
            {
                path: '/pair', section: '/pair', nav: { icon: 'qr', label: 'nav.pair', order: 50 },
                load: async () => (await import('./pair-phone.js')).pairPhoneScreen,
            },
            { path: '/pair/:way', section: '/pair', load: async () => (await import('./pair-phone.js')).pairPhoneScreen },
        ],
    },
    texts: { phone: ['pairing'], desktop: ['pairing', 'hosting'] },
    words: {
        en: { 'nav.pair': 'Pair' },
        zh: { 'nav.pair': '配对' },
    },
};
