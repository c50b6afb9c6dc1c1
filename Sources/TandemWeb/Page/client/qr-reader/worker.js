import { readCodes } from './reader.js';

/**
 * Reads codes in pictures, which may take long. Asked with `{seq, picture}`, answers `{seq, texts}` or, where a file cannot be read, `{seq, reason}`.
 * A picture of more points than the first number is refused; one of more than the second is made smaller first, since reading takes several copies.
 */
const [MOST_POINTS, READ_POINTS] = [64 << 20, 8 << 20];
/** How long to try on, in milliseconds: for a camera's frame, as the next one may be better, and for a file. */
const [FRAME_TIME, FILE_TIME] = [400, 4000];

self.onmessage = async ({ data: { seq, picture } }) => {
    // What fails then is the browser, which may lack a worker's canvas.
    self.postMessage({ seq, ...await answer(picture).catch(() => ({ reason: 'cannotRead' })) });
};

/** @param {Blob | ImageData} picture */
async function answer(picture) {
    if (!(picture instanceof Blob)) return { texts: read(picture, FRAME_TIME) };
    const bitmap = await createImageBitmap(picture).catch(() => null);
    if (!bitmap) return { reason: picture.type.startsWith('image/') ? 'damagedPicture' : 'notAPicture' };
    try {
        const points = bitmap.width * bitmap.height;
        if (points > MOST_POINTS) return { reason: 'pictureTooLarge' };
        return { texts: read(dataOf(bitmap, Math.min(1, Math.sqrt(READ_POINTS / points))), FILE_TIME) };
    } finally {
        bitmap.close();
    }
}

function read(picture, time) {
    const end = performance.now() + time;
    return readCodes(picture, () => performance.now() < end);
}

/** @param {ImageBitmap} bitmap @param {number} scale */
function dataOf(bitmap, scale) {
    const [width, height] = [Math.max(1, Math.round(bitmap.width * scale)), Math.max(1, Math.round(bitmap.height * scale))];
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    context.drawImage(bitmap, 0, 0, width, height);
    return context.getImageData(0, 0, width, height);
}
