/** @type {[type: string, start: number[]][]} */
const KINDS = [
    ['image/png', [0x89, 0x50, 0x4e, 0x47]], ['image/jpeg', [0xff, 0xd8, 0xff]], ['image/gif', [0x47, 0x49, 0x46, 0x38]],
    ['image/webp', [0x52, 0x49, 0x46, 0x46]],
];

/** The bytes of a base64 text, or of a data URL; null when it is neither. */
export function fromBase64(text) {
    const plain = text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text;
    try {
        const letters = atob(plain);
        return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    } catch {
        return null;
    }
}

/** A blob as base64. */
export async function toBase64(blob) {
    const url = await new Promise((resolve, reject) => {
        const reader = new FileReader();
        reader.addEventListener('load', () => resolve(reader.result));
        reader.addEventListener('error', () => reject(reader.error));
        reader.readAsDataURL(blob);
    });
    return url.slice(url.indexOf(',') + 1);
}

/** A picture's blob by what its bytes begin with; null for anything else, so that nothing but a picture is ever shown as one. */
export function pictureBlob(bytes) {
    const found = KINDS.find(([, start]) => start.every((byte, at) => bytes[at] === byte));
    return found ? new Blob([bytes], { type: found[0] }) : null;
}

/** How many bytes a text takes as UTF-8. */
export function byteCount(text) {
    return new TextEncoder().encode(text).length;
}

/** Makes a picture small enough: as it is where it fits, else as a JPEG with fewer pixels. Null when it is no picture. */
export async function fittedPicture(file, limit) {
    if (file.size <= limit && /^image\/(png|jpeg)$/.test(file.type)) return file;
    let bitmap;
    try {
        bitmap = await createImageBitmap(file);
    } catch {
        return null;
    }
    for (let widest = 4096; widest >= 512; widest /= 2) {
        const part = Math.min(1, widest / Math.max(bitmap.width, bitmap.height));
        const canvas = new OffscreenCanvas(Math.max(1, Math.round(bitmap.width * part)), Math.max(1, Math.round(bitmap.height * part)));
        canvas.getContext('2d').drawImage(bitmap, 0, 0, canvas.width, canvas.height);
        // A PNG keeps what is clear in it; a photo becomes a JPEG.
        for (const type of file.type === 'image/jpeg' ? ['image/jpeg'] : ['image/png', 'image/jpeg']) {
            const blob = await canvas.convertToBlob({ type, quality: 0.85 });
            if (blob.size <= limit) return blob;
        }
    }
    return null;
}

/** Saves a blob among the browser's downloads. */
export function saveBlob(blob, name) {
    const url = URL.createObjectURL(blob);
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
