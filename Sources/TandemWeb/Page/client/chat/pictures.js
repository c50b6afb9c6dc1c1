import { chatFailure } from './failures.js';

/** Bytes of a picture as it is sent, and pixels that one may have. Source: `docs/chat-client.md`, "Pictures and recordings". */
const LARGEST = 204_800;
const MOST_PIXELS = 50_000_000;
const LONGEST_SIDE = 2048;
const QUALITIES = [0.85, 0.75, 0.6, 0.45];
const SMALLER = 0.75;
const TURNS = 8;

/**
 * A picture as it is sent: a JPEG, upright and without what the camera wrote about place and time.
 *
 * @param {Blob} chosen
 * @returns {Promise<{blob: Blob, width: number, height: number}>}
 */
export async function photoOf(chosen) {
    const bitmap = await createImageBitmap(chosen).catch(() => null);
    if (!bitmap || bitmap.width * bitmap.height > MOST_PIXELS) throw chatFailure('notAPicture');
    try {
        let scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
        for (let turn = 0; turn < TURNS; turn += 1, scale *= SMALLER) {
            const found = await within(bitmap, scale);
            if (found) return found;
        }
        throw chatFailure('tooLong', { what: 'picture', limit: LARGEST });
    } finally {
        bitmap.close();
    }
}

async function within(bitmap, scale) {
    const [width, height] = [bitmap.width, bitmap.height].map((side) => Math.max(1, Math.round(side * scale)));
    const canvas = new OffscreenCanvas(width, height);
    const pen = canvas.getContext('2d', { alpha: false });
    if (!pen) throw chatFailure('notAPicture');
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, width, height);
    pen.drawImage(bitmap, 0, 0, width, height);
    for (const quality of QUALITIES) {
        const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality });
        if (blob.size <= LARGEST) return { blob, width, height };
    }
    return null;
}
