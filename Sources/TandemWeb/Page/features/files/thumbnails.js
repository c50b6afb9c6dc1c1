import { h } from '../../kit/index.js';
import { fromBase64, pictureBlob } from '../../kit/bytes.js';

/** Pictures of one request, and requests at a time: what scrolls away is not waited for long. */
const TOGETHER = 6;
const AT_A_TIME = 2;
/** Pictures that are kept while a folder is looked at. */
const MOST_KEPT = 600;
/** Bytes of a picture that a computer reads. */
const MOST_BYTES = 32 * 1024 * 1024;
/** So often a picture is asked for that the computer had no time or room for, and how far apart, in milliseconds. */
const TRIES = 8;
const PAUSE = 300;
/** Asked for again: the answer had no room for it, or the computer no time. */
const LATER = [-32004, -32005];

/** Computers whose program makes no pictures small. */
const without = new Set();

/**
 * The small pictures of a folder's files. Each is asked for once its place is in sight, several together; what has left it is not asked for
 * any more. Where none comes, the place keeps its symbol.
 */
export class Thumbnails {
    #computer;
    #life;
    /** By file and version: the address of a picture, or null where there is none. */
    #kept = new Map();
    #places = new WeakMap();
    /** What is in sight and not there yet, by file and version. */
    #wanted = new Map();
    #running = new Set();
    #hasEnded = false;
    #observer = new IntersectionObserver((seen) => this.#seen(seen), { rootMargin: '200px' });

    /** @param {{computer: import('../../client/client.js').Computer, life: Object}} options */
    constructor({ computer, life }) {
        this.#computer = computer;
        this.#life = life;
        life.add(() => this.end());
    }

    /** A place for the picture of a file. */
    watch(place, entry) {
        if (without.has(this.#computer.id) || (entry.size ?? 0) > MOST_BYTES || this.#hasEnded) return;
        const key = `${entry.path} ${entry.size} ${entry.modified}`;
        const known = this.#kept.get(key);
        if (known) { put(place, known); return; }
        if (known === null) return;
        this.#places.set(place, { key, path: entry.path });
        this.#observer.observe(place);
    }

    end() {
        if (this.#hasEnded) return;
        this.#hasEnded = true;
        this.#observer.disconnect();
        for (const { stop } of this.#running) stop.abort();
        for (const address of this.#kept.values()) if (address) URL.revokeObjectURL(address);
        this.#kept.clear();
        this.#wanted.clear();
    }

    #seen(seen) {
        for (const { target, isIntersecting } of seen) {
            const { key, path } = this.#places.get(target);
            if (isIntersecting) {
                if (!this.#wanted.has(key)) this.#wanted.set(key, { key, path, place: target, tries: 0, isAsked: this.#isUnderWay(key) });
                else this.#wanted.get(key).place = target;
            } else {
                if (this.#wanted.get(key)?.place === target) this.#wanted.delete(key);
                // A row that is out of sight for long is drawn anew.
                if (!target.isConnected) this.#observer.unobserve(target);
            }
        }
        // A request of which nothing is in sight any more holds up what is.
        for (const { keys, stop } of this.#running) if (!keys.some((key) => this.#wanted.has(key))) stop.abort();
        this.#ask();
    }

    #isUnderWay(key) { return [...this.#running].some(({ keys }) => keys.includes(key)); }

    #ask() {
        while (this.#running.size < AT_A_TIME && !this.#hasEnded && !without.has(this.#computer.id)) {
            const next = [...this.#wanted.values()].filter(({ isAsked }) => !isAsked).slice(0, TOGETHER);
            if (next.length === 0) return;
            for (const each of next) each.isAsked = true;
            const request = { keys: next.map(({ key }) => key), stop: new AbortController() };
            this.#running.add(request);
            this.#fetch(next, request).finally(() => { this.#running.delete(request); this.#ask(); });
        }
    }

    async #fetch(some, { stop }) {
        const signal = window.AbortSignal.any([stop.signal, this.#life.signal]);
        try {
            const edge = Math.min(512, Math.round(192 * devicePixelRatio));
            const { files = [] } = await this.#computer.call('file.getThumbnails', { paths: some.map(({ path }) => path), edge }, { signal, timeout: 60 });
            for (const [at, each] of some.entries()) this.#came(each, files[at] ?? {});
        } catch (error) {
            if (error.code === 'unknown-method') without.add(this.#computer.id);
            // Of what was taken back, some may be in sight again; what failed is tried again while it is.
            for (const { key, tries } of some) {
                const now = this.#wanted.get(key);
                if (now && error.code === 'cancelled') now.isAsked = false;
                else if (now && tries < TRIES) this.#later(now, tries, PAUSE * 2 ** tries);
            }
        }
    }

    #came({ key, tries }, answer) {
        const { content, code } = answer;
        if (this.#hasEnded) return;
        const now = this.#wanted.get(key);
        if (LATER.includes(code) && tries < TRIES) {
            if (now) this.#later(now, tries, PAUSE);
            return;
        }
        const bytes = typeof content === 'string' ? fromBase64(content) : null;
        const blob = bytes && pictureBlob(bytes);
        this.#keep(key, blob ? URL.createObjectURL(blob) : null);
        if (!now) return;
        this.#wanted.delete(key);
        this.#observer.unobserve(now.place);
        const address = this.#kept.get(key);
        if (address) put(now.place, address);
    }

    #later(wanted, tries, pause) {
        setTimeout(() => { wanted.tries = tries + 1; wanted.isAsked = false; this.#ask(); }, pause);
    }

    #keep(key, address) {
        const former = this.#kept.get(key);
        if (former) URL.revokeObjectURL(former);
        this.#kept.set(key, address);
        if (this.#kept.size <= MOST_KEPT) return;
        const [oldest, gone] = this.#kept.entries().next().value;
        this.#kept.delete(oldest);
        if (gone) URL.revokeObjectURL(gone);
    }
}

function put(place, address) {
    const picture = h('img', { class: 'tile-picture', src: address, alt: '' });
    // What the browser cannot draw leaves the symbol in its place.
    picture.addEventListener('load', () => place.replaceChildren(picture));
    if (picture.complete && picture.naturalWidth > 0) place.replaceChildren(picture);
}
