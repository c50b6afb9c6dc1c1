/**
 * How long something on the page lives: a screen, a tab, a dialog. What it starts is tied to its life and ends with it, so that a
 * screen that was left neither asks nor draws.
 */
export class Life {
    #controller = new AbortController();
    #stops = new Set();

    /** @param {Life} [parent] Ends this one too when it ends. */
    constructor(parent) {
        if (parent) parent.add(() => this.end());
    }

    /** Aborted when the life ends: pass it to calls, follows and listeners. */
    get signal() { return this.#controller.signal; }

    get hasEnded() { return this.signal.aborted; }

    /** Calls `stop` at the end; at once when it is over already. */
    add(stop) {
        if (typeof stop !== 'function') return;
        if (this.hasEnded) stop();
        else this.#stops.add(stop);
    }

    listen(target, type, listener, options = {}) {
        target.addEventListener(type, listener, { ...options, signal: this.signal });
    }

    /** Calls `work` every so many milliseconds while the page is visible, and when it becomes visible again. */
    every(milliseconds, work) {
        let timer = null;
        const start = () => { timer ??= setInterval(work, milliseconds); };
        const stop = () => { clearInterval(timer); timer = null; };
        if (!document.hidden) start();
        this.listen(document, 'visibilitychange', () => {
            if (document.hidden) { stop(); return; }
            if (timer === null) work();
            start();
        });
        this.add(stop);
    }

    after(milliseconds, work) {
        const timer = setTimeout(work, milliseconds);
        this.add(() => clearTimeout(timer));
    }

    end() {
        if (this.hasEnded) return;
        this.#controller.abort();
        for (const stop of this.#stops) stop();
        this.#stops.clear();
    }
}
