import { banner, button, emptyState, errorBanner, errorToast, find, h, linkButton, menuButton, safeText, skeleton, toast } from '../../kit/index.js';
import { markdown } from '../../kit/markdown/view.js';
import { MOST_TEXT } from '../../kit/said.js';
import { format, t } from '../../i18n/index.js';
import { MediaViews } from './media.js';
import { mark } from './row.js';
import { bounded } from './timeline.js';

/**
 * A story as it is read. It is shown again when it changed.
 *
 * @param {{journal: import('../../client/journal.js').Journal, life: import('../../life.js').Life, id: string, link: Function, go: Function,
 *   back: () => string}} options `back` is the address of the list.
 * @returns {HTMLElement}
 */
export function storyView({ journal, life, id, link, go, back }) {
    const element = h('article', { class: 'story' }, skeleton(4));
    const context = { journal, link, go, back, deleted: () => { toast(t('journal.wasDeleted')); go(back(), { replace: true }); } };
    let turn = 0;
    let text = '';

    async function load() {
        turn += 1;
        const asked = turn;
        try {
            const story = await journal.show(id, { signal: life.signal });
            // A video goes on while something else in the journal changes.
            if (life.hasEnded || asked !== turn || text === JSON.stringify(story)) return;
            text = JSON.stringify(story);
            const isWithin = element.contains(document.activeElement);
            element.replaceChildren(...parts(story, context));
            if (isWithin) find(element, 'a, button')?.focus({ preventScroll: true });
        } catch (error) {
            if (life.hasEnded || asked !== turn || error.code === 'cancelled') return;
            text = '';
            if (error.code === 'not-found') element.replaceChildren(emptyState({ icon: 'journal', title: t('journal.gone'), text: t('journal.goneText'), actions: [linkButton({ label: t('nav.journal'), href: back() })] }));
            else element.replaceChildren(errorBanner(error, { retry: load }));
        }
    }

    life.add(journal.onChange(load));
    load();
    return element;
}

function parts(story, context) {
    const views = new MediaViews(context.journal, story.media);
    const text = h('div', { class: 'story-text' });
    const draw = (limit) => text.replaceChildren(markdown(story.content, { class: 'story-md', limit, medium: (named) => views.inText(named) }));
    draw(MOST_TEXT);
    const more = story.content.length > MOST_TEXT && button({ label: t('journal.showWhole'), icon: 'chevron-down', kind: 'quiet', press: () => { draw(story.content.length); more.remove(); others(); } });
    const below = h('div', { class: 'story-media' });
    const others = () => below.replaceChildren(...[views.others].filter(Boolean));
    others();
    return [
        head(story, context),
        story.content.trim() ? text : null, more || null,
        story.isCut ? banner({ kind: 'info', text: t('journal.cut'), detail: t('journal.cutText') }) : null,
        below,
    ].filter(Boolean);
}

function head(story, context) {
    const { location, latitude, longitude, mood, categories } = story;
    const time = bounded(story.timestamp);
    const marks = [
        location && mark('place', t('journal.place'), safeText(location, { limit: 200 })),
        latitude !== null && longitude !== null && mark('place', t('journal.coordinates'), h('span', { class: 'number', data: { peer: '' } }, coordinates(latitude, longitude))),
        mood && mark('mood', t('journal.mood'), safeText(mood, { limit: 80 })),
        ...categories.map(({ id, path }) => h('a', { class: 'story-category', href: context.link('/journal', { in: id }) }, mark('tag', t('journal.category'), safeText(path, { limit: 80 })))),
    ].filter(Boolean);
    return h('header', { class: 'story-head' },
        story.isDeleted && banner({ kind: 'warn', text: t('journal.isDeleted'), detail: t('journal.isDeletedText'), actions: [button({ label: t('journal.restore'), icon: 'refresh', kind: 'primary', press: () => restore(story, context) })] }),
        h('div', { class: 'story-bar' },
            h('time', { class: 'soft small', dateTime: new Date(time).toISOString() }, format.dateTime(time)),
            !story.isDeleted && h('div', { class: 'story-acts' },
                linkButton({ label: t('journal.edit'), icon: 'edit', href: context.link('/journal', story.id, 'edit') }),
                menuButton({ items: () => [{ label: t('journal.delete'), icon: 'trash', kind: 'danger', press: () => remove(story, context) }] }))),
        h('h2', { class: ['story-heading', !story.title && 'soft'] }, story.title ? safeText(story.title, { limit: 400 }) : format.date(time)),
        marks.length > 0 && h('div', { class: 'story-meta' }, marks));
}

/** As text: nothing asks a map of somebody else for it. */
function coordinates(latitude, longitude) { return `${format.number(latitude, 5)}, ${format.number(longitude, 5)}`; }

/** Not asked about, since it can be restored. */
async function remove(story, { journal, deleted }) {
    await journal.delete(story.id);
    deleted();
}

async function restore(story, { journal, link, go }) {
    try {
        await journal.restore(story.id);
        toast(t('journal.wasRestored'));
        go(link('/journal', story.id), { replace: true });
    } catch (error) {
        errorToast(error);
    }
}
