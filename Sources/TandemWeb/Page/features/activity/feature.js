/**
 * What runs for phones.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const activity = {
    routes: {
        desktop: [
            {
                path: '/activity', section: '/activity', nav: { icon: 'activity', label: 'nav.activity', order: 60 },
                load: async () => (await import('./screen.js')).activityScreen,
            },
        ],
    },
    later: { texts: ['activity', 'phones'], symbols: ['/icons/more.svg'] },
    words: {
        en: { 'nav.activity': 'Running' },
        zh: { 'nav.activity': '运行中' },
    },
};
