/**
 * Takes pictures that are dropped on an element, or pasted while it is on the page.
 *
 * @param {HTMLElement} element Wears the class `is-over` while something is held above it.
 * @param {{take: (file: File) => void, signal: AbortSignal, accepts?: () => boolean}} options
 */
export function takesPictures(element, { take, signal, accepts = () => true }) {
    let depth = 0;
    const over = (isOver) => element.classList.toggle('is-over', isOver);
    const holdsFiles = (event) => event.dataTransfer?.types.includes('Files') && accepts();
    element.addEventListener('dragenter', (event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        depth += 1;
        over(true);
    }, { signal });
    element.addEventListener('dragover', (event) => { if (holdsFiles(event)) event.preventDefault(); }, { signal });
    element.addEventListener('dragleave', () => {
        depth = Math.max(0, depth - 1);
        if (depth === 0) over(false);
    }, { signal });
    element.addEventListener('drop', (event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        depth = 0;
        over(false);
        give(event.dataTransfer.files);
    }, { signal });
    document.addEventListener('paste', (event) => {
        if (element.isConnected && accepts()) give(event.clipboardData?.files ?? []);
    }, { signal });

    function give(files) {
        const picture = [...files].find((file) => file.type.startsWith('image/'));
        if (picture) take(picture);
    }
}
