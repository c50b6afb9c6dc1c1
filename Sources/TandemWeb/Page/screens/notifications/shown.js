import { toast } from '../../components/index.js';
import { t } from '../../i18n/index.js';
import { showNotice } from './sheet.js';

/** One that is not in sight is looked for in so many of the newest. */
const SEARCHED = 500;

/**
 * Keeps what `?show=` of the address names open as a sheet, so that back closes it and the browser's notifications lead to it.
 *
 * @param {Object} options
 * @param {Object} options.list `noticeList(…)`.
 * @param {Object} options.notifications
 * @param {(query?: Object) => string} options.address
 * @param {Function} options.go
 * @param {Object} options.sheet What `showNotice` needs beside.
 * @returns {{update: (query: URLSearchParams) => void, open: (item: Object) => void, close: () => void, allowed: () => void, follow: () => void}} `allowed` once what may be
 *   done changed, `follow` once the list did.
 */
export function shownNotice({ list, notifications, life, address, go, sheet }) {
    let dialog = null;
    let shown = null;
    let isPushed = false;
    let wanted = null;
    let followed = 0;

    async function update(query) {
        const id = query.get('show');
        if (id === shown) return;
        wanted = id;
        if (!id) { shown = null; return; }
        await list().ready;
        const item = list().find(id) ?? await lookFor(id);
        if (life.hasEnded || wanted !== id) return;
        if (!item) {
            toast(t('notifications.gone'), 'info');
            go(address(), { replace: true });
            return;
        }
        shown = id;
        const at = list().placeOf(id);
        dialog = showNotice({
            ...sheet, item, notifications, remove: () => list().remove(item),
            closed: () => {
                dialog = null;
                shown = null;
                if (new URLSearchParams(location.hash.split('?')[1]).get('show') === id && !life.hasEnded) {
                    if (isPushed) history.back();
                    else go(address(), { replace: true });
                }
                isPushed = false;
                if (life.hasEnded) return;
                // What came while the sheet was open.
                list().settle();
                list().focus(id, at);
            },
        });
        if (!item.read) list().markRead(item);
    }

    /** The sheet says what its notification says by now: another question may stand under the same buttons. */
    async function follow() {
        const sheet = dialog;
        if (!sheet) return;
        const turn = ++followed;
        const now = list().find(shown) ?? await lookFor(shown);
        if (now && sheet === dialog && turn === followed) sheet.follow(now);
    }

    async function lookFor(id) {
        const { notifications: found = [] } = await notifications.list({ limit: SEARCHED }, { signal: life.signal }).catch(() => ({}));
        return found.find((each) => each.id === id) ?? null;
    }

    life.add(() => dialog?.close());
    return { update, open: (item) => { isPushed = true; go(address({ show: item.id })); }, close: () => dialog?.close(), allowed: () => dialog?.allowed(), follow };
}
