import {
    button, confirm, emptyState, errorBanner, group, h, icon, openDialog, plainText, safeText, skeleton, textField, toast,
} from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';
import { redraw } from '../../kit/redraw.js';
import { selectField } from '../../kit/select.js';
import { portRow } from './row.js';

const EVERY = 3000;

/** The ports of this computer that phones may open, and what they have open now. */
export function portsScreen({ client, life, chrome }) {
    const body = h('div', { class: 'stack' }, skeleton(3, { height: 64 }));
    const screen = { title: t('ports.ownTitle'), element: body, actions: [] };
    let phones = [];

    const load = async () => {
        try {
            const list = await client.call('ports.list', {}, { signal: life.signal });
            if (!life.hasEnded) draw(list);
        } catch (error) {
            if (!life.hasEnded && error.code !== 'cancelled') redraw(body, [errorBanner(error, { retry: load })]);
        }
    };
    const draw = (list) => {
        phones = list.phones;
        screen.actions = [button({ label: t('ports.allow'), icon: 'plus', kind: 'primary', press: () => askForPort(client, phones, load) })];
        chrome.titled(screen);
        redraw(body, [
            list.ports.length > 0
                ? group({ title: t('ports.ownList'), foot: t('ports.ownFoot'), rows: list.ports.map((port) => row(port, list.open)) })
                : emptyState({ icon: 'network', title: t('ports.ownNone'), text: t('ports.ownNoneText') }),
            phones.length === 0 && h('p', { class: 'small soft' }, t('ports.nobody')),
        ].filter(Boolean));
    };
    const row = (port, all) => {
        const open = all.filter((each) => each.port === port.port && (!port.phone || each.phone === port.phone));
        return portRow({
            lead: icon('network'), title: port.name ? safeText(port.name, { limit: 64 }) : t('ports.port', { port: port.port }),
            detail: h('span', { class: 'dotted' }, [
                t('ports.address', { port: port.port }), port.phone ? safeText(port.phoneName, { limit: 64 }) : t('ports.everyPhone'),
                ...open.map((each) => [
                    safeText(each.phoneName, { limit: 64 }), ' ',
                    t('ports.through', { count: each.connections, received: format.bytes(each.received), sent: format.bytes(each.sent) }),
                ]),
            ].map((each) => h('span', { class: 'dotted-part' }, each))),
            actions: [button({ label: t('ports.deny'), press: () => deny(port) })],
        });
    };
    const deny = async (port) => {
        const isDone = await confirm({
            title: t('ports.denyTitle', { port: port.port }), text: t('ports.denyText'), action: t('ports.deny'),
            work: () => client.call('ports.deny', { port: port.port, ...(port.phone ? { phone: port.phone } : { everyPhone: true }) }),
        });
        if (isDone) { toast(t('ports.denied')); load(); }
    };

    life.add(client.events('ports', load));
    life.add(client.devices.onChange(load));
    life.every(EVERY, load);
    load();
    return screen;
}

/** Asks which port, what it is called and for whom. */
async function askForPort(client, phones, done) {
    // What listens now is an offer: a port can be listed before its program begins.
    const { ports: found } = await client.call('ports.found', {}).catch(() => ({ ports: [] }));
    const trouble = h('div', { class: 'notices' });
    let phone = '';
    const number = textField({ label: t('ports.number'), hint: t('ports.numberHint'), attributes: { inputMode: 'numeric', maxLength: 5 }, enter: () => save() });
    const name = textField({ label: t('ports.name'), hint: t('ports.nameHint'), attributes: { maxLength: 64 }, enter: () => save() });
    const who = selectField({
        label: t('ports.who'), value: phone, change: (id) => { phone = id; },
        options: [{ id: '', label: t('ports.everyPhone') }, ...phones.map((each) => ({ id: each.id, label: plainText(each.name, 64), isPeers: true }))],
    });
    const save = async () => {
        const port = Number(number.value.normalize('NFKC').trim());
        if (!Number.isInteger(port) || port < 1 || port > 65535) { number.fail(t('reason.noPort')); return; }
        number.fail(null);
        try {
            await client.call('ports.allow', { port, name: name.value.trim(), ...(phone && { phone }) });
            dialog.close();
            toast(t('ports.allowed'));
            done();
        } catch (error) {
            trouble.replaceChildren(errorBanner(error));
        }
    };
    const offered = found.slice(0, 12).map(({ port, program }) => button({
        label: program ? t('ports.offer', { port, program: plainText(program, 32) }) : String(port), kind: 'quiet',
        press: () => { number.value = String(port); number.fail(null); },
    }));
    const dialog = openDialog({
        title: t('ports.allow'),
        content: [
            offered.length > 0 && h('div', null, h('p', { class: 'small soft' }, t('ports.found')), h('div', { class: 'row-actions' }, offered)),
            number, name, h('p', { class: 'field-label' }, t('ports.who')), who, trouble,
        ].filter(Boolean),
        actions: [
            button({ label: t('common.cancel'), press: () => { dialog.close(); } }),
            button({ label: t('ports.allowIt'), kind: 'primary', press: save }),
        ],
    });
}
