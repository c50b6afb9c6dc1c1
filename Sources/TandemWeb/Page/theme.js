const KEY = 'tandem.theme';

/** `light`, `dark`, or null: as the browser says. */
export function chosenTheme() { return localStorage.getItem(KEY); }

/** @param {string | null} theme `light`, `dark`; null: the browser's. */
export function chooseTheme(theme) {
    if (theme) localStorage.setItem(KEY, theme);
    else localStorage.removeItem(KEY);
    applyTheme();
}

/** Puts the choice on the document; without one the browser's scheme holds. */
export function applyTheme() {
    const theme = chosenTheme();
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    /** @type {NodeListOf<HTMLMetaElement>} */
    const metas = document.querySelectorAll('meta[name="theme-color"]');
    for (const meta of metas) {
        meta.dataset.media ??= meta.media;
        // With a choice only its colour counts, whatever the browser's scheme.
        const isDark = meta.dataset.media.includes('dark');
        meta.media = theme ? (isDark === (theme === 'dark') ? 'all' : 'not all') : meta.dataset.media;
    }
}
