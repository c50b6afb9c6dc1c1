import { button, emptyState, errorBanner, group, h, icon, iconButton, listRow, openDialog, safeText, skeleton } from '../../kit/index.js';
import { redraw } from '../../kit/redraw.js';
import { t } from '../../i18n/index.js';
import { openEditor, programOf } from './editor.js';
import { runDetail, runPanel } from './run.js';

const SHOWN = 20;

/** The commands that this computer's owner saved, which phones may run each, and what was run. */
export function commandsScreen(context) {
    const { client, life } = context;
    const body = h('div', { class: 'stack' }, skeleton(4));
    let panel = null;
    let isLoading = false;
    let isBehind = false;

    const ask = (method, params = {}) => client.call(method, params, { signal: life.signal });

    async function load() {
        if (isLoading) {
            isBehind = true;
            return;
        }
        isLoading = true;
        try {
            const [{ commands }, { runs }] = await Promise.all([ask('savedCommands.list'), ask('savedCommands.runs', { limit: SHOWN })]);
            if (!life.hasEnded) redraw(body, [commandGroup(commands), ...(runs.length > 0 ? [runGroup(runs)] : [])]);
        } catch (error) {
            if (!life.hasEnded) body.replaceChildren(errorBanner(error, { retry: load }));
        } finally {
            isLoading = false;
            if (isBehind && !life.hasEnded) {
                isBehind = false;
                load();
            }
        }
    }

    const commandGroup = (commands) => (commands.length === 0
        ? emptyState({
            icon: 'keyboard', title: t('commands.ownNone'), text: t('commands.ownNoneText'),
            actions: [button({ label: t('commands.add'), icon: 'plus', kind: 'primary', press: () => openEditor({ client, changed: load }) })],
        })
        : group({
            title: t('commands.ownTitle'), foot: t('commands.ownFoot'),
            rows: commands.map((command) => listRow({
                lead: icon(command.running > 0 ? 'activity' : 'keyboard'), title: safeText(command.name, { limit: 64 }),
                detail: h('span', { class: 'dotted' },
                    h('span', { class: 'dotted-part' }, safeText(programOf(command), { limit: 200, class: 'mono' })),
                    h('span', { class: 'dotted-part' }, t('commands.phones', { count: command.phones.length }))),
                press: () => openEditor({ client, command, changed: load }),
            })),
        }));

    const runGroup = (runs) => group({
        title: t('commands.past'),
        rows: runs.map((run) => listRow({
            lead: icon(run.end ? 'clock' : 'activity'), title: safeText(run.name, { limit: 64 }),
            detail: runDetail(run, safeText(run.deviceName, { limit: 60 })),
            press: () => show(run),
            actions: run.end ? [] : [iconButton({ label: t('commands.stop'), icon: 'stop', press: () => ask('savedCommands.stop', { run: run.run }) })],
        })),
    });

    const show = (run) => {
        const place = h('div', null);
        const dialog = openDialog({ title: t('commands.output'), content: place, size: 'wide', closed: () => { panel = null; } });
        panel = runPanel({
            run, life: dialog.life,
            ask: (offset) => ask('savedCommands.output', { run: run.run, offset }),
            stop: () => ask('savedCommands.stop', { run: run.run }),
        });
        place.replaceChildren(panel.element);
    };

    life.add(client.events('savedCommands', () => {
        panel?.look();
        load();
    }));
    life.add(client.devices.onChange(load));
    load();
    return {
        title: t('nav.commands'), element: body,
        actions: [button({ label: t('commands.add'), icon: 'plus', press: () => openEditor({ client, changed: load }) })],
    };
}
