import { plainText } from '../../kit/index.js';
import { t } from '../../i18n/index.js';

/**
 * Whose answer something was, in words.
 *
 * @param {import('../../client/client.js').Client} client
 * @param {string | null} by The device as the computer names it; none: nobody told.
 */
export async function byWhom(client, by) {
    if (!by) return '';
    if (by === client.self?.id || by === client.self?.name) return t('threads.byThis');
    const devices = await client.devices.list().catch(() => []);
    const known = devices.find(({ id, did, pcPeerId }) => [id, did, pcPeerId].includes(by));
    return t('threads.by', { name: `\u2068${plainText(known?.name || by, 60)}\u2069` });
}
