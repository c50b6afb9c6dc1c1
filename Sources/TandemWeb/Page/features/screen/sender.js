/** Events in one batch, as the computer takes them. */
const BATCH = 200;
/** So often a phone that does nothing says that it is there, in milliseconds: well below what the computer waits. */
const SIGN = 2000;
/** More than a person does while a batch is under way; beyond that the oldest is lost. */
const MOST = 1000;

/**
 * Sends what a person does to a computer: in numbered batches, one after the other, so that what comes meanwhile becomes one larger batch, in which
 * moves that follow each other are one.
 */
export class Sender {
    #call;
    #failed;
    #waiting = [];
    #next = 1;
    #isBusy = false;
    #isOver = false;
    #timer = null;

    /**
     * @param {{call: (batch: {first: number, events: Object[]}) => Promise<any>, failed: (error: any) => void}} options `failed` is called once, with what ended it.
     */
    constructor({ call, failed }) {
        this.#call = call;
        this.#failed = failed;
        this.#rest();
    }

    /** @param {...Object} events As the computer's `input.send` takes them. */
    push(...events) {
        if (this.#isOver) return;
        for (const event of events) add(this.#waiting, event);
        if (this.#waiting.length > MOST) this.#waiting.splice(0, this.#waiting.length - MOST);
        this.#run();
    }

    /** Nothing more is sent. */
    end() {
        this.#isOver = true;
        clearTimeout(this.#timer);
    }

    async #run() {
        if (this.#isBusy) return;
        this.#isBusy = true;
        clearTimeout(this.#timer);
        do {
            const events = this.#waiting.splice(0, BATCH);
            const first = this.#next;
            this.#next += events.length;
            try {
                await this.#call({ first, events });
            } catch (error) {
                if (!this.#isOver) { this.end(); this.#failed(error); }
            }
        } while (this.#waiting.length > 0 && !this.#isOver);
        this.#isBusy = false;
        this.#rest();
    }

    #rest() {
        if (!this.#isOver) this.#timer = setTimeout(() => this.#run(), SIGN);
    }
}

/** Puts an event behind others. What is moved, turned or placed once more joins what stands last. */
export function add(events, event) {
    const last = events.at(-1);
    if (last?.type === event.type && (event.type === 'move' || event.type === 'wheel')) {
        events[events.length - 1] = { ...last, dx: last.dx + event.dx, dy: last.dy + event.dy };
    } else if (last?.type === 'position' && event.type === 'position') {
        events[events.length - 1] = event;
    } else {
        events.push(event);
    }
}
