/**
 * Plays one voice note of a conversation at a time: another one stops the first.
 */
export class Player {
    #audio = new Audio();
    #now = null;

    /** @param {import('../../life.js').Life} life Ends what plays. */
    constructor(life) {
        this.#audio.preload = 'none';
        life.add(() => this.stop());
        life.listen(this.#audio, 'timeupdate', () => this.#now?.moved(this.#audio.currentTime));
        life.listen(this.#audio, 'ended', () => this.stop());
        life.listen(this.#audio, 'error', () => this.#fail());
    }

    /** @param {string} key */
    isPlaying(key) { return this.#now?.key === key; }

    /** How far the one that plays is, in seconds. */
    get time() { return this.#audio.currentTime; }

    /**
     * @param {{key: string, address: string, moved: (seconds: number) => void, ended: () => void, failed: () => void}} note
     */
    async play(note) {
        this.stop();
        this.#now = note;
        this.#audio.src = note.address;
        try {
            await this.#audio.play();
        } catch (error) {
            // Another one was begun meanwhile, or this one stopped.
            if (error.name !== 'AbortError' && this.#now === note) this.#fail();
        }
    }

    /** A row that was drawn again is told from then on. */
    follow(key, members) { if (this.isPlaying(key)) Object.assign(this.#now, members); }

    stop() {
        const now = this.#now;
        if (!now) return;
        this.#now = null;
        this.#audio.pause();
        this.#audio.removeAttribute('src');
        now.ended();
    }

    #fail() {
        const now = this.#now;
        this.stop();
        now?.failed();
    }
}
