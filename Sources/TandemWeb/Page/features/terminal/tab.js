import { h } from '../../kit/index.js';
import { followRight } from '../../kit/allowed.js';
import { troubleOf } from '../../kit/trouble.js';
import { Awake } from './awake.js';
import { closeSession, missingXterm, sessionList } from './list.js';
import { newSessionSheet, startSession } from './new-session.js';
import { SessionScreen } from './session.js';
import { listSessions } from './sessions.js';
import { loadXterm } from './xterm.js';
import { Life } from '../../life.js';

/** The terminals of a computer: their list, and the one of the address (`?session=`). */
export async function terminalTab({ client, computer, device, life, route, go, link }) {
    const parts = await loadXterm();
    if (!parts) return { element: missingXterm() };
    const trouble = (error, retry) => troubleOf(error, { client, device, what: 'terminal', right: 'terminal', retry });
    const address = (session) => link('/computers', computer.id, 'terminal', { session });
    const element = h('div', { class: 'terminal-tab-body' });
    let list = null;
    let shown = null;
    let isRefused = false;

    const started = (session, entry) => { screen.adopt(session, entry); go(address(entry.id)); };
    const create = () => startSession({ computer, size: screen.size, signal: life.signal, started });
    const choose = () => newSessionSheet({ computer, device, size: screen.size, started });
    const awake = new Awake(life);
    const screen = new SessionScreen({
        parts, computer, life, address, awake,
        actions: {
            back: address(null), leave: () => go(address(null)), create, choose,
            close: (entry) => closeSession(computer, entry), sessions: () => listSessions(computer, life.signal),
        },
    });
    life.add(computer.reachability((path) => { if (path) screen.reconnect(); }));
    life.add(client.onState((state) => { if (state === 'live') screen.reconnect(); }));

    const update = (next) => {
        const session = next.query.get('session');
        isRefused = false;
        list?.end();
        list = null;
        if (session) {
            element.replaceChildren(screen.element);
            screen.show(session);
            return true;
        }
        awake.want(false);
        list = new Life(life);
        shown = sessionList({
            computer, life: list, create, choose, trouble, open: (id) => go(address(id)),
            close: async (entry) => { if (await closeSession(computer, entry)) update(next); },
        });
        element.replaceChildren(shown);
        return true;
    };
    followRight({ client, device, life }, 'terminal', {
        changed: () => {
            if (isRefused) update(route);
            else if (list) shown.load();
        },
        // What is open ends with the right.
        lost: (error) => {
            list?.end();
            list = null;
            screen.leaveAll();
            awake.want(false);
            isRefused = true;
            element.replaceChildren(trouble(error, () => update(route)));
        },
    });
    // Drawn once the tab stands on the page: a terminal takes its size from its place.
    queueMicrotask(() => requestAnimationFrame(() => { if (!life.hasEnded) update(route); }));
    return { element, update: (next) => { route = next; return update(next); } };
}
