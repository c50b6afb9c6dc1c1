import {
    banner, button, card, chip, confirm, copyText, emptyState, group, h, icon, iconButton, listRow, menuButton, middle, plainText, relativeTime,
    skeleton,
} from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { longPress } from '../../kit/long-press.js';
import { folderOf, listSessions, programName, shellName, shortId } from './sessions.js';

const EVERY = 5000;
/** The command that fetches what is missing. */
const ASSETS = 'bin/page-assets';

/** Starts the login shell by a press; one that lasts, and the button beside it, ask which shell and where. */
function newButtons({ create, choose }) {
    const start = button({ label: t('terminal.new'), icon: 'plus', kind: 'primary', press: create });
    longPress(start, () => choose());
    return [start, iconButton({ label: t('terminal.choose'), icon: 'chevron-down', press: choose })];
}

/** The terminals of a computer. */
export function sessionList({ computer, life, open, create, choose, close, trouble }) {
    const body = h('div', { class: 'stack' }, skeleton(3));
    const element = h('div', { class: 'terminal-list' }, body);
    let shown = '';
    const draw = (sessions) => {
        // Drawn again only when something changed: an open menu stays.
        const now = JSON.stringify(sessions.map(({ lastSeq, ...rest }) => rest));
        if (now === shown) return;
        shown = now;
        if (sessions.length === 0) {
            body.replaceChildren(emptyState({
                icon: 'terminal', title: t('terminal.emptyTitle'), text: t('terminal.emptyText'),
                actions: newButtons({ create, choose }),
            }));
            return;
        }
        const [alive, ended] = [sessions.filter((each) => each.alive), sessions.filter((each) => !each.alive)];
        body.replaceChildren(...[
            h('div', { class: 'terminal-list-head' },
                h('p', { class: 'soft' }, t('terminal.running', { count: alive.length })), h('span', { class: 'terminal-new' }, newButtons({ create, choose }))),
            alive.length > 0 && group({ rows: alive.map(row) }),
            ended.length > 0 && group({ title: t('terminal.endedTitle'), foot: t('terminal.endedFoot'), rows: ended.map(row) }),
        ].filter(Boolean));
    };
    const row = (session) => listRow({
        lead: icon('terminal'),
        title: [
            h('span', { data: { peer: '' } }, programName(session)), h('span', { class: 'mono faint', data: { peer: '' } }, shortId(session.id)),
            session.alive ? chip(t('terminal.alive'), 'good') : chip(t('terminal.ended'), 'idle'),
        ],
        detail: [
            folderOf(session) && middle(plainText(folderOf(session), 200), { tail: 24 }),
            session.alive && session.lastLine && h('span', { class: 'terminal-last mono', data: { peer: '' } }, plainText(session.lastLine, 200)),
            h('span', { class: 'dotted' },
                session.program && programName(session) !== shellName(session.shell) && h('span', { class: 'dotted-part' }, t('terminal.in', { shell: shellName(session.shell) })),
                session.writtenAt && h('span', { class: 'dotted-part' }, t('terminal.written'), ' ', relativeTime(session.writtenAt)),
                session.createdAt && h('span', { class: 'dotted-part' }, t('terminal.started'), ' ', relativeTime(session.createdAt))),
        ],
        actions: session.alive ? [menuButton({
            label: t('terminal.menuOf', { name: `${programName(session)} ${shortId(session.id)}` }),
            items: () => [
                { label: t('terminal.open'), icon: 'terminal', press: () => open(session.id) },
                { label: t('terminal.close'), icon: 'x', kind: 'danger', press: () => close(session) },
            ],
        })] : [],
        press: () => open(session.id),
    });
    const load = async () => {
        try {
            draw(await listSessions(computer, life.signal));
        } catch (error) {
            if (error.code === 'cancelled') return;
            shown = '';
            body.replaceChildren(trouble(error, load));
        }
    };
    load();
    life.every(EVERY, load);
    life.add(computer.events('terminal.exit', load));
    return Object.assign(element, { load });
}

/** Asks, then ends a session. */
export function closeSession(computer, session) {
    return confirm({
        title: t('terminal.closeTitle'), text: t('terminal.closeText'), action: t('terminal.close'),
        work: async () => {
            try {
                await computer.call('terminal.close', { sessionId: session.id });
            } catch (error) {
                // It ended meanwhile, which is what was asked for.
                if (!['session_not_found', 'session_not_alive'].includes(error.detail?.reason)) throw error;
            }
        },
    });
}

/** Shown in place of the terminals while xterm.js is not installed. */
export function missingXterm() {
    return card({ title: t('terminal.missingTitle'), icon: 'terminal' },
        banner({ kind: 'warn', text: t('terminal.missingText') }),
        h('p', null, t('terminal.missingDo')),
        h('div', { class: 'command' }, h('code', { data: { peer: '' } }, ASSETS), h('span', { class: 'terminal-head-space' }),
            iconButton({ label: t('common.copyWhat', { what: ASSETS }), icon: 'copy', press: () => copyText(ASSETS) })),
        h('p', { class: 'soft small' }, t('terminal.missingFoot')));
}
