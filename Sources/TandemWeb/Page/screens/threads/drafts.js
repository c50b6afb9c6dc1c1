const PREFIX = 'tandem.draft.';
const MOST_LETTERS = 65_536;
/** Of so many threads what was typed is kept. */
const MOST = 50;

/** What was typed for a thread and not sent. @param {string} place The computer's id, empty for this one. */
export function draftFor(place, { source, id }) {
    const key = `${PREFIX}${place}.${source}.${id}`;
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
