import { isSaidBy } from './item.js';

/**
 * A person's mark on notifications: which of them, and what becomes of them. `upTo` is the last change that the person can have seen.
 *
 * @typedef {{kind: 'read' | 'deleted', ids?: string[], upTo?: number, before?: number, source?: string}} Mark Without ids it is about all of them.
 *
 * What a row notes of a mark: the command that carries it, none once the computer did it, and how far it reaches.
 *
 * @typedef {{command: string | null, upTo?: number, before?: number}} Held
 */

/** The method of a computer that does what a mark says, with its parameters. @param {Mark} mark */
export function callOf(mark) {
    const { kind, ids, upTo, before, source } = mark;
    const number = upTo === undefined ? {} : { upTo };
    if (ids) return { method: kind === 'read' ? 'notification.markAsRead' : 'notification.delete', params: { ids, ...number } };
    if (kind === 'read') return { method: 'notification.markAllAsRead', params: number };
    if (before === undefined && source === undefined) return { method: 'notification.clearAll', params: number };
    return { method: 'notification.clearHistory', params: { ...(before !== undefined && { before }), ...(source !== undefined && { type: source }) } };
}

/** @param {string} command @param {Mark} mark @returns {Held} */
export function heldOf(command, mark) {
    const { ids, upTo, before } = mark;
    if (ids) return { command };
    return { command, ...(upTo !== undefined && { upTo }), ...(before !== undefined && { before }) };
}

/** Whether a held mark is about a notification as the computer tells it now. @param {Held} held */
export function reaches(held, item) {
    const { upTo, before } = held;
    if (upTo !== undefined) return isSaidBy(item, upTo);
    return before === undefined || item.createdAt < before;
}

/** Whether a mark is about a row that is shown. @param {Mark} mark */
export function concerns(mark, row) {
    const { kind, ids, upTo, before, source } = mark;
    const isUnread = !row.item.read && !row.readBy;
    if (ids) return ids.includes(row.id) && (kind === 'deleted' || isUnread);
    if (kind === 'read' && !isUnread) return false;
    if (before !== undefined && row.createdAt >= before) return false;
    if (source !== undefined && row.item.source !== source) return false;
    return upTo === undefined || row.item.sequence === undefined || isSaidBy(row.item, upTo);
}
