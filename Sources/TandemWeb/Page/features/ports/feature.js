/**
 * Ports of a computer: opened in this browser from a phone's page, listed for phones on a computer's own.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const ports = {
    routes: {
        desktop: [{
            path: '/ports', section: '/ports', nav: { icon: 'network', label: 'nav.ports', order: 68 },
            load: async () => (await import('./screen.js')).portsScreen,
        }],
    },
    tabs: [{
        id: 'ports', icon: 'network', label: 'nav.ports', right: 'ports.open', order: 75,
        load: async () => (await import('./tab.js')).portsTab,
    }],
    later: { texts: ['/features/ports/texts'], styles: ['/features/ports/style.css'], symbols: ['/icons/more.svg'] },
    words: {
        en: { 'nav.ports': 'Ports' },
        zh: { 'nav.ports': '端口' },
    },
};
