import { plainText } from '../../kit/index.js';

/** Terminals as the computer lists them, and the words for them. */

/** @returns {Promise<Object[]>} Running ones first, then by their age, newest first. */
export async function listSessions(computer, signal) {
    return sessionsIn(await computer.call('terminal.list', { subscribe: false }, { signal }));
}

/**
 * The shells that can be started at a computer: those that it names, else those that computers of its platform usually have.
 *
 * @returns {Promise<string[]>}
 */
export async function shellsOf(computer, { platform }) {
    const answer = await computer.call('terminal.list', { subscribe: false }).catch(() => null);
    const named = Array.isArray(answer?.shells) ? answer.shells.filter((each) => typeof each === 'string').map((each) => plainText(each, 20)) : [];
    return named.length > 0 ? named.slice(0, MOST_SHELLS) : SHELLS[platform] ?? SHELLS.linux;
}

function sessionsIn(answer) {
    // Other programs answer with the list itself.
    const sessions = Array.isArray(answer) ? answer : answer.sessions ?? [];
    return sessions.filter((each) => typeof each?.id === 'string')
        .map((each) => ({ ...each, alive: each.alive ?? true }))
        .sort((a, b) => b.alive - a.alive || (b.createdAt ?? 0) - (a.createdAt ?? 0));
}

/** `bash` of `/bin/bash`. */
export function shellName(shell) {
    return plainText((shell ?? '').split(/[\\/]/).at(-1).replace(/\.exe$/i, '') || '?', 40);
}

/** What has the terminal now, where the computer tells; else its shell. */
export function programName({ alive, program, shell }) { return alive && typeof program === 'string' && program ? plainText(program, 40) : shellName(shell); }

/** Where that works, where the computer tells; else where the shell was started. */
export function folderOf({ alive, currentCwd, cwd }) { return alive && typeof currentCwd === 'string' && currentCwd ? currentCwd : cwd; }

/** Enough of an id to tell two apart. */
export function shortId(id) { return plainText(id.replace(/^s-/, '').slice(0, 6), 12); }

const SHELLS = { win32: ['pwsh', 'cmd', 'wsl', 'bash'], darwin: ['zsh', 'bash', 'sh', 'pwsh'], linux: ['bash', 'zsh', 'fish', 'sh'] };
/** Shells that are offered. */
const MOST_SHELLS = 8;
