import { svg } from './h.js';
import { symbolId, takeSymbols } from './symbols.js';

/**
 * A symbol by its name, in the colour of the text around it. It says nothing to a screen reader: the control around it does.
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
takeSymbols('/icons.svg');
