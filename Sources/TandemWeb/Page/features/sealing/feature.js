/**
 * The devices of an account that read its sealed conversations.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const sealing = {
    routes: { phone: [{ path: '/account/devices', section: '/settings', load: async () => (await import('./screen.js')).devicesScreen }] },
    later: { texts: ['/features/sealing/texts'], styles: ['/styles/screens/pairing.css', '/features/sealing/style.css'], symbols: ['/icons/more.svg'] },
};
