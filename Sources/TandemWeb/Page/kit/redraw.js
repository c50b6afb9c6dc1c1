/** What tells a control from others, also after it was made again. */
function nameOf(element) {
    return [element.tagName, element.getAttribute('href'), element.getAttribute('aria-label'), element.labels?.[0]?.textContent ?? element.textContent].join('\n');
}

const controls = (place) => [...place.querySelectorAll('a[href], button, input, select, summary')];

/**
 * Puts new elements into a place. The keyboard's focus goes on where it was: a list that changes by itself must not throw it away.
 *
 * @param {HTMLElement} place
 * @param {Node[]} elements
 */
export function redraw(place, elements) {
    const focused = place.contains(document.activeElement) ? document.activeElement : null;
    const name = focused && nameOf(focused);
    const nth = focused ? controls(place).filter((each) => nameOf(each) === name).indexOf(focused) : -1;
    place.replaceChildren(...elements);
    if (nth < 0) return;
    const same = controls(place).filter((each) => nameOf(each) === name);
    (same[nth] ?? same.at(-1))?.focus({ preventScroll: true });
}
