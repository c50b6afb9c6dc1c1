/** What was pressed on the browser's notification, and what is to be done of it. Without a document. */

/** How long a press means what it says, in milliseconds: a day. */
const GOOD_FOR = 86_400_000;
const ACT = 'act ';
const TITLE = 120;

/**
 * @typedef {{device: string, id: string, alert: number | null, action: string | null, title: string, at: number, wasSent: boolean}} Press Without an action it marks as read. `alert`
 *   is the number under which the one that was pressed wanted to be noticed; `wasSent`: the computer may have done it already.
 */

/**
 * A press as the worker kept it; null for what is none.
 *
 * @param {any} kept
 * @returns {Press | null}
 */
export function pressIn(kept) {
    const { device, id, alert, action, title, at, wasSent } = Object(kept);
    if (![device, id, action].every((each) => typeof each === 'string' && each !== '') || !Number.isFinite(at)) return null;
    const isRead = action === 'read';
    if (!isRead && !(action.startsWith(ACT) && action.length > ACT.length)) return null;
    return {
        device, id, alert: Number.isFinite(alert) ? alert : null, action: isRead ? null : action.slice(ACT.length), title: String(title ?? '').slice(0, TITLE), at, wasSent: wasSent === true,
    };
}

/**
 * What becomes of a press once the computer said how its notification stands: `read`, `act`, `done` (by a page that was closed before it heard so, or by
 * somebody else), `over` (it takes this press no more), or `nothing`. A press answers what stood there: the same one that says something new is not meant.
 *
 * @param {Press} press
 * @param {{alert?: number, createdAt?: number, read?: boolean, actions?: {id: string}[]} | null} item
 * @param {number} now
 * @returns {'read' | 'act' | 'done' | 'over' | 'nothing'}
 */
export function outcomeOf({ alert, action, at, wasSent }, item, now) {
    const isMeant = item !== null && alert !== null && (item.alert ?? item.createdAt) === alert;
    if (action === null) return isMeant && item.read !== true ? 'read' : 'nothing';
    // A clock that was put back makes none of them old.
    const isOffered = isMeant && Array.isArray(item.actions) && item.actions.some(({ id }) => id === action);
    if (isOffered && now - at < GOOD_FOR) return 'act';
    return wasSent && !isOffered ? 'done' : 'over';
}
