/** Pictures of codes, as a camera or a scanner would give them. All are the same in every run. */

/** Numbers from 0 to 1 that look random. */
export function numbers(seed) {
    let state = seed;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
}

/**
 * @param {{size: number, isDark: (x: number, y: number) => boolean}} code
 * @param {Object} options
 * @param {(x: number, y: number) => {x: number, y: number}} options.seen Which square of the code, from its corner, a point of the picture shows.
 */
export function picture({ width, height, codes, noise = 0, seed = 1, dark = 0, light = 255, around = light, lit = () => 1 }) {
    const random = numbers(seed);
    const data = new Uint8ClampedArray(width * height * 4);
    const parts = [0.25, 0.75];
    for (let y = 0; y < height; y += 1) {
        for (let x = 0; x < width; x += 1) {
            let sum = 0;
            for (const down of parts) for (const right of parts) sum += levelAt(codes, x + right, y + down, { dark, light, around });
            const level = (sum / 4) * lit(x / width, y / height) + (noise && (random() + random() + random() - 1.5) * noise * 2);
            data.set([level, level, level, 255], (y * width + x) * 4);
        }
    }
    return { width, height, data };
}

function levelAt(codes, x, y, { dark, light, around }) {
    for (const { code, seen } of codes) {
        const place = seen(x, y);
        const [column, row] = [Math.floor(place.x), Math.floor(place.y)];
        if (column < -4 || row < -4 || column >= code.size + 4 || row >= code.size + 4) continue;
        const isInside = column >= 0 && row >= 0 && column < code.size && row < code.size;
        return isInside && code.isDark(column, row) ? dark : light;
    }
    return around;
}

/** Straight from the front: turned by an angle around its middle. */
export function turned(code, { x, y, square, angle = 0, slant = 0 }) {
    const [cosine, sine] = [Math.cos(angle) / square, Math.sin(angle) / square];
    return { code, seen: (atX, atY) => {
        const [right, down] = [atX - x - (atY - y) * slant, atY - y];
        return { x: right * cosine + down * sine + code.size / 2, y: down * cosine - right * sine + code.size / 2 };
    } };
}

/** Tilted: one side is nearer than the other. */
export function tilted(code, { x, y, square, angle, tilt }) {
    const flat = turned(code, { x: 0, y: 0, square, angle });
    const reach = (code.size * square) / 2;
    return { code, seen: (atX, atY) => {
        const depth = 1 / (1 - (tilt * (atX - x)) / reach);
        return flat.seen((atX - x) * depth, (atY - y) * depth);
    } };
}
