/** How long a computer may take to say which page it has: as long as a session takes to come about. */
const SECONDS = 10;

/**
 * What the paired computers say of a version of the page that a server has: each has the page too, and says so within its sealed session, where the
 * server that carries it can change nothing.
 *
 * @typedef {{confirmedBy: string | null, differsAt: string | null}} Confirmation Names of computers: one that has the same files, one that has other files of
 *   the same version.
 *
 * @param {any} phone Of `wire/phone.js`.
 * @param {{version: string, sha256: string}} bundle
 * @returns {Promise<Confirmation>}
 */
export async function confirmation(phone, { version, sha256 }) {
    const said = await Promise.all(phone.computers().map(async (record) => {
        const page = await phone.computer(record.id).call('system.getPage', {}, { timeout: SECONDS }).catch(() => null);
        return { name: record.label ?? record.name, hash: page?.version === version && typeof page.sha256 === 'string' ? page.sha256 : null };
    }));
    return {
        confirmedBy: said.find(({ hash }) => hash === sha256)?.name ?? null,
        differsAt: said.find(({ hash }) => hash !== null && hash !== sha256)?.name ?? null,
    };
}
