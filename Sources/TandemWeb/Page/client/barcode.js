let detector;

/**
 * What a code in a picture says, read by the browser itself.
 *
 * @param {Blob | ImageData} picture
 * @returns {Promise<string | null | undefined>} Null when there is none; undefined when this browser cannot read codes.
 */
export async function readLocally(picture) {
    detector ??= makeDetector();
    const reader = await detector;
    if (!reader) return undefined;
    try {
        const source = picture instanceof Blob ? await createImageBitmap(picture) : picture;
        const [first] = await reader.detect(source);
        return first?.rawValue ?? null;
    } catch {
        return undefined;
    }
}

async function makeDetector() {
    if (!('BarcodeDetector' in window)) return null;
    const formats = await BarcodeDetector.getSupportedFormats().catch(() => []);
    return formats.includes('qr_code') ? new BarcodeDetector({ formats: ['qr_code'] }) : null;
}

/**
 * A frame of a camera as a picture that can be sent.
 *
 * @param {ImageData} frame
 */
export function jpegOf(frame) {
    const canvas = new OffscreenCanvas(frame.width, frame.height);
    canvas.getContext('2d').putImageData(frame, 0, 0);
    return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 });
}
