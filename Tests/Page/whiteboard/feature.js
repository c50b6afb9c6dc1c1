/**
 * A computer's whiteboard: the page half of `Tests/Whiteboard`, which lives in tests only.
 *
 * @type {import('/kit/feature.js').Feature}
 */
export const whiteboard = {
    routes: {
        phone: [{
            path: '/whiteboard', section: '/whiteboard', nav: { icon: 'edit', label: 'nav.whiteboard', order: 45 },
            load: async () => (await import('./boards.js')).boardsScreen,
        }],
        desktop: [{
            path: '/whiteboard', section: '/whiteboard', nav: { icon: 'edit', label: 'nav.whiteboard', order: 65 },
            load: async () => (await import('./owner.js')).ownerScreen,
        }],
    },
    tabs: [{
        id: 'whiteboard', icon: 'edit', label: 'tab.whiteboard', right: 'whiteboard', order: 65,
        load: async () => (await import('./tab.js')).whiteboardTab,
    }],
    later: { texts: ['/features/whiteboard/texts'], styles: ['/features/whiteboard/style.css'] },
    background: {
        // How many lines are new stands on the navigation, whatever screen is shown.
        phone: async ({ client, chrome, life }) => { (await import('./news.js')).newsOf(client).badge(chrome, life); },
    },
    signOut() {
        // As `draft.js` names them.
        for (const key of Object.keys(localStorage)) if (key.startsWith('tandem.whiteboard.')) localStorage.removeItem(key);
    },
    words: {
        en: {
            'nav.whiteboard': 'Whiteboard', 'tab.whiteboard': 'Whiteboard',
            'rights.whiteboard': 'Whiteboard', 'rights.whiteboard.can': 'Read and write on this computer’s whiteboard.',
            'refused.whiteboard': 'The owner of the computer has not allowed this phone to use the whiteboard.',
            'audit.method.whiteboard.draw': 'Wrote on the whiteboard', 'audit.method.whiteboard.strokes': 'Read the whiteboard',
        },
        zh: {
            'nav.whiteboard': '白板', 'tab.whiteboard': '白板',
            'rights.whiteboard': '白板', 'rights.whiteboard.can': '读写这台电脑的白板。',
            'refused.whiteboard': '电脑的主人尚未允许此手机使用白板。',
            'audit.method.whiteboard.draw': '在白板上书写', 'audit.method.whiteboard.strokes': '读取白板',
        },
    },
};
