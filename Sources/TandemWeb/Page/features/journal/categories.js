import { button, confirm, emptyState, errorBanner, group, h, icon, menuButton, openDialog, safeText, skeleton, textField } from '../../kit/index.js';
import { isolated } from '../../kit/isolated.js';
import { plainText } from '../../kit/first.js';
import { selectField } from '../../kit/select.js';
import { journalOf } from '../../client/journal.js';
import { t } from '../../i18n/index.js';

/** A colour as records have it. */
const COLOUR = /^#[0-9a-f]{6}$/i;
/** Of a category that gets none. */
const PLAIN = '#007AFF';
/** Levels that are set in; what is deeper stands below the last. */
const DEEPEST = 8;

/**
 * The categories as a tree, each with its stories, and how they are made, renamed, moved and deleted.
 *
 * @typedef {import('../../client/journal.js').Category} Category
 */
export function categoriesScreen({ client, life, link, go }) {
    const journal = journalOf(client);
    const body = h('div', { class: 'stack' }, skeleton(4));
    /** @type {Category[]} */
    let all = [];
    const add = (parent = null) => categoryDialog({ journal, all, category: null, parent });

    async function load() {
        try {
            all = (await journal.categories({ signal: life.signal })).categories;
            if (!life.hasEnded) draw();
        } catch (error) {
            if (!life.hasEnded && error.code !== 'cancelled') body.replaceChildren(errorBanner(error, { retry: load }));
        }
    }

    function draw() {
        const make = button({ label: t('journal.addCategory'), icon: 'plus', kind: 'primary', press: () => { add(); } });
        if (all.length === 0) { body.replaceChildren(emptyState({ icon: 'tag', title: t('journal.noCategories'), text: t('journal.noCategoriesText'), actions: [make] })); return; }
        body.replaceChildren(group({ title: t('journal.tree'), foot: t('journal.treeText'), action: make, rows: all.map((category) => categoryRow(category, { journal, all, link, go, add })) }));
    }

    life.add(journal.onChange(load));
    load();
    return { title: t('journal.categories'), element: body, back: link('/journal') };
}

function categoryRow(category, { journal, all, link, go, add }) {
    const { id, name, color, level, stories } = category;
    const menu = menuButton({ label: t('journal.actsOf', { name: plainText(name, 60) }), items: () => [
        { label: t('journal.showStories'), icon: 'list', press: () => go(link('/journal', { in: id })) },
        { label: t('journal.editCategory'), icon: 'edit', press: () => categoryDialog({ journal, all, category, parent: category.parent }) },
        { label: t('journal.addInside'), icon: 'plus', press: () => add(id) },
        { label: t('journal.deleteCategory'), icon: 'trash', kind: 'danger', press: () => remove(category, journal) },
    ] });
    return h('div', { class: 'row category-row', vars: { '--level': Math.min(level, DEEPEST) - 1 } },
        h('a', { class: 'row-main', href: link('/journal', { in: id }) },
            h('span', { class: 'category-dot', vars: { '--own': COLOUR.test(color) ? color : PLAIN } }),
            h('span', { class: 'row-words' }, h('span', { class: 'row-title' }, safeText(name, { limit: 120 })), h('span', { class: 'row-detail' }, t('journal.storiesOf', { count: stories }))),
            icon('chevron-right', { size: 18 })),
        h('div', { class: 'row-actions' }, menu));
}

async function remove({ id, name }, journal) {
    await confirm({
        title: t('journal.deleteCategoryTitle', { name: isolated(name) }), text: t('journal.deleteCategoryText'), action: t('journal.deleteCategory'), work: () => journal.deleteCategory(id),
    });
}

/**
 * Makes a category, or changes one.
 *
 * @param {{journal: import('../../client/journal.js').Journal, all: Category[], category: Category | null, parent: string | null}} options
 */
function categoryDialog({ journal, all, category, parent }) {
    let chosen = parent ?? '';
    const trouble = h('div', null);
    const keep = async () => {
        const text = name.value.trim();
        if (!text) { name.fail(t('journal.nameMissing')); return; }
        try {
            if (category) await journal.editCategory(category.id, changes(category, { name: text, parent: chosen, color: color.value }));
            else await journal.addCategory({ name: text, color: color.value.toUpperCase(), ...(chosen && { parent: chosen }) });
            dialog.close();
        } catch (error) {
            trouble.replaceChildren(errorBanner(error));
        }
    };
    const name = textField({ label: t('journal.categoryName'), value: category?.name ?? '', attributes: { maxLength: 200 }, enter: keep });
    const color = textField({ label: t('journal.color'), type: 'color', value: category && COLOUR.test(category.color) ? category.color.toLowerCase() : PLAIN.toLowerCase() });
    // A category cannot be inside of itself.
    const inside = category ? branchOf(all, category.id) : new Set();
    const place = selectField({
        label: t('journal.parent'), value: chosen, change: (id) => { chosen = id; },
        options: [{ id: '', label: t('journal.atTop') }, ...all.filter(({ id }) => !inside.has(id)).map(({ id, path }) => ({ id, label: plainText(path, 80), isPeers: true }))],
    });
    const dialog = openDialog({
        title: t(category ? 'journal.editCategory' : 'journal.addCategory'),
        content: h('div', { class: 'stack close' }, name, h('div', { class: 'category-place' }, h('span', { class: 'field-label', aria: { hidden: true } }, t('journal.parent')), place), color, trouble),
        actions: [button({ label: t('common.cancel'), press: () => { dialog.close(); } }), button({ label: t('journal.keep'), kind: 'primary', press: keep })],
    });
}

/** What is other than it was. */
function changes(category, { name, parent, color }) {
    return {
        ...(name !== category.name && { name }), ...(parent !== (category.parent ?? '') && { parent }),
        ...(color.toUpperCase() !== category.color.toUpperCase() && COLOUR.test(category.color) && { color: color.toUpperCase() }),
    };
}

/** A category and all inside of it, by their ids. */
export function branchOf(all, id) {
    const found = new Set([id]);
    // Each stands before what is inside of it.
    for (const category of all) if (category.parent !== null && found.has(category.parent)) found.add(category.id);
    return found;
}
