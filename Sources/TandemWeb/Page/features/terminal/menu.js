import { copyText, toast } from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';
import { findStrip } from './find.js';

/** As xterm.js tells one, which Option is about. */
const IS_MAC = ['Macintosh', 'MacIntel', 'MacPPC', 'Mac68K'].includes(navigator.platform);

/**
 * What can be done with the terminal that is shown.
 *
 * @param {import('./view.js').TerminalView} view
 * @param {{hasEnded: boolean, awake: import('./awake.js').Awake, strip: (kind: string, element: HTMLElement | null) => void, choose: () => any, paste: () => any, close: () => any}} options
 * @returns {Object[]} As `menuButton` takes them.
 */
export function terminalMenu(view, { hasEnded, awake, strip, choose, paste, close }) {
    const resize = (by) => {
        view.fontSize += by;
        toast(t('terminal.sizeNow', { size: format.number(view.fontSize) }), 'info');
    };
    const option = {
        label: t(view.optionIsMeta ? 'terminal.optionLayout' : 'terminal.optionMeta'), icon: 'keyboard', press: () => { view.optionIsMeta = !view.optionIsMeta; },
    };
    const light = {
        label: t(awake.isOn ? 'terminal.awakeOff' : 'terminal.awakeOn'), icon: 'screen', press: () => { awake.isOn = !awake.isOn; },
    };
    return [
        { label: t('terminal.copy'), icon: 'copy', disabled: !view.selection, press: () => copyText(view.selection) },
        { label: t('terminal.paste'), icon: 'paste', disabled: hasEnded, press: paste },
        { label: t('terminal.selectAll'), icon: 'text', press: () => view.selectAll() },
        { label: t('terminal.find'), icon: 'search', press: () => strip('find', findStrip(view, () => { strip('find', null); view.focus(); })) },
        { label: t('terminal.larger'), icon: 'zoom-in', press: () => resize(1) },
        { label: t('terminal.smaller'), icon: 'zoom-out', press: () => resize(-1) },
        { label: t(view.readsAloud ? 'terminal.readerOff' : 'terminal.readerOn'), icon: 'eye', press: () => { view.readsAloud = !view.readsAloud; } },
        ...(awake.isThere ? [light] : []),
        ...(IS_MAC ? [option] : []),
        { label: t('terminal.choose'), icon: 'plus', press: choose },
        { label: t('terminal.close'), icon: 'x', kind: 'danger', disabled: hasEnded, press: close },
    ];
}
