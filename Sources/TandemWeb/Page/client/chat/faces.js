const LONGEST = 2048;
const PATHS = ['/media/', '/thumb/'];

/** The object's key of somebody's picture, which a profile tells as a key or as an address; null for none. An address is not asked: it is its owner's word. */
export function faceKey(avatar) {
    if (typeof avatar !== 'string' || !avatar || avatar.length > LONGEST) return null;
    if (!avatar.startsWith('/') && !avatar.includes('://')) return avatar;
    try {
        const { pathname } = new URL(avatar, 'https://hub.invalid');
        const prefix = PATHS.find((path) => pathname.startsWith(path));
        return prefix ? pathname.slice(prefix.length) || null : null;
    } catch {
        return null;
    }
}
