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
    later: { texts: ['queue'], styles: ['/styles/screens/queue.css'] },
    words: {
        en: { 'nav.queue': 'Waiting' },
        zh: { 'nav.queue': '待发送' },
    },
};
