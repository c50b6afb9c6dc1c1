// Shell metacharacters, and what is not seen or turns text around.
const UNWANTED = /[`$;&|<>\\"'(){}[\]*?!#~^%]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Cn}]/gu;

/** Whether a text may be an identifier: 1 to 256 letters and digits of ASCII and `_ : . # @ -`. */
export function isIdentifier(text) { return typeof text === 'string' && /^[\w:.#@-]{1,256}$/.test(text); }

/** A device's name as it may be shown and kept, of at most 128 characters. Source: `docs/protocol.md` 1.2.3. */
export function nameOf(text) {
    const whole = typeof text === 'number' ? String(text) : typeof text === 'string' ? text : '';
    const cleaned = whole.slice(0, 512).replace(UNWANTED, '').trim();
    return [...cleaned].slice(0, 128).join('') || 'Unnamed device';
}

/** A peer's description of its device, cleaned. */
export function deviceInfoOf(value) {
    const info = value !== null && typeof value === 'object' ? value : {};
    return { name: nameOf(info.name), platform: isIdentifier(info.platform) ? info.platform : '' };
}
