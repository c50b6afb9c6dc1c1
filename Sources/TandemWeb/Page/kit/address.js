/** The page's own folder: `/` on a role's page, `/phone/` on the one that a hub serves for phones. */
const base = new URL('../', import.meta.url);

/**
 * The address of one of the page's files.
 *
 * @param {string} path From the page's own folder, with a slash before it: `/icons.svg`.
 */
export function fileAddress(path) { return new URL(path.slice(1), base).href; }

/** Where the browser lets only trusted addresses become scripts, those of the page's own files are. Elsewhere an address is a text. */
const policy = globalThis.trustedTypes?.createPolicy('tandem', { createScriptURL: fileAddress });

/**
 * The address of a script that a worker runs.
 *
 * @param {string} path As for ``fileAddress``.
 * @returns {any}
 */
export function scriptAddress(path) { return policy ? policy.createScriptURL(path) : fileAddress(path); }
