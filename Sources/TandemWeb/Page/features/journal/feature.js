/**
 * A phone's journal: stories by month, what is written into them, their categories, and the way in and out.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const journal = {
    routes: {
        phone: [
            { path: '/journal', section: '/journal', nav: { icon: 'journal', label: 'nav.journal', order: 60 }, load: workspace, later: reading() },
            { path: '/journal/new', section: '/journal', load: editor, later: reading() },
            { path: '/journal/deleted', section: '/journal', load: async () => (await import('./deleted.js')).deletedScreen },
            { path: '/journal/categories', section: '/journal', load: async () => (await import('./categories.js')).categoriesScreen },
            { path: '/journal/exchange', section: '/journal', load: async () => (await import('./exchange.js')).exchangeScreen },
            { path: '/journal/:id', section: '/journal', load: workspace, later: reading() },
            { path: '/journal/:id/edit', section: '/journal', load: editor, later: reading() },
        ],
    },
    later: {
        texts: ['/features/journal/texts'], styles: ['/features/journal/style.css'], symbols: ['/features/journal/icons.svg', '/icons/more.svg'],
    },
    words: { en: { 'nav.journal': 'Journal' }, zh: { 'nav.journal': '日记' } },
};

async function workspace() { return (await import('./screen.js')).journalScreen; }

async function editor() { return (await import('./editor.js')).editorScreen; }

/** What Markdown and pictures over the whole window need. */
function reading() { return { texts: ['kit', 'pictures'], styles: ['/styles/kit.css', '/styles/screens/show.css'] }; }
