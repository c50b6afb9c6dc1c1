import { toast } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { Store, doneBy } from '../../kit/store.js';
import { showNotice } from './sheet.js';
import { change, initial } from './shown-state.js';

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
 * @param {import('../../life.js').Life} options.life
 * @param {(query?: Object) => string} options.address
 * @param {Function} options.go
 * @param {Object} options.sheet What `showNotice` needs beside.
 * @returns {{update: (query: URLSearchParams) => void, open: (item: Object) => void, close: () => void, allowed: () => void, follow: (isTold: boolean) => void}} `allowed` once what may be
 *   done changed, `follow` once the list did.
 */
export function shownNotice({ list, notifications, life, address, go, sheet }) {
    let dialog = null;
    /** Looks for the one that is waited for, each time that the list was drawn. */
    let look = null;
    const store = new Store({ initial, change, run: doneBy(() => effects) });
    const isWanted = (id) => !life.hasEnded && store.state.wanted === id;
    const effects = {
        async seek({ id }) {
            await list().ready;
            const item = await found(id) ?? await awaited(id);
            if (!life.hasEnded) store.send({ kind: 'sought', id, item });
        },
        sayGone: () => toast(t('notifications.gone'), 'info'),
        show({ item, sheet: number }) {
            const { id } = item;
            const at = list().placeOf(id);
            const own = showNotice({
                ...sheet, item, notifications: notifications.at?.(item) ?? notifications, remove: () => list().remove(item),
                closed: () => {
                    if (dialog === own) dialog = null;
                    const isNamed = !life.hasEnded && new URLSearchParams(location.hash.split('?')[1]).get('show') === id;
                    store.send({ kind: 'closed', id, sheet: number, isNamed });
                    if (life.hasEnded) return;
                    // What came while the sheet was open.
                    list().settle();
                    list().focus(id, at);
                },
            });
            dialog = own;
            if (!item.read) list().markRead(item);
        },
        goTo: ({ id }) => go(address({ show: id })),
        back: () => history.back(),
        leave: () => go(address(), { replace: true }),
        // The sheet says what its notification says by now: another question may stand under the same buttons.
        async look({ id, turn, sheet: number, isTold }) { store.send({ kind: 'looked', turn, sheet: number, item: isTold ? list().find(id) ?? null : await found(id) }); },
        follow: ({ item }) => dialog?.follow(item),
    };

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
        if (item || isReached || !isWanted(id)) return item;
        let timer = null;
        const coming = new Promise((resolve) => {
            look = async (isTold) => {
                const come = isWanted(id) ? list().find(id) ?? (isTold ? null : await found(id)) : null;
                if (come || !isWanted(id)) resolve(come);
            };
            timer = setTimeout(resolve, PATIENCE, null);
            life.add(() => resolve(null));
        });
        try {
            return await coming;
        } finally {
            look = null;
            clearTimeout(timer);
        }
    }

    life.add(() => dialog?.close());
    return {
        update: (query) => store.send({ kind: 'addressed', id: query.get('show') }),
        open: ({ id }) => store.send({ kind: 'pressed', id }),
        close: () => dialog?.close(), allowed: () => dialog?.allowed(), follow: (isTold) => { look?.(isTold); store.send({ kind: 'drawn', isTold }); },
    };
}
