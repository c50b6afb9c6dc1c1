/** Changes that come together are drawn once, in milliseconds. */
const TOLD = 30;
/** What belongs together has so long to come, in milliseconds. */
const TOGETHER = 120;
/** While more comes, what is missing may be among it: it is asked for once nothing came for so long, or at the latest after so long. */
const QUIET = 500;
const LONGEST = 4000;

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
    let [last, since] = [-Infinity, null];

    function take() {
        clearTimeout(soon);
        soon = null;
        if (told.length > 0) history.tell(told.splice(0));
    }

    function look() {
        later = null;
        take();
        const now = performance.now();
        if (history.isBehind && !isLacking() && now - last < QUIET && now - (since ??= now) < LONGEST) { wait(); return; }
        since = null;
        if (history.isBehind || isLacking()) { ask(); return; }
        history.note('level');
        done();
    }

    const wait = () => { later ??= setTimeout(look, TOGETHER); };
    const stop = notifications.follow({
        changed: (change) => { last = performance.now(); told.push(change); soon ??= setTimeout(take, TOLD); wait(); },
        unread: (count) => history.count(count),
        note: (kind) => { if (kind !== 'cut') last = performance.now(); history.note(kind); wait(); },
    });
    return () => { stop(); clearTimeout(soon); clearTimeout(later); };
}
