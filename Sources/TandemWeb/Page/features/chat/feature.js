/**
 * Conversations with other people: their list, what is said in them, requests, and how a person is added.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const chat = {
    routes: {
        phone: [
            { path: '/chats', section: '/chats', nav: { icon: 'chat', label: 'nav.chats', order: 50 }, load: workspace },
            { path: '/chats/requests', section: '/chats', load: async () => (await import('./requests.js')).requestsScreen },
            { path: '/chats/add', section: '/chats', load: async () => (await import('./add.js')).addScreen },
            { path: '/chats/:id', section: '/chats', load: workspace },
            { path: '/chats/:id/settings', section: '/chats', load: async () => (await import('./settings.js')).settingsScreen },
            { path: '/chats/:id/safety', section: '/chats', load: async () => (await import('./safety.js')).safetyScreen },
            { path: '/chats/:id/search', section: '/chats', load: async () => (await import('./search.js')).searchScreen },
        ],
    },
    later: {
        texts: ['/features/chat/texts', 'pictures'], styles: ['/features/chat/style.css', '/styles/screens/show.css'], symbols: ['/features/chat/icons.svg', '/icons/more.svg'],
    },
    background: { phone: async ({ client, chrome, life }) => { (await import('./standing.js')).standingOf(client).badge(chrome, life); } },
    words: { en: { 'nav.chats': 'Chats' }, zh: { 'nav.chats': '聊天' } },
};

async function workspace() { return (await import('./screen.js')).chatsScreen; }
