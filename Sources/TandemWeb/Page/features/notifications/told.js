/** Changes that come together are drawn once, in milliseconds. */
const TOLD = 30;
/** What belongs together has so long to come, in milliseconds. While more comes, what is missing may be among it: so often it is waited for. */
const TOGETHER = 250;
const MOST_WAITS = 16;

/**
 * Gives a list what is told of it, and asks where that leaves something out.
 *
 * @param {Object} list
 * @param {{follow: (tell: Object) => () => void}} list.notifications
 * @param {import('./history.js').History} list.history
 * @param {() => boolean} list.isLacking Nothing was answered yet, and nothing is asked.
 * @param {() => void} list.ask Asks again for what is shown.
 * @param {() => void} list.done All that was announced was told.
 * @returns {() => void} Stops it.
 */
export function followTold({ notifications, history, isLacking, ask, done }) {
    const told = [];
    let [soon, later] = [null, null];
    let [isMore, waits] = [false, 0];

    function take() {
        clearTimeout(soon);
        soon = null;
        if (told.length > 0) history.tell(told.splice(0));
    }

    function look() {
        later = null;
        take();
        const isMissing = history.isBehind || isLacking();
        waits = isMissing && isMore && !isLacking() ? waits + 1 : 0;
        isMore = false;
        if (waits % MOST_WAITS > 0) { wait(); return; }
        if (isMissing) { ask(); return; }
        history.note('level');
        done();
    }

    const wait = () => { later ??= setTimeout(look, TOGETHER); };
    const stop = notifications.follow({
        changed: (change) => { isMore = true; told.push(change); soon ??= setTimeout(take, TOLD); wait(); },
        unread: (count) => history.count(count),
        note: (kind) => { isMore ||= kind !== 'cut'; history.note(kind); wait(); },
    });
    return () => { stop(); clearTimeout(soon); clearTimeout(later); };
}
