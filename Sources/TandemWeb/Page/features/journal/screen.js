import { emptyState, h, icon, menuButton } from '../../kit/index.js';
import { journalOf } from '../../client/journal.js';
import { t } from '../../i18n/index.js';
import { Life } from '../../life.js';
import { storyList } from './list.js';
import { storyView } from './story.js';

/** Where there is room for the list beside the story, as the style has it. */
const roomy = matchMedia('(min-width: 1100px)');

/** The journal: its stories by month, and beside them or in their place the one of the address. */
export function journalScreen({ client, life, route, go, link, chrome }) {
    const journal = journalOf(client);
    const listPane = h('div', { class: 'journal-pane' });
    const mainPane = h('div', { class: 'journal-main' });
    const element = h('div', { class: 'journal' }, listPane, mainPane);
    const screen = {
        title: t('nav.journal'), element, back: /** @type {string | undefined} */ (undefined), actions: actions({ go, link }),
        update: (next) => { show(next); return true; },
    };
    let place = placeOf(route);
    /** @type {string | null} */
    let id = null;
    let list = null;
    let own = null;

    /** The list is made once it can be seen. */
    function makeList() {
        if (list || (id && !roomy.matches)) return;
        list = storyList({ journal, life, link, place, placed: (next) => {
            const isOther = !isSame(next, place);
            place = next;
            if (isOther) go(id ? link('/journal', id, place) : link('/journal', place), { replace: true });
        } });
        listPane.replaceChildren(list.element);
    }

    function show(next) {
        const former = id;
        id = next.params.id ?? null;
        element.classList.toggle('has-one', id !== null);
        const given = placeOf(next);
        const isOther = !isSame(given, place);
        place = given;
        if (isOther) list?.put(place);
        makeList();
        list?.select(id);
        name();
        if (own && former === id) return;
        own?.end();
        own = new Life(life);
        if (id) mainPane.replaceChildren(storyView({ journal, life: own, id, link, go, back: () => link('/journal', place) }));
        else mainPane.replaceChildren(emptyState({ icon: 'journal', title: t('journal.choose'), text: t('journal.chooseText') }));
    }

    /** A story that stands alone has the way back to the list. */
    function name() {
        const back = id && !roomy.matches ? link('/journal', place) : undefined;
        const isOther = screen.back !== back;
        screen.back = back;
        if (isOther) chrome.titled(screen);
    }

    life.listen(roomy, 'change', () => { makeList(); list?.select(id); name(); });
    show(route);
    return screen;
}

function isSame(one, other) { return one.find === other.find && one.in === other.in && one.until === other.until; }

/** @returns {import('./list.js').Place} */
function placeOf({ query }) { return { find: query.get('find') ?? '', in: query.get('in'), until: query.get('until') }; }

function actions({ go, link }) {
    return [
        h('a', { class: 'icon-button quiet', href: link('/journal', 'new'), title: t('journal.write'), aria: { label: t('journal.write') } }, icon('plus')),
        menuButton({ label: t('journal.more'), items: () => [
            { label: t('journal.categories'), icon: 'tag', press: () => go(link('/journal', 'categories')) },
            { label: t('journal.deleted'), icon: 'trash', press: () => go(link('/journal', 'deleted')) },
            { label: t('journal.exchange'), icon: 'exchange', press: () => go(link('/journal', 'exchange')) },
        ] }),
    ];
}
