/**
 * A line that was typed and not written yet, of a computer's board.
 *
 * @param {string} device The computer's id.
 */
export function draftOf(device) {
    const key = `tandem.whiteboard.${device}`;
    return {
        get text() { return localStorage.getItem(key) ?? ''; },
        keep(text) {
            if (text) localStorage.setItem(key, text);
            else localStorage.removeItem(key);
        },
    };
}
