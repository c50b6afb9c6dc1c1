import { emptyState, h } from '../../kit/index.js';
import { journalOf } from '../../client/journal.js';
import { t } from '../../i18n/index.js';
import { StoryRows } from './list.js';

/** Deleted stories. Each is opened and restored on its own screen. */
export function deletedScreen({ client, life, link }) {
    const rows = new StoryRows({
        journal: journalOf(client), life, isDeleted: true, hrefOf: (id) => link('/journal', id),
        nothing: () => emptyState({ icon: 'trash', title: t('journal.noDeleted'), text: t('journal.noDeletedText') }),
    });
    rows.ask({ words: '', category: null, until: null, isDeleted: true });
    return { title: t('journal.deleted'), element: h('div', { class: 'stack close' }, h('p', { class: 'soft' }, t('journal.deletedText')), rows.element), back: link('/journal') };
}
