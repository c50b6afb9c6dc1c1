import { plainText } from '../../kit/index.js';

/** Terminals as the computer lists them, and the words for them. */

/** @returns {Promise<Object[]>} Running ones first, then by their age, newest first. */
export async function listSessions(computer, signal) {
    const answer = await computer.call('terminal.list', { subscribe: false }, { signal });
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

/** Enough of an id to tell two apart. */
export function shortId(id) { return plainText(id.replace(/^s-/, '').slice(0, 6), 12); }

const SHELLS = { win32: ['pwsh', 'cmd', 'wsl', 'bash'], darwin: ['zsh', 'bash', 'sh', 'pwsh'], linux: ['bash', 'zsh', 'fish', 'sh'] };

/** Shells that computers of a platform usually have. */
export function suggestedShells(platform) { return SHELLS[platform] ?? SHELLS.linux; }
