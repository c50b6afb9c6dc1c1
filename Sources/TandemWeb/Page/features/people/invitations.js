import { confirm, emptyState, group, h, icon, iconButton, listRow, relativeTime, skeleton, toast } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { trouble } from './users.js';

/** The invitations that are open. Their codes are not known any more: the hub keeps no more than what tells a right one. */
export function invitationsPart({ client, life }) {
    const element = h('div', null, skeleton(3, { height: 68 }));
    const load = async () => {
        try {
            const { invitations } = await client.call('accounts.invitations', {}, { signal: life.signal });
            if (life.hasEnded) return;
            const rows = [...invitations].reverse().map((invitation) => invitationRow(invitation, () => takeBack(client, invitation, load)));
            element.replaceChildren(rows.length > 0 ? group({ title: t('people.openInvitations'), rows, foot: t('people.invitationsFoot') })
                : emptyState({ icon: 'link', title: t('people.noInvitations'), text: t('people.noInvitationsText') }));
        } catch (error) {
            if (!life.hasEnded) element.replaceChildren(trouble(error, load));
        }
    };
    life.add(client.events('reset', load));
    return { element, load, shown: load };
}

function invitationRow({ uses, used, createdAt, endsAt }, press) {
    return listRow({
        lead: icon('link'), title: uses === 1 ? t('people.forOne') : t('people.used', { used, uses }),
        detail: [t('people.made'), ' ', relativeTime(createdAt), ' · ', t('people.ends'), ' ', relativeTime(endsAt)],
        actions: [iconButton({ label: t('people.takeBack'), icon: 'trash', press })],
    });
}

async function takeBack(client, { id, uses, used }, load) {
    const isDone = await confirm({
        title: t('people.takeBackTitle'), text: t(used > 0 ? 'people.takeBackUsedText' : 'people.takeBackText', { used, uses }), action: t('people.takeBack'),
        work: () => client.call('accounts.takeBack', { id }),
    });
    if (!isDone) return;
    toast(t('people.takenBack'));
    load();
}
