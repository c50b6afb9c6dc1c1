/**
 * A computer's screen.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const screen = {
    tabs: [{
        id: 'screen', icon: 'screen', label: 'tab.screen', right: 'display', order: 60,
        load: async () => (await import('./tab.js')).screenTab,
    }],
    later: { texts: ['screen', 'control'], styles: ['/styles/screens/screen.css', '/styles/screens/control.css'], symbols: ['/features/screen/icons.svg', '/icons/more.svg'] },
    words: {
        en: { 'tab.screen': 'Screen' },
        zh: { 'tab.screen': '屏幕' },
    },
};
