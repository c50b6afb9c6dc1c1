/** The largest numbers that the hub takes. */
export const LIMITS = { uses: 10_000, days: 365 };

/**
 * An invitation as a link, as `tandem hub invite` prints it.
 *
 * @param {string} hub `wss://hub.example:9001`
 * @param {string} code Twelve digits.
 */
export function invitationLink(hub, code) { return `tandem-account://join?hub=${encodeURIComponent(hub)}&c=${code}`; }

/**
 * An invitation as a link to the hub's page for phones, which a telephone without any program opens.
 *
 * @param {string} page `https://hub.example/phone/`
 * @param {string} code Twelve digits.
 */
export function pageLink(page, code) { return `${page}#join=${code}`; }

/** A whole number within 1 and a limit as it is typed; null for any other text. */
export function numberIn(text, limit) {
    const plain = text.normalize('NFKC').trim();
    return /^\d{1,6}$/.test(plain) && Number(plain) >= 1 && Number(plain) <= limit ? Number(plain) : null;
}
