import { button, confirm, emptyState, h, toast } from '../../kit/index.js';
import { journalOf } from '../../client/journal.js';
import { t } from '../../i18n/index.js';
import { StoryRows } from './list.js';

/** Deleted stories. Each is opened and restored on its own screen; all of them can be removed for good. */
export function deletedScreen({ client, life, link }) {
    const journal = journalOf(client);
    const rows = new StoryRows({
        journal, life, isDeleted: true, hrefOf: (id) => link('/journal', id),
        nothing: () => emptyState({ icon: 'trash', title: t('journal.noDeleted'), text: t('journal.noDeletedText') }),
    });
    const foot = h('div', { class: 'line deleted-foot', hidden: true }, button({ label: t('journal.purge'), icon: 'trash', kind: 'danger', press: () => { purge(journal); } }));
    rows.watch(({ stories }) => { foot.hidden = stories.length === 0; });
    rows.ask({ words: '', category: null, until: null, isDeleted: true });
    return { title: t('journal.deleted'), element: h('div', { class: 'stack close' }, h('p', { class: 'soft' }, t('journal.deletedText')), foot, rows.element), back: link('/journal') };
}

/** It cannot be undone, and says so. */
async function purge(journal) {
    const isDone = await confirm({ title: t('journal.purgeTitle'), text: t('journal.purgeText'), action: t('journal.purge'), work: () => journal.purge() });
    if (isDone) toast(t('journal.wasPurged'));
}
