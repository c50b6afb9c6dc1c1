/**
 * A computer's clipboard.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const clipboard = {
    tabs: [{
        id: 'clipboard', icon: 'clipboard', label: 'tab.clipboard', right: 'clipboard', order: 50,
        load: async () => (await import('./tab.js')).clipboardTab,
    }],
    later: { texts: ['clipboard'], styles: ['/styles/screens/clipboard.css'], symbols: ['/icons/more.svg'] },
    words: {
        en: { 'tab.clipboard': 'Clipboard' },
        zh: { 'tab.clipboard': '剪贴板' },
    },
};
