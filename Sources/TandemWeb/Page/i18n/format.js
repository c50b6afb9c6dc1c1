/** @type {[unit: Intl.RelativeTimeFormatUnit, seconds: number][]} */
const STEPS = [['year', 31_536_000], ['month', 2_592_000], ['day', 86_400], ['hour', 3600], ['minute', 60], ['second', 1]];
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'];

const DAY = 86_400_000;

/** The days of the calendar from one moment to another, where they are at least 24 hours apart. Days of 23 and 25 hours count as one. */
function calendarDays(value, now) {
    const [day, today] = [value, now].map((moment) => new Date(moment).setHours(0, 0, 0, 0));
    const days = Math.round((day - today) / DAY);
    // 24 hours before the end of a day of 25 it is the same day.
    return days || Math.sign(value - now);
}

/**
 * Words for numbers and times in one language, by Intl.
 *
 * @param {string} id `en` or `zh`.
 */
export function formatter(id) {
    const locale = id === 'zh' ? 'zh-Hans' : 'en';
    const cache = new Map();
    // A number and a Chinese word stand apart, as in the catalogue; Intl writes them together.
    const spaced = (text) => (id === 'zh' ? text.replace(/(\d)(?=\p{Script=Han})/gu, '$1 ').replace(/(\p{Script=Han})(?=\d)/gu, '$1 ') : text);
    const justNow = id === 'zh' ? '刚刚' : 'just now';
    const made = (kind, options) => {
        const key = kind.name + JSON.stringify(options);
        if (!cache.has(key)) cache.set(key, new kind(locale, options));
        return cache.get(key);
    };
    const number = (value, digits = 0, least = 0) =>
        made(Intl.NumberFormat, { minimumFractionDigits: least, maximumFractionDigits: digits }).format(value);

    const relative = (value, now, style) => {
        const seconds = Math.round((value - now) / 1000);
        const words = made(Intl.RelativeTimeFormat, { numeric: 'auto', style });
        if (Math.abs(seconds) < 10) return justNow;
        const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? STEPS.at(-1);
        return spaced(words.format(unit === 'day' ? calendarDays(value, now) : Math.trunc(seconds / size), unit));
    };

    const bytes = (value) => {
        let [amount, unit] = [Number(value), 0];
        while (amount >= 999.5 && unit < UNITS.length - 1) [amount, unit] = [amount / 1000, unit + 1];
        const digits = unit === 0 || amount >= 99.95 ? 0 : 1;
        return spaced(made(Intl.NumberFormat, {
            style: 'unit', unit: UNITS[unit], unitDisplay: unit === 0 ? 'long' : 'short', maximumFractionDigits: digits,
        }).format(amount));
    };

    const clock = (milliseconds) => {
        const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
        const two = (part) => String(part).padStart(2, '0');
        const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
        return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
    };

    return {
        number,
        /** `1.2 GB`, in steps of 1000. */
        bytes,
        rate: (perSecond) => (perSecond < 999.5 ? `${number(perSecond)} B/s` : `${bytes(perSecond)}/s`),
        /** @param {number} part 0 to 1. */
        percent: (part, digits = 0) =>
            made(Intl.NumberFormat, { style: 'percent', maximumFractionDigits: digits }).format(part),
        date: (value) => made(Intl.DateTimeFormat, { dateStyle: 'medium' }).format(value),
        time: (value) => made(Intl.DateTimeFormat, { timeStyle: 'short' }).format(value),
        dateTime: (value) => made(Intl.DateTimeFormat, { dateStyle: 'medium', timeStyle: 'short' }).format(value),
        /** `4:09`, of milliseconds that are left. */
        clock,
        /** `3 days, 4 hours`: the two largest parts; `3 days, 4 hr` where it is short. */
        duration: (milliseconds, unitDisplay = 'long') => {
            let left = Math.max(0, Math.round(milliseconds / 1000));
            const parts = [];
            for (const [unit, size] of STEPS.slice(2)) {
                const amount = Math.floor(left / size);
                left -= amount * size;
                if (amount || (unit === 'second' && !parts.length)) parts.push([unit, amount]);
                if (parts.length === 2) break;
            }
            const words = parts.map(([unit, amount]) =>
                made(Intl.NumberFormat, { style: 'unit', unit, unitDisplay }).format(amount));
            return spaced(made(Intl.ListFormat, { style: 'narrow', type: 'unit' }).format(words));
        },
        /** `5 minutes ago`, of a moment in milliseconds since 1970. */
        relative: (value, now = Date.now()) => relative(value, now, 'long'),
        /** `5 min. ago`, where there is little room. */
        relativeShort: (value, now = Date.now()) => relative(value, now, 'short'),
        list: (items) => made(Intl.ListFormat, { type: 'conjunction' }).format(items),
        /** @param {Object<string, string>} forms By CLDR's category; `#` becomes the number. */
        plural: (count, forms) => {
            const form = forms[made(Intl.PluralRules, {}).select(count)] ?? forms.other;
            return form.replaceAll('#', number(count));
        },
    };
}
