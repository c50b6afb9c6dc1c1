/**
 * The computers of a phone, and the frame around the tabs of each.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const computers = {
    routes: {
        phone: [
            {
                path: '/computers', section: '/computers', nav: { icon: 'computer', label: 'nav.computers', order: 10 },
                load: async () => (await import('./list.js')).computersScreen,
            },
            { path: '/computers/:id', section: '/computers', load: async () => (await import('./computer.js')).computerScreen },
            { path: '/computers/:id/:tab', section: '/computers', load: async () => (await import('./computer.js')).computerScreen },
        ],
    },
    texts: { phone: ['computers', 'paired', 'rights'] },
    words: {
        en: { 'nav.computers': 'Computers' },
        zh: { 'nav.computers': '电脑' },
    },
};
