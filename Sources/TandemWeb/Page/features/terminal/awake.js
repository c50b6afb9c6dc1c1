const KEY = 'tandem.terminal.awake';

/** Keeps the screen of this device on while a terminal is looked at: what runs there is read longer than a telephone waits for a touch. */
export class Awake {
    #isWanted = false;
    /** @type {Promise<WakeLockSentinel | null> | null} */
    #lock = null;

    /** @param {import('../../life.js').Life} life */
    constructor(life) {
        // The browser ends it with every page that is hidden.
        life.listen(document, 'visibilitychange', () => { this.#lock = null; this.#apply(); });
        life.add(() => this.want(false));
    }

    /** Whether this browser can. */
    get isThere() { return 'wakeLock' in navigator; }

    /** What the person wants of it, kept for all terminals. */
    get isOn() { return localStorage.getItem(KEY) !== 'off'; }

    set isOn(on) {
        localStorage.setItem(KEY, on ? 'on' : 'off');
        this.#apply();
    }

    /** Whether a terminal is looked at that has not ended. */
    want(isWanted) {
        this.#isWanted = isWanted;
        this.#apply();
    }

    #apply() {
        const isDue = this.#isWanted && this.isOn && this.isThere && !document.hidden;
        if (isDue) {
            // Refused where the battery is low: then it is as without.
            this.#lock ??= navigator.wakeLock.request('screen').catch(() => null);
        } else {
            this.#lock?.then((lock) => lock?.release());
            this.#lock = null;
        }
    }
}
