const screen = { section: '/people', load: async () => (await import('./screen.js')).peopleScreen };

/**
 * A hub's people: who has an account, who is invited, and what people report.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const people = {
    routes: {
        hub: [
            { path: '/people', ...screen, nav: { icon: 'people', label: 'nav.people', order: 15 } },
            { path: '/people/:part', ...screen },
            { path: '/people/users/:user', section: '/people', load: async () => (await import('./person.js')).personScreen },
        ],
    },
    later: {
        texts: ['/features/people/texts'], styles: ['/styles/screens/computer.css', '/styles/screens/pairing.css', '/styles/screens/hub.css', '/styles/screens/settings.css', '/features/people/style.css'], symbols: ['/icons/more.svg'],
    },
    background: {
        // How many reports are open stands on the navigation, whatever screen is shown.
        hub: async ({ client, chrome, life }) => { (await import('./open-reports.js')).openReportsOf(client).badge(chrome, life); },
    },
    words: {
        en: { 'nav.people': 'People' },
        zh: { 'nav.people': '用户' },
    },
};
