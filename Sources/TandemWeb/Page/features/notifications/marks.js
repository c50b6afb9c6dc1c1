import { confirm, errorBanner, toast } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { upToOf } from './history-state.js';

/** As many as one answer may hold, and one call may mark. */
const MOST = 500;

/**
 * What a person does with notifications: it shows at once, and where it fails it goes back and a strip says so.
 *
 * @param {{notifications: Object, history: import('./history.js').History, life: import('../../life.js').Life, strips: Object,
 *   countQueued: () => Promise<void>, failed: (error: Object) => void, isFiltered: () => boolean}} list
 */
export function marksOf({ notifications, history, life, strips, countQueued, failed, isFiltered }) {
    async function mark(what, work) {
        strips.put('mark', null);
        try {
            const answer = await history.mark(what, work);
            if (answer?.queued) await countQueued();
        } catch (error) {
            if (life.hasEnded) return;
            // No refresh takes it away: that the list is up to date does not make it done.
            strips.put('mark', errorBanner(error, { text: t('notifications.notDone'), dismissable: true, retry: () => mark(what, work) }));
            throw error;
        }
    }

    const quietly = (work) => work.catch(() => {});

    function markRead({ id }) { return quietly(mark({ ids: [id], kind: 'read' }, () => notifications.read([id]))); }

    function remove({ id }) { return quietly(mark({ ids: [id], kind: 'removed' }, () => notifications.remove([id]))); }

    /** Those of a stack that were not read, as many as one call takes. */
    function readSome(items) {
        const ids = items.filter(({ read }) => !read).map(({ id }) => id).slice(0, MOST);
        return ids.length > 0 && quietly(mark({ ids, kind: 'read' }, () => notifications.read(ids)));
    }

    /** A stack is asked about: it holds more than is in sight. */
    function removeSome(items) {
        const ids = items.map(({ id }) => id).slice(0, MOST);
        return confirm({
            title: t('notifications.clearTitle', { count: ids.length }), text: t('notifications.clearText'), action: t('notifications.remove'),
            work: () => mark({ ids, kind: 'removed' }, () => notifications.remove(ids)),
        });
    }

    /** All there is, whatever the filter shows: how many, and the last change among them. */
    async function whole() {
        const page = await notifications.list({ limit: MOST }, { signal: life.signal });
        return { total: page.total ?? 0, upTo: upToOf(page) };
    }

    async function readAll() {
        // What is read is what the person saw: of several computers, all of it.
        if (notifications.isAll) {
            history.settle();
            await quietly(mark({ kind: 'read' }, () => notifications.readAll()));
            return;
        }
        let upTo;
        try {
            upTo = isFiltered() ? (await whole()).upTo : history.seen;
        } catch (error) {
            failed(error);
            return;
        }
        await quietly(mark({ kind: 'read' }, () => notifications.readAll(upTo)));
    }

    async function clear() {
        let all;
        try {
            all = await whole();
        } catch (error) {
            failed(error);
            return;
        }
        const { total: count, upTo } = all;
        const isDone = await confirm({
            title: t('notifications.clearTitle', { count }), text: t(notifications.device ? 'notifications.clearText' : 'notifications.clearHere'), action: t('notifications.clear'),
            work: () => mark({ kind: 'removed' }, () => notifications.clear(upTo)),
        });
        if (isDone) toast(t('notifications.cleared'));
    }

    return { markRead, remove, readSome, removeSome, readAll, clear };
}
