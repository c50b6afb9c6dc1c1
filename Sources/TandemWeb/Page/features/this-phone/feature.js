/**
 * A browser that is the phone: what is sealed and who serves the page, its name, how it is forgotten, and what other apps share.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const thisPhone = {
    routes: { phone: [{ path: '/share', section: '/computers', load: async () => (await import('./share.js')).shareScreen }] },
    parts: { welcome: async () => (await import('./honest.js')).honestWords, settings: async () => (await import('./group.js')).thisPhoneGroup },
    later: { texts: ['/features/this-phone/texts'], styles: ['/styles/screens/settings.css'], symbols: ['/icons/more.svg'] },
};
