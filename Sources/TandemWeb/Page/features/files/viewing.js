import { pictureBeside } from './entries.js';
import { segments } from './paths.js';
import { openViewer } from './viewer.js';

/** The file of the address, in a window over its folder: back closes it. */
export class Viewing {
    #options;
    #now = null;

    /**
     * @param {{computer: Object, life: Object, entries: () => Object[], shown: () => Object[], fetchIt: (entry: Object) => void, open: (path: string | null) => void}} options
     *   `entries` of the folder, `shown` those of them that are seen, in their order; `open` goes to another file's address, or to none.
     */
    constructor(options) {
        this.#options = options;
        options.life.add(() => this.#now?.dialog?.close());
    }

    async show(path) {
        if (this.#now?.path === path) return;
        if (this.#now) { const { dialog } = this.#now; this.#now = null; dialog?.close(); }
        if (!path) return;
        const { computer, life, entries, shown, fetchIt, open } = this.#options;
        const now = { path, dialog: null };
        this.#now = now;
        let entry = entries().find((each) => each.path === path);
        if (!entry) {
            // Opened by its address: what it is must be asked.
            const { file } = await computer.call('file.getFileInfo', { path }).catch(() => ({ file: null }));
            const name = segments(path).at(-1)?.name ?? path;
            entry = { name, path, kind: 'file', isFolder: false, size: file?.size ?? null, modified: file?.modified ?? null };
        }
        if (this.#now !== now) return;
        now.dialog = openViewer(entry, {
            computer, fetchIt: () => fetchIt(entry),
            turn: (by) => { const next = pictureBeside(shown(), path, by); if (next) open(next.path); },
            closed: () => {
                if (this.#now !== now) return;
                this.#now = null;
                if (!life.hasEnded) open(null);
            },
        });
    }
}
