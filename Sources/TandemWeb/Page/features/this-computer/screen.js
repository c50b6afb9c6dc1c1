import {
    banner, button, chip, copyable, copyText, errorBanner, facts, group, h, icon, iconButton, listRow, peer, plainText, safeText, skeleton,
} from '../../kit/index.js';
import { hasText, t } from '../../i18n/index.js';
import { comparedWords, systemName } from '../../kit/phone.js';
import { serverRow } from '../../kit/servers.js';
import { together } from '../../kit/together.js';
import { appearanceGroup, signOutGroup } from '../../kit/appearance.js';

/** What this computer is, where phones reach it, what does not work and how to mend it; and how this page looks. */
export function thisComputerScreen({ client, life }) {
    const who = h('div', { class: 'stack' }, skeleton(4, { height: 52 }));
    const health = h('div', null, skeleton(4, { height: 60 }));

    const loadWho = async () => {
        try {
            const status = await client.call('status', {}, { signal: life.signal });
            if (!life.hasEnded) who.replaceChildren(...identity(client, status), servers(status), addresses(status));
        } catch (error) {
            if (!life.hasEnded) who.replaceChildren(errorBanner(error, { retry: loadWho }));
        }
    };
    const loadHealth = async () => {
        try {
            const { checks } = await client.call('doctor', {}, { signal: life.signal });
            if (!life.hasEnded) health.replaceChildren(findings(checks, loadHealth));
        } catch (error) {
            if (!life.hasEnded) health.replaceChildren(errorBanner(error, { retry: loadHealth }));
        }
    };
    for (const topic of ['servers', 'reset']) life.add(client.events(topic, loadWho));
    return {
        title: t('doctor.title'),
        element: together([
            h('div', { class: 'sides' }, who, h('div', { class: 'stack' }, health, appearanceGroup(), signOutGroup(client))),
        ], [loadWho(), loadHealth()], { rows: 7, life }),
    };
}

function identity(client, status) {
    return [
        comparedWords(t('doctor.words'), status.fingerprint),
        group({
            title: t('doctor.about'),
            rows: [facts([
                [t('settings.name'), safeText(status.name)],
                [t('phones.platform'), systemName(client.self.platform)],
                [t('settings.version'), peer(status.version)],
                [t('settings.id'), copyable(status.did, t('settings.id'))],
            ])],
        }),
    ];
}

function servers(status) {
    const own = status.addresses?.lan?.[0] ?? null;
    return group({
        title: t('doctor.servers'),
        rows: [
            ...status.servers.map((server) => serverRow(server, server.name === 'hub' ? status.hub : own)),
            !status.hub && listRow({
                lead: h('span', { class: 'soft' }, icon('hub')), title: t('doctor.noHub'), detail: t('doctor.noHubText'),
            }),
        ],
    });
}

/** Where a phone that has to be told can find this computer. */
function addresses(status) {
    const all = [...(status.addresses?.lan ?? []), ...(status.addresses?.relays ?? [])];
    if (all.length === 0) return banner({ kind: 'warn', text: t('doctor.noAddress'), detail: t('doctor.noAddressText') });
    return group({
        title: t('doctor.addresses'), foot: t('doctor.addressesFoot'),
        rows: all.map((address) => h('div', { class: 'row address-row' }, copyable(address, t('doctor.address')))),
    });
}

/** What is broken stands first, with the command that mends it; what works is folded away. */
function findings(checks, again) {
    const failing = checks.filter(({ works }) => !works).sort((a, b) => Number(b.needed) - Number(a.needed));
    const working = checks.filter(({ works }) => works);
    return group({
        title: t('doctor.health'),
        action: button({ label: t('doctor.again'), icon: 'refresh', kind: 'quiet', press: again }),
        rows: [
            failing.length === 0 && listRow({ lead: h('span', { class: 'good-text' }, icon('check')), title: t('doctor.allWell') }),
            ...failing.map(failingRow),
            working.length > 0 && h('details', { class: 'disclosure working' },
                h('summary', null, icon('chevron-right', { size: 18 }), h('span', null, t('doctor.working', { count: working.length }))),
                working.map((check) => listRow({ lead: h('span', { class: 'good-text' }, icon('check')), title: nameOf(check), detail: detailOf(check) }))),
        ],
    });
}

/** What was looked at, in the page's words where it knows it. */
function nameOf({ name }) {
    const agent = /^agent (.+)$/s.exec(name)?.[1];
    if (agent) return h('span', { dir: 'auto' }, t('doctor.check.agent', { name: plainText(agent, 60) }));
    const key = `doctor.check.${name.toLowerCase().replace('connection to', 'connection').replace(/[^a-z]+/g, '-')}`;
    return hasText(key) ? t(key) : peer(name);
}

/** What was found: the page's sentence for the reason that the program names, else the program's own words. */
function detailOf({ reason, values, detail }) {
    const key = `doctor.says.${reason}`;
    if (!reason || !hasText(key)) return peer(detail);
    const shown = Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, typeof value === 'string' ? plainText(value, 300) : value]));
    return h('span', { dir: 'auto' }, t(key, shown));
}

function failingRow(check) {
    return h('div', { class: 'finding' },
        h('span', { class: check.needed ? 'danger-text' : 'warn-text' }, icon('warning')),
        h('div', { class: 'row-words' },
            h('div', { class: 'row-title' }, nameOf(check), chip(t(check.needed ? 'doctor.broken' : 'doctor.missing'), check.needed ? 'bad' : 'warn')),
            h('div', { class: 'row-detail' }, detailOf(check)),
            check.mend && h('div', { class: 'command' }, peer(check.mend, 'code'),
                iconButton({ label: t('common.copyWhat', { what: t('doctor.command') }), icon: 'copy', press: () => copyText(check.mend) }))));
}
