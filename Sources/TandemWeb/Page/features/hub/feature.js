/**
 * A hub's load, who is connected to it, and its limits.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const hub = {
    routes: {
        hub: [
            {
                path: '/load', section: '/load', nav: { icon: 'activity', label: 'nav.load', order: 10 },
                load: async () => (await import('./load.js')).hubLoadScreen, later: { symbols: ['/icons/machine.svg'] },
            },
            {
                path: '/peers', section: '/peers', nav: { icon: 'link', label: 'nav.peers', order: 20 },
                load: async () => (await import('./peers.js')).hubPeersScreen, later: { symbols: ['/icons/more.svg'] },
            },
            {
                path: '/limits', section: '/limits', nav: { icon: 'filter', label: 'nav.limits', order: 30 },
                load: async () => (await import('./limits.js')).hubLimitsScreen,
            },
        ],
    },
    texts: { hub: ['hub', 'doctor', 'settings'] },
    later: { styles: ['/styles/chart.css', '/styles/screens/hub.css'] },
    words: {
        en: { 'nav.load': 'Load', 'nav.peers': 'Devices', 'nav.limits': 'Limits' },
        zh: { 'nav.load': '负载', 'nav.peers': '设备', 'nav.limits': '限额' },
    },
};
