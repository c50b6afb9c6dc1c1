import { button, confirm, errorBanner, h, openDialog, plainText, safeText, switchRow, textField } from '../../kit/index.js';
import { quoted } from '../../kit/shell.js';
import { t } from '../../i18n/index.js';

/** What a command runs, as one line that a shell reads so. */
export function programOf({ shell, arguments: words }) {
    return shell ?? (words ?? []).map((word) => (/^[\w\-./:=,@+%]+$/.test(word) ? word : quoted(word))).join(' ');
}

/**
 * Adds a command, or changes one and who may run it.
 *
 * @param {{client: import('../../client/client.js').Client, command?: any, changed: () => void}} options
 */
export function openEditor({ client, command = null, changed }) {
    const trouble = h('div', null);
    const name = textField({ label: t('commands.name'), value: command?.name ?? '', hint: t('commands.nameHint'), attributes: { maxLength: 64, autocapitalize: 'none' } });
    const line = textField({ label: t('commands.line'), value: command?.shell ?? '', hint: t('commands.lineHint'), mono: true, rows: 3 });
    // Words without a shell are changed where they can be typed as words.
    const words = command?.arguments && h('div', { class: 'field' },
        h('div', { class: 'field-label' }, t('commands.line')), h('pre', { class: 'run-output mono', dir: 'auto', data: { peer: '' } }, plainText(programOf(command), 4000)),
        h('div', { class: 'field-hint' }, t('commands.wordsHint')));
    const folder = textField({ label: t('commands.folder'), value: command?.folder ?? '', hint: t('commands.folderHint'), mono: true });
    const limit = textField({ label: t('commands.limit'), value: command?.timeout ? String(command.timeout) : '', hint: t('commands.limitHint'), attributes: { inputMode: 'numeric' } });
    let asks = command?.confirm ?? false;
    const question = switchRow({ label: t('commands.confirm'), detail: t('commands.confirmDetail'), on: asks, change: (on) => { asks = on; } });
    const phones = h('div', null);

    const save = async () => {
        const seconds = limit.value.trim() === '' ? 0 : Number(limit.value);
        if (!Number.isInteger(seconds) || seconds < 0) {
            limit.fail(t('commands.limitHint'));
            return;
        }
        const more = { name: name.value.trim(), confirm: asks, ...(words ? {} : { shell: line.value.trim() }) };
        try {
            if (command) await client.call('savedCommands.change', { command: command.id, ...more, folder: folder.value.trim(), timeout: seconds });
            else await client.call('savedCommands.add', { ...more, ...(folder.value.trim() && { folder: folder.value.trim() }), ...(seconds && { timeout: seconds }) });
        } catch (error) {
            trouble.replaceChildren(errorBanner(error));
            return;
        }
        changed();
        dialog.close();
    };

    const remove = async () => {
        const isDone = await confirm({
            title: t('commands.removeTitle', { name: plainText(command.name, 64) }), text: t('commands.removeText'), action: t('commands.remove'),
            work: () => client.call('savedCommands.remove', { command: command.id }),
        });
        if (!isDone) return;
        changed();
        dialog.close();
    };

    const dialog = openDialog({
        title: t(command ? 'commands.edit' : 'commands.add'), size: 'wide',
        content: h('div', { class: 'stack command-editor' }, trouble, name, words ?? line, folder, limit, h('div', { class: 'card rows' }, question), phones),
        actions: [
            command && button({ label: t('commands.remove'), icon: 'trash', press: remove }),
            button({ label: t('commands.save'), kind: 'primary', press: save }),
        ].filter(Boolean),
    });
    if (command) phoneSwitches(client, command, { changed, life: dialog.life }).then((element) => phones.replaceChildren(element));
    return dialog;
}

/** A switch for each phone of this computer. */
async function phoneSwitches(client, command, { changed, life }) {
    const devices = await client.devices.list().catch(() => []);
    if (life.hasEnded) return h('div', null);
    if (devices.length === 0) return h('p', { class: 'small soft' }, t('commands.noPhones'));
    const permit = async (device, allowed) => {
        await client.call('savedCommands.permit', { command: command.id, device, allowed });
        changed();
    };
    return h('section', { class: 'group' },
        h('h2', { class: 'group-title' }, t('commands.who')),
        h('div', { class: 'card rows' }, devices.map((device) => switchRow({
            label: safeText(device.name, { limit: 60 }), detail: device.skills?.includes('commands') ? null : t('commands.lacksRight'),
            on: command.phones.some(({ id }) => id === device.id || id === device.did), change: (on) => permit(device.did ?? device.id, on),
        }))));
}
