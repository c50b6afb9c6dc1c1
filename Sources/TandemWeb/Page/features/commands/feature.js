/**
 * Commands that a computer's owner saved; locking, sleeping and waking.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const commands = {
    routes: {
        desktop: [
            {
                path: '/commands', section: '/commands', nav: { icon: 'keyboard', label: 'nav.commands', order: 67 },
                load: async () => (await import('./screen.js')).commandsScreen,
            },
        ],
    },
    tabs: [{
        id: 'commands', icon: 'keyboard', label: 'nav.commands', right: 'commands', order: 67,
        load: async () => (await import('./tab.js')).commandsTab,
    }],
    later: { texts: ['/features/commands/texts'], styles: ['/features/commands/style.css'], symbols: ['/icons/more.svg'] },
    words: { en: { 'nav.commands': 'Commands' }, zh: { 'nav.commands': '命令' } },
};
