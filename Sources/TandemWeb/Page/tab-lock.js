const LOCK = 'tandem-phone';

/**
 * Makes this tab the phone, of all tabs of the browser: two with one key would take the hub's connection from one another.
 *
 * @param {{mayTake: boolean, onLost: () => void}} options With `mayTake` it is taken from another tab, which is told by its `onLost`.
 * @returns {Promise<boolean>} Whether this tab is the phone, until it is closed or another takes it.
 */
export function becomeThePhone({ mayTake, onLost }) {
    return new Promise((resolve) => {
        const held = navigator.locks.request(LOCK, mayTake ? { steal: true } : { ifAvailable: true }, (lock) => {
            resolve(lock !== null);
            // Held until the tab is closed.
            return lock === null ? undefined : new Promise(() => {});
        });
        // It ends with an error only where another tab took the lock.
        held.catch(onLost);
    });
}
