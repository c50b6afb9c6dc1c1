/**
 * The panes of the threads of one computer: the list, and beside it or in its place the thread of the address.
 *
 * @typedef {Object} Workspace
 * @property {Object<string, string>} query Of the address.
 * @property {boolean} isRoomy There is room for both panes.
 * @property {boolean} hasList The list was made; it stays while a thread stands in its place.
 * @property {boolean} isListSeen
 * @property {number} scrolled So far down the list was left, in pixels.
 * @property {{key: string, thread: {id: string, source: string | null} | null} | null} shown In the main pane; nothing at first, `thread` is null
 *   while none is chosen.
 *
 * @typedef {{kind: 'addressed', query: Object<string, string>, isRoomy: boolean, scrolledTo: number}
 *   | {kind: 'resized', query?: undefined, isRoomy: boolean, scrolledTo: number}} WorkspaceEvent `scrolledTo`: of the page, before anything changes.
 * @typedef {{do: 'layOut', hasBoth: boolean, hasThread: boolean, showsList: boolean, showsMain: boolean, isNarrowed: boolean} | {do: 'makeList'}
 *   | {do: 'updateList'} | {do: 'comeBack', thread: Object | null} | {do: 'open', thread: Object, takesFocus: boolean}
 *   | {do: 'choose'}} WorkspaceEffect
 */

/** @type {Workspace} */
export const initial = { query: {}, isRoomy: false, hasList: false, isListSeen: false, scrolled: 0, shown: null };

/**
 * @param {Workspace} state
 * @param {WorkspaceEvent} event
 * @returns {[Workspace, ...WorkspaceEffect[]]}
 */
export function change(state, event) {
    const { query = state.query, isRoomy } = event;
    const { thread: id = '', source = null, at = null } = query;
    const hasThread = Boolean(id);
    const showsList = isRoomy || !hasThread;
    const key = hasThread ? [id, source, at].join(' ') : '';
    const thread = hasThread ? { id, source } : null;
    const isOther = state.shown?.key !== key;
    const next = {
        query, isRoomy, hasList: state.hasList || showsList, isListSeen: showsList,
        scrolled: state.isListSeen && !state.isRoomy ? event.scrolledTo : state.scrolled,
        shown: isOther ? { key, thread } : state.shown,
    };
    return [
        next,
        // Somebody who looks for something wants to see what is found.
        { do: 'layOut', hasBoth: isRoomy, hasThread, showsList, showsMain: isRoomy || hasThread, isNarrowed: Boolean(query.find || query.folder) },
        showsList && !state.hasList ? { do: 'makeList' } : { do: 'updateList' },
        // The list comes back where it was left, with the keyboard on the thread that was read.
        !state.isListSeen && showsList && !isRoomy && { do: 'comeBack', thread: state.shown?.thread ?? null },
        // The list is gone, and with it what had the focus.
        isOther && (hasThread ? { do: 'open', thread, takesFocus: !isRoomy && state.shown !== null } : { do: 'choose' }),
    ];
}
