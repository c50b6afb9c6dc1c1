/**
 * A computer's files, and what is sent and fetched.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const files = {
    tabs: [{
        id: 'files', icon: 'folder', label: 'tab.files', right: 'file.read', order: 40,
        load: async () => (await import('./tab.js')).filesTab,
    }],
    // With what Markdown needs.
    later: { texts: ['files', 'kit'], styles: ['/styles/screens/files.css', '/styles/kit.css'], symbols: ['/icons/more.svg'] },
    background: {
        // Transfers go on where the page was left with some.
        phone: async ({ client }) => {
            if (!localStorage.getItem('tandem.transfers')) return;
            const { transfersOf } = await import('./transfers/transfers.js');
            transfersOf(client).begin();
        },
    },
    // What was typed and not saved, as `edit-drafts.js` names it.
    signOut() { indexedDB.deleteDatabase('tandem-edits'); },
    words: {
        en: { 'tab.files': 'Files' },
        zh: { 'tab.files': '文件' },
    },
};
