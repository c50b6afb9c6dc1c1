/** Marks words in what is drawn without changing it, where the browser can; else the entry alone is marked. */
const NAME = 'thread-found';
const MOST = 200;

/** @param {HTMLElement} row @param {string | null} words What was searched for. @returns {HTMLElement} The row. */
export function markFound(row, words, life) {
    row.classList.add('is-found');
    const wanted = String(words ?? '').toLocaleLowerCase().split(/\s+/).filter(Boolean).slice(0, 10);
    if (!globalThis.CSS?.highlights || wanted.length === 0) return row;
    const ranges = [];
    const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() && ranges.length < MOST) {
        const text = walker.currentNode.nodeValue.toLocaleLowerCase();
        // Another length: a letter became several, and places are not the same.
        if (text.length !== walker.currentNode.nodeValue.length) continue;
        for (const word of wanted) {
            for (let at = text.indexOf(word); at >= 0 && ranges.length < MOST; at = text.indexOf(word, at + word.length)) {
                const range = new Range();
                range.setStart(walker.currentNode, at);
                range.setEnd(walker.currentNode, at + word.length);
                ranges.push(range);
            }
        }
    }
    CSS.highlights.set(NAME, new Highlight(...ranges));
    life.add(() => CSS.highlights.delete(NAME));
    return row;
}
