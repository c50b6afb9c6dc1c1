/**
 * The log of a computer.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const audit = {
    routes: {
        desktop: [
            {
                path: '/audit', section: '/audit', nav: { icon: 'list', label: 'nav.audit', order: 70 },
                load: async () => (await import('./screen.js')).auditScreen,
            },
        ],
    },
    later: { texts: ['audit', 'rights', 'phones'], styles: ['/styles/screens/audit.css'], symbols: ['/icons/more.svg'] },
    words: {
        en: { 'nav.audit': 'Log' },
        zh: { 'nav.audit': '日志' },
    },
};
