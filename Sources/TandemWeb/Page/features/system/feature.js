/**
 * A computer's figures.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const system = {
    tabs: [{
        id: 'system', icon: 'system', label: 'tab.system', order: 70,
        load: async () => (await import('./tab.js')).systemTab,
    }],
    later: { texts: ['system'], styles: ['/styles/chart.css', '/styles/screens/system.css'], symbols: ['/icons/machine.svg', '/icons/more.svg'] },
    words: {
        en: { 'tab.system': 'System' },
        zh: { 'tab.system': '系统' },
    },
};
