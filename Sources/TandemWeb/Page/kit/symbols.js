import { fileAddress } from './address.js';
import { svg } from './h.js';

/** In milliseconds. */
const RETRY = 3000;
const taken = new Map();

/**
 * Makes the symbols of a file a part of the page. They are asked for once: the browser would ask again for every symbol that comes
 * later, and have none of those once the program is away.
 *
 * @param {string} path `/icons.svg` has those of the frame and of the screens where pages begin; others come with a screen.
 * @returns {Promise<void>} When they are there, or were not to be had: then they are asked for until they are.
 */
export function takeSymbols(path) {
    if (!taken.has(path)) taken.set(path, fetchSymbols(path));
    return taken.get(path);
}

async function fetchSymbols(path) {
    try {
        const drawn = await fetchDrawing(fileAddress(path));
        for (const symbol of drawn.querySelectorAll('symbol')) {
            symbol.id = symbolId(symbol.id);
            symbol.setAttribute('viewBox', drawn.getAttribute('viewBox'));
        }
        const place = svg('svg', { 'aria-hidden': 'true', hidden: true });
        place.append(...drawn.children);
        document.body.append(place);
    } catch {
        setTimeout(fetchSymbols, RETRY, path);
    }
}

/** Not by `fetch`: where the browser lets no text become a document, a file still may. */
function fetchDrawing(address) {
    return new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        request.open('GET', address);
        request.responseType = 'document';
        request.onload = () => {
            if (request.status === 200 && request.responseXML) resolve(request.responseXML.documentElement);
            else reject(new Error(request.statusText));
        };
        request.onerror = () => reject(new TypeError(address));
        request.send();
    });
}

/** What stands in the page for a symbol's name. */
export function symbolId(name) { return `icon-${name}`; }
