import { copyText, h, iconButton } from '../../components/index.js';
import { t } from '../../i18n/index.js';
import { beginning, said } from './text.js';
import { agentIcon, agentName } from './words.js';

/** Letters that are shown of how an agent is installed. */
const MOST = 1000;

/**
 * An agent that is not on the computer, in one line; how it comes there opens below, each command with a button that copies it.
 *
 * @param {{source: string, name?: string, reason?: string}} agent
 */
export function missingAgent({ source, name, reason }) {
    // What stands between backticks is typed: the program writes its advice so.
    const parts = beginning(String(reason ?? ''), MOST).split('`');
    return h('details', { class: 'missing-agent' },
        h('summary', { class: 'missing-line' }, agentIcon(source, { size: 18 }), h('span', { class: 'missing-words' }, agentName(source, name), ' ', t('threads.notHere')),
            reason && h('span', { class: 'missing-how' }, t('threads.how'))),
        h('div', { class: 'missing-text' }, parts.map((part, at) => (at % 2 ? command(part) : sentence(part) && said(sentence(part), { tag: 'p' })))));
}

/** A part of the advice without the mark that joined it to a command. */
function sentence(part) { return part.replace(/^[\s,.;:]+/, '').trim(); }

function command(text) {
    return h('div', { class: 'command' }, h('code', { data: { peer: '' } }, text),
        iconButton({ label: t('common.copyWhat', { what: t('threads.command') }), icon: 'copy', press: () => copyText(text) }));
}
