/**
 * What waits for computers that are away.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const queue = {
    routes: {
        phone: [
            { path: '/queue', section: '/computers', load: async () => (await import('./screen.js')).queueScreen },
        ],
    },
    texts: { phone: ['queue'] },
    words: {
        en: { 'nav.queue': 'Waiting' },
        zh: { 'nav.queue': '待发送' },
    },
};
