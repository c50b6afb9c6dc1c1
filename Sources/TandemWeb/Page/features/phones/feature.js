/**
 * The phones of a computer, and the overview where its page begins.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const phones = {
    routes: {
        desktop: [
            {
                path: '/overview', section: '/overview', nav: { icon: 'home', label: 'nav.overview', order: 10 },
                load: async () => (await import('./overview.js')).overviewScreen,
            },
            {
                path: '/phones', section: '/phones', nav: { icon: 'phone', label: 'nav.phones', order: 40 },
                load: async () => (await import('./list.js')).phonesScreen,
            },
            {
                path: '/phones/:id', section: '/phones', load: async () => (await import('./phone.js')).phoneScreen,
                later: { texts: ['giving'], styles: ['/styles/screens/settings.css'] },
            },
        ],
    },
    texts: { desktop: ['overview', 'phones', 'rights', 'activity', 'doctor'] },
    later: { styles: ['/styles/screens/desktop.css', '/styles/choices.css'] },
    background: {
        desktop: async ({ client, chrome, life }) => { (await import('./requests.js')).countRequests(client, chrome, life); },
    },
    words: {
        en: { 'nav.overview': 'Overview', 'nav.phones': 'Phones' },
        zh: { 'nav.overview': '概览', 'nav.phones': '手机' },
    },
};
