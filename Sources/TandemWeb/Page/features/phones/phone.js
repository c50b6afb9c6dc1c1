import {
    banner, button, copyable, emptyState, errorBanner, errorToast, facts, find, group, h, icon, linkButton, listRow, pathChip, plainText,
    skeleton, toast, chip,
} from '../../kit/index.js';
import { format, loadArea, t } from '../../i18n/index.js';
import { activityRow, followActivities, toastEnded } from '../../kit/activities.js';
import { askForName, confirmLoss, confirmPreset, confirmRight, confirmUnsigned, forgetPhone } from './phone-acts.js';
import { comparedWords, pathOf, systemName, whereabouts } from '../../kit/phone.js';
import { redraw } from '../../kit/redraw.js';
import { loadPresets, presetChoice } from '../../kit/presets.js';
import { HOUR } from './right-asks.js';
import { loadRights, riskOf, rightSwitch } from '../../kit/rights.js';

/** One phone: what runs for it now, what it may do, and the way to forget it. */
export function phoneScreen(context) {
    const { client, route, life, chrome } = context;
    const { id } = route.params;
    const body = h('div', { class: 'stack' }, skeleton(6, { height: 84 }));
    const running = h('div', { class: 'notices' });
    const screen = { title: t('role.phone'), titleIsPeer: false, back: '#/phones', element: body, actions: [] };
    const path = pathChip(null);
    let activities = [];
    let acted = null;
    // One yes to what can do much is a yes to the changes that follow on this screen.
    const sure = { isGiven: false };

    const load = async () => {
        try {
            const [phone, rights, presets] = await Promise.all([client.devices.show(id), loadRights(client), loadPresets(client), loadArea('giving')]);
            if (!life.hasEnded) draw(phone, rights, presets);
        } catch (error) {
            if (life.hasEnded) return;
            Object.assign(screen, { title: t('role.phone'), titleIsPeer: false, actions: [] });
            body.replaceChildren(error.code === 'not-found' ? gone() : errorBanner(error, { retry: load }));
            chrome.titled(screen);
        }
    };
    const draw = (phone, rights, presets) => {
        path.update(pathOf(phone));
        Object.assign(screen, { title: plainText(phone.name, 120) || t('phones.unnamed'), titleIsPeer: Boolean(phone.name), actions: [path] });
        chrome.titled(screen);
        const change = (right, on) => {
            acted = right.name;
            return on ? allow(client, phone, right, sure) : deny(client, phone, right, activities);
        };
        const choose = async (preset) => {
            if (preset && await confirmPreset(client, phone, preset, rights, activities)) toast(t('phones.presetGiven'));
            load();
        };
        redraw(body, [
            ...(phone.endToEnd ? [] : [banner({ kind: 'warn', text: t('phones.clear'), detail: t('phones.clearText') })]),
            h('div', { class: 'sides first-wider' },
                h('div', { class: 'stack' }, comparedWords(t('phones.words'), phone.fingerprint), running,
                    presets.length > 0 && group({ title: t('rights.preset'), rows: [h('div', { class: 'presets' }, presetChoice({ presets, chosen: phone.skills, change: choose }))] }),
                    mayDo(client, phone, rights, change)),
                h('div', { class: 'stack' }, about(phone), manage(context, phone))),
        ]);
        // A switch that is busy cannot keep the focus.
        if (acted && document.activeElement === document.body) find(body, `[data-right="${CSS.escape(acted)}"]`)?.focus({ preventScroll: true });
        acted = null;
    };

    followActivities(context, {
        phone: id,
        draw: (all) => {
            activities = all;
            redraw(running, all.length > 0 ? [runningGroup(client, all)] : []);
        },
        // The screen itself says what is wrong.
        failed: () => { activities = []; },
    });
    life.add(client.devices.onChange(load));
    for (const topic of ['reach', 'rights']) life.add(client.events(topic, (data) => { if (!data?.device || data.device === id) load(); }));
    load();
    return screen;
}

/** @param {(right: Object, on: boolean) => Promise<void>} change */
function mayDo(client, phone, rights, change) {
    return group({
        title: t('phones.mayDo'), foot: t('phones.mayDoFoot'),
        rows: rights.map((right) => rightSwitch(right, {
            on: phone.skills.includes(right.name), note: noteOf(client, phone, right), change: (on) => change(right, on),
        })),
    });
}

/** What stands below a right: that it is refused all the same, or for how long it is given, with the other choice. */
function noteOf(client, phone, right) {
    if (phone.stillRefused?.includes(right.name)) return refusedNote(client, phone, right);
    if (right.initial || !phone.skills.includes(right.name)) return null;
    const end = phone.ends?.[right.name];
    const give = (label, options) => button({ label: t(label), kind: 'quiet', press: () => tried(client.devices.allow(phone.id, [right.name], options)) });
    return h('span', { class: 'right-note right-time' },
        h('span', null, end ? t('phones.left', { left: leftOf(end) }) : t('phones.noEnd')),
        give(end ? 'phones.anHourAgain' : 'phones.onlyAnHour', { seconds: HOUR }), end && give('phones.forGood', {}));
}

/** @param {number} end In milliseconds since 1970. */
function leftOf(end) { return format.duration(Math.max(60_000, Math.ceil((end - Date.now()) / 60_000) * 60_000)); }

function refusedNote(client, phone, right) {
    return h('span', { class: 'right-note' },
        h('span', null, t('phones.stillRefused')),
        button({ label: t('phones.unsigned'), kind: 'quiet', press: () => confirmUnsigned(client, phone, right) }));
}

/** Gives a right to a phone, once the person has said yes; fails where nothing changed, so that the switch goes back. */
async function allow(client, phone, right, sure) {
    const isAsked = riskOf(right) === 'privileged' && !sure.isGiven;
    const chosen = isAsked ? await confirmRight(phone, right) : {};
    if (!chosen) throw new Error('kept');
    sure.isGiven ||= isAsked;
    await tried(client.devices.allow(phone.id, [right.name], chosen));
    toast(t('phones.allowed'));
}

/** Takes a right back; fails as `allow` does. */
async function deny(client, phone, right, activities) {
    const loss = await confirmLoss(right, activities);
    if (!loss) throw new Error('kept');
    const { ended } = await tried(client.devices.deny(phone.id, [right.name], loss));
    toastEnded(ended, t('phones.takenBack'));
}

function about(phone) {
    return group({
        title: t('phones.about'),
        rows: [facts([
            [t('phones.where'), whereabouts(phone)],
            [t('phones.pairedWhen'), t('common.at', { when: format.date(phone.pairedAt) })],
            [t('phones.platform'), systemName(phone.platform)],
            [t('phones.protection'), phone.endToEnd ? chip(t('phones.sealed'), 'good', 'lock') : chip(t('phones.notSealed'), 'bad', 'unlock')],
            [t('phones.id'), copyable(phone.id, t('phones.id'))],
        ])],
    });
}

function manage({ client, go }, phone) {
    return group({
        rows: [
            listRow({ lead: icon('list'), title: t('phones.log'), href: `#/audit?phone=${encodeURIComponent(phone.id)}` }),
            listRow({ lead: icon('edit'), title: t('phones.rename'), press: () => askForName(client, phone) }),
            listRow({
                lead: h('span', { class: 'danger-text' }, icon('trash')), title: h('span', { class: 'danger-text' }, t('phones.forget')), detail: t('phones.forgetDetail'),
                press: async () => { if (await forgetPhone(client, phone)) go('/phones', { replace: true }); },
            }),
        ],
    });
}

function runningGroup(client, all) {
    return group({ title: t('phones.running'), rows: all.map((activity) => activityRow(client, activity, { withPhone: false })) });
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
