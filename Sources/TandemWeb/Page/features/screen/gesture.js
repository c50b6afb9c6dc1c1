/** Below this a press is a tap, in milliseconds; above the other one it is a long press. */
const TAP = 260;
/** So long a finger rests before it is the right button, in milliseconds. */
export const REST = 500;
/** So far a finger that taps may stray, in pixels. */
const STRAY = 9;
/** Pixels that two fingers move for one notch of the wheel. */
const NOTCH = 36;

const tap = (button) => ({ type: 'button', button, press: 'tap' });
const hold = (press) => ({ type: 'button', button: 'left', press });

/**
 * What fingers on a surface mean for a pointer. On a trackpad a finger moves the pointer by as much as it moves, and a tap whose next touch moves drags;
 * with direct touch the pointer is where the finger is, and a finger that moves drags. In both a tap is a click, a finger that rests is the right button,
 * as two that tap are, and two that move turn the wheel.
 *
 * Each call answers events as `input.send` takes them. Points are `{x, y}` of the window; time is in milliseconds.
 */
export class Gesture {
    #isDirect;
    #place;
    #fingers = new Map();
    #start = { x: 0, y: 0, at: 0 };
    #most = 0;
    #hasMoved = false;
    #isDragging = false;
    #isSpent = false;
    #lastTap = -Infinity;

    /**
     * @param {{isDirect: boolean, place: (point: {x: number, y: number}) => Object | null}} options `place` answers the event that puts the pointer where a point of
     *   the window lies on the computer's screen; null beside it.
     */
    constructor({ isDirect, place }) {
        this.#isDirect = isDirect;
        this.#place = place;
    }

    /** Whether one finger rests where it was put down, and has done nothing yet. */
    get rests() { return this.#fingers.size === 1 && !this.#hasMoved && !this.#isSpent && !this.#isDragging; }

    down(id, point, at) {
        if (this.#fingers.size === 0) {
            this.#start = { ...point, at };
            this.#most = 0;
            this.#hasMoved = this.#isSpent = false;
        }
        this.#fingers.set(id, point);
        this.#most = Math.max(this.#most, this.#fingers.size);
        // A second finger ends a drag that a first one had begun by mistake.
        return this.#most > 1 ? this.#drop() : [];
    }

    move(id, point) {
        const former = this.#fingers.get(id);
        if (!former || this.#isSpent) return [];
        const moved = Math.hypot(point.x - this.#start.x, point.y - this.#start.y) > STRAY;
        if (!this.#hasMoved && !moved) return [];
        this.#fingers.set(id, point);
        const begins = !this.#hasMoved;
        this.#hasMoved = true;
        const [dx, dy] = [point.x - former.x, point.y - former.y];
        if (this.#most > 1) {
            const share = NOTCH * Math.max(1, this.#fingers.size);
            return [{ type: 'wheel', dx: -dx / share, dy: -dy / share }];
        }
        return this.#isDirect ? this.#drag(point, begins) : this.#slide(dx, dy, begins);
    }

    /** A finger rested for `REST`. */
    rest() {
        if (!this.rests) return [];
        this.#isSpent = true;
        return [...this.#at(this.#start), tap('right')];
    }

    up(id, at) {
        if (!this.#fingers.delete(id) || this.#fingers.size > 0) return [];
        if (this.#isDragging) return this.#drop();
        if (this.#isSpent || this.#hasMoved || at - this.#start.at > TAP) return [];
        if (this.#most > 1) return [tap('right')];
        this.#lastTap = at;
        return [...this.#at(this.#start), tap('left')];
    }

    /** The surface has lost its fingers. */
    cancel() {
        this.#fingers.clear();
        return this.#drop();
    }

    #slide(dx, dy, begins) {
        const events = [];
        if (begins && this.#start.at - this.#lastTap < TAP) {
            this.#isDragging = true;
            events.push(hold('down'));
        }
        // A quick finger goes farther, as on a trackpad.
        const speed = Math.min(3, 1 + Math.hypot(dx, dy) / 12);
        return [...events, { type: 'move', dx: dx * speed, dy: dy * speed }];
    }

    #drag(point, begins) {
        const events = [];
        if (begins) {
            events.push(...this.#at(this.#start), hold('down'));
            this.#isDragging = true;
        }
        return [...events, ...this.#at(point)];
    }

    #drop() {
        if (!this.#isDragging) return [];
        this.#isDragging = false;
        this.#isSpent = true;
        return [hold('up')];
    }

    #at(point) {
        const place = this.#isDirect ? this.#place(point) : null;
        return place ? [place] : [];
    }
}
