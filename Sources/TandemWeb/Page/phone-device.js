/** What a browser says of its device, and how a person would call that. */
/** @type {[RegExp, string, string][]} */
const DEVICES = [
    [/iPhone|iPod/, 'ios', 'iPhone'], [/iPad/, 'ios', 'iPad'], [/Android/, 'android', 'Android'], [/Windows/, 'win32', 'Windows'],
    [/Macintosh|Mac OS/, 'darwin', 'Mac'], [/Linux|CrOS|X11/, 'linux', 'Linux'],
];
/** @type {[RegExp, string][]} */
const BROWSERS = [[/Firefox|FxiOS/, 'Firefox'], [/EdgA?\//, 'Edge'], [/SamsungBrowser/, 'Samsung Internet'], [/Chrome|CriOS|Chromium/, 'Chrome'], [/Safari/, 'Safari']];

/**
 * What this browser calls itself until its person gives it a name.
 *
 * @param {{userAgent: string, maxTouchPoints?: number}} navigator
 * @returns {{name: string, platform: string}}
 */
export function deviceOf({ userAgent, maxTouchPoints = 0 }) {
    const [, platform, device] = DEVICES.find(([pattern]) => pattern.test(userAgent)) ?? ['', 'linux', ''];
    const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'Browser';
    // An iPad says that it is a Mac, which has no screen to touch.
    if (platform === 'darwin' && maxTouchPoints > 1) return { name: `${browser} iPad`, platform: 'ios' };
    return { name: [browser, device].filter(Boolean).join(' '), platform };
}
