const PREFIX = 'tandem.draft.';
const MOST_LETTERS = 65_536;
/** Drafts that are kept: the oldest goes. */
const MOST = 50;

/**
 * A text that was typed and not sent.
 *
 * @param {...string} names Of where it belongs: a computer's id, a thread's.
 */
export function draftFor(...names) {
    const key = `${PREFIX}${names.join('.')}`;
    return {
        get text() { return (localStorage.getItem(key) ?? '').replace(/^\d+ /, ''); },
        keep(text) {
            try {
                if (text) localStorage.setItem(key, `${Date.now()} ${text.slice(0, MOST_LETTERS)}`);
                else localStorage.removeItem(key);
                if (text) forgetOldest();
            } catch {
                // The browser's storage is full: what is typed stays on the page.
            }
        },
    };
}

function forgetOldest() {
    const all = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    if (all.length <= MOST) return;
    const age = (key) => Number.parseInt(localStorage.getItem(key), 10) || 0;
    for (const key of all.sort((a, b) => age(a) - age(b)).slice(0, all.length - MOST)) localStorage.removeItem(key);
}
