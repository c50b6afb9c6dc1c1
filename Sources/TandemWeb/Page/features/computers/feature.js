const computer = {
    section: '/computers', load: async () => (await import('./computer.js')).computerScreen,
    // Also why a tab shows nothing, whichever it is.
    later: { texts: ['refused'], styles: ['/styles/screens/computer.css'] },
};

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
            { path: '/computers/:id', ...computer },
            { path: '/computers/:id/:tab', ...computer },
        ],
    },
    texts: { phone: ['computers', 'paired', 'rights'] },
    later: { styles: ['/styles/screens/computers.css'] },
    words: {
        en: { 'nav.computers': 'Computers' },
        zh: { 'nav.computers': '电脑' },
    },
};
