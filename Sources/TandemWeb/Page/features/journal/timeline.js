/** The latest moment that there is a date for, in milliseconds since 1970. */
const LATEST = 8.64e15;
/** Words of a search that are marked. */
const MOST_WORDS = 16;

/** A story's clock may say anything. */
export function bounded(time) { return Math.min(LATEST, Math.max(-LATEST, Number.isFinite(time) ? time : 0)); }

/** The month of a moment where the browser is: `2026-11`. */
export function monthOf(time) {
    const date = new Date(bounded(time));
    return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`;
}

/**
 * The first moment behind a day of the calendar, where the browser is; null for none.
 *
 * @param {string | null} day `2026-11-28`
 * @returns {number | null}
 */
export function endOf(day) {
    const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '')?.map(Number) ?? [];
    return year === undefined ? null : new Date(year, month - 1, date + 1).getTime();
}

/**
 * Stories with a heading before each month. What did not change is the same item as before, so that its row stays.
 *
 * @typedef {{kind: 'month', key: string, time: number} | {kind: 'story', key: string, story: import('../../client/journal.js').StoryEntry, text: string}} Item
 */
export class Timeline {
    /** @type {Map<string, Item>} */
    #items = new Map();

    /**
     * @param {import('../../client/journal.js').StoryEntry[]} stories In their order.
     * @returns {Item[]}
     */
    of(stories) {
        const former = this.#items;
        this.#items = new Map();
        let month = null;
        for (const story of stories) {
            const own = monthOf(story.timestamp);
            // Of a list that does not keep its order a month has its heading once.
            if (own !== month && !this.#items.has(own)) this.#items.set(own, former.get(own) ?? { kind: 'month', key: own, time: bounded(story.timestamp) });
            month = own;
            const [key, text] = [`story ${story.id}`, JSON.stringify(story)];
            const before = former.get(key);
            this.#items.set(key, before?.kind === 'story' && before.text === text ? before : { kind: 'story', key, story, text });
        }
        return [...this.#items.values()];
    }
}

/**
 * Where a text has words that were searched for, as pairs of UTF-16 offsets in order.
 *
 * @param {string} text
 * @param {string} words
 * @returns {[number, number][]}
 */
export function marksOf(text, words) {
    const folded = text.toLocaleLowerCase();
    // A letter that changes its length with its case would move what follows.
    if (folded.length !== text.length) return [];
    const wanted = [...new Set(words.toLocaleLowerCase().split(/\s+/).filter(Boolean))].slice(0, MOST_WORDS).sort((one, other) => other.length - one.length);
    const found = [];
    let at = 0;
    while (at < text.length) {
        const places = wanted.map((word) => ({ word, at: folded.indexOf(word, at) })).filter((each) => each.at >= 0);
        if (places.length === 0) break;
        const first = places.reduce((one, other) => (other.at < one.at ? other : one));
        found.push(/** @type {[number, number]} */ ([first.at, first.at + first.word.length]));
        at = first.at + first.word.length;
    }
    return found;
}
