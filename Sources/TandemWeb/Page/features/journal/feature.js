/**
 * A phone's journal: stories by month, what is written into them, their categories, and the way in and out.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const journal = {
    routes: {
        phone: [
            { path: '/journal', nav: { icon: 'journal', label: 'nav.journal', order: 60 }, load: workspace },
            { path: '/journal/new', load: editor },
            { path: '/journal/deleted', load: async () => (await import('./deleted.js')).deletedScreen },
            { path: '/journal/categories', load: async () => (await import('./categories.js')).categoriesScreen },
            { path: '/journal/exchange', load: async () => (await import('./exchange.js')).exchangeScreen },
            { path: '/journal/:id', load: workspace },
            { path: '/journal/:id/edit', load: editor },
        ].map((row) => ({ section: '/journal', ...row })),
    },
    // With what Markdown and pictures over the whole window need.
    later: {
        texts: ['/features/journal/texts', 'kit', 'pictures'], styles: ['/features/journal/style.css', '/styles/kit.css', '/styles/screens/show.css'],
        symbols: ['/features/journal/icons.svg', '/icons/more.svg'],
    },
    words: { en: { 'nav.journal': 'Journal' }, zh: { 'nav.journal': '日记' } },
};

async function workspace() { return (await import('./screen.js')).journalScreen; }

async function editor() { return (await import('./editor.js')).editorScreen; }
