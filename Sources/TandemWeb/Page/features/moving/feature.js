/**
 * Moving to a new phone, from either phone or by a file; and a phone whose data moved: why it rests, and taking it back.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const moving = {
    // What its screen needs comes with that alone: a phone that never moves loads none of it.
    routes: { phone: [{ path: '/moving', section: '/settings', load: async () => (await import('./screen.js')).movingScreen, later: { texts: ['/features/moving/texts', 'moving', 'pairing'], styles: ['/styles/screens/pairing.css', '/features/moving/style.css'], symbols: ['/icons/more.svg'] } }] },
    parts: { home: async () => (await import('./notice.js')).restingNotice, settings: async () => (await import('./row.js')).movingRow },
    background: {
        // Its sentences are for refusals on every screen.
        phone: async ({ client, life }) => (await import('./standing.js')).standingOf(client).follow(life),
    },
};
