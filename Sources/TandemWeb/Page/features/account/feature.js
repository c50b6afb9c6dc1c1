/**
 * A phone's account at a hub: making one, signing in, its devices, and the ways out of it.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const account = {
    routes: { phone: [{ path: '/account', section: '/settings', load: async () => (await import('./screen.js')).accountScreen }] },
    parts: { settings: async () => (await import('./row.js')).accountRow },
    later: {
        texts: ['/features/account/texts', 'pairing'], styles: ['/styles/screens/pairing.css', '/styles/screens/settings.css', '/styles/choices.css', '/features/account/style.css'],
        symbols: ['/icons/more.svg'],
    },
};
