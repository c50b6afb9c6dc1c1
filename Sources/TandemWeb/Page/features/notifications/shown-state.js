/**
 * Which notification the address names, and whether its sheet is open.
 *
 * @typedef {Object} Shown
 * @property {string | null} wanted The id of the address, from when it is looked for until its sheet is closed.
 * @property {number} sheet The number of the sheet that is open; 0: none.
 * @property {number} sheets So many were opened.
 * @property {boolean} isPushed The address was gone to by a press on this page, so that back leads to where it was.
 * @property {number} looks So many times it was looked for what the open one says by now.
 *
 * @typedef {{kind: 'addressed', id: string | null} | {kind: 'sought', id: string, item: Object | null} | {kind: 'pressed', id: string}
 *   | {kind: 'closed', id: string, sheet: number, isNamed: boolean} | {kind: 'drawn', isTold?: boolean}
 *   | {kind: 'looked', turn: number, sheet: number, item: Object | null}} ShownEvent `isNamed`: the address still names the one that was closed;
 *   `drawn`: the list was, and with `isTold` of what was told, which says all that changed.
 * @typedef {{do: 'seek', id: string} | {do: 'sayGone'} | {do: 'show', item: Object, sheet: number} | {do: 'goTo', id: string} | {do: 'back'}
 *   | {do: 'leave'} | {do: 'look', id: string, turn: number, sheet: number, isTold?: boolean} | {do: 'follow', item: Object}} ShownEffect
 */

/** @type {Shown} */
export const initial = { wanted: null, sheet: 0, sheets: 0, isPushed: false, looks: 0 };

/**
 * @param {Shown} state
 * @param {ShownEvent} event
 * @returns {[Shown, ...ShownEffect[]]}
 */
export function change(state, event) {
    switch (event.kind) {
        case 'addressed': {
            if (event.id === state.wanted) return [state];
            return [{ ...state, wanted: event.id }, event.id && { do: 'seek', id: event.id }];
        }
        case 'sought': {
            if (state.wanted !== event.id) return [state];
            if (!event.item) return [{ ...state, wanted: null }, { do: 'sayGone' }, { do: 'leave' }];
            const sheet = state.sheets + 1;
            return [{ ...state, sheet, sheets: sheet }, { do: 'show', item: event.item, sheet }];
        }
        case 'pressed': return [{ ...state, isPushed: true }, { do: 'goTo', id: event.id }];
        case 'closed': {
            // Another one may be open by now.
            const sheet = state.sheet === event.sheet ? 0 : state.sheet;
            const wanted = state.wanted === event.id ? null : state.wanted;
            return [{ ...state, sheet, wanted, isPushed: false }, event.isNamed && { do: state.isPushed ? 'back' : 'leave' }];
        }
        case 'drawn': {
            if (!state.sheet || !state.wanted) return [state];
            const turn = state.looks + 1;
            return [{ ...state, looks: turn }, { do: 'look', id: state.wanted, turn, sheet: state.sheet, ...(event.isTold && { isTold: true }) }];
        }
        case 'looked': {
            const isLast = event.turn === state.looks && event.sheet === state.sheet && event.item?.id === state.wanted;
            return [state, event.item && isLast && { do: 'follow', item: event.item }];
        }
        default: throw new TypeError(Object(event).kind);
    }
}
