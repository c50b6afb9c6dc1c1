import { h, icon, safeText } from '../../kit/index.js';
import { marked } from '../../kit/said.js';
import { format, t } from '../../i18n/index.js';
import { bounded, marksOf } from './timeline.js';

/** What a row of a story probably has, in pixels. */
export const ROW = 104;
/** Categories that are named on a row. */
const MOST_NAMED = 3;

/** The heading of a month among the stories. */
export function monthRow({ time }) { return h('h2', { class: 'story-month' }, t('journal.month', { time })); }

/**
 * A story in a list.
 *
 * @param {import('../../client/journal.js').StoryEntry} story
 * @param {{href: string, isShown: boolean, words: string}} options `words` that were searched for are marked.
 */
export function storyRow(story, { href, isShown, words }) {
    const time = bounded(story.timestamp);
    return h('a', { class: ['row-main story-row', isShown && 'is-shown'], href, aria: { current: isShown ? 'true' : null } },
        h('time', { class: 'story-day', dateTime: new Date(time).toISOString() },
            h('span', { class: 'story-date number' }, format.number(new Date(time).getDate())), h('span', { class: 'small' }, t('journal.weekday', { time }))),
        h('span', { class: 'row-words' },
            story.title ? said('story-title', story.title, words) : h('span', { class: 'story-title soft' }, t('journal.untitled')),
            story.excerpt && said('story-excerpt', story.excerpt, words),
            meta(story)));
}

function said(name, text, words) {
    const line = text.replaceAll(/\s+/g, ' ');
    return h('span', { class: name, dir: 'auto', data: { peer: '' } }, marked(line, marksOf(line, words)));
}

/** Where it was, what it belongs to, and how many media it has. */
function meta({ location, categories, mood, media }) {
    const named = categories.slice(0, MOST_NAMED);
    const parts = [
        location && mark('place', t('journal.place'), safeText(location, { limit: 60 })),
        mood && mark('mood', t('journal.mood'), safeText(mood, { limit: 40 })),
        ...named.map((path) => mark('tag', t('journal.category'), safeText(path.split('/').at(-1), { limit: 40 }))),
        media > 0 && mark('image', t('journal.media'), h('span', { class: 'number' }, format.number(media))),
    ].filter(Boolean);
    return parts.length > 0 && h('span', { class: 'story-meta' }, parts);
}

/** A small symbol and what it says; the symbol's meaning is read out. */
export function mark(symbol, meaning, words) {
    return h('span', { class: 'story-mark' }, icon(symbol, { size: 16 }), h('span', { class: 'visually-hidden' }, [meaning, t('common.colon')]), words);
}
