import { button, h, tabStrip } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { invitationsPart } from './invitations.js';
import { openReportsOf } from './open-reports.js';
import { reportsPart } from './reports.js';
import { usersPart } from './users.js';

const SYMBOLS = { users: 'people', invitations: 'link', reports: 'shield' };
const PARTS = { users: usersPart, invitations: invitationsPart, reports: reportsPart };

/** Who has an account at this hub, who is invited, and what people report. */
export function peopleScreen(context) {
    const { client, life, route, link } = context;
    const known = ({ params }) => (Object.hasOwn(PARTS, params.part) ? params.part : 'users');
    const made = new Map();
    const body = h('div', { class: 'people-body' });
    const strip = tabStrip({
        label: t('people.title'), current: known(route),
        tabs: Object.keys(PARTS).map((id) => ({ id, label: t(`people.${id}`), icon: SYMBOLS[id], href: link('/people', id) })),
    });
    const show = (part) => {
        strip.select(part);
        if (!made.has(part)) {
            made.set(part, PARTS[part](context));
            body.append(made.get(part).element);
        }
        for (const [key, each] of made) each.element.hidden = key !== part;
        made.get(part).shown?.();
    };
    show(known(route));
    openReportsOf(client).watch(life, (count) => strip.badge('reports', count, t('people.openReports')));
    const actions = [button({ label: t('people.invite'), icon: 'plus', kind: 'primary', press: async () => {
        const { askInvitation } = await import('./invite.js');
        askInvitation(client, () => made.get('invitations')?.load());
    } })];
    return {
        title: t('people.title'), element: h('div', { class: 'people' }, strip, body), actions,
        update: (next) => { show(known(next)); return true; },
    };
}
