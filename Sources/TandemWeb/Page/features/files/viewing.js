import { picturesOf } from './entries.js';
import { segments } from './paths.js';
import { Pictures } from './pictures.js';
import { openViewer } from './viewer.js';

/** The file of the address, in a window over its folder: back closes it. */
export class Viewing {
    #options;
    #pictures;
    #now = null;
    /** The way that a button was pressed for: it keeps the focus. */
    #pressed = 0;

    /**
     * @param {{computer: Object, life: Object, entries: () => Object[], shown: () => Object[], fetchIt: (entry: Object) => void, mayWrite: () => Promise<boolean>,
     *   saved: () => void, open: (path: string | null) => void}} options
     *   `entries` of the folder, `shown` those of them that are seen, in their order; `saved` is told when a text was; `open` goes to another
     *   file's address, or to none.
     */
    constructor(options) {
        this.#options = options;
        this.#pictures = new Pictures(options.computer, options.life);
        options.life.add(() => this.#now?.dialog?.close());
    }

    async show(path) {
        if (this.#now?.path === path) return;
        if (this.#now) { const { dialog } = this.#now; this.#now = null; dialog?.close(); }
        if (!path) { this.#pictures.keep([]); return; }
        const now = { path, dialog: null };
        this.#now = now;
        const entry = this.#options.entries().find((each) => each.path === path) ?? await this.#asked(path);
        if (this.#now !== now) return;
        this.#open(entry, now);
    }

    /** The folder, or what is shown of it, is another by now. */
    listed() { this.#now?.dialog?.listed(); }

    /** Opened by its address: what it is must be asked. */
    async #asked(path) {
        const { file } = await this.#options.computer.call('file.getFileInfo', { path }).catch(() => ({ file: null }));
        const name = segments(path).at(-1)?.name ?? path;
        const kind = file?.kind === undefined || file.kind === 'file' ? 'file' : file.kind === 'symlink' ? 'symlink' : 'other';
        return { name, path, kind, isFolder: false, size: file?.size ?? null, modified: file?.modified ?? null };
    }

    /** A picture's place among those that are shown, and the one that lies so far from it. */
    #beside(path, by) {
        const pictures = picturesOf(this.#options.shown());
        const at = pictures.findIndex((each) => each.path === path);
        return { at: at + 1, count: pictures.length, entry: at < 0 ? null : pictures[at + by] ?? null };
    }

    #open(entry, now) {
        const { computer, life, fetchIt, mayWrite, saved, open } = this.#options;
        const beside = () => [1, -1].map((by) => this.#beside(entry.path, by).entry);
        this.#pictures.keep([entry, ...beside()]);
        now.dialog = openViewer(entry, {
            computer, mayWrite, fetchIt: () => fetchIt(entry),
            picture: async () => {
                const blob = await this.#pictures.get(entry);
                if (this.#now === now) this.#pictures.ahead(beside());
                return blob;
            },
            around: {
                place: () => this.#beside(entry.path, 0),
                turn: (by, isPressed = false) => {
                    const next = this.#beside(entry.path, by).entry;
                    if (!next) return;
                    this.#pressed = isPressed ? by : 0;
                    open(next.path);
                },
            },
            saved: (path) => { saved(); if (path !== entry.path && this.#now === now) open(path); },
            closed: () => {
                if (this.#now !== now) return;
                this.#now = null;
                if (!life.hasEnded) open(null);
            },
        });
        const buttons = now.dialog.element.querySelectorAll('.viewer-turns button');
        if (this.#pressed) [...buttons].at(this.#pressed > 0 ? 1 : 0)?.focus();
        this.#pressed = 0;
    }
}
