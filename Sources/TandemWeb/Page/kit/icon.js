import { svg } from './h.js';

const RETRY = 3000;

/**
 * Makes the symbols of `icons.svg` a part of the page. They are asked for once: the browser would ask again for every symbol that comes
 * later, and have none of those once the program is away.
 */
async function takeSymbols() {
    try {
        const answer = await fetch('/icons.svg');
        if (!answer.ok) throw new Error(answer.statusText);
        const drawn = new DOMParser().parseFromString(await answer.text(), 'image/svg+xml').documentElement;
        for (const symbol of drawn.querySelectorAll('symbol')) symbol.id = symbolId(symbol.id);
        const place = svg('svg', { 'aria-hidden': 'true', hidden: true });
        place.append(...drawn.children);
        document.body.append(place);
    } catch {
        setTimeout(takeSymbols, RETRY);
    }
}

function symbolId(name) { return `icon-${name}`; }

/**
 * A symbol of `icons.svg`, in the colour of the text around it. It says nothing to a screen reader: the control around it does.
 *
 * @param {string} name
 * @param {{size?: number}} options In pixels; 24 unless told.
 */
export function icon(name, { size = 24 } = {}) {
    return svg('svg', { class: 'icon', width: size, height: size, 'aria-hidden': 'true', focusable: 'false' },
        svg('use', { href: `#${symbolId(name)}` }));
}

/**
 * Puts another symbol in the place of one.
 *
 * @param {Element} element `icon(…)`, or what holds one.
 */
export function changeIcon(element, name) {
    element.querySelector('use').setAttribute('href', `#${symbolId(name)}`);
}

const PLATFORMS = {
    ios: 'phone', android: 'phone', phone: 'phone', darwin: 'computer', macos: 'computer', win32: 'screen', windows: 'screen',
    linux: 'computer',
};

/** The symbol of a device by what it said of its platform. */
export function platformIcon(platform, options) {
    return icon(PLATFORMS[platform] ?? 'computer', options);
}

// At once: while the first screen is made.
takeSymbols();
