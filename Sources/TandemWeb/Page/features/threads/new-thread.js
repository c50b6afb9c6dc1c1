import { button, errorBanner, find, h, iconButton, openDialog, safeText, skeleton, textField, uniqueId } from '../../kit/index.js';
import { byteCount } from '../../kit/bytes.js';
import { format, t } from '../../i18n/index.js';
import { Attachments } from '../../kit/attachments.js';
import { MOST_TEXT_BYTES } from './composer.js';
import { draftFor } from '../../kit/drafts.js';
import { missingAgent } from './missing.js';
import { agentIcon, agentName } from './words.js';

const LAST = 'tandem.threads.agent';
const SUGGESTED = 40;

/**
 * Asks for what a new thread begins with: the agent, the folder, and the first message.
 *
 * @param {{threads: Object, folder: string | null, trouble: (error: Object, retry: Function) => Node, started: (thread: Object) => void}} options
 */
export function newThread({ threads, folder: wanted, trouble: explain, started }) {
    const body = h('div', { class: 'new-thread' }, skeleton(4, { height: 60 }));
    const start = button({ label: t('threads.start'), icon: 'arrow-up', kind: 'primary', press: () => begin() });
    start.disabled = true;
    const dialog = openDialog({
        title: t('threads.new'), content: body,
        actions: [button({ label: t('common.cancel'), press: () => { dialog.close(); } }), start],
    });
    let begin = async () => {};

    const load = async () => {
        try {
            const [{ agents = [] }, { folders = [] }] = await Promise.all([
                threads.agents({ signal: dialog.life.signal }), threads.folders({}, { signal: dialog.life.signal }).catch(() => ({})),
            ]);
            if (!dialog.life.hasEnded) draw(agents, folders);
        } catch (error) {
            if (!dialog.life.hasEnded) body.replaceChildren(explain(error, load));
        }
    };

    const draw = (agents, folders) => {
        const can = ({ is_installed: isInstalled, can_start: canStart }) => isInstalled && canStart !== false;
        const usable = agents.filter(can);
        const last = localStorage.getItem(LAST);
        let source = (usable.find((agent) => agent.source === last) ?? usable[0])?.source ?? null;
        const name = uniqueId('agent');
        const choices = agents.filter((agent) => agent.is_installed).map((agent) => {
            const id = uniqueId('agent');
            const input = h('input', { type: 'radio', name, id, value: agent.source, checked: agent.source === source, disabled: !can(agent), on: { change: () => { source = agent.source; } } });
            return h('label', { class: ['agent-choice', !can(agent) && 'is-off'], htmlFor: id }, input, agentIcon(agent.source, { size: 22 }),
                h('span', { class: 'row-words' }, h('span', { class: 'row-title' }, agentName(agent.source, agent.name), agent.version && h('span', { class: 'small soft number', data: { peer: '' } }, String(agent.version).slice(0, 40))),
                    !can(agent) && h('span', { class: 'row-detail' }, agent.reason ? safeText(agent.reason, { limit: 300 }) : t('threads.cannotStart'))));
        });
        const folder = textField({
            label: t('threads.folder'), value: wanted ?? folders[0]?.cwd ?? '', mono: true, hint: t('threads.folderHint'), attributes: { autocapitalize: 'none', maxLength: 4000 },
            suggestions: folders.slice(0, SUGGESTED).map(({ cwd }) => cwd),
        });
        for (const option of folder.querySelectorAll('option')) option.dataset.peer = '';
        const draft = draftFor(threads.place, 'new', '');
        const message = textField({ label: t('threads.firstMessage'), rows: 5, value: draft.text, attributes: { spellcheck: true }, input: (text) => draft.keep(text), enter: () => start.click() });
        const attachments = new Attachments({ changed: () => {} });
        const trouble = h('div', null);
        body.replaceChildren(...[
            choices.length > 0 && h('fieldset', { class: 'agent-choices' }, h('legend', { class: 'field-label' }, t('threads.agent')), choices),
            h('div', { class: 'missing-agents' }, agents.filter((agent) => !agent.is_installed).map(missingAgent)),
            usable.length === 0 && h('p', { class: 'small soft' }, t('threads.noAgent')), usable.length > 0 && folder, usable.length > 0 && message,
            usable.length > 0 && h('div', { class: 'new-files' }, iconButton({ label: t('threads.attach'), icon: 'paperclip', press: () => { attachments.pick(); } }), attachments.element, attachments.trouble),
            trouble,
        ].filter(Boolean));
        start.disabled = usable.length === 0;
        start.hidden = usable.length === 0;
        message.input.focus();

        begin = async () => {
            const [cwd, text] = [folder.value.trim(), message.value];
            folder.fail(cwd ? null : t('threads.folderNeeded'));
            message.fail(text.trim() ? null : t('threads.messageNeeded'));
            if (byteCount(text) > MOST_TEXT_BYTES) message.fail(t('threads.tooLong', { limit: format.bytes(MOST_TEXT_BYTES) }));
            const failed = find(body, '.failed .input');
            if (failed) { failed.focus(); return; }
            trouble.replaceChildren();
            try {
                const { thread } = await threads.start({ source, cwd, text, ...(!attachments.isEmpty && { attachments: attachments.values }) });
                localStorage.setItem(LAST, source);
                draft.keep('');
                dialog.close();
                started(thread);
            } catch (error) {
                if (error.code === 'not-allowed') body.replaceChildren(explain(error, load));
                else trouble.replaceChildren(errorBanner(error, { text: t('threads.notStarted') }));
                // Below what is typed, where nobody may be looking.
                trouble.scrollIntoView({ block: 'nearest' });
            }
        };
    };
    load();
}
