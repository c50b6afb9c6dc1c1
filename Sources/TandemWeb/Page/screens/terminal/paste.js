import { button, confirm, h, openDialog, safeText, textField } from '../../components/index.js';
import { format, t } from '../../i18n/index.js';

/**
 * Pastes this device's clipboard into a terminal. Where the browser does not let the page read it, a field takes it by hand. Several lines
 * for a program that does not mark what is pasted would run one by one: that is asked first.
 *
 * @param {import('./view.js').TerminalView} view
 */
export async function pasteInto(view) {
    let text;
    try {
        text = await navigator.clipboard.readText();
    } catch {
        text = await askByHand();
    }
    if (!text) return;
    const lines = text.trimEnd().split(/\r\n|\r|\n/).length;
    if (lines > 1 && !view.marksPaste) {
        const isMeant = await confirm({
            title: t('terminal.pasteTitle', { lines: format.number(lines) }),
            text: h('span', null, t('terminal.pasteText'), h('pre', { class: 'terminal-preview' }, safeText(text.slice(0, 600)).textContent.replaceAll('⟨0A⟩', '\n'))),
            action: t('terminal.paste'), kind: 'primary',
        });
        if (!isMeant) return;
    }
    view.paste(text);
}

function askByHand() {
    return new Promise((resolve) => {
        let taken = null;
        const take = () => { taken = field.value; dialog.close(); };
        const field = textField({ label: t('terminal.pasteHere'), hint: t('terminal.pasteHint'), rows: 5, mono: true, enter: take });
        const dialog = openDialog({
            title: t('terminal.paste'), content: field,
            actions: [
                button({ label: t('common.cancel'), press: () => { dialog.close(); } }),
                button({ label: t('terminal.paste'), kind: 'primary', press: take }),
            ],
            closed: () => resolve(taken),
        });
        field.input.focus();
    });
}
