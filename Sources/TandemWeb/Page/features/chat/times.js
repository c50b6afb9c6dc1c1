const two = (part) => String(part).padStart(2, '0');
const startOfDay = (time) => new Date(time).setHours(0, 0, 0, 0);

function hourAndMinute(date) { return `${two(date.getHours())}:${two(date.getMinutes())}`; }

/**
 * When a row of the list was written: today's by its hour, then a word for yesterday, then month and day. Source: rule L5.
 *
 * @param {number} time In milliseconds since 1970.
 * @param {number} now
 * @param {string} yesterday
 */
export function rowTime(time, now, yesterday) {
    const date = new Date(time);
    const days = Math.round((startOfDay(now) - startOfDay(time)) / 86_400_000);
    if (days <= 0) return hourAndMinute(date);
    return days === 1 ? yesterday : `${date.getMonth() + 1}/${date.getDate()}`;
}

/** `MM-dd HH:mm`, between messages. Source: rule C3. */
export function markerText(time) {
    const date = new Date(time);
    return `${two(date.getMonth() + 1)}-${two(date.getDate())} ${hourAndMinute(date)}`;
}
