import { button, errorBanner, errorText, errorToast, h, openDialog, textField } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { shellsOf } from './sessions.js';

/**
 * The sheet that starts a terminal. It stays open until the computer has started it, so that what was wrong can be mended.
 *
 * @param {Object} options
 * @param {Object} options.computer
 * @param {{platform: string}} options.device
 * @param {{cols: number, rows: number}} options.size
 * @param {(session: import('../../client/client.js').Terminal, entry: Object) => void} options.started
 */
export function newSessionSheet({ computer, device, size, started }) {
    const trouble = h('div', { class: 'stack close' });
    const isWindows = device.platform === 'win32';
    const shell = textField({
        label: t('terminal.shell'), hint: t('terminal.shellHint'), placeholder: t('terminal.shellStandard'), mono: true, enter: () => start.click(),
        attributes: { autocapitalize: 'none' },
    });
    const folder = textField({
        label: t('terminal.folder'), hint: t('terminal.folderHint'), placeholder: isWindows ? 'C:\\Users\\…' : '~', mono: true, enter: () => start.click(),
        attributes: { autocapitalize: 'none' },
    });
    const choices = h('div', { class: 'terminal-shells' });
    shellsOf(computer, device).then((names) => choices.replaceChildren(...names.map((name) => h('button', {
        type: 'button', class: 'button', data: { ownName: '', peer: '' },
        on: { click: () => { shell.value = name; shell.input.dispatchEvent(new Event('input')); shell.input.focus(); } },
    }, name))));
    const start = button({ label: t('terminal.start'), kind: 'primary', press: async () => {
        trouble.replaceChildren();
        const wanted = { shell: shell.value.trim() || undefined, cwd: folder.value.trim() || undefined };
        try {
            const session = await computer.terminal({ ...wanted, ...size, signal: dialog.life.signal });
            dialog.close();
            started(session, { id: session.sessionId, shell: wanted.shell ?? '', cwd: wanted.cwd ?? '', alive: true });
        } catch (error) {
            if (error.code === 'cancelled') return;
            const { reason } = error.detail;
            if (reason === 'shell_not_allowed') {
                shell.fail(errorText(error));
                shell.input.focus();
            } else if (error.code === 'bad-request' && !reason && wanted.cwd) {
                // Of what is typed here only the folder is refused without a word.
                folder.fail(t('terminal.badFolder'));
                folder.input.focus();
            } else {
                trouble.replaceChildren(errorBanner(error));
            }
        }
    } });
    const dialog = openDialog({
        title: t('terminal.newTitle'),
        content: [shell, choices, folder, trouble],
        actions: [button({ label: t('common.cancel'), press: () => { dialog.close(); } }), start],
    });
    shell.input.focus();
}

/**
 * Starts the login shell in the home folder without a question; what is wrong is said in a word at the foot.
 *
 * @param {Object} options
 * @param {Object} options.computer
 * @param {{cols: number, rows: number}} options.size
 * @param {AbortSignal} options.signal
 * @param {(session: import('../../client/client.js').Terminal, entry: Object) => void} options.started
 */
export async function startSession({ computer, size, signal, started }) {
    try {
        const session = await computer.terminal({ ...size, signal });
        started(session, { id: session.sessionId, shell: '', cwd: '', alive: true });
    } catch (error) {
        if (error.code !== 'cancelled') errorToast(error);
    }
}
