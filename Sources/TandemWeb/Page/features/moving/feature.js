/**
 * A phone whose data moved to a new phone: why it rests, and taking it back.
 *
 * @type {import('../../kit/feature.js').Feature}
 */
export const moving = {
    parts: { home: async () => (await import('./notice.js')).restingNotice, settings: async () => (await import('./notice.js')).restingNotice },
    background: {
        // Its sentences are for refusals on every screen.
        phone: async ({ client, life }) => (await import('./standing.js')).standingOf(client).follow(life),
    },
};
