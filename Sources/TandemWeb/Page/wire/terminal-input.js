import { byteCountOf } from './bytes.js';

/** Characters of one piece, so that Ctrl-C does not wait behind a whole paste, and pieces on their way. */
const PIECE = 16 * 1024;
const AT_A_TIME = 16;
const BYTES_AT_A_TIME = 192 * 1024;
const AGAIN = 100;

/** What is typed into a terminal: numbered, so that it is typed in order and each piece once. Source: `docs/protocol.md` 3.1. */
export class TerminalInput {
    #computer;
    #sessionId;
    #inputId;
    #waiting = '';
    #sequence = 0;
    #underWay = 0;
    #bytesUnderWay = 0;
    #isClosed = false;

    /**
     * @param {import('./computer.js').Computer} computer
     * @param {string} sessionId
     * @param {string} inputId
     */
    constructor(computer, sessionId, inputId) {
        this.#computer = computer;
        this.#sessionId = sessionId;
        this.#inputId = inputId;
    }

    write(text) {
        this.#waiting += text;
        this.#pump();
    }

    close() { this.#isClosed = true; }

    #pump() {
        while (this.#waiting && this.#underWay < AT_A_TIME && this.#bytesUnderWay < BYTES_AT_A_TIME && !this.#isClosed) {
            // A character of two halves stays whole.
            const end = this.#waiting.length > PIECE && /[\ud800-\udbff]/.test(this.#waiting[PIECE - 1]) ? PIECE - 1 : PIECE;
            const data = this.#waiting.slice(0, end);
            this.#waiting = this.#waiting.slice(end);
            this.#sequence += 1;
            this.#send(data, this.#sequence);
        }
    }

    async #send(data, inputSeq) {
        const bytes = byteCountOf(data);
        this.#underWay += 1;
        this.#bytesUnderWay += bytes;
        try {
            while (!this.#isClosed) {
                try {
                    await this.#computer.call('terminal.stdin', { sessionId: this.#sessionId, data, inputSeq, inputId: this.#inputId });
                    break;
                } catch (error) {
                    // The terminal says by itself when it is gone; what a computer did not answer it may have typed.
                    if (error.detail?.reason !== 'input_buffer_full') break;
                    await new Promise((resolve) => { this.#computer.time.after(AGAIN, () => resolve(undefined)); });
                }
            }
        } finally {
            this.#underWay -= 1;
            this.#bytesUnderWay -= bytes;
            this.#pump();
        }
    }
}
