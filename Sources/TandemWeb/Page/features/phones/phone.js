import {
    banner, button, copyable, emptyState, errorBanner, errorToast, facts, find, group, h, icon, linkButton, listRow, pathChip, plainText,
    skeleton, toast, chip,
} from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';
import { activityRow, followActivities, toastEnded } from './activities.js';
import { askForName, confirmLoss, confirmRight, confirmUnsigned, forgetPhone } from './phone-acts.js';
import { comparedWords, pathOf, systemName, whereabouts } from './phone-words.js';
import { redraw } from '../../kit/redraw.js';
import { countRequests } from './requests.js';
import { loadRights, rightSwitch } from './rights.js';

/** One phone: what runs for it now, what it may do, and the way to forget it. */
export function phoneScreen(context) {
    const { client, route, life, go, chrome } = context;
    const { id } = route.params;
    countRequests(context);
    const body = h('div', { class: 'stack' }, skeleton(6, { height: 84 }));
    const running = h('div', { class: 'notices' });
    const screen = { title: t('role.phone'), titleIsPeer: false, back: '#/phones', layout: 'wide', element: body, actions: [] };
    const path = pathChip(null);
    let activities = [];
    let acted = null;

    const load = async () => {
        try {
            const [phone, rights] = await Promise.all([client.devices.show(id), loadRights(client)]);
            if (!life.hasEnded) draw(phone, rights);
        } catch (error) {
            if (life.hasEnded) return;
            Object.assign(screen, { title: t('role.phone'), titleIsPeer: false, actions: [] });
            body.replaceChildren(error.code === 'not-found' ? gone() : errorBanner(error, { retry: load }));
            chrome.titled(screen);
        }
    };
    const draw = (phone, rights) => {
        path.update(pathOf(phone));
        Object.assign(screen, { title: plainText(phone.name, 120) || t('phones.unnamed'), titleIsPeer: Boolean(phone.name), actions: [path] });
        chrome.titled(screen);
        redraw(body, [
            ...(phone.endToEnd ? [] : [banner({ kind: 'warn', text: t('phones.clear'), detail: t('phones.clearText') })]),
            h('div', { class: 'sides first-wider' },
                h('div', { class: 'stack' }, comparedWords(t('phones.words'), phone.fingerprint), running, mayDo(phone, rights)),
                h('div', { class: 'stack' }, about(phone), manage(phone))),
        ]);
        // A switch that is busy cannot keep the focus.
        if (acted && document.activeElement === document.body) find(body, `[data-right="${CSS.escape(acted)}"]`)?.focus({ preventScroll: true });
        acted = null;
    };

    const mayDo = (phone, rights) => group({
        title: t('phones.mayDo'), foot: t('phones.mayDoFoot'),
        rows: rights.map((right) => rightSwitch(right, {
            on: phone.skills.includes(right.name), note: refusedNote(phone, right), change: (on) => change(phone, right, on),
        })),
    });

    async function change(phone, right, on) {
        acted = right.name;
        if (on) {
            if (!await confirmRight(phone, right)) throw new Error('kept');
            await tried(client.devices.allow(id, [right.name]));
            toast(t('phones.allowed'));
            return;
        }
        const loss = await confirmLoss(right, activities);
        if (!loss) throw new Error('kept');
        const { ended } = await tried(client.devices.deny(id, [right.name], loss));
        toastEnded(ended, t('phones.takenBack'));
    }

    const refusedNote = (phone, right) => phone.stillRefused?.includes(right.name) && h('span', { class: 'right-note' },
        h('span', null, t('phones.stillRefused')),
        button({ label: t('phones.unsigned'), kind: 'quiet', press: () => confirmUnsigned(client, phone, right) }));

    const about = (phone) => group({
        title: t('phones.about'),
        rows: [facts([
            [t('phones.where'), whereabouts(phone)],
            [t('phones.pairedWhen'), t('common.at', { when: format.date(phone.pairedAt) })],
            [t('phones.platform'), systemName(phone.platform)],
            [t('phones.protection'), phone.endToEnd ? chip(t('phones.sealed'), 'good', 'lock') : chip(t('phones.notSealed'), 'bad', 'unlock')],
            [t('phones.id'), copyable(phone.id, t('phones.id'))],
        ])],
    });

    const manage = (phone) => group({
        rows: [
            listRow({ lead: icon('list'), title: t('phones.log'), href: `#/audit?phone=${encodeURIComponent(id)}` }),
            listRow({ lead: icon('edit'), title: t('phones.rename'), press: () => askForName(client, phone) }),
            listRow({
                lead: h('span', { class: 'danger-text' }, icon('trash')), title: h('span', { class: 'danger-text' }, t('phones.forget')), detail: t('phones.forgetDetail'),
                press: async () => { if (await forgetPhone(client, phone)) go('/phones', { replace: true }); },
            }),
        ],
    });

    followActivities(context, {
        phone: id,
        draw: (all) => {
            activities = all;
            redraw(running, all.length > 0 ? [group({
                title: t('phones.running'), rows: all.map((activity) => activityRow(client, activity, { withPhone: false })),
            })] : []);
        },
        // The screen itself says what is wrong.
        failed: () => { activities = []; },
    });
    life.add(client.devices.onChange(load));
    for (const topic of ['reach', 'rights']) life.add(client.events(topic, (data) => { if (!data?.device || data.device === id) load(); }));
    load();
    return screen;
}

/** Says why, and lets the switch go back. */
async function tried(work) {
    try {
        return await work;
    } catch (error) {
        if (error.code === 'full') toast(t('phones.full'), 'bad');
        else errorToast(error);
        throw error;
    }
}

function gone() {
    return emptyState({
        icon: 'phone', title: t('phones.gone'), text: t('phones.goneText'),
        actions: [linkButton({ label: t('phones.toAll'), href: '#/phones' }), linkButton({ label: t('phones.pair'), kind: 'primary', href: '#/pair' })],
    });
}
