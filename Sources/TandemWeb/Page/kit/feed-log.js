/**
 * Changes that are told, numbered by their reader, and what of them an answer does not have yet. What was told is not asked for again; what
 * was announced and not told is a gap. A value, so that Node tests it; `feed.js` has the questions.
 *
 * @typedef {{epoch: number, number: number}} Place Numbers of two epochs cannot be compared.
 * @typedef {Object} Feed What one reader was told.
 * @property {number} epoch Another one where something was lost: what was asked for before answers nothing any more.
 * @property {number} number So many changes were told in this epoch.
 * @property {number} owed So many were announced, which comes without what they say, and not told. Below zero where they were told first.
 * @property {boolean} isCut Something is missing that nobody will tell.
 * @property {number} questions So many wait for their answers.
 * @property {any[]} kept The changes that were told since the first of those: an answer may be older than they are.
 */

/** Changes that are kept beside a question; who is told more asks anew. */
const MOST_KEPT = 1000;

/** @type {Feed} */
export const begun = { epoch: 1, number: 0, owed: 0, isCut: false, questions: 0, kept: [] };

/** A change was told. @param {Feed} feed @returns {Feed} */
export function told(feed, change) {
    if (feed.kept.length >= MOST_KEPT) return cut(feed);
    return { ...feed, number: feed.number + 1, kept: feed.questions > 0 ? [...feed.kept, change] : [] };
}

/** Something changed; what it is is told beside, before or after. @param {Feed} feed @returns {Feed} */
export function announced(feed) { return { ...feed, owed: feed.owed + 1 }; }

/** All of one announced change was told. @param {Feed} feed @returns {Feed} */
export function heard(feed) { return { ...feed, owed: feed.owed - 1 }; }

/** Something was lost, or the feed began anew. @param {Feed} feed @returns {Feed} */
export function cut(feed) { return { ...feed, epoch: feed.epoch + 1, number: 0, owed: 0, isCut: true, kept: [] }; }

/** Whether something has to be asked for, once what belongs together had its time to come. @param {Feed} feed */
export function isBehind(feed) { return feed.isCut || feed.owed > 0; }

/** Nothing is missing. @param {Feed} feed @returns {Feed} */
export function level(feed) { return feed.owed === 0 && !feed.isCut ? feed : { ...feed, owed: 0, isCut: false }; }

/** A question is asked. @param {Feed} feed @returns {Feed} */
export function asked(feed) { return { ...feed, questions: feed.questions + 1 }; }

/** Where a reader stands who asks now. @param {Feed} feed @returns {Place} */
export function placeOf({ epoch, number }) { return { epoch, number }; }

/**
 * A question is over, answered or not.
 *
 * @param {Feed} feed
 * @param {Place} place Where it was asked.
 * @returns {[feed: Feed, since: any[] | null]} What was told since then and has to be done once more, to the answer; null where that is not known.
 */
export function answered(feed, place) {
    const questions = feed.questions - 1;
    const since = place.epoch === feed.epoch ? feed.kept.slice(Math.max(0, feed.kept.length - (feed.number - place.number))) : null;
    return [{ ...feed, questions, kept: questions > 0 ? feed.kept : [] }, since];
}
