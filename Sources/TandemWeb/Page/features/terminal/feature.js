/**
 * A computer's terminals.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const terminal = {
    tabs: [{
        id: 'terminal', icon: 'terminal', label: 'tab.terminal', right: 'terminal', order: 30,
        load: async () => (await import('./tab.js')).terminalTab,
    }],
    later: { texts: ['terminal'], styles: ['/styles/screens/terminal.css'], symbols: ['/icons/more.svg'] },
    words: {
        en: { 'tab.terminal': 'Terminal' },
        zh: { 'tab.terminal': '终端' },
    },
};
