import { fileAddress, h } from '../../kit/index.js';
import { t } from '../../i18n/index.js';

let loading = null;

/**
 * Loads xterm.js, which set-up puts beside the page, once.
 *
 * @returns {Promise<typeof import('/assets/xterm.js') | null>} Null where it was not installed.
 */
export function loadXterm() {
    loading ??= load().catch(() => { loading = null; return null; });
    return loading;
}

async function load() {
    const style = h('link', { rel: 'stylesheet', href: fileAddress('/assets/xterm.css') });
    const styled = new Promise((resolve, reject) => {
        style.addEventListener('load', resolve);
        style.addEventListener('error', () => { style.remove(); reject(new Error('xterm.css')); });
    });
    document.head.append(style);
    const [parts] = await Promise.all([import(fileAddress('/assets/xterm.js')), styled]);
    parts.Terminal.strings.promptLabel = t('terminal.input');
    parts.Terminal.strings.tooMuchOutput = t('terminal.tooMuch');
    return parts;
}

const LIGHT = {
    background: '#fbfcfc', foreground: '#1b2226', cursor: '#0b6a77', cursorAccent: '#ffffff', selectionBackground: '#b7dfe5', selectionInactiveBackground: '#d6e6e9',
    black: '#1b2226', red: '#b3261e', green: '#1a7038', yellow: '#8a5a00', blue: '#1f5fbf', magenta: '#8b3a9e', cyan: '#0b6a77', white: '#5b666d',
    brightBlack: '#66717a', brightRed: '#c9372c', brightGreen: '#22863f', brightYellow: '#9a6a00', brightBlue: '#2f72d6', brightMagenta: '#a04cb3',
    brightCyan: '#107f8e', brightWhite: '#2f393f',
};
const DARK = {
    background: '#0c0f10', foreground: '#e3e8ea', cursor: '#5bc6d6', cursorAccent: '#06282d', selectionBackground: '#1d4a53', selectionInactiveBackground: '#20343a',
    black: '#2b3135', red: '#ff7b70', green: '#5fce86', yellow: '#f0b25c', blue: '#7fb2f7', magenta: '#d89be8', cyan: '#5bc6d6', white: '#d3dadd',
    brightBlack: '#7d8990', brightRed: '#ff9a91', brightGreen: '#86e0a5', brightYellow: '#ffca82', brightBlue: '#a3c9fb', brightMagenta: '#e6b9f1',
    brightCyan: '#8adbe7', brightWhite: '#ffffff',
};

/** The colours of the page's scheme. */
export function palette() {
    const chosen = document.documentElement.dataset.theme;
    const isDark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    return isDark ? DARK : LIGHT;
}

/** Calls `changed` when the page's scheme changes, as long as the life lasts. */
export function onScheme(life, changed) {
    life.listen(matchMedia('(prefers-color-scheme: dark)'), 'change', changed);
    const observer = new MutationObserver(changed);
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    life.add(() => observer.disconnect());
}
