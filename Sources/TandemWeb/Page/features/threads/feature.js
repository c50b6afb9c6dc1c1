/** What a conversation shows. */
const own = { symbols: ['/features/threads/icons.svg'] };

/**
 * Threads of coding agents: their lists and conversations, and what waits for the person.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const threads = {
    routes: {
        phone: [
            {
                path: '/threads', section: '/threads', nav: { icon: 'threads', label: 'nav.threads', order: 30 },
                load: async () => (await import('./all.js')).allThreadsScreen,
            },
        ],
        desktop: [
            {
                path: '/threads', section: '/threads', nav: { icon: 'threads', label: 'nav.threads', order: 20 },
                load: async () => (await import('./screen.js')).threadsScreen, later: own,
            },
        ],
    },
    tabs: [{
        id: 'threads', icon: 'threads', label: 'tab.threads', right: 'threads.read', order: 10,
        load: async () => (await import('./tab.js')).threadsTab, later: own,
    }],
    later: { texts: ['kit', 'threads'], styles: ['/styles/kit.css', '/styles/screens/threads.css'], symbols: ['/icons/more.svg'] },
    parts: {
        home: async () => (await import('./strip.js')).waitingStrip,
        overview: async () => (await import('./latest.js')).latestThreads,
        computer: async () => (await import('./marks.js')).waitingMarks,
    },
    background: {
        // How many wait stands on the navigation, whatever screen is shown.
        desktop: async ({ client, chrome, life }) => { (await import('./waits.js')).waitsOf(client).badge(chrome, life); },
    },
    signOut() {
        // As `kit/drafts.js` names them.
        for (const key of Object.keys(localStorage)) if (key.startsWith('tandem.draft.')) localStorage.removeItem(key);
    },
    words: {
        en: { 'nav.threads': 'Threads', 'tab.threads': 'Threads' },
        zh: { 'nav.threads': '会话', 'tab.threads': '会话' },
    },
};
