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
    later: { texts: ['files'], styles: ['/styles/screens/files.css'], symbols: ['/icons/more.svg'] },
    background: {
        // Transfers go on where the page was left with some.
        phone: async ({ client }) => {
            if (!localStorage.getItem('tandem.transfers')) return;
            const { transfersOf } = await import('./transfers/transfers.js');
            transfersOf(client).begin();
        },
    },
    words: {
        en: { 'tab.files': 'Files' },
        zh: { 'tab.files': '文件' },
    },
};
