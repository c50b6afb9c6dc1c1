import { copyText, h, iconButton } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { isolated } from '../../kit/isolated.js';
import { beginning, said } from '../../kit/said.js';
import { agentIcon, agentName } from './words.js';

/** Letters that are shown of how an agent is installed. */
const MOST = 1000;

/**
 * An agent that is not on the computer, in one line; how it comes there opens below, each command with a button that copies it.
 *
 * @param {{source: string, name?: string, reason?: string, install?: {program: string, command?: string, sign_in?: string}}} agent
 */
export function missingAgent({ source, name, reason, install }) {
    return h('details', { class: 'missing-agent' },
        h('summary', { class: 'missing-line' }, agentIcon(source, { size: 18 }), h('span', { class: 'missing-words' }, agentName(source, name), ' ', t('threads.notHere')),
            (reason || install) && h('span', { class: 'missing-how' }, t('threads.how'))),
        h('div', { class: 'missing-text' }, steps(install) ?? advice(reason)));
}

/** How it comes onto the computer, in the page's words; null where the computer tells no commands. */
function steps(install) {
    const [program, byCommand, signIn] = ['program', 'command', 'sign_in'].map((name) => (typeof install?.[name] === 'string' ? beginning(install[name], MOST) : ''));
    if (!program) return null;
    return [
        byCommand && [h('p', null, t('threads.install')), command(byCommand)],
        signIn && [h('p', null, t('threads.signIn')), command(signIn)],
        h('p', null, t(byCommand ? 'threads.onPath' : 'threads.installOwn', { program: isolated(program) })),
    ];
}

/** The computer's own words; what stands between backticks in them is typed. */
function advice(reason) {
    const parts = beginning(String(reason ?? ''), MOST).split('`');
    return parts.map((part, at) => (at % 2 ? command(part) : sentence(part) && said(sentence(part), { tag: 'p' })));
}

/** A part of the advice without the mark that joined it to a command. */
function sentence(part) { return part.replace(/^[\s,.;:]+/, '').trim(); }

function command(text) {
    return h('div', { class: 'command' }, h('code', { data: { peer: '' } }, text),
        iconButton({ label: t('common.copyWhat', { what: t('threads.command') }), icon: 'copy', press: () => copyText(text) }));
}
