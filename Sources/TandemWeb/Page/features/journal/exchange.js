import { banner, button, card, errorBanner, facts, h, safeText, textField } from '../../kit/index.js';
import { selectField } from '../../kit/select.js';
import { middle } from '../../kit/first.js';
import { journalOf } from '../../client/journal.js';
import { format, hasText, t } from '../../i18n/index.js';

/** What an import may be; empty: as it looks. */
const FORMATS = ['', 'dayOne', 'joplin', 'markdown', 'tandem'];
/** Problems that are shown at first. */
const SHOWN = 20;

/** How stories come in from other journals, and how all of them go out. */
export function exchangeScreen({ client, life, link }) {
    const journal = journalOf(client);
    return {
        title: t('journal.exchange'), back: link('/journal'),
        element: h('div', { class: 'stack' }, importCard(journal, life), exportCard(journal, life), h('p', { class: 'soft small exchange-foot' }, t('journal.moveText'))),
    };
}

function importCard(journal, life) {
    let kind = '';
    const outcome = h('div', { class: 'exchange-outcome', aria: { live: 'polite' } });
    const bring = () => run({ field: path, outcome, life, work: (text) => journal.import({ path: text, ...(kind && { format: kind }) }), shown: imported });
    const path = textField({ label: t('journal.importPath'), hint: t('journal.pathHint'), placeholder: t('journal.importExample'), mono: true, attributes: { maxLength: 4000, dir: 'ltr' }, enter: bring });
    const form = selectField({ label: t('journal.format'), value: kind, change: (id) => { kind = id; }, options: FORMATS.map((id) => ({ id, label: t(`journal.format.${id || 'any'}`) })) });
    return card({ title: t('journal.bringIn'), icon: 'download' },
        h('p', { class: 'soft' }, t('journal.importText')),
        h('ul', { class: 'exchange-kinds' }, FORMATS.filter(Boolean).map((id) => h('li', null, h('strong', null, t(`journal.format.${id}`)), [t('common.colon')], t(`journal.hint.${id}`)))),
        path, form, h('div', { class: 'line' }, button({ label: t('journal.bringIn'), icon: 'download', kind: 'primary', press: bring })), outcome);
}

function exportCard(journal, life) {
    const outcome = h('div', { class: 'exchange-outcome', aria: { live: 'polite' } });
    const write = () => run({ field: folder, outcome, life, work: (text) => journal.export(text), shown: exported });
    const folder = textField({ label: t('journal.exportFolder'), hint: t('journal.folderHint'), placeholder: t('journal.exportExample'), mono: true, attributes: { maxLength: 4000, dir: 'ltr' }, enter: write });
    return card({ title: t('journal.writeOut'), icon: 'upload' },
        h('p', { class: 'soft' }, t('journal.exportText')), banner({ kind: 'warn', text: t('journal.notEncrypted'), detail: t('journal.notEncryptedText') }),
        folder, h('div', { class: 'line' }, button({ label: t('journal.writeOut'), icon: 'upload', kind: 'primary', press: write })), outcome);
}

/** Asks for what the field names, and shows what became of it. */
async function run({ field, outcome, life, work, shown }) {
    const text = field.value.trim();
    if (!text.startsWith('/')) { field.fail(t('journal.pathMissing')); field.input.focus(); return; }
    outcome.replaceChildren(h('p', { class: 'soft', role: 'status' }, t('journal.working')));
    try {
        const answer = await work(text);
        if (!life.hasEnded) outcome.replaceChildren(...shown(answer));
    } catch (error) {
        if (!life.hasEnded) outcome.replaceChildren(errorBanner(error, { retry: () => run({ field, outcome, life, work, shown }) }));
    }
}

function imported({ format: kind, added, updated, unchanged, addedMedia, unchangedMedia, problems, problemCount }) {
    const key = `journal.format.${kind}`;
    return [
        banner({ kind: problemCount > 0 ? 'warn' : 'good', text: t(problemCount > 0 ? 'journal.importedSome' : 'journal.imported', { count: added + updated }) }),
        facts([
            [t('journal.format'), hasText(key) ? t(key) : safeText(kind)], [t('journal.added'), format.number(added)], [t('journal.updated'), format.number(updated)],
            [t('journal.unchanged'), format.number(unchanged)], [t('journal.media'), format.number(addedMedia + unchangedMedia)],
        ]),
        ...listOf(t('journal.leftOut', { count: problemCount }), problems.map(({ item, reason }) => ({ name: item, reason })), problemCount),
    ];
}

function exported({ folder, stories, media, broken }) {
    return [
        banner({ kind: broken.length > 0 ? 'warn' : 'good', text: t('journal.exported', { count: stories }) }),
        facts([[t('journal.exportFolder'), middle(folder, { tail: 24 })], [t('journal.media'), format.number(media)]]),
        ...listOf(t('journal.brokenMedia', { count: broken.length }), broken.map(({ fileName, reason }) => {
            const key = `journal.broken.${reason}`;
            return { name: fileName, reason: t(hasText(key) ? key : 'journal.broken'), isOwn: true };
        }), broken.length),
    ];
}

/** What was left out, each with why; the first of them, and the others behind a press. */
function listOf(title, problems, count) {
    if (count === 0) return [];
    const row = ({ name, reason, isOwn = false }) => h('li', { class: 'exchange-problem' }, safeText(name, { limit: 200, class: 'exchange-item' }), isOwn ? h('span', { class: 'soft small' }, reason) : safeText(reason, { limit: 400, class: 'soft small' }));
    const list = h('ul', { class: 'exchange-problems' }, problems.slice(0, SHOWN).map(row));
    const more = problems.length > SHOWN && button({ label: t('journal.showAllProblems', { count: problems.length }), icon: 'chevron-down', kind: 'quiet', press: () => { list.replaceChildren(...problems.map(row)); more.remove(); } });
    return [h('h3', { class: 'group-title' }, title), list, ...(more ? [more] : [])];
}
