import { toast } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { showNotice } from './sheet.js';

/** One that is not in sight is looked for in so many of the newest. */
const SEARCHED = 500;
/** One that a phone has not got yet is waited for so long while its computer is not reached, in milliseconds. */
const PATIENCE = 60_000;
/** What a computer that is not reached fails with. */
const AWAY = ['away', 'offline', 'gone', 'lost'];

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
    /** The id of the address, from when it is looked for until its sheet is closed. */
    let wanted = null;
    let dialog = null;
    let isPushed = false;
    let followed = 0;

    async function update(query) {
        const id = query.get('show');
        if (id === wanted) return;
        wanted = id;
        if (!id) return;
        await list().ready;
        const item = await found(id) ?? await awaited(id);
        if (life.hasEnded || wanted !== id) return;
        if (!item) {
            wanted = null;
            toast(t('notifications.gone'), 'info');
            go(address(), { replace: true });
            return;
        }
        show(item);
    }

    function show(item) {
        const { id } = item;
        const at = list().placeOf(id);
        const own = showNotice({
            ...sheet, item, notifications: notifications.at?.(item) ?? notifications, remove: () => list().remove(item),
            closed: () => {
                // Another one may be open by now.
                if (dialog === own) dialog = null;
                if (wanted === id) wanted = null;
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
        dialog = own;
        if (!item.read) list().markRead(item);
    }

    /** The sheet says what its notification says by now: another question may stand under the same buttons. */
    async function follow() {
        const sheet = dialog;
        if (!sheet || !wanted) return;
        const turn = ++followed;
        const now = await found(wanted);
        if (now && sheet === dialog && now.id === wanted && turn === followed) sheet.follow(now);
    }

    async function found(id) {
        const shown = list().find(id);
        if (shown) return shown;
        const { notifications: newest = [] } = await notifications.list({ limit: SEARCHED }, { signal: life.signal }).catch(() => ({}));
        return newest.find((each) => each.id === id) ?? null;
    }

    /**
     * One that this phone has not got yet: a push comes without its computer, and may be faster. It is asked for; while the computer is not
     * reached, each change is looked through for it.
     */
    async function awaited(id) {
        if (!notifications.device) return null;
        const isReached = await notifications.refresh({ signal: life.signal }).then(() => true, ({ code }) => !AWAY.includes(code));
        const item = await found(id);
        if (item || isReached || life.hasEnded || wanted !== id) return item;
        let [stop, timer] = [null, null];
        const coming = new Promise((resolve) => {
            const look = async () => {
                const come = wanted === id ? await found(id) : null;
                if (come || wanted !== id) resolve(come);
            };
            stop = notifications.onChange(look);
            timer = setTimeout(resolve, PATIENCE, null);
            life.add(() => resolve(null));
        });
        try {
            return await coming;
        } finally {
            stop();
            clearTimeout(timer);
        }
    }

    life.add(() => dialog?.close());
    return { update, open: (item) => { isPushed = true; go(address({ show: item.id })); }, close: () => dialog?.close(), allowed: () => dialog?.allowed(), follow };
}
