import { button, copyable, errorBanner, facts, group, h, icon, iconButton, listRow, peer, safeText, skeleton } from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';
import { askExport, askPassword, changeNickname } from './acts.js';
import { faceOf } from './face.js';
import { deviceRows } from './devices.js';
import { hubName } from './invitation.js';
import { askDelete, askSignOut } from './leaving.js';

/** Milliseconds that the hub is waited for. */
const PATIENCE = 1500;

/**
 * The account that this phone is signed in to.
 *
 * @param {{client: import('../../client/client.js').Client, life: import('../../life.js').Life}} context
 * @param {import('../../kit/store.js').Store<any, any, any>} store
 * @returns {{element: HTMLElement, draw(state: import('./account-state.js').State): void}}
 */
export function ownAccount(context, store) {
    const place = () => h('div', null);
    const [who, devices, opening] = [place(), place(), place()];
    // What stands below the devices on a phone comes with them, or after a moment: their number is not known, and nothing shall move.
    const rest = h('div', { class: 'stack', hidden: true }, chatsGroup(), opening, dataGroup(context), leaveGroup(context, store));
    context.life.after(PATIENCE, () => { rest.hidden = false; });
    const element = h('div', { class: 'sides' }, h('div', { class: 'stack' }, who, devices), rest);
    /** Draws a part again where what it shows is another value. */
    const parts = [
        { at: who, of: (state) => [state.account, state.profile], make: (state) => whoCard(context, store, state) },
        { at: devices, of: (state) => [state.devices, state.devicesError], make: (state) => devicesGroup(context, store, state) },
        { at: opening, of: (state) => [state.profile, state.profileError], make: (state) => openingGroup(context, store, state) },
    ];
    const drawn = new Map();
    const draw = (state) => {
        if (state.devices || state.devicesError) rest.hidden = false;
        for (const { at, of, make } of parts) {
            const values = of(state);
            if (drawn.get(at)?.every((value, index) => value === values[index])) continue;
            drawn.set(at, values);
            at.replaceChildren(make(state));
        }
    };
    return { element, draw };
}

function whoCard({ client }, store, { account, profile }) {
    const changed = () => store.send({ kind: 'passworded' });
    const shown = account.nickname || account.name;
    return h('section', { class: 'card account-who' },
        h('div', { class: 'account-head' },
            faceOf({ client, shown, user: account.userID, avatar: profile ? profile.avatar : null, changed }),
            h('div', { class: 'row-words' }, safeText(shown, { limit: 64, tag: 'h2', class: 'account-name' }),
                h('span', { class: 'row-detail' }, t('account.at', { name: account.name, hub: hubName(account.hub) }))),
            iconButton({ label: t('account.rename'), icon: 'edit', press: () => changeNickname(client, account, (changed) => store.send({ kind: 'named', account: changed })) })),
        facts([
            [t('account.name'), peer(account.name)],
            [t('account.id'), copyable(account.userID, t('account.id'))],
            [t('account.hub'), peer(hubName(account.hub))],
            [t('account.since'), profile ? t('account.value', { value: format.date(profile.createdAt) }) : t('common.dash')],
        ]));
}

function devicesGroup(context, store, { devices, devicesError, account }) {
    const ask = () => store.send({ kind: 'askedDevices', of: account.device });
    const rows = devicesError ? [errorBanner(devicesError, { retry: ask })]
        : devices ? deviceRows(devices, { client: context.client, ended: (device) => store.send({ kind: 'ended', of: account.device, device }) })
            : [skeleton(2, { height: 60 })];
    return group({ title: t('account.devices'), rows, foot: t('account.devicesFoot') });
}

function openingGroup({ client }, store, { profile, profileError }) {
    const has = profile?.hasPassword ?? false;
    const again = () => store.send({ kind: 'passworded' });
    const password = () => listRow({
        lead: icon('lock'), title: t(has ? 'account.changePassword' : 'account.setPassword'), detail: t(has ? 'account.changePasswordText' : 'account.setPasswordText'),
        press: () => askPassword(client, has, again),
    });
    // Where the hub is away the list of devices says so, once.
    const rest = profile ? password() : profileError ? h('div', { class: 'row' }, button({ label: t('common.retry'), kind: 'quiet', press: again })) : skeleton(1, { height: 60 });
    return group({ title: t('account.opening'), rows: [listRow({ lead: icon('key'), title: t('account.byKey'), detail: t('account.byKeyText') }), rest] });
}

/** What an account is for. */
function chatsGroup() {
    return group({ rows: [
        listRow({ lead: icon('chat'), title: t('account.chats'), detail: t('account.chatsText'), href: '#/chats' }),
        listRow({ lead: icon('key'), title: t('account.sealing'), detail: t('account.sealingText'), href: '#/account/devices' }),
    ] });
}

function dataGroup({ client }) {
    return group({
        title: t('account.data'),
        rows: [listRow({ lead: icon('download'), title: t('account.export'), detail: t(client.self?.hub ? 'account.exportFileText' : 'account.exportText'), press: () => askExport(client) })],
    });
}

function leaveGroup({ client }, store) {
    const left = (way, hub) => store.send({ kind: 'left', way, hub });
    return group({
        title: t('account.leaving'),
        rows: [
            listRow({ lead: icon('log-out'), title: t('account.signOut'), detail: t('account.signOutDetail'), press: () => askSignOut(client, store.state.account, left) }),
            listRow({
                lead: h('span', { class: 'danger-text' }, icon('trash')), title: h('span', { class: 'danger-text' }, t('account.delete')), detail: t('account.deleteDetail'),
                press: () => askDelete(client, store.state.account, left),
            }),
        ],
    });
}
