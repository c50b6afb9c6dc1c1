import { link } from '../../router.js';

const MOST = 256;

/**
 * The address of the conversation that a notification tells of, by what its agent wrote beside it; null where it is of none.
 *
 * @param {{threadId?: string, source?: string} | undefined} data
 * @param {string | null} device None: this computer.
 */
export function threadLinkOf(data, device) {
    const { threadId: thread, source } = data ?? {};
    if (![thread, source].every((each) => typeof each === 'string' && each !== '' && each.length <= MOST)) return null;
    return device ? link('/computers', device, 'threads', { source, thread }) : link('/threads', { source, thread });
}
